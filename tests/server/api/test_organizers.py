"""Organizers (docs/contract.md 2.4, 4.4, 16, 13)."""

from typing import Any

import pytest

from ..conftest import Api
from .answers import data, errors, is_timestamp, refused_fields, require_message
from .samples import ids, lathe

ORGANIZER = {
    "id",
    "name",
    "slug",
    "description",
    "content",
    "logo",
    "logo_url",
    "cover_image",
    "cover_image_url",
    "email",
    "phone",
    "address",
    "website_url",
    "social_links",
    "user_id",
    "is_active",
    "order",
    "projects",
    "created_at",
    "updated_at",
}


def test_an_organizer_has_the_fields_of_the_contract(api: Api) -> None:
    """docs/contract.md 16."""
    organizer = api.make("organizers", name="Atelier 1")
    assert organizer.keys() >= ORGANIZER
    assert (organizer["slug"], organizer["is_active"], organizer["order"]) == ("atelier-1", True, 0)
    assert organizer["projects"] == []
    assert organizer["user_id"] is None
    assert is_timestamp(organizer["created_at"])


def test_an_organizer_is_stored_as_it_is_sent(api: Api) -> None:
    values: dict[str, Any] = {
        "name": "Café Bricole",
        "slug": "cafe",
        "description": "short",
        "content": "# Long",
        "logo_url": "https://example.org/l.png",
        "cover_image_url": "https://example.org/c.png",
        "email": "cafe@example.org",
        "phone": "+41 01 234",
        "address": "Lane 1",
        "website_url": "https://example.org",
        "social_links": {"mastodon": "https://example.org/@x"},
        "is_active": False,
        "order": 9,
    }
    organizer = api.make("organizers", **values)
    assert {name: organizer[name] for name in values} == values
    assert api.show("organizers", organizer["id"]) == organizer
    assert api.all("organizers") == [organizer]


def test_a_name_is_required(api: Api) -> None:
    """docs/contract.md 7.1."""
    assert errors(api.post("/organizers", {})) == {"name": ["name is required"]}


def test_an_uploaded_image_has_a_url_on_the_site(api: Api) -> None:
    """docs/contract.md 16."""
    organizer = api.make("organizers", name="Atelier", logo="logos/a.png", cover_image="covers/a.png")
    assert organizer["logo"] == "logos/a.png"
    assert organizer["logo_url"] == f"{api.site}/storage/logos/a.png"
    assert organizer["cover_image_url"] == f"{api.site}/storage/covers/a.png"


def test_the_url_of_an_uploaded_image_is_valid(api: Api) -> None:
    organizer = api.make("organizers", name="Atelier", logo="logos/un tour é?#.png")
    assert organizer["logo_url"] == f"{api.site}/storage/logos/un%20tour%20%C3%A9%3F%23.png"


def test_an_explicit_image_url_takes_precedence_over_an_uploaded_image(api: Api) -> None:
    """docs/contract.md 2.4, 16: use instead of `logo`; it falls back."""
    organizer = api.make("organizers", name="Atelier", logo="logos/a.png", logo_url="https://example.org/a.png")
    assert organizer["logo_url"] == "https://example.org/a.png"
    cleared = api.change("organizers", organizer["id"], logo_url=None)
    assert cleared["logo_url"] == f"{api.site}/storage/logos/a.png"
    assert api.change("organizers", organizer["id"], logo=None)["logo_url"] is None


def test_a_sent_back_image_address_is_not_stored(api: Api) -> None:
    """docs/contract.md 16: `logo_url` falls back; Errors: a client may send back the values that it was shown."""
    logo = "logos/" + "é" * 60 + ".png"  # its address is longer than a URL may be
    organizer = api.make("organizers", name="Atelier", logo=logo, cover_image="covers/a.png")
    echo = {"logo_url": organizer["logo_url"], "cover_image_url": organizer["cover_image_url"]}
    assert api.change("organizers", organizer["id"], **echo) == organizer
    assert data(api.post("/organizers", {"name": "Atelier", **echo})) == organizer
    changed = api.change("organizers", organizer["id"], logo="logos/b.png", **echo)
    assert changed["logo_url"] == f"{api.site}/storage/logos/b.png"
    assert api.change("organizers", organizer["id"], cover_image=None)["cover_image_url"] is None


