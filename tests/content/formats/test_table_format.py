"""contentsync.content.formats.table_rows: tables as spreadsheets write them, and the settings for them."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from contentsync.content.files.file_text import BLOCK_SIZE
from contentsync.content.folder.load import load_content
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.errors import Severity

from ..conftest import Load, only, spots, write

CSV = "listings/a.csv"


def config(**settings: object) -> str:
    lines = [f"{name} = {str(value) if isinstance(value, int) else repr(value)}" for name, value in settings.items()]
    return "\n".join(["[[content.listings.tables]]", *lines, ""])


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_the_delimiter_is_recognised_from_the_header_and_first_rows(read: Load, delimiter: str) -> None:
    """CS-03, CS-04"""
    rows = [("name", "description"), ("Café", '"a, b"'), ("B", "1,5")]
    content = read({CSV: "".join(delimiter.join(row) + "\n" for row in rows)})
    assert content.problems == ()
    assert [entry.fields["description"] for entry in content.entries] == ["1,5", "a, b"]


def test_commas_in_a_tsv_are_recognised(read: Load) -> None:
    assert only(read({"listings/a.tsv": "name,slug\nA,a\n"})).key == "a"


def test_a_comma_in_a_quoted_column_name_does_not_hide_the_delimiter(read: Load) -> None:
    settings = '[content.listings]\nignore = ["Price, EUR"]\n'
    assert only(read({CSV: '"name";"Price, EUR"\nA;"1,50"\n', "contentsync.toml": settings})).fields["name"] == "A"


@pytest.mark.parametrize(
    "text",
    [
        "name;slug\n",
        "name;slug\nA\n",
        "name;slug\nA;a;b\n",
        "name;slug\nA;a\nB\n",
        "name;slug|url\nA;b|c\n",
        'name;slug\nA;"a\n',
    ],
)
def test_an_uncertain_delimiter_is_reported(read: Load, text: str) -> None:
    assert spots(read({CSV: text})) == [(CSV, 1, 1, "wrong-delimiter")]


def test_later_rows_do_not_change_the_recognised_delimiter(read: Load) -> None:
    content = read({CSV: "name;slug\n" + "".join(f"A;a{row}\n" for row in range(30)) + "A;b;c\n"})
    assert spots(content) == [(CSV, 32, 5, "ragged-row")]


def test_empty_lines_above_the_header_do_not_extend_the_search_for_a_delimiter(read: Load) -> None:
    assert spots(read({CSV: "\n" * 200 + "name;slug\nA;a\n"})) == [(CSV, 201, 1, "wrong-delimiter")]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be"])
def test_utf16_is_read_with_a_byte_order_mark_or_a_setting(read: Load, encoding: str) -> None:
    """FI-02, CS-02"""
    text = "name\tdescription\r\nÜbung\tein 😀\r\n"
    settings = config(encoding="UTF-16") if encoding == "utf-16-le" else ""
    bom = "\ufeff" if encoding == "utf-16-be" else ""
    entry = only(read({CSV: (bom + text).encode(encoding), "contentsync.toml": settings}))
    assert (entry.fields["name"], entry.fields["description"]) == ("Übung", "ein 😀")


def test_utf16_is_read_in_blocks_of_any_alignment(read: Load) -> None:
    rows = BLOCK_SIZE // 20
    text = "name,slug\n" + "".join(f"é😀{row},a{row}\n" for row in range(rows))
    content = read({CSV: text.encode("utf-16")})
    assert (content.problems, content.counts["listing"]) == ((), rows)


@pytest.mark.parametrize(
    ("data", "line", "column", "code"),
    [
        ("name\nA\x00B\n".encode("utf-16"), 2, 2, "control-character"),
        (b"\xff\xfen\x00a\x00m\x00e\x00\n\x00A\x00\x00\xd8B\x00", 2, 2, "not-utf8"),
        ("name\nA".encode("utf-16") + b"B", 2, 2, "not-utf8"),
        (b"\xff\xfe" + "\0name".encode("utf-16-le"), 1, 1, "control-character"),
    ],
)
def test_an_error_in_utf16_has_a_location(read: Load, data: bytes, line: int, column: int, code: str) -> None:
    assert spots(read({CSV: data})) == [(CSV, line, column, code)]


def test_windows_1252_requires_the_setting_and_causes_one_warning(read: Load) -> None:
    data = "name,description\nA,b\nB,“quoted” €5\nC,é\n".encode("cp1252")
    problem = read({CSV: data}).problems[0]
    assert (problem.code, problem.where.line, problem.where.column) == ("not-utf8", 3, 3)
    assert "content.listings.tables" in problem.hint
    content = read({CSV: data, "contentsync.toml": config(encoding="windows-1252")})
    assert spots(content) == [(CSV, 3, 3, "legacy-encoding")]
    assert "Windows-1252, as in '“quoted” €5'" in content.problems[0].message
    assert content.entries[1].fields["description"] == "“quoted” €5"


def test_an_ascii_table_declared_as_windows_1252_causes_no_warning(read: Load) -> None:
    assert only(read({CSV: "name\nA\n", "contentsync.toml": config(encoding="windows-1252")})).fields["name"] == "A"


def test_a_utf8_table_declared_as_windows_1252_is_an_error(read: Load) -> None:
    content = read({CSV: "name\nMüller\nSöhne\n", "contentsync.toml": config(encoding="windows-1252")})
    errors = [problem for problem in content.problems if problem.severity is Severity.ERROR]
    assert [(it.code, it.message) for it in errors] == [
        ("not-utf8", "the config says that the file is Windows-1252, but it is UTF-8")
    ]


def test_windows_1252_that_is_also_valid_utf8_is_read(read: Load) -> None:
    data = "name\nCAFÉ®\n".encode("cp1252")
    content = read({CSV: data, "contentsync.toml": config(encoding="windows-1252")})
    assert [entry.fields["name"] for entry in content.entries] == ["CAFÉ®"]


def test_a_byte_missing_in_windows_1252_is_an_error(read: Load) -> None:
    content = read({CSV: b"name\nA\x81\n", "contentsync.toml": config(encoding="windows-1252")})
    assert [(it.where.line, it.where.column, it.message) for it in content.problems] == [
        (2, 2, "the byte 0x81 is not Windows-1252")
    ]


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-8"])
def test_a_byte_order_mark_that_contradicts_the_setting_is_an_error(read: Load, encoding: str) -> None:
    content = read({CSV: "name\nA\n".encode("utf-16"), "contentsync.toml": config(encoding=encoding)})
    assert spots(content) == [(CSV, 1, 1, "not-utf8")]
    assert "byte order mark of UTF-16" in content.problems[0].message


def test_rows_above_the_header_are_skipped_and_still_counted(read: Load) -> None:
    text = 'Export of "tools"\nMarch,2026,,\nname,slug\n\nA,a\nB,b,c\n'
    content = read({CSV: text, "contentsync.toml": config(header_row=3)})
    assert spots(content) == [(CSV, 6, 5, "ragged-row")]
    content = read({CSV: text.removesuffix("B,b,c\n"), "contentsync.toml": config(header_row=3)})
    source = only(content).source
    assert source
    assert source.line == 5


def test_the_header_row_setting_works_with_another_delimiter(read: Load) -> None:
    content = read({CSV: "Export, of tools\nname;slug\nA;a\n", "contentsync.toml": config(header_row=2)})
    assert only(content).key == "a"


@pytest.mark.parametrize(("text", "line"), [("name\n", 1), ("", 1), ("name\n\nA\n", 2)])
def test_a_missing_header_row_is_an_error(read: Load, text: str, line: int) -> None:
    content = read({CSV: text, "contentsync.toml": config(header_row=2)})
    assert spots(content) == [(CSV, line, 1, "no-header")]


def test_lists_in_cells_can_have_another_separator(read: Load) -> None:
    files = {
        CSV: 'name,tags,extra\nA,"wood, metal","x, y|z"\n',
        "tags.yaml": "- title: wood\n- title: metal\n",
        "custom_fields.yaml": "- {name: extra, label: E, type: multi_select, options: [x, y|z]}\n",
        "contentsync.toml": config(list_separator=","),
    }
    content = read(files)
    assert content.problems == ()
    listing = next(entry for entry in content.entries if entry.kind == "listing")
    assert (listing.fields["tags"], listing.fields["extra"]) == (["wood", "metal"], ["x", "y|z"])


def test_the_hint_for_a_list_shows_the_separator_of_the_table(read: Load) -> None:
    files = {CSV: 'name,tags\nA,"wood, metal"\n', "tags.yaml": "- title: wood\n- title: metal\n"}
    assert "with |: wood|metal" in read(files).problems[0].hint
    assert "with /: wood/metal" in read({**files, "contentsync.toml": config(list_separator="/")}).problems[0].hint


def test_the_first_table_format_with_a_matching_path_is_used(read: Load) -> None:
    settings = config(path="export/*.csv", header_row=2) + config(path="b.csv", delimiter="|") + config(path="*.csv")
    files = {"listings/export/a.csv": "Title\nname\nA\n", "listings/b.csv": "name|slug\n", CSV: "name\nC\n"}
    content = read({**files, "contentsync.toml": settings})
    assert [entry.fields["name"] for entry in content.entries] == ["A", "C"]
    assert spots(content) == [("listings/b.csv", 1, 1, "empty-file")]


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        ({"delimiter": ":"}, "not-a-choice"),
        ({"encoding": "latin-9"}, "not-a-choice"),
        ({"header_row": 0}, "out-of-range"),
        ({"list_separator": "::"}, "not-a-choice"),
        ({"list_separator": "a"}, "not-a-choice"),
        ({"numbers": "1 234,56"}, "not-a-choice"),
        ({"skip_rows": "Total"}, "not-a-list"),
        ({"seperator": ";"}, "unknown-key"),
    ],
)
def test_a_wrong_table_setting_is_reported_in_the_config(read: Load, settings: dict[str, object], code: str) -> None:
    content = read({CSV: "name\nA\n", "contentsync.toml": config(**settings)})
    assert [(it.where.path, it.code) for it in content.problems] == [("contentsync.toml", code)]


@pytest.mark.parametrize(
    ("style", "cell", "number"),
    [
        ("1.234,56", "1.201", 1201),
        ("1.234,56", "1.201,5", 1201.5),
        ("1.234,56", "-1 201 000,25", -1201000.25),
        ("1.234,56", "1’201", 1201),
        ("1.234,56", "150,00", 150),
        ("1.234,56", "48.2", 48.2),  # only one reading
        ("1,234.56", '"1,201.5"', 1201.5),
        ("1,234.56", "1.201", 1.201),
        ("1234.56", "1.201", 1.201),
    ],
)
def test_numbers_are_read_in_the_style_of_the_table(read: Load, style: str, cell: str, number: float) -> None:
    fields = "- {name: fee, label: Fee, type: number}\n- {name: code, label: Code, type: text}\n"
    files = {CSV: f"name;fee;code\nA;{cell};1.201\n", "custom_fields.yaml": fields}
    content = read({**files, "contentsync.toml": config(numbers=style)})
    (listing,) = (entry for entry in content.entries if entry.kind == "listing")
    assert content.problems == ()
    assert (listing.fields["fee"], listing.fields["code"]) == (number, "1.201")


def test_a_number_of_another_style_is_an_error(read: Load) -> None:
    content = read({CSV: "name;latitude;longitude\nA;1,201.5;2\n", "contentsync.toml": config(numbers="1.234,56")})
    assert [it.code for it in content.problems] == ["not-a-number"]


def test_rows_of_sums_are_skipped(read: Load) -> None:
    text = "name,slug,description\nA,a,Total\nTotal,,12\n,Total,13\nTotals,totals,14\n"
    content = read({CSV: text, "contentsync.toml": "[[content.listings.tables]]\nskip_rows = ['Total']\n"})
    assert [entry.key for entry in content.entries] == ["a", "totals"]


@pytest.mark.parametrize(
    ("text", "settings"),
    [
        ("Export\nname;tags;url\nÄ;x/y;https://a.example\n", {"header_row": 2, "list_separator": "/"}),
        ("name;url\nÄ;https://a.example\n", {"encoding": "windows-1252"}),
        ("name;url\nÄ;https://a.example\n", {"encoding": "utf-16"}),
    ],
    ids=["header row and separator", "windows-1252", "utf-16"],
)
def test_synced_rows_are_found_in_tables_of_any_format(tmp_path: Path, text: str, settings: dict[str, object]) -> None:
    """A row whose digest is that of the last sync is found and left out; a row with another URL is loaded."""
    encoding = str(settings.get("encoding", "utf-8"))
    other_files = {"contentsync.toml": config(**settings), "tags.yaml": "- title: x\n- title: y\n"}
    write(tmp_path, {CSV: text.encode(encoding), **other_files})
    digests = digests_of(tmp_path)
    synced = SyncedRows(digests)
    assert load_content(tmp_path, synced=synced).counts["listing"] == 0
    assert len(synced.found) == 1
    with_other_url = text.replace("https://a", "https://b")
    write(tmp_path, {CSV: with_other_url.encode(encoding), **other_files})
    assert load_content(tmp_path, synced=SyncedRows(digests)).counts["listing"] == 1


def digests_of(folder: Path) -> list[str]:
    """Return the digests of all rows of a folder's tables."""
    rows = SyncedRows()
    load_content(folder, synced=rows)
    return [*rows.others.values()]


@pytest.mark.parametrize(("name", "values"), [("list_separator", "/|"), ("numbers", ["1.234,56", "1234.56"])])
def test_a_setting_of_values_changes_the_digests_of_rows(tmp_path: Path, name: str, values: Sequence[str]) -> None:
    digests = []
    for value in values:
        write(tmp_path, {CSV: "name,url\nA,b/c\n", "contentsync.toml": config(**{name: value})})
        digests += digests_of(tmp_path)
    assert digests[0] != digests[1]


def test_changing_the_table_format_invalidates_the_cache(tmp_path: Path) -> None:
    cache = InMemoryCache(margin=-(10**12))  # nanoseconds: it also caches files that are as new as those of a test
    write(tmp_path, {CSV: "name;tags\nA;x/y\n", "tags.yaml": "- title: x\n- title: y\n"})
    assert "unknown-reference" in {problem.code for problem in load_content(tmp_path, cache).problems}
    write(tmp_path, {"contentsync.toml": config(list_separator="/")})
    assert "unknown-reference" not in {problem.code for problem in load_content(tmp_path, cache).problems}
