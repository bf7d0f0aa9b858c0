"""The entries of a plan whose records other users have changed, and for which the user decides what counts."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...errors import join_first
from ...model import Entry
from ...printed_commands import entry_word
from ...value_text import value_pair
from ..comparing.diff import FieldChange
from .consents import DRIFT_CHOICES, Choice
from .plan import DELETED_REASON, Policy, Refusal

MAX_FIELDS = 3  # of an entry in a message


class Contested:
    """Collects the conflicts, drift and adoptions of a plan for the messages of its refusals.

    In a conflict, the folder and the server have changed the same since the last sync, to different results. An undo
    is not `of_folder`: its side is what was before the run.
    """

    def __init__(self, *, of_folder: bool) -> None:
        self._of_folder = of_folder
        self.adopted: list[str] = []  # entries and fields, as the messages name them
        self.drifted: list[str] = []
        self.deleted: list[str] = []  # by other users
        self.left_as_on_server: list[str] = []  # conflicts that the server's side wins
        self._conflicts: dict[str, str] = {}  # by the name of the entry, as `--only` takes it

    def add_fields(self, entry: Entry, fields: Mapping[str, FieldChange]) -> None:
        """Add fields that both sides have changed, with the server's value before and the folder's after."""
        side = "in the folder" if self._of_folder else "before the run"
        texts = []
        for name, field in fields.items():
            there, here = value_pair(field)
            texts.append(f"{name}: {here} {side}, {there} on the server")
        self._add(entry, join_first(texts, MAX_FIELDS, "; "))

    def add_deleted_here(self, record: Entry, changed: Iterable[str]) -> None:
        """Add a record that the folder no longer has, and of which another user has `changed` these fields."""
        how = "deleted in the folder" if self._of_folder else "created by the run"
        self._add(record, f"{how}, {join_first([*changed])} changed on the server")

    def add_deleted_there(self, entry: Entry, changed: Iterable[str]) -> None:
        """Add an entry of which the folder has `changed` these fields, and that another user has deleted."""
        self._add(entry, f"{join_first([*changed])} changed in the folder, deleted on the server")

    def _add(self, entry: Entry, text: str) -> None:
        self._conflicts[f"{entry.kind}/{entry.key}"] = f"{entry} ({text})"

    def refusals(self, policy: Policy, command: Callable[..., str]) -> Iterator[Refusal]:
        """Yield the refusals because of conflicts, drift and adoptions; `command` writes the commands in them."""
        if self._conflicts:
            yield self._conflict(command)
        if self.drifted:
            yield Refusal("drift", f"changed on the server: {_first(self.drifted)}", choices=DRIFT_CHOICES)
        if self.deleted:
            yield Refusal("drift", f"{DELETED_REASON}: {_first(self.deleted)}", choices=DRIFT_CHOICES)
        if self.adopted and not policy.adopt:
            message = f"on the server with other values, and not from here: {_first(self.adopted)}"
            yield Refusal("adoption", message, "--adopt")

    def _conflict(self, command: Callable[..., str]) -> Refusal:
        """Return the refusal with both sides of each conflict, and the commands that decide.

        For an undo, only name the options: `command` writes those of `sync`.
        """

        def decide(side: str) -> str:
            option = ("--on-conflict", side)
            if not self._of_folder:
                return " ".join(option)
            return command("sync", "--only", entry_word(self._conflicts), *option)

        ours = "the folder's side" if self._of_folder else "as before the run"
        choices = (Choice(decide("ours"), ours), Choice(decide("theirs"), "the server's"))
        how = "here and on the server since the last sync" if self._of_folder else "on the server since the run"
        return Refusal("conflict", f"changed {how}: {_first(self._conflicts.values())}", choices=choices)


def _first(texts: Iterable[str]) -> str:
    return join_first(sorted(texts), separator="; ")
