"""contentsync.content.folder.unit_results: records of entries, batches of the results of units, and their JSON."""

import orjson

from contentsync.content.files.content_folder import FileStamp
from contentsync.content.folder.scan import ContentFile
from contentsync.content.folder.translations import Unit
from contentsync.content.folder.unit_results import EntryRecord, ReadLog, UnitResult, UnitResults
from contentsync.content.formats.draft import Draft, Link, PicturePath
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Kind, Notes

STAMP = FileStamp(10, 30, 20, 7)
UNREADABLE = Problem("unreadable", "cannot be read", Where("c.md"))


def through_json(record: EntryRecord) -> EntryRecord:
    return EntryRecord.from_list(orjson.loads(orjson.dumps(record.to_list())))


def article() -> Draft:
    draft = Draft(Kind.ARTICLE, "articles/a.md", values={"title": "A", "slug": "a", "markdown": "Text"})
    draft.key = "a"
    return draft


def test_a_plain_entry_has_two_values_in_json() -> None:
    record = EntryRecord.of_draft(article(), with_values=False)
    assert record.to_list() == ["a", 1]
    assert record.is_only_key


def test_a_record_contains_the_values_only_on_request() -> None:
    assert through_json(EntryRecord.of_draft(article(), with_values=True)).values == article().values
    assert through_json(EntryRecord.of_draft(article(), with_values=False)).values is None


def test_an_entry_with_an_error_has_no_values() -> None:
    draft = article()
    draft.error("bad", "is bad", Where("articles/a.md", 2, 3), "correct it")
    record = through_json(EntryRecord.of_draft(draft, with_values=True))
    assert record.values is None
    assert record.problems == [
        Problem("bad", "is bad", Where("articles/a.md", 2, 3), "correct it", Severity.ERROR, "article", "a")
    ]


def test_an_entry_with_a_warning_has_its_values() -> None:
    draft = article()
    draft.warn("odd", "is odd", Where("articles/a.md"))
    record = through_json(EntryRecord.of_draft(draft, with_values=True))
    assert record.values == draft.values
    assert [problem.severity for problem in record.problems] == [Severity.WARNING]


def test_json_keeps_notes_and_languages() -> None:
    draft = article()
    draft.notes = Notes(protect=True, previous=("old", "older"), merged=("other",))
    draft.values["translations"] = {"fr": {"title": "Un"}}
    record = through_json(EntryRecord.of_draft(draft, with_values=False))
    assert record.notes == draft.notes
    assert record.locales == ["fr"]


def test_json_keeps_links_and_pictures() -> None:
    draft = article()
    draft.links = [Link("b.md", "articles/a.md", 3, 5, field="markdown", offset=7), Link("c.md", "articles/a.md", 4, 1)]
    draft.pictures = [PicturePath("a.png", "articles/a.md", 1, 2, picture_field="thumbnail_url")]
    record = through_json(EntryRecord.of_draft(draft, with_values=False))
    assert (record.links, record.pictures) == (draft.links, draft.pictures)
    assert record.links[0].where == Where("articles/a.md", 3, 5)


def test_json_keeps_that_an_earlier_row_reports_the_error() -> None:
    record = through_json(EntryRecord("a", 1, has_error_elsewhere=True))
    assert record.has_error_elsewhere
    assert not record.is_only_key


def test_a_listing_has_its_url_and_slug_as_identities() -> None:
    listing = Draft(Kind.LISTING, "l.yaml", 3, {"name": "L", "slug": "l", "url": "https://l.example"})
    listing.key = "https://l.example"
    record = through_json(EntryRecord.of_draft(listing, with_values=False))
    assert record.identities == [["url", "https://l.example"], ["slug", "l"]]


def test_only_an_organizer_has_a_title() -> None:
    organizer = Draft(Kind.ORGANIZER, "o.md", values={"name": "O", "slug": "o"})
    organizer.key = "o"
    assert through_json(EntryRecord.of_draft(organizer, with_values=False)).title == "O"
    assert EntryRecord.of_draft(article(), with_values=False).title is None


def test_an_entry_without_a_key_is_more_than_its_key() -> None:
    assert not EntryRecord("", 1).is_only_key


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


def test_a_result_is_compact_only_if_nothing_but_the_key_is_needed() -> None:
    assert UnitResult.of_key("a").compact() == "a"
    titled = UnitResult([EntryRecord("a", 1, title="A")])
    assert titled.compact() is titled
    reported = UnitResult([EntryRecord("a", 1)], [UNREADABLE])
    assert reported.compact() is reported
    incomplete = UnitResult([EntryRecord("a", 1)], is_incomplete=True)
    assert incomplete.compact() is incomplete
