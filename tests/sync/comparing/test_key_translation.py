"""References are compared by the keys of the folder, also if the server and the base use other keys."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from contentsync.model import Entry, Kind, Notes, Reference
from contentsync.sync.comparing.base import Base
from contentsync.sync.planning.plan import Plan, Policy

from ..bases import codes, planned, reported, synced
from ..entries import NO_NOTES, actual, desired

FORMERLY_TOOLS = Notes(previous=("tools",))
FORMERLY_HARDWARE = Notes(previous=("hardware",))


def category(slug: str, notes: Notes = NO_NOTES, **fields: Any) -> Entry:
    return desired(Kind.CATEGORY, slug, notes=notes, slug=slug, title="T", **fields)


def listing(*categories: str, **fields: Any) -> Entry:
    """Return a listing of the folder with these categories."""
    return desired(Kind.LISTING, "https://a.example", url="https://a.example", categories=[*categories], **fields)


IDS = {"tools": 1, "hardware": 2, "renamed": 1, "software": 1}


def referred(key: str) -> Reference:
    return Reference(key, IDS[key])


def record(*categories: str, **fields: Any) -> Entry:
    its = [*map(referred, categories)]
    return actual(Kind.LISTING, "https://a.example", 9, url="https://a.example", categories=its, **fields)


def there(slug: str, id_: int, **fields: Any) -> Entry:
    """Return the record of a category on the server."""
    return actual(Kind.CATEGORY, slug, id_, slug=slug, title="T", **fields)


TOOLS, HARDWARE = there("tools", 1), there("hardware", 2)
SOFTWARE = category("software", FORMERLY_TOOLS)
CHAIN = [SOFTWARE, category("tools", FORMERLY_HARDWARE)]


Bases = Callable[..., Base]


@pytest.fixture(params=["by id", "by name"])
def base(request: pytest.FixtureRequest) -> Bases:
    """Return the base after a sync of both categories, and of a listing in some of them.

    It knows the listing's categories by their ids, or by their names, as older releases remembered them.
    """

    def after(*categories: str) -> Base:
        its: list[str] = [*categories] if request.param == "by name" else [*map(referred, categories)]
        pairs = [(category("tools"), TOOLS), (category("hardware"), HARDWARE)]
        return synced(*pairs, (listing(*its), replace(record(), fields={**record().fields, "categories": its})))

    return after


def of_listings(plan: Plan) -> dict[str, Any]:
    """Return the (server, folder) values of the fields of listings that the plan changes, by field."""
    return {
        name: tuple(pair)
        for change in plan.changes
        if change.kind is Kind.LISTING
        for name, pair in change.fields.items()
    }


def test_a_listing_of_a_renamed_category_needs_no_request(base: Bases) -> None:
    plan = planned(
        [SOFTWARE, category("hardware"), listing("software")], [TOOLS, HARDWARE, record("tools")], base("tools")
    )
    assert (reported(plan), plan.drift_count) == ([("update", "software")], 0)


def test_a_reference_to_a_renamed_category_is_recorded_under_the_new_key(base: Bases) -> None:
    folder = [SOFTWARE, category("hardware"), listing("software")]
    plan = planned(folder, [TOOLS, HARDWARE, record("tools")], base("tools"))
    after = [there("software", 1), HARDWARE]
    renamed = synced((SOFTWARE, after[0]), (category("hardware"), HARDWARE)).with_updates(plan.base_updates)
    assert not planned(folder, [*after, record("software")], renamed)
    plan = planned(folder, [*after, record("hardware")], renamed)
    assert (reported(plan), plan.changes[0].drift, codes(plan)) == (
        [("update", "https://a.example")],
        ("categories",),
        [],
    )


def test_a_key_reused_by_another_category_means_that_category(base: Bases) -> None:
    plan = planned([*CHAIN, listing("tools")], [TOOLS, HARDWARE, record("tools")], base("tools"))
    assert of_listings(plan) == {"categories": (["software"], ["tools"])}
    assert (plan.drift_count, codes(plan)) == (0, [])


def test_a_listing_follows_its_category_to_a_reused_key(base: Bases) -> None:
    plan = planned([*CHAIN, listing("tools")], [TOOLS, HARDWARE, record("hardware")], base("hardware"))
    assert (of_listings(plan), plan.drift_count) == ({}, 0)


def test_a_key_reused_by_another_user_is_a_conflict(base: Bases) -> None:
    folder = [category("tools"), category("hardware"), listing("tools")]
    server = [there("renamed", 1), HARDWARE, there("tools", 7), record("renamed")]
    plan = planned(folder, server, base("tools"))
    assert of_listings(plan) == {"categories": (["renamed"], ["tools"])}
    assert codes(plan) == ["conflict"]  # not silently


def test_a_reference_to_a_category_deleted_by_another_user_is_drift(base: Bases) -> None:
    folder = [category("tools"), category("hardware"), listing("tools")]
    plan = planned(folder, [HARDWARE, record()], base("tools"), Policy(on_drift="overwrite", on_conflict="theirs"))
    assert of_listings(plan) == {"categories": ([], ["tools"])}
    assert codes(plan) == []


def test_drift_is_detected_through_a_rename(base: Bases) -> None:
    folder = [SOFTWARE, category("hardware"), listing("software")]
    plan = planned(folder, [TOOLS, HARDWARE, record("hardware")], base("tools"), Policy(on_drift="fail"))
    assert codes(plan) == ["drift"]
    assert of_listings(plan) == {"categories": (["hardware"], ["software"])}


def test_a_change_on_both_sides_is_a_conflict_despite_a_rename(base: Bases) -> None:
    folder = [SOFTWARE, category("hardware"), listing("software", "hardware")]
    plan = planned(folder, [TOOLS, HARDWARE, record()], base("tools"))
    assert codes(plan) == ["conflict"]


def test_another_change_of_a_listing_does_not_send_renamed_references(base: Bases) -> None:
    folder = [SOFTWARE, category("hardware"), listing("software", name="New")]
    plan = planned(folder, [TOOLS, HARDWARE, record("tools", name="Old")], base("tools"), Policy(on_conflict="ours"))
    assert of_listings(plan) == {"name": ("Old", "New")}
    (change,) = [change for change in plan.changes if change.kind is Kind.LISTING]
    assert change.untouched == {}


def test_a_category_stays_below_its_renamed_parent() -> None:
    child, its = category("child", parent_id="software"), there("child", 3, parent_id=referred("tools"))
    before = synced((category("tools"), TOOLS), (category("child", parent_id="tools"), its))
    assert reported(planned([SOFTWARE, child], [TOOLS, its], before)) == [("update", "software")]


def test_a_kept_rename_by_another_user_changes_no_listing(base: Bases) -> None:
    folder = [category("tools"), category("hardware"), listing("tools")]
    server = [there("renamed", 1), HARDWARE, record("renamed")]
    plan = planned(folder, server, base("tools"), Policy(on_drift="keep"))
    assert not plan
    assert [drift.entry.key for drift in plan.drift] == ["tools"]


def test_a_former_key_in_the_folder_means_the_renamed_category(base: Bases) -> None:
    folder = [SOFTWARE, category("hardware"), listing("tools")]
    assert of_listings(planned(folder, [TOOLS, HARDWARE, record("tools")], base("tools"))) == {}


PRICE = desired(Kind.CUSTOM_FIELD, "price", name="price", label="P", type="number")
PRICE_RECORD = actual(Kind.CUSTOM_FIELD, "price", 1, name="price", label="P", type="number")
COST = desired(Kind.CUSTOM_FIELD, "cost", notes=Notes(previous=("price",)), name="cost", label="P", type="number")


@pytest.mark.parametrize(
    ("after", "fields"),
    [({"cost": 5}, {}), ({"cost": 6}, {"cost": (5, 6)}), ({}, {"cost": (5, None)})],
    ids=["as it was", "another value", "none"],
)
def test_values_follow_their_renamed_custom_field(after: dict[str, Any], fields: dict[str, Any]) -> None:
    before = synced((PRICE, PRICE_RECORD), (listing(price=5), record(price=5)))
    plan = planned([COST, listing(**after)], [PRICE_RECORD, record(price=5)], before)
    assert (of_listings(plan), codes(plan), plan.drift_count) == (fields, [], 0)


def test_a_new_entry_refers_to_a_renamed_category_by_its_new_key(base: Bases) -> None:
    plan = planned([SOFTWARE, category("hardware"), listing("tools")], [TOOLS, HARDWARE], base())
    [created] = [change.entry for change in plan.changes if change.kind is Kind.LISTING]
    assert created.fields["categories"] == ["software"]


def test_a_new_entry_is_not_copied_without_a_renamed_category(base: Bases) -> None:
    new = listing("tools")
    plan = planned([category("tools"), category("hardware"), new], [TOOLS, HARDWARE], base())
    assert [change.entry is new for change in plan.changes] == [True]
