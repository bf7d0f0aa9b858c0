"""What the gates of a fetch compare: the number of rows of a file, and the names of its columns."""

from dataclasses import dataclass
from typing import NamedTuple

from ..content.config import Config
from ..content.formats.file_tree import ListItem
from ..content.formats.list_reader import read_list
from ..content.formats.table_rows import TABLE_DELIMITERS, TableFormat, TableRows
from ..content.source_file import decode, decode_blocks
from ..errors import Refused, pluralize
from ..model import Kind

MAX_LOST_PERCENT = 40  # of the rows; a fetch that loses so many needs consent


@dataclass(frozen=True, slots=True)
class FetchOptions:
    """The losses to which the user consents."""

    allow_fewer_rows: bool = False
    allow_missing_columns: bool = False


class DataShape(NamedTuple):
    """The number of rows of a table or list, and the names of its columns or keys."""

    rows: int
    columns: frozenset[str]


def read_shape(data: bytes, path: str, config: Config) -> DataShape:
    """Return the shape of the data of a file at a path, in the format that the config sets. Raise UnreadableFile."""
    kind = min(config.kinds_at(path), default=Kind.LISTING)  # of several kinds, always the same one
    collection = config.content[kind]
    if path.lower().endswith((*TABLE_DELIMITERS,)):
        return _table_shape(data, path, collection.table_format(path))
    items = read_list(decode(data, path), kind, path, collection.item_path)
    drafts = [item.draft for item in items if isinstance(item, ListItem)]  # the others are problems
    names = frozenset(name for draft in drafts for name in draft.values)
    return DataShape(sum(bool(draft.values) for draft in drafts), names)


def _table_shape(data: bytes, path: str, table: TableFormat) -> DataShape:
    """Return the number of rows that are not empty, and the names in the header; nothing without a header."""
    rows = TableRows(decode_blocks([data], path, table.encoding), table, path)
    iterator = iter(rows)
    header = rows.find_header(iterator)
    if header is None:
        return DataShape(rows=0, columns=frozenset())
    return DataShape(sum(any(row.cells) for row in iterator), frozenset(cell for cell in header.cells if cell))


def looks_like_html(data: bytes, content_type: str) -> bool:
    """Return whether an answer is a web page, such as one that asks the user to sign in."""
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    return content_type.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml") or start[:1] == b"<"


def refuse_losses(name: str, before: DataShape | None, after: DataShape, options: FetchOptions) -> None:
    """Raise Refused if the data of the source `name` has lost too many rows, or any column.

    `before` is the shape of the present file; None: there is no shape to compare. Data without rows is always refused.
    """
    if not after.rows:  # no option allows it: if the source is really empty, the user deletes the file
        raise Refused(f"the source {name} has no rows", "check the address; delete the file by hand if it is empty")
    if before is None:
        return
    lost = before.rows - after.rows
    if not options.allow_fewer_rows and lost > 0 and lost * 100 >= before.rows * MAX_LOST_PERCENT:
        message = f"the source {name} has {pluralize(after.rows, 'row')} now, and the file has {before.rows:,}"
        raise Refused(message, "if that is right: --allow-fewer-rows")
    missing = sorted(before.columns - after.columns)
    if missing and not options.allow_missing_columns:
        message = f"the source {name} lacks columns that the file has: {', '.join(missing[:5])}"
        raise Refused(message, "if that is right: --allow-missing-columns")
