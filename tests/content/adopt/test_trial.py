"""contentsync.content.adopt.trial: the real reader, with files that are not written yet."""

from pathlib import Path

from contentsync.content.adopt.trial import declared_fields, try_files
from contentsync.content.config import read_config
from contentsync.content.load import validate_folder
from contentsync.content.unit_cache import MIN_FILES
from contentsync.model import Kind

from .repositories import Files, write

CONFIG = b'[site]\nname = "A"\n[content.listings]\npath = "data"\nrename = { label = "name" }\n'
LISTINGS = "- {label: A, tags: [web], mood: calm}\n- {label: B, tags: [none], mood: 3}\n- {label: A}\n"
PROPOSED = {
    "contentsync.toml": CONFIG,
    "tags.yaml": b"- title: Web\n  slug: web\n- title: Again\n  slug: web\n",
    "custom_fields.yaml": b"- {label: Mood, name: mood, type: select, options: [calm]}\n",
}
FILES: Files = {"data/a.yaml": LISTINGS, "listings/other.csv": "name\nX\n", "contentsync.toml": "[site]\nbad = 1\n"}


def test_the_result_is_that_of_the_written_files(tmp_path: Path) -> None:
    folder = write(tmp_path, FILES)
    before = sorted(folder.rglob("*"))
    trial = try_files(folder, PROPOSED)
    assert sorted(folder.rglob("*")) == before
    assert trial.entries == {Kind.TAG: 2, Kind.CUSTOM_FIELD: 1, Kind.LISTING: 3}
    assert trial.report.counts["listing"] == 1
    write(folder, {**FILES, **PROPOSED})
    assert validate_folder(folder).problems == trial.report.problems
    assert {"duplicate-identity", "unknown-reference", "not-a-choice"} <= {it.code for it in trial.report.problems}


def test_cached_results_of_the_present_config_are_not_used(tmp_path: Path) -> None:
    files: Files = {f"pages/{n}.md": f"---\ntitle: {n}\nrank: 1\n---\n" for n in range(MIN_FILES)}
    folder = write(tmp_path, {**files, "contentsync.toml": ""})
    assert len(validate_folder(folder).errors) == MIN_FILES
    cached = {file: file.read_bytes() for file in (folder / ".contentsync").rglob("*") if file.is_file()}
    assert cached
    config = b'[content.pages]\nrename = { rank = "order" }\n'
    assert try_files(folder, {"contentsync.toml": config}).report.problems == ()
    assert {file: file.read_bytes() for file in (folder / ".contentsync").rglob("*") if file.is_file()} == cached


def test_declared_fields_are_read_by_kind(tmp_path: Path) -> None:
    fields = "- {label: A, name: a, type: text}\n- {label: B, name: b, type: text, fieldable_type: article}\n- {x: y}\n"
    folder = write(tmp_path, {"custom_fields.yaml": fields, "contentsync.toml": ""})
    found = declared_fields(folder, read_config(folder)[0])
    assert {kind: {*names} for kind, names in found.items() if names} == {Kind.LISTING: {"a"}, Kind.ARTICLE: {"b"}}


def test_a_declared_field_with_an_error_counts_for_each_kind_that_it_may_be_for(tmp_path: Path) -> None:
    fields = "- {label: A, name: a, type: text, fieldable_type: [listing]}\n"
    folder = write(tmp_path, {"custom_fields.yaml": fields, "contentsync.toml": ""})
    found = declared_fields(folder, read_config(folder)[0])
    assert {*found} == {kind for kind, names in found.items() if names == {"a"}}
