"""Incomplete lists of the server, and permanently deleted records (docs/evidence.md 1)."""

import asyncio
from collections.abc import Callable

import httpx
import orjson
import pytest

from contentsync.errors import Problem, ServerError, Where
from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.comparing.change import Result, Status
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import Policy
from contentsync.sync.planning.prepare import resolve_selected as resolve_in

from ...exit_codes import SERVER_ERROR
from ...remote.script import json_response
from ..bases import codes, reported
from ..entries import actual, desired, page
from ..site import PRUNING, Script, Sent, Site

PAGE_A, PAGE_B, PAGE_C = PAGES = [page(key) for key in "abc"]


FAIL = Policy(prune=True, on_drift="fail")


KEEP = Policy(prune=True, on_drift="keep")


def listing(
    collection: str, shown: Callable[[dict[str, object]], bool], *, times: int = 1_000, etag: bool = True
) -> Script:
    """Leave records out of the first lists of a collection, with an envelope that agrees."""
    left = [times]

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        answer = await send(request)
        if request.method != "GET" or not request.url.path.endswith(f"/{collection}") or not left[0]:
            return answer
        left[0] -= 1
        await answer.aread()
        if answer.status_code != 200:
            return answer
        document = orjson.loads(answer.content)
        document["data"] = list(filter(shown, document["data"]))
        if "meta" in document:
            document["meta"] |= {"total": len(document["data"]), "last_page": 1}
        headers = {"ETag": answer.headers["ETag"]} if etag and "ETag" in answer.headers else {}
        return json_response(200, document, headers)

    return script


def nothing(record: dict[str, object]) -> bool:
    return False


def without_conditions(inner: Script) -> Script:
    """Return a service that knows no ETags."""

    async def script(request: httpx.Request, send: Sent) -> httpx.Response:
        for name in ("If-None-Match", "If-Match"):
            request.headers.pop(name, None)
        answer = await inner(request, send)
        answer.headers.pop("ETag", None)
        return answer

    return script


async def untouched(request: httpx.Request, send: Sent) -> httpx.Response:
    return await send(request)


def refusals(site: Site, wanted: list[Entry], policy: Policy, script: Script = untouched) -> list[str]:
    """Return the codes of the refusals of the plan."""

    async def planned() -> list[str]:
        async with site.remote(script) as remote:
            return codes(await site.plan(remote, wanted, policy))

    return asyncio.run(planned())


@pytest.mark.parametrize("etag", [True, False])
def test_one_wrongly_empty_list_causes_no_duplicate_or_lost_record(site: Site, etag: bool) -> None:
    site.synced(PAGES)
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    renamed = Entry(Kind.PAGE, "d", {"slug": "d", "title": "C"}, Source("page.md"), Notes(previous=("c",)))
    before = site.there(Kind.PAGE)
    empty = listing("pages", nothing, times=1, etag=etag)
    results, stopped = site.sync([*PAGES[:2], renamed], empty, policy=KEEP)
    assert stopped is None
    assert [(result.change.action.value, result.change.key, result.status) for result in results] == [
        ("update", "d", Status.DONE)
    ]
    there = site.there(Kind.PAGE)
    assert {entry.id for entry in there.values()} == {entry.id for entry in before.values()}
    assert there["a"].fields["title"] == "Theirs"


def test_one_wrongly_empty_list_does_not_hide_drift(site: Site) -> None:
    site.synced(PAGES)
    site.edit(Kind.PAGE, "a", title="Theirs", slug="a")
    assert refusals(site, PAGES, FAIL, listing("pages", nothing, times=1)) == ["drift"]


def test_a_list_that_is_wrong_twice_ends_the_run(site: Site) -> None:
    site.synced(PAGES)
    with pytest.raises(ServerError, match="lacks a, which the server has") as error:
        site.sync(PAGES, listing("pages", nothing))
    assert error.value.exit_code == SERVER_ERROR
    assert site.there(Kind.PAGE).keys() == {"a", "b", "c"}


