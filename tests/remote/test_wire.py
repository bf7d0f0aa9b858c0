import pytest

from contentsync.model import Entry, Kind, custom_readers
from contentsync.remote import UnknownReference, body_of
from contentsync.remote.wire import entry_of

IDS = {Kind.CATEGORY: {"tools": 5, "saws": 6}, Kind.TAG: {"open": 7}, Kind.ORGANIZER: {"atelier": 8}}


def test_references_are_sent_as_ids() -> None:
    fields = {"name": "Saw", "categories": ["saws", "tools"], "tags": [], "organizers": ["atelier"]}
    assert body_of(Kind.LISTING, fields, IDS, "card") == {
        "name": "Saw",
        "categories": [6, 5],
        "tags": [],
        "organizers": [8],
    }


def test_a_parent_is_sent_as_an_id_and_no_parent_as_null() -> None:
    assert body_of(Kind.CATEGORY, {"parent_id": "tools"}, IDS, "card") == {"parent_id": 5}
    assert body_of(Kind.CATEGORY, {"parent_id": None}, IDS, "card") == {"parent_id": None}


def test_a_reference_to_nothing_on_the_server_is_an_error() -> None:
    with pytest.raises(UnknownReference, match="tag 'closed' is not on the server"):
        body_of(Kind.LISTING, {"tags": ["closed"]}, IDS, "card")


def test_a_target_may_ask_for_twitter_names() -> None:
    fields = {
        "seo": {"card_title": "C", "title": "T"},
        "translations": {"fr": {"seo": {"card_image": "I"}}, "de": None},
    }
    assert body_of(Kind.ARTICLE, fields, {}, "twitter") == {
        "seo": {"twitter_title": "C", "title": "T"},
        "translations": {"fr": {"seo": {"twitter_image": "I"}}, "de": None},
    }
    assert body_of(Kind.ARTICLE, fields, {}, "card") == fields


def test_article_categories_are_free_text() -> None:
    assert body_of(Kind.ARTICLE, {"categories": ["News"]}, {}, "card") == {"categories": ["News"]}


def test_the_etag_of_a_record_is_when_it_was_changed_where_the_service_has_etags() -> None:
    record = {"id": 1, "slug": "open", "updated_at": "2026-01-15T10:30:00.000001Z"}
    assert entry_of(Kind.TAG, record, {}, conditional=True).etag == '"2026-01-15T10:30:00.000001Z"'
    assert entry_of(Kind.TAG, record, {}).etag is None


@pytest.mark.parametrize("updated_at", [None, 5, "", 'a"b', "a\r\nX: y", "été"])
def test_what_no_header_can_hold_is_no_etag(updated_at: object) -> None:
    """XS-11"""
    assert entry_of(Kind.TAG, {"id": 1, "slug": "a", "updated_at": updated_at}, {}, conditional=True).etag is None


@pytest.mark.parametrize(
    ("value", "number"),
    [(7, 7), ("7", 7), ("007", 7), (True, None), (7.0, None), ("٣", None), ("-1", None), ("", None)],
)
def test_ids_may_be_text(value: object, number: int | None) -> None:
    """HT-23"""
    assert entry_of(Kind.TAG, {"id": value, "slug": "a"}, {}).id == number


def test_when_a_record_was_made_is_known_where_the_service_tells_it() -> None:
    made = "2026-01-15T10:30:00.000000Z"
    tag = {"id": 7, "slug": "open", "created_at": made}
    assert entry_of(Kind.TAG, tag, {}).created == made
    assert entry_of(Kind.TAG, {**tag, "created_at": None}, {}).created is None


def test_moments_are_read_in_one_form() -> None:
    """TM-07"""
    fields = {"slug": "a", "starts_at": "2026-01-15 10:30", "ends_at": None, "published_at": "soon"}
    entry = entry_of(Kind.LISTING, fields, {})
    assert entry.fields["starts_at"] == "2026-01-15T10:30:00.000000Z"
    assert entry.fields["ends_at"] is None
    assert entry.fields["published_at"] == "soon"


@pytest.mark.parametrize("written", [True, 1, "1", "true"])
def test_a_boolean_that_a_service_writes_as_a_number_or_text_is_a_boolean(written: object) -> None:
    page = entry_of(Kind.PAGE, {"id": 1, "slug": "a", "is_published": written}, {})
    assert page.fields == {"slug": "a", "is_published": True}
    article = entry_of(Kind.ARTICLE, {"id": 1, "slug": "a", "active": written, "is_markdown": written}, {})
    assert article.fields == {"slug": "a", "active": True, "is_markdown": True}


def test_a_number_that_a_service_writes_as_text_is_a_number() -> None:
    listing = entry_of(Kind.LISTING, {"id": "1", "slug": "a", "latitude": "48.50", "longitude": "-2"}, {})
    assert listing.fields == {"slug": "a", "latitude": 48.5, "longitude": -2}
    organizer = entry_of(Kind.ORGANIZER, {"id": 1, "slug": "a", "order": "3", "user_id": "7", "phone": "030"}, {})
    assert organizer.fields == {"slug": "a", "order": 3, "user_id": 7, "phone": "030"}


def test_the_value_of_a_custom_field_has_the_type_that_its_definition_gives() -> None:
    definitions = [
        Entry(Kind.CUSTOM_FIELD, name, {"name": name, "type": type_, "fieldable_type": "listing"})
        for name, type_ in {"price": "number", "stars": "rating", "new": "checkbox", "code": "text"}.items()
    ]
    record = {"id": 1, "slug": "a", "price": "9.50", "stars": "4", "new": "0", "code": "007", "other": "1"}
    read = entry_of(Kind.LISTING, record, {}, custom=custom_readers(definitions))
    assert read.fields == {"slug": "a", "price": 9.5, "stars": 4, "new": False, "code": "007", "other": "1"}


@pytest.mark.parametrize("written", [["a", "b"], '["a", "b"]', '["a","b"]', "a, b", "a,b"])
def test_a_list_that_a_service_writes_as_text_is_a_list(written: object) -> None:
    field = {"name": "moods", "type": "multi_select", "fieldable_type": "listing", "options": ["a", "b"]}
    custom = custom_readers([Entry(Kind.CUSTOM_FIELD, "moods", field)])
    assert entry_of(Kind.LISTING, {"id": 1, "slug": "x", "moods": written}, {}, custom=custom).fields["moods"] == [
        "a",
        "b",
    ]


def test_a_value_that_is_neither_stays_as_the_service_wrote_it() -> None:
    record = {"id": 1, "slug": "a", "order": "first", "is_active": "maybe", "user_id": None}
    assert entry_of(Kind.ORGANIZER, record, {}).fields == {
        "slug": "a",
        "order": "first",
        "is_active": "maybe",
        "user_id": None,
    }
