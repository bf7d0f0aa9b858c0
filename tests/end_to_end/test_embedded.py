"""The same job without a server to start."""

import re
from pathlib import Path

import pytest

from .conftest import contentsync


def test_the_example_is_synced_to_its_embedded_server(example: Path) -> None:
    first = contentsync("sync", example, "--yes")
    assert first.code == 0, first.err
    assert re.search(r"^\d+ to create on local \(embedded:\.contentsync/site\.db\)", first.out, re.MULTILINE)
    assert re.search(r"^listings +150 ", first.out, re.MULTILINE)
    assert re.search(r"^\d+ done$", first.out, re.MULTILINE)
    assert (example / ".contentsync/site.db").exists()

    second = contentsync("sync", example, "--yes")
    assert (second.code, second.out.splitlines()[0]) == (0, "nothing to do: local matches the folder")


def test_the_folder_is_found_from_a_subfolder(example: Path) -> None:
    ran = contentsync("status", "--format", "json", cwd=example / "listings")
    assert ran.code == 0, ran.err
    assert ran.document["target"] == {"name": "local", "address": "embedded:.contentsync/site.db"}
    assert ran.document["kinds"]["listing"]["create"] == 150
    assert ran.document["in_sync"] is False


def test_only_the_selected_kinds_are_written(example: Path) -> None:
    ran = contentsync("sync", example, "--yes", "--only", "tag", "--only", "page/about", "--format", "json")
    assert ran.code == 0, ran.err
    assert {(result["kind"], result["key"]) for result in ran.document["results"] if result["kind"] != "tag"} == {
        ("page", "about")
    }
    assert {result["kind"] for result in ran.document["results"]} == {"tag", "page"}


def test_progress_and_messages_stay_out_of_stdout(example: Path) -> None:
    ran = contentsync("sync", example, "--yes", "--format", "json")
    assert ran.document["version"] == 1
    assert "listings: 150 of 150" in ran.err


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("type: select\n  options: [easy, hard]", "easy"), ("type: select\n  options: [hard, harder]", "harder")),
        (("type: text", "abc"), ("type: number", "5")),
    ],
)
def test_a_custom_field_and_its_values_change_in_one_sync(
    tmp_path: Path, before: tuple[str, str], after: tuple[str, str]
) -> None:
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "listings").mkdir()
    for rule, value in (before, after):
        (tmp_path / "custom_fields.yaml").write_text(f"- label: Level\n  {rule}\n", encoding="utf-8")
        (tmp_path / "listings/a.yaml").write_text(f"name: A\nlevel: {value}\n", encoding="utf-8")
        ran = contentsync("sync", tmp_path, "--yes")
        assert ran.code == 0, ran.out
    assert contentsync("plan", tmp_path, "--detailed-exitcode").code == 0
