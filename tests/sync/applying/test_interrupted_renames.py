"""A rename that was written before the entry that refers to it: the base contains the id of the reference."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from contentsync.model import RECORDS, Entry, Kind, Notes
from contentsync.sync.planning.plan import Policy, Selection

from ...sampling import sampled
from ..bases import codes
from ..entries import desired
from ..faults import Killed, killed
from ..site import Site

URL = "https://a.example"


def named(kind: Kind, key: str, *previous: str, **fields: Any) -> Entry:
    model = RECORDS[kind]
    fields = {model.key_field: key, model.title_field: key, **fields}
    return desired(kind, key, notes=Notes(previous=previous), **fields)


def listing(**fields: Any) -> Entry:
    return desired(Kind.LISTING, URL, url=URL, name="A", **fields)


@dataclass(frozen=True)
class Case:
    """An entry that refers to another one, before and after both are edited, and the edit of another user."""

    renamed: Kind
    field: str
    referring: Callable[..., Entry]
    before: Any
    after: Any
    theirs: Any  # in the words of a request, with the ids that the entries have
    needed: Mapping[str, Any] = dataclasses.field(default_factory=dict)

    def folder(self, *, after: bool) -> list[Entry]:
        """Return the entry to rename (`old`, then `new`), two to refer to instead, and last the one that refers."""
        names = [("new", "old")] if after else [("old",)]
        others = [named(self.renamed, *name, **self.needed) for name in [*names, ("other",), ("third",)]]
        return [*others, self.referring(self.after if after else self.before)]


def categories(key: Any) -> Entry:
    return named(Kind.CATEGORY, "young", parent_id=key)


CASES = {
    "category": Case(
        Kind.CATEGORY,
        "categories",
        lambda keys: listing(categories=keys),
        ["old", "other"],
        ["new", "third"],
        [3],
    ),
    "tag": Case(Kind.TAG, "tags", lambda keys: listing(tags=keys), ["old"], ["new", "other"], [2, 3]),
    "organizer": Case(Kind.ORGANIZER, "organizers", lambda keys: listing(organizers=keys), ["old"], [], [3]),
    "parent": Case(Kind.CATEGORY, "parent_id", categories, "old", "other", 3),
    "custom field": Case(
        Kind.CUSTOM_FIELD,
        "new",
        lambda value: listing(new=value) if value == 6 else listing(old=value),
        5,
        6,
        7,
        {"type": "number"},
    ),
}

LISTS = [name for name, case in CASES.items() if isinstance(case.before, list)]


def sync_until_the_rename(site: Site, folder: list[Entry], _: Kind) -> None:
    """Sync, and kill the process before its second write, which is that of the entry that refers."""
    with pytest.raises(Killed):
        site.sync(folder, killed(1, stored=False), concurrency=1)


def sync_only_the_rename(site: Site, folder: list[Entry], kind: Kind) -> None:
    """Sync only the renamed entry, as `--only` does."""
    site.sync(folder, selection=Selection.parse([f"{kind}/new"]))


@pytest.fixture(params=[*CASES.values()], ids=[*CASES])
def case(request: pytest.FixtureRequest) -> Case:
    return request.param  # type: ignore[no-any-return]  # pytest does not know its type


@pytest.mark.parametrize("sync_partly", [sync_until_the_rename, sync_only_the_rename])
def test_a_reference_to_an_entry_renamed_by_an_interrupted_run_is_no_conflict(
    site: Site, case: Case, sync_partly: Callable[[Site, list[Entry], Kind], None]
) -> None:
    site.synced(case.folder(after=False))
    folder = case.folder(after=True)
    referring = folder[-1]
    sync_partly(site, folder, case.renamed)
    assert {"new", "other", "third"} <= site.there(case.renamed).keys()  # renamed
    plan = site.planned(folder)
    assert codes(plan) == []
    assert [(change.entry.kind, [*change.fields], change.drift) for change in plan.changes] == [
        (referring.kind, [case.field], ())
    ]
    site.synced(folder)
    plan = site.planned(folder)
    assert (plan.changes, plan.base_updates, plan.refusals) == ((), (), ())
    assert site.everything()[referring.kind, referring.key].fields[case.field] == case.after


def test_a_reference_that_another_user_changed_meanwhile_is_a_conflict(site: Site, case: Case) -> None:
    site.synced(case.folder(after=False))
    folder = case.folder(after=True)
    sync_until_the_rename(site, folder, case.renamed)
    entry = folder[-1]
    site.edit(entry.kind, entry.key, **{case.field: case.theirs})
    assert codes(site.planned(folder)) == ["conflict"]


def test_a_reference_that_only_another_user_changed_is_drift(site: Site, case: Case) -> None:
    site.synced(case.folder(after=False))
    *others, _edited = case.folder(after=True)
    referring = _following(case)  # not edited: it only follows the rename
    folder = [*others, referring]
    sync_only_the_rename(site, folder, case.renamed)
    assert not site.planned(folder)
    site.edit(referring.kind, referring.key, **{case.field: case.theirs})
    plan = site.planned(folder, Policy(on_drift="fail"))
    assert codes(plan) == ["drift"]


def test_a_reference_to_an_entry_recreated_by_an_interrupted_run_is_no_conflict(site: Site, case: Case) -> None:
    folder = case.folder(after=False)
    site.synced(folder)
    site.remove(case.renamed, "old")
    sync_until_the_rename(site, folder, case.renamed)
    assert "old" in site.there(case.renamed)
    plan = site.planned(folder)
    assert codes(plan) == []
    assert [[*change.fields] for change in plan.changes] == [[case.field if case.field != "new" else "old"]]
    site.synced(folder)
    assert not site.planned(folder)


@pytest.mark.parametrize("place, stored", sampled([(1, False), (0, True), (1, True)], every=3))
@pytest.mark.parametrize("case", [CASES[name] for name in LISTS], ids=LISTS)
def test_a_reference_removed_by_our_interrupted_delete_is_no_conflict(
    site: Site, case: Case, place: int, stored: bool
) -> None:
    names = [named(case.renamed, key) for key in ("fourth", "fifth", "old", "other", "third")]
    site.synced([*names, case.referring(["fourth", "old"])])
    folder = [entry for entry in names if entry.key not in ("old", "third")]
    folder.append(case.referring(["fourth", "fifth"]))
    deletes = Selection.parse([f"{case.renamed}/old", f"{case.renamed}/third"])
    with pytest.raises(Killed):
        site.sync(folder, killed(place, stored=stored), concurrency=1, selection=deletes)
    assert codes(site.planned(folder)) == []
    site.synced(folder)
    assert not site.planned(folder)


@pytest.mark.parametrize("desired_reference", [None, "other"])
@pytest.mark.parametrize("cut", sampled([None, ((0, True),), ((1, False),), ((1, True),)], every=2))
def test_a_parent_changed_by_our_delete_is_no_conflict(
    site: Site, cut: tuple[int, bool] | None, desired_reference: str | None
) -> None:
    top, middle, other = (named(Kind.CATEGORY, key, parent_id=above) for key, above in _ABOVE.items())
    site.synced([top, middle, other, categories("middle")])
    folder = [top, other, categories(desired_reference)] if cut == (0, True) else [other, categories(desired_reference)]
    deletes = Selection.parse(["category/top", "category/middle"])
    if cut is None:
        assert site.sync(folder, selection=deletes)[1] is None
    else:
        place, stored = cut
        with pytest.raises(Killed):
            site.sync(folder, killed(place, stored=stored), concurrency=1, selection=deletes)
    assert codes(site.planned(folder)) == []
    site.synced(folder)
    assert not site.planned(folder)


_ABOVE = {"top": None, "middle": "top", "other": None}


def _following(case: Case) -> Entry:
    """Return the entry as before, with the new name of the entry that it refers to."""
    if case.renamed is Kind.CUSTOM_FIELD:
        return listing(new=case.before)
    renamed = ["new" if key == "old" else key for key in case.before] if isinstance(case.before, list) else "new"
    return case.referring(renamed)
