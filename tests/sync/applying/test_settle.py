"""Writes of one entry whose outcome is not clear at first, against the real server."""

import threading
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from contentsync.model import Entry, Kind
from contentsync.sync.comparing.change import Result, Status

from ...remote.script import json_response
from ..entries import desired
from ..faults import answered, before, lost, of
from ..site import Script, Sent, Site, body, statuses

OLD = desired(Kind.PAGE, "about", title="About", slug="about", markdown="old")
NEW = desired(Kind.PAGE, "about", title="About us", slug="about", markdown="new")


def one(site: Site, entries: list[Entry], script: Script) -> Result:
    results, stopped = site.sync(entries, script)
    assert stopped is None
    assert len(results) == 1
    return results[0]


@pytest.mark.parametrize("stored", [False, True])
def test_a_create_without_a_response_is_read_back(site: Site, stored: bool) -> None:
    """HT-02, HT-03"""
    assert one(site, [NEW], lost(of("POST"), stored=stored)).status is Status.DONE
    assert [method for method, _ in site.writes if method == "POST"] == ["POST"] * (1 if stored else 2)
    assert site.there(Kind.PAGE).keys() == {"about"}
    assert (Kind.PAGE, "about") in site.base
    assert not site.planned([NEW])


def test_a_page_created_meanwhile_by_another_user_is_not_overwritten(site: Site) -> None:
    """CO-06: the create requires a new page, because it is an upsert; the next plan asks for consent."""
    theirs = before(lambda: _beside(lambda: site.foreign(Kind.PAGE, slug="about", title="Theirs", order=3)), of("POST"))
    result = one(site, [NEW], theirs)
    assert (result.status, result.contradicts_list) == (Status.FAILED, True)
    assert "it is on the server already" in result.error
    assert site.there(Kind.PAGE)["about"].fields["title"] == "Theirs"
    assert [refusal.code for refusal in site.planned([NEW]).refusals] == ["adoption"]


def test_an_equal_page_created_meanwhile_by_another_user_is_managed(site: Site) -> None:
    """CO-05"""
    made = before(lambda: _beside(lambda: site.foreign(Kind.PAGE, **NEW.fields)), of("POST"))
    assert site.sync([NEW], made) == ([], None)
    assert (Kind.PAGE, "about") in site.base


@pytest.mark.parametrize("stored", [False, True])
def test_a_page_whose_response_was_lost_counts_as_created(site: Site, stored: bool) -> None:
    """HT-02: the result cannot show whether the first attempt or another user created it."""
    assert not one(site, [NEW], lost(of("POST"), stored=stored)).already_existed


@pytest.mark.parametrize("stored", [False, True])
def test_an_update_without_a_response_is_read_back(site: Site, stored: bool) -> None:
    """HT-02, HT-03"""
    site.synced([OLD])
    assert one(site, [NEW], lost(of("PUT"), stored=stored)).status is Status.DONE
    assert [method for method, _ in site.writes] == ["PUT"] * (1 if stored else 2)
    assert site.there(Kind.PAGE)["about"].fields["markdown"] == "new"
    assert not site.planned([NEW])


@pytest.mark.parametrize("stored", [False, True])
def test_a_delete_without_a_response_is_read_back(site: Site, stored: bool) -> None:
    """HT-02, HT-03"""
    site.synced([OLD, *_others()])
    assert one(site, _others(), lost(of("DELETE"), stored=stored)).status is Status.DONE
    assert "about" not in site.there(Kind.PAGE)
    assert (Kind.PAGE, "about") not in site.base


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_a_server_error_is_followed_by_a_read(site: Site, status: int) -> None:
    """HT-13"""
    assert one(site, [NEW], answered(status, {"message": "no"}, of("POST"))).status is Status.DONE
    assert not site.planned([NEW])


@pytest.mark.parametrize("document", [None, {}, [], {"data": None}, {"data": {"title": "x"}}])
def test_a_success_without_the_record_is_read_back(site: Site, document: Any) -> None:
    """HT-06"""
    site.synced([OLD])
    assert one(site, [NEW], answered(200, document, of("PUT"))).status is Status.DONE
    assert not site.planned([NEW])


