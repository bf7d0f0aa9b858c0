"""The notes of a base about pulled entries: after a pull, and after a later plan."""

from collections.abc import Callable, Sequence
from typing import Any

from contentsync.model import Entry, Kind, Notes
from contentsync.sync.comparing.base import AppliedEntry, Base, BeforePull
from contentsync.sync.planning.plan import Selection
from contentsync.sync.planning.pull_notes import note_pull, settle_pulls

from ..bases import synced
from ..entries import actual, desired


def tag(slug: str = "a", **fields: Any) -> Entry:
    return desired(Kind.TAG, slug, slug=slug, **{"title": "A", **fields})


def there(slug: str = "a", id_: int = 1, **fields: Any) -> Entry:
    """Return the record of a tag on the server."""
    return actual(Kind.TAG, slug, id_, slug=slug, **{"title": "A", **fields})


def pulled(
    base: Base, before: Sequence[Entry], after: Sequence[Entry], server: Sequence[Entry], earlier: Base | None = None
) -> Base:
    """Return the base after a pull that made the folder equal to the server."""
    updates = [*synced(*zip(after, server, strict=True)).values()]
    notes = {key: applied.before_pull for key, applied in (earlier or {}).items() if applied.before_pull}
    noted = note_pull(updates, base, before, after, notes)
    return base.with_updates(noted, base.keys() - {applied.identity for applied in noted})


def settled(base: Base, folder: Sequence[Entry], server: Sequence[Entry], only: str = "") -> Base:
    """Return the base after a plan has used the notes of pulls; with `only`, those of the selected entries."""
    return settle_pulls(base, folder, server, Selection.parse([only] if only else []).covers)


def without_notes(base: Base) -> list[AppliedEntry]:
    return [applied._replace(before_pull=None) for applied in base.values()]


OLD, NEW = tag(), tag(title="B")
RECORD = there(title="B")
SERVER = [RECORD]
BEFORE = synced((OLD, there()))
AFTER = pulled(BEFORE, [OLD], [NEW], SERVER)


def test_a_base_without_pulls_is_returned_unchanged() -> None:
    assert settled(BEFORE, [OLD], SERVER) is BEFORE


def test_a_pulled_value_that_the_folder_still_has_is_confirmed() -> None:
    base = settled(AFTER, [NEW], SERVER)
    assert ([*base.values()], base.is_saved) == (without_notes(AFTER), False)


def test_a_pulled_value_that_the_folder_reverted_is_discarded() -> None:
    assert settled(AFTER, [OLD], SERVER) == BEFORE


def test_a_pulled_entry_that_the_folder_removed_is_discarded() -> None:
    assert settled(AFTER, [], SERVER) == BEFORE


def test_another_value_in_the_folder_confirms_the_pull() -> None:
    assert [*settled(AFTER, [tag(title="C")], SERVER).values()] == without_notes(AFTER)


def test_one_reverted_field_discards_the_pull_of_an_entry() -> None:
    server = [there(title="B", icon="x")]
    base = pulled(BEFORE, [OLD], [tag(title="B", icon="x")], server)
    assert settled(base, [tag(title="A", icon="x")], server) == BEFORE
    assert settled(base, [NEW], server) == BEFORE  # without the icon


def test_an_entry_reverted_to_the_last_sync_is_discarded_too() -> None:
    """The pull has replaced a local change that was not committed."""
    base = pulled(BEFORE, [tag(title="Mine")], [NEW], SERVER)
    for title in ("Mine", "A"):
        assert settled(base, [tag(title=title)], SERVER) == BEFORE


def test_a_pulled_new_entry_is_managed_only_while_the_folder_has_it() -> None:
    base = pulled(Base(), [], [NEW], SERVER)
    assert settled(base, [], SERVER) == Base()
    assert [*settled(base, [tag(title="C")], SERVER).values()] == without_notes(base)


def test_a_pulled_new_entry_that_the_folder_renamed_is_managed() -> None:
    base = pulled(Base(), [], [NEW], SERVER)
    renamed = desired(Kind.TAG, "b", slug="b", title="B", notes=Notes(previous=("a",)))
    assert [*settled(base, [renamed], SERVER).values()] == without_notes(base)


def test_an_entry_that_the_pull_did_not_write_has_no_note() -> None:
    base = pulled(synced((OLD, RECORD)), [NEW], [NEW], SERVER)
    assert settled(base, [], []) is base


