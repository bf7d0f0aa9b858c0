"""Undoing a run whose writes had no answer, or met records of another user."""

from collections.abc import Sequence

import httpx
import pytest

from contentsync.model import Entry, Kind
from contentsync.sync.planning.plan import Policy

from ..bases import codes
from ..entries import desired
from ..site import Sent, Site, is_write
from .undoing import page, undo


class Cut(BaseException):
    """The run is cut off."""


def cut_off(site: Site, wanted: Sequence[Entry], *, after: bool) -> None:
    """Run a sync that dies before or after its first write has reached the server."""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if not is_write(request):
            return await send(request)
        if after:
            await send(request)
        raise Cut

    with pytest.raises(Cut):
        site.sync(wanted, script)


def test_an_undo_does_not_delete_a_page_that_the_run_did_not_create(site: Site) -> None:
    """Another user has created one with the same values and more."""
    site.synced([page("a"), page("z")])
    cut_off(site, [page("a"), page("z"), page("n", "N", markdown="n")], after=False)
    site.foreign(Kind.PAGE, slug="n", title="N", markdown="n", order=5)
    assert codes(undo(site)[0]) == ["conflict"]
    site.edit(Kind.PAGE, "n", title="Theirs", slug="n")
    plan, _ = undo(site)
    assert (plan.changes, plan.refusals) == ((), ())
    assert "n" in site.there(Kind.PAGE)


def test_an_undo_deletes_a_page_created_without_a_response(site: Site) -> None:
    site.synced([page("a"), page("z")])
    cut_off(site, [page("a"), page("z"), page("n", "N", markdown="n")], after=True)
    assert "n" in site.there(Kind.PAGE)
    undo(site)
    assert site.there(Kind.PAGE).keys() == {"a", "z"}


def test_an_undo_ignores_a_delete_that_was_never_sent(site: Site) -> None:
    site.synced([page("a"), page("z")])
    cut_off(site, [page("z")], after=False)
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    plan, _ = undo(site)
    assert (plan.changes, plan.refusals) == ((), ())


def test_an_undo_does_not_delete_a_page_that_existed_before_the_create(site: Site) -> None:
    """Another user creates a page of the name during the run."""
    site.synced([page("a"), page("z")])

    async def meanwhile(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            async with site.remote() as remote:
                await remote.create(Kind.PAGE, {"slug": "n", "title": "Theirs", "order": 3})
            del request.headers["If-None-Match"]  # as on a service that keeps no conditions
        return await send(request)

    site.sync([page("a"), page("z"), page("n", "Ours")], meanwhile)
    plan, _ = undo(site)
    assert codes(plan) == ["conflict"]
    assert "how it was is not known" in plan.refusals[0].message
    assert undo(site, policy=Policy(prune=True, on_conflict="theirs"))[0].changes == ()


def test_an_undo_keeps_a_listing_that_existed_before_the_create(site: Site) -> None:
    def listing(key: str) -> Entry:
        return desired(Kind.LISTING, key, url=key, name="L")

    site.synced([listing("https://z.example")])

    async def meanwhile(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            async with site.remote() as remote:
                await remote.create(Kind.LISTING, {"url": "https://n.example", "name": "L"})
        return await send(request)

    site.sync([listing("https://z.example"), listing("https://n.example")], meanwhile)
    plan, _ = undo(site)
    assert (plan.changes, plan.refusals) == ((), ())
    assert site.there(Kind.LISTING).keys() == {"https://z.example", "https://n.example"}
