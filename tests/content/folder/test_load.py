"""contentsync.content.folder.load: a whole folder in one run, and the digests of rows that a load can leave out."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentsync.content.folder.load import load_content
from contentsync.content.folder.unit_reader import MAX_DRAFTS
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.git import working_tree
from contentsync.model import Kind, Source

from ...growth import grows_evenly
from ...permissions import as_no_user
from ..conftest import Files, Load, spots, write

MISTAKES: Files = {
    "pages/a.md": "---\ntitle: A\nplacment: footer\n---\n",
    "pages/b.md": "---\ntitle: B\n\nnever closed\n",
    "articles/c.md": "---\ntitle: C\npublished_at: 2026-02-30\n---\nText\n",
    "articles/d.md": b"---\ntitle: caf\xe9\n---\nText\n",
    "articles/e.fr.md": "---\ntitle: Orphelin\n---\n",
    "organizers/f.md": "---\nname: F\nname: G\n---\n",
    "organizers/g.md": "---\nname: G\nwebsite_url: javascript:x\n---\n",
    "listings/h.csv": 'name,url\nH,https://h.example\nI,"https://i.example\n',
    "listings/i.yaml": "- name: J\n  categories: [nope]\n",
    "categories.yaml": "- title: K\n- titel: L\n  title: M\n",
}


def test_ten_mistakes_in_ten_files_are_reported_in_one_run(read: Load) -> None:
    content = read(MISTAKES)
    assert spots(content) == [
        ("articles/c.md", 3, 15, "bad-date"),
        ("articles/d.md", 2, 11, "not-utf8"),
        ("articles/e.fr.md", 1, 1, "orphan-translation"),
        ("categories.yaml", 2, 3, "unknown-key"),
        ("listings/h.csv", 3, 3, "unclosed-quote"),
        ("listings/i.yaml", 2, 16, "unknown-reference"),
        ("organizers/f.md", 3, 1, "duplicate-key"),
        ("organizers/g.md", 3, 14, "bad-url"),
        ("pages/a.md", 3, 1, "unknown-key"),
        ("pages/b.md", 1, 1, "unclosed-front-matter"),
    ]
    assert content.errors == list(content.problems)
    assert all(problem.message for problem in content.problems)
    sound = [(Kind.CATEGORY, "k"), (Kind.LISTING, "https://h.example")]  # what stands above the open quote
    assert [(entry.kind, entry.key) for entry in content.entries] == sound
    assert content.files == 10


def test_entries_are_sorted_by_kind_and_key(read: Load) -> None:
    content = read(
        {
            "articles/a.md": "---\ntitle: A\n---\nText\n",
            "pages/c.md": "---\ntitle: C\n---\n",
            "pages/b.md": "---\ntitle: B\n---\n",
            "listings/a.csv": "name\nZ\nY\n",
            "organizers/o.md": "---\nname: O\n---\n",
            "tags.yaml": "- title: T\n",
            "categories.yaml": "- title: C\n",
            "custom_fields.yaml": "- {label: F, type: text}\n",
        }
    )
    assert content.problems == ()
    assert [f"{entry.kind} {entry.key}" for entry in content.entries] == [
        "category c",
        "tag t",
        "custom_field f",
        "organizer o",
        "listing y",
        "listing z",
        "page b",
        "page c",
        "article a",
    ]


def test_a_missing_folder_is_a_problem(tmp_path: Path) -> None:
    """FI-26"""
    content = load_content(tmp_path / "missing")
    assert [(problem.code, problem.is_error) for problem in content.problems] == [("no-folder", True)]
    assert content.entries == ()


def test_a_folder_without_a_config_is_a_problem_and_still_read(tmp_path: Path) -> None:
    root = write(tmp_path, {"pages/a.md": "---\ntitel: A\n---\n"})
    (root / "contentsync.toml").unlink()
    assert [spot[3] for spot in spots(load_content(root))] == ["no-config", "unknown-key"]


def test_a_source_knows_the_location_of_every_field(read: Load) -> None:
    (entry,) = read({"listings/a.yaml": "- name: A\n  social_links:\n    x: https://x.example\n  tags: []\n"}).entries
    assert isinstance(entry.source, Source)
    assert (entry.source.path, entry.source.line) == ("listings/a.yaml", 1)
    assert [(at.line, at.column) for at in map(entry.source.where, ("social_links.x", "social_links.y", "tags"))] == [
        (3, 8),
        (3, 5),
        (4, 9),
    ]


def test_reading_takes_linear_time_in_the_number_of_files(tmp_path: Path) -> None:
    text = "---\ntitle: Title {0}\nactive: true\nseo:\n  title: x\n---\n" + "A line of text.\n" * 100
    roots = {
        size: write(tmp_path / str(size), {f"articles/{number}.md": text.format(number) for number in range(size)})
        for size in (50, 200)
    }

    def read(size: int) -> None:
        content = load_content(roots[size])
        assert (len(content.entries), content.problems) == (size, ())

    assert grows_evenly(read, 50)


def test_the_markdown_parser_is_imported_only_for_bodies_with_links(tmp_path: Path) -> None:
    root = write(tmp_path, {"pages/a.md": "---\ntitle: A\n---\nText\n"})
    code = (
        "import json, sys; from pathlib import Path; from contentsync.content.folder.load import load_content;"
        "load_content(Path(sys.argv[1]));"
        "print(json.dumps(sorted({'markdown_it', 'starlette', 'sqlalchemy', 'httpx'} & sys.modules.keys())))"
    )
    result = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, text=True, check=True)
    assert json.loads(result.stdout) == []


LETTERS = st.sampled_from("\n\r\t \"'[]{}:,|#=~a-\u00e9\u2028\x00")
WORDS = st.sampled_from(
    [
        *(
            "---\n",
            "+++\n",
            "- ",
            "null",
            "&a ",
            "*a",
            "<<: ",
            "!x ",
            "![x](a.png)",
            "<img src='a'>",
            "https://a.example",
        ),
        *("title: ", "name: ", "slug: ", "url: ", "categories: ", "parent_id: ", "translations: ", "fr: "),
        *("sync: ", "previous: ", "label: ", "type: text\n", "fieldable_type: article\n", "[site]\n", "[targets.a]\n"),
    ]
)
TEXTS = st.one_of(st.text(), st.lists(LETTERS | WORDS, max_size=40).map("".join)).map(
    lambda text: text.encode("utf-8", "surrogatepass")
)
PATHS = st.sampled_from(
    [
        *("pages/a.md", "articles/a.md", "articles/a.fr.md", "articles/b.html", "organizers/a.md", "contentsync.toml"),
        *("listings/a.csv", "listings/a.tsv", "listings/a.yaml", "listings/a.md"),
        *("categories.yaml", "tags.yaml", "custom_fields.yaml"),
    ]
)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=st.dictionaries(PATHS, st.one_of(TEXTS, st.binary(max_size=64)), min_size=1, max_size=4))
def test_no_file_content_raises_an_exception(tmp_path: Path, files: dict[str, bytes]) -> None:
    for path in tmp_path.rglob("*.*"):
        path.unlink()
    root = write(tmp_path, files)
    content = load_content(root)
    broken = {problem.where.path for problem in content.errors}
    assert all(problem.where.line >= 1 and problem.where.column >= 1 for problem in content.problems)
    assert broken <= {*files, "contentsync.toml"}
    assert load_content(root) == content


@pytest.mark.parametrize("mode", [0o000, 0o400, 0o100], ids=["nothing", "no search", "no list"])
def test_an_unreadable_folder_is_one_error(tmp_path: Path, mode: int) -> None:
    """There is not one error for each file in it."""
    folder = tmp_path / "site"
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").touch()
    for above in (folder, *folder.parents):
        if above.stat().st_uid == os.getuid() and above.is_relative_to(tempfile.gettempdir()):
            above.chmod(above.stat().st_mode | 0o055)
    folder.chmod(mode)
    try:
        with as_no_user():
            found = load_content(folder)
            for path in ("file", "."):
                assert working_tree(folder / path) != folder
    finally:
        folder.chmod(0o755)
    assert [(problem.code, problem.where.path) for problem in found.problems] == [("unreadable", ".")]


TABLE = 'sep=;\nname;url;description\nA;https://a.example/;"Two\nlines"\n\nB;https://b.example/;[link](/pages/a/)\n'


def test_each_table_row_without_links_has_a_digest(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": TABLE, "listings/b.csv": TABLE, "listings/c.yaml": "name: C\n"})
    assert [*rows_of(tmp_path)] == [("listings/a.csv", 3), ("listings/b.csv", 3)]


def rows_of(folder: Path) -> Mapping[tuple[str, int], str]:
    """Return the digests of the rows of a folder's tables, by path and line."""
    rows = SyncedRows()
    load_content(folder, synced=rows)
    return rows.others


