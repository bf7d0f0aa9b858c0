"""contentsync.cli.validate_command: a single file, and errors that stop the command early."""

import json
from pathlib import Path

import pytest

from contentsync.cli import run
from contentsync.cli.validate_command import path_in_repository

from ..content.conftest import Files, write
from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE

FILES: Files = {
    "contentsync.toml": "",
    "tags.yaml": "- title: Free\n",
    "pages/good.md": "---\ntitle: Good\n---\n",
    "pages/bad.md": "---\ntitle: Bad\nplacment: navbar\n---\n[x](/pages/god/)\n",
    "pages/twin.md": "---\ntitle: Twin\nslug: good\n---\n",
    "articles/a.md": "---\ntitle: A\n---\n",
    "articles/b.md": "---\ntitle: B\n---\n",
    "listings/a.csv": "name,tags\nA,fre\nB,free\n",
    "notes.md": "None of it.\n",
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(write(tmp_path, FILES))
    return tmp_path


@pytest.mark.parametrize(
    ("file", "codes", "entries"),
    [
        ("pages/good.md", [], {"page": 1}),
        ("pages/bad.md", ["unknown-key", "broken-link"], {}),
        ("pages/twin.md", ["duplicate-identity"], {}),
        ("articles/b.md", ["required-without"], {}),
        ("listings/a.csv", ["unknown-reference"], {"listing": 1}),
        ("tags.yaml", [], {"tag": 1}),
        ("contentsync.toml", [], {}),
    ],
)
def test_validating_a_file_reports_only_problems_of_this_file(
    file: str, codes: list[str], entries: dict[str, int], site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = run(["validate", file, "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    assert [(it["path"], it["code"]) for it in document["problems"]] == [(file, each) for each in codes]
    assert {kind: count for kind, count in document["summary"]["entries"].items() if count} == entries
    assert (document["summary"]["files"], code) == (1, int(bool(codes)))


def test_a_file_is_found_from_a_subfolder_of_the_content_folder(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(site / "pages")
    assert run(["validate", "good.md"]) == 0
    assert capsys.readouterr().out == "valid in 1 file with 1 entry\n"


def test_an_error_in_the_config_is_reported_instead_of_the_file(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(site, {"contentsync.toml": "[site]\nlocale = 'en'\n"})
    assert run(["validate", "pages/bad.md"]) == 1
    assert capsys.readouterr().out.startswith("contentsync.toml:2:1: unknown-key site.locale")


@pytest.mark.parametrize("arguments", [["notes.md"], ["--staged", "pages/good.md"]])
def test_a_file_that_is_not_content_is_a_usage_error(
    arguments: list[str], site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", *arguments]) == 64
    assert "contentsync: " in capsys.readouterr().err


def make(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def test_several_files_are_validated_in_one_report(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As lint-staged calls the command, with the absolute paths of the files of a commit."""
    names = ("pages/good.md", "pages/bad.md", "tags.yaml", "notes.md")
    code = run(["validate", *(str(site / name) for name in names), "--format", "json"])
    out, err = capsys.readouterr()
    document = json.loads(out)
    assert code == CONTENT_ERRORS
    assert {it["path"] for it in document["problems"]} == {"pages/bad.md"}
    assert document["summary"]["files"] == 3
    assert {kind: count for kind, count in document["summary"]["entries"].items() if count} == {"tag": 1, "page": 1}
    assert err == "not validated, as not content: notes.md\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pages/good.md", "pages"], "pages is a folder"),
        (["pages/good.md", "pages/missing.md"], "there is no file pages/missing.md"),
        (["pages/good.md", "other/pages/a.md"], "several content folders"),
        (["notes.md", "notes.md"], "are not content files"),
        (["pages/good.md", "tags.yaml", "--staged"], "needs a folder"),
    ],
)
def test_several_files_must_be_content_files_of_one_folder(
    arguments: list[str], message: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(site / "other", {"contentsync.toml": "", "pages/a.md": "---\ntitle: A\n---\n"})
    assert run(["validate", *arguments]) == 64
    assert message in capsys.readouterr().err


def test_reported_paths_start_at_the_nearest_repository(tmp_path: Path) -> None:
    site = make(tmp_path / "work/repo/sites/one")
    make(tmp_path / "work/.git")
    make(tmp_path / "work/repo/.git")
    environ = {"GITHUB_WORKSPACE": str(tmp_path)}
    assert path_in_repository(site, environ, site) == "sites/one"


def test_a_content_folder_at_the_repository_root_has_an_empty_path(tmp_path: Path) -> None:
    make(tmp_path / ".git")
    assert path_in_repository(tmp_path, {}, tmp_path.parent) == ""


def test_a_git_worktree_counts_as_a_repository(tmp_path: Path) -> None:
    site = make(tmp_path / "tree/site")
    (tmp_path / "tree/.git").write_text("gitdir: elsewhere\n", encoding="utf-8")
    assert path_in_repository(site, {}, site) == "site"


def test_paths_outside_of_a_repository_start_at_the_workspace(tmp_path: Path) -> None:
    site = make(tmp_path / "work/site")
    here = make(tmp_path / "elsewhere")
    assert path_in_repository(site, {"GITHUB_WORKSPACE": str(tmp_path / "work")}, here) == "site"
    assert path_in_repository(site, {"GITHUB_WORKSPACE": str(here)}, tmp_path) == "work/site"
    assert path_in_repository(site, {}, here) == ""


def test_a_relative_path_with_dots_means_the_same_folder(tmp_path: Path) -> None:
    make(tmp_path / "site")
    make(tmp_path / ".git")
    assert path_in_repository(tmp_path / "site/../site", {}, tmp_path) == "site"


@pytest.mark.parametrize("posts", [40, pytest.param(4000, marks=pytest.mark.whole)])
def test_many_problems_are_summarized_in_30_lines_without_full(
    posts: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    front = "---\ntitle: A\nlayout: post\ndate: 2024-01-01\n---\n[x](/pages/y/)\n"
    write(tmp_path, {f"articles/a{number}.md": front for number in range(posts)})
    assert run(["validate", str(tmp_path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) <= 30
    assert lines[0].split()[:3] == [f"{posts:,}", "unknown-key", "`layout`"]
    assert f"{2 * posts:,} of these are solved by settings: contentsync adopt shows and adds them" in lines
    assert run(["validate", str(tmp_path), "--full"]) == 1
    assert len(capsys.readouterr().out.splitlines()) > 2 * posts


def test_unused_pictures_are_listed_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = write(tmp_path / "site", {"contentsync.toml": "[assets]\n", "img/a.png": ""})
    assert run(["validate", str(root)]) == 0
    assert "unused-asset" not in capsys.readouterr().out
    assert run(["validate", "--unused-assets", str(root)]) == 0
    assert "img/a.png:1:1: warning: unused-asset" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("config", "options", "message"),
    [("", [], "does not read pictures"), ("[assets]\n", ["--staged"], "needs a folder as it is on disk")],
)
def test_listing_unused_pictures_requires_a_folder_with_pictures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], config: str, options: list[str], message: str
) -> None:
    root = write(tmp_path / "site", {"contentsync.toml": config})
    assert run(["validate", "--unused-assets", *options, str(root)]) == 64
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("format_", "mark"),
    [
        ("text", "warning: broken-link"),
        ("json", '"severity": "warning"'),
        ("github", "::warning file="),
        ("sarif", '"level": "warning"'),
    ],
)
def test_strict_reports_warnings_as_errors(
    format_: str, mark: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write(tmp_path / "odd", {"pages/a.md": "---\ntitle: A\n---\n[x](/pages/none/)\n"})
    for options, code in (((), 0), (("--strict",), CONTENT_ERRORS), ((), 0)):  # also of a cached report
        assert run(["validate", str(folder), "--format", format_, *options]) == code
        assert (mark in capsys.readouterr().out) == (code == 0)


def test_fixes_are_shown_written_and_no_more_found(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "pages/bad.md", "--fix", "--yes"]) == 0
    shown = capsys.readouterr().out
    assert '  ~ pages/bad.md:3:1  "placment" → "placement"  unknown-key\n' in shown
    assert shown.endswith("valid, 1 warning in 1 file with 1 entry\n")
    text = (site / "pages/bad.md").read_text()
    assert text == "---\ntitle: Bad\nplacement: navbar\n---\n[x](/pages/god/)\n"
    assert run(["validate", "pages/bad.md", "--fix"]) == 0  # asks nothing
    assert capsys.readouterr().out.startswith("no problem has a certain fix\n")
    assert (site / "pages/bad.md").read_text() == text


def test_fixes_are_listed_in_json_with_what_is_left(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "--fix", "--yes", "--format", "json"]) == CONTENT_ERRORS
    document = json.loads(capsys.readouterr().out)
    assert [(it["path"], it["from"], it["to"]) for it in document["fixed"]] == [
        ("listings/a.csv", "fre", "free"),
        ("pages/bad.md", "placment", "placement"),
    ]
    assert document["written"] == ["listings/a.csv", "pages/bad.md"]
    assert {it["code"] for it in document["problems"]} == {"broken-link", "duplicate-identity", "required-without"}


def test_nothing_is_fixed_without_consent(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "--fix"]) == REFUSED  # there is no terminal
    assert "nothing was written" in capsys.readouterr().err
    assert (site / "pages/bad.md").read_bytes() == str(FILES["pages/bad.md"]).encode()


@pytest.mark.parametrize(
    "options", [["--staged"], ["--unused-assets"], ["--commits", "HEAD"], ["--format", "sarif"], ["--format", "github"]]
)
def test_fixes_of_staged_files_and_in_other_reports_are_refused(
    options: list[str], site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["validate", "--fix", "--yes", *options]) == WRONG_USAGE
    assert "add the files to git, and validate again" in capsys.readouterr().err
    assert run(["validate", "--yes"]) == WRONG_USAGE
    assert (site / "pages/bad.md").read_bytes() == str(FILES["pages/bad.md"]).encode()


def test_the_help_fits_on_a_screen(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["validate", "--help"]) == 0
    assert len(capsys.readouterr().out.splitlines()) < 25
