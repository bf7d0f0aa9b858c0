"""The same condition in the languages of both databases."""

from contentsync.server.store.search_expression import AllOf, AnyOf, Token, all_of, any_of, condition_text

from ..conftest import Service


def test_a_condition_has_a_text_for_each_database(service: Service) -> None:
    saw, blade = Token("asaw"), Token("ablade", is_prefix=True)  # "a": the letter of the part (`IndexedPart.NAME`)
    condition = AllOf((saw, AnyOf((saw, blade))))
    text = service.run(condition_text, condition=condition)
    expected = (
        """("asaw" AND ("asaw" OR "ablade"*))"""
        if service.url.startswith("sqlite")
        else "('asaw' & ('asaw' | 'ablade':*))"
    )
    assert text == expected


def test_a_single_condition_needs_no_operator() -> None:
    saw = Token("asaw")
    assert all_of([saw]) == any_of([saw]) == saw
    assert any_of([saw, saw]) == AnyOf((saw, saw))