def test_a_create_updates_an_organizer_with_the_same_slug(api: Api) -> None:
    """docs/contract.md 16: an upsert by slug, as for pages and articles."""
    made = api.make("organizers", name="Atelier", is_active=False, order=3)
    found = data(api.post("/organizers", {"name": "Atelier", "phone": "1"}), 200)
    assert (found["id"], found["is_active"], found["order"], found["phone"]) == (made["id"], False, 3, "1")
    found = data(api.post("/organizers", {"name": "Studio", "slug": "atelier"}), 200)
    assert (found["id"], found["name"], found["slug"]) == (made["id"], "Studio", "atelier")
    assert len(api.all("organizers")) == 1


def test_a_slug_does_not_follow_the_name(api: Api) -> None:
    """docs/contract.md 14."""
    organizer = api.make("organizers", name="Atelier")
    assert api.change("organizers", organizer["id"], name="Studio")["slug"] == "atelier"


def test_a_slug_of_another_organizer_is_refused_on_update(api: Api) -> None:
    api.make("organizers", name="Atelier")
    studio = api.make("organizers", name="Studio")
    assert refused_fields(api.put(f"/organizers/{studio['id']}", {"slug": "atelier"})) == {"slug"}
    assert api.change("organizers", studio["id"], slug="studio-1")["slug"] == "studio-1"


def test_an_update_changes_only_the_fields_sent(api: Api) -> None:
    """docs/contract.md 4.4."""
    organizer = api.make("organizers", name="Atelier", phone="1", social_links={"github": "https://github.com/x"})
    changed = api.change("organizers", organizer["id"], phone="2")
    assert changed == {**organizer, "phone": "2", "updated_at": changed["updated_at"]}
    assert changed["updated_at"] > organizer["updated_at"]


def test_null_clears_an_optional_field(api: Api) -> None:
    """docs/contract.md 10."""
    organizer = api.make(
        "organizers", name="Atelier", phone="1", email="a@example.org", website_url="https://a.example"
    )
    changed = api.change("organizers", organizer["id"], phone=None, email=None, website_url=None)
    assert (changed["phone"], changed["email"], changed["website_url"]) == (None, None, None)


@pytest.mark.parametrize("field", ["name", "slug", "is_active", "order"])
def test_null_is_refused_for_a_required_field(api: Api, field: str) -> None:
    organizer = api.make("organizers", name="Atelier")
    assert refused_fields(api.put(f"/organizers/{organizer['id']}", {field: None})) == {field}


@pytest.mark.parametrize("path", ["../../.env", "/etc/passwd", "file:///x"])
def test_an_image_path_must_stay_in_its_folder(api: Api, path: str) -> None:
    """docs/faults.md FI-31."""
    assert refused_fields(api.post("/organizers", {"name": "Atelier", "logo": path})) == {"logo"}


def test_organizers_can_be_managed_while_their_pages_are_disabled(api: Api) -> None:
    """docs/contract.md 3.4."""
    quiet = api.service.directory("Quiet", api.user, organizers_enabled=False)
    organizer = quiet.make("organizers", name="Atelier")
    assert quiet.change("organizers", organizer["id"], is_active=False)["is_active"] is False
    assert [shown["is_active"] for shown in quiet.all("organizers")] == [False]
    assert ids(lathe(quiet, organizers=[organizer["id"]])["organizers"]) == [organizer["id"]]
    assert quiet.delete(f"/organizers/{organizer['id']}").status_code == 200


def test_organizers_are_listed_by_order_and_then_by_id(api: Api) -> None:
    """docs/contract.md 2.4."""
    for name, order in (("D", 5), ("B", 0), ("C", 0), ("A", -1)):
        api.make("organizers", name=name, order=order)
    assert [organizer["name"] for organizer in api.all("organizers")] == ["A", "B", "C", "D"]


# listings


def test_an_organizer_contains_its_listings(api: Api) -> None:
    """docs/contract.md 1, 4.4, 16."""
    organizer = api.make("organizers", name="Atelier")
    listings = [api.make("projects", name=name, organizers=[organizer["id"]]) for name in ("Lathe", "Saw")]
    api.make("projects", name="Other")
    shown = api.show("organizers", organizer["id"])
    assert sorted(shown["projects"], key=lambda project: project["id"]) == [
        {"id": listing["id"], "name": listing["name"]} for listing in listings
    ]
    assert api.all("organizers") == [shown]


