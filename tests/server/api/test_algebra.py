"""Properties of every record of a kind, with random content. docs/contract.md 4, 10, 11, 14."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentsync.model import Kind

from ...model.strategies import RECORDS_ON_THE_WIRE, URLS
from ..conftest import Api
from .answers import data

EVERY_KIND = pytest.mark.parametrize("kind", Kind)

# One directory holds the records of all examples: some of them meet.
briefly = settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

# Ids of other records, which the directory has not; and what is ignored: there may be numbers in it that JSON has not.
LEFT_OUT = {"categories", "parent_id", "user_id", "parent_title", "projects", "user"}


def bodies(kind: Kind) -> st.SearchStrategy[dict[str, Any]]:
    """Return bodies that create a record of the kind or find one."""

    def sendable(body: dict[str, Any], url: str) -> dict[str, Any]:
        values = {name: value for name, value in body.items() if name not in LEFT_OUT}
        if values.get("seo"):
            values["seo"] = {name: value for name, value in values["seo"].items() if name != "id"}
        return {**values, "url": url} if kind is Kind.LISTING else values

    return st.builds(sendable, RECORDS_ON_THE_WIRE[kind], URLS)


def made(api: Api, kind: Kind, body: dict[str, Any]) -> dict[str, Any]:
    """Return the record that was created or found."""
    response = api.post(f"/{kind.collection}", body)
    assert response.status_code in (200, 201), response.text
    record: dict[str, Any] = response.json()["data"]
    return record


def echo(record: dict[str, Any]) -> dict[str, Any]:
    """Return a record as a body; the references of a listing are ids."""
    names = ("categories", "tags", "organizers") if "listing_url" in record else ()
    return {**record, **{name: [other["id"] for other in record[name]] for name in names}}


@EVERY_KIND
def test_a_repeated_create_creates_one_record(bilingual: Api, kind: Kind) -> None:
    """docs/contract.md 1, 4.1.1, 4.2.1, 4.3.2, 10."""

    @briefly
    @given(bodies(kind))
    def once(body: dict[str, Any]) -> None:
        first = bilingual.post(f"/{kind.collection}", body)
        if kind is Kind.LISTING and first.status_code == 422:
            assert first.json()["errors"].keys() == {"slug"}  # that of another listing
            return
        count = len(bilingual.all(kind.collection))
        assert data(bilingual.post(f"/{kind.collection}", body), 200) == first.json()["data"]
        assert len(bilingual.all(kind.collection)) == count

    once()


@EVERY_KIND
def test_a_record_sent_back_unchanged_changes_nothing(bilingual: Api, kind: Kind) -> None:
    """docs/contract.md 11, 18: not even `updated_at`."""

    @briefly
    @given(bodies(kind))
    def nothing_changes(body: dict[str, Any]) -> None:
        body.pop("url", None)  # a listing is made each time, and its slug numbered
        if kind is Kind.LISTING:
            body.pop("slug", None)
        record = made(bilingual, kind, body)
        for read in ({}, {"include": "translations"}) if kind in (Kind.ARTICLE, Kind.ORGANIZER) else ({},):
            shown = bilingual.show(kind.collection, record["id"], **read)
            assert bilingual.change(kind.collection, record["id"], **echo(shown)) == record

    nothing_changes()


ITEMS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["Lathe", "lathe!", "Lathe 2", "Saw", ""])},
        optional={
            "slug": st.sampled_from(["lathe", "lathe-2", "saw", "No slug"]),
            "url": st.sampled_from(["https://a.example", "https://A.example/#x", "https://b.example", "nowhere"]),
            "tags": st.sampled_from([[], ["Free"], ["Free", "none"]]),
        },
    ),
    min_size=1,
    max_size=8,
)


def with_tags(items: list[dict[str, Any]], tag_id: int) -> list[dict[str, Any]]:
    """Return the items with the ids of their tags, one of which the directory has."""
    ids = {"Free": tag_id, "none": 999_999_999}
    return [{**item, "tags": [ids[tag] for tag in item["tags"]]} if "tags" in item else item for item in items]


def without_ids(listings: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    """Return what is equal in two directories: the listings, and which of them are the same record."""
    ids = [listing["id"] for listing in listings]
    return [
        (ids.index(listing["id"]), listing["name"], listing["slug"], listing["url"], len(listing["tags"]))
        for listing in listings
    ]


def test_a_bulk_create_equals_the_same_single_creates(api: Api) -> None:
    """docs/contract.md 4.3.3, 14."""

    @briefly
    @given(ITEMS)
    def assert_equal_items(items: list[dict[str, Any]]) -> None:
        one, many = (api.service.directory("Twins", api.user) for _ in range(2))
        answers = [one.post("/projects", item) for item in with_tags(items, one.make("tags", title="Free")["id"])]
        items = with_tags(items, many.make("tags", title="Free")["id"])
        bulk = many.post("/projects/bulk", {"listings": items}).json()
        made = [answer.json()["data"] for answer in answers if answer.status_code in (200, 201)]
        assert without_ids(bulk["data"]) == without_ids(made)
        assert bulk["total_created"] == sum(answer.status_code == 201 for answer in answers)
        refused = [place for place, answer in enumerate(answers) if answer.status_code == 422]
        assert [failed["index"] for failed in bulk["errors"]] == refused
        assert without_ids(many.all("projects")) == without_ids(one.all("projects"))

    assert_equal_items()
