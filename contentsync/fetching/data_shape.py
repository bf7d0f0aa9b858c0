"""What the gates of a fetch compare: the number of rows of a file, and the names of its columns."""

from typing import NamedTuple

from ..content.config import Config
from ..content.formats.file_tree import ListItem
from ..content.formats.list_reader import read_list
from ..content.formats.table_format import TABLE_DELIMITERS, TableFormat
from ..content.formats.table_rows import TableRows
from ..content.source_file import decode, decode_blocks
from ..errors import Refused, pluralize
from ..model import Kind

MAX_LOST_PERCENT = 40  # of the rows; a fetch that loses so many needs consent


class DataShape(NamedTuple):
    """The number of rows of a table or list, and the names of its columns or keys."""

    rows: int
    columns: frozenset[str]


def read_shape(data: bytes, path: str, config: Config) -> DataShape:
    """Return the shape of the data of a file at a path, in the format that the config sets. Raise UnreadableFile."""
    kind = next(iter(sorted(config.kinds_at(path))), Kind.LISTING)
    collection = config.content[kind]
    if path.lower().endswith((*TABLE_DELIMITERS,)):
        return _table_shape(data, path, collection.table_format(path))
    items = [it for it in read_list(decode(data, path), kind, path, collection.item_path) if isinstance(it, ListItem)]
    items = [item for item in items if item.draft.values]
    return DataShape(len(items), frozenset(name for item in items for name in item.draft.values))


def _table_shape(data: bytes, path: str, table: TableFormat) -> DataShape:
    rows = TableRows(decode_blocks([data], path, table.encoding), table, path)
    iterator = iter(rows)
    header = rows.find_header(iterator)
    if header is None:
        return DataShape(0, frozenset())
    return DataShape(sum(any(row.cells) for row in iterator), frozenset(cell for cell in header.cells if cell))


def looks_like_html(data: bytes, content_type: str) -> bool:
    """Return whether an answer is a web page, such as one that asks the user to sign in."""
    start = data[:1000].removeprefix(b"\xef\xbb\xbf").lstrip()
    return content_type.partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml") or start[:1] == b"<"


def refuse_losses(
    name: str, before: DataShape | None, after: DataShape, *, fewer_rows: bool, missing_columns: bool
) -> None:
    """Raise Refused for data that has lost rows or columns since the file was written.

    `fewer_rows` and `missing_columns` consent to a loss. No rows at all are always refused.
    """
    if not after.rows:
        raise Refused(f"the source {name} has no rows", "check the address; delete the file by hand if it is empty")
    if before is None:
        return
    lost = before.rows - after.rows
    if not fewer_rows and lost * 100 >= before.rows * MAX_LOST_PERCENT and lost > 0:
        message = f"the source {name} has {pluralize(after.rows, 'row')} now, and the file has {before.rows:,}"
        raise Refused(message, "if that is right: --allow-fewer-rows")
    missing = sorted(before.columns - after.columns)
    if missing and not missing_columns:
        message = f"the source {name} lacks columns that the file has: {', '.join(missing[:5])}"
        raise Refused(message, "if that is right: --allow-missing-columns")
