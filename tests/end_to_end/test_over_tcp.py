"""content-example against `contentsync serve`: the main job, over a real connection."""

import re
from pathlib import Path
from typing import Any

from contentsync.content.folder.load import load_content
from contentsync.model import RECORDS, Entry, Kind

from ..exit_codes import CHANGES, CONTENT_ERRORS, REFUSED, SERVER_ERROR
from ..served import Served
from .conftest import contentsync

Records = dict[Kind, list[dict[str, Any]]]


def every(served: Served, collection: str) -> list[dict[str, Any]]:
    """All records of a collection, page by page."""
    first = served.get(f"{collection}?include=translations")
    records: list[dict[str, Any]] = first["data"]
    for page in range(2, first.get("meta", {}).get("last_page", 1) + 1):
        records += served.get(f"{collection}?page={page}&include=translations")["data"]
    return records


def assert_equal(entry: Entry, records: Records) -> None:
    """Every field that the file gives is in the API's answer, as it was given."""
    identity = "url" if entry.fields.get("url") else RECORDS[entry.kind].key_field
    (record,) = (record for record in records[entry.kind] if record[identity] == entry.fields[identity])
    for name, value in entry.fields.items():
        if name in RECORDS[entry.kind].references:
            target = RECORDS[entry.kind].references[name]
            slugs = {other["id"]: other["slug"] for other in records[target]}
            given = record[name]
            found = [slugs[item["id"]] for item in given] if isinstance(given, list) else slugs.get(given)
            assert sorted(found or []) == sorted(value or []), (entry, name)
        elif name in ("seo", "translations"):
            assert contains(record[name], value), (entry, name)
        else:
            assert record[name] == value, (entry, name)


def contains(whole: Any, part: Any) -> bool:
    if isinstance(part, dict) and isinstance(whole, dict):
        return all(contains(whole.get(name), value) for name, value in part.items())
    return bool(whole == part)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in {path}"
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_the_whole_example_is_synced_and_a_second_plan_is_empty(example: Path, served: Served) -> None:
    synced = contentsync("sync", example, "--yes", "--format", "json", env=served.env)
    assert synced.code == 0, synced.err
    summary = synced.document["summary"]
    assert summary["failed"] == summary["unknown"] == summary["skipped"] == 0
    assert summary["done"] == summary["create"] == len(synced.document["results"])

    # 150 listings arrive in two bulk requests.
    assert [path for method, path in served.recorder.writes if "projects" in path] == [
        f"/api/directories/{served.directory}/projects/bulk"
    ] * 2
    assert served.get("projects")["meta"]["total"] == 150

    records = {kind: every(served, kind.collection) for kind in Kind}
    entries = load_content(example).entries
    assert sum(map(len, records.values())) == len(entries) == summary["done"]
    for entry in entries:
        assert_equal(entry, records)

    planned = contentsync("plan", example, "--detailed-exitcode", "--format", "json", env=served.env)
    assert planned.code == 0, planned.out
    assert planned.document["summary"] == {
        "create": 0,
        "update": 0,
        "delete": 0,
        "unchanged": summary["done"],
        "drift": 0,
        "unmanaged": 0,
        "adopt": 0,
    }


def test_three_changes_are_three_lines_of_a_plan_and_three_requests(example: Path, served: Served) -> None:
    assert contentsync("sync", example, "--yes", "-q", env=served.env).code == 0
    replace(example / "pages/about.md", "\ntitle: About Bench & Shelf\n", "\ntitle: Who runs this\n")

    table = example / "listings/software/library.csv"
    cell = table.read_text(encoding="utf-8").splitlines()[1].split(",")[0]
    replace(table, f"\n{cell},", f"\n{cell} Plus,")

    french = example / "articles/2025/choosing-a-library-system.fr.md"
    old_french = re.search(r"^title: (.*)$", french.read_text(encoding="utf-8"), re.MULTILINE)
    assert old_french is not None
    replace(french, old_french[0], "title: Un autre titre")

    planned = contentsync("plan", example, "--detailed-exitcode", "--format", "json", env=served.env)
    assert planned.code == CHANGES
    changes = {change["kind"]: change for change in planned.document["changes"]}
    assert len(planned.document["changes"]) == 3
    assert changes["page"]["fields"] == {"title": {"from": "About Bench & Shelf", "to": "Who runs this"}}
    assert changes["listing"]["fields"] == {"name": {"from": cell, "to": f"{cell} Plus"}}
    assert changes["article"]["fields"] == {
        "translations.fr.title": {"from": old_french[1].strip("\"'"), "to": "Un autre titre"}
    }

    served.recorder.requests.clear()
    assert contentsync("sync", example, "--yes", env=served.env).code == 0
    assert [method for method, _ in served.recorder.writes] == ["PUT", "PUT", "PUT"]
    assert contentsync("plan", example, "--detailed-exitcode", env=served.env).code == 0
    articles = {article["slug"]: article for article in every(served, "articles")}
    assert articles["choosing-a-library-system"]["translations"]["fr"]["title"] == "Un autre titre"


