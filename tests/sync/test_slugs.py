from contentsync.errors import Where
from contentsync.model import Kind
from contentsync.sync import make_plan
from contentsync.sync.gates import slug_clashes

from .entries import actual, desired

HOLDER = actual(Kind.LISTING, "https://a.example", 1, url="https://a.example", slug="tool", name="Tool")


def test_a_new_listing_cannot_have_the_slug_that_the_server_gave_another() -> None:
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool"),
            desired(Kind.LISTING, "tool", line=7, slug="tool", name="Tool"),
        ],
        [HOLDER],
    )
    assert [(problem.code, problem.where) for problem in slug_clashes(plan)] == [("slug-taken", Where("listing.md", 7))]


def test_a_listing_cannot_change_to_the_slug_that_another_one_keeps() -> None:
    there = actual(Kind.LISTING, "https://b.example", 2, url="https://b.example", slug="b", name="B")
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool"),
            desired(Kind.LISTING, "https://b.example", line=7, url="https://b.example", slug="tool", name="B"),
        ],
        [HOLDER, there],
    )
    assert [(problem.code, problem.where) for problem in slug_clashes(plan)] == [("slug-taken", Where("listing.md", 7))]


def test_a_slug_that_its_holder_gives_up_is_free() -> None:
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool", slug="other"),
            desired(Kind.LISTING, "https://b.example", url="https://b.example", slug="tool", name="Tool"),
        ],
        [HOLDER],
    )
    assert len(plan.changes) == 2
    assert slug_clashes(plan) == []
