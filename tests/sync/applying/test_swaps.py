"""Entries that exchange slugs or URLs, on a real server: each record stays the same after every crash."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from contentsync.model import RECORDS, Entry, Kind, Notes, Source

from ...sampling import sampled
from ..faults import Killed, killed
from ..site import Site
from ..undo.undoing import undo

NEEDED = {
    Kind.ARTICLE: {"markdown": "text"},
    Kind.CUSTOM_FIELD: {"type": "text"},
}
ONE, OTHER = "https://one.example", "https://other.example"


def entry(kind: Kind, key: str, title: str, *previous: str) -> Entry:
    """Return an entry of a table, whose former name only `sync.previous` contains."""
    model = RECORDS[kind]
    fields = {model.key_field: key, model.title_field: title, **NEEDED.get(kind, {})}
    return Entry(kind, key, fields, Source("all.yaml"), Notes(previous=previous))


def page(key: str, title: str) -> Entry:
    """Return an entry in a file of its own."""
    return Entry(Kind.PAGE, key, {"slug": key, "title": title}, Source(f"pages/{title}.md"))


def listing(url: str, name: str, *previous: str) -> Entry:
    return Entry(Kind.LISTING, url, {"url": url, "name": name}, Source("all.csv"), Notes(previous=previous))


def with_slug(number: int, slug: str) -> Entry:
    url = f"https://{number}.example"
    return Entry(Kind.LISTING, url, {"url": url, "name": f"L{number}", "slug": slug}, Source("all.csv"))


def ids(site: Site) -> dict[str, int | None]:
    """Return the id of each entry, by its title."""
    return {str(there.fields[RECORDS[there.kind].title_field]): there.id for there in site.everything().values()}


@pytest.mark.parametrize("kind", sampled(Kind, every=2))
def test_two_entries_exchange_their_keys_and_keep_their_records(tmp_path: Path, kind: Kind) -> None:
    """SL-15"""
    site = Site(tmp_path)
    site.synced([entry(kind, "a", "x"), entry(kind, "b", "y")])
    before = ids(site)
    swapped = [entry(kind, "b", "x", "a"), entry(kind, "a", "y", "b")]
    site.synced(swapped)
    assert ids(site) == before
    assert {there.fields[RECORDS[kind].title_field]: key for key, there in site.there(kind).items()} == {
        "x": "b",
        "y": "a",
    }
    assert len(site.writes) == 3
    assert not site.planned(swapped)


class Exchange(NamedTuple):
    """A folder before and after entries exchange their keys or slugs, and the writes that this takes."""

    before: Sequence[Entry]
    after: Sequence[Entry]
    writes: int


WAYS: dict[str, Exchange] = {
    "pages by their files": Exchange([page("a", "x"), page("b", "y")], [page("b", "x"), page("a", "y")], 3),
    "listings by URL": Exchange(
        [listing(ONE, "x"), listing(OTHER, "y")],
        [listing(OTHER, "x", ONE), listing(ONE, "y", OTHER)],
        3,
    ),
    "tags by previous": Exchange(
        [entry(Kind.TAG, "a", "x"), entry(Kind.TAG, "b", "y")],
        [entry(Kind.TAG, "b", "x", "a"), entry(Kind.TAG, "a", "y", "b")],
        3,
    ),
    "a circle of three": Exchange(
        [entry(Kind.TAG, "a", "x"), entry(Kind.TAG, "b", "y"), entry(Kind.TAG, "c", "z")],
        [entry(Kind.TAG, "b", "x", "a"), entry(Kind.TAG, "c", "y", "b"), entry(Kind.TAG, "a", "z", "c")],
        4,
    ),
    "the slug of one that goes": Exchange(
        [with_slug(1, "x1"), with_slug(2, "x"), with_slug(3, "c")],
        [with_slug(1, "x"), with_slug(3, "c")],
        3,
    ),
}


THROUGHOUT = "a circle of three"  # where each write is cut off both before and after it is stored; elsewhere in turn


@pytest.mark.parametrize(
    ("way", "place", "stored"),
    sampled(
        (
            (way, place, stored)
            for way, exchange in WAYS.items()
            for place in range(exchange.writes)
            for stored in (False, True)
            if way == THROUGHOUT or stored == bool((place + exchange.writes) % 2)
        ),
        every=3,
    ),
)
def test_a_second_run_completes_an_interrupted_exchange_of_keys(
    tmp_path: Path, way: str, place: int, stored: bool
) -> None:
    """PL-10, SL-15"""
    before, after, _writes = WAYS[way]
    site = Site(tmp_path)
    site.synced(before)
    then = ids(site)
    with pytest.raises(Killed):
        site.sync(after, killed(place, stored=stored), concurrency=1)
    plan = site.planned(after)
    assert plan.refusals == ()
    assert not any(change.drift for change in plan.changes)
    site.synced(after)
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in after}
    assert ids(site).items() <= then.items()
    assert not site.planned(after)


def test_an_interrupted_exchange_of_slugs_can_be_reverted(tmp_path: Path) -> None:
    before, after, _writes = WAYS["pages by their files"]
    site = Site(tmp_path)
    site.synced(before)
    then = ids(site)
    with pytest.raises(Killed):
        site.sync(after, killed(0, stored=True), concurrency=1)
    site.synced(before)
    assert ids(site) == then
    assert site.there(Kind.PAGE).keys() == {"a", "b"}


@pytest.mark.parametrize("way", ["pages by their files", "tags by previous", "a circle of three"])
def test_an_interrupted_exchange_of_keys_can_be_undone(tmp_path: Path, way: str) -> None:
    """The last write had no answer: the entry still has its temporary name."""
    before, after, writes = WAYS[way]
    site = Site(tmp_path)
    site.synced(before)
    then = ids(site)
    with pytest.raises(Killed):
        site.sync(after, killed(writes - 1, stored=False), concurrency=1)
    undo(site)
    assert ids(site) == then
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in before}
    assert not site.planned(before)


def test_a_deleted_entry_with_a_needed_slug_gets_a_temporary_slug_first(tmp_path: Path) -> None:
    """PL-04: the check before the next write does not report this slug as a change of another user."""
    before, after, _writes = WAYS["the slug of one that goes"]
    site = Site(tmp_path)
    site.synced(before)
    results, stopped = site.sync(after)
    assert stopped is None
    assert [(result.change.action.value, result.status.value) for result in results] == [
        ("update", "done"),
        ("delete", "done"),
    ]


def test_a_custom_field_takes_the_name_of_one_that_is_deleted_with_its_values(tmp_path: Path) -> None:
    """The value of the deleted field is cleared under the name that the field has until then."""
    site = Site(tmp_path)
    url = "https://a.example"
    fields = [entry(Kind.CUSTOM_FIELD, "a", "A"), entry(Kind.CUSTOM_FIELD, "b", "B")]
    valued = replace(listing(url, "x"), fields={"url": url, "name": "x", "a": "1", "b": "2"})
    site.synced([*fields, valued])
    before = ids(site)
    renamed = [entry(Kind.CUSTOM_FIELD, "b", "A", "a"), replace(valued, fields={"url": url, "name": "x", "b": "3"})]
    site.synced(renamed)
    assert {label: number for label, number in before.items() if label != "B"} == ids(site)
    assert site.there(Kind.LISTING)[url].fields["b"] == "3"
    assert not site.planned(renamed)
    undo(site)
    there = site.there(Kind.LISTING)[url].fields
    assert (there["a"], there["b"]) == ("1", "2")
