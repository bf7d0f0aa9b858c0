"""The parts that the documents of several reports share: the target, an entry, and values without the token."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..model import RECORDS, Entry
from ..printed_commands import WITHOUT_FOLDER, PrintedCommands
from ..sync import FieldChange


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
        return str(redact(self.commands(command, *words), self.secret))

    def delay_minutes(self, requests: int) -> int:
        """Return by how many minutes the rate limit delays this many requests; the first minute has no delay."""
        if not self.requests_per_minute:
            return 0
        return max(0, requests - 1) // self.requests_per_minute


def entry_document(entry: Entry) -> dict[str, Any]:
    """Return an entry as JSON documents name it: its kind, key and title, and its location in the folder or null."""
    source = entry.source
    return {
        "kind": entry.kind,
        "key": entry.key,
        "title": entry.fields.get(RECORDS[entry.kind].title_field),
        "path": source.path if source else None,
        "line": source.line if source else None,
    }


_HIDDEN = "(hidden)"


def redact(value: Any, *secrets: str) -> Any:
    """Return a value with each secret replaced, also in keys of mappings (docs/faults.md PL-20, AU-12).

    If there are secrets, a tuple becomes a list.
    """
    if not any(secrets):
        return value
    if isinstance(value, str):
        for secret in filter(None, secrets):
            value = value.replace(secret, _HIDDEN)
        return value
    if isinstance(value, FieldChange):
        return FieldChange(redact(value.before, *secrets), redact(value.after, *secrets))
    if isinstance(value, Mapping):
        return {redact(name, *secrets): redact(inner, *secrets) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redact(inner, *secrets) for inner in value]
    return value