def test_a_write_that_always_fails_is_unknown_and_others_are_written(site: Site) -> None:
    """HT-13"""
    poison = desired(Kind.PAGE, "poison", title="Poison")

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if request.method == "POST" and body(request)["title"] == "Poison":
            return httpx.Response(500)
        return await send(request)

    results, stopped = site.sync([poison, *_others()], script)
    assert stopped is None
    assert {key for key, status in statuses(results).items() if status is not Status.DONE} == {"poison"}
    assert statuses(results)["poison"] is Status.UNKNOWN
    assert len([path for path in site.writes if path[0] == "POST"]) == 3 + len(_others())


def test_a_write_that_cannot_be_read_back_is_unknown(site: Site) -> None:
    """HT-02: and the next run finds out."""
    site.synced([OLD])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if request.method == "PUT":
            await send(request)
            raise httpx.ReadError("reset", request=request)
        if request.url.path.endswith("/pages/1"):
            return httpx.Response(500)
        return await send(request)

    result = one(site, [NEW], script)
    assert result.status is Status.UNKNOWN
    assert "cannot be read back" in result.error
    assert not site.planned([NEW])


def test_an_unreachable_server_after_an_unclear_write_ends_the_run(site: Site) -> None:
    deleted = False

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        nonlocal deleted
        if deleted:
            raise httpx.ConnectError("refused", request=request)
        deleted = request.method == "POST"
        return await send(request) if not deleted else httpx.Response(502)

    results, stopped = site.sync(_others(), script, concurrency=1)
    assert stopped is not None and "cannot reach" in stopped.message
    assert [result.status for result in results] == [Status.UNKNOWN] + [Status.SKIPPED] * 4


def test_an_unclear_update_overtaken_by_another_user_shows_both_values(site: Site) -> None:
    """HT-02, CO-07"""
    site.synced([OLD])

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if request.method != "PUT":
            return await send(request)
        await send(httpx.Request("PUT", request.url, json={"title": "Theirs", "slug": "about"}))
        raise httpx.ReadTimeout("slow", request=request)

    result = one(site, [NEW], script)
    assert result.status is Status.FAILED
    assert "title is 'Theirs' and should be 'About us'" in result.error
    assert site.there(Kind.PAGE)["about"].fields["title"] == "Theirs"


def test_an_edit_between_plan_and_update_is_not_overwritten(site: Site) -> None:
    """CO-06, CO-07, HT-16"""
    site.synced([OLD])
    result = one(site, [NEW], before(lambda: _aside(site, title="Theirs", slug="about"), of("PUT")))
    assert result.status is Status.FAILED
    assert "title is 'Theirs' and should be 'About us'" in result.error
    assert site.there(Kind.PAGE)["about"].fields["title"] == "Theirs"


def test_an_edit_of_another_field_does_not_block_an_update(site: Site) -> None:
    """CO-06: two edits of different fields are not a conflict."""
    site.synced([OLD])
    result = one(site, [NEW], before(lambda: _aside(site, order=7), of("PUT")))
    assert result.status is Status.DONE
    fields = site.there(Kind.PAGE)["about"].fields
    assert (fields["title"], fields["order"]) == ("About us", 7)


def test_a_409_without_a_changed_record_is_retried(site: Site) -> None:
    """HT-16"""
    site.synced([OLD])
    assert one(site, [NEW], answered(409, {"message": "changed"}, of("PUT"))).status is Status.DONE


def test_a_renamed_organizer_is_not_an_edit_of_its_listing(site: Site) -> None:
    """HT-16: the state of the listing has changed with the organizer, without another user's edit."""

    def entries(organizer: str, name: str) -> list[Entry]:
        return [
            desired(Kind.ORGANIZER, organizer, slug=organizer, name="Atelier"),
            desired(Kind.LISTING, "saw", slug="saw", name=name, organizers=[organizer]),
        ]

    site.synced(entries("atelier", "Saw"))
    refused_once = answered(409, {"message": "changed"}, of("PUT", "projects"), times=1)  # the update of the listing
    results, _ = site.sync(entries("workshop", "Handsaw"), refused_once)
    assert statuses(results) == {"workshop": Status.DONE, "saw": Status.DONE}
    assert not site.planned(entries("workshop", "Handsaw"))


