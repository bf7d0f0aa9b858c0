from pathlib import Path

import pytest
from rich.console import Console

from contentsync.cli.plan_options import PlanOptions
from contentsync.cli.session import Session
from contentsync.errors import UsageError

from ..content.conftest import write


def test_pictures_without_an_address_are_not_sent_to_a_server_of_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, {"contentsync.toml": "[assets]\n"})
    monkeypatch.setenv("CONTENTSYNC_URL", "https://directory.example.com")
    with pytest.raises(UsageError, match="needs an address for the pictures") as raised:
        Session.open(tmp_path, PlanOptions(), Console())
    assert "asset_base_url" in raised.value.hint
