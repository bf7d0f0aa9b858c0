from typing import Any

import httpx
import orjson
import pytest

from contentsync.model import RECORDS, Entry, Kind, Reference, custom_readers
from contentsync.remote.wire import BulkResult, UnknownReference, missing_fields, reduce_record, to_entry, wire_body

from .script import ask, json_response

IDS = {Kind.CATEGORY: {"tools": 5, "saws": 6}, Kind.TAG: {"open": 7}, Kind.ORGANIZER: {"atelier": 8}}


def test_references_are_sent_as_ids() -> None:
    fields = {"name": "Saw", "categories": ["saws", "tools"], "tags": [], "organizers": ["atelier"]}
    assert wire_body(Kind.LISTING, fields, IDS, "card") == {
        "name": "Saw",
        "categories": [6, 5],
        "tags": [],
        "organizers": [8],
    }


def test_a_parent_is_sent_as_an_id_or_null() -> None:
    assert wire_body(Kind.CATEGORY, {"parent_id": "tools"}, IDS, "card") == {"parent_id": 5}
    assert wire_body(Kind.CATEGORY, {"parent_id": None}, IDS, "card") == {"parent_id": None}


def test_a_reference_to_a_missing_record_is_an_error() -> None:
    with pytest.raises(UnknownReference, match="tag 'closed' is not on the server"):
        wire_body(Kind.LISTING, {"tags": ["closed"]}, IDS, "card")


def test_a_target_can_require_twitter_names() -> None:
    fields = {
        "seo": {"card_title": "C", "title": "T"},
        "translations": {"fr": {"seo": {"card_image": "I"}}, "de": None},
    }
    assert wire_body(Kind.ARTICLE, fields, {}, "twitter") == {
        "seo": {"twitter_title": "C", "title": "T"},
        "translations": {"fr": {"seo": {"twitter_image": "I"}}, "de": None},
    }
    assert wire_body(Kind.ARTICLE, fields, {}, "card") == fields


def test_article_categories_are_free_text() -> None:
    assert wire_body(Kind.ARTICLE, {"categories": ["News"]}, {}, "card") == {"categories": ["News"]}


def test_the_etag_of_a_record_is_its_time_of_change() -> None:
    record = {"id": 1, "slug": "open", "updated_at": "2026-01-15T10:30:00.000001Z"}
    assert to_entry(Kind.TAG, record, {}, conditional=True).etag == '"2026-01-15T10:30:00.000001Z"'
    assert to_entry(Kind.TAG, record, {}).etag is None


@pytest.mark.parametrize("updated_at", [None, 5, "", 'a"b', "a\r\nX: y", "été"])
def test_a_time_of_change_that_no_header_can_contain_is_not_an_etag(updated_at: object) -> None:
    """XS-11"""
    assert to_entry(Kind.TAG, {"id": 1, "slug": "a", "updated_at": updated_at}, {}, conditional=True).etag is None


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7), ("7", 7), ("007", 7), (True, None), (7.0, None), ("٣", None), ("-1", None), ("", None)],
)
def test_an_id_can_be_a_number_in_text(value: object, number: int | None) -> None:
    """HT-23"""
    assert to_entry(Kind.TAG, {"id": value, "slug": "a"}, {}).id == number


def test_the_creation_time_of_a_record_is_read_if_the_service_returns_it() -> None:
    made = "2026-01-15T10:30:00.000000Z"
    tag = {"id": 7, "slug": "open", "created_at": made}
    assert to_entry(Kind.TAG, tag, {}).created == made
    assert to_entry(Kind.TAG, {**tag, "created_at": None}, {}).created is None


def test_times_are_normalized() -> None:
    """TM-07"""
    fields = {"slug": "a", "starts_at": "2026-01-15 10:30", "ends_at": None, "published_at": "soon"}
    entry = to_entry(Kind.LISTING, fields, {})
    assert entry.fields["starts_at"] == "2026-01-15T10:30:00.000000Z"
    assert entry.fields["ends_at"] is None
    assert entry.fields["published_at"] == "soon"


@pytest.mark.parametrize("written", [True, 1, "1", "true"])
def test_a_boolean_written_as_a_number_or_text_is_read(written: object) -> None:
    page = to_entry(Kind.PAGE, {"id": 1, "slug": "a", "is_published": written}, {})
    assert page.fields == {"slug": "a", "is_published": True}
    article = to_entry(Kind.ARTICLE, {"id": 1, "slug": "a", "active": written, "is_markdown": written}, {})
    assert article.fields == {"slug": "a", "active": True, "is_markdown": True}


