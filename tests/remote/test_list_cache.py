"""contentsync.remote.list_cache: cached lists, and the updates of the cache after a client's own writes."""

import gc
import os
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from contentsync.model import Entry, Kind
from contentsync.remote.list_cache import (
    ListDelta,
    WriteLog,
    apply_deltas,
    read_cached_list,
    write_cached_list,
)
from contentsync.remote.list_reader import RecordList
from contentsync.remote.remote import Remote
from contentsync.remote.response import Answer

from ..simulator import Manners
from .directory import directory

SOURCE = "https://directory.example.com 42"
RECORDS: list[dict[str, Any]] = [{"id": 1, "title": "Ünïcode\u2028\n"}, {"id": 2, "records": 7}, {"records": 1}]
LISTS = 7


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return a snapshot, in a folder that was made for it."""
    path = tmp_path / "cache" / "tag.jsonl"
    write_cached_list(path, SOURCE, Kind.TAG, RecordList.of('"e"', RECORDS, translated=True))
    return path


@pytest.mark.parametrize("records", [RECORDS, []])
def test_a_written_snapshot_is_read_back(tmp_path: Path, records: list[dict[str, Any]]) -> None:
    write_cached_list(tmp_path / "tag.jsonl", SOURCE, Kind.TAG, RecordList.of('W/"e"', records, translated=True))
    assert content_of(tmp_path / "tag.jsonl") == ('W/"e"', True, records)


def test_a_snapshot_that_is_read_stays_as_it_is_when_it_is_replaced(path: Path) -> None:
    cached = read_cached_list(path, SOURCE, Kind.TAG)
    write_cached_list(path, SOURCE, Kind.TAG, RecordList.of('"f"', []))
    assert cached is not None
    assert [*cached] == RECORDS


def test_a_snapshot_that_is_known_is_not_read(path: Path) -> None:
    assert read_cached_list(path, SOURCE, Kind.TAG, unless='"e"') is None
    assert read_cached_list(path, SOURCE, Kind.TAG, unless='"f"') is not None


def test_a_snapshot_of_another_directory_is_not_used(path: Path) -> None:
    """CO-17"""
    assert read_cached_list(path, SOURCE, Kind.TAG) is not None
    assert read_cached_list(path, "https://directory.example.com 43", Kind.TAG) is None
    assert read_cached_list(path, "https://other.example.com 42", Kind.TAG) is None
    assert read_cached_list(path, SOURCE, Kind.PAGE) is None


def test_a_truncated_snapshot_is_not_used(path: Path) -> None:
    """FI-32"""
    content = path.read_bytes()
    for length in range(len(content)):
        path.write_bytes(content[:length])
        assert read_cached_list(path, SOURCE, Kind.TAG) is None


def test_a_snapshot_with_one_changed_byte_is_not_used(path: Path) -> None:
    """FI-32"""
    content = path.read_bytes()
    for place in range(len(content)):
        path.write_bytes(content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :])
        assert read_cached_list(path, SOURCE, Kind.TAG) is None


@pytest.mark.parametrize("more", [b"x", b'{"id": 3}\n', b"\0" * 100])
def test_a_snapshot_with_additional_bytes_is_not_used(path: Path, more: bytes) -> None:
    """FI-32"""
    path.write_bytes(path.read_bytes() + more)
    assert read_cached_list(path, SOURCE, Kind.TAG) is None


@pytest.mark.parametrize("content", [b"", b"[]\n", b"null\n", b'"x"\n{"records":0}', b"{}\n{}", b"\xff\xfe\n"])
def test_a_file_that_is_not_a_snapshot_is_not_used(path: Path, content: bytes) -> None:
    """FI-32"""
    path.write_bytes(content)
    assert read_cached_list(path, SOURCE, Kind.TAG) is None


def test_a_folder_in_place_of_a_snapshot_is_not_used(path: Path) -> None:
    path.unlink()
    path.mkdir()
    assert read_cached_list(path, SOURCE, Kind.TAG) is None


def test_an_unwritable_cache_is_ignored(tmp_path: Path) -> None:
    (tmp_path / "cache").touch()
    write_cached_list(tmp_path / "cache" / "tag.jsonl", SOURCE, Kind.TAG, RecordList.of('"e"', RECORDS))
    assert (tmp_path / "cache").read_bytes() == b""


def test_no_temporary_file_is_left_beside_the_snapshot(path: Path) -> None:
    write_cached_list(path, SOURCE, Kind.TAG, RecordList.of('"f"', []))
    assert list(path.parent.iterdir()) == [path]


def test_a_written_record_replaces_the_cached_one_even_with_a_text_id(tmp_path: Path) -> None:
    path = tmp_path / "tag.jsonl"
    cached: list[dict[str, Any]] = [{"title": "Old", "id": 4}, {"id": "12"}, {"id": 5}]
    record_list = RecordList.of('"e"', cached)
    write_log = WriteLog()
    write_log.record_write(Kind.TAG, reported(tags=('"e"', '"f"')), [{"id": 4}])
    write_log.record_delete(Kind.TAG, reported(tags=('"f"', '"g"')), 12)
    apply_deltas(path, SOURCE, Kind.TAG, record_list, write_log)
    assert content_of(path) == ('"g"', False, [{"id": 5}, {"id": 4}])


def content_of(path: Path) -> tuple[str | None, bool, list[dict[str, Any]]]:
    """Return the ETag of the list in a snapshot, whether it is translated, and its records."""
    cached = read_cached_list(path, SOURCE, Kind.TAG)
    assert cached is not None
    return cached.etag, cached.translated, [*cached]


def reported(**list_etags: tuple[str, str]) -> Answer:
    return Answer({}, None, list_etags=list_etags)


def page(identity: int, title: str) -> dict[str, Any]:
    return {"id": identity, "title": title}


def test_writes_are_ordered_by_their_etags() -> None:
    write_log = WriteLog()
    write_log.record_write(Kind.PAGE, reported(pages=("b", "c")), [page(1, "Last")])
    write_log.record_write(Kind.PAGE, reported(pages=("a", "b")), [page(1, "First")])
    for etag in ("a", "b"):
        changes = write_log.changes_since(Kind.PAGE, etag, translated=False)
        assert (changes.etag, [*changes.lines()]) == ("c", [b'{"id":1,"title":"Last"}'])


def test_written_records_take_less_memory_than_their_json() -> None:
    write_log, text = WriteLog(), "a text that repeats itself, as in most directories " * 20
    written = [page(number, f"{number} {text}") for number in range(100)]
    tracemalloc.start()
    try:
        for number in range(10):
            write_log.record_write(Kind.PAGE, reported(pages=(str(number), str(number + 1))), written)
        used, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert used < 10 * 100 * 300
    assert len([*write_log.changes_since(Kind.PAGE, "0", translated=False).lines()]) == 100


def test_the_last_write_of_each_record_counts() -> None:
    write_log = WriteLog()
    write_log.record_write(Kind.PAGE, reported(pages=("a", "b")), [page(1, "Old"), page(2, "Gone"), page(3, "Stays")])
    write_log.record_delete(Kind.PAGE, reported(pages=("b", "c")), 2)
    write_log.record_write(Kind.PAGE, reported(pages=("c", "d")), [page(1, "New")])
    changes = write_log.changes_since(Kind.PAGE, "a", translated=False)
    assert changes.ids == {1, 2, 3}
    assert [*changes.lines()] == [b'{"id":3,"title":"Stays"}', b'{"id":1,"title":"New"}']


def test_a_write_of_another_user_ends_the_known_changes() -> None:
    write_log = WriteLog()
    write_log.record_write(Kind.PAGE, reported(pages=("a", "b")), [page(1, "Ours")])
    write_log.record_write(Kind.PAGE, reported(pages=("c", "d")), [page(2, "Ours")])
    assert write_log.changes_since(Kind.PAGE, "a", translated=False).etag == "b"
    assert write_log.changes_since(Kind.PAGE, "x", translated=False).etag == "x"


def test_etags_that_form_a_cycle_are_followed_once() -> None:
    write_log = WriteLog()
    write_log.record_delete(Kind.PAGE, reported(pages=("a", "b")), 1)
    write_log.record_delete(Kind.PAGE, reported(pages=("b", "a")), 2)
    write_log.record_delete(Kind.PAGE, reported(pages=("z", "z")), 3)
    changes = write_log.changes_since(Kind.PAGE, "W/a", translated=False)
    assert (changes.ids, [*changes.lines()]) == ({1, 2}, [])
    assert write_log.changes_since(Kind.PAGE, "z", translated=False).ids == set()


def test_a_record_without_translations_does_not_update_a_translated_list() -> None:
    write_log = WriteLog()
    write_log.record_write(Kind.ARTICLE, reported(articles=("a", "b")), [{"id": 1, "translations": {}}])
    write_log.record_write(Kind.ARTICLE, reported(articles=("b", "c")), [{"id": 2}])
    assert write_log.changes_since(Kind.ARTICLE, "a", translated=True).etag == "b"
    assert write_log.changes_since(Kind.ARTICLE, "a", translated=False).etag == "a"


def test_a_list_that_only_shows_a_changed_tag_needs_no_record() -> None:
    write_log = WriteLog()
    write_log.record_write(Kind.TAG, reported(tags=("a", "b"), projects=("k", "l")), [{"id": 1, "title": "Open"}])
    changes = write_log.changes_since(Kind.LISTING, "k", translated=False)
    assert (changes.etag, changes.ids) == ("l", set())


async def change_everything(remote: Remote) -> None:
    """Create, update and delete records of each kind, as a run does."""
    entries = {(entry.kind, entry.key): entry.id or 0 for entry in await remote.fetch(set(Kind), ["fr"])}
    tag, _ = await remote.create(Kind.TAG, {"title": "Free"})
    saws = entries[Kind.CATEGORY, "saws"]
    await remote.update(Kind.CATEGORY, saws, {"title": "All saws", "slug": "all-saws"})
    await remote.update(Kind.CUSTOM_FIELD, entries[Kind.CUSTOM_FIELD, "price"], {"label": "Cost", "name": "price"})
    await remote.update(Kind.ORGANIZER, entries[Kind.ORGANIZER, "atelier"], {"translations": {"fr": {"name": "A"}}})
    await remote.update(Kind.LISTING, entries[Kind.LISTING, "https://l7.example"], {"tags": [tag.id], "price": "9"})
    await remote.create_listings([{"name": "New", "categories": [saws]}, {"name": ""}, {"name": "Newer"}])
    await remote.create(Kind.PAGE, {"title": "Prices", "markdown": "None."})
    news = {"markdown": "More", "translations": {"fr": {"markdown": "Plus"}}}
    await remote.update(Kind.ARTICLE, entries[Kind.ARTICLE, "news"], news)
    await remote.delete(Kind.LISTING, entries[Kind.LISTING, "https://l9.example"])
    await remote.delete(Kind.PAGE, entries[Kind.PAGE, "about"])
    await remote.delete(Kind.TAG, entries[Kind.TAG, "open"])
    remote.save_lists()


def test_a_client_reads_no_list_again_after_its_own_writes(tmp_path: Path) -> None:
    with directory(tmp_path) as tools:
        tools.ask(change_everything)
        write_log = tools.fetch("fr")
        assert len(tools.requests) == LISTS
        for path in (tmp_path / "cache").iterdir():
            path.unlink()
        assert write_log == tools.fetch("fr")
        assert len(tools.requests) > LISTS


def test_a_long_lived_client_reads_no_list_again_after_its_own_writes(tmp_path: Path) -> None:
    async def twice(remote: Remote) -> tuple[list[Entry], list[Entry]]:
        await change_everything(remote)
        tools.requests.clear()
        lists = await remote.fetch(set(Kind), ["fr"])
        assert len(tools.requests) == LISTS + 1  # listings name a category by its new key, so they are read: two pages
        tools.requests.clear()
        assert await remote.fetch(set(Kind), ["fr"]) == lists
        assert await remote.fetch_again(set(Kind)) == lists
        assert len(tools.requests) == 2 * LISTS
        return lists, lists

    with directory(tmp_path, cache=False) as tools:
        lists, _ = tools.ask(twice)
        assert {(entry.kind, entry.key): entry for entry in lists} == tools.fetch("fr")


def test_a_long_lived_client_stores_no_more_after_many_runs(tmp_path: Path) -> None:
    async def runs(remote: Remote) -> None:
        [about] = await remote.fetch({Kind.PAGE})
        for number in range(5):
            await remote.update(Kind.PAGE, about.id or 0, {"title": f"{number}"})
            assert moves() == at_first + 1
            tools.requests.clear()
            assert [page.fields["title"] for page in await remote.fetch({Kind.PAGE})] == [f"{number}"]
            assert tools.requests == [("GET", "/api/directories/1/pages?page=1")]
            assert moves() == at_first

    def moves() -> int:
        return sum(isinstance(one, ListDelta) for one in gc.get_objects())

    gc.collect()
    at_first = moves()
    with directory(tmp_path, cache=False, listings=0) as tools:
        tools.ask(runs)


@pytest.mark.parametrize("include", [True, False])
def test_a_long_lived_client_reads_again_for_another_language(tmp_path: Path, include: bool) -> None:
    async def asked(remote: Remote) -> None:
        assert "translations" not in (await remote.fetch({Kind.ARTICLE}))[0].fields
        for _ in range(2):
            [news] = await remote.fetch({Kind.ARTICLE}, ["fr"])
            assert news.fields["translations"] == {"fr": {"title": "Nouvelles"}}

    with directory(tmp_path, manners=Manners(include=include), cache=False, listings=0) as tools:
        tools.ask(asked)


def test_a_concurrent_write_of_another_user_is_read(tmp_path: Path) -> None:
    async def meddled(remote: Remote) -> None:
        entries = {(entry.kind, entry.key): entry.id or 0 for entry in await remote.fetch(set(Kind))}
        await remote.create(Kind.PAGE, {"title": "Ours"})
        async with tools.another() as other:
            await other.update(Kind.PAGE, entries[Kind.PAGE, "about"], {"title": "Theirs"})
        await remote.create(Kind.PAGE, {"title": "Ours too"})
        remote.save_lists()

    with directory(tmp_path, listings=0) as tools:
        tools.ask(meddled)
        titles = {entry.fields["title"] for entry in tools.fetch().values() if entry.kind is Kind.PAGE}
        assert titles == {"Theirs", "Ours", "Ours too"}


@pytest.mark.parametrize("manners", [Manners(list_etags=False), Manners(conditionals=False), Manners(include=False)])
def test_a_list_is_read_again_if_the_service_returns_no_etags(tmp_path: Path, manners: Manners) -> None:
    with directory(tmp_path, manners=manners) as tools:
        tools.ask(change_everything)
        write_log = tools.fetch("fr")
        for path in tmp_path.glob("cache/*"):
            path.unlink()
        assert write_log == tools.fetch("fr")


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"x" * 500])
def test_a_damaged_snapshot_is_not_updated(tmp_path: Path, damage: bytes) -> None:
    """FI-32"""

    async def damaged(remote: Remote) -> None:
        await remote.fetch(set(Kind), ["fr"])
        for path in (tmp_path / "cache").iterdir():
            path.write_bytes(path.read_bytes()[:-30] + damage)
        await remote.create(Kind.PAGE, {"title": "New"})
        remote.save_lists()

    with directory(tmp_path) as tools:
        tools.ask(damaged)
        assert (Kind.PAGE, "new") in tools.fetch("fr")
        assert len(tools.requests) > LISTS
        assert [path.suffix for path in (tmp_path / "cache").iterdir()] == [".jsonl"] * LISTS


def test_a_snapshot_that_is_cut_off_during_a_run_does_not_stop_it(tmp_path: Path) -> None:
    """FI-32"""
    page_list = tmp_path / "cache" / "page.jsonl"

    async def cut_off(remote: Remote) -> None:
        await remote.fetch(set(Kind))
        os.truncate(page_list, page_list.stat().st_size - 100)
        await remote.create(Kind.PAGE, {"title": "New"})
        remote.save_lists()

    with directory(tmp_path, listings=0) as tools:
        tools.fetch()
        tools.ask(cut_off)
        assert (Kind.PAGE, "new") in tools.fetch()
