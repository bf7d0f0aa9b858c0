import pytest

from contentsync.model import RECORDS, Kind
from contentsync.remote.unreturned import unreturned

TAG = dict.fromkeys(RECORDS[Kind.TAG].rules())
LISTING = dict.fromkeys(RECORDS[Kind.LISTING].rules().keys() - {"category_id"})
ARTICLE = dict.fromkeys(RECORDS[Kind.ARTICLE].rules())


def without(record: dict[str, object], *names: str) -> dict[str, object]:
    return {name: value for name, value in record.items() if name not in names}


def test_a_key_that_no_record_has_is_unknown_and_one_that_a_record_lacks_is_empty() -> None:
    assert unreturned(Kind.TAG, [without(TAG, "color"), without(TAG, "color", "icon"), TAG], ()) == set()
    assert unreturned(Kind.TAG, [without(TAG, "color"), without(TAG, "color", "icon")], ()) == {"color"}


def test_an_empty_list_says_nothing_about_keys() -> None:
    assert unreturned(Kind.TAG, [], ()) == set()


def test_a_custom_field_is_unknown_only_where_no_record_has_any() -> None:
    assert unreturned(Kind.LISTING, [LISTING, {**LISTING, "price": 1}], ("price", "stars")) == set()
    assert unreturned(Kind.LISTING, [LISTING, LISTING], ("price", "stars")) == {"price", "stars"}


@pytest.mark.parametrize("card", ["card_title", "twitter_title"])
def test_a_key_of_seo_is_unknown_where_objects_are_returned_without_it(card: str) -> None:
    seo = {"title": "T", "description": None, "og_title": None, "og_description": None, "og_image": None}
    seo |= {card: None, "card_description": None, "card_image": None, "canonical": None}
    assert unreturned(Kind.ARTICLE, [ARTICLE, {**ARTICLE, "seo": seo}], ()) == {"seo.keywords"}
    assert unreturned(Kind.ARTICLE, [ARTICLE], ()) == set()
