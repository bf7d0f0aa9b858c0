"""Base, desired and actual values: the side that changed each field, and the resulting action."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, get_args

import pytest

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.applying.writer import request_body
from contentsync.sync.comparing.base import UNKNOWN_BASE, Base, applied_entry
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import OnDrift, Policy, Selection
from contentsync.sync.planning.plan_builder import PlanFacts

from ..bases import codes, lines, planned, reported, synced
from ..entries import actual, desired

A = desired(Kind.PAGE, "a", slug="a", title="A", order=1)
THERE = actual(Kind.PAGE, "a", 1, slug="a", title="A", order=1, markdown="")
B = desired(Kind.PAGE, "b", slug="b", title="B")


def here(**changes: object) -> Entry:
    """Return page A as the folder has it, with these changes."""
    return desired(Kind.PAGE, "a", **{**A.fields, **changes})


def server(**changes: object) -> Entry:
    return actual(Kind.PAGE, "a", 1, **{**THERE.fields, **changes})


BASE = synced((A, THERE))


def test_a_local_change_is_written() -> None:
    plan = planned([here(title="B")], [THERE], BASE)
    (change,) = plan.changes
    assert (dict(change.fields), change.drift, plan.refusals) == ({"title": ("A", "B")}, (), ())


def test_a_change_on_the_server_is_overwritten_and_counted_as_drift() -> None:
    plan = planned([A], [server(title="Theirs")], BASE)
    (change,) = plan.changes
    assert (dict(change.fields), change.drift, plan.drift_count) == ({"title": ("Theirs", "A")}, ("title",), 1)


def test_drift_is_kept_and_reported_by_default() -> None:
    plan = planned([A], [server(title="Theirs")], BASE, Policy())
    assert not plan
    assert [dict(drift.fields) for drift in plan.drift] == [{"title": ("Theirs", "A")}]
    assert plan.base_updates == ()


def test_kept_drift_survives_another_change() -> None:
    plan = planned([here(order=2)], [server(title="Theirs")], BASE, Policy(on_drift="keep"))
    (change,) = plan.changes
    assert change.fields.keys() == {"order"}
    assert change.untouched == {"title": BASE[Kind.PAGE, "a"].fields["title"]}


def test_drift_is_refused_with_on_drift_fail() -> None:
    plan = planned([A], [server(title="Theirs")], BASE, Policy(on_drift="fail"))
    assert codes(plan) == ["drift"]
    assert "page a (title)" in plan.refusals[0].message


def test_a_field_changed_on_both_sides_is_a_conflict() -> None:
    plan = planned([here(title="Ours")], [server(title="Theirs")], BASE)
    (refusal,) = plan.refusals
    assert (refusal.code, refusal.message) == (
        "conflict",
        "changed here and on the server since the last sync: "
        'page a (title: "Ours" in the folder, "Theirs" on the server)',
    )
    assert refusal.flag == (
        "contentsync sync --only page/a --on-conflict ours (the folder's side) or "
        "contentsync sync --only page/a --on-conflict theirs (the server's)"
    )


@pytest.mark.parametrize(("choice", "changes"), [("ours", [("update", "a")]), ("theirs", [])])
def test_on_conflict_decides_a_conflict(choice: str, changes: list[tuple[str, str]]) -> None:
    policy = Policy(on_conflict=choice)  # type: ignore[arg-type]  # one of its words
    plan = planned([here(title="Ours")], [server(title="Theirs")], BASE, policy)
    assert (reported(plan), codes(plan)) == (changes, [])


def test_a_conflict_decided_for_the_server_does_not_return() -> None:
    plan = planned([here(title="Ours")], [server(title="Theirs")], BASE, Policy(on_conflict="theirs"))
    second = planned([here(title="Ours")], [server(title="Theirs")], BASE.with_updates(plan.base_updates))
    assert (reported(second), codes(second), second.base_updates) == ([], [], ())


def test_the_same_change_on_both_sides_is_no_conflict() -> None:
    plan = planned([here(title="Same")], [server(title="Same")], BASE)
    assert not plan
    # And it is learned, or the next change here would look like a conflict.
    third = planned([here(title="Later")], [server(title="Same")], BASE.with_updates(plan.base_updates))
    assert (reported(third), codes(third)) == ([("update", "a")], [])


def test_a_field_removed_from_the_file_is_reset_to_its_default() -> None:
    plan = planned([desired(Kind.PAGE, "a", slug="a", title="A")], [THERE], BASE)
    assert dict(plan.changes[0].fields) == {"order": (1, 0)}


@pytest.mark.parametrize("name", ["title", "slug"])
def test_a_removed_field_without_a_default_becomes_unmanaged(name: str) -> None:
    fields = {key: value for key, value in A.fields.items() if key != name}
    plan = planned([desired(Kind.PAGE, "a", **fields)], [THERE], BASE)
    assert not plan
    assert name not in plan.base_updates[0].fields


def base_after_removing_the_body() -> Base:
    """Return the base after a file without a key for it lost its body "Old.", which the server keeps."""
    base = synced((here(markdown="Old."), server(markdown="Old.")))
    plan = planned([A], [server(markdown="Old.")], base)
    assert not plan
    return base.with_updates(plan.base_updates)


def test_a_body_that_was_removed_and_returns_is_written() -> None:
    plan = planned([here(markdown="New.")], [server(markdown="Old.")], base_after_removing_the_body())
    (change,) = plan.changes
    assert (dict(change.fields), codes(plan)) == ({"markdown": ("Old.", "New.")}, [])


def test_a_returning_body_conflicts_with_a_change_on_the_server() -> None:
    plan = planned([here(markdown="New.")], [server(markdown="Theirs.")], base_after_removing_the_body())
    assert codes(plan) == ["conflict"]


def test_a_field_that_the_file_never_had_is_not_changed() -> None:
    assert not planned([A], [server(markdown="theirs", placement="navbar")], BASE)


def test_a_translation_removed_from_the_file_is_deleted_on_the_server() -> None:
    texts = {"fr": {"title": "Un", "content": "deux"}}
    before = desired(Kind.ARTICLE, "a", slug="a", title="A", markdown="x", translations=texts)
    record = actual(Kind.ARTICLE, "a", 1, slug="a", title="A", markdown="x", is_markdown=True, translations=texts)
    after = desired(Kind.ARTICLE, "a", slug="a", title="A", markdown="x")
    (change,) = planned([after], [record], synced((before, record))).changes
    assert dict(change.fields) == {"translations.fr.title": ("Un", None), "translations.fr.content": ("deux", None)}


def test_a_differently_stored_value_is_no_difference() -> None:
    """HT-24"""
    base = synced((here(title="Hello"), server(title="HELLO")))
    assert not planned([here(title="Hello")], [server(title="HELLO")], base)


def test_a_changed_value_that_the_server_stores_differently_is_written() -> None:
    base = synced((here(title="Hello"), server(title="HELLO")))
    plan = planned([here(title="Bye")], [server(title="HELLO")], base)
    assert (reported(plan), plan.changes[0].drift) == ([("update", "a")], ())


def test_equal_entries_are_adopted_without_a_base() -> None:
    """PL-16"""
    plan = planned([A], [THERE], UNKNOWN_BASE)
    assert (reported(plan), codes(plan), [line.id for line in plan.base_updates]) == ([], [], [1])
    assert (plan.adopted, plan.adopted_unchanged) == ((THERE,), (THERE,))


def test_a_record_with_other_values_is_listed_as_a_change() -> None:
    there = replace(server(title="Theirs"), created="2026-03-01T09:00:00Z")
    plan = planned([A], [there], UNKNOWN_BASE, Policy(adopt=True))
    assert (plan.adopted, plan.adopted_unchanged) == ((there,), ())
    assert plan.changes[0].reason == "title differs; not from here (created 2026-03-01T09:00:00Z)"


def test_the_delete_of_an_adopted_record_needs_consent() -> None:
    base = BASE.with_updates(planned([A], [THERE], UNKNOWN_BASE).base_updates)
    others = [Entry(Kind.PAGE, key, {"slug": key}, id=number) for number, key in enumerate("bcde", 2)]
    base = base.with_updates(applied_entry(other, other) for other in others)
    plan = planned(others, [THERE, *others], base)
    (refusal,) = plan.refusals
    assert (refusal.code, refusal.flag) == ("adopted", "--allow-deletes 1")
    assert refusal.message == "1 page that this folder adopted, and did not create, would be deleted: a"
    assert codes(planned(others, [THERE, *others], base, Policy(prune=True, allowed=Consents(deletes=1)))) == []


@pytest.mark.parametrize("title", ["A", "New"])
def test_an_adopted_record_stays_adopted_after_later_syncs(title: str) -> None:
    base = BASE.with_updates(planned([A], [THERE], UNKNOWN_BASE).base_updates)
    moved = replace(A, source=Source("moved.md"), fields={**A.fields, "title": title})
    plan = planned([moved], [THERE], base)
    origins = [line.origin for line in plan.base_updates] + [change.origin for change in plan.changes]
    assert (origins, plan.adopted) == (["adopted"], ())


@pytest.mark.parametrize("base", [UNKNOWN_BASE, Base.from_entries([])])
def test_a_different_record_is_adopted_only_with_consent(base: Base) -> None:
    """PL-16, PL-17"""
    plan = planned([A], [server(title="Theirs")], base)
    assert codes(plan) == ["adoption"]
    assert reported(plan) == [("update", "a")]
    assert codes(planned([A], [server(title="Theirs")], base, Policy(adopt=True))) == []


def test_a_former_key_is_not_a_consent_to_adopt() -> None:
    renamed = Entry(Kind.PAGE, "b", {"slug": "b", "title": "A"}, Source("b.md"), Notes(previous=("a",)))
    plan = planned([renamed], [THERE], UNKNOWN_BASE)
    assert (codes(plan), plan.changes[0].previous_key) == (["adoption"], "a")
    assert codes(planned([renamed], [THERE], BASE)) == []


def test_a_used_note_is_stored_in_the_base() -> None:
    noted = Entry(A.kind, A.key, A.fields, A.source, Notes(previous=("older",)))
    (line,) = planned([noted], [THERE], BASE).base_updates
    assert line.previous == ("older",)
    assert planned([noted], [THERE], BASE.with_updates([line])).base_updates == ()


def test_a_missing_creation_time_is_added_to_the_base() -> None:
    (line,) = planned([A], [replace(THERE, created="2026-03-02T09:00:00.000000Z")], BASE).base_updates
    assert line.created == "2026-03-02T09:00:00.000000Z"


def test_a_foreign_record_with_a_reused_id_is_not_deleted() -> None:
    """A restored server assigns its ids again."""
    recreated = replace(server_b(), created="2026-03-02T09:00:00.000000Z")
    base = BASE.with_updates([applied_entry(desired(Kind.PAGE, "b", slug="b", title="B"), recreated)])
    for key in ("stranger", "b"):
        foreign = Entry(Kind.PAGE, key, {"slug": key, "title": "B"}, id=2, created="2026-03-03T09:00:00.000000Z")
        plan = planned([A], [THERE, foreign], base)
        assert (reported(plan), plan.base_removals, plan.unmanaged) == ([], ((Kind.PAGE, "b"),), (foreign,))


def test_a_managed_entry_missing_in_the_folder_is_deleted() -> None:
    """PL-05"""
    foreign = actual(Kind.PAGE, "stranger", 9, slug="stranger", title="S")
    plan = planned([here(), desired(Kind.PAGE, "b")], [THERE, server_b(), foreign], base_ab())
    assert reported(plan) == []
    plan = planned([here()], [THERE, server_b(), foreign], base_ab())
    assert reported(plan) == [("delete", "b")]
    assert [entry.key for entry in plan.unmanaged] == ["stranger"]


def test_nothing_is_deleted_without_a_base() -> None:
    """PL-17"""
    assert reported(planned([here()], [THERE, server_b()], UNKNOWN_BASE, Policy(prune=True, adopt=True))) == []


def test_nothing_is_deleted_without_prune_but_it_is_reported() -> None:
    plan = planned([here()], [THERE, server_b()], base_ab(), Policy())
    assert (reported(plan), [retained.reason for retained in plan.retained]) == ([], ["prune is off"])


def test_a_protected_entry_is_not_deleted_with_its_file() -> None:
    protected = desired(Kind.PAGE, "b", notes=Notes(protect=True), slug="b")
    plan = planned([here()], [THERE, server_b()], synced((A, THERE), (protected, server_b())))
    assert (reported(plan), [retained.reason for retained in plan.retained]) == ([], ["protected"])


def test_a_skipped_entry_is_present() -> None:
    plan = planned([here(), desired(Kind.PAGE, "b", notes=Notes(skip=True))], [THERE, server_b()], base_ab())
    assert reported(plan) == []


def test_a_newly_excluded_entry_is_unmanaged_and_not_deleted() -> None:
    """PL-07"""
    plan = planned(
        [here()], [THERE, server_b()], base_ab(), facts=PlanFacts(is_excluded=lambda applied: applied.key == "b")
    )
    assert (reported(plan), [retained.reason for retained in plan.retained]) == ([], ["left out by the config"])


def test_a_selection_deletes_only_selected_entries() -> None:

    for words, deletes in ((["page/a"], []), (["tag"], []), (["page/b"], [("delete", "b")])):
        plan = planned([here()], [THERE, server_b()], base_ab(), selection=Selection.parse(words))
        assert reported(plan) == deletes


def test_an_entry_missing_on_both_sides_is_removed_from_the_base() -> None:
    plan = planned([here()], [THERE], base_ab())
    assert (reported(plan), plan.base_removals) == ([], ((Kind.PAGE, "b"),))


def test_a_record_with_another_id_is_not_deleted() -> None:
    other = actual(Kind.PAGE, "b", 77, slug="b", title="B")
    plan = planned([here()], [THERE, other], base_ab())
    assert (reported(plan), [entry.id for entry in plan.unmanaged]) == ([], [77])


def test_deleting_the_last_entry_of_a_kind_is_refused() -> None:
    """PL-01"""
    plan = planned([desired(Kind.TAG, "t", title="T")], [THERE], BASE)
    assert codes(plan) == ["emptied"]
    assert (
        codes(
            planned([desired(Kind.TAG, "t", title="T")], [THERE], BASE, Policy(prune=True, allowed=Consents(deletes=1)))
        )
        == []
    )


def test_an_empty_folder_deletes_nothing() -> None:
    """PL-02, FI-26"""
    plan = planned([], [THERE], BASE, Policy(prune=True, allowed=Consents(deletes=1)))
    assert [(refusal.code, refusal.flag) for refusal in plan.refusals] == [("empty-folder", "")]


def test_deleting_a_category_counts_the_listings_that_lose_it() -> None:
    category = desired(Kind.CATEGORY, "c", slug="c", title="C")
    record = actual(Kind.CATEGORY, "c", 50, slug="c", title="C")
    other = desired(Kind.TAG, "d", slug="d", title="D")
    foreign_pages = [
        actual(Kind.LISTING, f"https://{n}.example", n, url=f"https://{n}.example", name="N", categories=["c"])
        for n in range(30)
    ]
    two = [desired(Kind.CATEGORY, "e", slug="e", title="E"), desired(Kind.CATEGORY, "f", slug="f", title="F")]
    records = [actual(Kind.CATEGORY, one.key, n, **one.fields) for n, one in enumerate(two)]
    base = synced((category, record), *zip(two, records, strict=True))
    plan = planned([other, *two], [record, *records, *foreign_pages], base)
    assert (reported(plan)[-1], codes(plan)) == (("delete", "c"), ["deletes"])
    assert "30 of 0 managed listings would lose something" in plan.refusals[0].message


@pytest.mark.parametrize("on_drift", get_args(OnDrift))
def test_a_local_delete_and_an_edit_on_the_server_are_a_conflict(on_drift: OnDrift) -> None:
    edited = actual(Kind.PAGE, "b", 2, slug="b", title="Edited there")
    plan = planned([here()], [THERE, edited], base_ab(), Policy(prune=True, on_drift=on_drift))
    assert codes(plan) == ["conflict"]
    assert "page b (deleted in the folder, title changed on the server)" in plan.refusals[0].message


def test_a_conflict_decided_for_the_folder_deletes_the_edited_record() -> None:
    edited = actual(Kind.PAGE, "b", 2, slug="b", title="Edited there")
    plan = planned([here()], [THERE, edited], base_ab(), Policy(prune=True, on_conflict="ours"))
    assert (reported(plan), plan.changes[0].drift, codes(plan)) == ([("delete", "b")], ("title",), [])


def test_a_conflict_decided_for_the_server_leaves_the_record_unmanaged() -> None:
    edited = actual(Kind.PAGE, "b", 2, slug="b", title="Edited there")
    plan = planned([here()], [THERE, edited], base_ab(), Policy(prune=True, on_conflict="theirs"))
    assert (reported(plan), codes(plan), len(plan.left_as_on_server)) == ([], [], 1)
    later = planned([here()], [THERE, edited], base_ab().with_updates(plan.base_updates, plan.base_removals))
    assert (reported(later), codes(later), later.left_as_on_server) == ([], [], ())


@pytest.mark.parametrize("on_drift", get_args(OnDrift))
def test_a_local_edit_and_a_delete_on_the_server_are_a_conflict(on_drift: OnDrift) -> None:
    plan = planned([here(title="Ours"), B], [server_b()], base_ab(), Policy(prune=True, on_drift=on_drift))
    assert codes(plan) == ["conflict"]
    assert "page a (title changed in the folder, deleted on the server)" in plan.refusals[0].message


def test_an_empty_cell_of_a_new_or_removed_column_is_no_local_edit() -> None:
    """A table has a new column in all of its rows, also in that of a deleted record."""
    bare = desired(Kind.LISTING, "lathe", name="Lathe", slug="lathe")
    empty = desired(Kind.LISTING, "lathe", **bare.fields, is_active=True, price=None, tags=[])
    filled = desired(Kind.LISTING, "lathe", **bare.fields, price=5)
    record = actual(Kind.LISTING, "lathe", 1, **empty.fields)
    for before, after in ((bare, empty), (empty, bare)):
        plan = planned([after], [], synced((before, record)), Policy())
        assert (codes(plan), [drift.deleted for drift in plan.drift]) == ([], [True])
    assert codes(planned([filled], [], synced((bare, record)), Policy())) == ["conflict"]


def listing(make: Callable[..., Entry] = desired, host: str = "old", name: str = "Lathe") -> Entry:
    """Return a listing, which its URL identifies, of the folder or of the server."""
    fields = {"slug": "lathe", "name": name, "url": f"https://{host}.example"}
    return make(Kind.LISTING, fields["url"], *((1,) if make is actual else ()), **fields)


def test_a_url_changed_on_the_server_is_no_rename_by_the_folder() -> None:
    base = synced((listing(), listing(actual)))
    plan = planned([listing(name="Saw")], [listing(actual, "theirs")], base, Policy())
    assert [(change.reason, [*change.fields]) for change in plan.changes] == [("name differs", ["name"])]
    assert [[*drift.fields] for drift in plan.drift] == [["url"]]


def test_a_new_url_of_a_listing_deleted_on_the_server_names_the_url() -> None:
    plan = planned([listing(host="new")], [], synced((listing(), listing(actual))), Policy())
    assert "(url changed in the folder, deleted on the server)" in plan.refusals[0].message


def test_a_conflict_decided_for_the_folder_creates_the_deleted_record() -> None:
    plan = planned([here(title="Ours"), B], [server_b()], base_ab(), Policy(on_conflict="ours"))
    assert (reported(plan), codes(plan)) == ([("create", "a")], [])


def test_a_conflict_decided_for_the_server_leaves_the_entry_deleted() -> None:
    folder = [here(title="Ours"), B]
    plan = planned(folder, [server_b()], base_ab(), Policy(on_conflict="theirs"))
    assert (reported(plan), codes(plan), len(plan.left_as_on_server)) == ([], [], 1)
    later = planned(folder, [server_b()], base_ab().with_updates(plan.base_updates, plan.base_removals), Policy())
    assert (reported(later), codes(later), [drift.deleted for drift in later.drift]) == ([], [], [True])


def test_a_plan_counts_its_writes_checks_and_requests() -> None:
    plan = planned([here()], [THERE, server_b()], base_ab())
    assert (plan.write_count, plan.check_count, plan.request_count) == (1, 1, 2)


def test_a_base_without_ids_gives_the_same_plan() -> None:
    """PL-17"""
    base = Base.from_entries(lines(base_ab().values(), id=None))
    assert reported(planned([here(title="B")], [THERE, server_b()], base)) == [("update", "a"), ("delete", "b")]


def server_b() -> Entry:
    return actual(Kind.PAGE, "b", 2, slug="b", title="B")


def base_ab() -> Base:
    return Base.from_entries([applied_entry(A, THERE), applied_entry(B, server_b())])


def test_an_html_entity_corrected_in_the_file_is_written() -> None:
    base = synced((here(title="AT&amp;T"), server(title="AT&amp;T")))
    plan = planned([here(title="AT&T")], [server(title="AT&amp;T")], base)
    assert (reported(plan), codes(plan), plan.drift_count) == ([("update", "a")], [], 0)


@pytest.mark.parametrize(("sent", "stored"), [("AT&T", "AT&amp;T"), ("AT&amp;T", "AT&T")])
def test_an_escaped_value_on_the_server_is_no_difference(sent: str, stored: str) -> None:
    """HT-24"""
    base = synced((here(title=sent), server(title=stored)))
    assert not planned([here(title=sent)], [server(title=stored)], base)
    plan = planned([here(title="Other")], [server(title=stored)], base)
    assert (reported(plan), codes(plan)) == ([("update", "a")], [])


def test_a_new_field_that_another_user_has_set_is_a_conflict() -> None:
    folder, there = [here(placement="footer")], [server(placement="navbar")]
    assert codes(planned(folder, there, BASE)) == ["conflict"]
    (change,) = planned(folder, there, BASE, Policy(on_conflict="ours")).changes
    assert dict(change.fields) == {"placement": ("navbar", "footer")}
    plan = planned(folder, there, BASE, Policy(on_conflict="theirs"))
    assert not plan
    assert not planned(folder, there, BASE.with_updates(plan.base_updates))


@pytest.mark.parametrize("placement", ["unlisted", "footer"], ids=["the default", "the same"])
def test_a_new_field_with_the_default_or_same_value_is_no_conflict(placement: str) -> None:
    assert codes(planned([here(placement="footer")], [server(placement=placement)], BASE)) == []


def test_a_value_derived_by_the_service_can_be_set_later() -> None:
    article = desired(Kind.ARTICLE, "a", slug="a", title="A", markdown="x")
    record = actual(
        Kind.ARTICLE, "a", 1, **article.fields, is_markdown=True, published_at="2026-01-01T00:00:00.000000Z"
    )
    dated = desired(Kind.ARTICLE, "a", **article.fields, published_at="2026-02-01T00:00:00.000000Z")
    plan = planned([dated], [record], synced((article, record)))
    assert (reported(plan), codes(plan)) == ([("update", "a")], [])


ARTICLE = desired(Kind.ARTICLE, "a", slug="a", title="A", markdown="text")
BASE_OF_ARTICLE = Base.from_entries([applied_entry(ARTICLE)])  # with the values as sent, as after a create
AS_HTML = actual(Kind.ARTICLE, "a", 1, slug="a", title="A", markdown="text", content="<p>theirs</p>", is_markdown=False)


def test_an_article_that_another_user_changed_to_html_is_drift() -> None:
    assert codes(planned([ARTICLE], [AS_HTML], BASE_OF_ARTICLE, Policy(on_drift="fail"))) == ["drift"]
    plan = planned([ARTICLE], [AS_HTML], BASE_OF_ARTICLE)
    assert (reported(plan), plan.changes[0].drift) == ([("update", "a")], ("is_markdown",))


def test_an_article_kept_as_html_is_sent_with_its_html() -> None:
    retitled = desired(Kind.ARTICLE, "a", **{**ARTICLE.fields, "title": "B"})
    (change,) = planned([retitled], [AS_HTML], BASE_OF_ARTICLE, Policy(on_drift="keep")).changes
    assert request_body(change, ids={}, social_names="card") == {"title": "B", "slug": "a", "content": "<p>theirs</p>"}


def test_a_text_changed_here_and_replaced_by_html_there_is_a_conflict() -> None:
    rewritten = desired(Kind.ARTICLE, "a", **{**ARTICLE.fields, "markdown": "ours"})
    for on_drift in ("overwrite", "keep", "fail"):
        assert codes(planned([rewritten], [AS_HTML], BASE_OF_ARTICLE, Policy(on_drift=on_drift))) == ["conflict"]
    assert not planned([rewritten], [AS_HTML], BASE_OF_ARTICLE, Policy(on_conflict="theirs"))
    (change,) = planned([rewritten], [AS_HTML], BASE_OF_ARTICLE, Policy(on_conflict="ours")).changes
    assert request_body(change, ids={}, social_names="card") == {"markdown": "ours"}


def rows(count: int, **fields: Any) -> tuple[list[Entry], list[Entry]]:
    """Return this number of listings of the folder and of the server."""
    keys = [f"https://{number}.example" for number in range(count)]
    here = [desired(Kind.LISTING, key, url=key, name="L", **fields) for key in keys]
    there = [actual(Kind.LISTING, key, number, url=key, name="L", **fields) for number, key in enumerate(keys, 1)]
    return here, there


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"categories": ["saws"]}, {"categories": []}),
        ({"categories": ["saws"]}, {}),
        ({"categories": ["saws", "planes"]}, {"categories": ["planes"]}),
        ({"description": "Text"}, {"description": ""}),
        ({"description": "Text"}, {}),
    ],
)
def test_emptying_or_removing_a_column_requires_consent(before: dict[str, Any], after: dict[str, Any]) -> None:
    old, there = rows(43, **before)
    new, _ = rows(43, **after)
    base = synced(*zip(old, there, strict=True))
    plan = planned(new, there, base)
    assert [(refusal.code, refusal.flag) for refusal in plan.refusals] == [("clears", "--allow-clears 43")]
    assert f"43 of 43 managed listings would lose values ({next(iter(before))} of 43;" in plan.refusals[0].message
    assert codes(planned(new, there, base, Policy(allowed=Consents(clears=43)))) == []


@pytest.mark.parametrize("after", [{"categories": ["planes"]}, {"categories": ["planes", "saws"]}])
def test_replaced_values_do_not_count_as_cleared(after: dict[str, Any]) -> None:
    old, there = rows(43, categories=["saws"])
    new, _ = rows(43, **after)
    assert codes(planned(new, there, synced(*zip(old, there, strict=True)))) == []


@pytest.mark.parametrize(("written", "is_published", "order"), [(1, True, 1), ("1", True, "1"), ("true", True, "1")])
def test_a_base_with_the_types_of_the_service_causes_no_conflict(
    written: object, is_published: bool, order: object
) -> None:
    before = here(is_published=is_published)
    base = synced((before, server(is_published=written, order=order)))
    assert not planned([before], [server(is_published=True)], base)
    plan = planned([here(is_published=False, order=5)], [server(is_published=True)], base)
    (change,) = plan.changes
    assert (set(change.fields), change.drift, codes(plan)) == ({"is_published", "order"}, (), [])


def unreturned(record: Entry, *names: str) -> Entry:
    """Return a record of a service that does not return these fields."""
    return replace(record, unknown=frozenset(names))


def test_a_field_that_the_service_does_not_return_is_sent_only_after_a_change() -> None:
    record = unreturned(actual(Kind.PAGE, "a", 1, slug="a", title="A"), "order")
    base = synced((A, record))
    plan = planned([A], [record], base)
    assert (reported(plan), plan.base_updates, plan.drift_count) == ([], (), 0)
    (change,) = planned([here(order=2)], [record], base).changes
    assert (dict(change.fields), change.drift) == ({"order": (None, 2)}, ())
    assert not planned([here(order=2)], [record], synced((here(order=2), record)))


def test_a_new_field_that_the_service_does_not_return_is_no_conflict() -> None:
    record = unreturned(actual(Kind.PAGE, "a", 1, slug="a", title="A"), "order")
    before = desired(Kind.PAGE, "a", slug="a", title="A")
    plan = planned([A], [record], synced((before, record)))
    (change,) = plan.changes
    assert (dict(change.fields), codes(plan)) == ({"order": (None, 1)}, [])


def test_a_removed_field_that_the_service_does_not_return_is_reset_once() -> None:
    record = unreturned(actual(Kind.PAGE, "a", 1, slug="a", title="A"), "order")
    after = desired(Kind.PAGE, "a", slug="a", title="A")
    (change,) = planned([after], [record], synced((A, record))).changes
    assert dict(change.fields) == {"order": (None, 0)}
    assert not planned([after], [record], synced((after, record)))


def test_a_field_that_the_service_does_not_return_is_adopted_only_with_consent() -> None:
    record = unreturned(actual(Kind.PAGE, "a", 1, slug="a", title="A"), "order")
    assert codes(planned([A], [record], UNKNOWN_BASE)) == ["adoption"]
    plan = planned([A], [record], UNKNOWN_BASE, Policy(adopt=True))
    assert [dict(change.fields) for change in plan.changes] == [{"order": (None, 1)}]


def test_a_field_that_the_service_does_not_return_does_not_prevent_a_delete() -> None:
    record = unreturned(actual(Kind.PAGE, "a", 1, slug="a", title="A"), "order")
    keep = Policy(prune=True, on_drift="keep", allowed=Consents(deletes=1))
    other = desired(Kind.PAGE, "b", slug="b", title="B")
    plan = planned([other], [record, actual(Kind.PAGE, "b", 2, slug="b", title="B")], synced((A, THERE)), keep)
    assert reported(plan) == [("delete", "a")]


def test_a_changed_part_of_an_object_is_sent_with_its_unreturned_parts() -> None:
    seo = {"title": "T", "keywords": "k"}
    before = desired(Kind.ARTICLE, "a", slug="a", title="A", markdown="T", seo=seo)
    fields = {"slug": "a", "title": "A", "markdown": "T", "is_markdown": True, "seo": {"title": "T"}}
    record = unreturned(actual(Kind.ARTICLE, "a", 1, **fields), "seo.keywords")
    after = desired(Kind.ARTICLE, "a", **{**before.fields, "seo": {**seo, "title": "New"}})
    (change,) = planned([after], [record], synced((before, record))).changes
    assert dict(change.fields) == {"seo.title": ("T", "New")}
    assert request_body(change, ids={}, social_names="card")["seo"] == {"title": "New", "keywords": "k"}


def test_a_custom_field_that_the_service_never_returns_can_be_renamed() -> None:
    was = desired(Kind.CUSTOM_FIELD, "price", name="price", label="Price", type="number")
    now = replace(
        desired(Kind.CUSTOM_FIELD, "cost", name="cost", label="Price", type="number"), notes=Notes(previous=("price",))
    )
    there = actual(Kind.CUSTOM_FIELD, "price", 1, **was.fields)
    before = desired(Kind.LISTING, "a", slug="a", name="A", price=5)
    record = unreturned(actual(Kind.LISTING, "a", 2, slug="a", name="A"), "price")
    base = synced((was, there), (before, record))
    plan = planned([now, desired(Kind.LISTING, "a", slug="a", name="A", cost=5)], [there, record], base)
    assert (reported(plan), plan.drift_count) == ([("update", "cost")], 0)
