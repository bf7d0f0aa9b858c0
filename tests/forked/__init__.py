"""The command `contentsync`, started at once: each start is a fork of one process that has imported everything."""

from .command import CommandProcess, become_command, running_command
from .forkserver import CONTEXT
from .program import program_file

__all__ = ["CONTEXT", "CommandProcess", "become_command", "program_file", "running_command"]