def test_inactive_records_missing_in_a_list_are_not_created_again(site: Site) -> None:
    categories = [
        desired(Kind.CATEGORY, key, slug=key, title=key.upper(), is_active=key != "b", parent_id=None) for key in "abc"
    ]
    saw = desired(Kind.LISTING, "saw", slug="saw", name="Saw", categories=["b"])
    site.synced([*categories, saw])
    active_only = listing("categories", lambda record: bool(record["is_active"]), etag=False)

    async def plans() -> tuple[int, int]:
        async with site.remote(active_only) as remote:
            same = await site.plan(remote, [*categories, saw], PRUNING)
            gone = await site.plan(remote, [categories[0], categories[2], saw], PRUNING)
        return len(same.changes), len(gone.changes)

    assert asyncio.run(plans()) == (0, 1)  # the delete of the one that the folder has no more
    results, _ = site.sync(
        [categories[0], categories[2]], active_only, policy=Policy(prune=True, allowed=Consents(deletes=2))
    )
    assert {result.status for result in results} == {Status.DONE}
    assert site.there(Kind.CATEGORY).keys() == {"a", "c"}


@pytest.mark.parametrize("conditions", [True, False])
def test_a_create_does_not_overwrite_a_record_missing_in_a_list(site: Site, conditions: bool) -> None:
    site.synced(PAGES)
    site.foreign(Kind.PAGE, slug="theirs", title="Theirs", markdown="Text")
    hidden = listing("pages", lambda record: record["slug"] != "theirs", times=1)
    script = hidden if conditions else without_conditions(hidden)
    results, stopped = site.sync([*PAGES, page("theirs"), page("new")], script)
    assert stopped is None
    outcomes = {result.change.key: (result.status, result.contradicts_list) for result in results}
    assert outcomes["theirs"] == (Status.FAILED, True)
    there = site.there(Kind.PAGE)["theirs"].fields
    assert (there["title"], there["markdown"]) == ("Theirs", "Text")
    assert refusals(site, [*PAGES, page("theirs"), page("new")], PRUNING) == ["adoption"]


def deleted(site: Site, keys: str) -> None:
    """Delete the pages with these keys on the server, as another user."""
    for key in keys:
        site.remove(Kind.PAGE, key)


def test_an_entry_deleted_on_the_server_is_reported_and_created_again(site: Site) -> None:
    site.synced(PAGES)
    deleted(site, "b")
    (change,) = site.planned(PAGES).changes
    assert (change.action.value, change.key, change.reason) == (
        "create",
        "b",
        "deleted on the server since the last sync",
    )
    assert site.planned(PAGES).drift_count == 1
    site.synced(PAGES)
    assert site.there(Kind.PAGE).keys() == {"a", "b", "c"}


def test_an_entry_deleted_on_the_server_is_refused_with_on_drift_fail(site: Site) -> None:
    site.synced(PAGES)
    deleted(site, "b")
    assert refusals(site, PAGES, FAIL) == ["drift"]


def test_an_entry_deleted_on_the_server_stays_deleted_with_on_drift_keep(site: Site) -> None:
    site.synced(PAGES)
    deleted(site, "b")
    for _ in range(2):
        results, _ = site.sync(PAGES, policy=KEEP)
        assert results == []

    async def planned() -> list[tuple[str, bool]]:
        async with site.remote() as remote:
            plan = await site.plan(remote, PAGES, KEEP)
        return [(drift.entry.key, drift.deleted) for drift in plan.drift]

    assert asyncio.run(planned()) == [("b", True)]
    assert site.there(Kind.PAGE).keys() == {"a", "c"}
    site.synced([PAGE_A, PAGE_C])
    assert (Kind.PAGE, "b") not in site.base


