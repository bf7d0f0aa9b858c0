"""Undoing what a run created, changed, renamed and deleted, on a real server."""

from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.errors import UsageError
from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import Policy
from contentsync.sync.state.state_file import decode_line, encode_line

from ..bases import reported
from ..entries import desired
from ..site import Site
from .undoing import ARTICLE, EVERYTHING, PAGE, REFERRED, fields, one_of_each_kind, page, undo


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, ("en", "fr"))


def test_an_undo_restores_changed_values(site: Site) -> None:
    site.synced([page("a", "Before", order=3, seo={"title": "S"}), ARTICLE])
    before = fields(site.everything())
    changed = desired(Kind.ARTICLE, "post", **{**ARTICLE.fields, "title": "Other", "translations": {"fr": None}})
    site.synced([page("a", "After", seo={"title": None}), changed])
    undo(site)
    assert fields(site.everything()) == before


def test_an_undo_restores_deleted_entries(site: Site) -> None:
    site.synced([*EVERYTHING, *one_of_each_kind()])
    before = fields(site.everything())
    site.sync(one_of_each_kind(), policy=Policy(prune=True, allowed=Consents(deletes=len(EVERYTHING))))
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in one_of_each_kind()}
    undo(site)
    assert fields(site.everything()) == before


def test_an_undo_of_many_creates_requires_consent(site: Site) -> None:
    site.synced(one_of_each_kind())
    site.synced([*one_of_each_kind(), *EVERYTHING, *(page(f"p{number}") for number in range(5))])
    plan, _ = undo(site)
    assert [(refusal.code, refusal.flag) for refusal in plan.refusals] == [("deletes", "--allow-deletes 13")]
    undo(site, policy=Policy(prune=True, on_drift="fail", allowed=Consents(deletes=13)))
    assert site.everything().keys() == {(entry.kind, entry.key) for entry in one_of_each_kind()}


def test_an_undo_of_a_few_creates_requires_no_consent(site: Site) -> None:
    site.synced(one_of_each_kind())
    site.synced([*one_of_each_kind(), page("one")])
    plan, _ = undo(site)
    assert (reported(plan), plan.changes[0].reason) == ([("delete", "one")], "the run created it")


def test_an_undo_reverts_a_rename(site: Site) -> None:
    site.synced([page("old", "Title", order=1)])
    identity = site.there(Kind.PAGE)["old"].id
    site.synced([Entry(Kind.PAGE, "new", {"slug": "new", "title": "Title", "order": 1}, Source("pages/old.md"))])
    assert site.there(Kind.PAGE)["new"].id == identity
    undo(site)
    assert site.there(Kind.PAGE)["old"].id == identity


def test_an_undo_reverts_an_exchange_of_slugs(site: Site) -> None:
    def named(key: str, path: str) -> Entry:
        return Entry(Kind.PAGE, key, {"slug": key, "title": path}, Source(path))

    site.synced([named("a", "x.md"), named("b", "y.md")])
    before = {key: entry.id for key, entry in site.there(Kind.PAGE).items()}
    site.synced([named("b", "x.md"), named("a", "y.md")])
    assert {key: entry.id for key, entry in site.there(Kind.PAGE).items()} == {"b": before["a"], "a": before["b"]}
    undo(site)
    assert {key: entry.id for key, entry in site.there(Kind.PAGE).items()} == before


def test_the_plan_after_an_undo_contains_only_the_reverted_change(site: Site) -> None:
    after = [page("a", "After", order=1)]
    site.synced([page("a", "Before", order=1), page("b")])
    site.synced([*after, page("b")])
    undo(site)
    plan = site.planned([*after, page("b")])
    assert [(change.key, list(change.fields), change.drift) for change in plan.changes] == [("a", ["title"], ())]
    assert plan.refusals == ()


def test_an_undo_of_an_undo_applies_the_run_again(site: Site) -> None:
    site.synced([page("a", "Before")])
    site.synced([page("a", "After")])
    undo(site)
    undo(site)
    assert site.there(Kind.PAGE)["a"].fields["title"] == "After"


def test_an_undo_of_an_undo_keeps_values_under_a_deleted_name(site: Site) -> None:
    """The run deleted a field and gave its name to another one."""
    a, b, z = (desired(Kind.CUSTOM_FIELD, name, name=name, label=name, type="number") for name in "abz")
    listings = [desired(Kind.LISTING, name, slug=name, name=name, a=1, b=2) for name in ("one", "two")]
    site.synced([a, b, z, *listings])
    renamed = replace(a, key="b", fields={**a.fields, "name": "b"}, notes=Notes(previous=("a",)))
    site.sync([renamed, z, *(replace(each, fields={**each.fields, "a": None, "b": 3}) for each in listings)])
    after = values(site)
    assert after == {"one": (None, 3), "two": (None, 3)}
    undo(site)
    assert values(site) == {"one": (1, 2), "two": (1, 2)}
    undo(site, policy=Policy(prune=True, allowed=Consents(deletes=1), on_drift="fail"))
    assert values(site) == after


def values(site: Site) -> dict[str, tuple[object, object]]:
    """Return the values of the fields a and b of each listing."""
    return {key: (entry.fields.get("a"), entry.fields.get("b")) for key, entry in site.there(Kind.LISTING).items()}


@pytest.mark.parametrize("name", ["nothing", "../state/local", ""])
def test_an_unknown_run_is_a_usage_error(site: Site, name: str) -> None:
    site.synced([page("a")])
    with pytest.raises(UsageError):
        undo(site, name)


def test_an_undo_before_the_first_run_is_a_usage_error(site: Site) -> None:
    with pytest.raises(UsageError, match="no run"):
        undo(site)


def test_a_run_of_an_older_release_can_be_undone(site: Site) -> None:
    """Its journal contains the keys of referenced entries, but no ids."""
    site.synced([*one_of_each_kind(), *EVERYTHING])
    before = fields(site.everything())
    changed = [*REFERRED, desired(Kind.LISTING, "https://a.example", url="https://a.example", name="B", tags=[])]
    site.sync([*one_of_each_kind(), *changed, PAGE, ARTICLE])
    journal = site.state_dir.journals / "run-001.jsonl"
    lines = [decode_line(line) for line in journal.read_bytes().splitlines(keepends=True)]
    older = [{name: value for name, value in line.items() if name not in ("ids", "check")} for line in lines]
    journal.write_bytes(b"".join(map(encode_line, older)))
    undo(site)
    assert fields(site.everything()) == before
