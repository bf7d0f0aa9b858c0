"""The account (resolved.md, Account; service-api.md 5)."""

from contentsync.server.store import tokens

from ..conftest import Api, Service
from .answers import data, message


def test_who_am_i_answers_a_bare_object(api: Api) -> None:
    response = api.service.request("GET", "/api/user", headers=api.headers)
    assert response.status_code == 200
    assert response.json() == {"id": api.user.id, "name": "Ada", "email": api.user.email}


def test_my_directories_are_listed_with_four_fields(api: Api, other: Api) -> None:
    assert data(api.service.request("GET", "/api/directories", headers=api.headers)) == [
        {"id": api.directory_id, "name": "Tools", "slug": api.slug, "domain": None}
    ]


def test_all_of_my_directories_are_listed(api: Api, bilingual: Api) -> None:
    listed = data(api.service.request("GET", "/api/directories", headers=api.headers))
    assert {directory["id"] for directory in listed} == {api.directory_id, bilingual.directory_id}


def test_a_user_without_a_directory_has_none(service: Service) -> None:
    _, secret = service.token(service.user("Zoe"))
    assert data(service.request("GET", "/api/directories", headers={"Authorization": f"Bearer {secret}"})) == []


def test_a_submitters_directory_is_listed(submitter: Api) -> None:
    listed = data(submitter.service.request("GET", "/api/directories", headers=submitter.headers))
    assert [directory["id"] for directory in listed] == [submitter.directory_id]


def test_one_directory_is_shown_with_its_settings(bilingual: Api) -> None:
    shown = data(bilingual.get(""))
    assert shown["id"] == bilingual.directory_id
    assert shown["name"] == "Ateliers"
    assert shown["slug"] == bilingual.slug
    assert shown["domain"] is None
    assert shown["locales"] == ["en", "fr"]


def test_a_directory_may_have_a_domain(api: Api) -> None:
    shops = api.service.directory("Shops", api.user, domain="account.example.org")
    assert data(shops.get(""))["domain"] == "account.example.org"


def test_a_token_may_be_bound_to_one_directory(api: Api, bilingual: Api) -> None:
    bound = api.limited(directory_id=api.directory_id)
    assert bound.get("").status_code == 200
    assert message(bound.at(bilingual.directory_id).get(""), 403) == "You do not own this directory"
    listed = data(bound.service.request("GET", "/api/directories", headers=bound.headers))
    assert [directory["id"] for directory in listed] == [api.directory_id]


def test_a_user_may_have_several_tokens(api: Api) -> None:
    second = api.limited()
    assert second.token != api.token
    assert second.get("").status_code == api.get("").status_code == 200


def test_a_revoked_token_is_refused_at_once(api: Api) -> None:
    token_id, secret = api.service.token(api.user)
    headers = {"Authorization": f"Bearer {secret}"}
    assert api.service.request("GET", "/api/user", headers=headers).status_code == 200
    api.service.run(lambda connection: tokens.revoke_token(connection, token_id))
    assert message(api.service.request("GET", "/api/user", headers=headers), 401) == "Unauthenticated."
    assert api.get("").status_code == 200
