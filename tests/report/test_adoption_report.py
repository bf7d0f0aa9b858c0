"""contentsync.report.adoption_report and counts: the closing summary of `validate`, and the lines to paste."""

import tomllib
from pathlib import Path

import pytest

from contentsync.content.folder.load import load_content, validate_folder
from contentsync.report.adoption_report import config_suggestions
from contentsync.report.problems import validation_text

from ..content.conftest import write
from .surveys import plain

KEYS = "layout: post\ntitle: {0}\ndate: 2024-01-01 9:00:00 -0400\nauthors: [ann]\ndescription: A\ntags: a\n"
FRONT = f"---\n{KEYS}---\nText\n"
POSTS: dict[str, str | bytes] = {f"_posts/2024-01-01-post-{number}.md": FRONT.format(number) for number in range(30)}
POSTS |= {"_posts/x.md": "left out"}
CONFIG = '[site]\nname = "T"\n\n[content.articles]\npath = "_posts"\nignore = ["layout"]\nexclude = ["x.md"]\n'
BLOCK = """[content.articles]
path = "_posts"
ignore = ["layout", "authors"]
exclude = ["x.md"]
rename = { date = "published_at", description = "seo.description", tags = "categories" }
"""


def summary(folder: Path, width: int = 100) -> str:
    return plain(validation_text(validate_folder(folder), width)).rpartition("in contentsync.toml)\n\n")[2]


def test_unknown_keys_are_grouped_by_name_with_the_number_of_their_files(tmp_path: Path) -> None:
    files = {**POSTS, "pages/a.md": "---\ntitle: A\nauthors: x\nmood: x\n---\n", "_posts/z.md": FRONT.format("z")}
    write(tmp_path, {"contentsync.toml": CONFIG, **files})
    shown = plain(validation_text(validate_folder(tmp_path), 100))
    for line in (
        "`date` in 31 files",
        "`authors` (article) in 31 files",
        "`authors` (page) in 1 file",
        "`mood` in 1 file",
    ):
        assert f"         {line}\n" in shown
    assert shown.count("`tags`") == 1


def test_the_summary_suggests_lines_for_the_config(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": CONFIG, **POSTS})
    assert summary(tmp_path).endswith(
        "\n120 of these are solved by the following lines in contentsync.toml, in place of [content.articles]:\n\n"
        f"{BLOCK}\n120 errors in 30 files with 0 entries\n"
    )


def test_suggestions_extend_the_config_that_was_validated(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": CONFIG, **POSTS})
    report = validate_folder(tmp_path)
    write(tmp_path, {"contentsync.toml": ""})
    assert BLOCK in "".join(config_suggestions(report, 100))


@pytest.mark.parametrize("width", [40, 80, 200])
def test_the_suggested_lines_solve_the_problems(width: int, tmp_path: Path) -> None:
    stubs = {f"_posts/stub{number}.md": "---\ntitle: A\n---\n" for number in range(2)}
    single = {f"_posts/s{number}.md": "---\ntitle: A\ncategories: a\n---\nText\n" for number in range(30)}
    pages = {"pages/a.md": '---\ntitle: A\n"layout type": x\nweight: 3\n---\n'}
    write(tmp_path, {"contentsync.toml": CONFIG, **POSTS, **stubs, **single, **pages})
    offered = "".join(config_suggestions(validate_folder(tmp_path), width))
    assert max(map(len, offered.splitlines())) <= width
    lines = offered[offered.index("\n\n[") :]  # from the first table on
    assert tomllib.loads(lines)["content"]["articles"]["skip_empty"] is True
    write(tmp_path, {"contentsync.toml": lines})
    left = load_content(tmp_path)
    assert left.problems == ()
    assert len(left.entries) == len([*POSTS, *stubs, *single, *pages]) - 1  # without the excluded `x.md`


def test_the_more_frequent_of_two_keys_for_one_field_is_renamed(tmp_path: Path) -> None:
    keys = ["date"] * 20 + ["pubDate"] * 5
    files = {f"articles/a{n}.md": f"---\ntitle: A\n{key}: 2024-01-01\n---\nText\n" for n, key in enumerate(keys)}
    write(tmp_path, {"contentsync.toml": "", **files})
    offered = summary(tmp_path)
    assert 'rename = { date = "published_at" }' in offered
    assert "20 of these are solved by the following lines in contentsync.toml:\n" in offered


def test_a_few_problems_or_mistyped_keys_suggest_no_lines(tmp_path: Path) -> None:
    files = {f"pages/a{number}.md": f"---\ntitle: A{number}\nplacment: navbar\n---\n" for number in range(30)}
    write(tmp_path, {"contentsync.toml": "", **files})
    shown = plain(validation_text(validate_folder(tmp_path)))
    assert "`placment` in 30 files" in shown
    assert "settled" not in shown


def test_the_summary_fits_forty_columns(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": CONFIG, **POSTS})
    lines = plain(validation_text(validate_folder(tmp_path), 40)).rpartition("contentsync.toml)\n")[2].splitlines()
    assert max(len(line) for line in lines if not line.lstrip().startswith("first at")) <= 40


def test_a_text_setting_is_suggested(tmp_path: Path) -> None:
    pages = {f"pages/{number}.md": f"# Page {number}\n" for number in range(30)}
    write(tmp_path, {"contentsync.toml": "", **pages})
    assert '\n[content.pages]\ntitle = "heading"\n' in summary(tmp_path)
