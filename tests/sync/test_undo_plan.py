"""The way back from a run, on a real server."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from contentsync.errors import UsageError
from contentsync.model import Entry, Kind, Source
from contentsync.sync import Journal, Plan, Policy, Result, Status, UnfinishedRuns, apply, read_state, write_state
from contentsync.sync.state.recovery import save_base_updates
from contentsync.sync.state.run_history import find_run
from contentsync.sync.state.state_dir import decode_line, encode_line
from contentsync.sync.undo_plan import undo_plan

from .bases import codes, reported
from .entries import desired
from .site import TARGET, Sent, Site, is_write

BACK = Policy(prune=True, on_drift="fail")


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, ("en", "fr"))


def run_effects(site: Site, run: str | None = None, policy: Policy = BACK) -> tuple[Plan, list[Result]]:
    """The plan that takes a run back, and what came of it; one that is refused is not applied."""

    async def back() -> tuple[Plan, list[Result]]:
        results: list[Result] = []
        async with site.remote() as remote:
            actual = await remote.fetch(set(Kind), ("fr",))
            base = UnfinishedRuns.of(site.place, TARGET).recover_base(read_state(site.place.state, TARGET), actual)
            plan = undo_plan(find_run(site.place, TARGET, run), actual, base, policy)
            if not plan.refusals:
                save_base_updates(site.place, TARGET, plan)
                journal = Journal(site.place, TARGET, site.next_run(), plan)
                assert await apply(plan, remote, results.append, journal=journal, check_lock=lambda: None) is None
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
    run_effects(site)
    assert fields(site.everything()) == before


def test_what_a_run_deleted_is_there_again(site: Site) -> None:
    site.synced([*EVERYTHING, *others()])
    before = fields(site.everything())
    site.sync(others(), policy=Policy(prune=True, allow_deletes=len(EVERYTHING)))
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in others()}
    run_effects(site)
    assert fields(site.everything()) == before


def test_what_a_run_created_goes_through_the_gates(site: Site) -> None:
    site.synced(others())
    site.synced([*others(), *EVERYTHING, *(page(f"p{number}") for number in range(5))])
    plan, _ = run_effects(site)
    assert [(refusal.code, refusal.flag) for refusal in plan.refusals] == [("deletes", "--allow-deletes 13")]
    run_effects(site, policy=Policy(prune=True, on_drift="fail", allow_deletes=13))
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in others()}


def test_a_few_creates_need_no_word(site: Site) -> None:
    site.synced(others())
    site.synced([*others(), page("one")])
    plan, _ = run_effects(site)
    assert (reported(plan), plan.changes[0].reason) == ([("delete", "one")], "the run created it")


def test_an_article_without_a_date_comes_back_without_one(site: Site) -> None:
    """A service dates a new article that is given no date."""
    site.synced([*others(), ARTICLE])
    site.edit(Kind.ARTICLE, "post", markdown="One\n\nTwo", published_at=None)
    before = fields(site.everything())
    site.sync(others(), policy=Policy(prune=True, allow_deletes=1))
    run_effects(site)
    assert fields(site.everything()) == before


def test_a_rename_is_taken_back(site: Site) -> None:
    site.synced([page("old", "Title", order=1)])
    identity = site.there(Kind.PAGE)["old"].id
    site.synced([Entry(Kind.PAGE, "new", {"slug": "new", "title": "Title", "order": 1}, Source("pages/old.md"))])
    assert site.there(Kind.PAGE)["new"].id == identity
    run_effects(site)
    assert site.there(Kind.PAGE)["old"].id == identity


def test_swapped_slugs_are_swapped_back(site: Site) -> None:
    def named(key: str, path: str) -> Entry:
        return Entry(Kind.PAGE, key, {"slug": key, "title": path}, Source(path))

    site.synced([named("a", "x.md"), named("b", "y.md")])
    before = {key: entry.id for key, entry in site.there(Kind.PAGE).items()}
    site.synced([named("b", "x.md"), named("a", "y.md")])
    assert {key: entry.id for key, entry in site.there(Kind.PAGE).items()} == {"b": before["a"], "a": before["b"]}
    run_effects(site)
    assert {key: entry.id for key, entry in site.there(Kind.PAGE).items()} == before


def test_what_another_user_changed_since_is_not_overwritten_silently(site: Site) -> None:
    site.synced([page("a", "Before")])
    site.synced([page("a", "After")])
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    assert codes(run_effects(site)[0]) == ["conflict"]
    run_effects(site, policy=Policy(prune=True, on_conflict="ours"))
    assert site.there(Kind.PAGE)["a"].fields["title"] == "Before"


def test_what_a_later_run_changed_is_a_conflict_too(site: Site) -> None:
    site.synced([page("a", "One")])
    site.synced([page("a", "Two")])
    site.synced([page("a", "Three")])
    assert codes(run_effects(site, "run-001")[0]) == ["conflict"]


def test_a_created_entry_that_another_user_changed_since_is_not_deleted_silently(site: Site) -> None:
    site.synced(others())
    site.synced([*others(), page("one")])
    site.edit(Kind.PAGE, "one", title="Theirs", slug="one")
    assert codes(run_effects(site)[0]) == ["drift"]


def test_fields_that_the_run_did_not_write_stay_as_they_are(site: Site) -> None:
    site.synced([page("a", "Before", order=1)])
    site.synced([page("a", "After", order=1)])
    site.edit(Kind.PAGE, "a", order=7)
    run_effects(site)
    there = site.there(Kind.PAGE)["a"].fields
    assert (there["title"], there["order"]) == ("Before", 7)


def test_the_next_plan_brings_the_change_again_and_nothing_else(site: Site) -> None:
    after = [page("a", "After", order=1)]
    site.synced([page("a", "Before", order=1), page("b")])
    site.synced([*after, page("b")])
    run_effects(site)
    plan = site.planned([*after, page("b")])
    assert [(change.key, list(change.fields), change.drift) for change in plan.changes] == [("a", ["title"], ())]
    assert plan.refusals == ()


def test_a_run_taken_back_twice_is_as_it_was(site: Site) -> None:
    site.synced([page("a", "Before")])
    site.synced([page("a", "After")])
    run_effects(site)
    run_effects(site)
    assert site.there(Kind.PAGE)["a"].fields["title"] == "After"


@pytest.mark.parametrize("name", ["nothing", "../state/local", ""])
def test_a_run_that_there_was_not_is_wrong_use(site: Site, name: str) -> None:
    site.synced([page("a")])
    with pytest.raises(UsageError):
        run_effects(site, name)


def test_before_the_first_run_there_is_nothing_to_take_back(site: Site) -> None:
    with pytest.raises(UsageError, match="no run"):
        run_effects(site)


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
    run_effects(site)
    assert fields(site.everything()) == before
    assert (Kind.LISTING, "theirs") not in site.base


def test_a_category_that_stayed_is_below_the_one_that_was_deleted_again(site: Site) -> None:
    """The service puts it below the next one above, and the run wrote nothing of it."""
    root, leaf = EVERYTHING[:2]
    site.synced([*others(), root, leaf])
    site.foreign(Kind.CATEGORY, title="Theirs", slug="theirs", parent_id=site.there(Kind.CATEGORY)["leaf"].id)
    site.sync([*others(), root])
    assert site.there(Kind.CATEGORY)["theirs"].fields["parent_id"] in ("root", None)
    run_effects(site)
    assert site.there(Kind.CATEGORY)["theirs"].fields["parent_id"] == "leaf"


def test_what_another_user_assigned_since_stays(site: Site) -> None:
    site.synced([*others(), EVERYTHING[2]])
    tag = site.there(Kind.TAG)
    site.foreign(Kind.LISTING, name="Theirs", slug="theirs", tags=[tag["t"].id])
    site.sync(others())
    site.edit(Kind.LISTING, "theirs", tags=[tag["z"].id])
    run_effects(site)
    assert site.there(Kind.LISTING)["theirs"].fields["tags"] == ["z"]


def test_a_way_back_with_gifts_can_itself_be_taken_back(site: Site) -> None:
    site.synced([*others(), EVERYTHING[2]])
    site.foreign(Kind.LISTING, name="Theirs", slug="theirs", tags=[site.there(Kind.TAG)["t"].id])
    site.sync(others())
    run_effects(site)
    run_effects(site, policy=Policy(prune=True, allow_deletes=1, on_drift="fail"))
    assert "t" not in site.there(Kind.TAG)
    assert site.there(Kind.LISTING)["theirs"].fields["tags"] == []


KEPT = page("kept", "Kept", markdown="Text", order=2)
RUNS = {
    "changed": [page("kept", "Other", markdown="Text", order=5, placement="navbar")],
    "taken-out": [page("kept", "Kept", markdown="Text")],
    "deleted": [],
    "renamed": [replace(page("new", "Other", markdown="Text"), source=KEPT.source)],
}


@pytest.mark.parametrize("after", RUNS.values(), ids=RUNS)
def test_once_the_folder_is_reverted_too_nothing_is_left_to_do(site: Site, after: Sequence[Entry]) -> None:
    """What someone gave the entry, and the folder did not contain, is not managed afterwards."""
    before = [KEPT, page("z")]
    site.synced(before)
    site.edit(Kind.PAGE, "kept", placement="footer", seo={"description": "theirs"})
    there, line = site.there(Kind.PAGE)["kept"].fields, site.base[Kind.PAGE, "kept"]
    site.sync([*after, page("z")], policy=Policy(prune=True, on_conflict="ours"))
    run_effects(site)
    assert site.there(Kind.PAGE)["kept"].fields == there
    plan = site.planned(before)
    assert (plan.changes, plan.base_updates, plan.refusals) == ((), (), ())
    now = site.base[Kind.PAGE, "kept"]
    assert replace(now, id=line.id, created=line.created) == line


def test_what_a_run_adopted_is_nobodys_again(site: Site) -> None:
    site.synced([page("z")])
    site.foreign(Kind.PAGE, slug="theirs", title="Theirs", markdown="Text", order=3)
    adopted = [page("z"), page("theirs", "Ours", order=1)]
    site.synced(adopted)
    run_effects(site)
    there = site.there(Kind.PAGE)["theirs"].fields
    assert (there["title"], there["order"], (Kind.PAGE, "theirs") in site.base) == ("Theirs", 3, False)
    assert reported(site.planned([page("z")])) == []
    run_effects(site)
    assert (site.there(Kind.PAGE)["theirs"].fields["title"], site.planned(adopted).changes) == ("Ours", ())


def test_what_a_later_run_manages_stays_managed(site: Site) -> None:
    site.synced([page("a", "One")])
    site.synced([page("a", "Two")])
    site.synced([page("a", "Two", order=4)])
    run_effects(site, "run-001")
    assert site.there(Kind.PAGE)["a"].fields["title"] == "One"
    assert site.planned([page("a", "One", order=4)]).changes == ()
    assert [list(change.fields) for change in site.planned([page("a", "One")]).changes] == [["order"]]


def test_what_was_forgotten_since_stays_forgotten(site: Site) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    write_state(site.place.state, site.base.with_updates(removals=[(Kind.PAGE, "a")]).values(), TARGET)
    run_effects(site)
    assert (site.there(Kind.PAGE)["a"].fields["title"], (Kind.PAGE, "a") in site.base) == ("One", False)


@pytest.mark.parametrize("by_a_run", [True, False])
def test_a_name_that_the_run_did_not_give_stays(site: Site, *, by_a_run: bool) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    if by_a_run:
        site.synced([replace(page("b", "Two"), source=Source("pages/a.md")), page("z")])
    else:
        site.edit(Kind.PAGE, "a", title="Two", slug="b")
    run_effects(site, "run-001")
    assert {key: entry.fields["title"] for key, entry in site.there(Kind.PAGE).items()} == {"b": "One", "z": "T"}


def test_what_is_gone_since_is_not_made_again_of_what_the_run_changed(site: Site) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    site.sync([page("z")])
    assert codes(run_effects(site, "run-001")[0]) == ["conflict"]
    run_effects(site, "run-001", Policy(prune=True, on_conflict="theirs"))
    assert site.there(Kind.PAGE).keys() == {"z"}


def test_what_was_deleted_and_made_again_is_still_the_entry_of_older_runs(site: Site) -> None:
    site.synced([page("a", "One"), page("z")])
    site.synced([page("a", "Two"), page("z")])
    site.sync([page("z")])
    run_effects(site)
    run_effects(site, "run-001")
    assert site.there(Kind.PAGE)["a"].fields["title"] == "One"
    assert site.planned([page("a", "One"), page("z")]).changes == ()


def test_a_name_that_another_one_has_by_now_is_not_taken_from_it(site: Site) -> None:
    site.synced([page("old", "Title", order=1)])
    renamed = Entry(Kind.PAGE, "new", {"slug": "new", "title": "Title", "order": 1}, Source("pages/old.md"))
    site.synced([renamed])
    site.synced([renamed, page("old", "Another")])
    assert codes(run_effects(site, "run-001")[0]) == ["conflict"]
    run_effects(site, "run-001", Policy(prune=True, on_conflict="theirs"))
    there = site.there(Kind.PAGE)
    assert {key: entry.fields["title"] for key, entry in there.items()} == {"new": "Title", "old": "Another"}


def article(**body: object) -> Entry:
    fields = {"slug": "post", "title": "P", "published_at": "2026-01-15T10:30:00.000000Z", **body}
    return Entry(Kind.ARTICLE, "post", fields, Source("articles/post.md"))


def test_the_text_that_an_article_shows_is_the_one_that_it_showed(site: Site) -> None:
    html, markdown = article(content="<p>x</p>"), article(markdown="Other")
    site.synced([html])
    site.synced([markdown])
    run_effects(site)
    there = site.there(Kind.ARTICLE)["post"].fields
    assert (there["content"], there["is_markdown"], site.planned([html]).changes) == ("<p>x</p>", False, ())
    run_effects(site)
    there = site.there(Kind.ARTICLE)["post"].fields
    assert (there["markdown"], there["is_markdown"], site.planned([markdown]).changes) == ("Other", True, ())


def test_a_deleted_article_shows_the_text_that_it_showed(site: Site) -> None:
    site.synced([article(markdown="Text"), *others()])
    site.edit(Kind.ARTICLE, "post", content="<p>theirs</p>")
    site.sync(others())
    run_effects(site)
    there = site.there(Kind.ARTICLE)["post"].fields
    assert (there["content"], there["is_markdown"]) == ("<p>theirs</p>", False)


def test_a_run_of_an_older_release_is_taken_back(site: Site) -> None:
    """Its journal names what entries refer to, and knows no ids."""
    site.synced([*others(), *EVERYTHING])
    before = fields(site.everything())
    changed = [*EVERYTHING[:5], desired(Kind.LISTING, "https://a.example", url="https://a.example", name="B", tags=[])]
    site.sync([*others(), *changed, *EVERYTHING[6:]])
    journal = site.place.journals / "run-001.jsonl"
    lines = [decode_line(line) for line in journal.read_bytes().splitlines(keepends=True)]
    older = [{name: value for name, value in line.items() if name not in ("ids", "check")} for line in lines]
    journal.write_bytes(b"".join(map(encode_line, older)))
    run_effects(site)
    assert fields(site.everything()) == before


def both_texts(site: Site) -> tuple[object, ...]:
    there = site.there(Kind.ARTICLE)["post"].fields
    return there["markdown"], there["content"], there["is_markdown"]


@pytest.mark.parametrize("by_a_run", [True, False])
def test_a_deleted_article_with_two_texts_has_both_again(site: Site, *, by_a_run: bool) -> None:
    site.synced([article(markdown="Text"), *others()])
    if by_a_run:
        site.synced([article(content="<p>html</p>"), *others()])
    else:
        site.edit(Kind.ARTICLE, "post", content="<p>html</p>")
    before = both_texts(site)
    assert before == ("Text", "<p>html</p>", False)
    site.sync(others())
    plan, _ = run_effects(site)
    assert (plan.writes, both_texts(site)) == (2, before)


def test_a_hidden_text_that_a_run_wrote_over_is_restored_and_stays_hidden(site: Site) -> None:
    site.synced([article(markdown="Text")])
    site.synced([article(content="<p>html</p>")])
    before = both_texts(site)
    site.synced([article(markdown="Other")])
    assert both_texts(site) == ("Other", "<p>html</p>", True)
    run_effects(site)
    assert both_texts(site) == before
    run_effects(site)
    assert both_texts(site) == ("Other", "<p>html</p>", True)


@pytest.mark.parametrize("there", [0, 5], ids=["created too", "there already"])
def test_a_listing_that_was_created_with_what_it_refers_to_is_taken_back(site: Site, there: int) -> None:
    site.synced([*others(), *EVERYTHING[:there]])
    before = fields(site.everything())
    site.synced([*others(), *EVERYTHING])
    plan, _ = run_effects(site, policy=Policy(prune=True, on_drift="fail", allow_deletes=len(EVERYTHING) - there))
    assert plan.refusals == ()
    assert fields(site.everything()) == before


def test_a_reference_that_a_run_changed_is_as_it_was(site: Site) -> None:
    listing = desired(Kind.LISTING, "mine", slug="mine", name="Mine", categories=["z"], tags=["z"], organizers=["z"])
    changed = replace(listing, fields={**listing.fields, "categories": ["leaf"], "tags": [], "organizers": ["o"]})
    site.synced([*others(), *EVERYTHING[:5], listing])
    before = fields(site.everything())
    site.synced([*others(), *EVERYTHING[:5], changed])
    plan, _ = run_effects(site)
    assert plan.refusals == ()
    assert fields(site.everything()) == before


def test_what_conflicts_leave_unrestored_is_said(site: Site) -> None:
    site.synced([page("a", "Before", order=1), page("b", "Before"), page("z")])
    site.synced([page("a", "After", order=2), page("b", "After"), page("z")])
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    site.remove(Kind.PAGE, "b")
    plan, _ = run_effects(site, policy=Policy(prune=True, on_conflict="theirs"))
    assert plan.theirs == (
        "page b (it is no longer on the server)",
        "page a (title: changed on the server since)",
    )
    there = site.there(Kind.PAGE)["a"].fields
    assert (there["title"], there["order"]) == ("Theirs", 1)


def test_a_reference_to_what_is_no_longer_there_is_said_and_the_others_are_restored(site: Site) -> None:
    tags = [desired(Kind.TAG, key, slug=key, title=key) for key in ("s", "t", "u")]

    def listing(*keys: str) -> Entry:
        return desired(Kind.LISTING, "mine", slug="mine", name="Mine", tags=[*keys])

    site.synced([*tags, listing("s", "t")])
    site.synced([*tags, listing("u")])
    site.remove(Kind.TAG, "t")
    (refusal,) = run_effects(site)[0].refusals
    assert (refusal.code, "listing mine (tag t is no longer on the server)" in refusal.message) == ("conflict", True)
    plan, _ = run_effects(site, policy=Policy(prune=True, on_conflict="theirs"))
    assert plan.theirs == ("listing mine (tag t is no longer on the server)",)
    assert site.there(Kind.LISTING)["mine"].fields["tags"] == ["s"]


class Cut(BaseException):
    """The run is cut off."""


def cut_off(site: Site, wanted: Sequence[Entry], *, after: bool) -> None:
    """A sync that dies before or after its first write has reached the server."""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        if not is_write(request):
            return await send(request)
        if after:
            await send(request)
        raise Cut

    with pytest.raises(Cut):
        site.sync(wanted, script)


def test_a_page_that_the_run_never_made_is_not_deleted(site: Site) -> None:
    """Someone has made one with the same values, and more of them."""
    site.synced([page("a"), page("z")])
    cut_off(site, [page("a"), page("z"), page("n", "N", markdown="n")], after=False)
    site.foreign(Kind.PAGE, slug="n", title="N", markdown="n", order=5)
    assert codes(run_effects(site)[0]) == ["conflict"]
    site.edit(Kind.PAGE, "n", title="Theirs", slug="n")
    plan, _ = run_effects(site)
    assert (plan.changes, plan.refusals) == ((), ())
    assert "n" in site.there(Kind.PAGE)


def test_what_a_run_made_and_never_heard_of_is_taken_back(site: Site) -> None:
    site.synced([page("a"), page("z")])
    cut_off(site, [page("a"), page("z"), page("n", "N", markdown="n")], after=True)
    assert "n" in site.there(Kind.PAGE)
    run_effects(site)
    assert site.there(Kind.PAGE).keys() == {"a", "z"}


def test_a_delete_that_was_never_sent_is_not_taken_back(site: Site) -> None:
    site.synced([page("a"), page("z")])
    cut_off(site, [page("z")], after=False)
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    plan, _ = run_effects(site)
    assert (plan.changes, plan.refusals) == ((), ())


def test_what_a_create_has_found_is_not_deleted(site: Site) -> None:
    """Someone makes a page of the name while the run is on its way."""
    site.synced([page("a"), page("z")])

    async def meanwhile(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            async with site.remote() as remote:
                await remote.create(Kind.PAGE, {"slug": "n", "title": "Theirs", "order": 3})
            del request.headers["If-None-Match"]  # as on a service that keeps no conditions
        return await send(request)

    site.sync([page("a"), page("z"), page("n", "Ours")], meanwhile)
    plan, _ = run_effects(site)
    assert codes(plan) == ["conflict"]
    assert "how it was is not known" in plan.refusals[0].message
    assert run_effects(site, policy=Policy(prune=True, on_conflict="theirs"))[0].changes == ()


def test_a_listing_that_a_create_has_found_as_it_was_to_be_stays(site: Site) -> None:
    def listing(key: str) -> Entry:
        return desired(Kind.LISTING, key, url=key, name="L")

    site.synced([listing("https://z.example")])

    async def meanwhile(request: httpx.Request, send: Sent) -> httpx.Response:
        if is_write(request):
            async with site.remote() as remote:
                await remote.create(Kind.LISTING, {"url": "https://n.example", "name": "L"})
        return await send(request)

    site.sync([listing("https://z.example"), listing("https://n.example")], meanwhile)
    plan, _ = run_effects(site)
    assert (plan.changes, plan.refusals) == ((), ())
    assert site.there(Kind.LISTING).keys() == {"https://z.example", "https://n.example"}


def test_what_one_of_ours_lost_is_given_back_with_what_the_run_changed_of_it(site: Site) -> None:
    site.synced([*others(), EVERYTHING[2], desired(Kind.LISTING, "mine", slug="mine", name="Mine")])
    site.edit(Kind.LISTING, "mine", tags=[site.there(Kind.TAG)["t"].id])
    site.sync([*others(), desired(Kind.LISTING, "mine", slug="mine", name="Other")])
    run_effects(site)
    there = site.there(Kind.LISTING)["mine"].fields
    assert (there["name"], there["tags"]) == ("Mine", ["t"])
    assert "tags" not in site.base[Kind.LISTING, "mine"].fields


def test_a_run_that_changed_only_what_a_listing_refers_to_can_be_taken_back(site: Site) -> None:
    """The tags are in the base and were not touched by the run, so nobody has changed them."""
    tags = [desired(Kind.TAG, slug, slug=slug, title=slug.title()) for slug in ("red", "blue")]
    site.synced([*tags, desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["red"])])
    site.synced([*tags, desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["blue"])])
    plan, _ = run_effects(site)
    assert plan.refusals == ()
    assert site.there(Kind.LISTING)["saw"].fields["tags"] == ["red"]
