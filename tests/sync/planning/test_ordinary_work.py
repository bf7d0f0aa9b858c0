"""Gates must let ordinary work pass, or people switch them off."""

import random
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.planning.plan import Limits, Policy
from contentsync.sync.planning.plan_builder import PlanFacts, make_plan

from ..bases import synced
from ..entries import actual, desired

WORDS = "saw plane lathe chisel vise clamp drill bench rasp gauge mallet awl brace spade tongs anvil".split()  # noqa: SIM905
LISTINGS, PAGES = 60, 30
Site = dict[str, Entry]


def text(dice: random.Random, length: int = 12) -> str:
    """Return a text of random words."""
    return " ".join(dice.choices(WORDS, k=length))


def site(dice: random.Random) -> Site:
    """Return a site of listings in a fetched table and in a table of authors, and of pages."""
    entries = [
        desired(
            Kind.LISTING,
            f"https://{number}.example",
            url=f"https://{number}.example",
            name=f"{text(dice, 2)} {number}",
            slug=f"s{number}",
            description=text(dice),
            tags=["wood"],
            price=dice.randrange(900),
            starts_at=None,
        )
        for number in range(LISTINGS)
    ]
    entries += [
        desired(
            Kind.PAGE, f"p{number}", slug=f"p{number}", title=f"Page {number}", markdown=text(dice, 80), order=number
        )
        for number in range(PAGES)
    ]
    return {entry.key: entry for entry in entries}


def edited(entry: Entry, **fields: Any) -> Entry:
    """Return an entry with other values of these fields."""
    return Entry(entry.kind, entry.key, {**entry.fields, **fields}, entry.source, entry.notes)


def chosen(dice: random.Random, entries: Site, kind: Kind, most: int) -> list[Entry]:
    """Return one to `most` entries of a kind, at random."""
    of_kind = [entry for entry in entries.values() if entry.kind is kind]
    return dice.sample(of_kind, dice.randint(1, most))


def write_texts(dice: random.Random, entries: Site) -> list[Entry]:
    listings = [edited(entry, description=text(dice)) for entry in chosen(dice, entries, Kind.LISTING, 15)]
    return listings + [edited(entry, markdown=text(dice, 80)) for entry in chosen(dice, entries, Kind.PAGE, 8)]


def rename(dice: random.Random, entries: Site) -> list[Entry]:
    listings = chosen(dice, entries, Kind.LISTING, 4)
    moved = chosen(dice, entries, Kind.PAGE, 12)
    noted = (Entry(Kind.PAGE, f"{page.key}-new", {**page.fields, "slug": f"{page.key}-new"},
                   Source("new.md"), Notes(previous=(page.key,))) for page in moved)  # fmt: skip
    for page in moved:
        del entries[page.key]
    return [edited(entry, name=text(dice, 2), slug=f"{entry.fields['slug']}-x") for entry in listings] + [*noted]


def tag(dice: random.Random, entries: Site) -> list[Entry]:
    return [
        edited(entry, tags=[*entry.fields["tags"], dice.choice(WORDS)])
        for entry in chosen(dice, entries, Kind.LISTING, LISTINGS)
    ]


def fetch_prices(dice: random.Random, entries: Site) -> list[Entry]:
    return [edited(entry, price=dice.randrange(900, 1800)) for entry in entries.values() if entry.kind is Kind.LISTING]


def fill_in(dice: random.Random, entries: Site) -> list[Entry]:
    return [edited(entry, seo={"title": text(dice, 3)}) for entry in chosen(dice, entries, Kind.PAGE, PAGES)]


def reorder(dice: random.Random, entries: Site) -> list[Entry]:
    pages = [entry for entry in entries.values() if entry.kind is Kind.PAGE]
    return [edited(entry, order=number) for number, entry in enumerate(dice.sample(pages, len(pages)))]


def plan_dates(dice: random.Random, entries: Site) -> list[Entry]:
    return [
        edited(entry, starts_at=f"2027-01-{dice.randrange(1, 29):02}T00:00:00Z")
        for entry in chosen(dice, entries, Kind.LISTING, LISTINGS)
    ]


WORK: tuple[Callable[[random.Random, Site], list[Entry]], ...] = (
    write_texts, rename, tag, fetch_prices, fill_in, reorder, plan_dates,
)  # fmt: skip


def refusals(before: Mapping[str, Entry], after: Site) -> list[str]:
    there = [actual(entry.kind, entry.key, number, **entry.fields) for number, entry in enumerate(before.values(), 1)]
    base = synced(*zip(before.values(), there, strict=True))
    limits = {"listing.md": Limits(percent=100)}
    plan = make_plan(
        [*after.values()], there, base=base, policy=Policy(prune=True), facts=PlanFacts(source_limits=limits)
    )
    return [refusal.message for refusal in plan.refusals]


@pytest.mark.parametrize("seed", range(4))
def test_fifty_ordinary_syncs_are_not_refused(seed: int) -> None:
    dice = random.Random(seed)
    refused = []
    for _ in range(50):
        before = site(dice)
        after = dict(before)
        for work in dice.sample(WORK, dice.randint(1, 3)):
            after |= {entry.key: entry for entry in work(dice, after)}
        if found := refusals(before, after):
            refused.append(found)
    assert refused == []
