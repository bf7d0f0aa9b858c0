"""contentsync.content.pictures.published_names: the names of published files, and where texts contain them."""

from contentsync.content.pictures.published_names import (
    digest_in,
    digests_in,
    is_published_name,
    name_at_start,
    published_name,
    published_names,
)

DIGEST = "0123456789abcdef" * 4
BASE = "https://cdn.example.org/p/"


def test_a_published_name_has_the_stem_and_a_digest_of_the_file() -> None:
    name = published_name("img/Ma Photo (été).JPG", DIGEST)
    assert name == "ma-photo-ete-0123456789abcdef0123456789abcdef.jpg"
    assert is_published_name(name)
    assert digest_in(name) == DIGEST[:32]


def test_a_published_name_has_a_stem_even_without_letters() -> None:
    assert published_name("img/???.png", DIGEST) == f"file-{DIGEST[:32]}.png"
    assert len(published_name(f"{'a' * 300}.png", DIGEST)) < 100


def test_other_names_are_not_published_names() -> None:
    digest = DIGEST[:32]
    for name in ("photo.jpg", f"{digest}.jpg", f"a-{digest[:31]}.jpg", f"A-{digest}.jpg", f"../a-{digest}.jpg"):
        assert not is_published_name(name), name


def test_names_are_found_in_texts_lists_and_objects() -> None:
    first, second = published_name("a.png", DIGEST), published_name("b.png", "f" * 64)
    value = {"body": f"![a]({BASE}{first}) and {BASE}other.png", "more": [{"url": f"{BASE}{second}?x=1"}, 3, None]}
    assert list(published_names(value, BASE)) == [first, second]
    assert list(published_names(value, "https://elsewhere.example.org/")) == []


def test_digests_are_found_at_any_address() -> None:
    text = f'"https://old.example.org/a-{DIGEST[:32]}.png", "{"f" * 40}"'
    assert digests_in(text) == {DIGEST[:32]}


def test_a_published_name_is_found_only_at_the_start_of_a_text() -> None:
    name = published_name("a.png", DIGEST)
    assert name_at_start(f"{name}?x") == name
    assert name_at_start(f"x/{name}") == ""
    assert name_at_start(f"{name}bak") == ""
