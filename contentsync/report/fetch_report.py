"""What a fetch of sources has changed, as text and as JSON."""

from collections.abc import Sequence
from typing import Any

from ..content.edit.file_edits import FileEdit
from ..errors import pluralize
from ..fetching.fetch_plan import FetchedSource
from .formatting import printable


def fetch_text(fetched: Sequence[FetchedSource]) -> str:
    """Return a line for each source."""
    return "".join(f"{printable(_line(source))}\n" for source in fetched)


def _line(source: FetchedSource) -> str:
    if source.edit is None:
        return f"  · {source.file}  unchanged"
    if source.rows_before is None:
        return f"  + {source.file}  {pluralize(source.rows, 'row')}"
    return f"  ~ {source.file}  {pluralize(source.rows, 'row')}, was {source.rows_before:,}"


def fetch_document(fetched: Sequence[FetchedSource]) -> dict[str, Any]:
    """Return the JSON document of `fetch` (docs/reference/json.md, fetch)."""
    return {"version": 1, "sources": [_source(source) for source in fetched]}


def _source(source: FetchedSource) -> dict[str, Any]:
    """Return a source. `rows` is None if nothing has changed, and `rows_before` also if the file was not readable."""
    return {
        "name": source.name,
        "file": source.file,
        "action": _action(source.edit),
        "rows": None if source.edit is None else source.rows,
        "rows_before": source.rows_before,
    }


def _action(edit: FileEdit | None) -> str:
    if edit is None:
        return "unchanged"
    return "create" if edit.before is None else "update"
