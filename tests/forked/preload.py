"""Objects that a command creates at their first use; imported last by the process that commands are forked from."""

import gc
import tempfile

from typer.core import TyperGroup

from contentsync.cli.command_line import command
from contentsync.cli.commands import COMMANDS
from contentsync.model import RECORDS

from ..in_process import environment, run_command

for _name in COMMANDS:
    _command = command(_name)
    assert isinstance(_command, TyperGroup)
    _command.commands[_name].make_context(_name, [], resilient_parsing=True)
for _record in RECORDS.values():
    _record.model_rebuild()
with tempfile.TemporaryDirectory() as _folder:  # compiles the statements and the patterns that most commands need
    for _words in (["init"], ["plan"], ["sync", "--yes"], ["plan"]):
        run_command([*_words, _folder], environment())
tempfile.tempdir = None  # each child finds the one of its own environment
gc.collect()
gc.freeze()  # or each child would copy what it inherits as soon as it looks for cycles
