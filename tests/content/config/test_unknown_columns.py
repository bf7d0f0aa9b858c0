"""Unknown columns and keys cost little more than known ones: each name is looked up once for a suggestion."""

import cProfile
from pathlib import Path

import pytest

from contentsync.content.files.source_file import FolderView
from contentsync.content.folder.folder_reader import FolderReader
from contentsync.content.folder.load import load_content

from ...sampling import sampled
from ..conftest import Files, Load, spots, write

KNOWN = "name,url,description\n"
UNKNOWN = "name,url,description,stars,licence_kind,repo_link,descripton_long,author_names,last_commit,homepge\n"


def calls(folder: Path, files: Files) -> int:
    """Return the number of function calls that reading a folder takes; it is the same on every machine."""
    write(folder, files)
    load_content(folder)  # imports and builds what is done once
    profile = cProfile.Profile()
    profile.runcall(FolderReader(FolderView(folder), with_values=False, single_process=True).read)
    return sum(entry.callcount for entry in profile.getstats())


def table(header: str, rows: int, names: int) -> Files:
    cells = ",x" * (header.count(",") - 2)
    lines = (f"Tool {row % names},https://e{row % names}.example.org,Text{cells}\n" for row in range(rows))
    return {"listings/tools.csv": header + "".join(lines)}


@pytest.mark.parametrize("names", sampled([1_000, 400], every=2), ids=["distinct", "with duplicates"])
def test_a_table_with_unknown_columns_takes_few_more_steps_than_one_without(names: int, tmp_path: Path) -> None:
    plain = calls(tmp_path / "plain", table(KNOWN, 1_000, names))
    unknown = calls(tmp_path / "unknown", table(UNKNOWN, 1_000, names))
    assert unknown < 1.3 * plain


def test_files_with_unknown_keys_take_at_most_eight_times_the_steps(tmp_path: Path) -> None:
    text = "---\ntitle: A\n{}---\nText\n"
    keys = "".join(f"{key}: x\n" for key in ("stars", "authors_list", "relatd", "tumbnail", "kicker", "homepge"))
    plain = calls(tmp_path / "plain", {f"articles/a{n}.md": text.format("") for n in range(100)})
    unknown = calls(tmp_path / "unknown", {f"articles/a{n}.md": text.format(keys) for n in range(100)})
    assert unknown < 8 * plain


def test_each_unknown_column_is_reported_once_and_its_rows_are_skipped(read: Load) -> None:
    content = read({"listings/a.csv": "name,stars,homepge\nA,1,x\nB,2,y\nC,3,z\n"})
    path = "listings/a.csv"
    assert spots(content) == [(path, 1, 6, "unknown-key"), (path, 1, 12, "unknown-key")]
    assert content.entries == ()


def test_a_mistyped_column_is_not_also_reported_as_missing(read: Load) -> None:
    content = read({"listings/a.csv": "nme,url,stars\nA,https://a.example,1\nB,https://b.example,2\n"})
    assert [(it.code, it.hint) for it in content.problems][:1] == [("unknown-key", "did you mean 'name'?")]
    assert {it.code for it in content.problems} == {"unknown-key"}


def test_other_mistakes_in_rows_with_an_unknown_column_are_reported(read: Load) -> None:
    content = read({"listings/a.csv": "name,stars,latitude\nA,1,5\nB,2,north\n"})
    path = "listings/a.csv"
    assert spots(content) == [(path, 1, 6, "unknown-key"), (path, 3, 5, "not-a-number")]


def test_a_mistake_is_reported_for_each_row_with_an_unknown_column(read: Load) -> None:
    content = read({"listings/a.csv": "name,stars,email\nA,1,a\nB,2,b@example.org\nC,3,c\n"})
    assert [(it.where.line, it.code) for it in content.problems] == [
        (1, "unknown-key"),
        (2, "bad-email"),
        (4, "bad-email"),
    ]
    assert content.counts["listing"] == 0


def test_the_cells_of_an_unknown_column_are_not_checked(read: Load) -> None:
    content = read({"listings/a.csv": "name,markdown\nA,x\nB,a\u200bb\nC,[a](/pages/none/)\nD,{{< x >}}\n"})
    assert spots(content) == [("listings/a.csv", 1, 6, "unknown-key")]
