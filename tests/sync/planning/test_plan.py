import random

import pytest

from contentsync.errors import UsageError
from contentsync.model import Entry, Kind, Notes
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.comparing.change import Action
from contentsync.sync.planning.plan import Selection
from contentsync.sync.planning.plan_builder import make_plan

from ..bases import planned
from ..entries import actual, desired


def test_an_entry_missing_on_the_server_is_created() -> None:
    plan = make_plan([desired(Kind.PAGE, "about", title="About")], [])
    assert [(change.action, change.key, change.reason) for change in plan.changes] == [
        (Action.CREATE, "about", "not on the server")
    ]


def test_a_different_entry_is_updated_by_its_id() -> None:
    plan = make_plan([desired(Kind.PAGE, "about", title="New")], [actual(Kind.PAGE, "about", 7, title="Old")])
    assert [(change.action, change.id, change.reason) for change in plan.changes] == [
        (Action.UPDATE, 7, "title differs; not from here")
    ]


def test_an_equal_entry_is_counted_and_not_written() -> None:
    plan = make_plan([desired(Kind.PAGE, "about", title="A")], [actual(Kind.PAGE, "about", 7, title="A", order=3)])
    assert not plan
    assert plan.unchanged == {Kind.PAGE: 1}


def test_a_record_that_only_the_server_has_is_not_changed() -> None:
    foreign = actual(Kind.PAGE, "stranger", 9, title="Stranger")
    plan = make_plan([], [foreign])
    assert not plan
    assert plan.unmanaged == (foreign,)


def test_a_skipped_entry_is_not_written_but_counts_as_present() -> None:
    plan = make_plan(
        [desired(Kind.PAGE, "a", notes=Notes(skip=True), title="New"), desired(Kind.PAGE, "b", notes=Notes(skip=True))],
        [actual(Kind.PAGE, "a", 1, title="Old")],
    )
    assert not plan
    assert plan.unmanaged == ()


def test_referenced_entries_are_written_first() -> None:
    entries = [
        desired(Kind.ARTICLE, "a"),
        desired(Kind.PAGE, "p"),
        desired(Kind.LISTING, "l"),
        desired(Kind.ORGANIZER, "o"),
        desired(Kind.CUSTOM_FIELD, "f"),
        desired(Kind.TAG, "t"),
        desired(Kind.CATEGORY, "child", parent_id="parent"),
        desired(Kind.CATEGORY, "parent", parent_id="root"),
        desired(Kind.CATEGORY, "root", parent_id=None),
    ]
    assert [change.key for change in make_plan(entries, []).changes] == [
        "root",
        "parent",
        "child",
        "t",
        "f",
        "o",
        "l",
        "p",
        "a",
    ]


def test_listings_with_an_explicit_slug_are_created_first() -> None:
    entries = [
        desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool"),
        desired(Kind.LISTING, "tool", slug="tool", name="Tool"),
    ]
    assert [change.key for change in make_plan(entries, []).changes] == ["tool", "https://a.example"]


def test_new_listings_are_planned_together_after_the_changed_ones() -> None:
    """They are sent a hundred in a request, also if other entries are between their keys."""
    urls = [f"https://{number}.example" for number in range(10)]
    there = [actual(Kind.LISTING, url, number, url=url, name="Old") for number, url in enumerate(urls) if number % 2]
    plan = make_plan([desired(Kind.LISTING, url, url=url, name="New") for url in urls], there)
    assert [change.action for change in plan.changes] == [Action.UPDATE] * 5 + [Action.CREATE] * 5
    assert plan.request_count == 6


def test_the_order_of_files_and_records_does_not_matter() -> None:
    entries = [desired(Kind.PAGE, f"p{number}", title=f"T{number}") for number in range(20)]
    there = [actual(Kind.PAGE, f"p{number}", number, title="T3") for number in range(10)]
    plan = make_plan(entries, there)
    shuffled = random.Random(7)
    for _ in range(5):
        shuffled.shuffle(entries)
        shuffled.shuffle(there)
        assert make_plan(entries, there).digest == plan.digest


