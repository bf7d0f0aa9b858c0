"""The account (docs/contract.md 13, 5)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from contentsync.server.store import tokens

from ..conftest import Api, Service
from ..processes import admin
from .answers import data, require_message


def test_the_user_is_returned_as_a_bare_object(api: Api) -> None:
    response = api.service.request("GET", "/api/user", headers=api.headers)
    assert response.status_code == 200
    assert response.json() == {"id": api.user.id, "name": "Ada", "email": api.user.email}


def test_the_directories_of_a_user_are_listed_with_four_fields(api: Api, other: Api) -> None:
    assert data(api.service.request("GET", "/api/directories", headers=api.headers)) == [
        {"id": api.directory_id, "name": "Tools", "slug": api.slug, "domain": None}
    ]


def test_the_directories_of_a_user_are_paginated_on_request(api: Api) -> None:
    owner = api.service.user("Grace")
    made = [api.service.directory(f"Paged{number}", owner) for number in range(101)]

    def listed(query: str) -> Any:
        response = api.service.request("GET", f"/api/directories{query}", headers=made[0].headers)
        assert response.status_code == 200
        return response.json()

    assert listed("").keys() == {"data"}
    assert len(listed("")["data"]) == 101
    first, second = listed("?page=1"), listed("?page=2")
    assert first["data"] + second["data"] == listed("")["data"]
    assert second["meta"] == {"current_page": 2, "from": 101, "last_page": 2, "per_page": 100, "to": 101, "total": 101}
    assert first["links"]["next"].endswith("/api/directories?page=2")
    wrong = api.service.request("GET", "/api/directories?page=0", headers=api.headers)
    assert wrong.status_code == 422


def test_all_directories_of_a_user_are_listed(api: Api, bilingual: Api) -> None:
    listed = data(api.service.request("GET", "/api/directories", headers=api.headers))
    assert {directory["id"] for directory in listed} == {api.directory_id, bilingual.directory_id}


def test_a_user_without_a_directory_gets_an_empty_list(service: Service) -> None:
    _, secret = service.token(service.user("Zoe"))
    assert data(service.request("GET", "/api/directories", headers={"Authorization": f"Bearer {secret}"})) == []


def test_the_directory_of_a_submitter_is_listed(submitter: Api) -> None:
    listed = data(submitter.service.request("GET", "/api/directories", headers=submitter.headers))
    assert [directory["id"] for directory in listed] == [submitter.directory_id]


def test_one_directory_is_shown_with_its_settings(bilingual: Api) -> None:
    shown = data(bilingual.get(""))
    assert shown["id"] == bilingual.directory_id
    assert shown["name"] == "Ateliers"
    assert shown["slug"] == bilingual.slug
    assert shown["domain"] is None
    assert shown["locales"] == ["en", "fr"]


def test_a_directory_can_have_a_domain(api: Api) -> None:
    shops = api.service.directory("Shops", api.user, domain="account.example.org")
    assert data(shops.get(""))["domain"] == "account.example.org"


def test_a_token_can_be_bound_to_one_directory(api: Api, bilingual: Api) -> None:
    bound = api.limited(directory_id=api.directory_id)
    assert bound.get("").status_code == 200
    assert require_message(bound.at(bilingual.directory_id).get(""), 403) == "You do not own this directory"
    listed = data(bound.service.request("GET", "/api/directories", headers=bound.headers))
    assert [directory["id"] for directory in listed] == [api.directory_id]


def test_a_user_can_have_several_tokens(api: Api) -> None:
    second = api.limited()
    assert second.token != api.token
    assert second.get("").status_code == api.get("").status_code == 200


def test_a_revoked_token_is_refused_at_once(api: Api) -> None:
    """docs/contract.md 11; docs/faults.md AU-03."""
    token_id, secret = api.service.token(api.user)
    headers = {"Authorization": f"Bearer {secret}"}
    assert api.service.request("GET", "/api/user", headers=headers).status_code == 200
    api.service.run(lambda connection: tokens.revoke_token(connection, token_id))
    assert require_message(api.service.request("GET", "/api/user", headers=headers), 401) == "Unauthenticated."
    assert api.get("").status_code == 200


def test_a_token_revoked_by_another_process_is_refused_for_cached_pages_too(api: Api) -> None:
    """docs/contract.md 11; docs/faults.md AU-03."""
    token_id, secret = api.service.token(api.user)
    revoked = replace(api, token=secret)
    listing = api.make("projects", name="Lathe")
    for _ in range(3):
        assert revoked.all("projects") == [listing]
    etag = revoked.get("/projects").headers["ETag"]
    admin(api.service.url, "token", "revoke", str(token_id))
    require_message(revoked.get("/projects"), 401)
    require_message(revoked.request("GET", "/projects", headers={"If-None-Match": etag}), 401)
    assert api.all("projects") == [listing]


def test_an_expired_token_is_refused_for_cached_pages_too(api: Api) -> None:
    """docs/contract.md 13; docs/faults.md AU-02."""
    end = datetime.now(UTC) + timedelta(seconds=0.3)
    ending = api.limited(expires_at=end)
    while ending.get("/projects").status_code == 200:
        assert datetime.now(UTC) < end + timedelta(seconds=1)
    assert datetime.now(UTC) >= end
    require_message(ending.get("/projects"), 401)


def test_a_page_cached_for_one_tenant_is_never_sent_to_another(api: Api, other: Api) -> None:
    """AU-14."""
    api.make("projects", name="Lathe")
    other.make("projects", name="Espresso")
    for _ in range(3):
        assert [each["name"] for each in api.all("projects")] == ["Lathe"]
        assert [each["name"] for each in other.all("projects")] == ["Espresso"]
        require_message(other.at(api.directory_id).get("/projects"), 403)
        require_message(other.at(api.directory_id).request("GET", "/projects", headers={"If-None-Match": "*"}), 403)
        require_message(replace(api, token=f"{api.token[:-1]}~").get("/projects"), 401)


def test_a_removed_role_is_refused_in_the_next_request(api: Api, submitter: Api) -> None:
    """docs/faults.md AU-03."""
    listing = submitter.make("projects", name="Lathe")
    removal = f"DELETE FROM submitters WHERE user_id = {submitter.user.id}"
    api.service.run(lambda connection: connection.run(removal))
    for response in (submitter.get("/projects"), submitter.put(f"/projects/{listing['id']}", {"name": "Saw"})):
        assert require_message(response, 403) == "You do not own this directory"
    assert submitter.service.request("GET", "/api/user", headers=submitter.headers).status_code == 200


def test_a_former_owner_of_a_directory_is_refused_in_the_next_request(api: Api, other: Api) -> None:
    """docs/faults.md AU-03."""
    given_away = {"owner_id": other.user.id}
    api.service.run(lambda connection: connection.update("directories", api.directory_id, given_away))
    require_message(api.get("/pages"), 403)
    assert other.at(api.directory_id).get("/pages").status_code == 200


def test_a_directory_shows_its_expired_and_organizer_settings(api: Api) -> None:
    """docs/contract.md 1, 2.3, 3, 4.4.7, 17."""
    plain = data(api.get(""))
    assert plain["expired"] == "badge"
    assert plain["organizers"] == {"enabled": True, "prefix": "/organizers", "label": "Organizer"}
    settings = {"organizers_enabled": False, "organizers_prefix": "/agencies", "organizers_label": "Agency"}
    shown = data(api.service.directory("Agencies", api.user, expired="hide", **settings).get(""))
    assert shown["expired"] == "hide"
    assert shown["organizers"] == {"enabled": False, "prefix": "/agencies", "label": "Agency"}


def test_a_directory_shows_the_address_of_its_site(api: Api) -> None:
    assert data(api.get(""))["url"].endswith(f"/sites/{data(api.get(''))['slug']}/")
    assert data(api.service.directory("Own", api.user, domain="own.example").get(""))["url"] == "https://own.example/"
