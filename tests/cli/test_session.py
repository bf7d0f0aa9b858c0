import json
import platform
import subprocess
import sys
from pathlib import Path

import pytest
from rich.console import Console

from contentsync.cli import run
from contentsync.cli.plan_options import PlanOptions
from contentsync.cli.session import Session
from contentsync.errors import UsageError

from ..content.conftest import write


def test_pictures_without_an_address_are_refused_for_a_server_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"contentsync.toml": "[assets]\n"})
    monkeypatch.setenv("CONTENTSYNC_URL", "https://directory.example.com")
    with pytest.raises(UsageError, match="needs an address for the pictures") as raised:
        Session.open(tmp_path, PlanOptions(), Console())
    assert "asset_base_url" in raised.value.hint


def test_pictures_of_a_served_asset_folder_are_accepted_but_not_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'
    files = {
        "contentsync.toml": '[assets]\npath = "static"\nbase_url = "https://www.example.com/"\n',
        "static/a.svg": svg,
        "categories.yaml": "- {title: A, custom_icon_url: /a.svg}\n",
    }
    write(tmp_path, files)
    monkeypatch.setenv("CONTENTSYNC_URL", "https://directory.example.com")
    monkeypatch.setenv("CONTENTSYNC_DIRECTORY", "1")
    Session.open(tmp_path, PlanOptions(), Console())
    write(tmp_path, {**files, "b.svg": svg, "categories.yaml": "- {title: A, custom_icon_url: ./b.svg}\n"})
    with pytest.raises(UsageError, match="needs an address for the pictures"):
        Session.open(tmp_path, PlanOptions(), Console())


def test_a_plan_during_a_running_sync_names_the_run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write(tmp_path, {"contentsync.toml": "", "pages/a.md": "---\ntitle: A\n---\n"})
    assert run(["plan", str(tmp_path)]) == 0
    assert "is running" not in capsys.readouterr().err
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        owner = {"run": "r1", "host": platform.node(), "pid": other.pid, "user": "ada", "since": "2026-03-01T12:00:00Z"}
        write(tmp_path, {".contentsync/lock/local/owner.json": json.dumps(owner)})
        assert run(["plan", str(tmp_path)]) == 0
        other.communicate(b"\n")
    assert f"(process {other.pid}, run r1)" in " ".join(capsys.readouterr().err.split())
