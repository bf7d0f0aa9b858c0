"""The commands that messages print for pasting: each has the folder and the options of the run that prints it."""

import shlex
from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .content.files.content_folder import find_folder
from .errors import UsageError
from .value_text import printable

_OF_TARGET = ("--target", "--state-dir")
_OF_PLAN = (
    *_OF_TARGET,
    *("--prune", "--no-prune", "--only", "--on-drift", "--on-conflict", "--adopt", "--base", "--attempt"),
)
# The options of a run that a printed command repeats. `pull` never repeats `--only`, which overwrites local changes.
_REPEATED = {"plan": _OF_PLAN, "sync": _OF_PLAN, "pull": _OF_TARGET, "undo": _OF_TARGET}


@dataclass(frozen=True, slots=True)
class PrintedCommands:
    """Writes commands for a content folder.

    `folder` is its path, "" if the command finds it without one. `options` are those of the run, each with its value.
    """

    folder: str = ""
    options: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def for_folder(cls, folder: Path, options: tuple[tuple[str, ...], ...] = ()) -> "PrintedCommands":
        """Return the commands for a folder, without its path if it is the one that commands find from here."""
        with suppress(UsageError, OSError):  # there is none, or the current folder was deleted
            if find_folder(Path()) == folder.absolute():
                return cls("", options)
        return cls(str(folder), options)

    def __call__(self, command: str, *words: str) -> str:
        """Return a command with `words`, and with the options of the run that it takes and that `words` do not set."""
        repeated = {*_REPEATED.get(command, ())} - {*words}
        options = [word for option in self.options if option[0] in repeated for word in option]
        folder = [self.folder] if self.folder else []
        return shlex.join(map(printable, ["contentsync", *command.split(), *folder, *options, *words]))


WITHOUT_FOLDER = PrintedCommands()


def entry_word(names: Collection[str]) -> str:
    """Return the name of an entry as `--only` takes it; of several entries, a word that the user replaces by a name."""
    return next(iter(names)) if len(names) == 1 else "KIND/KEY"
