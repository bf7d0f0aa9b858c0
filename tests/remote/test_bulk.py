from typing import Any

import httpx
import orjson
import pytest

from contentsync.model import Kind
from contentsync.remote import Created

from .script import ask, json_response

NAMES = ("a", "b", "c")
BODIES: list[dict[str, Any]] = [{"name": name, "url": f"https://{name}.example"} for name in NAMES]


def bulk(answer: Any, bodies: list[dict[str, Any]] = BODIES) -> list[Created]:
    def handler(request: httpx.Request) -> httpx.Response:
        assert request.url.path.endswith("/projects/bulk")
        assert orjson.loads(request.content) == {"listings": bodies}
        return json_response(200, answer)

    return ask(handler, lambda remote: remote.create_listings(bodies))


def outcomes(answer: Any, bodies: list[dict[str, Any]] = BODIES) -> list[int | str | None]:
    """Of each body an id, an error, or None where it is unknown."""
    return [created.entry.id if created.entry else created.error for created in bulk(answer, bodies)]


def made(name: str, id_: Any, **fields: Any) -> dict[str, Any]:
    return {"id": id_, "name": name, "url": f"https://{name}.example", **fields}


def error(index: Any, text: str = "is wrong") -> dict[str, Any]:
    return {"index": index, "name": "?", "error": text}


def test_the_answer_is_matched_item_by_item() -> None:
    answer = {"data": [made("a", 1), made("c", 3)], "errors": [error(1, "name is required")]}
    assert outcomes(answer) == [1, "name is required", 3]


def test_an_entry_of_the_answer_is_like_one_of_a_list() -> None:
    (created, *_) = bulk({"data": [made("a", 1, updated_at="x"), made("b", 2), made("c", 3)], "errors": []})
    assert created.entry is not None
    assert (created.entry.kind, created.entry.key) == (Kind.LISTING, "https://a.example")
    assert created.entry.fields == {"name": "a", "url": "https://a.example"}


@pytest.mark.parametrize(
    ("answer", "known"),
    [
        ({"data": [made("a", 1), made("b", 2)], "errors": []}, [1, 2, None]),
        ({"data": [made("b", 2), made("a", 1), made("c", 3)], "errors": []}, [1, 2, 3]),
        ({"data": [made("a", 1), made("a", 9), made("c", 3)], "errors": []}, [None, None, 3]),
        ({"data": [made("a", 1), made("x", 2), made("c", 3)], "errors": []}, [1, None, 3]),
        ({"data": [made("a", 1), {"name": "b"}, None], "errors": []}, [1, None, None]),
        ({"data": [made("a", 1), made("b", 2)], "errors": [error(7)]}, [1, 2, None]),
        ({"data": [made("a", 1), made("b", 2)], "errors": [error(-1)]}, [1, 2, None]),
        ({"data": [made("a", 1)], "errors": [error(1), error(1)]}, [1, None, None]),
        ({"data": [made("a", 1)], "errors": [error("1"), error(None)]}, [1, "is wrong", None]),
        ({"data": [made("a", 1), made("b", 2)], "errors": [error(1), error(2)]}, [1, None, "is wrong"]),
        ({"data": [made("a", 1), made("b", 2)], "errors": ["broken"]}, [1, 2, None]),
        ({"data": None, "errors": []}, [None, None, None]),
        ({"data": []}, [None, None, None]),
        ({"data": {}, "errors": {}}, [None, None, None]),
        ({}, [None, None, None]),
    ],
)
def test_what_the_answer_does_not_say_or_says_twice_stays_unknown(answer: Any, known: list[int | str | None]) -> None:
    """HT-19"""
    assert outcomes(answer) == known


def test_a_listing_without_a_key_is_known_by_its_place_and_name() -> None:
    bodies = [{"name": "a"}, {"name": "b"}, {"name": "c"}]
    records = [{"id": 1, "name": "a", "slug": "a"}, {"id": 3, "name": "c", "slug": "c-2"}]
    assert outcomes({"data": records, "errors": [error(1)]}, bodies) == [1, "is wrong", 3]


def test_no_place_is_trusted_in_an_answer_that_contradicts_itself() -> None:
    """HT-19"""
    bodies = [{"name": "a"}, {"name": "a"}, {"name": "a"}]
    records = [{"id": 1, "name": "a", "slug": "a"}, {"id": 2, "name": "a", "slug": "a-2"}]
    assert outcomes({"data": records, "errors": []}, bodies) == [None, None, None]


def test_a_url_that_the_server_writes_otherwise_is_still_the_listings() -> None:
    """HT-24"""
    records = [made("a", 1), {"id": 2, "name": "b", "url": "https://b.example/?utm=1"}, made("c", 3)]
    assert outcomes({"data": records, "errors": []}) == [1, 2, 3]


def test_the_record_of_another_body_is_not_taken_for_its_place() -> None:
    """HT-19"""
    bodies = [{"name": "x", "url": "https://a.example"}, {"name": "x", "url": "https://b.example"}]
    records = [{"id": 1, "name": "x", "url": "https://b.example"}, {"id": 2, "name": "x", "url": "https://b.example"}]
    assert outcomes({"data": records, "errors": []}, bodies) == [None, None]
