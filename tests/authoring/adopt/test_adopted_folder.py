"""contentsync.authoring.adopt.adopted_folder: how a folder reads with what was proposed."""

from pathlib import Path

from contentsync.authoring.adopt.adopted_folder import AdoptedFolder, try_files
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.authoring.adopt.repository_tree import MAX_FILES
from contentsync.content.folder.load import validate_folder
from contentsync.model import Kind

from .repositories import NOW, Files, write

CONFIG = b'[site]\nname = "A"\n[content.listings]\npath = "data"\nrename = { label = "name" }\n'
LISTINGS = "- {label: A, tags: [web], mood: calm}\n- {label: B, tags: [none], mood: 3}\n- {label: A}\n"
PROPOSED = {
    "contentsync.toml": CONFIG,
    "tags.yaml": b"- title: Web\n  slug: web\n- title: Again\n  slug: web\n",
    "custom_fields.yaml": b"- {label: Mood, name: mood, type: select, options: [calm]}\n",
}
FILES: Files = {"data/a.yaml": LISTINGS, "listings/other.csv": "name\nX\n", "contentsync.toml": "[site]\nbad = 1\n"}


def test_a_trial_reports_the_problems_that_the_written_files_would_have(tmp_path: Path) -> None:
    folder = write(tmp_path, FILES)
    before = sorted(folder.rglob("*"))
    trial = try_files(folder, PROPOSED)
    assert sorted(folder.rglob("*")) == before
    assert trial.entries == {Kind.TAG: 2, Kind.CUSTOM_FIELD: 1, Kind.LISTING: 3}
    assert trial.report.counts["listing"] == 1
    write(folder, {**FILES, **PROPOSED})
    assert validate_folder(folder).problems == trial.report.problems
    assert {"duplicate-identity", "unknown-reference", "not-a-choice"} <= {it.code for it in trial.report.problems}


def test_a_trial_does_not_use_results_cached_for_the_present_config(tmp_path: Path) -> None:
    files: Files = {f"pages/{n}.md": f"---\ntitle: {n}\nrank: 1\n---\n" for n in range(3)}
    folder = write(tmp_path, {**files, "contentsync.toml": ""})
    assert len(validate_folder(folder).errors) == 3
    cached = {file: file.read_bytes() for file in (folder / ".contentsync").rglob("*") if file.is_file()}
    assert cached
    config = b'[content.pages]\nrename = { rank = "order" }\n'
    assert try_files(folder, {"contentsync.toml": config}).report.problems == ()
    assert {file: file.read_bytes() for file in (folder / ".contentsync").rglob("*") if file.is_file()} == cached


def test_declared_fields_are_read_by_kind(tmp_path: Path) -> None:
    fields = "- {label: A, name: a, type: text}\n- {label: B, name: b, type: text, fieldable_type: article}\n- {x: y}\n"
    folder = write(tmp_path, {"custom_fields.yaml": fields, "contentsync.toml": ""})
    found = AdoptedFolder(folder, DefaultAnswers(), NOW, MAX_FILES).declared_fields()
    assert {kind: {*names} for kind, names in found.items() if names} == {Kind.LISTING: {"a"}, Kind.ARTICLE: {"b"}}


def test_a_declared_field_without_a_readable_kind_counts_for_each_kind(tmp_path: Path) -> None:
    fields = "- {label: A, name: a, type: text, fieldable_type: [listing]}\n"
    folder = write(tmp_path, {"custom_fields.yaml": fields, "contentsync.toml": ""})
    found = AdoptedFolder(folder, DefaultAnswers(), NOW, MAX_FILES).declared_fields()
    assert {*found} == {kind for kind, names in found.items() if names == {"a"}}
