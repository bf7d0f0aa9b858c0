"""A token or a password that someone wrote into contentsync.toml is never shown (docs/faults.md AU-12)."""

from pathlib import Path

import pytest

from contentsync.git import git

from ..exit_codes import CONTENT_ERRORS
from ..served import Served
from .conftest import contentsync

CANARY = "c4n4ry"


@pytest.mark.parametrize(
    "options",
    [
        *(("validate", "--format", name) for name in ("text", "json", "github", "sarif")),
        *(("plan", "--format", name) for name in ("text", "json")),
        ("sync", "--yes"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize(
    "line",
    [
        f'token = "{CANARY}"',
        f'password = "{CANARY}"',
        f'token_env = "cs-{CANARY}"',
        f'token_env = "{CANARY}',
        f'url = "https://u:{CANARY}@a.example"',
        f'site = {{ asset_base_url = "https://u:{CANARY}@a.example" }}',
    ],
)
def test_no_report_shows_a_secret_in_the_config(tmp_path: Path, line: str, options: tuple[str, ...]) -> None:
    """AU-12"""
    (tmp_path / "contentsync.toml").write_text(f"[targets.a]\n{line}\n")
    command, *rest = options
    ran = contentsync(command, tmp_path, *rest)
    assert ran.code == CONTENT_ERRORS
    assert CANARY not in ran.out + ran.err


def test_a_token_in_a_text_is_neither_sent_nor_printed(tmp_path: Path, served: Served) -> None:
    """PL-20, AU-12"""
    folder, file = tmp_path / "site", tmp_path / "plan.json"
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").touch()
    (folder / "pages/a.md").write_text("---\ntitle: A\n---\nOne line.\n", encoding="utf-8")
    assert contentsync("sync", folder, "--yes", env=served.env).code == 0
    text = f"---\ntitle: Ask {served.token}\n---\nOne line.\n\n    export CONTENTSYNC_TOKEN={served.token}\n"
    (folder / "pages/a.md").write_text(text, encoding="utf-8")
    served.recorder.requests.clear()
    for words in (["plan", "--full", "--out", file], ["plan", "--format", "json"], ["sync", "--yes"]):
        ran = contentsync(*words, folder, env=served.env)
        assert ran.code == CONTENT_ERRORS
        assert "holds-token" in ran.out + ran.err
        assert served.token not in ran.out + ran.err
    assert served.recorder.writes == []
    assert not file.exists()
    kept = [path.read_bytes() for path in (folder / ".contentsync").rglob("*") if path.is_file()]
    assert not any(served.token.encode() in data for data in kept)


@pytest.mark.parametrize(
    "words",
    [["plan"], ["sync", "--yes"], ["status"], ["admin", "migrate"]],
    ids=lambda words: words[0],
)
def test_git_commits_none_of_the_files_that_commands_store(folder: Path, words: list[str]) -> None:
    """Whether the folder has a `.gitignore` or not."""
    git("init", "--quiet", folder=folder)
    contentsync(*words, cwd=folder)
    git("add", "--all", folder=folder)
    assert git("ls-files", folder=folder).stdout.decode().splitlines() == ["contentsync.toml", "pages/about.md"]
    assert not (folder / ".contentsync").exists() or (folder / ".contentsync/.gitignore").read_text() == "*\n"


def test_a_user_may_let_git_commit_the_state(folder: Path) -> None:
    own = folder / ".contentsync/.gitignore"
    own.parent.mkdir()
    own.write_text("*\n!.gitignore\n!state/\n!state/*\n", encoding="utf-8")
    git("init", "--quiet", folder=folder)
    assert contentsync("sync", folder, "--yes").code == 0
    git("add", "--all", folder=folder)
    committed = git("ls-files", folder=folder).stdout.decode().splitlines()
    assert [path for path in committed if path.startswith(".contentsync")] == [
        ".contentsync/.gitignore",
        ".contentsync/state/local.jsonl",
    ]
