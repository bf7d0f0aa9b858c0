"""The parts that the documents of several reports share: the target, an entry, and values without the token."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypedDict, TypeVar, cast

from ..model import RECORDS, Entry, Kind
from ..printed_commands import WITHOUT_FOLDER, PrintedCommands, entry_word

_HIDDEN = "(hidden)"

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Destination:
    """The target of a plan: its name, its address for people, its rate limit, and the commands for it."""

    name: str
    address: str
    requests_per_minute: int | None  # None: unlimited
    secret: str = field(default="", repr=False)  # the token, which reports replace wherever a text contains it
    commands: PrintedCommands = WITHOUT_FOLDER

    def command(self, command: str, *words: str) -> str:
        """Return a command for users to paste, without the token."""
        return redact(self.commands(command, *words), self.secret)

    def delay_minutes(self, requests: int) -> int:
        """Return by how many minutes the rate limit delays this many requests; the first minute has no delay."""
        if not self.requests_per_minute:
            return 0
        return max(0, requests - 1) // self.requests_per_minute


class EntryDocument(TypedDict):
    """An entry as JSON documents name it, with its location; None if the folder does not have it."""

    kind: Kind
    key: str
    title: Any
    path: str | None
    line: int | None


def entry_document(entry: Entry) -> EntryDocument:
    """Return an entry as documents name it."""
    source = entry.source
    return {
        "kind": entry.kind,
        "key": entry.key,
        "title": entry.fields.get(RECORDS[entry.kind].title_field),
        "path": source.path if source else None,
        "line": source.line if source else None,
    }


def redact(value: _T, *secrets: str) -> _T:
    """Return a value with each secret replaced, also in keys of mappings (docs/faults.md PL-20, AU-12)."""
    return cast("_T", _redacted(value, secrets)) if any(secrets) else value


def _redacted(value: Any, secrets: Sequence[str]) -> Any:
    if isinstance(value, str):
        for secret in secrets:
            if secret and secret in value:
                value = value.replace(secret, _HIDDEN)
        return value
    if isinstance(value, Entry):
        return replace(value, key=_redacted(value.key, secrets), fields=_redacted(value.fields, secrets))
    if isinstance(value, Mapping):
        return {_redacted(name, secrets): _redacted(inner, secrets) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        items = [_redacted(inner, secrets) for inner in value]
        return value._make(items) if hasattr(value, "_make") else type(value)(items)
    return value


def revert_command(command: Callable[..., str], entries: Sequence[Entry] = ()) -> str:
    """Return the command that gives an entry on the server the folder's values, or creates it again.

    It names the entry if there is only one.
    """
    name = entry_word([f"{entry.kind}/{entry.key}" for entry in entries])
    return command("sync", "--only", name, "--on-drift", "overwrite")
