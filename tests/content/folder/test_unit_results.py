"""contentsync.content.folder.unit_results: batches of the results of units, and their JSON."""

from contentsync.content.files.content_folder import FileStamp
from contentsync.content.folder.entry_reader import ReadLog
from contentsync.content.folder.entry_record import EntryRecord
from contentsync.content.folder.scan import ContentFile
from contentsync.content.folder.translations import Unit
from contentsync.content.folder.unit_results import UnitResult, UnitResults
from contentsync.errors import Problem, Where
from contentsync.model import Kind

STAMP = FileStamp(10, 30, 20, 7)
UNREADABLE = Problem("unreadable", "cannot be read", Where("c.md"))


def unit(*paths: str) -> Unit:
    return Unit(Kind.ARTICLE, tuple(ContentFile(Kind.ARTICLE, path, path, ".md") for path in paths))


def batch() -> UnitResults:
    """Return the results of a plain document, of one with a translation, and of one that could not be opened."""
    results = UnitResults.empty()
    results.add(unit("a.md"), [EntryRecord("a", 1)], ReadLog(stamps=[STAMP]))
    translated = EntryRecord("b", 1, locales=["fr"])
    results.add(unit("b.md", "b.fr.md"), [translated], ReadLog(stamps=[STAMP, FileStamp(1, 2, 40, 8)]))
    results.add(unit("c.md"), [], ReadLog([UNREADABLE], incomplete=True))
    return results


def test_the_result_of_a_plain_document_is_its_key() -> None:
    assert batch().results[0] == "a"


def test_other_results_have_records_and_problems() -> None:
    assert batch().results[1:] == [
        UnitResult([EntryRecord("b", 1, locales=["fr"])], []),
        UnitResult([], [UNREADABLE], is_incomplete=True),
    ]


def test_an_entry_without_a_key_keeps_its_record() -> None:
    results = UnitResults.empty()
    results.add(unit("a.md"), [EntryRecord("", 1)], ReadLog(stamps=[STAMP]))
    assert results.results == [UnitResult([EntryRecord("", 1)], [])]


def test_a_problem_of_the_file_keeps_the_record() -> None:
    warning = Problem("odd", "is odd", Where("a.md"))
    results = UnitResults.empty()
    results.add(unit("a.md"), [EntryRecord("a", 1)], ReadLog([warning], stamps=[STAMP]))
    assert results.results == [UnitResult([EntryRecord("a", 1)], [warning])]


def test_stamps_are_of_all_files_or_none() -> None:
    assert batch().names == ["a.md", "b.md\nb.fr.md", "c.md"]
    assert batch().stamps == ["10 30 20 7", "10 30 20 7\n1 2 40 8", ""]
    assert batch().changed == [30, 40, 0]


def test_json_of_a_batch_is_compact_and_on_one_line() -> None:
    data = batch().to_json()
    assert b"\n" not in data
    assert b'"a",[[["b",1,[],null,["fr"]]],[],false],' in data


def test_json_returns_an_equal_batch() -> None:
    loaded = UnitResults.from_json(batch().to_json())
    assert loaded.to_json() == batch().to_json()
    plain, translated, unreadable = loaded.results
    assert plain == "a"
    assert isinstance(translated, UnitResult)
    assert [record.locales for record in translated.records] == [["fr"]]
    assert unreadable == UnitResult([], [UNREADABLE], is_incomplete=True)


def test_selecting_all_units_returns_the_batch_itself() -> None:
    results = batch()
    assert results.select([True, True, True]) is results
    assert results.select([False, True, False]).names == ["b.md\nb.fr.md"]


def test_the_parts_of_a_batch_together_equal_it() -> None:
    together = UnitResults.empty()
    for part in batch().split(2):
        assert len(part.names) <= 2
        together.extend(part)
    assert together == batch()
