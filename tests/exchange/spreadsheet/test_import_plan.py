"""Export, a spreadsheet, and import: the command, on listings in every format."""

import csv
import io
import json
import random
import re
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from openpyxl import Workbook, load_workbook

from contentsync.cli import run
from contentsync.content.folder.load import load_content
from contentsync.exchange.spreadsheet.sheet import IN_FILE, KEY, make_sheet
from contentsync.model import Kind

from ...exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ...in_process import environment, run_command
from ...sampling import sampled
from .folder import NASTY, make_folder
from .record import FORMS, LOCALES, RECORDED, office, opened_and_saved

EDITS = 200


@pytest.fixture
def site(tmp_path: Path) -> Path:
    return make_folder(tmp_path / "site")


def command(*arguments: object, exit_code: int = 0) -> None:
    assert run([*map(str, arguments)]) == exit_code


def exported(site: Path, form: str) -> Path:
    """Export the listings of a site, and return the file."""
    file = site.parent / f"listings{form}"
    command("export", "listings", file, site, "--force")
    return file


def imported(file: Path, site: Path, capsys: pytest.CaptureFixture[str], exit_code: int = 0) -> Any:
    """Return the JSON document of an import."""
    capsys.readouterr()
    command("import", file, site, "--yes", "--format=json", exit_code=exit_code)
    return json.loads(capsys.readouterr().out)


def files_of(site: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted((site / "listings").iterdir())}


def texts_of(site: Path) -> dict[str, dict[str, str]]:
    return {row.key: dict(row.cells) for row in make_sheet(load_content(site)).rows}


def edit(file: Path, changes: dict[tuple[str, str], str]) -> None:
    """Set cells, by key and column, as a user does."""
    if file.suffix == ".xlsx":
        book = load_workbook(file)
        sheet = book["listings"]
        columns = {cell.value: cell.column for cell in sheet[1]}
        rows = {sheet.cell(number, 1).value: number for number in range(2, sheet.max_row + 1)}
        for (key, name), text in changes.items():
            cell = sheet.cell(rows[key], columns[name])
            cell.value = text or None
            if text:
                cell.data_type = "s"
        book.save(file)
        return
    delimiter = "\t" if file.suffix == ".tsv" else ","
    rows_ = [*csv.reader(io.StringIO(file.read_text("utf-8-sig"), newline=""), delimiter=delimiter)]
    for row in rows_[1:]:
        for index, name in enumerate(rows_[0]):
            if (row[0].removeprefix("'"), name) in changes:
                text = changes[row[0].removeprefix("'"), name]
                row[index] = f"'{text}" if text.startswith(("'", "#")) else text
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows(rows_)
    file.write_bytes(out.getvalue().encode("utf-8-sig"))


