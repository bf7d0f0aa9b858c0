"""contentsync.content.folder.entry_record: an entry as a compact list in JSON, and back."""

import orjson

from contentsync.content.folder.entry_record import EntryRecord
from contentsync.content.formats.draft import Draft, Link, PicturePath
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Kind, Notes


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
    draft.notes = Notes(protect=True, previous=("old", "older"))
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
