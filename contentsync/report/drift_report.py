"""What changed on the server since the last sync, as text, Markdown and JSON."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.segment import Segment, Segments

from ..model import RECORDS, Entry
from ..sync.drift_summary import ChangedEntry, DriftSummary
from .formatting import first_items, others_line, printable, value_text
from .plan_changes import EntryLines, diff_lines, is_long, redact, value_pair
from .plan_markdown import code_block, inline_code
from .plan_report import Destination
from .problems import segment

MAX_ENTRIES = 20  # of a section, without --full
MAX_MARKDOWN_ENTRIES = 100  # of a section


def drift_heading(drift: DriftSummary, destination: Destination) -> str:
    """Return one line with the number of entries that were changed, deleted and added on the server."""
    on = f"{printable(destination.name)} ({destination.address})"
    if not drift.is_base_known:
        return f"nothing was synced to {on} from here yet: what is there is new to the folder"
    counts = [
        f"{len(entries):,} {what}"
        for entries, what in (
            (drift.changed, "changed"),
            (drift.deleted, "deleted"),
            (drift.new, "new"),
            (drift.submissions, "submitted"),
        )
        if entries
    ]
    return f"on {on} since the last sync: {', '.join(counts) or 'no change'}"


def drift_text(drift: DriftSummary, *, full: bool, secret: str = "") -> Segments:
    """Return the entries of each section with the values here and there; without `full`, shorten long sections."""
    lines = EntryLines(full=full, secret=secret)
    pieces: list[Segment] = []
    for changed in first_items(drift.changed, MAX_ENTRIES, full=full):
        pieces += _changed_lines(changed, lines)
    pieces += _rest(drift.changed, "changed", full)
    for symbol, colour, entries, note in (
        ("-", "red", drift.deleted, "deleted on the server"),
        ("+", "green", drift.new, "on the server only"),
        ("?", "yellow", drift.submissions, "submitted"),
    ):
        for entry in first_items(entries, MAX_ENTRIES, full=full):
            pieces += _entry_line(symbol, colour, entry, note, lines)
        pieces += _rest(entries, note, full)
    return Segments(pieces)


def drift_markdown(drift: DriftSummary, destination: Destination) -> str:
    """Return the same as Markdown, with all content as code, so that it cannot contain mentions, links or HTML."""
    parts = [f"### {drift_heading(drift, destination)}".replace(destination.address, inline_code(destination.address))]
    for title, entries in (
        ("Changed", drift.changed),
        ("Deleted", drift.deleted),
        ("New", drift.new),
        ("Submitted", drift.submissions),
    ):
        if entries:
            lines = [markdown_item(entry, destination.secret) for entry in entries[:MAX_MARKDOWN_ENTRIES]]
            if len(entries) > MAX_MARKDOWN_ENTRIES:
                lines.append(f"- … and {len(entries) - MAX_MARKDOWN_ENTRIES:,} more")
            parts += [f"**{title}**", "\n".join(lines)]
    return "\n\n".join(parts) + "\n"


def drift_document(drift: DriftSummary, destination: Destination) -> dict[str, Any]:
    """Return the JSON document of `drift` (docs/reference/json.md, drift)."""
    document: dict[str, Any] = redact(
        {
            "version": 1,
            "target": destination.name,
            "synced": drift.is_base_known,
            "changed": [_changed_document(entry) for entry in drift.changed],
            "deleted": [entry_document(entry) for entry in drift.deleted],
            "new": [entry_document(entry) for entry in drift.new],
            "submitted": [entry_document(entry) for entry in drift.submissions],
        },
        destination.secret,
    )
    return document


def _changed_document(changed: ChangedEntry) -> dict[str, Any]:
    return {
        **entry_document(changed.entry),
        "changed_at": _changed_at(changed.actual) or None,
        "removed_here": changed.is_removed,
        "fields": {name: {"here": field.before, "there": field.after} for name, field in changed.fields.items()},
    }


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


def _changed_at(actual: Entry) -> str:
    """Return the time of the last change of a record, as the service writes it; "" if it is not known."""
    return (actual.etag or "").removeprefix("W/").strip('"')


def _rest(entries: Sequence[Any], what: str, full: bool) -> Iterator[Segment]:
    hidden = len(entries) - len(first_items(entries, MAX_ENTRIES, full=full))
    if hidden:
        yield segment(others_line(hidden, what), "dim")


def _changed_lines(changed: ChangedEntry, lines: EntryLines) -> Iterator[Segment]:
    note = "changed on the server"
    if when := _changed_at(changed.actual):
        note += f" at {when}"
    if changed.is_removed:
        note += ", no longer in the folder"
    yield from _entry_line("!", "magenta", changed.entry, note, lines)
    for name, field in changed.fields.items():
        yield from lines.field(name, field, "")


def _entry_line(symbol: str, colour: str, entry: Entry, note: str, lines: EntryLines) -> Iterator[Segment]:
    yield from lines.head(symbol, colour, entry)
    yield from lines.title(entry)
    yield segment(f"  {note}")
    if entry.source:
        yield segment(f"  {printable(entry.source.path)}:{entry.source.line}", "dim")
    yield segment("\n")


def markdown_item(item: ChangedEntry | Entry, secret: str) -> str:
    """Return an item of a Markdown list: an entry, with the values of both sides if it was changed."""
    entry = item.entry if isinstance(item, ChangedEntry) else item
    title = redact(entry.fields.get(RECORDS[entry.kind].title_field), secret)
    head = f"- {entry.kind.replace('_', ' ')} {inline_code(str(redact(entry.key, secret)))}"
    if title:
        head += f" {inline_code(value_text(title))}"
    if not isinstance(item, ChangedEntry):
        return head
    lines: list[str] = []
    for name, field in item.fields.items():
        shown = redact(field, secret)
        lines.append(f"{name}:")
        lines += diff_lines(shown) if is_long(shown) else [f"{sign} {text}" for sign, text in _signed(shown)]
    return f"{head}\n\n{code_block(lines)}\n"


def _signed(field: Any) -> Iterator[tuple[str, str]]:
    yield from zip("-+", value_pair(field), strict=True)
