"""contentsync.sync.state.synced_entries: the listings that a plan can skip, and conditions that prevent it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.load import load_content
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.content.links.former_addresses import EntryAddresses
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Entry, Kind, Notes, Reference, Source
from contentsync.remote.list_reader import RecordList
from contentsync.remote.record_reader import DirectoryVersion
from contentsync.remote.synced_records import NotSynced, SyncedRecords
from contentsync.sync.comparing.base import AppliedEntry, Base, applied_entry
from contentsync.sync.comparing.change import Action, Change
from contentsync.sync.comparing.fingerprint import digest_entry
from contentsync.sync.planning.plan import Drift, Plan, Policy
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.sync.state.referred_entries import ReferredEntries, ReferredEntry
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.synced_entries import (
    RowDigests,
    StoredEntries,
    SyncedEntries,
    SyncedEntry,
    concerns_others,
    file_digest,
    find_synced_entries,
    read_synced_entries,
    select_synced_entries,
    write_synced_entries,
)

ROWS = {
    "1": SyncedEntry("listing", "a.example", "a", 1, "1e", "1r", "1l", "", "", False, ("url", "name")),
    "2": SyncedEntry("listing", "b.example", "", 2, "2e", "2r", "2l", "de fr", "it"),
}
WARNING = Problem("misplaced", "a file", Where("a.md", 1), severity=Severity.WARNING)
REFERRED = ReferredEntries(frozenset({ReferredEntry("tag", "free", "Free", None, "d")}), frozenset(), frozenset())
LISTS = DirectoryVersion(["de", "fr"], {Kind.LISTING: RecordList('"e"', count=3)})
UNKNOWN = {Kind.LISTING: frozenset({"seo"})}
STORED = StoredEntries(ROWS, "settings", REFERRED, (WARNING,), LISTS, UNKNOWN)


def listing(key: str, slug: str = "", previous: tuple[str, ...] = ()) -> Entry:
    """Return a listing of the folder with the identities that a row has."""
    return Entry(Kind.LISTING, key, {"slug": slug} if slug else {}, notes=Notes(previous=previous))


def select(digests: str, *entries: Entry) -> SyncedEntries | None:
    return select_synced_entries([ROWS[digest] for digest in digests], entries)


@pytest.fixture
def state_dir(tmp_path: Path) -> StateDir:
    state_dir = StateDir(tmp_path, "live")
    state_dir.synced_rows.parent.mkdir(parents=True)
    return state_dir


def test_only_found_rows_are_skipped() -> None:
    synced = select("1", listing("b.example"), Entry(Kind.TAG, "a", {"slug": "a"}))
    assert synced is not None
    assert synced.keys == {(Kind.LISTING, "a.example")}
    assert synced.lines == {"1l"}
    assert synced.entries == {"listing a.example": "1e"}
    assert synced.records == {Kind.LISTING: SyncedRecords({"1r"}, {"a.example"}, {"a"}, {1})}


@pytest.mark.parametrize(
    "entry",
    [listing("a.example"), listing("c.example", "a"), listing("c.example", previous=("a.example",))],
    ids=["key", "slug", "former key"],
)
def test_no_row_is_skipped_if_another_listing_has_its_key_or_slug(entry: Entry) -> None:
    assert select("1", entry) is None


def test_no_row_is_skipped_if_another_listing_has_nearly_its_url() -> None:
    """The folder then has a warning about both."""
    row = ROWS["1"]._replace(key="https://a.example")
    assert select_synced_entries([row], [listing("http://www.a.example/index.html")]) is None
    assert select_synced_entries([row], [listing("http://www.b.example")]) is not None
    many = [listing(f"http://{number}.example") for number in range(99)]
    assert select_synced_entries([row], many) is not None
    assert select_synced_entries([row], [*many, listing("http://A.example/?utm_source=b")]) is None


@pytest.mark.parametrize(
    ("address", "is_skipped"),
    [("/listings/a/", False), ("/de/Listings/A.html", False), ("/a/", True), ("/listings/b/", True)],
)
def test_no_row_is_skipped_if_its_address_is_the_former_one_of_another_entry(address: str, is_skipped: bool) -> None:
    by_pattern: EntryAddresses = ((Kind.PAGE, "p"), "p.md", [address], [])
    written: EntryAddresses = ((Kind.PAGE, "p"), "p.md", [], [(address, "p.md", 1, 1)])
    for addresses in (by_pattern, written):
        found = select_synced_entries([ROWS["1"]], [], [addresses])
        assert (found is not None) == is_skipped


def test_no_row_is_skipped_if_a_row_occurs_twice() -> None:
    assert select("121") is None


def test_no_row_is_skipped_if_no_row_is_found() -> None:
    """Without this rule, an empty folder would not look empty."""
    assert select("") is None


@pytest.mark.parametrize(("key", "id_"), [("a.example", 9), ("z.example", 1)], ids=["key", "id"])
def test_a_skipped_listing_with_another_line_in_the_state_is_refused(key: str, id_: int) -> None:
    found = select("1")
    assert found
    found.check(
        Base.from_entries([AppliedEntry(Kind.LISTING, "z.example", 9, {}), AppliedEntry(Kind.TAG, key, id_, {})])
    )
    with pytest.raises(NotSynced):
        found.check(Base.from_entries([AppliedEntry(Kind.LISTING, key, id_, {})]))


def test_only_rows_whose_line_and_record_are_unchanged_are_still_synced() -> None:
    assert STORED.still_synced({"1l", "2l"}, {Kind.LISTING: {"1r", "3r"}}) == {"1": ROWS["1"]}
    assert STORED.still_synced({"2l", "3l"}, {Kind.LISTING: {"1r", "2r"}}) == {"2": ROWS["2"]}
    assert STORED.still_synced({"1l", "2l"}, {Kind.LISTING: None}) == ROWS  # the list is unchanged


def test_stored_rows_are_read_again(state_dir: StateDir) -> None:
    write_synced_entries(state_dir, STORED)
    assert read_synced_entries(state_dir) == STORED
    write_synced_entries(state_dir, STORED._replace(rows={}))
    assert read_synced_entries(state_dir) == STORED


def test_stored_rows_that_came_with_a_checkout_are_not_read(state_dir: StateDir) -> None:
    write_synced_entries(state_dir, STORED)
    data = state_dir.synced_rows.read_bytes()
    state_dir.synced_rows.unlink()
    state_dir.synced_rows.write_bytes(data)
    assert read_synced_entries(state_dir) is None


def synced(tmp_path: Path, *others: Entry, **applied: Any) -> list[str]:
    """Return the keys of the synced rows of a folder; each listing has a record with the slug of its name."""
    listings = tmp_path / "listings"
    listings.mkdir()
    (tmp_path / "contentsync.toml").touch()
    table = "name,url,sync.protect,description,slug\nA,https://a.example,,,\nB,https://b.example,true,,\n"
    links = "C,https://c.example,,<b>,\nD,https://d.example,,[,\nE,https://e.example,,,other\nF,https://f.example,,,f\n"
    unlisted = "J,https://j.example,,,\nK,https://k.example,,,\nL,https://l.example,,,\nM,https://m.example,,,\n"
    (listings / "a.csv").write_text(f"{table}{links}{unlisted}")
    (listings / "warned.csv").write_text("name,url\nG,https://g.example\n#NAME?,https://h.example\n")
    doubled = "N,https://n.example,https://https://n.example/a.png\nO,https://o.example,\n"
    (listings / "doubled.csv").write_text(f"name,url,image_url\n{doubled}")
    (listings / "list.yaml").write_text("- {name: I, url: 'https://i.example'}\n")
    records = {
        name: Entry(Kind.LISTING, f"https://{name}.example", {"slug": name}, id=ord(name)) for name in "abcdefghijklmno"
    }
    base = Base.from_entries(AppliedEntry(Kind.LISTING, each.key, each.id, {}, **applied) for each in records.values())
    updated = Change(Action.UPDATE, records["j"], records["j"], {}, "")
    plan = Plan(
        ((updated,),),
        (*records.values(), *others),
        {},
        (),
        base=base,
        drift=(Drift(records["k"], {}),),
        base_updates=(base[Kind.LISTING, "https://l.example"],),
    )
    rows = SyncedRows()
    content = load_content(tmp_path, synced=rows)
    lines = {(Kind.LISTING, record.key): "line" for record in records.values() if record.key != "https://m.example"}
    digests = RowDigests(rows.others, {Kind.LISTING: {record.id: "record" for record in records.values()}}, lines)
    found = find_synced_entries(content.entries, content.problems, plan, digests)
    assert all((row.record, row.line) == ("record", "line") for row in found.values())
    return [row.key.removeprefix("https://").removesuffix(".example") for row in found.values()]


def test_only_rows_with_which_the_plan_has_nothing_to_do_are_synced(tmp_path: Path) -> None:
    """Neither those with settings, links, warnings or other slugs, nor those that the plan writes, keeps or records."""
    assert synced(tmp_path) == ["a", "f"]


def test_a_key_of_several_records_is_never_synced(tmp_path: Path) -> None:
    assert synced(tmp_path, Entry(Kind.LISTING, "https://a.example", {}, id=1)) == ["f"]


def test_a_listing_that_is_being_renamed_is_never_synced(tmp_path: Path) -> None:
    assert synced(tmp_path, moving="https://other.example") == []


LISTING = Entry(Kind.LISTING, "a.example", {"name": "A", "tags": ["free"]}, Source("a.csv", 2))
RECORD = Entry(Kind.LISTING, "a.example", {"name": "A", "slug": "a", "tags": [Reference("free", 7)]}, id=1)
APPLIED = applied_entry(LISTING, RECORD)
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


def test_listings_with_nearly_the_same_url_are_never_synced() -> None:
    """One of them may have a note about the other."""
    one = replace(LISTING, key="https://a.example")
    record = replace(RECORD, key=one.key)
    near = replace(LISTING, key="http://www.a.example", source=Source("b.csv", 2))
    plan = Plan((), (record,), {}, (), base=Base.from_entries([applied_entry(one, record)]))
    digests = RowDigests({("a.csv", 2): "row"}, {Kind.LISTING: {1: "1r"}}, {(Kind.LISTING, one.key): "line"})
    assert [*find_synced_entries([one], (), plan, digests)] == ["row"]
    assert [*find_synced_entries([one, near], (), plan, digests)] == []


def test_a_row_whose_record_has_another_id_than_the_applied_one_is_never_synced() -> None:
    def found(record: Entry) -> dict[str, SyncedEntry]:
        plan = Plan((), (record,), {}, (), base=Base.from_entries([APPLIED]))
        ids: dict[Kind, dict[int | None, str]] = {Kind.LISTING: {1: "1r", 2: "2r"}}
        digests = RowDigests({("a.csv", 2): "row"}, ids, {(Kind.LISTING, LISTING.key): "line"})
        return find_synced_entries([LISTING], (), plan, digests)

    sides = digest_entry(LISTING), "1r", "line", "", "", False, (*LISTING.fields,)
    assert found(RECORD) == {"row": SyncedEntry("listing", LISTING.key, "a", 1, *sides)}
    assert found(replace(RECORD, id=2)) == {}


PAGE = Entry(Kind.PAGE, "a", {"slug": "a", "title": "A"}, Source("pages/a.md", 1))
ARTICLE = Entry(
    Kind.ARTICLE, "a", {"slug": "a", "title": "A", "translations": {"fr": {"title": "A"}}}, Source("articles/a.md", 1)
)


def test_an_article_is_synced_by_its_values_and_path() -> None:
    page, article = (replace(entry, source=None, id=1) for entry in (PAGE, ARTICLE))
    base = Base.from_entries([applied_entry(PAGE, page), applied_entry(ARTICLE, article)])
    plan = Plan((), (page, article), {}, (), base=base)
    ids: dict[Kind, dict[int | None, str]] = {Kind.PAGE: {1: "1r"}, Kind.ARTICLE: {1: "2r"}}
    digests = RowDigests({}, ids, {(Kind.PAGE, "a"): "1l", (Kind.ARTICLE, "a"): "2l"})
    filled = ("slug", "title", "translations", "translations.fr", "translations.fr.title")
    others = "2r", "2l", "fr", "fr", False, filled
    assert find_synced_entries([PAGE, ARTICLE], (), plan, digests) == {
        file_digest(PAGE): SyncedEntry("page", "a", "a", 1, digest_entry(PAGE), "1r", "1l", "", "", False, filled[:2]),
        file_digest(ARTICLE): SyncedEntry("article", "a", "a", 1, digest_entry(ARTICLE), *others),
    }
    moved, edited = replace(PAGE, source=Source("pages/b.md", 1)), replace(PAGE, fields={"slug": "a", "title": "B"})
    renamed, of_another_kind = replace(PAGE, key="b"), replace(PAGE, kind=Kind.ARTICLE)
    assert len({*map(file_digest, (PAGE, ARTICLE, moved, edited, renamed, of_another_kind))}) == 6


def test_an_entry_is_skipped_although_one_of_another_kind_has_its_key() -> None:
    row = SyncedEntry("page", "a", "a", 1, "1e", "1r", "1l", "", "")
    assert select_synced_entries([row], [ARTICLE]) is not None
    assert select_synced_entries([row], [PAGE]) is None


def test_no_page_is_skipped_if_another_one_has_its_key_and_no_slug() -> None:
    row = SyncedEntry("page", "a", "", 1, "1e", "1r", "1l", "", "")
    assert select_synced_entries([row], [replace(PAGE, fields={"title": "A"})]) is None
