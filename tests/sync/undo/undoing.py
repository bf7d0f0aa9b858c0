"""Undoing a run on a real server, and listing the runs that can be undone."""

import asyncio

from contentsync.model import Entry, EntryKey, Kind, Source
from contentsync.sync.applying.apply import apply
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.plan import Plan, Policy
from contentsync.sync.state.journal import Journal
from contentsync.sync.state.recovery import UnfinishedRuns, save_base_updates
from contentsync.sync.state.run_history import find_run
from contentsync.sync.state.state_file import read_state
from contentsync.sync.undo.undo_plan import undo_plan

from ..entries import desired
from ..site import TARGET, Site

POLICY = Policy(prune=True, on_drift="fail")


def undo(site: Site, run: str | None = None, policy: Policy = POLICY) -> tuple[Plan, list[Result]]:
    """Undo a run, or the last one; return the plan and its results. A refused plan is not applied."""

    async def undone() -> tuple[Plan, list[Result]]:
        results: list[Result] = []
        async with site.remote() as remote:
            actual = await remote.fetch(set(Kind), ("fr",))
            base = UnfinishedRuns.read(site.state_dir, TARGET).recover_base(
                read_state(site.state_dir.state, TARGET), actual
            )
            plan = undo_plan(find_run(site.state_dir, TARGET, run), actual, base, policy)
            if not plan.refusals:
                save_base_updates(site.state_dir, TARGET, plan)
                journal = Journal(site.state_dir, TARGET, site.next_run(), plan)
                assert await apply(plan, remote, results.append, journal=journal) is None
                journal.close()
        return plan, results

    plan, results = asyncio.run(undone())
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
ROOT_CATEGORY = desired(Kind.CATEGORY, "root", slug="root", title="Root", parent_id=None)
LEAF_CATEGORY = desired(Kind.CATEGORY, "leaf", slug="leaf", title="Leaf", parent_id="root")
TAG = desired(Kind.TAG, "t", slug="t", title="Tag", color="#ff0000")
LEVEL_FIELD = desired(Kind.CUSTOM_FIELD, "level", name="level", label="Level", type="number")
ORGANIZER = desired(Kind.ORGANIZER, "o", slug="o", name="O", social_links={"github": "https://github.com/o"})
REFERRED = [ROOT_CATEGORY, LEAF_CATEGORY, TAG, LEVEL_FIELD, ORGANIZER]  # to which the listing refers
LISTING = desired(
    Kind.LISTING,
    "https://a.example",
    url="https://a.example",
    name="A",
    categories=["leaf"],
    tags=["t"],
    organizers=["o"],
    level=3,
)
PAGE = page("about", "About", markdown="# About", placement="navbar", seo={"title": "S"})
EVERYTHING = [*REFERRED, LISTING, PAGE, ARTICLE]


def fields(entries: dict[EntryKey, Entry]) -> dict[EntryKey, object]:
    """Return the fields of entries without their ids, which a record that is created again does not get back."""
    return {identity: entry.fields for identity, entry in entries.items()}


def one_of_each_kind() -> list[Entry]:
    """Return an entry of each kind with the key z, so that no kind is ever emptied."""
    return [
        desired(Kind.CATEGORY, "z", slug="z", title="Z"),
        desired(Kind.TAG, "z", slug="z", title="Z"),
        desired(Kind.CUSTOM_FIELD, "z", name="z", label="Z", type="text"),
        desired(Kind.ORGANIZER, "z", slug="z", name="Z"),
        desired(Kind.LISTING, "z", slug="z", name="Z"),
        page("z"),
        desired(Kind.ARTICLE, "z", slug="z", title="Z", markdown="z", published_at="2026-01-15T10:30:00.000000Z"),
    ]
