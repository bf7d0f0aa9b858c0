"""contentsync.content.folder.unit_cache: an entry as a JSON row and back."""

import orjson

from contentsync.content.files.content_folder import FileStamp
from contentsync.content.files.validation_report import JsonRow, problem_from_row, problem_to_row
from contentsync.content.folder.entry_reader import ReadLog
from contentsync.content.folder.scan import ContentFile
from contentsync.content.folder.translations import Unit
from contentsync.content.folder.unit_cache import UnitResults, entry_row
from contentsync.content.formats.draft import Draft
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Kind, Notes

KEY, LINE, IDENTITIES, TITLE, LOCALES, LINKS, PROBLEMS, VALUES, NOTES = range(9)


def through_json(draft: Draft, *, with_values: bool) -> JsonRow:
    row: JsonRow = orjson.loads(orjson.dumps(entry_row(draft, with_values=with_values)))
    return row


def article() -> Draft:
    draft = Draft(Kind.ARTICLE, "articles/a.md", values={"title": "A", "slug": "a", "markdown": "Text"})
    draft.key = "a"
    return draft


def test_the_row_of_a_plain_entry_has_two_values() -> None:
    assert through_json(article(), with_values=False) == ["a", 1]


def test_a_row_with_values_contains_the_fields() -> None:
    assert through_json(article(), with_values=True)[VALUES] == {"title": "A", "slug": "a", "markdown": "Text"}


def test_an_entry_with_errors_has_problems_and_no_values() -> None:
    draft = article()
    draft.error("bad", "is bad", Where("articles/a.md", 2, 3), "correct it")
    found = through_json(draft, with_values=True)
    assert len(found) == VALUES
    reported = Problem("bad", "is bad", Where("articles/a.md", 2, 3), "correct it", Severity.ERROR, "article", "a")
    assert [problem_from_row(row) for row in found[PROBLEMS]] == [reported]


def test_an_entry_with_a_warning_keeps_its_row() -> None:
    draft = article()
    draft.warn("odd", "is odd", Where("articles/a.md"))
    assert through_json(draft, with_values=True)[VALUES] == draft.values
    assert problem_from_row(problem_to_row(draft.problems[0])) == draft.problems[0]


def test_sync_settings_and_languages_are_stored_in_the_row() -> None:
    draft = article()
    draft.notes = Notes(protect=True, previous=("old", "older"))
    draft.values["translations"] = {"fr": {"title": "Un"}}
    found = through_json(draft, with_values=False)
    assert found[NOTES] == [False, True, ["old", "older"]]
    assert found[LOCALES] == ["fr"]


def test_a_row_stores_the_identities_of_a_listing_and_the_name_of_an_organizer() -> None:
    listing = Draft(Kind.LISTING, "l.yaml", 3, {"name": "L", "slug": "l", "url": "https://l.example"})
    listing.key = "https://l.example"
    assert through_json(listing, with_values=False)[IDENTITIES] == [["url", "https://l.example"], ["slug", "l"]]
    organizer = Draft(Kind.ORGANIZER, "o.md", values={"name": "O", "slug": "o"})
    organizer.key = "o"
    assert through_json(organizer, with_values=False)[TITLE] == "O"


STAMP = FileStamp(10, 30, 20, 7)


def unit(*paths: str) -> Unit:
    return Unit(Kind.ARTICLE, tuple(ContentFile(Kind.ARTICLE, path, path, ".md") for path in paths))


def batch() -> UnitResults:
    """Return a document without problems, one with a language, and one that could not be opened."""
    made = UnitResults.empty()
    made.add(unit("a.md"), [["a", 1]], ReadLog(stamps=[STAMP]))
    made.add(unit("b.md", "b.fr.md"), [["b", 1, [], None, ["fr"]]], ReadLog(stamps=[STAMP, FileStamp(1, 2, 40, 8)]))
    made.add(unit("c.md"), [], ReadLog([Problem("gone", "has gone", Where("c.md"))], incomplete=True))
    return made


def test_a_plain_document_is_stored_as_its_key() -> None:
    assert batch().results[0] == "a"


def test_a_document_with_languages_or_problems_is_stored_with_them() -> None:
    _, translated, gone = batch().results
    assert translated == [[["b", 1, [], None, ["fr"]]], [], False]
    assert gone == [[], [problem_to_row(Problem("gone", "has gone", Where("c.md")))], True]


def test_an_entry_without_a_key_is_not_stored_as_a_plain_document() -> None:
    made = UnitResults.empty()
    made.add(unit("a.md"), [["", 1]], ReadLog(stamps=[STAMP]))
    assert made.results == [[[["", 1]], [], False]]


def test_a_warning_of_the_file_is_stored() -> None:
    made = UnitResults.empty()
    made.add(unit("a.md"), [["a", 1]], ReadLog([Problem("odd", "is odd", Where("a.md"))], stamps=[STAMP]))
    ((_, problems, _),) = made.results
    assert problems[0][0] == "odd"


def test_stamps_are_stored_for_all_files_of_a_unit_or_for_none() -> None:
    assert batch().names == ["a.md", "b.md\nb.fr.md", "c.md"]
    assert batch().stamps == ["10 30 20 7", "10 30 20 7\n1 2 40 8", ""]
    assert batch().changed == [30, 40, 0]


def test_a_batch_is_read_back_from_one_line_of_json() -> None:
    data = batch().to_json()
    assert b"\n" not in data
    assert UnitResults.from_json(data) == batch()


def test_selecting_all_units_returns_the_batch_itself() -> None:
    made = batch()
    assert made.select([True, True, True]) is made
    assert made.select([False, True, False]).names == ["b.md\nb.fr.md"]


def test_the_parts_of_a_batch_add_up_to_the_whole() -> None:
    together = UnitResults.empty()
    for part in batch().split(2):
        assert len(part.names) <= 2
        together.extend(part)
    assert together == batch()
