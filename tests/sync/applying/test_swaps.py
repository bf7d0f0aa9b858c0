"""SL-15: two entries swap what no two may have alike, on a real server."""

from pathlib import Path

import pytest

from contentsync.model import RECORDS, Entry, Kind, Source

from ..site import Site

NEEDED = {
    Kind.ARTICLE: {"markdown": "text"},
    Kind.CUSTOM_FIELD: {"type": "text"},
}


def entry(kind: Kind, key: str, path: str) -> Entry:
    model = RECORDS[kind]
    return Entry(kind, key, {model.key_field: key, model.title_field: path, **NEEDED.get(kind, {})}, Source(path))


def listing(url: str, path: str) -> Entry:
    return Entry(Kind.LISTING, url, {"url": url, "name": path}, Source(path))


@pytest.mark.parametrize("kind", Kind)
def test_two_files_swap_their_names_and_keep_their_records(tmp_path: Path, kind: Kind) -> None:
    site = Site(tmp_path)
    site.synced([entry(kind, "a", "x"), entry(kind, "b", "y")])
    before = {key: there.id for key, there in site.there(kind).items()}
    swapped = [entry(kind, "b", "x"), entry(kind, "a", "y")]
    site.synced(swapped)
    assert {key: there.id for key, there in site.there(kind).items()} == {"a": before["b"], "b": before["a"]}
    assert len(site.writes) == 3
    assert not site.planned(swapped)


def test_two_listings_swap_their_urls(tmp_path: Path) -> None:
    site = Site(tmp_path)
    one, other = "https://one.example", "https://other.example"
    site.synced([listing(one, "x"), listing(other, "y")])
    before = {key: there.id for key, there in site.there(Kind.LISTING).items()}
    swapped = [listing(other, "x"), listing(one, "y")]
    site.synced(swapped)
    after = {key: there.id for key, there in site.there(Kind.LISTING).items()}
    assert after == {one: before[other], other: before[one]}
    assert not site.planned(swapped)
