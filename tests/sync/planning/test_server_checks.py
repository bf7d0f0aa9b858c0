"""Taken slugs, references to entries that stay deleted, and texts with the token."""

from dataclasses import replace

from contentsync.errors import Where
from contentsync.model import Entry, Kind
from contentsync.printed_commands import WITHOUT_FOLDER
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.planning.plan import Policy
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.sync.planning.server_checks import references_to_deleted, slug_conflicts, token_leaks

from ..entries import actual, desired

TOKEN = "1|a-token-of-a-target"


LEAKS = desired(Kind.PAGE, "a", line=3, slug="a", title="A", seo={"description": f"Bearer {TOKEN}"})


def reported(
    folder: list[Entry], server: list[Entry], base: Base, token: str = TOKEN
) -> list[tuple[str, str | None, Where]]:
    plan = make_plan(folder, server, base=base)
    return [(problem.code, problem.key, problem.where) for problem in token_leaks(plan, folder, token)]


def test_a_text_that_contains_the_token_is_reported_at_its_line() -> None:
    assert reported([LEAKS], [], Base()) == [("holds-token", "a", Where("page.md", 3))]


def test_an_unchanged_text_that_contains_the_token_is_reported_too() -> None:
    assert reported([LEAKS], [actual(Kind.PAGE, "a", 1, **LEAKS.fields)], Base()) == [
        ("holds-token", "a", Where("page.md", 3))
    ]


def test_the_message_does_not_repeat_the_token() -> None:
    (problem,) = token_leaks(make_plan([LEAKS], [], base=Base()), [LEAKS], TOKEN)
    assert TOKEN not in f"{problem.message} {problem.hint}"


def test_a_list_that_contains_the_token_is_reported() -> None:
    listing = desired(Kind.LISTING, "l", name="L", slug="l", additional_image_urls=[f"https://a.example/?key={TOKEN}"])
    assert [code for code, _key, _where in reported([listing], [], Base())] == ["holds-token"]


def test_a_mapping_key_that_contains_the_token_is_reported_and_not_repeated() -> None:
    listing = desired(Kind.LISTING, "l", name="L", slug="l", schema={"a": {TOKEN: 1}})
    (problem,) = token_leaks(make_plan([listing], [], base=Base()), [listing], TOKEN)
    assert (problem.code, TOKEN in f"{problem.message} {problem.hint} {problem.where}") == ("holds-token", False)


def test_nothing_is_reported_for_a_target_without_a_token() -> None:
    assert reported([LEAKS], [], Base(), "") == []


# The record that has the slug `tool`.
SLUG_OWNER = actual(Kind.LISTING, "https://a.example", 1, url="https://a.example", slug="tool", name="Tool")


def test_a_new_listing_cannot_take_the_slug_of_another_record() -> None:
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool"),
            desired(Kind.LISTING, "tool", line=7, slug="tool", name="Tool"),
        ],
        [SLUG_OWNER],
    )
    assert [(problem.code, problem.where) for problem in slug_conflicts(plan)] == [
        ("slug-taken", Where("listing.md", 7))
    ]


def test_a_listing_cannot_change_to_the_slug_of_another_record() -> None:
    there = actual(Kind.LISTING, "https://b.example", 2, url="https://b.example", slug="b", name="B")
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool"),
            desired(Kind.LISTING, "https://b.example", line=7, url="https://b.example", slug="tool", name="B"),
        ],
        [SLUG_OWNER, there],
    )
    assert [(problem.code, problem.where) for problem in slug_conflicts(plan)] == [
        ("slug-taken", Where("listing.md", 7))
    ]


def test_a_slug_that_another_listing_gives_up_is_free() -> None:
    plan = make_plan(
        [
            desired(Kind.LISTING, "https://a.example", url="https://a.example", name="Tool", slug="other"),
            desired(Kind.LISTING, "https://b.example", url="https://b.example", slug="tool", name="Tool"),
        ],
        [SLUG_OWNER],
    )
    assert len(plan.changes) == 2
    assert slug_conflicts(plan) == []


TOOLS = desired(Kind.CATEGORY, "tools", slug="tools", title="Tools")
EFFORT = desired(Kind.CUSTOM_FIELD, "effort", name="effort", label="Effort", type="text")
SAW = desired(Kind.LISTING, "saw", line=4, slug="saw", name="Saw", categories=["wood", "tools"], effort="low")
WOOD = actual(Kind.CATEGORY, "wood", 3, slug="wood", title="Wood")
KEEP = Policy()


def problems_of(folder: list[Entry], policy: Policy = KEEP, *others: Entry) -> list[str]:
    """Return the problems of a folder of which another user has deleted a category and a custom field.

    The `others` were synced as they are, and have lost their references on the server.
    """
    records = [actual(entry.kind, entry.key, number, **entry.fields) for number, entry in enumerate((TOOLS, EFFORT), 1)]
    base = Base.from_entries(map(applied_entry, [*records, *others], [*records, *others]))
    server = [WOOD, *(replace(entry, fields={**entry.fields, "categories": []}) for entry in others)]
    plan = make_plan(folder, server, base=base, policy=policy)
    assert plan.refusals == ()
    return [f"{each.where.line} {each.message}: {each.hint}" for each in references_to_deleted(plan, WITHOUT_FOLDER)]


def hint(entry: str, option: str) -> str:
    return f"remove it here, or create it again with contentsync sync --only {entry} {option}"


def test_a_new_entry_cannot_refer_to_one_that_stays_deleted() -> None:
    assert problems_of([TOOLS, EFFORT, SAW]) == [
        "4 the category 'tools' was deleted on the server, and a sync leaves it deleted: "
        + hint("category/tools", "--on-drift overwrite"),
        "4 the custom field 'effort' was deleted on the server, and a sync leaves it deleted: "
        + hint("custom_field/effort", "--on-drift overwrite"),
    ]


def test_a_new_entry_cannot_refer_to_one_deleted_by_conflict_resolution() -> None:
    folder = [replace(TOOLS, fields={**TOOLS.fields, "title": "All tools"}), EFFORT, SAW]
    category, _custom_field = problems_of(folder, Policy(on_conflict="theirs"))
    assert category.endswith(hint("category/tools", "--on-conflict ours"))


def test_an_unwritten_reference_to_a_deleted_entry_is_accepted() -> None:
    synced = actual(Kind.LISTING, "saw", 9, slug="saw", name="Old", categories=["tools"])
    renamed = desired(Kind.LISTING, "saw", slug="saw", name="Saw", categories=["tools"])
    assert problems_of([TOOLS, EFFORT, renamed], KEEP, synced) == []


def test_a_reference_to_a_recreated_entry_is_accepted() -> None:
    assert problems_of([TOOLS, EFFORT, SAW], Policy(on_drift="overwrite")) == []


def test_a_refused_plan_hides_problems_with_references() -> None:
    """References to the lost records would hide that the server lost its data."""
    tags = [actual(Kind.TAG, f"t{number}", number, slug=f"t{number}", title="T") for number in range(12)]
    base = Base.from_entries(map(applied_entry, tags, tags))
    listing = desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["t0"])
    plan = make_plan([*tags, listing], [], base=base)
    assert [refusal.code for refusal in plan.refusals] == ["recreate"]
    assert [*references_to_deleted(plan, WITHOUT_FOLDER)] == []
