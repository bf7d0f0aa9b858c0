"""authoring.edit.table_file: a pull warns of each cell that it writes and a spreadsheet program would run."""

from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.authoring.edit.pull_edits import plan_edits
from contentsync.authoring.edit.table_file import is_formula
from contentsync.content.folder.load import load_content
from contentsync.errors import Where
from contentsync.model import Kind

from ...content.conftest import Files, write
from .pulls import Changes, entry, incoming

CSV = "listings/a.csv"
TABLE = 'name,slug,description\n"A\nB",a,=old\n\nC,c,Text\n'


def warnings(folder: Path, table: str, changes: Changes, **new: str) -> dict[Where, str]:
    files: Files = {CSV: table, "contentsync.toml": '[content.listings]\npull_to = "a.csv"\n'}
    content = load_content(write(folder, files))
    edits = plan_edits(content, incoming(content, changes, [entry(Kind.LISTING, "new", **new)] if new else [], ()))
    return {warning.where: warning.message for edit in edits for warning in edit.warnings}


@pytest.mark.parametrize("text", ["=cmd|calc", "@SUM(A1)", "\t=1", "\r=1", "+cmd|calc", "-2+3+cmd|calc"])
def test_a_spreadsheet_program_would_run_a_formula(text: str) -> None:
    assert is_formula(text)


@pytest.mark.parametrize("text", ["", "-", "+49 30 1234", "-5", "-5.5", "a=b", "'=1", "mail@example.org"])
def test_a_text_or_a_number_is_not_a_formula(text: str) -> None:
    assert not is_formula(text)


def test_a_changed_cell_has_a_warning_with_its_line_and_column(tmp_path: Path) -> None:
    found = warnings(tmp_path, TABLE, {(Kind.LISTING, "c"): {"description": "=cmd|calc"}})
    assert found == {Where(CSV, 5, 5): "a spreadsheet program would run the description as a formula"}


def test_a_cell_of_a_new_row_or_of_a_new_column_has_a_warning(tmp_path: Path) -> None:
    changes: Changes = {(Kind.LISTING, "a"): {"address": "=1"}, (Kind.LISTING, "c"): {"name": "Other"}}
    assert [*warnings(tmp_path, TABLE, changes, name="@x", description="One, =2")] == [
        Where(CSV, 3, 11),
        Where(CSV, 6, 1),
    ]


def test_a_warning_names_the_entry_of_the_row(tmp_path: Path) -> None:
    files: Files = {CSV: TABLE, "contentsync.toml": '[content.listings]\npull_to = "a.csv"\n'}
    content = load_content(write(tmp_path, files))
    changes: Changes = {(Kind.LISTING, "c"): {"name": "=1"}}
    (edit,) = plan_edits(content, incoming(content, changes, [entry(Kind.LISTING, "new", name="@x")], ()))
    assert [(warning.kind, warning.key) for warning in edit.warnings] == [("listing", "c"), ("listing", "new")]


def test_an_unchanged_formula_of_the_table_has_no_warning(tmp_path: Path) -> None:
    assert warnings(tmp_path, TABLE, {(Kind.LISTING, "a"): {"name": "Other"}}, name="New", description="+49 30") == {}


def test_the_removal_of_a_row_causes_no_warning_for_other_rows(tmp_path: Path) -> None:
    files: Files = {CSV: "name,slug\nA,a\n=old,b\nC,c\n"}
    content = load_content(write(tmp_path, files))
    removed = replace(incoming(content, {(Kind.LISTING, "c"): {"name": "=1"}}, (), ()), deleted=[(Kind.LISTING, "a")])
    (edit,) = plan_edits(content, removed)
    assert [(warning.key, warning.where.line) for warning in edit.warnings] == [("c", 3)]


def test_a_list_needs_no_warning(tmp_path: Path) -> None:
    content = load_content(write(tmp_path, {"listings/a.yaml": "- {name: A, slug: a}\n"}))
    (edit,) = plan_edits(content, incoming(content, {(Kind.LISTING, "a"): {"name": "=1"}}, (), ()))
    assert edit.warnings == ()
