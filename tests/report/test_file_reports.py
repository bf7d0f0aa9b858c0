"""contentsync.report.file_reports: the changes of a rename, in lines and as a document."""

from pathlib import Path

import pytest

from contentsync.authoring.rename.rename_plan import plan_merge, plan_rename
from contentsync.printed_commands import WITHOUT_FOLDER
from contentsync.report.file_reports import after_merge_text, rename_document, rename_text

from ..content.conftest import write

FILES = {
    "articles/about.md": "---\ntitle: About\n---\nx\n",
    "articles/about.fr.md": "---\ntitle: À propos\n---\nx\n",
    "pages/help.md": "---\ntitle: Help\n---\n[x](/blog/about/) [y](/blog/about/#z)\n",
    "pages/more.md": "---\ntitle: More\n---\n`[x](/blog/about/)` [x](/blog/about/)\n",
    "categories.yaml": "- {title: Tools, slug: tools}\n",
    "listings/a.csv": "name,categories\nA,tools\nB,tools\n",
}


def text(folder: Path, old: str, new: str, *, full: bool = False) -> str:
    return rename_text(rename_document(plan_rename(write(folder, FILES), old, new, folder)), full=full)


def test_the_text_has_a_line_for_each_file(tmp_path: Path) -> None:
    assert text(tmp_path, "article/about", "us") == (
        "article about → us\n"
        "  articles/about.md → articles/us.md\n"
        "  articles/about.fr.md → articles/us.fr.md\n"
        "  ~ pages/help.md  2 links\n"
        "  ~ pages/more.md  1 link\n"
        "2 files moved, 3 links in 2 files\n"
    )


def test_a_rename_without_files_counts_references(tmp_path: Path) -> None:
    assert text(tmp_path, "category/tools", "kit") == (
        "category tools → kit\n  ~ listings/a.csv  2 references\n2 references in 1 file\n"
    )


def test_a_moved_file_with_the_same_slug_keeps_its_address(tmp_path: Path) -> None:
    (tmp_path / "articles/2026").mkdir(parents=True)
    lines = text(tmp_path, "articles/about.md", "articles/2026/").splitlines()
    assert lines[0] == "article about keeps its address"
    assert lines[-1] == "2 files moved, no links to it"


def test_many_files_are_shortened_without_full(tmp_path: Path) -> None:
    write(tmp_path, {f"pages/p{n:02}.md": "---\ntitle: P\n---\n[x](/blog/about/)\n" for n in range(30)})
    assert "  … and 13 more lines (--full shows all)\n" in text(tmp_path, "article/about", "us")
    assert "pages/p29.md  1 link\n" in text(tmp_path, "article/about", "us", full=True)


def test_the_document_names_files_links_and_former_keys(tmp_path: Path) -> None:
    plan = plan_rename(write(tmp_path, FILES), "article/about", "us", tmp_path)
    assert rename_document(plan) == {
        "version": 1,
        "kind": "article",
        "from": "about",
        "to": "us",
        "previous": ["about"],
        "moved": [
            {"from": "articles/about.md", "to": "articles/us.md"},
            {"from": "articles/about.fr.md", "to": "articles/us.fr.md"},
        ],
        "changed": [
            {"path": "pages/help.md", "links": 2, "references": 0},
            {"path": "pages/more.md", "links": 1, "references": 0},
        ],
        "unchanged": [],
        "files": ["articles/us.md", "pages/help.md", "pages/more.md"],
    }


MERGE = {
    "categories.yaml": "- {title: Tools, slug: tools, icon: saw}\n- {title: Kit, slug: kit}\n",
    "listings/a.csv": "name,categories\nA,tools\nB,tools|kit\n",
}


def test_a_merge_shows_what_the_entry_that_is_left_gets(tmp_path: Path) -> None:
    document = rename_document(plan_merge(write(tmp_path, MERGE), "category/tools", "kit", tmp_path, "second"))
    assert rename_text(document, full=False) == (
        "category tools is merged into kit\n"
        "  ~ categories.yaml  kit gets icon, sync.merged: tools\n"
        "  - categories.yaml  tools\n"
        "  ~ listings/a.csv  2 references\n"
        "2 references in 1 file\n"
    )
    assert (document["from"], document["to"], document["previous"], document["moved"]) == ("tools", "kit", [], [])
    assert document["files"] == ["categories.yaml", "listings/a.csv"]
    assert document["merge"] == {
        "path": "categories.yaml",
        "fields": ["icon"],
        "merged": ["tools"],
        "removed_from": "categories.yaml",
        "deleted": [],
        "protected": False,
    }


def test_a_merge_shows_the_files_that_it_deletes(tmp_path: Path) -> None:
    files = {f"organizers/{name}.md": f"---\nname: {name}\n---\n" for name in ("a", "b")}
    document = rename_document(plan_merge(write(tmp_path, files), "organizer/a", "b", tmp_path))
    assert rename_text(document, full=False) == (
        "organizer a is merged into b\n"
        "  ~ organizers/b.md  b gets sync.merged: a\n"
        "  - organizers/a.md\n"
        "no links to it\n"
    )


@pytest.mark.parametrize(
    ("prunes", "protected", "text"),
    [
        ({"local": True}, False, "the next sync deletes tag a on the server\n"),
        (
            {"production": False},
            False,
            "the next sync leaves tag a on the server; contentsync sync --prune deletes it there\n",
        ),
        (
            {"local": True, "production": False},
            False,
            "the next sync leaves tag a on the server of production; contentsync sync --prune deletes it there\n",
        ),
        ({"local": True}, True, "no sync deletes tag a on the server: its note was sync.protect\n"),
    ],
)
def test_a_line_says_what_the_next_sync_does_with_the_record(
    prunes: dict[str, bool], protected: bool, text: str
) -> None:
    document = {"kind": "tag", "from": "a", "merge": {"protected": protected}}
    assert after_merge_text(document, prunes, WITHOUT_FOLDER) == text
