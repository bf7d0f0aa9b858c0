"""The first steps of a user who has no content folder yet."""

from pathlib import Path

from ..exit_codes import WRONG_USAGE
from .conftest import contentsync


def test_a_new_folder_is_synced_and_then_matches_the_server(tmp_path: Path) -> None:
    site = tmp_path / "site"
    assert contentsync("init", site).code == 0
    for kind in ("page", "article", "organizer", "listing", "category", "tag"):
        assert contentsync("new", kind, f"my-first-{kind}", site).code == 0
    assert contentsync("new", "custom_field", "since", site).code == 0

    valid = contentsync("validate", site, "--format", "json")
    assert (valid.code, valid.document["problems"]) == (0, [])
    assert set(valid.document["summary"]["entries"].values()) == {2}

    synced = contentsync("sync", site, "--yes")
    assert synced.code == 0, synced.err
    assert "14 done" in synced.out
    again = contentsync("plan", site, "--detailed-exitcode")
    assert (again.code, again.out.splitlines()[0]) == (0, "nothing to do: local matches the folder")


def test_a_missing_content_folder_names_the_command_that_creates_one(tmp_path: Path) -> None:
    ran = contentsync("validate", cwd=tmp_path)
    assert ran.code == WRONG_USAGE
    assert "contentsync init" in ran.err
