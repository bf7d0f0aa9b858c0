"""A token or a password that somebody wrote into contentsync.toml is never shown (faults.md AU-12)."""

from pathlib import Path

import pytest

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
def test_no_report_shows_it(tmp_path: Path, line: str, options: tuple[str, ...]) -> None:
    """AU-12"""
    (tmp_path / "contentsync.toml").write_text(f"[targets.a]\n{line}\n")
    command, *rest = options
    ran = contentsync(command, tmp_path, *rest)
    assert ran.code == 1
    assert CANARY not in ran.out + ran.err
