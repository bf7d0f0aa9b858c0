"""contentsync.remote.record_reader: which lists are current, as far as the service has just confirmed it."""

import json
from pathlib import Path

from contentsync.model import Kind
from contentsync.remote.list_cache import write_cached_list
from contentsync.remote.list_reader import RecordList, ignore_count
from contentsync.remote.record_reader import DirectoryVersion
from contentsync.remote.remote import Remote

from .directory import directory


def test_a_list_that_was_just_confirmed_is_read_once_without_a_request(tmp_path: Path) -> None:
    async def meddled(remote: Remote) -> None:
        tags = await remote.records.read(Kind.TAG, (), ignore_count)
        assert await remote.records.has_version(DirectoryVersion((), {Kind.TAG: tags}))
        async with tools.another() as other:
            await other.create(Kind.TAG, {"title": "Theirs"})
        for count in (1, 2):
            assert (await remote.records.read(Kind.TAG, (), ignore_count)).total == count

    with directory(tmp_path, listings=0) as tools:
        tools.ask(meddled)


def test_a_list_on_disk_that_is_not_the_confirmed_one_is_read_again(tmp_path: Path) -> None:
    async def meddled(remote: Remote) -> None:
        tags = await remote.records.read(Kind.TAG, (), ignore_count)
        older = (tmp_path / "cache/tag.jsonl").read_bytes()
        async with tools.another() as other:
            await other.create(Kind.TAG, {"title": "Theirs"})
        assert not await remote.records.has_version(DirectoryVersion((), {Kind.TAG: tags}))
        (tmp_path / "cache/tag.jsonl").write_bytes(older)  # as another command may do
        assert (await remote.records.read(Kind.TAG, (), ignore_count)).total == 2

    with directory(tmp_path, listings=0) as tools:
        tools.ask(meddled)


def test_a_list_on_disk_that_lacks_a_confirmed_record_is_read_again(tmp_path: Path) -> None:
    """It has the right ETag, as after an answer that lacked the record."""
    file = tmp_path / "cache/listing.jsonl"

    async def damaged(remote: Remote) -> RecordList:
        listings = await remote.records.read(Kind.LISTING, (), ignore_count)
        source = json.loads(file.read_bytes().splitlines()[0])["source"]
        write_cached_list(file, source, Kind.LISTING, RecordList.of(listings.etag, [*listings][1:]))
        return RecordList(listings.etag, count=listings.total)

    async def asked(remote: Remote) -> None:
        assert await remote.records.digest_records(Kind.LISTING, known, ()) is None
        assert (await remote.records.read(Kind.LISTING, (), ignore_count)).total == 2

    with directory(tmp_path, listings=2) as tools:
        known = tools.ask(damaged)
        tools.ask(asked)


def test_the_confirmed_listings_are_those_that_were_just_read(tmp_path: Path) -> None:
    async def meddled(remote: Remote) -> None:
        listings = await remote.records.read(Kind.LISTING, (), ignore_count)
        older = (tmp_path / "cache/listing.jsonl").read_bytes()
        async with tools.another() as other:
            await other.create(Kind.LISTING, {"name": "Theirs", "url": "https://theirs.example"})
        assert await remote.records.digest_records(Kind.LISTING, listings, ())
        (tmp_path / "cache/listing.jsonl").write_bytes(older)  # as if the disk were full
        assert (await remote.records.read(Kind.LISTING, (), ignore_count)).total == 1

    with directory(tmp_path, listings=0) as tools:
        tools.ask(meddled)