def test_a_number_written_as_text_is_read() -> None:
    listing = to_entry(Kind.LISTING, {"id": "1", "slug": "a", "latitude": "48.50", "longitude": "-2"}, {})
    assert listing.fields == {"slug": "a", "latitude": 48.5, "longitude": -2}
    organizer = to_entry(Kind.ORGANIZER, {"id": 1, "slug": "a", "order": "3", "user_id": "7", "phone": "030"}, {})
    assert organizer.fields == {"slug": "a", "order": 3, "user_id": 7, "phone": "030"}


def test_a_custom_field_value_is_read_in_the_defined_type() -> None:
    definitions = [
        Entry(Kind.CUSTOM_FIELD, name, {"name": name, "type": type_, "fieldable_type": "listing"})
        for name, type_ in {"price": "number", "stars": "rating", "new": "checkbox", "code": "text"}.items()
    ]
    record = {"id": 1, "slug": "a", "price": "9.50", "stars": "4", "new": "0", "code": "007", "other": "1"}
    read = to_entry(Kind.LISTING, record, {}, custom=custom_readers(definitions))
    assert read.fields == {"slug": "a", "price": 9.5, "stars": 4, "new": False, "code": "007", "other": "1"}


@pytest.mark.parametrize("written", [["a", "b"], '["a", "b"]', '["a","b"]', "a, b", "a,b"])
def test_a_list_written_as_text_is_read(written: object) -> None:
    field = {"name": "moods", "type": "multi_select", "fieldable_type": "listing", "options": ["a", "b"]}
    custom = custom_readers([Entry(Kind.CUSTOM_FIELD, "moods", field)])
    assert to_entry(Kind.LISTING, {"id": 1, "slug": "x", "moods": written}, {}, custom=custom).fields["moods"] == [
        "a",
        "b",
    ]


def test_a_value_of_another_type_stays_unchanged() -> None:
    record = {"id": 1, "slug": "a", "order": "first", "is_active": "maybe", "user_id": None}
    assert to_entry(Kind.ORGANIZER, record, {}).fields == {
        "slug": "a",
        "order": "first",
        "is_active": "maybe",
        "user_id": None,
    }


NAMES = ("a", "b", "c")
BODIES: list[dict[str, Any]] = [{"name": name, "url": f"https://{name}.example"} for name in NAMES]


def bulk(answer: Any, bodies: list[dict[str, Any]] = BODIES) -> list[BulkResult]:
    def handler(request: httpx.Request) -> httpx.Response:
        assert request.url.path.endswith("/projects/bulk")
        assert orjson.loads(request.content) == {"listings": bodies}
        return json_response(200, answer)

    return ask(handler, lambda remote: remote.create_listings(bodies))


def outcomes(answer: Any, bodies: list[dict[str, Any]] = BODIES) -> list[int | str | None]:
    """Return an id for each body, an error, or None if the result is unknown."""
    return [created.entry.id if created.entry else created.error for created in bulk(answer, bodies)]


def made(name: str, id_: Any, **fields: Any) -> dict[str, Any]:
    return {"id": id_, "name": name, "url": f"https://{name}.example", **fields}


def error(ids_by_key: Any, text: str = "is wrong") -> dict[str, Any]:
    return {"index": ids_by_key, "name": "?", "error": text}


def test_a_bulk_response_is_matched_record_by_record() -> None:
    answer = {"data": [made("a", 1), made("c", 3)], "errors": [error(1, "name is required")]}
    assert outcomes(answer) == [1, "name is required", 3]


def test_an_entry_of_a_bulk_response_equals_one_of_a_list() -> None:
    created, *_others = bulk({"data": [made("a", 1, updated_at="x"), made("b", 2), made("c", 3)], "errors": []})
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
def test_a_missing_or_duplicate_record_in_a_bulk_response_is_unknown(
    answer: Any, known: list[int | str | None]
) -> None:
    """HT-19"""
    assert outcomes(answer) == known


