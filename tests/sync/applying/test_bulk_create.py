"""New listings, against the real server and against answers that it never gives."""

from dataclasses import replace
from typing import Any

import httpx
import pytest

from contentsync.model import Entry, Kind, Source
from contentsync.sync.comparing.change import Result, Status

from ...remote.script import json_response
from ..entries import desired
from ..faults import Match, answered, lost, of
from ..site import Script, Sent, Site, body, statuses, untouched

BULK: Match = of("POST", "/projects/bulk")


def with_url(number: int, **fields: Any) -> Entry:
    url = f"https://{number:03}.example"
    return desired(Kind.LISTING, url, line=number + 2, url=url, name=f"L{number}", **fields)


def with_slug(number: int, **fields: Any) -> Entry:
    return desired(Kind.LISTING, f"l{number:03}", line=number + 2, slug=f"l{number:03}", name=f"L{number}", **fields)


def with_name_only(number: int) -> Entry:
    """Return a listing without URL and slug: the server makes its slug from the name."""
    return desired(Kind.LISTING, f"l{number}", name=f"L{number}")


def assert_all_created(site: Site, entries: list[Entry], script: Script) -> None:
    """Sync new listings; require that the server and the base have each of them exactly once."""
    results, stopped = site.sync(entries, script)
    assert stopped is None
    assert [result for result in results if result.status is not Status.DONE] == []
    assert len(site.there(Kind.LISTING)) == len(entries)
    assert len(site.base) == len(entries)


def failed(results: list[Result]) -> dict[str, str]:
    """Return the error of each failed change, by key."""
    return {result.change.key: result.error for result in results if result.status is Status.FAILED}


def listings_per_bulk(site: Site) -> list[int]:
    """Return how many listings each bulk create had that was sent, also of those whose answer was lost."""
    return [len(body(request)["listings"]) for request in site.sent if BULK(request)]


def test_new_listings_are_created_by_the_hundred_with_explicit_slugs_first(site: Site) -> None:
    """And no request has more than the maximum, although the service numbers its slugs around the explicit ones."""
    entries = [with_url(number) for number in range(130)] + [with_slug(number) for number in range(200, 330)]
    assert_all_created(site, entries, untouched)
    named = [["slug" in listing for listing in body(request)["listings"]] for request in site.sent if BULK(request)]
    assert named == [[True] * 100, [True] * 30 + [False] * 70, [False] * 60]
    assert not site.planned(entries)


def test_a_bulk_create_that_is_too_large_is_split(site: Site) -> None:
    """HT-18"""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request) and len(body(request)["listings"]) > 2:
            return json_response(413, {"message": "Too large"})
        return await send(request)

    assert_all_created(site, [with_url(number) for number in range(7)], script)
    assert listings_per_bulk(site) == [7, 3, 1, 2, 4, 2, 2]


def test_a_single_listing_that_is_too_large_fails_alone(site: Site) -> None:
    """HT-18"""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request) and any(listing["name"] == "L1" for listing in body(request)["listings"]):
            return json_response(413, {"message": "Too large"})
        return await send(request)

    results, _ = site.sync([with_url(number) for number in range(4)], script)
    assert failed(results) == {"https://001.example": "listing.md:3:1: Too large"}
    assert len(site.there(Kind.LISTING)) == 3


def test_a_bulk_refusal_fails_the_named_listings_at_their_lines(site: Site) -> None:
    """HT-15"""
    errors = {"listings.1.name": ["is bad"], "listings.3": ["is worse"]}
    refusal = answered(422, {"message": "Invalid", "errors": errors}, BULK)
    results, _ = site.sync([with_url(number) for number in range(5)], refusal)
    assert failed(results) == {
        "https://001.example": "listing.md:3:1: is bad",
        "https://003.example": "listing.md:5:1: is worse",
    }
    assert listings_per_bulk(site) == [5, 3]
    assert len(site.there(Kind.LISTING)) == 3


def test_a_refusal_of_the_whole_bulk_create_fails_all_listings(site: Site) -> None:
    refusal = answered(422, {"message": "No", "errors": {"listings.7.name": ["?"]}}, BULK)
    results, _ = site.sync([with_url(0), with_url(1)], refusal)
    assert [result.status for result in results] == [Status.FAILED] * 2


def test_a_refused_listing_is_located_at_the_field(site: Site) -> None:
    """HT-15"""
    row = replace(with_url(7, email="nobody"), source=Source("a.csv", 9, {"email": ("a.csv", (9, 31))}))
    results, _ = site.sync([with_slug(1), with_url(5), row])
    assert statuses(results)["https://005.example"] is Status.DONE
    assert failed(results)["https://007.example"].startswith("a.csv:9:31: email must be an e-mail address")


@pytest.mark.parametrize("stored", [False, True])
@pytest.mark.parametrize("entry", [with_url, with_slug], ids=["url", "slug"])
def test_a_lost_response_to_a_bulk_create_creates_no_duplicates(site: Site, stored: bool, entry: Any) -> None:
    """HT-02, HT-20"""
    entries = [entry(number) for number in range(5)]
    assert_all_created(site, entries, lost(BULK, stored=stored))
    assert not site.planned(entries)


def test_a_stored_listing_without_url_and_slug_is_found_by_its_name(site: Site) -> None:
    """SL-11: the answer to the bulk create is lost; sending the listings again would store them twice."""
    assert_all_created(site, [with_name_only(number) for number in range(4)], lost(BULK, stored=True))
    assert listings_per_bulk(site) == [4], "sent once"


def test_a_listing_without_url_and_slug_is_never_sent_twice_unchecked(site: Site) -> None:
    """SL-11"""
    entries = [with_name_only(number) for number in range(4)]
    results, _ = site.sync(entries, lost(BULK, stored=False))
    assert {result.status for result in results} == {Status.UNKNOWN}
    assert listings_per_bulk(site) == [4]
    site.synced(entries)
    assert len(site.there(Kind.LISTING)) == 4


