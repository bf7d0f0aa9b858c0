"""The commands of docs/git.md are typed from the beginning to the end, with the output that the page shows."""

from pathlib import Path

import pytest

from ..page_commands import Reader, commands
from ..served import Served
from .conftest import quicken_all

PAGE = Path(__file__).parent.parent.parent / "docs/git.md"


def test_the_commands_of_the_page_run_and_publish_a_page(
    tmp_path: Path, served: Served, program: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = Reader(tmp_path, capsys, monkeypatch)
    reader.after = lambda: quicken_all(tmp_path, program)
    reader.instead = {
        "https://directory.example.com": served.recorder.url,
        "directory = 42": f"directory = {served.directory}\nrequests_per_minute = 60000",
        "8|the-token-of-the-server": served.token,
    }
    text = PAGE.read_text(encoding="utf-8")
    assert reader.type(text) == [command.line for command in commands(text)]
    assert [page["title"] for page in served.get("pages")["data"]] == ["About this directory"]
