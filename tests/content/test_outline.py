"""contentsync.content.outline: an entry as a JSON row and back."""

import orjson

from contentsync.content.draft import Draft
from contentsync.content.outline import Outline, notes_of, outline
from contentsync.content.survey import problem_of, problem_row
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Kind, Notes


def through_json(draft: Draft, *, whole: bool) -> Outline:
    return Outline(*orjson.loads(orjson.dumps(outline(draft, whole=whole))))


def article() -> Draft:
    draft = Draft(Kind.ARTICLE, "articles/a.md", values={"title": "A", "slug": "a", "markdown": "Text"})
    draft.key = "a"
    return draft


def test_a_plain_entry_is_two_values() -> None:
    assert outline(article(), whole=False) == ["a", 1]
    assert through_json(article(), whole=False) == Outline("a", 1)


def test_an_entry_that_is_wanted_whole_has_its_values() -> None:
    assert through_json(article(), whole=True).values == {"title": "A", "slug": "a", "markdown": "Text"}


def test_an_entry_with_errors_has_no_values_and_tells_them() -> None:
    draft = article()
    draft.error("bad", "is bad", Where("articles/a.md", 2, 3), "mend it")
    found = through_json(draft, whole=True)
    assert found.values is None
    assert not found.is_sound
    told = Problem("bad", "is bad", Where("articles/a.md", 2, 3), "mend it", Severity.ERROR, "article", "a")
    assert [problem_of(row) for row in found.problems] == [told]


def test_a_warning_leaves_an_entry_sound() -> None:
    draft = article()
    draft.warn("odd", "is odd", Where("articles/a.md"))
    assert through_json(draft, whole=False).is_sound
    assert problem_of(problem_row(draft.problems[0])) == draft.problems[0]


def test_notes_and_languages_come_back() -> None:
    draft = article()
    draft.notes = Notes(protect=True, previous=("old", "older"))
    draft.values["translations"] = {"fr": {"title": "Un"}}
    found = through_json(draft, whole=False)
    assert notes_of(found.notes) == draft.notes
    assert found.locales == ["fr"]


def test_a_listing_is_known_by_url_and_slug_and_an_organizer_by_name_too() -> None:
    listing = Draft(Kind.LISTING, "l.yaml", 3, {"name": "L", "slug": "l", "url": "https://l.example"})
    listing.key = "https://l.example"
    found = through_json(listing, whole=False).identities
    assert [tuple(identity) for identity in found] == [("url", "https://l.example"), ("slug", "l")]
    organizer = Draft(Kind.ORGANIZER, "o.md", values={"name": "O", "slug": "o"})
    organizer.key = "o"
    assert through_json(organizer, whole=False).title == "O"