def test_a_hundred_new_listings_cost_one_request() -> None:
    listings: list[Entry] = [desired(Kind.LISTING, f"https://{number}.example", name="N") for number in range(150)]
    pages = [desired(Kind.PAGE, "p", title="P")]
    assert make_plan(listings, []).request_count == 2
    assert make_plan([*listings, *pages], []).request_count == 3


def test_a_listing_with_a_new_url_takes_the_record_with_its_slug() -> None:
    there = actual(Kind.LISTING, "https://old.example", 4, url="https://old.example", slug="tool", name="Tool")
    moved = desired(Kind.LISTING, "https://new.example", url="https://new.example", slug="tool", name="Tool")
    plan = make_plan([moved], [there])
    assert [(change.action, change.id, change.reason) for change in plan.changes] == [
        (Action.UPDATE, 4, "renamed from https://old.example; url differs")
    ]
    assert [refusal.code for refusal in plan.refusals] == ["adoption"]
    assert plan.unmanaged == ()


def test_a_record_that_another_listing_matches_by_url_is_not_taken() -> None:
    there = actual(Kind.LISTING, "https://a.example", 4, url="https://a.example", slug="tool", name="A")
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="A"),
            desired(Kind.LISTING, "https://b.example", url="https://b.example", slug="tool", name="B"),
        ],
        [there],
    )
    assert [(change.action, change.key) for change in plan.changes] == [(Action.CREATE, "https://b.example")]


def test_a_base_commit_alone_does_not_allow_a_delete() -> None:
    """PL-05: no field of the record has the value of the commit."""
    past = [desired(Kind.PAGE, key, slug=key, title=key.title(), markdown="ours") for key in ("promo", "old")]
    there = [
        actual(Kind.PAGE, "promo", 1, slug="promo", title="Summer", markdown="theirs"),
        actual(Kind.PAGE, "old", 2, slug="old", title="Old", markdown="edited"),
    ]
    kept = desired(Kind.PAGE, "kept", slug="kept", title="Kept")
    plan = planned([kept], there, Base.from_entries(map(applied_entry, [*past, kept])))
    assert [change.key for change in plan.changes if change.action is Action.DELETE] == ["old"]
    assert [(retained.entry.key, retained.reason) for retained in plan.retained] == [("promo", "not what was applied")]


def test_a_selection_limits_the_plan() -> None:
    plan = make_plan(
        [desired(Kind.PAGE, "a", title="A")],
        [actual(Kind.PAGE, "x", 1), actual(Kind.TAG, "t", 2)],
        Selection.parse(["page"]),
    )
    assert [entry.key for entry in plan.unmanaged] == ["x"]


def test_an_empty_selection_covers_everything() -> None:
    assert desired(Kind.TAG, "t") in Selection()
    assert Selection().kinds == set(Kind)


def test_a_kind_selects_all_of_its_entries_and_no_others() -> None:
    selection = Selection.parse(["page"])
    assert desired(Kind.PAGE, "about") in selection
    assert desired(Kind.ARTICLE, "about") not in selection
    assert selection.kinds == {Kind.PAGE}


def test_a_glob_selects_matching_keys() -> None:
    selection = Selection.parse(["listing/https://*.example.org*", "tag"])
    assert desired(Kind.LISTING, "https://a.example.org/x") in selection
    assert desired(Kind.LISTING, "https://a.example.com") not in selection
    assert desired(Kind.TAG, "t") in selection


def test_a_selection_accepts_plural_kinds_and_urls_in_any_form() -> None:
    selection = Selection.parse(["pages", "Listings/HTTPS://Example.org/A"])
    assert desired(Kind.PAGE, "about") in selection
    assert desired(Kind.LISTING, "https://example.org/A") in selection


def test_an_unknown_kind_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError) as raised:
        Selection.parse(["pgae"])
    assert raised.value.hint == "did you mean 'page'?"