def test_a_renamed_entry_deleted_on_the_server_stays_deleted_if_the_server_wins(site: Site) -> None:
    site.synced(PAGES)
    deleted(site, "b")
    renamed = Entry(Kind.PAGE, "d", {"slug": "d", "title": "B"}, Source("page.md"), Notes(previous=("b",)))
    for _ in range(2):
        theirs = Policy(prune=True, on_conflict="theirs")
        assert site.sync([PAGE_A, PAGE_C, renamed], policy=theirs) == ([], None)
    assert refusals(site, [PAGE_A, PAGE_C, renamed], KEEP) == []
    assert site.there(Kind.PAGE).keys() == {"a", "c"}


def test_recreating_many_missing_entries_requires_consent(site: Site) -> None:
    many = [page(f"p{number}") for number in range(14)]
    site.synced(many)
    for number in range(11):
        site.remove(Kind.PAGE, f"p{number}")
    plan = site.planned(many)
    assert [(refusal.code, refusal.flag) for refusal in plan.refusals] == [("recreate", "--allow-recreate 11")]
    assert "11 of 14 managed pages are missing on the server" in plan.refusals[0].message
    assert refusals(site, many, Policy(prune=True, on_drift="overwrite", allowed=Consents(recreate=10))) == ["recreate"]
    results, _ = site.sync(many, policy=Policy(prune=True, on_drift="overwrite", allowed=Consents(recreate=11)))
    assert len(_done(results)) == 11


def test_recreating_ten_missing_entries_requires_no_consent(site: Site) -> None:
    many = [page(f"p{number}") for number in range(14)]
    site.synced(many)
    for number in range(10):
        site.remove(Kind.PAGE, f"p{number}")
    plan = site.planned(many)
    assert (codes(plan), len(reported(plan))) == ([], 10)


@pytest.fixture
def restored(site: Site) -> tuple[Site, list[Entry]]:
    """Return fourteen synced pages, of which the server has lost eleven, and the folder's entries except one."""
    many = [page(f"p{number:02}") for number in range(14)]
    site.synced(many)
    for entry in many[:11]:
        site.remove(Kind.PAGE, entry.key)
    return site, many[:-1]


def keeping(**allowed: int) -> Policy:
    """Return a policy with deletes that allows these numbers of changes."""
    return Policy(prune=True, allowed=Consents(**allowed))


def test_the_loss_of_many_records_is_refused_even_with_on_drift_keep(
    restored: tuple[Site, list[Entry]],
) -> None:
    site, folder = restored
    plan = site.planned(folder, keeping())
    assert [(refusal.code, refusal.flag) for refusal in plan.refusals] == [
        ("recreate", "--allow-recreate 11 (create again) or --allow-deletes 12 (leave deleted)")
    ]
    assert "11 of 14 managed pages are missing on the server" in plan.refusals[0].message


def test_the_consent_to_recreate_also_applies_with_on_drift_keep(restored: tuple[Site, list[Entry]]) -> None:
    site, folder = restored
    assert refusals(site, folder, keeping(recreate=10)) == ["recreate"]
    assert refusals(site, folder, keeping(recreate=11, deletes=12)) == ["deletes"]
    site.sync(folder, policy=keeping(recreate=11, deletes=1))
    assert site.there(Kind.PAGE).keys() == {entry.key for entry in folder}


def test_the_consent_to_a_loss_counts_missing_and_deleted_entries(restored: tuple[Site, list[Entry]]) -> None:
    site, folder = restored
    assert refusals(site, folder, keeping(deletes=1)) == ["recreate"]
    assert refusals(site, folder, keeping(deletes=11)) == ["recreate"]
    site.sync(folder, policy=keeping(deletes=12))
    assert site.there(Kind.PAGE).keys() == {"p11", "p12"}


def test_the_loss_of_all_records_of_a_small_server_is_refused(site: Site) -> None:
    few = [page(key) for key in "abcd"]
    site.synced(few)
    deleted(site, "abc")
    assert refusals(site, few, keeping()) == []
    deleted(site, "d")
    assert refusals(site, few, keeping()) == ["recreate"]


def _done(results: list[Result]) -> list[Result]:
    return [result for result in results if result.status is Status.DONE]


