import pytest

from contentsync.errors import UsageError
from contentsync.model import Kind
from contentsync.sync import Selection

from .entries import desired


def test_an_empty_selection_covers_everything() -> None:
    assert desired(Kind.TAG, "t") in Selection()
    assert Selection().kinds == set(Kind)


def test_a_kind_covers_all_of_its_entries_and_no_others() -> None:
    selection = Selection.parse(["page"])
    assert desired(Kind.PAGE, "about") in selection
    assert desired(Kind.ARTICLE, "about") not in selection
    assert selection.kinds == {Kind.PAGE}


def test_a_glob_covers_matching_keys() -> None:
    selection = Selection.parse(["listing/https://*.example.org*", "tag"])
    assert desired(Kind.LISTING, "https://a.example.org/x") in selection
    assert desired(Kind.LISTING, "https://a.example.com") not in selection
    assert desired(Kind.TAG, "t") in selection


def test_an_unknown_kind_is_named_with_the_nearest_one() -> None:
    with pytest.raises(UsageError) as raised:
        Selection.parse(["pages"])
    assert raised.value.hint == "did you mean 'page'?"
