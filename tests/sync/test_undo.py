"""The way back from a run, on a real server."""

import asyncio
from pathlib import Path

import pytest

from contentsync.errors import UsageError
from contentsync.model import Entry, Kind, Source
from contentsync.sync import Journal, Plan, Policy, Result, Status, apply, read_state
from contentsync.sync.memory.runs import run_named
from contentsync.sync.undo import undo_plan

from .bases import codes, told
from .entries import desired
from .site import TARGET, Site

BACK = Policy(prune=True, on_drift="fail")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, ("en", "fr"))


def undone(site: Site, run: str | None = None, policy: Policy = BACK) -> tuple[Plan, list[Result]]:
    """The plan that takes a run back, and what came of it; one that is refused is not applied."""

    async def back() -> tuple[Plan, list[Result]]:
        results: list[Result] = []
        async with site.remote() as remote:
            actual = await remote.fetch(set(Kind), ("fr",))
            plan = undo_plan(run_named(site.place, TARGET, run), actual, read_state(site.place.state, TARGET), policy)
            if not plan.refusals:
                journal = Journal.open(site.place, TARGET, site.next_run(), plan)
                assert await apply(plan, remote, results.append, journal=journal, ours=lambda: None) is None
                journal.close()
        return plan, results

    plan, results = asyncio.run(back())
    assert {result.status for result in results} <= {Status.DONE}, results
    return plan, results


def page(key: str, title: str = "T", **fields: object) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": title, **fields}, Source(f"pages/{key}.md"))


ARTICLE = desired(
    Kind.ARTICLE,
    "post",
    slug="post",
    title="Post",
    markdown="One\n\nTwo",
    seo={"title": "S"},
    categories=["News"],
    published_at="2026-01-15T10:30:00.000000Z",
    translations={"fr": {"title": "Billet", "markdown": "Un"}},
)
EVERYTHING = [
    desired(Kind.CATEGORY, "root", slug="root", title="Root", parent_id=None),
    desired(Kind.CATEGORY, "leaf", slug="leaf", title="Leaf", parent_id="root"),
    desired(Kind.TAG, "t", slug="t", title="Tag", color="#ff0000"),
    desired(Kind.CUSTOM_FIELD, "level", name="level", label="Level", type="number"),
    desired(Kind.ORGANIZER, "o", slug="o", name="O", social_links={"github": "https://github.com/o"}),
    desired(
        Kind.LISTING,
        "https://a.example",
        url="https://a.example",
        name="A",
        categories=["leaf"],
        tags=["t"],
        organizers=["o"],
        level=3,
    ),
    page("about", "About", markdown="# About", placement="navbar", seo={"title": "S"}),
    ARTICLE,
]


def fields(entries: dict[tuple[Kind, str], Entry]) -> dict[tuple[Kind, str], object]:
    return {identity: entry.fields for identity, entry in entries.items()}


def others() -> list[Entry]:
    """An entry of each kind, so that no kind is ever emptied."""
    return [
        desired(Kind.CATEGORY, "z", slug="z", title="Z"),
        desired(Kind.TAG, "z", slug="z", title="Z"),
        desired(Kind.CUSTOM_FIELD, "z", name="z", label="Z", type="text"),
        desired(Kind.ORGANIZER, "z", slug="z", name="Z"),
        desired(Kind.LISTING, "z", slug="z", name="Z"),
        page("z"),
        desired(Kind.ARTICLE, "z", slug="z", title="Z", markdown="z", published_at="2026-01-15T10:30:00.000000Z"),
    ]


def test_what_a_run_changed_is_as_it_was(site: Site) -> None:
    site.synced([page("a", "Before", order=3, seo={"title": "S"}), ARTICLE])
    before = fields(site.everything())
    changed = desired(Kind.ARTICLE, "post", **{**ARTICLE.fields, "title": "Other", "translations": {"fr": None}})
    site.synced([page("a", "After", seo={"title": None}), changed])
    undone(site)
    assert fields(site.everything()) == before


def test_what_a_run_deleted_is_there_again(site: Site) -> None:
    site.synced([*EVERYTHING, *others()])
    before = fields(site.everything())
    site.sync(others(), policy=Policy(prune=True, allow_deletes=len(EVERYTHING)))
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in others()}
    undone(site)
    assert fields(site.everything()) == before


def test_what_a_run_created_goes_through_the_gates(site: Site) -> None:
    site.synced(others())
    site.synced([*others(), *EVERYTHING, *(page(f"p{number}") for number in range(5))])
    plan, _ = undone(site)
    assert [(refusal.code, refusal.flag) for refusal in plan.refusals] == [("deletes", "--allow-deletes 13")]
    undone(site, policy=Policy(prune=True, on_drift="fail", allow_deletes=13))
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in others()}


def test_a_few_creates_need_no_word(site: Site) -> None:
    site.synced(others())
    site.synced([*others(), page("one")])
    plan, _ = undone(site)
    assert (told(plan), plan.changes[0].reason) == ([("delete", "one")], "the run created it")


def test_a_rename_is_taken_back(site: Site) -> None:
    site.synced([page("old", "Title", order=1)])
    identity = site.there(Kind.PAGE)["old"].id
    site.synced([Entry(Kind.PAGE, "new", {"slug": "new", "title": "Title", "order": 1}, Source("pages/old.md"))])
    assert site.there(Kind.PAGE)["new"].id == identity
    undone(site)
    assert site.there(Kind.PAGE)["old"].id == identity


