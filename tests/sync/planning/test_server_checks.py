"""Taken slugs, and texts with the token."""

from contentsync.errors import Where
from contentsync.model import Entry, Kind
from contentsync.sync import Base, make_plan
from contentsync.sync.planning.server_checks import slug_conflicts, token_leaks

from ..entries import actual, desired

TOKEN = "1|a-token-of-a-target"


LEAKS = desired(Kind.PAGE, "a", line=3, slug="a", title="A", seo={"description": f"Bearer {TOKEN}"})


def reported(
    folder: list[Entry], server: list[Entry], base: Base, token: str = TOKEN
) -> list[tuple[str, str | None, Where]]:
    plan = make_plan(folder, server, base=base)
    return [(problem.code, problem.key, problem.where) for problem in token_leaks(plan, folder, token)]


def test_a_text_that_holds_the_token_is_reported_where_it_stands() -> None:
    assert reported([LEAKS], [], Base()) == [("holds-token", "a", Where("page.md", 3))]


def test_what_is_taken_for_our_own_may_not_hold_it_either() -> None:
    assert reported([LEAKS], [actual(Kind.PAGE, "a", 1, **LEAKS.fields)], Base()) == [
        ("holds-token", "a", Where("page.md", 3))
    ]


def test_the_message_does_not_repeat_it() -> None:
    (problem,) = token_leaks(make_plan([LEAKS], [], base=Base()), [LEAKS], TOKEN)
    assert TOKEN not in f"{problem.message} {problem.hint}"


def test_a_list_may_not_hold_it() -> None:
    listing = desired(Kind.LISTING, "l", name="L", slug="l", additional_image_urls=[f"https://a.example/?key={TOKEN}"])
    assert [code for code, _, _ in reported([listing], [], Base())] == ["holds-token"]


def test_a_key_of_a_mapping_may_not_hold_it_and_the_message_does_not_repeat_it() -> None:
    listing = desired(Kind.LISTING, "l", name="L", slug="l", schema={"a": {TOKEN: 1}})
    (problem,) = token_leaks(make_plan([listing], [], base=Base()), [listing], TOKEN)
    assert (problem.code, TOKEN in f"{problem.message} {problem.hint} {problem.where}") == ("holds-token", False)


def test_a_target_without_a_token_has_none_to_hold() -> None:
    assert reported([LEAKS], [], Base(), "") == []


HOLDER = actual(Kind.LISTING, "https://a.example", 1, url="https://a.example", slug="tool", name="Tool")


def test_a_new_listing_cannot_have_the_slug_that_the_server_gave_another() -> None:
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool"),
            desired(Kind.LISTING, "tool", line=7, slug="tool", name="Tool"),
        ],
        [HOLDER],
    )
    assert [(problem.code, problem.where) for problem in slug_conflicts(plan)] == [
        ("slug-taken", Where("listing.md", 7))
    ]


def test_a_listing_cannot_change_to_the_slug_that_another_one_keeps() -> None:
    there = actual(Kind.LISTING, "https://b.example", 2, url="https://b.example", slug="b", name="B")
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool"),
            desired(Kind.LISTING, "https://b.example", line=7, url="https://b.example", slug="tool", name="B"),
        ],
        [HOLDER, there],
    )
    assert [(problem.code, problem.where) for problem in slug_conflicts(plan)] == [
        ("slug-taken", Where("listing.md", 7))
    ]


def test_a_slug_that_its_holder_gives_up_is_free() -> None:
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool", slug="other"),
            desired(Kind.LISTING, "https://b.example", url="https://b.example", slug="tool", name="Tool"),
        ],
        [HOLDER],
    )
    assert len(plan.changes) == 2
    assert slug_conflicts(plan) == []
