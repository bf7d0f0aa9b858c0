"""contentsync.sync.state.synced_listings: the listings that a plan may leave out, and what stops it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.formats.table_rows import SyncedRows
from contentsync.content.load import load_content
from contentsync.model import Entry, Kind, Notes
from contentsync.remote.synced_records import ListingDigests, SyncedRecords
from contentsync.sync import AppliedEntry, Base, Plan, StateDir
from contentsync.sync.state.synced_listings import (
    StoredRows,
    SyncedRow,
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


def test_only_found_rows_are_left_out() -> None:
    synced = select_synced_listings(find("1"), STORED, [listing("b.example"), Entry(Kind.TAG, "a", {"slug": "a"})])
    assert synced is not None
    assert synced.keys == {"a.example"}
    assert synced.records == SyncedRecords({1}, {"a.example"}, {"a"}, frozenset({"seo"}))


@pytest.mark.parametrize(
    "entry",
    [listing("a.example"), listing("c.example", "a"), listing("c.example", previous=("a.example",))],
    ids=["key", "slug", "former key"],
)
def test_nothing_is_left_out_if_another_listing_may_be_meant(entry: Entry) -> None:
    assert select_synced_listings(find("1"), STORED, [entry]) is None


def test_nothing_is_left_out_if_a_row_occurs_twice() -> None:
    assert select_synced_listings(find("1", "2", "1"), STORED, []) is None


def test_without_a_found_row_nothing_is_left_out() -> None:
    """Else an empty folder would not look empty."""
    assert select_synced_listings(find(), STORED, []) is None


def test_rows_count_after_a_change_of_the_list_if_their_records_have_the_digests_from_before() -> None:
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


def test_the_digest_of_organizers_is_of_what_a_plan_compares() -> None:
    ada = Entry(Kind.ORGANIZER, "ada", {"slug": "ada", "name": "Ada"}, id=1)
    same = [ada, replace(ada, etag="2"), Entry(Kind.TAG, "a", {})]
    assert {digest_organizers([one]) for one in same[:2]} == {digest_organizers([ada, same[2]])}
    others = [replace(ada, id=2), replace(ada, key="eve"), replace(ada, fields={"slug": "ada", "name": "Eve"})]
    assert len({digest_organizers([one]) for one in (ada, *others)} | {digest_organizers([])}) == 5


def test_a_folder_without_synced_rows_stores_none(state_dir: StateDir) -> None:
    assert read_synced_rows(state_dir, write_synced_rows(state_dir, StoredRows({}, frozenset()))) is None


def synced(tmp_path: Path, *others: Entry, **applied: Any) -> list[SyncedRow]:
    """The synced rows of a folder with many listings; each has a record with the slug of its name."""
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
