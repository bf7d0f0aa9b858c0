from typing import Any

import pytest

from contentsync.errors import UsageError
from contentsync.server.store import accounts

from .conftest import Owned


def test_an_email_address_is_case_insensitive(owned: Owned) -> None:
    with pytest.raises(UsageError, match="already"):
        owned.database.run_write(accounts.create_user, email="Ada@Example.com", name="Ada")
    assert owned.database.run_read(accounts.find_user, "ADA@example.com") == 1


@pytest.mark.parametrize(("email", "name"), [("ada", "Ada"), ("eve@example.com", " "), ("eve@example.com", "x" * 256)])
def test_a_user_requires_an_email_address_and_a_name(owned: Owned, email: str, name: str) -> None:
    with pytest.raises(UsageError):
        owned.database.run_write(accounts.create_user, email=email, name=name)
    assert len(owned.database.run_read(accounts.all_users)) == 1


def test_an_unknown_user_or_directory_is_refused_with_a_suggestion(owned: Owned) -> None:
    with pytest.raises(UsageError) as error:
        owned.database.run_read(accounts.find_user, "adda@example.com")
    assert error.value.hint == "did you mean 'ada@example.com'?"
    with pytest.raises(UsageError) as error:
        owned.database.run_read(accounts.find_directory, "tool")
    assert error.value.hint == "did you mean 'tools'?"


def test_a_name_that_is_not_unicode_is_unknown(owned: Owned) -> None:
    with pytest.raises(UsageError, match="no user"):
        owned.database.run_read(accounts.find_user, "ada\udcff@example.com")
    with pytest.raises(UsageError, match="no directory"):
        owned.database.run_read(accounts.find_directory, "tools\udcff")


@pytest.mark.parametrize(
    "settings",
    [
        {"slug": "Tools 2"},
        {"slug": "tools"},
        {"name": ""},
        {"domain": "https://tools.example.com"},
        {"domain": "tools.example.com/x"},
        {"domain": "Tools.example.com"},
        {"locales": ()},
        {"locales": ("en", "en")},
        {"locales": ("english!",)},
        {"expired": "delete"},
        {"organizers_prefix": "agencies"},
        {"locales": tuple(f"en-{number}" for number in range(10, 60))},
        {"organizers_prefix": "/a b"},
        {"organizers_prefix": "/blog"},
        {"organizers_prefix": "/categories/makers"},
        {"organizers_prefix": "/sites"},
        {"organizers_prefix": "/" + "a" * 255},
        {"organizers_label": " "},
        {"organizers_label": "a" * 256},
    ],
)
def test_a_directory_with_wrong_settings_is_not_created(owned: Owned, settings: dict[str, Any]) -> None:
    with pytest.raises(UsageError):
        owned.database.run_write(
            accounts.create_directory, **{"name": "More", "slug": "more", "owner_id": 1, **settings}
        )
    assert len(owned.database.run_read(accounts.all_directories)) == 1


def test_a_domain_belongs_to_one_directory(owned: Owned) -> None:
    owned.database.run_write(accounts.update_directory, 1, domain="tools.example.com")
    with pytest.raises(UsageError, match="another directory has the domain"):
        owned.database.run_write(
            accounts.create_directory, name="More", slug="more", owner_id=1, domain="tools.example.com"
        )


def test_an_update_keeps_settings_that_are_not_named(owned: Owned) -> None:
    before = owned.access.directory
    assert owned.database.run_write(accounts.update_directory, 1, expired="hide", organizers_label="Agency")
    after = owned.database.run_read(accounts.find_directory, "tools")
    assert (after.expired, after.organizers_label) == ("hide", "Agency")
    assert (after.name, after.locales, after.organizers_prefix) == (before.name, ("en", "fr"), "/organizers")
    assert after.updated_at > before.updated_at


def test_an_update_with_unchanged_settings_changes_nothing(owned: Owned) -> None:
    assert not owned.database.run_write(accounts.update_directory, 1, name="Tools", locales=("en", "fr"))
    assert owned.database.run_read(accounts.find_directory, "tools") == owned.access.directory


def test_a_submitter_can_be_added_twice(owned: Owned) -> None:
    eve = owned.database.run_write(accounts.create_user, email="eve@example.com", name="Eve")
    for _ in range(2):
        owned.database.run_write(accounts.add_submitter, directory_id=1, user_id=eve)
    principal = owned.database.run_read(accounts.principal_of, eve)
    assert [found.slug for found in owned.database.run_read(accounts.directories_of, principal)] == ["tools"]


@pytest.mark.parametrize("name", ["Ada\nuser 2: Eve", "Ada\t", "Ada\x9b31m", "Ada\u2028", "\u202eadA"])
def test_a_name_with_control_characters_is_refused(owned: Owned, name: str) -> None:
    """FI-06: a list of names would show lines that do not exist."""
    for create in (
        lambda connection: accounts.create_user(connection, email="eve@example.com", name=name),
        lambda connection: accounts.create_directory(connection, name=name, slug="eve", owner_id=1),
        lambda connection: accounts.update_directory(connection, 1, name=name),
        lambda connection: accounts.update_directory(connection, 1, organizers_label=name),
    ):
        with pytest.raises(UsageError, match="contains the control character"):
            owned.database.run_write(create)


def test_a_name_can_contain_joiners(owned: Owned) -> None:
    """Emoji and Persian words contain them."""
    name = "می\u200cخواهم 👩\u200d💻"
    owned.database.run_write(accounts.create_user, email="eve@example.com", name=name)
    assert owned.database.run_read(accounts.all_users)[-1]["name"] == name
