"""content.folder.unit_reader: one process and several have the same result; a unit is read again for its locations."""

import gc
import os
import resource
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.entry.identity import EntryRef
from contentsync.content.files.folder_signatures import usable_processors
from contentsync.content.files.source_file import FolderView
from contentsync.content.folder.cross_checks import CrossChecks
from contentsync.content.folder.entry_reader import EntryReader
from contentsync.content.folder.folder_reader import FolderReader
from contentsync.content.folder.load import gc_paused, load_content, validate_folder
from contentsync.content.folder.scan import scan
from contentsync.content.folder.translations import Unit, group_files
from contentsync.content.folder.unit_reader import MIN_DOCUMENTS, EntryLocations, LocatedDrafts, read_documents
from contentsync.content.folder.unit_results import EntryRecord, UnitResult, UnitResults
from contentsync.content.formats.draft import Draft, Locations
from contentsync.model import Kind

from ..conftest import write

COUNT = MIN_DOCUMENTS + 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with enough files for several processes; one file has a mistake, two are equal."""
    files = {f"articles/a{number:04d}.md": f"---\ntitle: A {number}\n---\nText\n" for number in range(COUNT)}
    files["articles/a0007.md"] = "---\ntitel: A\n---\nText\n"
    files["articles/a0300.md"] = "---\ntitle: B\nslug: a0001\n---\nText\n"
    files["articles/a0301.fr.md"] = "---\ntitle: Un\n---\nTexte\n"
    return write(tmp_path / "site", files)


def units(folder: Path) -> tuple[EntryReader, Sequence[Unit]]:
    config, _ = read_config(folder)
    return EntryReader(config), group_files(scan(folder, config).files, config)


def read(
    reader: EntryReader, folder: Path, units: Sequence[Unit], *, with_values: bool = False
) -> Iterator[tuple[object, ...]]:
    """Yield the content of each unit in its JSON form."""
    for batch in read_documents(FolderView(folder), reader, units, with_values=with_values):
        yield from zip(*UnitResults.from_json(batch.to_json()), strict=True)


def test_several_processes_read_the_same_units_in_the_same_order_as_one(folder: Path) -> None:
    reader, all_units = units(folder)
    assert len(all_units) >= MIN_DOCUMENTS
    several = list(read(reader, folder, all_units, with_values=True))
    single_process = [
        unit_values for unit in all_units for unit_values in read(reader, folder, [unit], with_values=True)
    ]
    assert several == single_process


def test_a_single_process_reads_the_same_units(folder: Path) -> None:
    def children() -> int:
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_minflt

    before = children()
    single_process = load_content(folder, single_process=True)
    assert children() == before
    several = load_content(folder)
    assert (children() > before) == (usable_processors() > 1)
    assert (single_process.problems, single_process.entries) == (several.problems, several.entries)


def test_a_batch_contains_units_of_one_kind(folder: Path) -> None:
    write(folder, {f"pages/p{number}.md": "---\ntitle: P\n---\nText\n" for number in range(20)})
    reader, all_units = units(folder)
    batches = [*read_documents(FolderView(folder), reader, all_units, with_values=False)]
    kinds = [{name.partition("/")[0] for name in batch.names} for batch in batches]
    assert all(len(kind) == 1 for kind in kinds)
    assert {"pages"} in kinds


def test_a_table_is_never_in_memory_as_a_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CS-22: also beside any number of documents."""
    table = folder / "listings/a.csv"
    write(folder, {"listings/a.csv": "name\n" + "".join(f"Number {number}\n" for number in range(25_000))})

    add = CrossChecks.add

    def add_and_truncate(checks: CrossChecks, ref: EntryRef, record: EntryRecord) -> None:
        add(checks, ref, record)
        if checks.found.counts[Kind.LISTING] == 1:  # the first row has been taken
            os.truncate(table, 150_000)

    monkeypatch.setattr(CrossChecks, "add", add_and_truncate)
    problems = FolderReader(FolderView(folder), with_values=False).read().report().problems
    assert ("listings/a.csv", "file-changed") in [(problem.where.path, problem.code) for problem in problems]


