"""The writes of a pull, and local changes that they could overwrite."""

from dataclasses import replace

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.comparing.base import UNKNOWN_BASE, Base, applied_entry
from contentsync.sync.planning.plan import Selection
from contentsync.sync.planning.pull import PullPlan, plan_pull

from ..entries import actual, desired

ABOUT = (Kind.PAGE, "about")


def planned(here: Entry, there: Entry, base: Base = UNKNOWN_BASE, only: str = "") -> PullPlan:
    """Return the plan of a pull of one entry: `here` in the folder, `there` on the server."""
    selection = Selection.parse([only] if only else [])
    return plan_pull([here], [there], base, selection, ["fr"])


def test_each_differing_field_may_be_local_without_a_base() -> None:
    found = planned(desired(*ABOUT, title="A", order=1), actual(*ABOUT, 1, title="B", order=1))
    assert found.incoming.changes == {ABOUT: {"title": "B"}}
    assert found.local_changes == {ABOUT: ("title",)}


def test_a_field_changed_only_on_the_server_is_not_a_local_change() -> None:
    before = desired(*ABOUT, title="A", order=1)
    base = Base.from_entries([applied_entry(before, actual(*ABOUT, 1, title="A", order=1))])
    found = planned(desired(*ABOUT, title="A", order=2), actual(*ABOUT, 1, title="B", order=1), base)
    assert found.incoming.changes == {ABOUT: {"title": "B", "order": 1}}
    assert found.local_changes == {ABOUT: ("order",)}


def test_a_pull_adds_unset_fields_that_are_not_defaults() -> None:
    there = actual(*ABOUT, 1, title="A", slug="about", order=0, new_tab=True, seo={"title": "S", "description": None})
    found = planned(desired(*ABOUT, title="A"), there)
    assert found.incoming.changes == {ABOUT: {"new_tab": True, "seo.title": "S"}}
    assert found.local_changes == {}


def test_a_pull_does_not_add_values_that_the_service_derives() -> None:
    article = (Kind.ARTICLE, "a")
    here = desired(*article, title="A", markdown="x")
    there = actual(*article, 1, title="A", slug="a", markdown="x", is_markdown=True, content="<p>", published_at="2026")
    assert planned(here, there).incoming.changes == {}


def test_a_pull_adds_a_publication_date_that_differs_from_the_creation() -> None:
    article = (Kind.ARTICLE, "a")
    here = desired(*article, title="A", markdown="x")
    created = "2026-03-01T09:00:00Z"
    for date, comes in [
        ("2026-03-01T10:00:30+01:00", False),
        ("2026-03-02T09:00:00Z", True),
        (None, False),
        ("no date", False),
    ]:
        there = replace(actual(*article, 1, title="A", markdown="x", published_at=date), created=created)
        assert planned(here, there).incoming.changes == ({article: {"published_at": date}} if comes else {})
        assert planned(here, replace(there, created=None)).incoming.changes == {}


def test_entries_added_on_both_sides_are_reported() -> None:
    here, there = desired(*ABOUT, title="A"), actual(*ABOUT, 1, title="B")
    assert planned(here, there, Base()).added_on_both == {ABOUT}
    assert planned(here, there, Base.from_entries([applied_entry(here, there)])).added_on_both == set()
    assert planned(here, there).added_on_both == set()


def test_a_pull_adds_a_translation_unless_it_is_the_default_text() -> None:
    organizer = (Kind.ORGANIZER, "a")
    texts = {"fr": {"name": "Le A", "address": "Rue"}, "de": {"name": "Das"}}
    there = actual(*organizer, 1, name="A", address="Rue", translations=texts)
    found = planned(desired(*organizer, name="A", address="Rue"), there)
    assert found.incoming.changes == {organizer: {"translations.fr.name": "Le A"}}


def test_a_pull_adds_values_of_known_custom_fields_only() -> None:
    listing = (Kind.LISTING, "a")
    field = actual(Kind.CUSTOM_FIELD, "level", 2, name="level", label="Level", type="text")
    there = actual(*listing, 1, name="A", slug="a", level="easy", views=12)
    found = plan_pull([desired(*listing, name="A")], [field, there], UNKNOWN_BASE, Selection(), [])
    assert found.incoming.changes == {listing: {"level": "easy"}}
    assert found.incoming.new == [field]


