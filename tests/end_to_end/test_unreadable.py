"""Commands in a folder whose `.contentsync` cannot be read: an error with the path and the next step."""

from pathlib import Path

import pytest

from ..exit_codes import CONTENT_ERRORS
from .conftest import contentsync

COMMANDS = [["plan"], ["sync", "--yes"], ["status"], ["pull", "--yes"], ["undo", "--yes"], ["forget", "page/about"]]
IN_THE_WAY = {
    ".contentsync": "must be a folder: move away the file that is there",
    ".contentsync/state/local.jsonl": "must be a file: move away the folder that is there",
    ".contentsync/journal/local": "must be a folder: move away the file that is there",
}


@pytest.fixture
def site(folder: Path) -> Path:
    """Its database lies elsewhere, so that only what a sync remembers is in the way."""
    (folder / "contentsync.toml").write_text('[targets.local]\nurl = "embedded:site.db"\n', encoding="utf-8")
    assert contentsync("sync", "--yes", folder).code == 0
    return folder


@pytest.mark.parametrize("path", IN_THE_WAY)
def test_every_command_reports_a_file_or_folder_of_the_wrong_type(site: Path, path: str) -> None:
    (site / path).rename(site / "moved")
    if "folder:" in IN_THE_WAY[path]:
        (site / path).touch()
    else:
        (site / path).mkdir()
    for command in COMMANDS:
        ran = contentsync(*command, site)
        assert (ran.code, "Traceback" in ran.err) == (CONTENT_ERRORS, False), (command, ran.err)
        message, hint = ran.err.splitlines()[-2:]
        assert message.startswith(f"contentsync: {site / '.contentsync'}/"), command
        assert IN_THE_WAY[path] in hint, command
    assert contentsync("validate", site).code == 0