def test_an_update_with_a_404_is_planned_again(site: Site) -> None:
    """HT-17"""
    site.synced([OLD])
    identity = site.there(Kind.PAGE)["about"].id
    result = one(site, [NEW], answered(404, {"message": "Not found"}, of("PUT")))
    assert (result.status, result.change.id) == (Status.DONE, identity)


def test_an_update_with_two_404_responses_fails(site: Site) -> None:
    """HT-17"""
    site.synced([OLD])
    result = one(site, [NEW], answered(404, {"message": "Not found"}, of("PUT"), times=2))
    assert result.status is Status.FAILED
    assert "is no longer on the server" in result.error


def test_a_delete_of_a_deleted_record_is_done(site: Site) -> None:
    """HT-17"""
    site.synced([OLD, *_others()])
    deleted = before(lambda: _beside(lambda: site.remove(Kind.PAGE, "about")), of("DELETE"))
    assert one(site, _others(), deleted).status is Status.DONE
    assert (Kind.PAGE, "about") not in site.base


def test_a_delete_with_a_404_fails_while_the_record_exists(site: Site) -> None:
    """HT-17"""
    site.synced([OLD, *_others()])
    result = one(site, _others(), answered(404, {"message": "Not found"}, of("DELETE")))
    assert (result.status, "still has it" in result.error) == (Status.FAILED, True)
    assert (Kind.PAGE, "about") in site.base


@pytest.mark.parametrize("method", ["POST", "PUT"])
def test_a_response_with_another_record_is_read_back(site: Site, method: str) -> None:
    """HT-06: the values of the other record are not stored in the base."""
    site.synced([OLD, *_others()] if method == "PUT" else _others())
    other = site.there(Kind.PAGE)["p0"]

    async def mixed_up(request: httpx.Request, send: Sent) -> httpx.Response:
        answer = await send(request)
        if request.method != method:
            return answer
        await answer.aread()
        return json_response(answer.status_code, {"data": {"id": other.id, **other.fields}})

    result = one(site, [NEW, *_others()], mixed_up)
    assert result.status is Status.DONE
    assert result.applied is not None
    assert result.applied.id == site.there(Kind.PAGE)["about"].id != other.id
    assert not site.planned([NEW, *_others()])


def test_an_edit_between_the_second_read_and_the_delete_keeps_the_entry(site: Site) -> None:
    """CO-06"""
    site.synced([OLD, *_others()])
    result = one(site, _others(), before(lambda: _aside(site, title="Theirs", slug="about"), of("DELETE")))
    assert result.status is Status.FAILED
    assert site.there(Kind.PAGE)["about"].fields["title"] == "Theirs"
    assert (Kind.PAGE, "about") in site.base


def _aside(site: Site, **fields: Any) -> None:
    """Edit the record as another user in the middle of a run."""
    _beside(lambda: site.edit(Kind.PAGE, "about", **fields))


def _beside(act: Callable[[], None]) -> None:
    thread = threading.Thread(target=act)
    thread.start()
    thread.join()


def _others() -> list[Entry]:
    return [desired(Kind.PAGE, f"p{number}", title=f"P{number}") for number in range(5)]


def test_an_update_that_changed_nothing_is_sent_again(site: Site) -> None:
    site.synced([OLD])

    async def unchanged(request: httpx.Request, send: Sent) -> httpx.Response:
        if request.method == "PUT" and not asked:
            asked.append(request)
            return await send(httpx.Request("GET", request.url, headers=request.headers))
        return await send(request)

    asked: list[httpx.Request] = []
    assert one(site, [NEW], unchanged).status is Status.DONE
    assert site.there(Kind.PAGE)["about"].fields["markdown"] == "new"
