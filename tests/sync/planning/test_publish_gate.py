"""Entries that would become public because nothing hides them any more (PL-23)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from contentsync.model import Entry, Kind
from contentsync.sync.planning.consents import Consents
from contentsync.sync.planning.plan import Policy
from contentsync.sync.planning.plan_builder import PlanFacts, make_plan

from ..bases import codes, synced
from ..entries import actual, desired
from .conftest import TypedSite

NOW = datetime(2026, 11, 29, tzinfo=UTC)


def drafts(count: int, hidden: str, *, column: bool = True) -> list[str]:
    """Return 30 rows of listings, of which the first are hidden."""
    flags = [hidden if number < count else "yes" for number in range(30)]
    return [f"L{n},https://{n}.example" + (f",{flag}" if column else "") for n, flag in enumerate(flags)]


def test_a_removed_column_publishes_drafts_only_with_consent(typed_site: TypedSite) -> None:
    typed_site.write_rows("name,url,is_active", drafts(10, "no"))
    typed_site.sync()
    typed_site.write_rows("name,url", drafts(10, "no", column=False))
    assert typed_site.refusals() == [("publish", "--allow-publish 10")]
    assert typed_site.messages() == [
        "10 hidden entries would become public, because the folder no longer sets is_active of 10: "
        "listing https://0.example, listing https://1.example, listing https://2.example, "
        "listing https://3.example, listing https://4.example and 5 more"
    ]
    for number in (9, 11):
        assert typed_site.refusals("--allow-publish", number) == [("publish", "--allow-publish 10")]
    typed_site.sync("--allow-publish", 10)


def test_an_emptied_cell_requires_consent_but_a_written_value_does_not(typed_site: TypedSite) -> None:
    typed_site.write_rows("name,url,is_active", drafts(10, "no"))
    typed_site.sync()
    typed_site.write_rows("name,url,is_active", drafts(10, ""))
    assert typed_site.refusals() == [("publish", "--allow-publish 10")]
    typed_site.write_rows("name,url,is_active", drafts(10, "yes"))
    assert typed_site.refusals() == []


@pytest.mark.parametrize(("key", "hidden"), [("is_published", "false"), ("draft", "true")])
def test_an_emptied_key_publishes_only_with_consent(typed_site: TypedSite, key: str, hidden: str) -> None:
    typed_site.write("contentsync.toml", '[content.pages]\nrename = { draft = "!is_published" }\n')

    def write(value: str) -> None:
        for name in "abcd":
            typed_site.write(f"pages/{name}.md", f"---\ntitle: {name}\n{key}: {value}\n---\n")

    write(hidden)
    typed_site.sync()
    write("")
    assert typed_site.refusals() == [("publish", "--allow-publish 4")]


def test_a_saved_plan_contains_the_consent_to_publish(typed_site: TypedSite) -> None:
    typed_site.write_rows("name,url,is_active", drafts(4, "no"))
    typed_site.sync()
    typed_site.write_rows("name,url", drafts(4, "no", column=False))
    file = typed_site.folder.parent / "plan.json"
    assert typed_site.run("plan", "--out", file, "--allow-publish", 4)[0] == 0
    typed_site.sync("--plan", file)


def refused(before: dict[str, Any], after: dict[str, Any], count: int = 4, policy: Policy | None = None) -> list[str]:
    """Return the codes of the refusals if this number of listings changes in the folder."""
    keys = [f"https://{number}.example" for number in range(count)]

    def listings(fields: dict[str, Any]) -> list[Entry]:
        return [desired(Kind.LISTING, key, url=key, name="L", **fields) for key in keys]

    there = [
        actual(Kind.LISTING, key, number, url=key, name="L", **{"is_active": True, **before})
        for number, key in enumerate(keys, 1)
    ]
    base = synced(*zip(listings(before), there, strict=True))
    return codes(make_plan(listings(after), there, base=base, policy=policy or Policy(), facts=PlanFacts(now=NOW)))


FUTURE, PAST = "2027-01-01T00:00:00Z", "2026-01-01T00:00:00Z"


@pytest.mark.parametrize("before", [{"is_active": False}, {"starts_at": FUTURE}, {"ends_at": PAST}], ids=str)
def test_each_removed_field_that_hid_an_entry_is_counted(before: dict[str, Any]) -> None:
    assert refused(before, {}) == ["publish"]
    assert refused(before, {}, count=3) == []
    assert refused(before, {}, policy=Policy(allowed=Consents(publish=4))) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"is_active": False}, {"is_active": True}),
        ({"is_active": False, "ends_at": PAST}, {"ends_at": PAST}),
        ({"starts_at": FUTURE}, {"starts_at": PAST}),
    ],
    ids=str,
)
def test_explicitly_published_or_still_hidden_entries_are_not_counted(
    before: dict[str, Any], after: dict[str, Any]
) -> None:
    assert refused(before, after) == []


def test_a_removed_date_that_hides_no_entry_counts_as_cleared() -> None:
    assert refused({"ends_at": FUTURE}, {}, count=12) == ["clears"]
    assert refused({"ends_at": PAST}, {}, count=12) == ["publish"]


def test_values_lost_beside_a_publication_count_as_cleared() -> None:
    assert refused({"is_active": False, "phone_number": "7"}, {}) == ["clears", "publish"]


def test_an_undo_publishes_without_consent() -> None:
    assert refused({"is_active": False}, {}, policy=Policy(of_folder=False)) == []