def test_a_listing_without_a_key_is_matched_by_position_and_name() -> None:
    bodies = [{"name": "a"}, {"name": "b"}, {"name": "c"}]
    records = [{"id": 1, "name": "a", "slug": "a"}, {"id": 3, "name": "c", "slug": "c-2"}]
    assert outcomes({"data": records, "errors": [error(1)]}, bodies) == [1, "is wrong", 3]


def test_positions_in_a_contradictory_response_are_ignored() -> None:
    """HT-19"""
    bodies = [{"name": "a"}, {"name": "a"}, {"name": "a"}]
    records = [{"id": 1, "name": "a", "slug": "a"}, {"id": 2, "name": "a", "slug": "a-2"}]
    assert outcomes({"data": records, "errors": []}, bodies) == [None, None, None]


def test_a_differently_spelled_url_in_the_response_is_matched() -> None:
    """HT-24"""
    records = [made("a", 1), {"id": 2, "name": "b", "url": "https://b.example/?utm=1"}, made("c", 3)]
    assert outcomes({"data": records, "errors": []}) == [1, 2, 3]


def test_a_record_of_another_listing_is_not_matched_by_position() -> None:
    """HT-19"""
    bodies = [{"name": "x", "url": "https://a.example"}, {"name": "x", "url": "https://b.example"}]
    records = [{"id": 1, "name": "x", "url": "https://b.example"}, {"id": 2, "name": "x", "url": "https://b.example"}]
    assert outcomes({"data": records, "errors": []}, bodies) == [None, None]


TAG = dict.fromkeys(RECORDS[Kind.TAG].rules())
LISTING = dict.fromkeys(RECORDS[Kind.LISTING].rules().keys() - {"category_id"})
ARTICLE = dict.fromkeys(RECORDS[Kind.ARTICLE].rules())


def without(record: dict[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in record.items() if name not in names}


def test_a_key_missing_in_all_records_is_unknown() -> None:
    assert missing_fields(Kind.TAG, [without(TAG, "color"), without(TAG, "color", "icon"), TAG], ()) == set()
    assert missing_fields(Kind.TAG, [without(TAG, "color"), without(TAG, "color", "icon")], ()) == {"color"}


def test_an_empty_list_leaves_no_key_unknown() -> None:
    assert missing_fields(Kind.TAG, [], ()) == set()


def test_a_custom_field_is_unknown_if_no_record_has_any() -> None:
    assert missing_fields(Kind.LISTING, [LISTING, {**LISTING, "price": 1}], ("price", "stars")) == set()
    assert missing_fields(Kind.LISTING, [LISTING, LISTING], ("price", "stars")) == {"price", "stars"}


@pytest.mark.parametrize("card", ["card_title", "twitter_title"])
def test_an_seo_key_is_unknown_if_seo_objects_lack_it(card: str) -> None:
    seo = {"title": "T", "description": None, "og_title": None, "og_description": None, "og_image": None}
    seo |= {card: None, "card_description": None, "card_image": None, "canonical": None}
    assert missing_fields(Kind.ARTICLE, iter([ARTICLE, {**ARTICLE, "seo": seo}]), ()) == {"seo.keywords"}  # read once
    assert missing_fields(Kind.ARTICLE, [ARTICLE], ()) == set()


@pytest.mark.parametrize(
    ("kind", "record"),
    [
        (
            Kind.LISTING,
            {"url": "https://a.example", "categories": [{"id": 1, "title": "Saws"}, 2, {}], "listing_url": "x"},
        ),
        (Kind.ORGANIZER, {"slug": "atelier", "projects": [{"id": 7}], "logo": "a.png", "logo_url": "/storage/a.png"}),
        (Kind.CATEGORY, {"slug": "saws", "parent_id": {"id": "1"}, "parent_title": "Tools"}),
        (Kind.ARTICLE, {"slug": "news", "is_markdown": 1, "translations": [], "user": {"id": 1}}),
    ],
)
def test_a_reduced_record_makes_the_same_entry(kind: Kind, record: dict[str, Any]) -> None:
    record |= {"id": 9, "created_at": "2026-01-15T10:30:00Z", "updated_at": "2026-01-16T10:30:00Z"}
    keys = {Kind.CATEGORY: {1: Reference("saws", 1)}}
    reduced = reduce_record(kind, record)
    assert to_entry(kind, reduced, keys, conditional=True) == to_entry(kind, record, keys, conditional=True)
    assert len(orjson.dumps(reduced)) < len(orjson.dumps(record))