def test_planning_and_validating_write_nothing(example: Path, served: Served) -> None:
    """PL-14"""
    assert contentsync("validate", example, env=served.env).code == 0
    assert served.recorder.requests == []
    assert contentsync("plan", example, env=served.env).code == 0
    assert contentsync("status", example, env=served.env).code == 0
    assert served.recorder.writes == []


def test_content_with_errors_sends_nothing(example: Path, served: Served) -> None:
    """PL-03"""
    (example / "pages/bad.md").write_text("---\ntitel: Bad\n---\n", encoding="utf-8")
    for command in (["plan"], ["sync", "--yes"], ["status"]):
        ran = contentsync(*command, example, env=served.env)
        assert ran.code == CONTENT_ERRORS
        assert "pages/bad.md:2:1: unknown-key" in ran.err
    assert served.recorder.requests == []


def test_a_sync_without_a_terminal_requires_yes(example: Path, served: Served) -> None:
    """PL-15"""
    ran = contentsync("sync", example, env=served.env)
    assert ran.code == REFUSED
    assert "--yes" in ran.err
    assert served.recorder.writes == []


def test_a_wrong_token_is_refused_and_never_shown(example: Path, served: Served) -> None:
    """AU-12"""
    ran = contentsync("sync", example, "--yes", env={**served.env, "CONTENTSYNC_TOKEN": "cs_wrong_canary"})
    assert ran.code == SERVER_ERROR
    assert "canary" not in ran.out + ran.err
    assert served.token not in ran.out + ran.err


def test_an_unreachable_server_is_reported(example: Path) -> None:
    env = {"CONTENTSYNC_URL": "http://127.0.0.1:1", "CONTENTSYNC_DIRECTORY": "1", "CONTENTSYNC_TOKEN": "t"}
    ran = contentsync("plan", example, env=env)
    assert ran.code == SERVER_ERROR
    assert "cannot reach http://127.0.0.1:1" in ran.err


def test_a_directory_of_another_user_is_refused(example: Path, served: Served) -> None:
    ran = contentsync("plan", example, env={**served.env, "CONTENTSYNC_DIRECTORY": "2"})
    assert ran.code == SERVER_ERROR


def test_credentials_that_may_only_read_are_refused_whatever_the_number_of_changes(
    tmp_path: Path, served: Served
) -> None:
    """AU-10, HT-14"""
    (tmp_path / "pages").mkdir()
    (tmp_path / "contentsync.toml").touch()
    env = {**served.env, "CONTENTSYNC_TOKEN": served.reader}
    for name in ("one", "two"):
        (tmp_path / f"pages/{name}.md").write_text(f"---\ntitle: {name}\n---\n", encoding="utf-8")
        ran = contentsync("sync", tmp_path, "--yes", env=env)
        assert ran.code == SERVER_ERROR
        assert "pages: 0 of" in ran.err


def test_a_command_that_fails_still_prints_one_json_document(example: Path, served: Served) -> None:
    asked = contentsync("sync", example, "--format", "json", env=served.env)
    assert asked.code == REFUSED
    assert [(refused["code"], refused["flag"]) for refused in asked.document["refused"]] == [("not-confirmed", "--yes")]
    assert asked.document["summary"]["create"] > 200

    denied = contentsync("plan", example, "--format", "json", env={**served.env, "CONTENTSYNC_TOKEN": "wrong"})
    assert (denied.code, denied.document["error"]["message"]) == (
        SERVER_ERROR,
        "the server refused the token: Unauthenticated.",
    )

    (example / "pages/bad.md").write_text("---\ntitel: Bad\n---\n", encoding="utf-8")
    broken = contentsync("sync", example, "--yes", "--format", "json", env=served.env)
    assert broken.code == CONTENT_ERRORS
    assert {problem["path"] for problem in broken.document["problems"]} == {"pages/bad.md"}


def test_a_saved_plan_is_applied_to_the_server_that_the_environment_names(folder: Path, served: Served) -> None:
    file = folder / "saved.plan"
    assert contentsync("plan", folder, "--out", file, env=served.env).code == 0
    synced = contentsync("sync", folder, "--yes", "--plan", file, env=served.env)
    assert synced.code == 0, synced.err
    assert [record["slug"] for record in every(served, "pages")] == ["about"]


def test_a_sync_ends_with_its_duration_and_the_address_of_the_site(folder: Path, served: Served) -> None:
    last = contentsync("sync", folder, "--yes", env=served.env).err.splitlines()[-1]
    assert re.fullmatch(r"took \d+\.\d s; the site is http://127\.0\.0\.1:\d+/sites/tools-[0-9a-f]+/", last)
    assert "took" not in contentsync("sync", folder, "--yes", "--quiet", env=served.env).err
    assert "took" not in contentsync("sync", folder, "--yes", env=served.env).err  # nothing to do


def test_a_sync_to_the_embedded_server_ends_with_its_duration(folder: Path) -> None:
    """No one serves its site."""
    assert re.fullmatch(r"took \d+\.\d s", contentsync("sync", folder, "--yes").err.splitlines()[-1])