def test_a_large_folder_is_validated_completely(folder: Path) -> None:
    """FI-13"""
    content = load_content(folder)
    assert [(it.where.path, it.code) for it in content.problems] == [
        ("articles/a0007.md", "unknown-key"),
        ("articles/a0300.md", "duplicate-identity"),
    ]
    report = validate_folder(folder)
    assert (content.problems, content.counts) == (report.problems, report.counts)
    assert len(content.entries) == COUNT - 2
    entry = next(entry for entry in content.entries if entry.key == "a0301")
    assert entry.fields["translations"]["fr"]["title"] == "Un"
    assert entry.source is not None
    assert entry.source.where("translations.fr.title").path == "articles/a0301.fr.md"


def test_a_killed_worker_process_changes_no_result(folder: Path) -> None:
    reader, all_units = units(folder)
    expected = list(read(reader, folder, all_units))
    killing = Killing(reader.config, killer=os.getpid())
    assert list(read(killing, folder, all_units)) == expected


class Killing(EntryReader):
    """A reader that ends the process it is in, unless that is the one that made it."""

    __slots__ = ("killer",)

    def __init__(self, config: object, killer: int) -> None:
        super().__init__(config)  # type: ignore[arg-type]  # a config, from another reader
        self.killer = killer

    def read_drafts(self, *arguments: object) -> object:  # type: ignore[override]  # only passed on
        if os.getpid() != self.killer:
            os._exit(9)
        return super().read_drafts(*arguments)  # type: ignore[arg-type]  # as they came


def test_a_unit_reports_an_unreadable_file_as_incomplete(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", {"pages/a.md": "---\ntitle: A\n"})
    reader, all_units = units(folder)
    (batch,) = read_documents(FolderView(folder), reader, all_units, with_values=False)
    (result,) = batch.results
    assert isinstance(result, UnitResult)
    assert not result.records
    assert result.problems[0].code == "unclosed-front-matter"
    assert result.is_incomplete


def test_the_garbage_collector_is_restored_after_a_pause() -> None:
    assert gc.isenabled()
    with gc_paused():
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_report_leaves_no_garbage(folder: Path) -> None:
    """Reference cycles with an object for each file would cost as much as reading the outlines."""
    validate_folder(folder)

    def collected() -> int:
        gc.collect()
        with gc_paused():
            validate_folder(folder)
            return gc.collect()

    assert any(collected() < COUNT for _ in range(3))  # threads of other tests may leave objects, too


def drafts(count: int) -> Iterator[Draft]:
    for line in range(1, count + 1):
        yield Draft(Kind.LISTING, "listings/a.csv", line, {"name": "A"}, partial(locate, line))


def locate(line: int) -> tuple[Locations, Locations]:
    return {"name": ("listings/a.csv", (line, 1))}, {}


@pytest.mark.parametrize(("count", "reads"), [(2, []), (2_500, []), (2_501, [7])])
def test_the_drafts_of_a_long_table_are_read_again_for_locations(count: int, reads: list[int]) -> None:
    read: list[int] = []

    def read_again(unit: int) -> Iterator[Draft]:
        read.append(unit)
        return drafts(count)

    located = LocatedDrafts(read_again)
    assert {draft.values["name"] for draft in located.cache(7, drafts(count)) if isinstance(draft, Draft)} == {"A"}
    for _ in range(2):
        assert dict(EntryLocations(located, EntryRef(7, 1))) == {"name": ("listings/a.csv", (2, 1))}
    assert read == reads
    assert [draft.values for draft in located.of_unit(7)] == [{}] * count


def test_a_unit_with_a_record_is_read_again() -> None:
    located = LocatedDrafts(lambda unit: drafts(3))
    assert len(list(located.cache(7, [*drafts(2), EntryRecord("key", 3)]))) == 3
    assert len(located.of_unit(7)) == 3


def test_all_tables_together_cache_2500_drafts() -> None:
    located = LocatedDrafts(lambda unit: drafts(1))
    for unit in range(3):
        assert len(list(located.cache(unit, drafts(1_000)))) == 1_000
    assert [len(located.of_unit(unit)) for unit in range(3)] == [1_000, 1_000, 1]


def test_a_deleted_entry_has_no_locations() -> None:
    assert dict(EntryLocations(LocatedDrafts(lambda unit: drafts(0)), EntryRef(0, 0))) == {}
