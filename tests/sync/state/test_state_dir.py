"""Where a sync keeps what it must remember."""

from pathlib import Path

import pytest

from contentsync.errors import Refused
from contentsync.sync.state.state_dir import StateDir


@pytest.mark.parametrize(
    "link", [".contentsync", ".contentsync/lock", ".contentsync/cache/server", ".contentsync/state/production.jsonl"]
)
def test_what_is_remembered_is_written_through_no_link(tmp_path: Path, link: str) -> None:
    """FI-14: a commit may bring one, which leads to where hooks lie."""
    (tmp_path / "elsewhere").mkdir()
    folder = tmp_path / "site"
    (folder / link).parent.mkdir(parents=True)
    (folder / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Refused, match="is a link"):
        StateDir.for_target(folder, "production")
    assert StateDir.for_target(folder, "production", tmp_path / "kept").root.parent == tmp_path / "kept"


def test_a_folder_that_is_reached_through_a_link_is_as_good_as_any(tmp_path: Path) -> None:
    (tmp_path / "site/.contentsync/lock").mkdir(parents=True)
    (tmp_path / "link").symlink_to("site")
    assert StateDir.for_target(tmp_path / "link", "production").root == tmp_path / "link/.contentsync"
