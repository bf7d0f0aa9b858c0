"""How fast a sync may send, as plans show it, towards servers with and without a limit."""

import re
from pathlib import Path

import pytest

from ..serving import make_tenant, serving
from .conftest import contentsync

PAGES = 205


@pytest.fixture
def many(folder: Path) -> Path:
    """A folder that takes more requests than a minute of the usual limit has."""
    for number in range(PAGES - 1):
        (folder / f"pages/p{number}.md").write_text(f"---\ntitle: Page {number}\n---\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    ("limit", "setting", "pace"),
    [
        ("0", "", ""),
        ("100", "", ", about 2 minutes at 100 a minute"),
        ("0", "requests_per_minute = 50\n", ", about 4 minutes at 50 a minute"),
        ("100", "requests_per_minute = 5000\n", ", about 2 minutes at 100 a minute"),
    ],
    ids=["no limit", "a limit", "a setting and no limit", "a setting above the limit"],
)
def test_a_plan_follows_the_rate_limit_that_the_server_reports(
    many: Path, tmp_path_factory: pytest.TempPathFactory, limit: str, setting: str, pace: str
) -> None:
    url = f"sqlite:///{tmp_path_factory.mktemp('server') / 'server.db'}"
    directory, token = make_tenant(url)
    with serving(url, "--rate-limit", limit, "--log-level", "warning") as server:
        target = f'[targets.here]\nurl = "{server.address}"\ndirectory = {directory}\n{setting}'
        (many / "contentsync.toml").write_text(target, encoding="utf-8")
        planned = contentsync("plan", many, env={"CONTENTSYNC_TOKEN": token})
    assert planned.code == 0, planned.err
    assert re.search(rf"\b{PAGES} requests{pace}$", planned.out.splitlines()[0])


def test_a_first_sync_to_a_server_without_a_limit_never_waits(
    many: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """At 120 requests a minute it would take a minute, and its report would say so."""
    url = f"sqlite:///{tmp_path_factory.mktemp('server') / 'server.db'}"
    directory, token = make_tenant(url)
    with serving(url, "--rate-limit", "0", "--log-level", "warning") as server:
        (many / "contentsync.toml").write_text(
            f'[targets.here]\nurl = "{server.address}"\ndirectory = {directory}\n', encoding="utf-8"
        )
        synced = contentsync("sync", many, "--yes", env={"CONTENTSYNC_TOKEN": token})
    assert synced.code == 0, synced.err
    assert f"{PAGES} done" in synced.out
    assert "a minute" not in synced.out + synced.err
