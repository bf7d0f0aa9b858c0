"""contentsync.sync.state.synced_listings: the listings that a plan can skip, and conditions that prevent it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.load import load_content
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.model import Entry, Kind, Notes, Reference, Source
from contentsync.remote.synced_records import ListingDigests, NotSynced, SyncedRecords
from contentsync.sync import AppliedEntry, Base, Plan, Policy, StateDir
from contentsync.sync.comparing.base import BeforePull, applied_entry
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.sync.state.synced_listings import (
    EqualListings,
    StoredRows,
    SyncedRow,
    concerns_others,
    digest_organizers,
    find_synced_rows,
    read_synced_rows,
    select_synced_listings,
    write_synced_rows,
)

ROW = SyncedRow("a.example", "a", 1)
STORED = StoredRows({"1": ROW, "2": SyncedRow("b.example", "", 2)}, frozenset({"seo"}), "1b")


DIGESTS = {ord("a"): "1a"}


def listing(key: str, slug: str = "", previous: tuple[str, ...] = ()) -> Entry:
    """Return a listing of the folder with the identities that a row has."""
    return Entry(Kind.LISTING, key, {"slug": slug} if slug else {}, notes=Notes(previous=previous))


def find(*digests: str) -> SyncedRows:
    rows = SyncedRows(STORED.rows.keys())
    assert all(map(rows.find, digests))
    return rows


@pytest.fixture
def state_dir(tmp_path: Path) -> StateDir:
    state_dir = StateDir(tmp_path, "live")
    state_dir.synced_rows.parent.mkdir(parents=True)
    return state_dir


def test_only_found_rows_are_skipped() -> None:
    synced = select_synced_listings(find("1"), STORED, [listing("b.example"), Entry(Kind.TAG, "a", {"slug": "a"})])
    assert synced is not None
    assert synced.keys == {"a.example"}
    assert synced.records == SyncedRecords({1}, {"a.example"}, {"a"}, frozenset({"seo"}))


@pytest.mark.parametrize(
    "entry",
    [listing("a.example"), listing("c.example", "a"), listing("c.example", previous=("a.example",))],
    ids=["key", "slug", "former key"],
)
def test_no_row_is_skipped_if_another_listing_has_its_key_or_slug(entry: Entry) -> None:
    assert select_synced_listings(find("1"), STORED, [entry]) is None


def test_no_row_is_skipped_if_a_row_occurs_twice() -> None:
    assert select_synced_listings(find("1", "2", "1"), STORED, []) is None


def test_no_row_is_skipped_if_no_row_is_found() -> None:
    """Without this rule, an empty folder would not look empty."""
    assert select_synced_listings(find(), STORED, []) is None


def test_rows_with_unchanged_records_are_still_skipped_after_a_list_change() -> None:
    rows = {name: SyncedRow(name, name, ord(name), digest) for name, digest in (("a", "1"), ("b", "2"), ("c", ""))}
    listings = ListingDigests('"e"', {ord("a"): "1", ord("b"): "3", ord("c"): "4"}, frozenset({"url"}))
    stored = StoredRows(rows, frozenset({"seo"})).with_listings(listings)
    assert stored == StoredRows({"a": rows["a"]}, frozenset({"seo"}), names=frozenset({"url"}))


def test_stored_rows_are_read_by_their_digest(state_dir: StateDir) -> None:
    digest = write_synced_rows(state_dir, STORED)
    assert read_synced_rows(state_dir, digest) == STORED
    assert read_synced_rows(state_dir, digest[::-1]) is None
    state_dir.synced_rows.unlink()
    assert read_synced_rows(state_dir, digest) is None


def test_the_digest_of_organizers_covers_only_compared_values() -> None:
    ada = Entry(Kind.ORGANIZER, "ada", {"slug": "ada", "name": "Ada"}, id=1)
    same = [ada, replace(ada, etag="2"), Entry(Kind.TAG, "a", {})]
    assert {digest_organizers([one]) for one in same[:2]} == {digest_organizers([ada, same[2]])}
    others = [replace(ada, id=2), replace(ada, key="eve"), replace(ada, fields={"slug": "ada", "name": "Eve"})]
    assert len({digest_organizers([one]) for one in (ada, *others)} | {digest_organizers([])}) == 5


def test_a_folder_without_synced_rows_stores_none(state_dir: StateDir) -> None:
    assert read_synced_rows(state_dir, write_synced_rows(state_dir, StoredRows({}, frozenset()))) is None


def synced(tmp_path: Path, *others: Entry, **applied: Any) -> list[SyncedRow]:
    """Return the synced rows of a folder with many listings; each has a record with the slug of its name."""
    listings = tmp_path / "listings"
    listings.mkdir()
    (tmp_path / "contentsync.toml").touch()
    table = "name,url,sync.protect,description,slug\nA,https://a.example,,,\nB,https://b.example,true,,\n"
    links = "C,https://c.example,,<b>,\nD,https://d.example,,[,\n"
    (listings / "a.csv").write_text(f"{table}{links}E,https://e.example,,,other\nF,https://f.example,,,f\n")
    (listings / "warned.csv").write_text("name,url\nG,https://g.example\n#NAME?,https://h.example\n")
    (listings / "list.yaml").write_text("- {name: I, url: 'https://i.example'}\n")
    records = [Entry(Kind.LISTING, f"https://{name}.example", {"slug": name}, id=ord(name)) for name in "abcdefghi"]
    base = Base.from_entries(AppliedEntry(Kind.LISTING, each.key, each.id, {}, **applied) for each in records)
    plan = Plan((), (*records, *others), {}, (), base=base)
    return [*find_synced_rows(load_content(tmp_path), plan, DIGESTS).rows.values()]


A, F = (SyncedRow(f"https://{name}.example", name, ord(name), DIGESTS.get(ord(name), "")) for name in "af")


def test_rows_with_settings_links_warnings_or_other_slugs_are_never_synced(tmp_path: Path) -> None:
    assert synced(tmp_path) == [A, F]


def test_a_key_of_several_records_is_never_synced(tmp_path: Path) -> None:
    assert synced(tmp_path, Entry(Kind.LISTING, "https://a.example", {}, id=1)) == [F]


def test_a_listing_that_is_being_renamed_is_never_synced(tmp_path: Path) -> None:
    assert synced(tmp_path, moving="https://other.example") == []


FIELDS = {"name": "A", "url": "https://a.example", "tags": ["free"]}
LISTING = Entry(Kind.LISTING, "a.example", FIELDS, Source("a.csv", 2))
RECORD_FIELDS = {**FIELDS, "slug": "a", "tags": [Reference("free", 7)], "description": None}
RECORD = Entry(Kind.LISTING, "a.example", RECORD_FIELDS, id=1, created="2026")
APPLIED = applied_entry(LISTING, RECORD)
COLOUR = AppliedEntry(Kind.CUSTOM_FIELD, "colour", 3, {})


def is_equal(
    listing: Entry = LISTING, record: Entry = RECORD, applied: AppliedEntry = APPLIED, *others: AppliedEntry
) -> bool:
    return EqualListings([listing], Base.from_entries([applied, *others])).is_equal(record)


def stored(**fields: Any) -> Entry:
    """Return RECORD with these fields changed."""
    return replace(RECORD, fields={**RECORD_FIELDS, **fields})


def test_a_listing_equal_on_all_sides_is_skipped() -> None:
    assert is_equal()
    assert is_equal(record=stored(description="Theirs"))  # the folder does not set it


@pytest.mark.parametrize(
    "record",
    [stored(name="B"), stored(tags=[]), replace(RECORD, id=2), replace(RECORD, created="2027")],
    ids=["a value", "references", "another record", "created again"],
)
def test_a_record_changed_by_another_user_is_compared(record: Entry) -> None:
    assert not is_equal(record=record)


@pytest.mark.parametrize(
    "listing",
    [
        replace(LISTING, fields={**FIELDS, "description": ""}),
        replace(LISTING, fields={"name": "A", "url": "https://a.example"}),
        replace(LISTING, notes=Notes(skip=True)),
        replace(LISTING, notes=Notes(protect=True)),
        replace(LISTING, notes=Notes(previous=("b.example",))),
        replace(LISTING, source=Source("b.csv", 2)),
        replace(LISTING, key="b.example"),
    ],
    ids=["a new field", "a removed field", "skipped", "protected", "renamed", "another file", "another key"],
)
def test_a_listing_changed_in_the_folder_is_compared(listing: Entry) -> None:
    assert not is_equal(listing)


@pytest.mark.parametrize("changed", [{"moving": "b.example"}, {"before_pull": BeforePull(None, None)}], ids=str)
def test_no_listing_is_skipped_while_a_key_may_change(changed: dict[str, Any]) -> None:
    other = AppliedEntry(Kind.LISTING, "b.example", 2, {})
    assert is_equal(LISTING, RECORD, APPLIED, other)
    assert not is_equal(LISTING, RECORD, APPLIED, other._replace(**changed))


def test_custom_fields_are_matched_by_their_ids_in_the_base() -> None:
    listing = replace(LISTING, fields={**FIELDS, "colour": "red"})
    applied = applied_entry(listing, stored(colour="red"), custom_ids={"colour": 3})
    assert is_equal(listing, stored(colour="red"), applied, COLOUR)
    assert not is_equal(listing, stored(colour="blue"), applied, COLOUR)
    assert not is_equal(listing, stored(colour="red"), applied)


def test_the_base_of_a_plan_omits_skipped_listings() -> None:
    base = Base.from_entries([APPLIED, COLOUR])
    equal = EqualListings([LISTING], base)
    assert equal.is_equal(RECORD)
    assert equal.leave_out([], base, []) == base
    assert not equal.rows
    assert [*equal.leave_out([1], base, []).values()] == [COLOUR]
    assert equal.rows == {"a.example": ("a.example", "a", 1, "")}


@pytest.mark.parametrize(
    ("listings", "records"),
    [
        ([Entry(Kind.LISTING, "b", {"slug": "a"})], []),
        ([Entry(Kind.LISTING, "b", {}, notes=Notes(previous=("a.example",)))], []),
        ([], [replace(RECORD, id=2)]),
        ([], [Entry(Kind.LISTING, "b", {"slug": "a"}, id=2)]),
    ],
    ids=["its slug in the folder", "its key in a note", "its key on the server", "its slug on the server"],
)
def test_no_equal_listing_is_skipped_if_another_one_has_its_key_or_slug(
    listings: list[Entry], records: list[Entry]
) -> None:
    base = Base.from_entries([APPLIED])
    equal = EqualListings([LISTING, *listings], base)
    assert equal.is_equal(RECORD)
    with pytest.raises(NotSynced):
        equal.leave_out([1], base, records)


TAG = Entry(Kind.TAG, "free", {"slug": "free", "title": "Free"}, Source("tags.yaml"))
ON_SERVER = replace(TAG, source=None, id=7)
RENAMED = replace(TAG, key="gratis", fields={**TAG.fields, "slug": "gratis"}, notes=Notes(previous=("free",)))


@pytest.mark.parametrize(
    ("desired", "concerned"),
    [
        ([TAG, LISTING], False),
        ([replace(TAG, fields={**TAG.fields, "title": "Gratis"}), LISTING], False),
        ([TAG], False),
        ([RENAMED, LISTING], True),
        ([LISTING], True),
    ],
    ids=["nothing", "another title", "a listing deleted", "a tag renamed", "a tag deleted"],
)
def test_a_plan_affects_other_listings_if_it_renames_or_deletes_a_tag(desired: list[Entry], concerned: bool) -> None:
    base = Base.from_entries([APPLIED, applied_entry(TAG, ON_SERVER)])
    plan = make_plan(desired, [ON_SERVER, RECORD], base=base, policy=Policy(prune=True))
    assert concerns_others(plan) == concerned
