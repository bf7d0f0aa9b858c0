"""contentsync.remote.synced_records: listings that were read before, found in a list that has changed."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import Rejected
from contentsync.model import Entry, Kind
from contentsync.remote import Service
from contentsync.remote.list_cache import read_cached_list
from contentsync.remote.list_reader import ListPass, RecordList
from contentsync.remote.synced_records import (
    ListingDigests,
    NotSynced,
    SyncedRecords,
    read_cached_digests,
    read_digests,
)
from contentsync.remote.wire import missing_fields

from .script import Handler, at_once, json_response
from .test_list_reader import Pages

SOURCE = "https://directory.example.com 42"
OLD = RecordList('"old"', [], count=250)


def read(handler: Handler, file: Path) -> ListingDigests | None:
    """Return the digests of the list of listings of a server with this handler."""

    async def asked() -> ListingDigests | None:
        async with Service("http://127.0.0.1:1", transport=httpx.MockTransport(handler), sleep=at_once) as service:
            list_pass = ListPass(service, "/api/directories/42/projects", {}, paginated=True)
            return await read_digests(list_pass, OLD, file, SOURCE)

    return asyncio.run(asked())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "listing.jsonl"


@pytest.mark.parametrize("count", [0, 1, 250])
def test_a_changed_list_is_cached_with_the_digests_of_its_records(file: Path, count: int) -> None:
    digests = read(Pages(range(1, count + 1), etags=True), file)
    cached = read_cached_list(file, SOURCE, Kind.LISTING)
    assert digests is not None
    assert cached is not None
    assert cached.records == [{"id": number} for number in range(1, count + 1)]
    assert cached.etag == digests.etag
    assert digests.names == ({"id"} if count else set())
    assert digests == read_cached_digests(file, SOURCE)
    assert len({*digests.of_records.values()}) == count


def test_an_unchanged_list_is_not_read(file: Path) -> None:
    assert read(lambda _: httpx.Response(304, headers={"ETag": '"old"'}), file) is None
    assert not file.exists()


def test_the_digests_of_another_list_are_not_read(file: Path) -> None:
    digests = read(Pages(range(1, 3), etags=True), file)
    assert digests is not None
    assert read_cached_digests(file, SOURCE, unless='"other"') == digests
    assert read_cached_digests(file, SOURCE, unless=digests.etag) is None
    assert read_cached_digests(file, "https://directory.example.com 43") is None
    assert read_cached_digests(file.with_name("none"), SOURCE) is None
    file.write_bytes(file.read_bytes().replace(b":2}", b":3}"))
    assert read_cached_digests(file, SOURCE) is None


def test_a_list_that_changes_during_the_reading_is_not_cached(file: Path) -> None:
    read(Pages(range(1, 3), etags=True), file)
    before = file.read_bytes()
    pages = Pages(range(1, 251), etags=True)
    pages.happens[3] = lambda: pages.ids.reverse()
    with pytest.raises(NotSynced):
        read(pages, file)
    assert file.read_bytes() == before
    assert [*file.parent.iterdir()] == [file]


def test_a_list_without_an_etag_is_not_cached(file: Path) -> None:
    with pytest.raises(NotSynced):
        read(Pages(range(1, 251)), file)
    assert not file.exists()


def test_a_list_that_cannot_be_cached_is_not_used(file: Path) -> None:
    file.mkdir(parents=True)
    with pytest.raises(NotSynced):
        read(Pages(range(1, 3), etags=True), file)


def test_an_error_of_the_service_is_raised(file: Path) -> None:
    with pytest.raises(Rejected):
        read(lambda _: json_response(422, {"message": "no"}), file)


def listing(key: str, **fields: Any) -> Entry:
    return Entry(Kind.LISTING, key, fields)


NAMES = frozenset({"id", "name", "url", "slug", "colour"})
WITHOUT = frozenset({"email"})


def synced(names: frozenset[str] | None, unknown: frozenset[str] = WITHOUT) -> SyncedRecords:
    return SyncedRecords({1}, {"a.example"}, {"a"}, unknown, names)


def unknown_of(names: frozenset[str]) -> frozenset[str]:
    """Return the fields that no record with these names has."""
    return missing_fields(Kind.LISTING, [dict.fromkeys(names)], {"colour"})


def test_records_with_other_keys_and_slugs_are_accepted() -> None:
    synced(None).check([listing("b.example", slug="b"), listing("c.example")], {"colour"})
    synced(NAMES, unknown_of(NAMES)).check([], {"colour"})


@pytest.mark.parametrize("other", [listing("a.example"), listing("b.example", slug="a")], ids=["key", "slug"])
def test_a_record_with_the_key_or_slug_of_a_skipped_one_is_refused(other: Entry) -> None:
    with pytest.raises(NotSynced):
        synced(None).check([other], ())


@pytest.mark.parametrize(
    "names", [NAMES | {"email"}, NAMES - {"url"}, NAMES - {"colour"}], ids=["more", "fewer", "custom"]
)
def test_a_changed_set_of_returned_fields_is_refused(names: frozenset[str]) -> None:
    with pytest.raises(NotSynced):
        synced(names, unknown_of(NAMES)).check([], {"colour"})
