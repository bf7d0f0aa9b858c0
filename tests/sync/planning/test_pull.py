"""What a pull is to write, what of it may be someone's work here, and what a base has after it, by the folder."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync import UNKNOWN_BASE, AppliedEntry, Base, Selection, applied_entry
from contentsync.sync.comparing.base import BeforePull
from contentsync.sync.planning.pull import PullPlan, note_pull, plan_pull, settle_pulls

from ..bases import synced
from ..entries import actual, desired

ABOUT = (Kind.PAGE, "about")


def planned(here: Entry, there: Entry, base: Base = UNKNOWN_BASE, only: str = "") -> PullPlan:
    selection = Selection.parse([only] if only else [])
    return plan_pull([here], [there], base, selection, ["fr"])


def test_without_a_base_each_field_that_differs_may_be_ours() -> None:
    found = planned(desired(*ABOUT, title="A", order=1), actual(*ABOUT, 1, title="B", order=1))
    assert found.incoming.changes == {ABOUT: {"title": "B"}}
    assert found.local_changes == {ABOUT: ("title",)}


def test_what_was_changed_there_alone_is_not_ours() -> None:
    before = desired(*ABOUT, title="A", order=1)
    base = Base.from_entries([applied_entry(before, actual(*ABOUT, 1, title="A", order=1))])
    found = planned(desired(*ABOUT, title="A", order=2), actual(*ABOUT, 1, title="B", order=1), base)
    assert found.incoming.changes == {ABOUT: {"title": "B", "order": 1}}
    assert found.local_changes == {ABOUT: ("order",)}


def test_a_field_that_the_folder_leaves_out_comes_if_it_is_not_the_default() -> None:
    there = actual(*ABOUT, 1, title="A", slug="about", order=0, new_tab=True, seo={"title": "S", "description": None})
    found = planned(desired(*ABOUT, title="A"), there)
    assert found.incoming.changes == {ABOUT: {"new_tab": True, "seo.title": "S"}}
    assert found.local_changes == {}


def test_what_the_service_makes_itself_does_not_come() -> None:
    article = (Kind.ARTICLE, "a")
    here = desired(*article, title="A", markdown="x")
    there = actual(*article, 1, title="A", slug="a", markdown="x", is_markdown=True, content="<p>", published_at="2026")
    assert planned(here, there).incoming.changes == {}


def test_a_date_that_differs_from_the_creation_comes() -> None:
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


def test_entries_that_both_sides_have_added_are_reported() -> None:
    here, there = desired(*ABOUT, title="A"), actual(*ABOUT, 1, title="B")
    assert planned(here, there, Base()).added_on_both == {ABOUT}
    assert planned(here, there, Base.from_entries([applied_entry(here, there)])).added_on_both == set()
    assert planned(here, there).added_on_both == set()


def test_a_translation_comes_unless_it_is_the_default_text() -> None:
    organizer = (Kind.ORGANIZER, "a")
    texts = {"fr": {"name": "Le A", "address": "Rue"}, "de": {"name": "Das"}}
    there = actual(*organizer, 1, name="A", address="Rue", translations=texts)
    found = planned(desired(*organizer, name="A", address="Rue"), there)
    assert found.incoming.changes == {organizer: {"translations.fr.name": "Le A"}}


def test_custom_values_come_and_fields_that_no_user_knows_do_not() -> None:
    listing = (Kind.LISTING, "a")
    field = actual(Kind.CUSTOM_FIELD, "level", 2, name="level", label="Level", type="text")
    there = actual(*listing, 1, name="A", slug="a", level="easy", views=12)
    found = plan_pull([desired(*listing, name="A")], [field, there], UNKNOWN_BASE, Selection(), [])
    assert found.incoming.changes == {listing: {"level": "easy"}}
    assert found.incoming.new == [field]


def test_what_the_service_does_not_tell_stays() -> None:
    here = desired(*ABOUT, title="A", order=1, seo={"title": "S"})
    found = planned(here, replace(actual(*ABOUT, 1, title="A"), unknown=frozenset({"order", "seo"})))
    assert (found.incoming.changes, found.local_changes) == ({}, {})


def test_skipped_entries_stay_and_those_that_are_only_here_are_reported() -> None:
    skipped = desired(*ABOUT, notes=Notes(skip=True), title="A")
    mine = desired(Kind.PAGE, "mine", title="M")
    found = plan_pull([skipped, mine], [actual(*ABOUT, 1, title="B")], UNKNOWN_BASE, Selection(), [])
    assert (found.incoming.changes, found.incoming.new, found.local_changes) == ({}, [], {})
    assert found.local_only == (mine,)


def test_only_what_is_selected_comes() -> None:
    here, there = desired(*ABOUT, title="A"), actual(*ABOUT, 1, title="B")
    other = actual(Kind.PAGE, "other", 2, title="O")
    found = plan_pull([here], [there, other], UNKNOWN_BASE, Selection.parse(["page/ot*"]), [])
    assert (found.incoming.changes, found.incoming.new) == ({}, [other])


def test_an_entry_that_was_deleted_here_is_ours() -> None:
    there = actual(*ABOUT, 1, title="A")
    base = Base.from_entries([applied_entry(desired(*ABOUT, title="A"), there)])
    found = plan_pull([], [there], base, Selection(), [])
    assert (found.incoming.new, found.local_changes) == ([there], {ABOUT: ()})


def test_what_the_config_leaves_out_is_not_taken_for_a_new_file_of_the_same_text() -> None:
    """PL-07"""
    text = {"title": "A", "markdown": "the same text", "order": 3}
    left_out = Entry(Kind.PAGE, "old", {"slug": "old", **text}, Source("drafts/old.md"))
    there = actual(Kind.PAGE, "old", 1, slug="old", **text)
    new = Entry(Kind.PAGE, "new", {"slug": "new", **text}, Source("pages/new.md"))
    base = Base.from_entries([applied_entry(left_out, there)])
    found = plan_pull([new], [there], base, Selection(), [], lambda applied: applied.path.startswith("drafts/"))
    assert (found.local_only, found.incoming.changes) == ((new,), {})


def tag(slug: str = "a", **fields: Any) -> Entry:
    return desired(Kind.TAG, slug, slug=slug, **{"title": "A", **fields})


def there(slug: str = "a", id_: int = 1, **fields: Any) -> Entry:
    return actual(Kind.TAG, slug, id_, slug=slug, **{"title": "A", **fields})


def pulled(
    base: Base, before: Sequence[Entry], after: Sequence[Entry], server: Sequence[Entry], earlier: Base | None = None
) -> Base:
    """The base after a pull that made the folder equal to the server."""
    updates = [*synced(*zip(after, server, strict=True)).values()]
    notes = {key: applied.before_pull for key, applied in (earlier or {}).items() if applied.before_pull}
    noted = note_pull(updates, base, before, after, notes)
    return base.with_updates(noted, base.keys() - {applied.identity for applied in noted})


def settled(base: Base, folder: Sequence[Entry], server: Sequence[Entry], only: str = "") -> Base:
    return settle_pulls(base, folder, server, Selection.parse([only] if only else []).covers)


def without_notes(base: Base) -> list[AppliedEntry]:
    return [applied._replace(before_pull=None) for applied in base.values()]


OLD, NEW = tag(), tag(title="B")
SERVER = [there(title="B")]
BEFORE = synced((OLD, there()))
AFTER = pulled(BEFORE, [OLD], [NEW], SERVER)


def test_a_base_without_pulls_stays_the_same_object() -> None:
    assert settled(BEFORE, [OLD], SERVER) is BEFORE


def test_what_the_folder_still_has_is_confirmed() -> None:
    base = settled(AFTER, [NEW], SERVER)
    assert ([*base.values()], base.is_saved) == (without_notes(AFTER), False)


def test_what_the_folder_has_as_before_applies_as_before() -> None:
    assert settled(AFTER, [OLD], SERVER) == BEFORE


def test_an_entry_that_the_folder_no_longer_has_applies_as_before() -> None:
    assert settled(AFTER, [], SERVER) == BEFORE


def test_another_value_of_the_folder_confirms_the_pull() -> None:
    assert [*settled(AFTER, [tag(title="C")], SERVER).values()] == without_notes(AFTER)


def test_one_field_as_before_is_enough() -> None:
    server = [there(title="B", icon="x")]
    base = pulled(BEFORE, [OLD], [tag(title="B", icon="x")], server)
    assert settled(base, [tag(title="A", icon="x")], server) == BEFORE
    assert settled(base, [NEW], server) == BEFORE  # without the icon


def test_an_entry_as_it_was_synced_is_discarded_too() -> None:
    """The pull has replaced a local change that was not committed."""
    base = pulled(BEFORE, [tag(title="Mine")], [NEW], SERVER)
    for title in ("Mine", "A"):
        assert settled(base, [tag(title=title)], SERVER) == BEFORE


def test_a_new_entry_is_managed_only_while_the_folder_has_it() -> None:
    base = pulled(Base(), [], [NEW], SERVER)
    assert settled(base, [], SERVER) == Base()
    assert [*settled(base, [tag(title="C")], SERVER).values()] == without_notes(base)


def test_a_new_entry_that_was_renamed_in_the_folder_is_managed() -> None:
    base = pulled(Base(), [], [NEW], SERVER)
    renamed = desired(Kind.TAG, "b", slug="b", title="B", notes=Notes(previous=("a",)))
    assert [*settled(base, [renamed], SERVER).values()] == without_notes(base)


def test_an_entry_that_the_pull_has_not_written_has_no_note() -> None:
    base = pulled(synced((OLD, SERVER[0])), [NEW], [NEW], SERVER)
    assert settled(base, [], []) is base


def test_a_discarded_rename_has_the_old_key_again() -> None:
    server = [there("b")]
    base = pulled(BEFORE, [OLD], [tag("b")], server)
    assert [*base] == [(Kind.TAG, "b")]
    assert settled(base, [OLD], server) == BEFORE


def test_a_new_entry_under_the_old_key_of_a_discarded_rename_is_discarded() -> None:
    server = [there("b"), there("a", 2, title="New")]
    base = pulled(BEFORE, [OLD], [tag("b"), tag(title="New")], server)
    assert settled(base, [OLD], server) == BEFORE


def test_swapped_keys_are_discarded_or_confirmed_together() -> None:
    first, second = tag("a", title="First"), tag("b", title="Second")
    before = synced((first, there("a", 1, title="First")), (second, there("b", 2, title="Second")))
    server = [there("b", 1, title="First"), there("a", 2, title="Second")]
    after = [tag("b", title="First"), tag("a", title="Second")]
    base = pulled(before, [first, second], after, server)
    assert settled(base, [first, second], server) == before
    assert {applied.key: applied.id for applied in settled(base, after, server).values()} == {"b": 1, "a": 2}


def test_entries_that_are_not_selected_or_skipped_stay_undecided() -> None:
    assert [*settled(AFTER, [OLD], SERVER, only="page").values()] == [*AFTER.values()]
    skipped = desired(Kind.TAG, "a", notes=Notes(skip=True), slug="a", title="A")
    assert [*settled(AFTER, [skipped], SERVER).values()] == [*AFTER.values()]


def test_two_pulls_are_discarded_together() -> None:
    server = [there(title="B", icon="x")]
    latest = tag(title="B", icon="x")
    base = pulled(settled(AFTER, [NEW], SERVER), [NEW], [latest], server, earlier=AFTER)
    assert settled(base, [OLD], server) == BEFORE


def test_an_earlier_pull_of_another_entry_is_not_forgotten() -> None:
    base = note_pull([], settled(AFTER, [NEW], SERVER), [NEW], [NEW], {(Kind.TAG, "a"): BeforePull(None, None)})
    assert [applied.before_pull for applied in base] == [BeforePull(None, None)]


def listing(host: str, **fields: Any) -> Entry:
    return desired(Kind.LISTING, f"https://{host}", url=f"https://{host}", **fields)


def test_another_listing_of_the_same_name_is_no_renamed_one() -> None:
    values: dict[str, Any] = {"name": "A", "description": "New", "latitude": 1.0}
    new, mine = listing("new.example", **values), listing("mine.example", name="A", description="Mine", latitude=2.0)
    server = [actual(Kind.LISTING, new.key, 1, slug="a", **new.fields)]
    base = pulled(Base(), [mine], [new], server)
    assert settled(base, [mine], server) == Base()
    moved = listing("moved.example", **values)
    assert [*settled(base, [moved], server).values()] == without_notes(base)


def test_a_listing_gets_its_slug_with_a_name_that_gives_none() -> None:
    key = (Kind.LISTING, "https://a.example")
    here = desired(*key, name="A", url=key[1])
    there_now = actual(*key, 1, name="𒀕", slug="a", url=key[1])
    assert planned(here, there_now).incoming.changes == {key: {"name": "𒀕", "slug": "a"}}
    assert planned(here, replace(there_now, fields={**there_now.fields, "name": "B"})).incoming.changes == {
        key: {"name": "B"}
    }