def test_a_discarded_rename_has_the_old_key_again() -> None:
    server = [there("b")]
    base = pulled(BEFORE, [OLD], [tag("b")], server)
    assert [*base] == [(Kind.TAG, "b")]
    assert settled(base, [OLD], server) == BEFORE


def test_an_undone_rename_after_a_pull_does_not_discard_the_pull() -> None:
    base = pulled(synced((tag("b"), there("b"))), [tag("b")], [tag("b", title="B")], [there("b", title="B")])
    undone = base.with_keys({(Kind.TAG, 1): "a"})  # as an undo names it, beside a folder that it does not change
    renamed = desired(Kind.TAG, "b", slug="b", title="B", notes=Notes(previous=("a",)))
    assert [*settled(undone, [renamed], [there(title="B")]).values()] == without_notes(undone)


def test_a_new_entry_under_the_old_key_of_a_discarded_rename_is_discarded() -> None:
    server = [there("b"), there("a", 2, title="New")]
    base = pulled(BEFORE, [OLD], [tag("b"), tag(title="New")], server)
    assert settled(base, [OLD], server) == BEFORE


def test_exchanged_keys_are_discarded_or_confirmed_together() -> None:
    first, second = tag("a", title="First"), tag("b", title="Second")
    before = synced((first, there("a", 1, title="First")), (second, there("b", 2, title="Second")))
    server = [there("b", 1, title="First"), there("a", 2, title="Second")]
    after = [tag("b", title="First"), tag("a", title="Second")]
    base = pulled(before, [first, second], after, server)
    assert settled(base, [first, second], server) == before
    assert {applied.key: applied.id for applied in settled(base, after, server).values()} == {"b": 1, "a": 2}


def test_exchanged_urls_are_discarded_together() -> None:
    def listing(make: Callable[..., Entry], name: str, url: str, *id_: int) -> Entry:
        return make(Kind.LISTING, f"https://{url}", *id_, url=f"https://{url}", slug=name, name=name)

    first, second = listing(desired, "first", "a.example"), listing(desired, "second", "b.example")
    before = synced(
        (first, listing(actual, "first", "a.example", 1)), (second, listing(actual, "second", "b.example", 2))
    )
    server = [listing(actual, "first", "b.example", 1), listing(actual, "second", "a.example", 2)]
    after = [listing(desired, "first", "b.example"), listing(desired, "second", "a.example")]
    assert settled(pulled(before, [first, second], after, server), [first, second], server) == before


def test_unselected_or_skipped_entries_stay_undecided() -> None:
    assert [*settled(AFTER, [OLD], SERVER, only="page").values()] == [*AFTER.values()]
    skipped = desired(Kind.TAG, "a", notes=Notes(skip=True), slug="a", title="A")
    assert [*settled(AFTER, [skipped], SERVER).values()] == [*AFTER.values()]


def test_two_pulls_are_discarded_together() -> None:
    server = [there(title="B", icon="x")]
    latest = tag(title="B", icon="x")
    base = pulled(settled(AFTER, [NEW], SERVER), [NEW], [latest], server, earlier=AFTER)
    assert settled(base, [OLD], server) == BEFORE


def test_an_earlier_pull_of_another_entry_is_still_noted() -> None:
    base = note_pull([], settled(AFTER, [NEW], SERVER), [NEW], [NEW], {(Kind.TAG, "a"): BeforePull(None, None)})
    assert [applied.before_pull for applied in base] == [BeforePull(None, None)]


def listing(host: str, **fields: Any) -> Entry:
    return desired(Kind.LISTING, f"https://{host}", url=f"https://{host}", **fields)


def test_another_listing_of_the_same_name_is_not_taken_for_a_renamed_one() -> None:
    values: dict[str, Any] = {"name": "A", "description": "New", "latitude": 1.0}
    new, mine = listing("new.example", **values), listing("mine.example", name="A", description="Mine", latitude=2.0)
    server = [actual(Kind.LISTING, new.key, 1, slug="a", **new.fields)]
    base = pulled(Base(), [mine], [new], server)
    assert settled(base, [mine], server) == Base()
    moved = listing("moved.example", **values)
    assert [*settled(base, [moved], server).values()] == without_notes(base)