def test_one_listing_can_have_many_organizers(api: Api) -> None:
    """docs/contract.md 4.4.4."""
    both = [api.make("organizers", name=name)["id"] for name in ("Atelier", "Studio")]
    listing = api.make("projects", name="Lathe", organizers=both)
    for organizer_id in both:
        assert [project["id"] for project in api.show("organizers", organizer_id)["projects"]] == [listing["id"]]


def test_listings_cannot_be_assigned_in_an_organizer(api: Api) -> None:
    """docs/contract.md 4.4.3, 11: `projects` is accepted and ignored."""
    listing = api.make("projects", name="Lathe")
    organizer = api.make("organizers", name="Atelier", projects=[{"id": listing["id"], "name": "Lathe"}])
    assert organizer["projects"] == []
    assert api.show("projects", listing["id"])["organizers"] == []


def test_delete_removes_the_organizer_and_its_associations(api: Api) -> None:
    """docs/contract.md 4.4, 10."""
    organizer = api.make("organizers", name="Atelier")
    listing = api.make("projects", name="Lathe", organizers=[organizer["id"]])
    assert require_message(api.delete(f"/organizers/{organizer['id']}"), 200) == "Organizer deleted successfully"
    require_message(api.get(f"/organizers/{organizer['id']}"), 404)
    shown = api.show("projects", listing["id"])
    assert shown["organizers"] == []
    assert shown["updated_at"] > listing["updated_at"]


def test_organizers_are_listed_without_pages(api: Api) -> None:
    """docs/contract.md 10."""
    for number in range(101):
        api.make("organizers", name=f"Atelier {number}")
    response = api.get("/organizers")
    assert response.json().keys() == {"data"}
    assert len(data(response)) == 101


# users


def test_the_owner_or_a_submitter_can_be_assigned_to_an_organizer(api: Api, submitter: Api) -> None:
    """docs/contract.md 2.4, 13."""
    assert api.make("organizers", name="Atelier", user_id=api.user.id)["user_id"] == api.user.id
    assert api.make("organizers", name="Studio", user_id=submitter.user.id)["user_id"] == submitter.user.id


def test_a_user_can_manage_only_one_organizer_of_a_directory(api: Api, submitter: Api) -> None:
    """docs/contract.md 4.4.5, 13."""
    atelier = api.make("organizers", name="Atelier", user_id=submitter.user.id)
    assert refused_fields(api.post("/organizers", {"name": "Studio", "user_id": submitter.user.id})) == {"user_id"}
    studio = api.make("organizers", name="Studio")
    assert refused_fields(api.put(f"/organizers/{studio['id']}", {"user_id": submitter.user.id})) == {"user_id"}
    assert api.change("organizers", atelier["id"], user_id=submitter.user.id)["user_id"] == submitter.user.id
    assert api.change("organizers", atelier["id"], user_id=None)["user_id"] is None
    assert api.change("organizers", studio["id"], user_id=submitter.user.id)["user_id"] == submitter.user.id


def test_a_user_can_manage_one_organizer_in_each_directory(api: Api, bilingual: Api) -> None:
    """docs/contract.md 4.4.5: per directory."""
    for directory in (api, bilingual):
        assert directory.make("organizers", name="Atelier", user_id=api.user.id)["user_id"] == api.user.id


@pytest.mark.parametrize("user_id", [999_999_999, 0, -1, 2**70])
def test_a_user_without_access_to_the_directory_is_refused(api: Api, other: Api, user_id: int) -> None:
    """docs/contract.md 13; docs/faults.md AU-06."""
    assert refused_fields(api.post("/organizers", {"name": "Atelier", "user_id": user_id})) == {"user_id"}
    foreign = errors(api.post("/organizers", {"name": "Atelier", "user_id": other.user.id}))
    absent = errors(api.post("/organizers", {"name": "Atelier", "user_id": 999_999_999}))
    assert str(foreign).replace(str(other.user.id), "999999999") == str(absent)


@pytest.mark.parametrize("record_id", ["999999999", "99999999999999999999"])
def test_a_missing_organizer_is_a_404(api: Api, record_id: str) -> None:
    require_message(api.get(f"/organizers/{record_id}"), 404)
    require_message(api.put(f"/organizers/{record_id}", {"name": "x"}), 404)
    require_message(api.delete(f"/organizers/{record_id}"), 404)
