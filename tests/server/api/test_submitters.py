"""Submitters (docs/contract.md 13, 1, 4.4.5). The API calls listings `projects`."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, refused_fields, require_message


def denied(response: Any) -> bool:
    """Return whether the answer refuses the request for a missing right and has the usual message."""
    return response.status_code == 403 and bool(response.json()["message"])


def assigned_organizer(api: Api, submitter: Api, **fields: Any) -> dict[str, Any]:
    """Create an organizer as the owner, and assign it to the submitter, who then manages it."""
    return api.make("organizers", **{"name": "Atelier", "user_id": submitter.user.id, **fields})


def test_a_submitter_can_read_everything(api: Api, submitter: Api) -> None:
    api.make("pages", title="About")
    api.make("articles", title="News", markdown="x")
    api.make("projects", name="Lathe")
    api.make("organizers", name="Atelier")
    api.make("categories", title="Wood")
    api.make("tags", title="Free")
    api.make("custom-fields", label="Fee", type="number")
    for collection in ("pages", "articles", "projects", "organizers", "categories", "tags", "custom-fields"):
        assert submitter.all(collection) == api.all(collection)
        assert submitter.show(collection, api.all(collection)[0]["id"])


@pytest.mark.parametrize(
    ("collection", "body", "change"),
    [
        ("pages", {"title": "A"}, {"order": 1}),
        ("articles", {"title": "A", "markdown": "x"}, {"markdown": "y"}),
        ("categories", {"title": "A"}, {"order": 1}),
        ("tags", {"title": "A"}, {"icon": "x"}),
        ("custom-fields", {"label": "A", "type": "text"}, {"order": 1}),
        ("organizers", {"name": "A"}, {"order": 1}),
        ("projects", {"name": "A"}, {"description": "x"}),
    ],
)
def test_a_submitter_cannot_change_records_of_others(
    api: Api, submitter: Api, collection: str, body: dict[str, Any], change: dict[str, Any]
) -> None:
    made = api.make(collection, **body)
    assert denied(submitter.put(f"/{collection}/{made['id']}", change))
    assert denied(submitter.delete(f"/{collection}/{made['id']}"))
    if collection in ("pages", "articles"):
        assert denied(submitter.patch(f"/{collection}/{made['id']}/toggle"))
    assert api.show(collection, made["id"]) == made


@pytest.mark.parametrize(("method", "body"), [("PUT", {"order": 1}), ("DELETE", None)])
def test_permissions_are_checked_before_conditions(api: Api, submitter: Api, method: str, body: Any) -> None:
    """docs/contract.md 18: a 409 reveals nothing about a record that the user may not change."""
    path = f"/organizers/{api.make('organizers', name='A')['id']}"
    assert denied(submitter.request(method, path, json=body, headers={"If-Match": '"old"'}))


@pytest.mark.parametrize(
    ("collection", "body"),
    [
        ("pages", {"title": "A"}),
        ("articles", {"title": "A", "markdown": "x"}),
        ("categories", {"title": "A"}),
        ("tags", {"title": "A"}),
        ("custom-fields", {"label": "A", "type": "text"}),
    ],
)
def test_a_submitter_cannot_create_or_upsert_other_kinds(
    api: Api, submitter: Api, collection: str, body: dict[str, Any]
) -> None:
    assert denied(submitter.post(f"/{collection}", body))
    assert api.all(collection) == []
    made = api.make(collection, **body)
    assert denied(submitter.post(f"/{collection}", body))
    assert api.show(collection, made["id"]) == made


def test_a_submitter_can_create_and_edit_own_listings(submitter: Api) -> None:
    listing = submitter.make("projects", name="Lathe", url="https://example.org")
    assert submitter.change("projects", listing["id"], description="x")["description"] == "x"


def test_a_submitter_can_delete_own_listings(submitter: Api) -> None:
    """docs/contract.md 19."""
    listing = submitter.make("projects", name="Lathe")
    assert require_message(submitter.delete(f"/projects/{listing['id']}"), 200) == "Listing deleted successfully"
    assert submitter.all("projects") == []


def test_a_submitter_cannot_delete_other_records(api: Api, submitter: Api) -> None:
    """docs/contract.md 13, 19."""
    listing, own = api.make("projects", name="Lathe"), assigned_organizer(api, submitter)
    others = api.submitter("Mallory").make("projects", name="Saw")
    assert denied(submitter.delete(f"/projects/{listing['id']}"))
    assert denied(submitter.delete(f"/projects/{others['id']}"))
    assert denied(submitter.delete(f"/organizers/{own['id']}"))
    assert submitter.all("projects") == [listing, others]
    assert submitter.show("organizers", own["id"]) == own


@pytest.mark.parametrize("field", [{"is_featured": True}, {"head_html": "<meta name='x'>"}], ids=["featured", "head"])
def test_a_submitter_cannot_set_fields_of_the_owner(api: Api, submitter: Api, field: dict[str, Any]) -> None:
    """docs/contract.md 19."""
    assert refused_fields(submitter.post("/projects", {"name": "Lathe", **field})) == set(field)
    bulk = submitter.post("/projects/bulk", {"listings": [{"name": "Lathe", **field}, {"name": "Saw"}]}).json()
    assert ([error["index"] for error in bulk["errors"]], bulk["total_created"]) == ([0], 1)
    listing = submitter.make("projects", name="Drill")
    path = f"/projects/{listing['id']}"
    assert refused_fields(submitter.put(path, field)) == set(field)
    assert submitter.show("projects", listing["id"]) == listing


@pytest.mark.parametrize(
    ("set_by_owner", "cleared"),
    [({"is_featured": True}, {"is_featured": False}), ({"head_html": "<meta name='x'>"}, {"head_html": None})],
    ids=["featured", "head"],
)
def test_a_submitter_can_send_back_but_not_clear_a_value_of_the_owner(
    api: Api, submitter: Api, set_by_owner: dict[str, Any], cleared: dict[str, Any]
) -> None:
    """docs/contract.md 19: a program may send a whole record with one changed field."""
    listing = submitter.make("projects", name="Drill")
    api.change("projects", listing["id"], **set_by_owner)
    assert refused_fields(submitter.put(f"/projects/{listing['id']}", cleared)) == set(cleared)
    assert submitter.change("projects", listing["id"], description="x", **set_by_owner)["description"] == "x"


def test_an_empty_value_of_an_owner_field_is_not_a_change(submitter: Api) -> None:
    submitter.make("projects", name="Lathe", is_featured=False, head_html=None)
    listing = submitter.make("projects", name="Saw", is_featured=False, head_html="")
    assert submitter.change("projects", listing["id"], is_featured=False, head_html=None)["head_html"] is None


def test_a_submitter_cannot_change_the_slug_of_an_organizer(api: Api, submitter: Api) -> None:
    """docs/contract.md 19."""
    own = assigned_organizer(api, submitter)
    assert refused_fields(submitter.put(f"/organizers/{own['id']}", {"slug": "other"})) == {"slug"}
    changed = submitter.change("organizers", own["id"], name="Studio", slug=own["slug"])
    assert (changed["name"], changed["slug"]) == ("Studio", own["slug"])
    assert api.change("organizers", own["id"], slug="other")["slug"] == "other"


@pytest.mark.parametrize("organizers", ["none", "others"])
def test_a_submitter_cannot_remove_the_link_to_the_own_organizer(api: Api, submitter: Api, organizers: str) -> None:
    """docs/contract.md 19."""
    own, other = assigned_organizer(api, submitter), api.make("organizers", name="Studio")
    listing = submitter.make("projects", name="Lathe")
    assigned = [] if organizers == "none" else [other["id"]]
    assert refused_fields(submitter.put(f"/projects/{listing['id']}", {"organizers": assigned})) == {"organizers"}
    assert submitter.show("projects", listing["id"]) == listing
    both = submitter.change("projects", listing["id"], organizers=[other["id"], own["id"]])
    assert {organizer["id"] for organizer in both["organizers"]} == {other["id"], own["id"]}
    assert api.change("projects", listing["id"], organizers=assigned)["organizers"] != both["organizers"]


def test_the_owner_can_edit_and_delete_the_listing_of_a_submitter(api: Api, submitter: Api) -> None:
    listing = submitter.make("projects", name="Lathe")
    assert api.change("projects", listing["id"], name="Saw")["name"] == "Saw"
    assert submitter.change("projects", listing["id"], name="Drill")["name"] == "Drill"
    assert api.delete(f"/projects/{listing['id']}").status_code == 200


def test_a_submitter_cannot_edit_the_listing_of_another_submitter(api: Api, submitter: Api) -> None:
    second = api.submitter("Mallory")
    listing = submitter.make("projects", name="Lathe")
    assert denied(second.put(f"/projects/{listing['id']}", {"name": "Mine"}))
    assert second.show("projects", listing["id"]) == listing


def test_a_submitter_gets_an_existing_listing_by_url_but_cannot_edit_it(api: Api, submitter: Api) -> None:
    """docs/contract.md 4.3.2."""
    made = api.make("projects", name="Lathe", url="https://example.org")
    assert data(submitter.post("/projects", {"name": "Mine", "url": "https://example.org"}), 200) == made
    assert denied(submitter.put(f"/projects/{made['id']}", {"name": "Mine"}))


def test_a_submitter_can_edit_only_the_own_organizer(api: Api, submitter: Api) -> None:
    own = assigned_organizer(api, submitter)
    other = api.make("organizers", name="Studio")
    assert submitter.change("organizers", own["id"], phone="1")["phone"] == "1"
    assert denied(submitter.put(f"/organizers/{other['id']}", {"phone": "1"}))
    assert denied(submitter.delete(f"/organizers/{own['id']}"))


def test_a_submitter_can_create_an_own_organizer(api: Api, submitter: Api) -> None:
    own = submitter.make("organizers", name="Atelier")
    assert own["user_id"] == submitter.user.id
    assert submitter.change("organizers", own["id"], phone="1")["phone"] == "1"
    assert [organizer["id"] for organizer in submitter.make("projects", name="Lathe")["organizers"]] == [own["id"]]


def test_a_submitter_can_create_only_one_organizer(api: Api, submitter: Api) -> None:
    """docs/contract.md 4.4.5."""
    own = submitter.make("organizers", name="Atelier")
    assert submitter.post("/organizers", {"name": "Studio"}).status_code in (403, 422)
    assert api.all("organizers") == [own]


def test_a_submitter_cannot_assign_its_organizer_to_another_user(api: Api, submitter: Api) -> None:
    own = assigned_organizer(api, submitter)
    second = api.submitter("Mallory")
    for user_id in (api.user.id, second.user.id):
        assert submitter.put(f"/organizers/{own['id']}", {"user_id": user_id}).status_code in (403, 422)
    assert api.show("organizers", own["id"])["user_id"] == submitter.user.id


def test_a_submitter_cannot_take_over_an_organizer(api: Api, submitter: Api) -> None:
    """docs/contract.md 1: an organizer is assigned to a submitter, who then manages that profile."""
    made = api.make("organizers", name="Atelier")
    assert denied(submitter.put(f"/organizers/{made['id']}", {"user_id": submitter.user.id}))
    assert denied(submitter.post("/organizers", {"name": "Atelier", "user_id": submitter.user.id}))
    assert api.show("organizers", made["id"])["user_id"] is None


def test_the_listing_of_a_submitter_is_linked_to_the_own_organizer(api: Api, submitter: Api) -> None:
    """docs/contract.md 4.4.5, 13."""
    own = assigned_organizer(api, submitter)
    listing = submitter.make("projects", name="Lathe")
    assert listing["organizers"] == [{"id": own["id"], "name": "Atelier", "slug": "atelier"}]
    assert api.show("organizers", own["id"])["projects"] == [{"id": listing["id"], "name": "Lathe"}]


def test_the_own_organizer_is_added_to_the_sent_organizers(api: Api, submitter: Api) -> None:
    """docs/contract.md 14."""
    own = assigned_organizer(api, submitter)
    other = api.make("organizers", name="Studio")
    for assigned in ([other["id"]], [other["id"], own["id"]]):
        listing = submitter.make("projects", name="Lathe", organizers=assigned)
        assert {organizer["id"] for organizer in listing["organizers"]} == {own["id"], other["id"]}


def test_bulk_listings_of_a_submitter_are_linked_too(api: Api, submitter: Api) -> None:
    """docs/contract.md 4.4.5."""
    own = assigned_organizer(api, submitter)
    response = submitter.post("/projects/bulk", {"listings": [{"name": "Lathe"}, {"name": "Saw", "organizers": []}]})
    assert [[organizer["id"] for organizer in listing["organizers"]] for listing in data(response)] == [
        [own["id"]],
        [own["id"]],
    ]


def test_the_listing_of_an_owner_with_an_organizer_is_linked(api: Api) -> None:
    """docs/contract.md 4.4.5: listings newly created by the assigned user."""
    own = api.make("organizers", name="Atelier", user_id=api.user.id)
    assert [organizer["id"] for organizer in api.make("projects", name="Lathe")["organizers"]] == [own["id"]]


def test_an_update_adds_no_organizer(api: Api, submitter: Api) -> None:
    """docs/contract.md 4.4.5: newly created."""
    listing = submitter.make("projects", name="Lathe")
    assigned_organizer(api, submitter)
    assert submitter.change("projects", listing["id"], description="x")["organizers"] == []


def test_an_existing_listing_is_not_linked(api: Api, submitter: Api) -> None:
    """docs/contract.md 4.3.2: returned as is."""
    assigned_organizer(api, submitter)
    made = api.make("projects", name="Lathe", url="https://example.org")
    assert data(submitter.post("/projects", {"name": "x", "url": "https://example.org"}), 200) == made


def test_a_submitter_of_one_directory_has_no_access_to_another(other: Api, submitter: Api) -> None:
    response = submitter.at(other.directory_id).get("/pages")
    assert response.status_code == 403
    assert response.json() == {"message": "You do not own this directory"}