def test_swapped_slugs_are_swapped_back(site: Site) -> None:
    def named(key: str, path: str) -> Entry:
        return Entry(Kind.PAGE, key, {"slug": key, "title": path}, Source(path))

    site.synced([named("a", "x"), named("b", "y")])
    before = {key: entry.id for key, entry in site.there(Kind.PAGE).items()}
    site.synced([named("b", "x"), named("a", "y")])
    assert {key: entry.id for key, entry in site.there(Kind.PAGE).items()} == {"b": before["a"], "a": before["b"]}
    undone(site)
    assert {key: entry.id for key, entry in site.there(Kind.PAGE).items()} == before


def test_what_somebody_changed_since_is_not_overwritten_silently(site: Site) -> None:
    site.synced([page("a", "Before")])
    site.synced([page("a", "After")])
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    assert codes(undone(site)[0]) == ["conflict"]
    undone(site, policy=Policy(prune=True, on_conflict="ours"))
    assert site.there(Kind.PAGE)["a"].fields["title"] == "Before"


def test_what_a_later_run_changed_is_a_conflict_too(site: Site) -> None:
    site.synced([page("a", "One")])
    site.synced([page("a", "Two")])
    site.synced([page("a", "Three")])
    assert codes(undone(site, "run-001")[0]) == ["conflict"]


def test_a_created_entry_that_somebody_changed_since_is_not_deleted_silently(site: Site) -> None:
    site.synced(others())
    site.synced([*others(), page("one")])
    site.edit(Kind.PAGE, "one", title="Theirs", slug="one")
    assert codes(undone(site)[0]) == ["drift"]


def test_fields_that_the_run_did_not_write_stay_as_they_are(site: Site) -> None:
    site.synced([page("a", "Before", order=1)])
    site.synced([page("a", "After", order=1)])
    site.edit(Kind.PAGE, "a", order=7)
    undone(site)
    there = site.there(Kind.PAGE)["a"].fields
    assert (there["title"], there["order"]) == ("Before", 7)


def test_the_next_plan_brings_the_change_again_and_nothing_else(site: Site) -> None:
    after = [page("a", "After", order=1)]
    site.synced([page("a", "Before", order=1), page("b")])
    site.synced([*after, page("b")])
    undone(site)
    plan = site.planned([*after, page("b")])
    assert [(change.key, list(change.fields), change.drift) for change in plan.changes] == [("a", ["title"], ())]
    assert plan.refusals == ()


def test_a_run_taken_back_twice_is_as_it_was(site: Site) -> None:
    site.synced([page("a", "Before")])
    site.synced([page("a", "After")])
    undone(site)
    undone(site)
    assert site.there(Kind.PAGE)["a"].fields["title"] == "After"


@pytest.mark.parametrize("name", ["nothing", "../state/local", ""])
def test_a_run_that_there_was_not_is_wrong_use(site: Site, name: str) -> None:
    site.synced([page("a")])
    with pytest.raises(UsageError):
        undone(site, name)


def test_before_the_first_run_there_is_nothing_to_take_back(site: Site) -> None:
    with pytest.raises(UsageError, match="no run"):
        undone(site)


def test_what_others_lost_by_a_delete_is_theirs_again(site: Site) -> None:
    """Assignments, parents and values of entries that were never ours; and they are not ours afterwards."""
    category, tag, level = EVERYTHING[0], EVERYTHING[2], EVERYTHING[3]
    site.synced([*others(), category, tag, level])
    there = site.everything()
    root, z = there[Kind.CATEGORY, "root"].id, there[Kind.CATEGORY, "z"].id
    site.foreign(Kind.CATEGORY, title="Theirs", slug="theirs", parent_id=root)
    site.foreign(
        Kind.LISTING, name="Theirs", slug="theirs", categories=[root, z], tags=[there[Kind.TAG, "t"].id], level=4
    )
    before = fields(site.everything())
    site.sync(others())
    lost = site.there(Kind.LISTING)["theirs"].fields
    assert (lost["categories"], lost["tags"], lost.get("level")) == (["z"], [], None)
    undone(site)
    assert fields(site.everything()) == before
    assert (Kind.LISTING, "theirs") not in site.base


def test_what_somebody_assigned_since_stays(site: Site) -> None:
    site.synced([*others(), EVERYTHING[2]])
    tag = site.there(Kind.TAG)
    site.foreign(Kind.LISTING, name="Theirs", slug="theirs", tags=[tag["t"].id])
    site.sync(others())
    site.edit(Kind.LISTING, "theirs", tags=[tag["z"].id])
    undone(site)
    assert site.there(Kind.LISTING)["theirs"].fields["tags"] == ["z"]


def test_a_way_back_with_gifts_can_itself_be_taken_back(site: Site) -> None:
    site.synced([*others(), EVERYTHING[2]])
    site.foreign(Kind.LISTING, name="Theirs", slug="theirs", tags=[site.there(Kind.TAG)["t"].id])
    site.sync(others())
    undone(site)
    undone(site, policy=Policy(prune=True, allow_deletes=1, on_drift="fail"))
    assert "t" not in site.there(Kind.TAG)
    assert site.there(Kind.LISTING)["theirs"].fields["tags"] == []
