"""The order of a target's runs."""

from pathlib import Path

import pytest

from contentsync.model import Kind
from contentsync.sync.state.run_history import list_journals, next_run_name, read_run
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import encode_line

from ..entries import desired
from ..site import TARGET, Site


@pytest.fixture
def state_dir(tmp_path: Path) -> StateDir:
    return StateDir.for_target(tmp_path, TARGET.name)


def have(state_dir: StateDir, *names: str) -> None:
    state_dir.journals.mkdir(parents=True)
    for name in names:
        (state_dir.journals / f"{name}.jsonl").touch()


def test_runs_are_sorted_by_number_after_those_of_earlier_versions(state_dir: StateDir) -> None:
    ordered = [
        "20261121T204204Z-000001",
        "20991121T204204Z-f5bf01",
        "20261121T204204Z-000003-1",
        "20261121T194204Z-000002-2",
        "20261121T194204Z-000001-10",
    ]
    have(state_dir, *sorted(ordered))
    assert [file.stem for file in list_journals(state_dir)] == ordered


def test_a_new_run_has_the_next_number(state_dir: StateDir) -> None:
    assert next_run_name(state_dir, "20261121T204204Z-000001") == "20261121T204204Z-000001-1"
    have(state_dir, "20261121T204204Z-000003-9", "20991121T204204Z-999999", "20261121T194204Z-000001-10")
    assert next_run_name(state_dir, "20261121T184204Z-000001") == "20261121T184204Z-000001-11"


def test_a_run_of_an_earlier_version_is_read(tmp_path: Path) -> None:
    """Its journal contains neither the run that it undoes nor the number of unfinished changes."""
    site = Site(tmp_path)
    site.synced([desired(Kind.PAGE, "a", slug="a", title="A")])
    (journal,) = list_journals(site.state_dir)
    journal.write_bytes(b"".join([*journal.read_bytes().splitlines(keepends=True)[:-1], encode_line({"end": "done"})]))
    run = read_run(journal, TARGET)
    assert (run.has_ended, run.is_complete, run.undone_run, len(run.steps)) == (True, True, "", 1)
