"""The conflicts of a plan: what the folder and the server have changed since the last sync, to different results."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from ...errors import join_first
from ...model import Entry
from ...printed_commands import entry_word
from ...value_text import value_pair
from ..comparing.diff import FieldChange
from .consents import Choice
from .plan import Refusal

MAX_FIELDS = 3  # of an entry in a message


class Conflicts:
    """Collects the conflicts of a plan."""

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}  # by the name of the entry, as `--only` takes it

    def add_fields(self, entry: Entry, fields: Mapping[str, FieldChange]) -> None:
        """Add fields that both sides have changed, with the server's value before and the folder's after."""
        texts = []
        for name, field in fields.items():
            there, here = value_pair(field)
            texts.append(f"{name}: {here} in the folder, {there} on the server")
        self._add(entry, join_first(texts, MAX_FIELDS, "; "))

    def add_deleted_here(self, record: Entry, changed: Iterable[str]) -> None:
        """Add a record that the folder no longer has, and of which another user has `changed` these fields."""
        self._add(record, f"deleted in the folder, {join_first([*changed])} changed on the server")

    def add_deleted_there(self, entry: Entry, changed: Iterable[str]) -> None:
        """Add an entry of which the folder has `changed` these fields, and that another user has deleted."""
        self._add(entry, f"{join_first([*changed])} changed in the folder, deleted on the server")

    def _add(self, entry: Entry, text: str) -> None:
        self._texts[f"{entry.kind}/{entry.key}"] = f"{entry} ({text})"

    def refusals(self, command: Callable[..., str] | None) -> Iterator[Refusal]:
        """Yield the refusal with both sides of each conflict, and the commands that decide.

        Without `command`, the plan is not that of `sync`, so only name the options.
        """
        if not self._texts:
            return

        def decide(side: str) -> str:
            option = ("--on-conflict", side)
            return command("sync", "--only", entry_word(self._texts), *option) if command else " ".join(option)

        conflicts = join_first(sorted(self._texts.values()), separator="; ")
        yield Refusal(
            "conflict",
            f"changed here and on the server since the last sync: {conflicts}",
            choices=(
                Choice(decide("ours"), "the folder's side"),
                Choice(decide("theirs"), "the server's"),
            ),
        )