def resolve(
    selected: list[Entry], there: list[Entry], user_ids: dict[str, int], folder: tuple[Entry, ...] = ()
) -> tuple[list[Entry], list[Problem]]:
    """Resolve the selected entries beside the rest of the folder."""
    return resolve_in([*selected], [*selected, *folder], there, user_ids)


def test_a_reference_by_key_stays_unchanged() -> None:
    listing = desired(Kind.LISTING, "l", categories=["tools"])
    resolved, problems = resolve([listing, desired(Kind.CATEGORY, "tools", title="Tools")], [], {})
    assert not problems
    assert resolved[0] is not None and resolved[0].fields["categories"] == ["tools"]


def test_a_reference_by_a_title_on_the_server_becomes_a_key() -> None:
    there = [actual(Kind.TAG, "open-source", 3, title="Open source")]
    resolved, problems = resolve([desired(Kind.LISTING, "l", tags=["Open source"])], there, {})
    assert not problems
    assert resolved[0].fields["tags"] == ["open-source"]


def test_a_reference_by_a_title_of_two_records_is_refused() -> None:
    there = [actual(Kind.TAG, "a", 1, title="Tools"), actual(Kind.TAG, "b", 2, title="Tools")]
    _, problems = resolve([desired(Kind.LISTING, "l", tags=["Tools"])], there, {})
    assert [(problem.code, problem.message) for problem in problems] == [
        ("ambiguous-reference", "the tag 'Tools' may be any of a, b")
    ]


def test_an_unknown_reference_is_refused_at_its_line() -> None:
    there = [actual(Kind.ORGANIZER, "atelier", 1, name="Atelier")]
    _, problems = resolve([desired(Kind.LISTING, "l", line=9, organizers=["ateler"])], there, {})
    assert [(problem.code, problem.where, problem.hint) for problem in problems] == [
        ("unknown-reference", Where("listing.md", 9), "did you mean 'atelier'?")
    ]


def test_the_parent_of_a_category_is_resolved_too() -> None:
    there = [actual(Kind.CATEGORY, "tools", 1, title="All tools")]
    resolved, problems = resolve([desired(Kind.CATEGORY, "saws", parent_id="All tools")], there, {})
    assert not problems
    assert resolved[0].fields["parent_id"] == "tools"


def test_a_user_address_becomes_the_id_that_the_target_maps_it_to() -> None:
    organizer = desired(Kind.ORGANIZER, "o", user_id="ada@example.com")
    resolved, problems = resolve([organizer], [], {"ada@example.com": 7})
    assert not problems
    assert resolved[0].fields["user_id"] == 7


def test_a_user_address_without_a_mapping_is_refused() -> None:
    _, problems = resolve([desired(Kind.ORGANIZER, "o", user_id="ada@example.com")], [], {"adam@example.com": 7})
    assert [(problem.code, problem.hint) for problem in problems] == [
        ("unknown-user", "did you mean 'adam@example.com'?")
    ]


def test_a_name_and_a_slug_of_one_entry_become_one_reference() -> None:
    there = [actual(Kind.CATEGORY, "tools", 1, title="Tools")]
    resolved, problems = resolve([desired(Kind.LISTING, "l", categories=["tools", "Tools"])], there, {})
    assert not problems
    assert resolved[0].fields["categories"] == ["tools"]


def test_a_reference_to_an_unselected_entry_of_the_folder_is_resolved() -> None:
    listing = desired(Kind.LISTING, "l", tags=["open"])
    _, problems = resolve([listing], [], {}, folder=(desired(Kind.TAG, "open", title="Open"),))
    assert not problems


def test_a_skipped_entry_is_resolved_only_on_the_server() -> None:
    listing = desired(Kind.LISTING, "l", tags=["open"])
    skipped = desired(Kind.TAG, "open", notes=Notes(skip=True), title="Open")
    assert [problem.code for problem in resolve([listing], [], {}, folder=(skipped,))[1]] == ["unknown-reference"]
    assert resolve([listing], [actual(Kind.TAG, "open", 1, title="Open")], {}, folder=(skipped,))[1] == []
