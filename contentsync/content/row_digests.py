"""Digests of the rows of tables, by which a later plan finds the rows that have not changed."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from ..model import Kind
from .config import Config
from .draft import UnreadableFile
from .formats.table_rows import TABLE_DELIMITERS, TableFormat, TableRows, row_digest
from .scan import ContentFile, scan
from .source_file import ContentRoot


class RowDigest(NamedTuple):
    """The digest of a row, with the path of its table and its line."""

    path: str
    line: int
    digest: str


def digest_rows(folder: Path, config: Config, paths: Iterable[str]) -> Iterator[RowDigest]:
    """Yield the digest of each row of the tables of listings at `paths`.

    Leave out rows that may contain a link: whether it is broken depends on other files. Leave out the rest of a file
    that cannot be read.
    """
    wanted = set(paths)
    listings = [file for file in scan(folder, config).files if file.kind is Kind.LISTING and file.path in wanted]
    tables = [file for file in listings if file.suffix in TABLE_DELIMITERS]
    with suppress(UnreadableFile), ContentRoot(folder) as root:
        for file in tables:
            with suppress(UnreadableFile):
                yield from _digest_rows(root, file, config.content[file.kind].table_format(file.path))


def _digest_rows(root: ContentRoot, file: ContentFile, table: TableFormat) -> Iterator[RowDigest]:
    """Yield the digests of the rows of one table. Raise UnreadableFile."""
    with root.open_blocks(file.location, file.path, table.encoding) as (blocks, _stamp):
        rows = TableRows(blocks, table, file.path)
        iterator = iter(rows)
        header = rows.find_header(iterator)  # the rows of the iterator are now those below the header
        if header is not None:
            names = [cell or "" for cell in header.cells]
            digest = row_digest(file.path, rows.delimiter, names, table.list_separator)
            for row in iterator:
                may_have_link = "[" in row.text or "<" in row.text
                if any(row.cells) and not may_have_link:
                    yield RowDigest(file.path, row.line, digest(row))
