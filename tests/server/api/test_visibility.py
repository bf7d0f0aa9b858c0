"""The visibility of listings, which a request can include (docs/contract.md 2.3, 3, 14)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import refused_fields
from .samples import lathe

PAST, FUTURE = "2001-01-01", "2999-01-01"


def seen(api: Api, **fields: Any) -> str:
    """Return the visibility of a new listing, which is equal on its own and in the list."""
    listing = lathe(api, **fields)
    shown = api.show("projects", listing["id"], include="visibility_now")
    assert shown in api.all("projects", include="visibility_now")
    assert {**listing, "visibility_now": shown["visibility_now"]} == shown
    return str(shown["visibility_now"])


@pytest.mark.parametrize(
    ("dates", "badge", "hide"),
    [
        ({}, "visible", "visible"),
        ({"starts_at": PAST}, "visible", "visible"),
        ({"starts_at": FUTURE}, "hidden", "hidden"),
        ({"ends_at": FUTURE}, "visible", "visible"),
        ({"starts_at": PAST, "ends_at": PAST}, "expired", "hidden"),
    ],
)
def test_visibility_depends_on_the_time_and_the_expired_setting(
    api: Api, dates: dict[str, str], badge: str, hide: str
) -> None:
    """docs/contract.md 1, 3, 14."""
    hiding = api.service.directory("Fairs", api.user, expired="hide")
    assert (seen(api, **dates), seen(hiding, **dates)) == (badge, hide)


def test_a_listing_without_an_end_is_visible(api: Api) -> None:
    """docs/contract.md 3, 4.3.6."""
    listing = lathe(api, ends_at=PAST)
    api.change("projects", listing["id"], ends_at=None)
    assert api.show("projects", listing["id"], include="visibility_now")["visibility_now"] == "visible"


def test_visibility_is_returned_only_on_request_and_can_be_sent_back(api: Api) -> None:
    """docs/contract.md 11: a client may send back the values that it was shown."""
    listing = lathe(api)
    assert "visibility_now" not in listing
    assert api.change("projects", listing["id"], visibility_now="hidden") == listing


def test_includes_of_other_kinds_are_ignored_and_unknown_ones_refused(api: Api) -> None:
    """A client asks every kind the same (docs/contract.md 17: `?include=translations`)."""
    listing = lathe(api)
    assert api.all("projects", include="translations") == [listing]
    organizer = api.make("organizers", name="Atelier")
    assert api.all("organizers", include="visibility_now") == [organizer]
    assert refused_fields(api.get("/projects", include="visibility")) == {"include"}


def test_a_list_that_depends_on_the_time_is_never_a_304(api: Api) -> None:
    """docs/contract.md 18."""
    lathe(api)
    plain = api.get("/projects").headers["ETag"]
    asked = api.get("/projects", include="visibility_now").headers["ETag"]
    for known in (plain, asked):
        options = {"params": {"include": "visibility_now"}, "headers": {"If-None-Match": known}}
        assert api.request("GET", "/projects", **options).status_code == 200
