"""contentsync.content.folder.row_blocks: listings that are read in blocks are those that are read row by row."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from contentsync.content.files.source_file import ContentRoot, FolderView
from contentsync.content.folder.folder_reader import FolderReader
from contentsync.content.folder.load import load_content
from contentsync.content.folder.row_blocks import MAX_CHARACTERS, Blocks, in_blocks
from contentsync.content.folder.scan import ContentFile
from contentsync.content.folder.translations import Unit
from contentsync.content.folder.unit_results import EntryRecord, ReadLog
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.table_rows import TableRow
from contentsync.model import Kind

from ...sampling import sampled
from ..conftest import write
from .listing_tables import CATEGORIES, CUSTOM_FIELDS, ORGANIZERS, SETTINGS, TAGS, ZONES, as_list, listing_table

TABLE, LIST = "listings/all.csv", "listings/all.yaml"


def compare(folder: Path, size: int) -> tuple[int, int]:
    """Read the listings in both ways, assert equal results, and return the number of plain listings and of all.

    They are read in blocks of `size` without the values of entries and with them.
    """
    file = TABLE if (folder / TABLE).exists() else LIST
    others = FolderView(folder, {file: None})
    reader = FolderReader(others, with_values=False, single_process=True).read().entry_reader
    unit = Unit(Kind.LISTING, (ContentFile.at(Kind.LISTING, file),))
    usual, plain, count = ReadLog(), 0, 0
    with ContentRoot(folder) as root:
        drafts = list(reader.read_drafts(unit, root, usual))
        for with_values in (False, True):
            quick = ReadLog()
            entries = list(reader.read_entries(unit, root, quick, Blocks(size, with_values=with_values)))
            expected, rows = (_rows(each, with_values=with_values) for each in (drafts, entries))
            assert list(map(orjson.dumps, rows)) == list(map(orjson.dumps, expected))
            assert list(map(_texts_of_other_types, rows)) == list(map(_texts_of_other_types, expected))
            assert (quick.problems, quick.incomplete, quick.stamps) == (usual.problems, usual.incomplete, usual.stamps)
            plain, count = plain + sum(isinstance(entry, EntryRecord) for entry in entries), count + len(entries)
    return plain, count


def _rows(entries: Iterable[Draft | EntryRecord], *, with_values: bool) -> list[list[Any]]:
    records = (
        EntryRecord.of_draft(entry, with_values=with_values) if isinstance(entry, Draft) else entry for entry in entries
    )
    return [record.to_list() for record in records]


def _texts_of_other_types(value: Any) -> list[str]:
    """Return the texts inside a value that are not exactly `str`, and are equal in JSON."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple):
        return [text for item in value for text in _texts_of_other_types(item)]
    return [value] if isinstance(value, str) and type(value) is not str else []


RULES = """
[[rules.listing]]
require = ["description"]
pattern = { phone_number = "[a-z]", email = "example$" }
when = { is_featured = true, category = "c1" }
[[rules.listing]]
min = { latitude = 1, categories = 2, x_number = 0 }
max = { content = 100, starts_at = "2026-04-01" }
allowed = { tags = ["red"], x_select = ["a"], x_checkbox = [true] }
unique = ["image_url", "tags", "email"]
level = "warning"
"""


def random_folder(seed: int, folder: Path, rules: str = "") -> int:
    """Write a random folder with a table or list; return the number of rows of a block."""
    rng = random.Random(seed)
    locales = rng.choice(('["en"]', '["en", "fr"]'))
    settings = "".join(map(rng.choice, SETTINGS))
    rows, share, has_custom_fields = rng.choice((3, 20, 60)), rng.choice((0, 0.05, 0.3)), rng.random() < 0.8
    table = listing_table(rng, settings, rows, share, has_custom_fields=has_custom_fields)
    encoding = "windows-1252" if "windows-1252" in settings else "utf-8"
    site = f'[site]\nname = "Test"\nlocales = {locales}\ntimezone = "{rng.choice(ZONES)}"\n'
    files: dict[str, str | bytes] = {
        "contentsync.toml": site + settings + rules,
        "categories.yaml": CATEGORIES,
        "tags.yaml": TAGS,
        "organizers/ada.md": f"---\n{ORGANIZERS}---\n",
        "static/a.png": b"",
    }
    if rng.random() < 0.7:
        files[TABLE] = table.encode(encoding, "replace")
    else:
        files[LIST] = as_list(rng, table)
    if has_custom_fields:
        files["custom_fields.yaml"] = CUSTOM_FIELDS + rng.choice(("", "", "- label: Broken\n"))
    write(folder, files)
    return rng.choice((1, 7, 50))


@pytest.mark.parametrize(
    "seeds", sampled((range(first, first + 25) for first in range(0, 2_000, 25)), every=80), ids=str
)
def test_random_listings_are_equal_in_blocks_and_row_by_row(tmp_path: Path, seeds: Sequence[int]) -> None:
    plain = entries = 0
    for seed in seeds:
        size = random_folder(seed, tmp_path / str(seed))
        counts = compare(tmp_path / str(seed), size)
        plain, entries = plain + counts[0], entries + counts[1]
    assert plain > entries / 50


@pytest.mark.parametrize("seeds", sampled((range(first, first + 20) for first in range(0, 800, 20)), every=40), ids=str)
def test_random_listings_are_judged_equally_in_blocks_and_row_by_row(tmp_path: Path, seeds: Sequence[int]) -> None:
    plain = entries = 0
    for seed in seeds:
        size = random_folder(seed, tmp_path / str(seed), RULES)
        counts = compare(tmp_path / str(seed), size)
        plain, entries = plain + counts[0], entries + counts[1]
    assert plain > entries / 100


def test_a_long_table_is_equal_in_blocks_and_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("folder_reader", "unit_reader"):
        monkeypatch.setattr(f"contentsync.content.folder.{module}.MAX_DRAFTS", 100)
    rows = (f"Bar {row},bar-{row},{row % 90}.5,{row % 3 == 0},red|blue,https://{row}.example/\n" for row in range(700))
    table = "name,slug,latitude,is_featured,tags,url\n" + "".join(rows)
    config = '[site]\nname = "Test"\nlocales = ["en"]\n'
    write(tmp_path / "quick", {"contentsync.toml": config, TABLE: table, "tags.yaml": TAGS})
    config += '[[markdown.replace]]\nfind = "not in any text"\nreplace = ""\n'  # so no row is plain
    write(tmp_path / "usual", {"contentsync.toml": config, TABLE: table, "tags.yaml": TAGS})
    quick, usual = (load_content(tmp_path / name).entries for name in ("quick", "usual"))
    assert [replace(entry, source=None) for entry in quick] == [replace(entry, source=None) for entry in usual]
    for entry, other in [*zip(quick, usual, strict=True)][::9]:  # the table is read again for each
        assert entry.source and other.source
        assert entry.source.where() == other.source.where()
        assert dict(entry.source.locations) == dict(other.source.locations)


def test_a_block_of_long_rows_has_few_rows() -> None:
    long = TableRow(2, 2, "x" * (MAX_CHARACTERS // 3), [])
    sizes: list[int] = []

    def read(rows: Sequence[TableRow], _: Blocks) -> Iterator[Draft]:
        sizes.append(len(rows))
        return iter(())

    assert not list(in_blocks([long] * 10, Blocks(), read))
    assert sizes == [4, 4, 2]
