"""Undoing a run restores the references that it changed, and those that its deletes removed."""

from dataclasses import replace
from pathlib import Path

import pytest

from contentsync.model import Entry, Kind
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import Policy

from ..entries import desired
from ..site import Site
from .undoing import (
    EVERYTHING,
    LEAF_CATEGORY,
    LEVEL_FIELD,
    REFERRED,
    ROOT_CATEGORY,
    TAG,
    fields,
    one_of_each_kind,
    undo,
)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path, ("en", "fr"))


def test_an_undo_restores_references_that_a_delete_removed(site: Site) -> None:
    """Assignments, parents and values of entries that are not managed; they are not managed afterwards either."""
    remaining = one_of_each_kind()
    site.synced([*remaining, ROOT_CATEGORY, TAG, LEVEL_FIELD])
    records = site.everything()
    root_id, z_id, tag_id = (
        records[key].id for key in ((Kind.CATEGORY, "root"), (Kind.CATEGORY, "z"), (Kind.TAG, "t"))
    )
    site.foreign(Kind.CATEGORY, title="Theirs", slug="theirs", parent_id=root_id)
    site.foreign(Kind.LISTING, name="Theirs", slug="theirs", categories=[root_id, z_id], tags=[tag_id], level=4)
    before = fields(site.everything())
    site.sync(remaining)
    stripped = site.there(Kind.LISTING)["theirs"].fields
    assert (stripped["categories"], stripped["tags"], stripped.get("level")) == (["z"], [], None)
    undo(site)
    assert fields(site.everything()) == before
    assert (Kind.LISTING, "theirs") not in site.base


def test_an_undo_restores_the_deleted_parent_of_a_category(site: Site) -> None:
    """The service moves it below the nearest remaining ancestor; the journal of the run contains nothing about it."""
    site.synced([*one_of_each_kind(), ROOT_CATEGORY, LEAF_CATEGORY])
    site.foreign(Kind.CATEGORY, title="Theirs", slug="theirs", parent_id=site.there(Kind.CATEGORY)["leaf"].id)
    site.sync([*one_of_each_kind(), ROOT_CATEGORY])
    assert site.there(Kind.CATEGORY)["theirs"].fields["parent_id"] in ("root", None)
    undo(site)
    assert site.there(Kind.CATEGORY)["theirs"].fields["parent_id"] == "leaf"


def test_an_undo_keeps_references_that_another_user_set_since(site: Site) -> None:
    site.synced([*one_of_each_kind(), TAG])
    tags = site.there(Kind.TAG)
    site.foreign(Kind.LISTING, name="Theirs", slug="theirs", tags=[tags["t"].id])
    site.sync(one_of_each_kind())
    site.edit(Kind.LISTING, "theirs", tags=[tags["z"].id])
    undo(site)
    assert site.there(Kind.LISTING)["theirs"].fields["tags"] == ["z"]


def test_an_undo_with_restored_references_can_be_undone(site: Site) -> None:
    site.synced([*one_of_each_kind(), TAG])
    site.foreign(Kind.LISTING, name="Theirs", slug="theirs", tags=[site.there(Kind.TAG)["t"].id])
    site.sync(one_of_each_kind())
    undo(site)
    undo(site, policy=Policy(prune=True, allowed=Consents(deletes=1), on_drift="fail"))
    assert "t" not in site.there(Kind.TAG)
    assert site.there(Kind.LISTING)["theirs"].fields["tags"] == []


@pytest.mark.parametrize("existing", [[], REFERRED], ids=["references are created too", "references exist"])
def test_an_undo_deletes_a_created_listing_with_its_references(site: Site, existing: list[Entry]) -> None:
    site.synced([*one_of_each_kind(), *existing])
    before = fields(site.everything())
    site.synced([*one_of_each_kind(), *EVERYTHING])
    created_count = len(EVERYTHING) - len(existing)
    plan, _results = undo(site, policy=Policy(prune=True, on_drift="fail", allowed=Consents(deletes=created_count)))
    assert plan.refusals == ()
    assert fields(site.everything()) == before


def test_an_undo_restores_a_changed_reference(site: Site) -> None:
    listing = desired(Kind.LISTING, "mine", slug="mine", name="Mine", categories=["z"], tags=["z"], organizers=["z"])
    changed = replace(listing, fields={**listing.fields, "categories": ["leaf"], "tags": [], "organizers": ["o"]})
    site.synced([*one_of_each_kind(), *REFERRED, listing])
    before = fields(site.everything())
    site.synced([*one_of_each_kind(), *REFERRED, changed])
    plan, _results = undo(site)
    assert plan.refusals == ()
    assert fields(site.everything()) == before


def test_an_undo_reports_a_deleted_reference_and_restores_the_others(site: Site) -> None:
    tags = [desired(Kind.TAG, key, slug=key, title=key) for key in ("s", "t", "u")]

    def listing(*keys: str) -> Entry:
        return desired(Kind.LISTING, "mine", slug="mine", name="Mine", tags=[*keys])

    site.synced([*tags, listing("s", "t")])
    site.synced([*tags, listing("u")])
    site.remove(Kind.TAG, "t")
    (refusal,) = undo(site)[0].refusals
    assert (refusal.code, "listing mine (tag t is no longer on the server)" in refusal.message) == ("conflict", True)
    plan, _results = undo(site, policy=Policy(prune=True, on_conflict="theirs"))
    assert plan.left_as_on_server == ("listing mine (tag t is no longer on the server)",)
    assert site.there(Kind.LISTING)["mine"].fields["tags"] == ["s"]


def test_an_undo_restores_an_unmanaged_reference_with_the_changed_values(site: Site) -> None:
    site.synced([*one_of_each_kind(), TAG, desired(Kind.LISTING, "mine", slug="mine", name="Mine")])
    site.edit(Kind.LISTING, "mine", tags=[site.there(Kind.TAG)["t"].id])
    site.sync([*one_of_each_kind(), desired(Kind.LISTING, "mine", slug="mine", name="Other")])
    undo(site)
    there = site.there(Kind.LISTING)["mine"].fields
    assert (there["name"], there["tags"]) == ("Mine", ["t"])
    assert "tags" not in site.base[Kind.LISTING, "mine"].fields


def test_an_undo_restores_a_run_that_changed_only_references(site: Site) -> None:
    """The tags are in the base and were not touched by the run, so no user has changed them."""
    tags = [desired(Kind.TAG, slug, slug=slug, title=slug.title()) for slug in ("red", "blue")]
    site.synced([*tags, desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["red"])])
    site.synced([*tags, desired(Kind.LISTING, "saw", slug="saw", name="Saw", tags=["blue"])])
    plan, _results = undo(site)
    assert plan.refusals == ()
    assert site.there(Kind.LISTING)["saw"].fields["tags"] == ["red"]
