"""What a command makes when it first needs it; imported last by the process that commands are forked from."""

import gc

from contentsync.cli.command_line import command
from contentsync.model import RECORDS

command()
for _record in RECORDS.values():
    _record.model_rebuild()
gc.freeze()  # or each child would copy what it inherits as soon as it looks for cycles
