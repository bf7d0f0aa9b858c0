"""The owner of a record, on a real server that is restored, edited and given foreign records."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from contentsync.model import Entry, Kind, Notes, Source
from contentsync.sync.comparing.change import Status
from contentsync.sync.planning.plan import OnDrift, Policy

from ..bases import codes, reported
from ..entries import desired
from ..site import Site


def page(key: str, **fields: object) -> Entry:
    return Entry(Kind.PAGE, key, {"slug": key, "title": "T", **fields}, Source(f"pages/{key}.md"))


def tag(key: str, *previous: str, **fields: Any) -> Entry:
    return desired(Kind.TAG, key, notes=Notes(previous=previous), slug=key, title=key, **fields)


def test_a_restored_server_with_reused_ids_loses_no_records(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
    site = Site(before)
    site.synced([tag("a"), tag("b"), tag("c")])
    restored = Site(after)
    restored.state_dir.state.parent.mkdir(parents=True)
    shutil.copy(site.state_dir.state, restored.state_dir.state)
    for key in ("x", "y", "z"):
        restored.foreign(Kind.TAG, slug=key, title=key.upper())
    assert {there.id for there in restored.there(Kind.TAG).values()} == {1, 2, 3}
    assert reported(restored.planned([tag("a"), tag("b")])) == [("create", "a"), ("create", "b")]
    restored.synced([tag("a"), tag("b")])
    assert restored.there(Kind.TAG).keys() == {"a", "b", "x", "y", "z"}
    assert restored.base.keys() == {(Kind.TAG, "a"), (Kind.TAG, "b")}


def test_a_page_edited_in_the_dashboard_is_still_matched(tmp_path: Path) -> None:
    """A new title causes a new slug on the server, so neither the key nor any field is as it was applied."""
    site = Site(tmp_path)
    here = page("pricing", title="Pricing", markdown="Old text")
    site.synced([here, page("other")])
    id_ = site.there(Kind.PAGE)["pricing"].id
    site.edit(Kind.PAGE, "pricing", title="Our prices", slug="our-prices", markdown="Corrected")
    (change,) = site.planned([here, page("other")]).changes
    assert (change.id, change.previous_key, set(change.drift)) == (id_, "our-prices", {"title", "slug", "markdown"})
    assert reported(site.planned([page("other")])) == [("delete", "our-prices")]


def test_an_entry_recreated_by_another_user_belongs_to_that_user(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("a"), tag("b")])
    site.sync([tag("a")])
    site.foreign(Kind.TAG, slug="b", title="Theirs")
    assert reported(site.planned([tag("a")])) == []
    assert codes(site.planned([tag("a"), tag("b")])) == ["adoption"]


def test_a_used_note_does_not_match_a_page_of_another_user(tmp_path: Path) -> None:
    site = Site(tmp_path)
    site.synced([tag("old"), tag("b")])
    noted = [tag("new", "old"), tag("b")]
    site.synced(noted)
    site.foreign(Kind.TAG, slug="old", title="Theirs")
    assert not site.planned(noted)


def test_the_base_stores_the_creation_time_of_each_record(tmp_path: Path) -> None:
    """That of the new listing is in the answer to a bulk create, those of the others in answers of their own."""
    site = Site(tmp_path)
    entries = [tag("t"), page("p"), desired(Kind.LISTING, "https://l.example", url="https://l.example", name="L")]
    site.synced(entries)
    records = site.everything()
    assert {identity: line.created for identity, line in site.base.items()} == {
        identity: record.created for identity, record in records.items()
    }
    assert None not in {record.created for record in records.values()}


@pytest.fixture
def swapped(tmp_path: Path) -> Site:
    """Return two synced tags whose slugs were exchanged on the server afterwards."""
    site = Site(tmp_path)
    site.synced([tag("a"), tag("b")])
    for key, slug in (("a", "moving"), ("b", "a"), ("moving", "b")):
        site.edit(Kind.TAG, key, slug=slug)
    return site


def titles(site: Site) -> dict[str, object]:
    return {key: there.fields["title"] for key, there in site.there(Kind.TAG).items()}


def test_slugs_exchanged_on_the_server_are_drift_of_two_slugs(swapped: Site) -> None:
    plan = swapped.planned([tag("a"), tag("b")])
    assert {change.key: (list(change.fields), change.drift) for change in plan.changes} == {
        "a": (["slug"], ("slug",)),
        "b": (["slug"], ("slug",)),
    }
    assert codes(plan) == []
    swapped.synced([tag("a"), tag("b")])
    assert titles(swapped) == {"a": "a", "b": "b"}
    assert not swapped.planned([tag("a"), tag("b")])


@pytest.mark.parametrize(("on_drift", "refused"), [("fail", ["drift"]), ("keep", [])])
def test_slugs_exchanged_on_the_server_are_refused_or_kept_like_other_drift(
    swapped: Site, on_drift: OnDrift, refused: list[str]
) -> None:
    plan = swapped.planned([tag("a"), tag("b")], Policy(prune=True, on_drift=on_drift))
    assert codes(plan) == refused
    results, _ = swapped.sync([tag("a"), tag("b", color="#ff0000")], policy=Policy(prune=True, on_drift="keep"))
    assert [(result.change.key, result.status) for result in results] == [("b", Status.DONE)]
    assert titles(swapped) == {"a": "b", "b": "a"}
    assert swapped.there(Kind.TAG)["a"].fields["color"] == "#ff0000"