def test_a_partly_stored_bulk_create_is_completed_without_duplicates(site: Site) -> None:
    """HT-20"""
    done: list[httpx.Request] = []

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request) and not done:
            done.append(request)
            await send(httpx.Request("POST", request.url, json={"listings": body(request)["listings"][:60]}))
            raise httpx.ReadTimeout("slow", request=request)
        return await send(request)

    entries = [with_url(number) for number in range(100)]
    assert_all_created(site, entries, script)
    assert not site.planned(entries)


def test_a_listing_that_always_fails_does_not_block_the_rest_of_its_bulk(site: Site) -> None:
    """HT-13"""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request) and any(listing["name"] == "L41" for listing in body(request)["listings"]):
            return httpx.Response(500)
        return await send(request)

    results, _ = site.sync([with_url(number) for number in range(100)], script)
    assert {key for key, status in statuses(results).items() if status is not Status.DONE} == {"https://041.example"}
    assert len(site.there(Kind.LISTING)) == 99


def test_a_server_without_clear_responses_is_not_retried_forever(site: Site) -> None:
    """HT-03, I7"""
    results, _ = site.sync([with_url(number) for number in range(100)], lost(BULK, times=1000, stored=False))
    assert {result.status for result in results} == {Status.UNKNOWN}
    assert len(listings_per_bulk(site)) < 40


@pytest.mark.parametrize(
    "spoil",
    [
        lambda answer: answer | {"data": answer["data"][:-1], "total_created": 2},
        lambda answer: answer | {"data": [*answer["data"], answer["data"][0]]},
        lambda answer: answer | {"errors": [{"index": 7, "name": "x", "error": "?"}], "data": answer["data"][:-1]},
        lambda answer: answer | {"data": []},
        lambda answer: {"data": None},
    ],
    ids=["fewer", "twice", "index out of range", "none", "null"],
)
def test_an_inconsistent_bulk_response_is_read_back(site: Site, spoil: Any) -> None:
    """HT-19"""
    spoilt: list[httpx.Request] = []

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        response = await send(request)
        if BULK(request) and not spoilt:
            spoilt.append(request)
            await response.aread()
            return json_response(200, spoil(response.json()))
        return response

    entries = [with_url(0), with_slug(1), with_name_only(2)]
    assert_all_created(site, entries, script)
    assert not site.planned(entries)


def made_meanwhile(**fields: Any) -> Script:
    """Return another user makes a listing just before the first bulk arrives."""
    made: list[httpx.Request] = []

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request) and not made:
            made.append(request)
            await send(httpx.Request("POST", str(request.url).removesuffix("/bulk"), json=fields))
        return await send(request)

    return script


def test_a_listing_created_meanwhile_by_another_user_is_not_overwritten(site: Site) -> None:
    """CO-06: the server returns the listing unchanged (docs/contract.md 4.3.2), and the next plan asks for consent."""
    entries = [with_url(0), with_url(1)]
    results, _ = site.sync(entries, made_meanwhile(name="Theirs", url="https://000.example"))
    assert failed(results) == {
        "https://000.example": "listing.md:2:1: it was made on the server after the plan was made: "
        "name is 'Theirs' and should be 'L0'; run again, and look at the plan"
    }
    assert statuses(results)["https://001.example"] is Status.DONE
    assert site.there(Kind.LISTING)["https://000.example"].fields["name"] == "Theirs"
    assert [refusal.code for refusal in site.planned(entries).refusals] == ["adoption"]


def test_an_equal_listing_created_meanwhile_by_another_user_is_adopted(site: Site) -> None:
    """The same request has created others; the result distinguishes them."""
    entries = [with_url(0), with_url(1)]
    results, _ = site.sync(entries, made_meanwhile(name="L0", url="https://000.example"))
    assert [(result.status, result.already_existed) for result in results] == [
        (Status.DONE, True),
        (Status.DONE, False),
    ]
    assert site.writes == [("POST", "projects/bulk")]
    assert not site.planned(entries)
    assert len(site.base) == 2


def linked(status: int) -> Script:
    """Return a server that adds the organizer of the token's user to new listings, and answers updates so."""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if BULK(request):
            records = [
                {"id": number, **listing, "organizers": [{"id": 9, "name": "Own", "slug": "own"}]}
                for number, listing in enumerate(body(request)["listings"], 1)
            ]
            return json_response(200, {"data": records, "errors": [], "total_created": len(records), "total_errors": 0})
        if request.method == "PUT":
            return json_response(status, {"data": {"id": 1, "slug": "l001", "organizers": []}, "message": "No"})
        return await send(request)

    return script


def test_an_organizer_that_the_service_links_automatically_is_removed_again(site: Site) -> None:
    """docs/contract.md 4.4.5; without organizers in the file, the link stays."""
    results, _ = site.sync([with_slug(1, organizers=[]), with_slug(2)], linked(200))
    assert {result.status for result in results} == {Status.DONE}
    updates = [(request.url.path, body(request)) for request in site.sent if request.method == "PUT"]
    assert updates == [("/api/directories/1/projects/1", {"organizers": []})]


def test_a_listing_whose_linked_organizer_cannot_be_removed_fails_but_is_managed(site: Site) -> None:
    results, _ = site.sync([with_slug(1, organizers=[])], linked(422))
    assert failed(results) == {"l001": "listing.md:3:1: it was created, but with other organizers: No"}
    line = site.base[Kind.LISTING, "l001"]
    assert line.id == 1
    assert line.fields["organizers"].startswith("/")  # never sent, so the next plan writes it
