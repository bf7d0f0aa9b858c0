"""Values of custom fields that files and services write as text: no difference, and taken back by an undo."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest

from contentsync.content.folder.load import load_content
from contentsync.model import Entry, Kind
from contentsync.sync.comparing.fingerprint import fingerprint, matches_fingerprint
from contentsync.sync.planning.plan import Policy

from ..site import Sent, Site
from ..undo.undoing import undo

FIELDS = """\
- {label: Fee, type: number}
- {label: Stars, type: rating}
- {label: Open, type: checkbox}
- {label: Moods, type: multi_select, options: [calm, sunny, wet]}
"""
AS_TEXT = 'name: A\nfee: "12"\nstars: "4.5"\nopen: "1"\nmoods: "calm, sunny"\n'
NATIVE = "name: A\nfee: 12\nstars: 4.5\nopen: true\nmoods: [calm, sunny]\n"
OTHER = 'name: A\nfee: "13"\nstars: "1"\nopen: "0"\nmoods: "wet"\n'
VALUES = {"fee": 12, "stars": 4.5, "open": True, "moods": ["calm", "sunny"]}


@pytest.fixture
def entries(tmp_path: Path) -> Callable[[str], tuple[Entry, ...]]:
    """Return the entries of a folder with this listing."""

    def read(listing: str) -> tuple[Entry, ...]:
        files = {"contentsync.toml": "", "custom_fields.yaml": FIELDS, "listings/a.yaml": listing}
        for name, text in files.items():
            file = tmp_path / "content" / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
        content = load_content(tmp_path / "content")
        assert content.problems == ()
        return content.entries

    return read


Entries = Callable[[str], tuple[Entry, ...]]


def stored(site: Site) -> dict[str, Any]:
    listing = site.there(Kind.LISTING)["a"]
    return {name: listing.fields[name] for name in VALUES}


def test_a_value_written_as_text_is_stored_in_its_type(site: Site, entries: Entries) -> None:
    site.synced(entries(AS_TEXT))
    assert stored(site) == VALUES
    for listing in (AS_TEXT, NATIVE):
        assert site.planned(entries(listing)).changes == ()


def test_a_value_applied_in_its_type_equals_its_text(site: Site, entries: Entries) -> None:
    site.synced(entries(NATIVE))
    plan = site.planned(entries(AS_TEXT), Policy(prune=True, on_drift="fail"))
    assert (plan.changes, plan.refusals) == ((), ())


def test_an_undo_restores_values_that_were_written_as_text(site: Site, entries: Entries) -> None:
    site.synced(entries(AS_TEXT))
    site.synced(entries(OTHER))
    assert stored(site) == {"fee": 13, "stars": 1, "open": False, "moods": ["wet"]}
    undo(site)
    assert stored(site) == VALUES
    assert site.planned(entries(AS_TEXT), Policy(prune=True, on_drift="fail")).refusals == ()


async def as_text(request: httpx.Request, send: Sent) -> httpx.Response:
    """Return a service that stores every value of a custom field as text."""
    response = await send(request)
    if "/projects" not in request.url.path:
        return response
    await response.aread()
    document = response.json()
    listings = document["data"] if isinstance(document["data"], list) else [document["data"]]
    for listing in listings:
        listing |= {"fee": "12", "stars": "4.5", "open": "1", "moods": '["calm","sunny"]'}
    headers = {name: value for name, value in response.headers.items() if name != "content-length"}
    return httpx.Response(response.status_code, headers=headers, content=orjson.dumps(document))


def test_values_of_a_service_that_returns_text_are_equal(site: Site, entries: Entries) -> None:
    for listing in (AS_TEXT, NATIVE):
        results, stopped = site.sync(entries(listing), as_text)
        assert stopped is None
    assert results == []


@pytest.mark.parametrize("written", ["calm, sunny", "calm,sunny", '["calm", "sunny"]', '["calm","sunny"]'])
def test_a_list_fingerprint_of_an_earlier_release_is_matched(written: str) -> None:
    known = fingerprint(Kind.LISTING, "moods", written)
    assert matches_fingerprint(Kind.LISTING, "moods", ["calm", "sunny"], known)
    assert not matches_fingerprint(Kind.LISTING, "moods", ["calm"], known)
