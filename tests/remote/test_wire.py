import pytest

from contentsync.model import Kind
from contentsync.remote import UnknownReference, body_of

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
