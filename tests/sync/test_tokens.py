from contentsync.errors import Where
from contentsync.model import Entry, Kind
from contentsync.sync import Base, make_plan
from contentsync.sync.gates import token_leaks

from .entries import actual, desired

TOKEN = "1|a-token-of-a-target"
LEAKS = desired(Kind.PAGE, "a", line=3, slug="a", title="A", seo={"description": f"Bearer {TOKEN}"})


def told(
    folder: list[Entry], server: list[Entry], base: Base, token: str = TOKEN
) -> list[tuple[str, str | None, Where]]:
    plan = make_plan(folder, server, base=base)
    return [(problem.code, problem.key, problem.where) for problem in token_leaks(plan, folder, token)]


def test_a_text_that_holds_the_token_is_told_where_it_stands() -> None:
    assert told([LEAKS], [], Base()) == [("holds-token", "a", Where("page.md", 3))]


def test_what_is_taken_for_our_own_may_not_hold_it_either() -> None:
    assert told([LEAKS], [actual(Kind.PAGE, "a", 1, **LEAKS.fields)], Base()) == [
        ("holds-token", "a", Where("page.md", 3))
    ]


def test_the_message_does_not_repeat_it() -> None:
    (problem,) = token_leaks(make_plan([LEAKS], [], base=Base()), [LEAKS], TOKEN)
    assert TOKEN not in f"{problem.message} {problem.hint}"


def test_a_list_may_not_hold_it() -> None:
    listing = desired(Kind.LISTING, "l", name="L", slug="l", additional_image_urls=[f"https://a.example/?key={TOKEN}"])
    assert [code for code, _, _ in told([listing], [], Base())] == ["holds-token"]


def test_a_target_without_a_token_has_none_to_hold() -> None:
    assert told([LEAKS], [], Base(), "") == []
