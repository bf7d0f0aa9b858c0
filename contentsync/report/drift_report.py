"""What changed on the server since the last sync, as text, Markdown and JSON."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from rich.segment import Segment, Segments

from ..model import Entry
from ..sync.planning.drift_summary import ChangedEntry, DriftSummary
from ..value_text import printable, value_pair
from .document_parts import Destination, entry_document, redact
from .entry_lines import EntryLines
from .markdown_parts import code_block, entry_name, inline_code
from .text_diff import diff_lines, is_long

_CONFLICT = "conflict: changed in the folder too"
MAX_ENTRIES = 20  # of a section, without --full
MAX_MARKDOWN_ENTRIES = 100  # of a section


def drift_heading(drift: DriftSummary, destination: Destination) -> str:
    """Return one line with the number of entries that were changed, deleted and added on the server."""
    server = f"{printable(destination.name)} ({destination.address})"
    if not drift.is_base_known:
        return f"nothing was synced to {server} from here yet: what is there is new to the folder"
    counts = [
        f"{len(entries):,} {state}"
        for entries, state in (
            (drift.changed, "changed"),
            (drift.deleted, "deleted"),
            (drift.new, "new"),
            (drift.submissions, "submitted"),
        )
        if entries
    ]
    return f"on {server} since the last sync: {', '.join(counts) or 'no change'}"


def drift_text(drift: DriftSummary, *, full: bool, secret: str = "") -> Segments:
    """Return the entries of each section with the values here and there; without `full`, shorten long sections."""
    lines = EntryLines(full, secret)
    pieces = [*lines.items(drift.changed, MAX_ENTRIES, "changed", partial(_changed_lines, lines))]
    for symbol, colour, entries, note in (
        ("-", "red", drift.deleted, "deleted on the server"),
        ("+", "green", drift.new, "on the server only"),
        ("?", "yellow", drift.submissions, "submitted"),
    ):
        pieces += lines.items(entries, MAX_ENTRIES, note, partial(lines.entry, symbol, colour, note=note))
    return Segments(pieces)


def drift_markdown(drift: DriftSummary, destination: Destination) -> str:
    """Return the heading and the entries in Markdown, with all content as code: no mentions, links or HTML."""
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
    """Return a changed entry for the JSON document; `here` is the folder's value, `there` the server's."""
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


def _changed_lines(lines: EntryLines, changed: ChangedEntry) -> Iterator[Segment]:
    """Yield the lines of an entry that was changed on the server: when, and each field with both values."""
    note = "changed on the server"
    if when := _changed_at(changed.actual):
        note += f" at {when}"
    if changed.is_removed:
        note += ", no longer in the folder"
    yield from lines.entry("!", "magenta", changed.entry, note)
    for name, field in changed.fields.items():
        if name in changed.conflicts:  # both sides changed it, so the usual arrow from one value to the other is wrong
            yield from lines.field(name, field, f"  {_CONFLICT}", arrow="  on the server: ")
        else:
            yield from lines.field(name, field, note="")


def markdown_item(item: ChangedEntry | Entry, secret: str) -> str:
    """Return an item of a Markdown list: an entry, with the values of both sides if it was changed."""
    if not isinstance(item, ChangedEntry):
        return f"- {entry_name(item, secret)}"
    lines: list[str] = []
    for name, field in item.fields.items():
        redacted = redact(field, secret)
        before, after = value_pair(redacted)
        lines.append(f"{name} ({_CONFLICT}):" if name in item.conflicts else f"{name}:")
        lines += diff_lines(redacted) if is_long(redacted) else [f"- {before}", f"+ {after}"]
    return f"- {entry_name(item.entry, secret)}\n\n{code_block(lines)}\n"
