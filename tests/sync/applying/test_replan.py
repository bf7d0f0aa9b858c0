"""The second plan of a run, after the server has contradicted its lists."""

import asyncio
from typing import Any

import httpx

from contentsync.model import Entry, Kind
from contentsync.sync.comparing.change import Status

from ..entries import desired, page
from ..site import Sent, Site, body, is_write, statuses

PAGES = [page(key) for key in "abcdefgh"]
NEW = desired(Kind.CATEGORY, "new", slug="new", title="New", parent_id=None)


def contradicted(site: Site, folder: list[Entry], *, edited: str = "", **options: Any) -> dict[str, Status]:
    """Return a sync of which the first create is answered with a conflict, while another user edits a page."""
    met: list[str] = []

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request) and body(request).get("slug") == "new" and not met:
            met.append("new")
            if edited:
                await asyncio.to_thread(site.edit, Kind.PAGE, edited, title="Edited just now", slug=edited)
            return httpx.Response(409, json={"message": "A record with this key is there already"})
        return await send(request)

    results, stopped = site.sync(folder, script, **options)
    assert stopped is None
    return statuses(results)


def test_a_second_plan_completes_a_create_that_a_wrong_list_prevented(site: Site) -> None:
    site.synced(PAGES)
    assert contradicted(site, [*PAGES, NEW]) == {"new": Status.DONE}


def test_a_second_plan_does_not_delete_an_entry_edited_during_the_run(site: Site) -> None:
    site.synced(PAGES)
    # The second plan is refused: it is a conflict.
    assert contradicted(site, [*PAGES[1:], NEW], edited="a") == {"new": Status.FAILED, "a": Status.SKIPPED}
    assert site.there(Kind.PAGE)["a"].fields["title"] == "Edited just now"


def test_a_second_plan_does_not_overwrite_an_entry_edited_during_the_run(site: Site) -> None:
    site.synced(PAGES)
    changed = page("a")
    folder = [Entry(changed.kind, "a", {**changed.fields, "title": "Ours"}, changed.source), *PAGES[1:], NEW]
    outcomes = contradicted(site, folder, edited="a")
    assert outcomes == {"new": Status.FAILED, "a": Status.FAILED}  # the second plan is refused: it is a conflict
    assert site.there(Kind.PAGE)["a"].fields["title"] == "Edited just now"


def test_no_second_plan_is_made_after_an_error_that_stops_the_run(site: Site) -> None:
    site.synced(PAGES)
    outcomes = contradicted(site, [NEW, *PAGES, page("other")], on_error="stop")
    assert outcomes == {"new": Status.FAILED, "other": Status.SKIPPED}
