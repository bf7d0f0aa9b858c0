"""contentsync.sync.state.referred_entries: whether listings still refer to the same entries."""

from dataclasses import replace

import orjson
import pytest

from contentsync.model import Entry, Kind
from contentsync.model.entry import Notes
from contentsync.sync.comparing.base import AppliedEntry, Base
from contentsync.sync.planning.plan import Plan
from contentsync.sync.state.referred_entries import ReferredEntries

ADA = Entry(Kind.ORGANIZER, "ada", {"slug": "ada", "name": "Ada"}, id=1)
EVE = Entry(Kind.ORGANIZER, "eve", {"slug": "eve", "name": "Eve"}, id=2)
UNNAMED, MOVED = replace(ADA, fields={"slug": "ada"}), replace(ADA, fields={**ADA.fields, "location": "Rome"})
PAGE = Entry(Kind.PAGE, "a", {}, id=1)
SIDES = ("folder", "server", "base")


def referred(**sides: tuple[Entry, ...]) -> ReferredEntries:
    """Return what listings may refer to; a side that is not named has only Ada."""
    folder, server, applied = (sides.get(side, (ADA,)) for side in SIDES)
    base = Base.from_entries([AppliedEntry(entry.kind, entry.key, entry.id, {}) for entry in applied])
    return ReferredEntries.find(folder, Plan((), server, {}, (), base=base))


def new(kind: Kind = Kind.ORGANIZER, key: str = "eve", title: str = "Eve", id_: int | None = 2) -> Entry:
    name = "title" if kind in (Kind.CATEGORY, Kind.TAG) else "label" if kind is Kind.CUSTOM_FIELD else "name"
    return Entry(kind, key, {name: title}, id=id_)


@pytest.mark.parametrize("side", SIDES)
def test_a_changed_entry_changes_what_listings_refer_to(side: str) -> None:
    others = {
        "folder": [replace(ADA, key="eva"), UNNAMED, MOVED, replace(ADA, notes=Notes(skip=True))],
        "server": [replace(ADA, key="eva"), UNNAMED, MOVED, replace(ADA, id=3)],
        "base": [replace(ADA, key="eva"), replace(ADA, id=3)],
    }
    assert referred().are_extended_by(referred(**{side: (replace(ADA, etag="2"),)}))
    for other in others[side]:
        assert not referred().are_extended_by(referred(**{side: (other,)}))
        assert not referred().are_extended_by(referred(**{side: (other, EVE)}))


@pytest.mark.parametrize("side", SIDES)
def test_a_missing_entry_changes_what_listings_refer_to(side: str) -> None:
    assert not referred().are_extended_by(referred(**{side: ()}))


@pytest.mark.parametrize("sides", [("folder",), ("server",), ("base",), SIDES], ids="+".join)
def test_a_new_entry_changes_nothing_that_listings_refer_to(sides: tuple[str, ...]) -> None:
    assert referred().are_extended_by(referred(**dict.fromkeys(sides, (ADA, EVE))))


@pytest.mark.parametrize("side", SIDES[:2])
@pytest.mark.parametrize(
    "other",
    [new(title="Ada"), new(title="ada"), new(key="Ada"), new(key="ada", title="Eve")],
    ids=["title", "title like a key", "key like a title", "key"],
)
def test_a_new_entry_that_shares_a_name_may_be_meant_instead(side: str, other: Entry) -> None:
    assert not referred().are_extended_by(referred(**{side: (ADA, other)}))


@pytest.mark.parametrize("side", SIDES[1:])
def test_a_new_record_that_shares_an_id_may_be_meant_instead(side: str) -> None:
    assert not referred().are_extended_by(referred(**{side: (ADA, new(id_=1))}))


@pytest.mark.parametrize("kind", [Kind.CATEGORY, Kind.TAG])
def test_the_first_entry_of_a_kind_makes_unknown_names_errors(kind: Kind) -> None:
    first, second = new(kind, "a", "A", None), new(kind, "b", "B", None)
    assert not referred().are_extended_by(referred(folder=(ADA, first)))
    assert referred(folder=(first,)).are_extended_by(referred(folder=(first, second)))


def test_the_first_entry_of_a_kind_may_have_others_there() -> None:
    theirs, first = new(Kind.TAG, "a", "A", 5), new(Kind.TAG, "b", "B", None)
    server = (ADA, theirs)
    assert not referred(server=server).are_extended_by(referred(folder=(ADA, first), server=server))


def test_a_new_custom_field_gives_listings_a_new_value() -> None:
    older, later = new(Kind.CUSTOM_FIELD, "a", "A"), new(Kind.CUSTOM_FIELD, "b", "B", 3)
    assert not referred(folder=(older,)).are_extended_by(referred(folder=(older, later)))


def test_listings_and_texts_are_not_referred_to() -> None:
    assert referred(folder=(PAGE,), server=(PAGE,)) == referred(folder=(), server=())


def test_rows_are_read_again() -> None:
    both = referred(folder=(ADA, EVE))
    assert ReferredEntries.from_rows(orjson.loads(orjson.dumps(both, default=list))) == both
