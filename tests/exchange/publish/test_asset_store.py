"""The asset store: a folder, and a bucket on a real S3 server; and the cache of its file names."""

import asyncio
import io
from pathlib import Path

import pytest

from contentsync.content.pictures.published_names import StoredFile
from contentsync.errors import Denied, ServerError, Unreachable
from contentsync.exchange.publish.asset_store import KNOWN_FILES, MAX_HEADS, AssetStore, KnownFiles, without_secrets

from .s3_server import SECRET, S3Server

NAME = f"a-{'0' * 31}1.png"
OTHER = f"b-{'0' * 31}2.svg"


def put(store: AssetStore, name: str, data: bytes) -> None:
    """Store a file."""
    asyncio.run(store.put(name, io.BytesIO(data)))


def names(store: AssetStore, first: str = "", last: str = "") -> list[str]:
    async def listed() -> list[StoredFile]:
        return [file async for file in store.files(first, last)]

    return [file.name for file in asyncio.run(listed())]


def test_an_empty_store_has_no_files(store: AssetStore) -> None:
    assert names(store) == []
    assert asyncio.run(store.sizes([NAME])) == {}


def test_a_published_file_is_listed_with_its_size(store: AssetStore) -> None:
    put(store, NAME, b"picture")
    put(store, OTHER, b"")
    assert sorted(names(store)) == [NAME, OTHER]
    assert asyncio.run(store.sizes([NAME, OTHER, "c-1.png"])) == {NAME: 7, OTHER: 0}


def test_many_sizes_are_read_with_one_listing(store: AssetStore, s3: S3Server) -> None:
    put(store, NAME, b"picture")
    put(store, OTHER, b"drawing")
    s3.requests.clear()
    absent = [f"c-{number:032}.png" for number in range(MAX_HEADS)]
    assert asyncio.run(store.sizes([NAME, *absent])) == {NAME: 7}
    is_bucket = store.address.startswith("s3:")  # a folder is listed without a request
    assert [request.method for request in s3.requests] == (["GET"] if is_bucket else [])


def test_a_listing_is_limited_by_a_first_and_a_last_name(store: AssetStore) -> None:
    put(store, NAME, b"1")
    put(store, OTHER, b"2")
    assert OTHER in names(store, first=OTHER)
    assert NAME in names(store, first=NAME, last=NAME)


def test_a_file_can_be_deleted_twice(store: AssetStore) -> None:
    put(store, NAME, b"picture")
    for _ in range(2):
        asyncio.run(store.delete(NAME))
    assert names(store) == []


def test_a_published_file_has_its_media_type_and_is_cached_without_limit(
    bucket: str, s3: S3Server, tmp_path: Path
) -> None:
    put(AssetStore(f"s3://{bucket}", tmp_path), OTHER, b"<svg/>")
    status, body, headers = s3.ask("GET", f"/{bucket}/{OTHER}")
    assert (status, body) == (200, b"<svg/>")
    assert headers["content-type"] == "image/svg+xml"
    assert headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_missing_bucket_is_an_error_with_a_hint(bucket: str, tmp_path: Path) -> None:
    store = AssetStore("s3://no-such-bucket", tmp_path)
    with pytest.raises(ServerError, match="there is no asset store s3://no-such-bucket") as error:
        put(store, NAME, b"picture")
    assert error.value.hint == "create the bucket"


def test_refused_credentials_are_an_error_with_a_hint(bucket: str, s3: S3Server, tmp_path: Path) -> None:
    s3.refuses = lambda method, path: True
    with pytest.raises(Denied, match=r"refuses: a-0+1\.png cannot be written") as error:
        put(AssetStore(f"s3://{bucket}", tmp_path), NAME, b"picture")
    assert "credentials" in error.value.hint
    assert SECRET not in str(error.value)


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "published").write_text("a file")
    with pytest.raises((Unreachable, Denied, ServerError)):
        put(AssetStore("published", tmp_path), NAME, b"picture")


def test_messages_have_no_credentials() -> None:
    environ = {"AWS_SECRET_ACCESS_KEY": SECRET, "HOME": "/home/ada"}
    text = f"PUT https://host/b/a.png?X-Amz-Signature=abc with {SECRET} in /home/ada failed\nmore"
    assert without_secrets(text, environ) == "PUT https://host/b/a.png with … in /home/ada failed"


def test_two_servers_with_the_same_bucket_name_are_two_stores(tmp_path: Path) -> None:
    here = AssetStore("s3://pictures", tmp_path, {"AWS_ENDPOINT_URL": "http://127.0.0.1:1"})
    there = AssetStore("s3://pictures", tmp_path, {"AWS_ENDPOINT_URL": "http://127.0.0.1:2"})
    assert here.identity != there.identity


def file_of(folder: Path) -> Path:
    [file] = (folder / KNOWN_FILES).glob("*.txt")
    return file


def test_known_files_are_added_to_those_of_earlier_runs(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s3://pictures").add({NAME: 7})
    KnownFiles(tmp_path, "s3://pictures").add({OTHER: 8})
    assert KnownFiles(tmp_path, "s3://pictures").sizes == {NAME: 7, OTHER: 8}


def test_each_store_has_its_own_cache_of_known_files(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s3://pictures").add({NAME: 7})
    assert KnownFiles(tmp_path, "s3://others").sizes == {}


def test_a_removed_file_is_removed_from_the_cache_of_known_files(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s").add({NAME: 7, OTHER: 8})
    KnownFiles(tmp_path, "s").remove([NAME, "unknown"])
    assert KnownFiles(tmp_path, "s").sizes == {OTHER: 8}


def test_an_incomplete_or_foreign_cache_line_is_ignored(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s").add({NAME: 7})
    with file_of(tmp_path).open("a") as lines:
        lines.write(f"{OTHER} 8 9\n../../etc 5\n{OTHER[:-4]} 3\n{OTHER}")
    known = KnownFiles(tmp_path, "s")
    assert known.sizes == {NAME: 7}
    known.add({OTHER: 8})
    assert KnownFiles(tmp_path, "s").sizes == {NAME: 7, OTHER: 8}


def test_a_cache_that_is_a_link_is_neither_read_nor_written(tmp_path: Path) -> None:
    KnownFiles(tmp_path, "s").add({NAME: 7})
    file, elsewhere = file_of(tmp_path), tmp_path / "elsewhere"
    elsewhere.write_text(f"{OTHER} 8\n")
    file.unlink()
    file.symlink_to(elsewhere)
    known = KnownFiles(tmp_path, "s")
    assert known.sizes == {}
    known.add({NAME: 7})
    assert elsewhere.read_text() == f"{OTHER} 8\n"


def test_the_digest_changes_with_the_known_files(tmp_path: Path) -> None:
    known = KnownFiles(tmp_path, "s")
    before = known.digest
    known.add({NAME: 7})
    assert known.digest != before
    assert KnownFiles(tmp_path, "s").digest == known.digest