@pytest.mark.parametrize("form", FORMS)
def test_an_import_of_an_export_changes_nothing(site: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = files_of(site)
    document = imported(exported(site, form), site, capsys)
    assert (document["changes"], document["new"], document["missing"]) == ([], [], [])
    assert files_of(site) == before


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("form", FORMS)
def test_a_file_saved_by_libreoffice_in_each_of_three_languages_changes_nothing(
    site: Path, form: str, locale: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files_of(site)
    document = imported(RECORDED / locale / f"listings{form}", site, capsys)
    assert (document["changes"], document["conflicts"], document["missing"]) == ([], [], [])
    assert files_of(site) == before


@pytest.mark.whole
@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("form", FORMS)
def test_a_file_saved_by_the_installed_libreoffice_changes_nothing(
    site: Path, tmp_path: Path, form: str, locale: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program = office()
    if program is None:
        pytest.skip("LibreOffice is not installed; the recorded files are tested")
    document = imported(opened_and_saved(program, exported(site, form), locale, tmp_path), site, capsys)
    assert (document["changes"], document["conflicts"], document["missing"]) == ([], [], [])


@pytest.mark.parametrize("seed", sampled(range(5), 5))
@pytest.mark.parametrize("form", FORMS)
def test_only_the_edited_cells_change_in_the_files(
    site: Path, form: str, seed: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """In CSV, YAML, JSON and TOML; comments and the lines of other values stay byte for byte."""
    drawn = random.Random(seed)
    file, before = exported(site, form), texts_of(site)
    lines = {path: data.splitlines() for path, data in files_of(site).items()}
    values = {
        "description": [*NASTY, ""],
        "code": [*NASTY, ""],
        "range": [*NASTY, ""],
        "price": ["7", "1200.5", "-3", ""],
        "size": ["small", "large", "1-2", ""],
        "open": ["yes", "no", ""],
        "categories": ["tools", "places", "tools|places", ""],
    }
    cells = drawn.sample([(key, name) for key in before for name in values], EDITS)
    changes = {(key, name): drawn.choice(values[name]) for key, name in cells}
    edit(file, changes)
    document = imported(file, site, capsys)
    expected = {key: dict(row) for key, row in before.items()}
    for (key, name), text in changes.items():
        expected[key][name] = text.strip()
    assert texts_of(site) == expected
    assert {(change["key"], change["field"]) for change in document["changes"]} == {
        (key, name) for key, name in changes if expected[key][name] != before[key][name]
    }
    for path, data in files_of(site).items():
        assert {line for line in lines[path] if line.startswith(b"#")} <= {*data.splitlines()}
    command("export", "listings", file, site, "--force")
    assert imported(file, site, capsys)["changes"] == []


def test_broken_house_rules_stop_neither_an_export_nor_an_import(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (site / "contentsync.toml").write_text('[rules.listing]\nrequire = ["price"]\nmax = { price = 2000 }\n')
    command("validate", site, exit_code=CONTENT_ERRORS)
    file = exported(site, ".csv")
    key = next(
        entry.key
        for entry in load_content(site, may_break_rules=True).entries
        if entry.kind is Kind.LISTING and not entry.fields.get("price")
    )
    edit(file, {(key, "price"): "3000"})
    assert len(imported(file, site, capsys)["changes"]) == 1
    (price,) = (each.fields["price"] for each in load_content(site, may_break_rules=True).entries if each.key == key)
    assert price == 3000


def test_a_cell_that_also_changed_in_the_folder_is_an_unwritten_conflict(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, before = exported(site, ".xlsx"), texts_of(site)
    key, other = [*before][:2]
    first = exported(site, ".csv")
    edit(first, {(key, "description"): "of the folder"})
    imported(first, site, capsys)
    edit(file, {(key, "description"): "of the sheet", (other, "description"): "also new"})
    document = imported(file, site, capsys, exit_code=REFUSED)
    assert [(it["key"], it["here"], it["there"]) for it in document["conflicts"]] == [
        (key, "of the folder", "of the sheet")
    ]
    assert texts_of(site)[key]["description"] == "of the folder"
    assert texts_of(site)[other]["description"] == "also new"


def test_a_sheet_that_is_imported_again_has_no_conflicts(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The folder has its own form of the values that the first import wrote."""
    file, key = exported(site, ".csv"), "https://example.org/3"
    edit(file, {(key, "is_featured"): "TRUE", (key, "categories"): "Places | Tools"})
    assert len(imported(file, site, capsys)["changes"]) == 2
    again = imported(file, site, capsys)
    assert (again["changes"], again["conflicts"]) == ([], [])
    edit(file, {(key, "is_featured"): "maybe", (key, "categories"): "Places"})
    again = imported(file, site, capsys, exit_code=REFUSED)
    assert [it["field"] for it in again["conflicts"]] == ["categories", "is_featured"]
    capsys.readouterr()
    command("import", file, site, "--yes", exit_code=REFUSED)
    assert capsys.readouterr().out.endswith("the folder has what listings.csv has apart from that\n")


def test_a_change_in_the_folder_since_the_export_is_not_reverted(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new, key = exported(site, ".tsv"), exported(site, ".csv"), "https://example.org/3"
    edit(new, {(key, "description"): "of the folder"})
    imported(new, site, capsys)
    assert imported(old, site, capsys)["changes"] == []
    assert texts_of(site)[key]["description"] == "of the folder"


@pytest.mark.parametrize("form", FORMS)
def test_a_deleted_row_is_reported_and_its_entry_is_kept(
    site: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file, before = exported(site, form), files_of(site)
    if form == ".xlsx":
        book = load_workbook(file)
        book["listings"].delete_rows(3)
        key = book["_base"].cell(3, 1).value
        book.save(file)
    else:
        rows = [
            *csv.reader(io.StringIO(file.read_text("utf-8-sig"), newline=""), delimiter="," if form == ".csv" else "\t")
        ]
        key = rows.pop(2)[0].removeprefix("'")
        out = io.StringIO()
        csv.writer(out, delimiter="," if form == ".csv" else "\t").writerows(rows)
        file.write_text(out.getvalue(), "utf-8-sig")
    assert imported(file, site, capsys)["missing"] == [key]
    assert files_of(site) == before


def test_an_import_names_the_columns_that_it_adds_to_a_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "site"
    (folder / "listings").mkdir(parents=True)
    (folder / "contentsync.toml").touch()
    (folder / "listings/a.csv").write_text("name,slug\nLathe,lathe\nSaw,saw\n", "utf-8")
    (folder / "listings/b.csv").write_text("name,slug,phone_number\nDrill,drill,1\n", "utf-8")
    file = exported(folder, ".csv")
    edit(file, {("lathe", "phone_number"): "2"})
    command("import", file, folder, "--yes")
    assert "  ! listings/a.csv  new column phone_number: all rows change\n" in capsys.readouterr().out


def test_a_new_row_becomes_an_entry(
    site: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # all spare rows
    file = exported(site, ".xlsx")
    book = load_workbook(file)
    sheet = book["listings"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    last = sheet.max_row - 400
    for name, text in (
        ("name", "Brand new"),
        ("url", "https://example.org/new"),
        ("categories", "places"),
        ("price", 7),
    ):
        sheet.cell(last, columns[name]).value = text
    book.save(file)
    assert [entry["key"] for entry in imported(file, site, capsys)["new"]] == ["https://example.org/new"]
    assert (
        texts_of(site)["https://example.org/new"] | {"price": "7", "categories": "places"}
        == texts_of(site)["https://example.org/new"]
    )


def test_an_invalid_value_is_reported_with_its_row_and_nothing_is_written(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, before = exported(site, ".csv"), files_of(site)
    edit(file, {("https://example.org/0", "price"): "cheap", ("https://example.org/4", "description"): "fine"})
    document = imported(file, site, capsys, exit_code=CONTENT_ERRORS)
    assert [(it["path"], it["line"]) for it in document["problems"]] == [("listings.csv", 2)]
    assert files_of(site) == before


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("https://example.org/0,", "https://example.org/absent,", "the folder has no entry with the key"),
        ("https://example.org/0,", "https://example.org/4,", "have the same key"),
        (",description,", ",beschreibung,", "has a column beschreibung, which is no field"),
        (",description,", ",name,", "has 2 columns name"),
    ],
)
def test_a_table_with_wrong_keys_or_columns_is_refused(
    site: Path, old: str, new: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = exported(site, ".csv")
    text = file.read_text("utf-8-sig")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8-sig")
    document = imported(file, site, capsys, exit_code=CONTENT_ERRORS)
    assert message in document["problems"][0]["message"]


def test_an_import_refuses_to_change_the_url_of_an_entry(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = exported(site, ".csv")
    edit(file, {("https://example.org/0", "url"): "https://example.org/moved"})
    document = imported(file, site, capsys, exit_code=CONTENT_ERRORS)
    assert "by which the sync finds the entry" in document["problems"][0]["message"]


def test_an_import_without_terminal_and_yes_writes_nothing(site: Path) -> None:
    file, before = exported(site, ".csv"), files_of(site)
    edit(file, {("https://example.org/0", "description"): "new"})
    assert run_command(["import", str(file), str(site)], environment()).code == REFUSED
    assert files_of(site) == before


def test_an_existing_file_is_not_replaced(site: Path) -> None:
    exported(site, ".csv")
    command("export", "listings", site.parent / "listings.csv", site, exit_code=WRONG_USAGE)


def test_a_file_that_is_not_a_workbook_is_an_error(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = site.parent / "broken.xlsx"
    file.write_bytes(b"not a zip file")
    assert "is not an .xlsx file" in imported(file, site, capsys, exit_code=CONTENT_ERRORS)["problems"][0]["message"]


def test_a_workbook_without_an_export_is_refused_with_a_hint_at_csv(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    book = Workbook()
    book.save(file := site.parent / "orders.xlsx")
    (problem,) = imported(file, site, capsys, exit_code=CONTENT_ERRORS)["problems"]
    assert "has no sheets listings and _base" in problem["message"]
    assert problem["hint"].endswith("save an ordinary list as CSV in the folder of the listings instead")


@pytest.mark.parametrize(
    ("part", "replaced", "by"),
    [
        ("xl/worksheets/sheet1.xml", b"</worksheet>", b""),
        ("xl/workbook.xml", b"<workbook", b""),
        ("xl/worksheets/sheet1.xml", b'r="A1"', b'r="ZZZZZ1"'),
    ],
)
def test_a_damaged_workbook_is_an_error(
    site: Path, part: str, replaced: bytes, by: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    file = exported(site, ".xlsx")
    with ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    assert replaced in parts[part]
    with ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data.replace(replaced, by, 1) if name == part else data)
    assert "is not an .xlsx file" in imported(file, site, capsys, exit_code=CONTENT_ERRORS)["problems"][0]["message"]


def set_formula(file: Path, formula: str, result: str) -> None:
    """Write a formula into the cell C2, with its result as a spreadsheet program saves it, or with none."""
    with ZipFile(file) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    cell = rf'<c r="C2" t="str"><f>{formula}</f>{result}</c>'.encode()
    part = "xl/worksheets/sheet1.xml"
    parts[part], count = re.subn(rb'<c r="C2"[^>]*?(/>|>.*?</c>)', cell, parts[part], count=1)
    assert count == 1
    with ZipFile(file, "w") as archive:
        for name, data in parts.items():
            archive.writestr(name, data)


def test_a_formula_is_imported_as_its_result(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = exported(site, ".xlsx")
    set_formula(file, "UPPER(&quot;new&quot;)", "<v>NEW</v>")
    assert [change["to"] for change in imported(file, site, capsys)["changes"]] == ["NEW"]


def test_a_formula_without_a_saved_result_is_refused(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, before = exported(site, ".xlsx"), files_of(site)
    set_formula(file, "UPPER(&quot;new&quot;)", "")
    [problem] = imported(file, site, capsys, exit_code=CONTENT_ERRORS)["problems"]
    assert "no result of the formula in cell C2" in problem["message"]
    assert files_of(site) == before


def test_a_text_longer_than_a_cell_is_not_exported_and_does_not_change(
    site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "---\nname: Long\nurl: https://example.org/long\n---\n" + 7_000 * "word "
    (site / "listings/long.md").write_text(text, encoding="utf-8")
    file, before = exported(site, ".xlsx"), files_of(site)
    assert IN_FILE in [cell.value for row in load_workbook(file)["listings"] for cell in row]
    edit(file, {("https://example.org/0", "description"): "new"})
    document = imported(file, site, capsys)
    assert [change["field"] for change in document["changes"]] == ["description"]
    assert files_of(site)[site / "listings/long.md"] == before[site / "listings/long.md"]


@pytest.mark.parametrize("name", ["absent/listings.csv", "folder.csv"])
def test_an_export_to_a_path_that_cannot_be_written_is_an_error(
    site: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (site.parent / "folder.csv").mkdir()
    command("export", "listings", site.parent / name, site, "--force", exit_code=CONTENT_ERRORS)
    assert f"{name} cannot be written" in capsys.readouterr().err


def test_key_cells_are_locked_and_choices_are_offered_as_a_list(site: Path) -> None:
    book = load_workbook(exported(site, ".xlsx"))
    sheet = book["listings"]
    columns = {cell.value: cell.column_letter for cell in sheet[1]}
    assert sheet.protection.sheet
    assert sheet["A2"].protection.locked
    assert not sheet["B2"].protection.locked
    assert sheet["A1"].value == KEY
    assert book["_base"].sheet_state == book["_choices"].sheet_state == "hidden"
    offered = {str(it.sqref).split(":")[0]: it.formula1 for it in sheet.data_validations.dataValidation}
    source = offered[f"{columns['size']}2"].replace("$", "").partition("!")[2]
    assert [cell[0].value for cell in book["_choices"][source]] == ["small", "large", "1-2"]
    for row in sheet.iter_rows(min_row=2):
        assert all(cell.data_type in ("s", "n") for cell in row)