def test_a_pull_keeps_fields_that_the_service_does_not_return() -> None:
    here = desired(*ABOUT, title="A", order=1, seo={"title": "S"})
    found = planned(here, replace(actual(*ABOUT, 1, title="A"), unknown=frozenset({"order", "seo"})))
    assert (found.incoming.changes, found.local_changes) == ({}, {})


def test_a_pull_keeps_skipped_entries_and_reports_local_ones() -> None:
    skipped = desired(*ABOUT, notes=Notes(skip=True), title="A")
    mine = desired(Kind.PAGE, "mine", title="M")
    found = plan_pull([skipped, mine], [actual(*ABOUT, 1, title="B")], UNKNOWN_BASE, Selection(), [])
    assert (found.incoming.changes, found.incoming.new, found.local_changes) == ({}, [], {})
    assert found.local_only == (mine,)


def test_a_pull_adds_only_selected_entries() -> None:
    here, there = desired(*ABOUT, title="A"), actual(*ABOUT, 1, title="B")
    other = actual(Kind.PAGE, "other", 2, title="O")
    found = plan_pull([here], [there, other], UNKNOWN_BASE, Selection.parse(["page/ot*"]), [])
    assert (found.incoming.changes, found.incoming.new) == ({}, [other])


def test_a_locally_deleted_entry_is_a_local_change() -> None:
    there = actual(*ABOUT, 1, title="A")
    base = Base.from_entries([applied_entry(desired(*ABOUT, title="A"), there)])
    found = plan_pull([], [there], base, Selection(), [])
    assert (found.incoming.new, found.local_changes) == ([there], {ABOUT: ()})


def test_an_excluded_entry_is_not_matched_to_a_new_file_with_the_same_text() -> None:
    """PL-07"""
    text = {"title": "A", "markdown": "the same text", "order": 3}
    left_out = Entry(Kind.PAGE, "old", {"slug": "old", **text}, Source("drafts/old.md"))
    there = actual(Kind.PAGE, "old", 1, slug="old", **text)
    new = Entry(Kind.PAGE, "new", {"slug": "new", **text}, Source("pages/new.md"))
    base = Base.from_entries([applied_entry(left_out, there)])
    found = plan_pull([new], [there], base, Selection(), [], lambda applied: applied.path.startswith("drafts/"))
    assert (found.local_only, found.incoming.changes) == ((new,), {})


def test_a_pulled_name_that_makes_no_slug_brings_its_slug() -> None:
    """No slug can be made of a cuneiform sign, which has no transliteration."""
    key = (Kind.LISTING, "https://a.example")
    here = desired(*key, name="A", url=key[1])
    there_now = actual(*key, 1, name="𒀕", slug="a", url=key[1])
    assert planned(here, there_now).incoming.changes == {key: {"name": "𒀕", "slug": "a"}}
    assert planned(here, replace(there_now, fields={**there_now.fields, "name": "B"})).incoming.changes == {
        key: {"name": "B"}
    }


def test_a_pulled_value_of_a_slug_pattern_brings_the_slug() -> None:
    """Without it, the pattern would make another slug of the new city, and the next sync would move the address."""
    key = (Kind.LISTING, "cafe-rome")
    here = desired(*key, name="Cafe", city="Rome", slug="cafe-rome")
    there_before = actual(*key, 1, **here.fields)
    base = Base.from_entries([applied_entry(here, there_before)])
    there = replace(there_before, fields={**there_before.fields, "city": "Oslo"})
    found = plan_pull([here], [there], base, Selection(), [], slug_fields=("name", "city"))
    assert found.incoming.changes == {key: {"city": "Oslo", "slug": "cafe-rome"}}
    without_pattern = plan_pull([here], [there], base, Selection(), [])
    assert without_pattern.incoming.changes == {key: {"city": "Oslo"}}
