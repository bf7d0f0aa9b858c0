"""What someone does who has nothing yet."""

from pathlib import Path

from .conftest import contentsync


def test_a_new_folder_goes_live_and_is_then_what_the_server_has(tmp_path: Path) -> None:
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


def test_no_folder_upwards_names_the_command_that_makes_one(tmp_path: Path) -> None:
    ran = contentsync("validate", cwd=tmp_path)
    assert ran.code == 64
    assert "contentsync init" in ran.err
