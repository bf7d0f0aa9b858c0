from typing import Any

import httpx
import orjson
import pytest

from contentsync.errors import Malfunction
from contentsync.model import Entry, Kind
from contentsync.remote import Created

from .script import Handler, ask, json_response, page_of


def fetch(handler: Handler, kind: Kind = Kind.PAGE, locales: tuple[str, ...] = ()) -> list[Entry]:
    return ask(handler, lambda remote: remote.fetch({kind}, locales))


def pages(first: int, last: int) -> list[dict[str, Any]]:
    return [{"id": number, "slug": f"p{number}", "title": "T"} for number in range(first, last + 1)]


def test_every_page_of_a_list_is_read() -> None:
    requests: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        requests.append(str(request.url))
        number = int(request.url.params["page"])
        return page_of(pages(1, 100) if number == 1 else pages(101, 130), last=2, total=130)

    assert len(fetch(handler)) == 130
    assert len(requests) == 2


def test_an_empty_list_is_one_request() -> None:
    """CO-04"""
    requests: list[str] = []

    def handler(request: httpx.Request) -> httpx.Response:
        requests.append(str(request.url))
        return page_of([], last=1)

    assert fetch(handler) == []
    assert len(requests) == 1


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"data": None},
        {"data": {}},
        {"data": [1]},
        {"data": [{"title": "no id"}], "meta": {"last_page": 1, "total": 1}},
        {"data": []},
        {"data": [], "meta": {}},
        {"data": [], "meta": {"last_page": 1, "total": 7}},
    ],
)
def test_an_answer_that_is_no_list_is_never_an_empty_one(document: Any) -> None:
    """HT-06, HT-07: an unknown state is an error."""
    with pytest.raises(Malfunction):
        fetch(lambda request: json_response(200, document))


def test_a_service_that_ignores_the_page_is_found_out() -> None:
    """HT-28"""
    with pytest.raises(Malfunction):
        fetch(lambda request: page_of(pages(1, 100), last=3, total=300))


def test_references_are_read_as_keys() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        match request.url.path.rpartition("/")[2]:
            case "categories":
                return json_response(
                    200,
                    {
                        "data": [
                            {"id": 5, "slug": "tools", "parent_id": None},
                            {"id": 6, "slug": "saws", "parent_id": 5},
                        ]
                    },
                )
            case "tags":
                return json_response(200, {"data": [{"id": "7", "slug": "open"}]})
            case "organizers":
                return json_response(200, {"data": []})
        listing = {
            "id": 1,
            "slug": "saw",
            "url": "HTTPS://Saw.example.org/",
            "categories": [{"id": 6, "title": "Saws", "parent_title": "Tools"}],
            "tags": [{"id": 7, "title": "Open"}],
            "organizers": [],
        }
        return page_of([listing])

    entries = {(entry.kind, entry.key): entry for entry in fetch(handler, Kind.LISTING)}
    listing = entries[Kind.LISTING, "https://saw.example.org"]
    assert listing.fields["categories"] == ["saws"]
    assert listing.fields["tags"] == ["open"]
    assert listing.id == 1
    assert entries[Kind.CATEGORY, "saws"].fields["parent_id"] == "tools"


def test_translations_come_with_the_list_where_the_service_has_them() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        assert request.url.params["include"] == "translations"
        return page_of([{"id": 1, "slug": "a", "title": "A", "translations": {"fr": {"title": "Un"}}}])

    assert fetch(handler, Kind.ARTICLE, ("fr",))[0].fields["translations"] == {"fr": {"title": "Un"}}


def test_translations_are_read_by_locale_where_the_list_has_none() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        title = "Un" if request.url.params.get("locale") == "fr" else "A"
        return page_of([{"id": 1, "slug": "a", "title": title, "markdown": "same"}])

    assert fetch(handler, Kind.ARTICLE, ("fr",))[0].fields["translations"] == {"fr": {"title": "Un"}}


def test_social_cards_are_read_under_their_twitter_names_too() -> None:
    seo = {"id": 3, "twitter_title": "Card", "title": "T"}
    entry = fetch(lambda request: page_of([{"id": 1, "slug": "a", "seo": seo}]), Kind.ARTICLE)[0]
    assert entry.fields["seo"] == {"card_title": "Card", "title": "T"}


@pytest.mark.parametrize(("logo", "address"), [("a.png", "a.png"), ("a b.png", "a b.png"), ("a b.png", "a%20b.png")])
def test_the_address_of_a_stored_logo_is_not_a_logo_url(logo: str, address: str) -> None:
    record = {"id": 1, "slug": "o", "logo": logo, "logo_url": f"https://x.example/storage/{address}"}
    entry = fetch(lambda request: json_response(200, {"data": [record]}), Kind.ORGANIZER)[0]
    assert entry.fields["logo_url"] is None


def bulk(answer: Any) -> list[Created]:
    bodies = [{"name": name, "url": f"https://{name}.example"} for name in ("a", "b", "c")]

    def handler(request: httpx.Request) -> httpx.Response:
        assert request.url.path.endswith("/projects/bulk")
        assert orjson.loads(request.content) == {"listings": bodies}
        return json_response(200, answer)

    return ask(handler, lambda remote: remote.create_listings(bodies))


def made(name: str, id_: int) -> dict[str, Any]:
    return {"id": id_, "name": name, "url": f"https://{name}.example"}


def test_the_answer_of_a_bulk_create_is_matched_item_by_item() -> None:
    answer = {"data": [made("a", 1), made("c", 3)], "errors": [{"index": 1, "name": "b", "error": "name is required"}]}
    assert bulk(answer) == [Created(id=1), Created(error="name is required"), Created(id=3)]


@pytest.mark.parametrize(
    ("answer", "known"),
    [
        ({"data": [made("a", 1), made("b", 2)], "errors": []}, [True, True, False]),
        ({"data": [made("b", 2), made("a", 1), made("c", 3)], "errors": []}, [False, False, True]),
        ({"data": None, "errors": []}, [False, False, False]),
        ({"data": []}, [False, False, False]),
    ],
)
def test_what_the_answer_does_not_say_stays_unknown(answer: Any, known: list[bool]) -> None:
    """HT-19"""
    assert [created.id is not None for created in bulk(answer)] == known
