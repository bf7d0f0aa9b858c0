"""contentsync.content.row_digests: the digest of each row that depends on no other file."""

from pathlib import Path

from contentsync.content.config import read_config
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.content.load import load_content
from contentsync.content.row_digests import digest_rows

from .conftest import write

TABLE = 'sep=;\nname;url;description\nA;https://a.example/;"Two\nlines"\n\nB;https://b.example/;[link](/pages/a/)\n'


def test_each_row_without_links_has_a_digest_at_its_line(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": TABLE, "listings/b.csv": TABLE, "listings/c.yaml": "name: C\n"})
    found = list(digest_rows(tmp_path, read_config(tmp_path)[0], ["listings/a.csv", "listings/c.yaml"]))
    assert [(path, line) for path, line, _ in found] == [("listings/a.csv", 3)]


def test_a_reader_leaves_out_the_rows_with_these_digests(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": TABLE})
    rows = digest_rows(tmp_path, read_config(tmp_path)[0], ["listings/a.csv"])
    synced = SyncedRows({digest for *_, digest in rows})
    assert [entry.key for entry in load_content(tmp_path).entries] == ["https://a.example", "https://b.example"]
    content = load_content(tmp_path, synced=synced)
    assert [entry.key for entry in content.entries] == ["https://b.example"]
    assert len(synced.found) == 1


def test_a_table_whose_rows_are_all_left_out_is_not_empty(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": "name,url\nA,https://a.example/\n"})
    rows = digest_rows(tmp_path, read_config(tmp_path)[0], ["listings/a.csv"])
    content = load_content(tmp_path, synced=SyncedRows({digest for *_, digest in rows}))
    assert (content.entries, content.problems) == ((), ())


def test_the_rest_of_a_file_that_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": 'name,url\nA,https://a.example/\n"B,https://b.example/\n'})
    found = list(digest_rows(tmp_path, read_config(tmp_path)[0], ["listings/a.csv"]))
    assert [line for _, line, _ in found] == [2]
