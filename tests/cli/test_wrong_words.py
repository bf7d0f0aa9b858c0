"""contentsync.cli.wrong_words: words of other programs name our command, and are never run."""

from pathlib import Path

import pytest

from contentsync.cli import run

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages/a.md").write_text("---\ntitle: A\n---\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("diff", "write contentsync plan"),
        ("lint", "write contentsync validate"),
        ("check", "write contentsync validate"),
        ("push --yes", "write contentsync sync"),
        ("deploy", "write contentsync sync"),
        ("apply", "write contentsync sync"),
        ("rollback", "write contentsync undo"),
        ("rename page/a b", "write contentsync mv"),
        ("vaildate", "did you mean 'validate'?"),
        ("admin tokne", "did you mean 'token'?"),
        ("xyzzy", "see contentsync --help"),
        ("sync --dry-run", "contentsync plan shows what a sync would do"),
        ("undo --dry-run", "without --yes, undo shows its plan and asks"),
        ("mv page/a b --dry-run", "without --yes, mv shows its plan and asks"),
        ("plan --dry-run", "plan changes nothing"),
        ("sync --yess", "did you mean '--yes'?"),
        ("plan --allow-delete 3", "did you mean '--allow-deletes'?"),
        ("status --dry-run", "see contentsync status --help"),
    ],
)
def test_an_unknown_command_is_refused_with_the_matching_one(
    words: str, hint: str, site: Path, capsys: Capture
) -> None:
    assert run(words.split()) == 64
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines()[1].strip().endswith(hint)
    assert {file.name for file in site.rglob("*")} == {"contentsync.toml", "pages", "a.md"}
