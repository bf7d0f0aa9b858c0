"""Every length that the contract limits, at the limit and one over (service-api.md 2, 8; resolved.md)."""

from collections.abc import Callable
from typing import Any

import pytest

from contentsync.model import Context, Kind

from .judge import BILINGUAL, FILE, faults, least


def text(length: int) -> str:
    return "x" * length


def url(length: int) -> str:
    return "https://example.org/".ljust(length, "x")


def email(length: int) -> str:
    ending = "." + "d" * 62 + "." + "d" * 62 + ".example"
    return "a" * 60 + "@" + ("b" * (length - 61 - len(ending))) + ending


LIMITS: list[tuple[Kind, str, int, Callable[[int], str]]] = [
    # service-api.md 2.1
    (Kind.PAGE, "title", 255, text),
    (Kind.PAGE, "slug", 255, text),
    (Kind.PAGE, "seo.title", 255, text),
    (Kind.PAGE, "seo.description", 500, text),
    # service-api.md 2.2
    (Kind.ARTICLE, "title", 255, text),
    (Kind.ARTICLE, "slug", 255, text),
    (Kind.ARTICLE, "thumbnail_url", 255, url),
    (Kind.ARTICLE, "thumbnail_alt_text", 255, text),
    (Kind.ARTICLE, "seo.title", 255, text),
    (Kind.ARTICLE, "seo.description", 500, text),
    (Kind.ARTICLE, "seo.keywords", 255, text),
    (Kind.ARTICLE, "seo.og_title", 255, text),
    (Kind.ARTICLE, "seo.og_description", 500, text),
    (Kind.ARTICLE, "seo.og_image", 255, url),
    (Kind.ARTICLE, "seo.card_title", 255, text),
    (Kind.ARTICLE, "seo.card_description", 500, text),
    (Kind.ARTICLE, "seo.card_image", 255, url),
    (Kind.ARTICLE, "seo.canonical", 255, url),
    (Kind.ARTICLE, "translations.fr.title", 255, text),
    (Kind.ARTICLE, "translations.fr.thumbnail_alt_text", 255, text),
    (Kind.ARTICLE, "translations.fr.seo.title", 255, text),
    (Kind.ARTICLE, "translations.fr.seo.description", 500, text),
    # service-api.md 2.4
    (Kind.ORGANIZER, "name", 255, text),
    (Kind.ORGANIZER, "slug", 255, text),
    (Kind.ORGANIZER, "logo", 255, text),
    (Kind.ORGANIZER, "logo_url", 255, url),
    (Kind.ORGANIZER, "cover_image", 255, text),
    (Kind.ORGANIZER, "cover_image_url", 255, url),
    (Kind.ORGANIZER, "phone", 255, text),
    (Kind.ORGANIZER, "address", 255, text),
    (Kind.ORGANIZER, "translations.fr.name", 255, text),
    (Kind.ORGANIZER, "translations.fr.address", 255, text),
    # resolved.md, Listings
    (Kind.LISTING, "name", 255, text),
    (Kind.LISTING, "slug", 255, text),
    (Kind.LISTING, "url", 2048, url),
    (Kind.LISTING, "image_alt_text", 255, text),
    (Kind.LISTING, "logo_alt_text", 255, text),
    (Kind.LISTING, "phone_number", 255, text),
    (Kind.LISTING, "email", 255, email),
    (Kind.LISTING, "address", 255, text),
    (Kind.LISTING, "seo_title", 255, text),
    (Kind.LISTING, "seo_description", 500, text),
    # resolved.md, Categories, tags, custom fields
    (Kind.CATEGORY, "title", 255, text),
    (Kind.CATEGORY, "slug", 255, text),
    (Kind.TAG, "title", 255, text),
    (Kind.TAG, "slug", 255, text),
]

EACH = pytest.mark.parametrize(
    ("kind", "field", "limit", "make"), LIMITS, ids=[f"{kind}-{field}" for kind, field, *_ in LIMITS]
)


def with_field(kind: Kind, field: str, value: str) -> dict[str, Any]:
    """The least of a kind with a value at a dotted name."""
    given = inner = least(kind)
    *way, last = field.split(".")
    for part in way:
        inner = inner.setdefault(part, {})
    inner[last] = value
    return given


@EACH
def test_a_value_as_long_as_the_limit_is_accepted(
    kind: Kind, field: str, limit: int, make: Callable[[int], str]
) -> None:
    assert faults(kind, with_field(kind, field, make(limit)), BILINGUAL) == set()


@EACH
def test_a_value_one_character_longer_is_refused_at_its_field(
    kind: Kind, field: str, limit: int, make: Callable[[int], str]
) -> None:
    code = "bad-slug" if field == "slug" else "too-long"
    assert faults(kind, with_field(kind, field, make(limit + 1)), BILINGUAL) == {(field, code)}


@pytest.mark.parametrize("context", [BILINGUAL, FILE], ids=["wire", "file"])
def test_a_length_counts_characters_and_not_bytes(context: Context) -> None:
    assert faults(Kind.PAGE, {"title": "日" * 255, "slug": "x"}, context) == set()
    assert faults(Kind.PAGE, {"title": "🎉" * 256, "slug": "x"}, context) == {("title", "too-long")}


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (Kind.PAGE, "markdown"),
        (Kind.ARTICLE, "markdown"),
        (Kind.ARTICLE, "content"),
        (Kind.ORGANIZER, "description"),
        (Kind.ORGANIZER, "content"),
        (Kind.LISTING, "description"),
        (Kind.LISTING, "content"),
        (Kind.CATEGORY, "content"),
    ],
)
def test_a_body_has_no_limit_of_its_own(kind: Kind, field: str) -> None:
    assert faults(kind, least(kind, **{field: "x" * 100_000})) == set()