def test_a_table_that_is_read_again_keeps_the_digests_of_its_first_text(tmp_path: Path) -> None:
    """Else a plan of the first text would store the digest of an edit that no plan has compared."""
    table = "name,url\n" + "".join(f"L{number},https://l{number}.example/\n" for number in range(MAX_DRAFTS + 1))
    write(tmp_path, {"listings/a.csv": table})
    rows = SyncedRows()
    content = load_content(tmp_path, synced=rows)
    before = {**rows.others}
    write(tmp_path, {"listings/a.csv": table.replace("L1,", "One,")})
    source = content.entries[0].source
    assert source
    assert source.locations["name"] == ("listings/a.csv", (2, 1))  # reads the table
    assert (rows.others, rows.found) == (before, [])


def test_a_reader_skips_the_rows_with_known_digests(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": TABLE})
    synced = SyncedRows({*rows_of(tmp_path).values()})
    assert [entry.key for entry in load_content(tmp_path).entries] == ["https://a.example", "https://b.example"]
    content = load_content(tmp_path, synced=synced)
    assert [entry.key for entry in content.entries] == ["https://b.example"]
    assert len(synced.found) == 1


def test_a_table_with_only_skipped_rows_is_not_reported_as_empty(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": "name,url\nA,https://a.example/\n"})
    content = load_content(tmp_path, synced=SyncedRows({*rows_of(tmp_path).values()}))
    assert (content.entries, content.problems) == ((), ())


def test_a_partly_unreadable_table_has_digests_up_to_the_error(tmp_path: Path) -> None:
    write(tmp_path, {"listings/a.csv": 'name,url\nA,https://a.example/\n"B,https://b.example/\n'})
    assert [line for _path, line in rows_of(tmp_path)] == [2]
