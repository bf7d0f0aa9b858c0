"""What a command makes when it first needs it; imported last by the process that commands are forked from."""

import gc

from typer.core import TyperGroup

from contentsync.cli.command_line import command
from contentsync.model import RECORDS

_command = command()
assert isinstance(_command, TyperGroup)
for _name, _subcommand in _command.commands.items():
    _subcommand.make_context(_name, [], resilient_parsing=True)
for _record in RECORDS.values():
    _record.model_rebuild()
gc.freeze()  # or each child would copy what it inherits as soon as it looks for cycles
