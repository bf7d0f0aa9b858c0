"""contentsync.content.folder.lookups: what the entries of a unit look up in other entries, as a text."""

import pytest

from contentsync.content.folder.lookups import Lookups
from contentsync.model import Kind


def test_an_entry_without_references_and_other_keys_looks_nothing_up() -> None:
    lookups = Lookups()
    lookups.add_keys({"title": "A", "seo": {"title": "A"}})
    assert lookups.to_text(Kind.ARTICLE) == ""
    assert Lookups.from_text("") == Lookups()


def test_keys_in_objects_are_kept_apart() -> None:
    lookups = Lookups()
    lookups.add_keys({"mood": "good", "translations": {"fr": {"mood": "bon", "seo": {"canonical": "x"}}}})
    assert lookups.keys == {"mood", "translations"}
    assert lookups.inner_keys == {"fr", "mood", "seo", "canonical"}
    assert lookups.to_text(Kind.ARTICLE) == '[[], ["mood"], ["canonical", "fr", "mood"]]'


@pytest.mark.parametrize("name", ["tools", "Ärzte", 'a "b"', "\ud800"])
def test_a_text_has_the_same_names_in_any_order(name: str) -> None:
    pairs = [(Kind.TAG, name), (Kind.CATEGORY, name), (Kind.TAG, "other")]
    texts = {Lookups(set(order)).to_text(Kind.LISTING) for order in (pairs, pairs[::-1])}
    assert len(texts) == 1
    assert Lookups.from_text(texts.pop()) == Lookups(set(pairs))
