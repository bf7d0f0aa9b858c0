"""Commands that were typed wrong, or meet something that no content is the reason of."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ..exit_codes import SERVER_ERROR, WRONG_USAGE
from ..sampling import sampled
from .conftest import contentsync

DEMO = Path(__file__).parent.parent.parent / "scripts/demo.sh"


@pytest.mark.parametrize("format_", [["--format", "json"], ["--format=json"]], ids=["two words", "one word"])
@pytest.mark.parametrize(
    "words",
    [
        ["sync", "--bogus"],
        ["plan", "--target", "nope"],
        ["validate", "--bogus"],
        ["validate", "one", "two"],
        ["plan", "--only", "nothing"],
        ["admin", "user", "create"],
        ["admin", "user", "list", "--db", "sqlite:///missing.db"],
        ["new", "page"],
        ["watch", "--bogus"],
    ],
    ids=" ".join,
)
def test_a_usage_error_is_a_json_document_with_format_json(folder: Path, words: list[str], format_: list[str]) -> None:
    ran = contentsync(*words, *format_, cwd=folder)
    assert ran.code == WRONG_USAGE
    assert ran.document["error"]["message"]
    assert ran.document["error"]["message"].splitlines()[0] in ran.err


def test_validate_prints_a_json_document_outside_of_a_content_folder(tmp_path: Path) -> None:
    ran = contentsync("validate", "--format", "json", cwd=tmp_path)
    assert ran.code == WRONG_USAGE
    assert "no contentsync.toml" in ran.document["error"]["message"]


def test_a_usage_error_without_json_leaves_stdout_empty(folder: Path) -> None:
    assert contentsync("sync", "--bogus", cwd=folder).out == ""


@pytest.mark.parametrize(
    "command", sampled([["plan"], ["sync", "--yes"], ["status"]], every=3), ids=lambda words: words[0]
)
def test_a_host_name_without_an_address_is_reported_once(folder: Path, command: list[str]) -> None:
    target = '[targets.here]\nurl = "https://directory.invalid"\ndirectory = 1\n'
    (folder / "contentsync.toml").write_text(target, encoding="utf-8")
    ran = contentsync(*command, folder, env={"CONTENTSYNC_TOKEN": "t"})
    assert ran.code == SERVER_ERROR
    assert ran.err.splitlines() == [
        "contentsync: cannot reach https://directory.invalid: there is no address for the name directory.invalid",
        "  check the URL of the target, and whether this machine is online",
    ]


@pytest.mark.parametrize(
    "command", sampled([["sync", "--yes"], ["plan"], ["pull"]], every=3), ids=lambda words: words[0]
)
def test_an_only_that_matches_nothing_names_the_nearest(folder: Path, command: list[str]) -> None:
    ran = contentsync(*command, folder, "--only", "page/abuot")
    assert (ran.code, ran.out) == (WRONG_USAGE, "")
    assert ran.err.splitlines() == [
        "contentsync: --only page/abuot matches nothing here or on the server",
        "  the nearest: page/about",
    ]


def test_an_only_may_match_what_was_deleted_here(folder: Path) -> None:
    assert contentsync("sync", folder, "--yes").code == 0
    (folder / "pages/about.md").rename(folder / "pages/other.md")
    (folder / "pages/other.md").write_text("---\ntitle: Other\nslug: other\n---\nAnother text.\n", encoding="utf-8")
    for only in ("page/about", "page/oth*", "article"):
        assert contentsync("plan", folder, "--only", only).code == 0, only


def test_dev_outside_of_a_content_folder_refuses_at_once(tmp_path: Path) -> None:
    ran = contentsync("dev", tmp_path)
    assert ran.code == WRONG_USAGE
    assert ran.err.startswith(f"contentsync: {tmp_path} is not a content folder\n")


def test_a_warning_is_not_repeated_before_every_plan(folder: Path) -> None:
    link = "---\ntitle: About\n---\nSee [the team](team.md).\n"
    (folder / "pages/about.md").write_text(link, encoding="utf-8")
    first, second = (contentsync("plan", folder).err for _ in range(2))
    assert "pages/about.md:4:" in first
    assert second == f"1 warning as before: contentsync validate {folder} shows them\n"
    (folder / "pages/about.md").write_text(link.replace("See", "Above.\n\nSee"), encoding="utf-8")
    assert contentsync("sync", folder, "--yes").err.startswith("1 warning as before")
    (folder / "pages/about.md").write_text(link.replace("team.md", "crew.md"), encoding="utf-8")
    assert "crew.md" in contentsync("plan", folder).err
    assert "crew.md" in contentsync("validate", folder).out


@pytest.mark.parametrize("command", sampled(["plan", "status"], every=2))
def test_a_table_at_40_columns_is_not_cut(folder: Path, command: str) -> None:
    wide = contentsync(command, folder, env={"COLUMNS": "80"}).out
    narrow = contentsync(command, folder, env={"COLUMNS": "40"}).out
    assert "pages       1       ·       ·          ·          ·" in wide
    assert "pages\n  1 create\n" in narrow
    assert "…" not in narrow


def test_the_demo_writes_no_escape_codes_into_a_file(tmp_path: Path) -> None:
    """As `make demo > file` runs it, with a command in place of contentsync that says what it was given."""
    scripts = tmp_path / "scripts"
    scripts.mkdir()
    shutil.copy(DEMO, scripts)
    command = tmp_path / "bin/contentsync"
    command.parent.mkdir()
    command.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    command.chmod(0o755)
    environ = {**os.environ, "PATH": f"{command.parent}:{os.environ['PATH']}"}
    ran = subprocess.run(["sh", scripts / "demo.sh"], capture_output=True, text=True, env=environ, check=True)
    assert "$ contentsync validate content-example\nvalidate content-example\n" in ran.stdout
    assert "\x1b" not in ran.stdout + ran.stderr
