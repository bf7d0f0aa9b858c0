"""What changed on the server since the last sync: its JSON document, and the text and Markdown made from it."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal, TypedDict

from rich.segment import Segment, Segments

from ..model import Entry
from ..sync.comparing.diff import FieldChange
from ..sync.planning.drift_summary import ChangedEntry, DriftSummary
from ..value_text import printable
from .document_parts import Destination, EntryDocument, entry_document, redact
from .entry_lines import EntryLines, field_lines
from .markdown_parts import code_block, entry_name, inline_code

_CONFLICT = "conflict: changed in the folder too"
MAX_ENTRIES = 20  # of a section, without --full
MAX_MARKDOWN_ENTRIES = 100  # of a section

_Section = Literal["changed", "deleted", "new", "submitted"]
_SECTIONS: tuple[_Section, ...] = ("changed", "deleted", "new", "submitted")


class ChangedEntryDocument(EntryDocument):
    """An entry that was changed on the server."""

    changed_at: str | None
    removed_here: bool
    fields: dict[str, dict[str, Any]]  # the values here, in the folder, and there, on the server
    conflicts: Sequence[str]


class DriftDocument(TypedDict):
    """The JSON document of `drift` (docs/reference/json.md, drift), without the token."""

    version: int
    target: str
    synced: bool
    changed: list[ChangedEntryDocument]
    deleted: list[EntryDocument]
    new: list[EntryDocument]
    submitted: list[EntryDocument]


def drift_document(drift: DriftSummary, destination: Destination) -> DriftDocument:
    """Return the document from which the text and the Markdown are made too."""
    document: DriftDocument = {
        "version": 1,
        "target": destination.name,
        "synced": drift.is_base_known,
        "changed": [changed_document(entry) for entry in drift.changed],
        "deleted": [entry_document(entry) for entry in drift.deleted],
        "new": [entry_document(entry) for entry in drift.new],
        "submitted": [entry_document(entry) for entry in drift.submissions],
    }
    return redact(document, destination.secret)


def changed_document(changed: ChangedEntry) -> ChangedEntryDocument:
    """Return a changed entry as an element of a document."""
    return {
        **entry_document(changed.entry),
        "changed_at": _changed_at(changed.actual) or None,
        "removed_here": changed.is_removed,
        "fields": {name: {"here": field.before, "there": field.after} for name, field in changed.fields.items()},
        "conflicts": changed.conflicts,
    }


def _changed_at(actual: Entry) -> str:
    """Return the time of the last change of a record, which is its ETag (docs/contract.md 18); "" if not known."""
    return (actual.etag or "").removeprefix("W/").strip('"')


def drift_heading(document: DriftDocument, address: str) -> str:
    """Return one line with the number of entries that were changed, deleted and added on the server."""
    server = f"{printable(document['target'])} ({address})"
    if not document["synced"]:
        return f"nothing was synced to {server} from here yet: what is there is new to the folder"
    counts = [f"{len(document[name]):,} {name}" for name in _SECTIONS if document[name]]
    return f"on {server} since the last sync: {', '.join(counts) or 'no change'}"


def drift_text(document: DriftDocument, *, full: bool) -> Segments:
    """Return the entries of each section with the values here and there; without `full`, shorten long sections."""
    lines = EntryLines(full)
    pieces = [*lines.items(document["changed"], MAX_ENTRIES, "changed", partial(_changed_lines, lines))]
    for symbol, colour, entries, note in (
        ("-", "red", document["deleted"], "deleted on the server"),
        ("+", "green", document["new"], "on the server only"),
        ("?", "yellow", document["submitted"], "submitted"),
    ):
        pieces += lines.items(entries, MAX_ENTRIES, note, partial(lines.entry, symbol, colour, note=note))
    return Segments(pieces)


def _changed_lines(lines: EntryLines, changed: ChangedEntryDocument) -> Iterator[Segment]:
    """Yield the lines of an entry that was changed on the server: when, and each field with both values."""
    note = "changed on the server"
    if changed["changed_at"]:
        note += f" at {changed['changed_at']}"
    if changed["removed_here"]:
        note += ", no longer in the folder"
    yield from lines.entry("!", "magenta", changed, note)
    for name, values in changed["fields"].items():
        field = FieldChange(values["here"], values["there"])
        if name in changed["conflicts"]:  # both sides changed it, so an arrow from one value to the other is wrong
            yield from lines.field(name, field, f"  {_CONFLICT}", arrow="  on the server: ")
        else:
            yield from lines.field(name, field, note="")


def drift_markdown(document: DriftDocument, address: str) -> str:
    """Return the heading and the entries in Markdown, with all content as code: no mentions, links or HTML."""
    parts = [f"### {drift_heading(document, address)}".replace(address, inline_code(address))]
    for name in _SECTIONS:
        if document[name]:
            if name == "changed":
                lines = [changed_item(changed) for changed in document[name][:MAX_MARKDOWN_ENTRIES]]
            else:
                lines = [entry_item(entry) for entry in document[name][:MAX_MARKDOWN_ENTRIES]]
            if len(document[name]) > len(lines):
                lines.append(f"- … and {len(document[name]) - len(lines):,} more")
            parts += [f"**{name.capitalize()}**", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def entry_item(entry: EntryDocument) -> str:
    """Return an entry as an item of a Markdown list."""
    return f"- {entry_name(entry)}"


def changed_item(changed: ChangedEntryDocument) -> str:
    """Return a changed entry as an item of a Markdown list, with the values of both sides."""
    lines: list[str] = []
    for name, values in changed["fields"].items():
        lines.append(f"{name} ({_CONFLICT}):" if name in changed["conflicts"] else f"{name}:")
        lines += field_lines(FieldChange(values["here"], values["there"]))
    return f"{entry_item(changed)}\n\n{code_block(lines)}\n"
