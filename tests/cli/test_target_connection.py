import asyncio
from pathlib import Path

import pytest

from contentsync.cli.target_connection import EMBEDDED_TARGET, choose_target, connect, target_address
from contentsync.content.config.config_tables import Target
from contentsync.content.folder.load import load_content
from contentsync.errors import Denied, Refused, UsageError

from ..exit_codes import REFUSED

LOCAL = Target(name="local", url="embedded:.contentsync/site.db")
STAGING = Target(name="staging", url="https://staging.example.com", directory=7)
PRODUCTION = Target(name="production", url="https://directory.example.com", directory=42)
TARGETS = {target.name: target for target in (LOCAL, STAGING, PRODUCTION)}


def test_a_folder_without_targets_uses_the_embedded_server() -> None:
    assert choose_target({}, default=None, name=None, environ={}) == EMBEDDED_TARGET
    assert choose_target({}, default=None, name="local", environ={}) == EMBEDDED_TARGET


def test_the_option_takes_precedence_over_the_environment_and_the_config() -> None:
    environment = {"CONTENTSYNC_TARGET": "staging"}
    assert choose_target(TARGETS, default="local", name="production", environ=environment) == PRODUCTION
    assert choose_target(TARGETS, default="local", name=None, environ=environment) == STAGING
    assert choose_target(TARGETS, default="local", name=None, environ={}) == LOCAL


def test_a_single_target_needs_no_default() -> None:
    assert choose_target({"staging": STAGING}, default=None, name=None, environ={}) == STAGING


def test_several_targets_without_a_default_require_a_choice() -> None:
    with pytest.raises(UsageError) as raised:
        choose_target(TARGETS, default=None, name=None, environ={})
    assert raised.value.hint == "choose one with --target: local, staging, production"


def test_an_unknown_target_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(UsageError) as raised:
        choose_target(TARGETS, default="local", name="prodution", environ={})
    assert raised.value.hint == "did you mean 'production'?"


def test_the_environment_sets_the_server_of_a_folder_without_one() -> None:
    environment = {"CONTENTSYNC_URL": "http://127.0.0.1:8000", "CONTENTSYNC_DIRECTORY": "3"}
    for targets, default in (({}, None), (TARGETS, "local")):
        chosen = choose_target(targets, default=default, name=None, environ=environment)
        assert (chosen.url, chosen.directory) == ("http://127.0.0.1:8000", 3)


@pytest.mark.parametrize(("targets", "default"), [({}, None), (TARGETS, "local")])
@pytest.mark.parametrize("variable", [{}, {"CONTENTSYNC_TARGET": "environment"}], ids=["option", "variable"])
def test_the_target_of_the_environment_can_be_selected_by_name(
    targets: dict[str, Target], default: str | None, variable: dict[str, str]
) -> None:
    environment = {"CONTENTSYNC_URL": "http://127.0.0.1:8000", "CONTENTSYNC_DIRECTORY": "3", **variable}
    chosen = choose_target(targets, default=default, name=None if variable else "environment", environ=environment)
    assert (chosen.name, chosen.url, chosen.directory) == ("environment", "http://127.0.0.1:8000", 3)


def test_the_target_of_the_environment_does_not_exist_without_its_variable() -> None:
    with pytest.raises(UsageError) as raised:
        choose_target({}, default=None, name="environment", environ={})
    assert raised.value.hint == "CONTENTSYNC_URL makes one of that name, and is not set"


def test_selecting_the_target_of_the_environment_redirects_no_other_target() -> None:
    with pytest.raises(Refused):
        choose_target(
            TARGETS, default="production", name="environment", environ={"CONTENTSYNC_URL": "https://evil.example.com"}
        )


def test_a_server_in_the_environment_refuses_a_selected_embedded_target() -> None:
    """If a commit set such a target, every entry would count as synced."""
    for environment in ({}, {"CONTENTSYNC_TARGET": "local"}):
        name = None if environment else "local"
        assert choose_target(TARGETS, default=None, name=name, environ=environment) == LOCAL
        with pytest.raises(Refused):
            choose_target(
                TARGETS, default=None, name=name, environ={**environment, "CONTENTSYNC_URL": "http://127.0.0.1:8000"}
            )


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example.com",
        "http://directory.example.com",
        "https://directory.example.com:8443",
        "https://directory.example.com.evil.example",
    ],
)
def test_a_server_in_the_environment_that_contradicts_the_config_is_refused(url: str) -> None:
    """docs/content.md 10: a pull request cannot redirect the token."""
    with pytest.raises(Refused) as raised:
        choose_target(TARGETS, default="production", name=None, environ={"CONTENTSYNC_URL": url})
    assert raised.value.exit_code == REFUSED


@pytest.mark.parametrize("url", ["https://directory.example.com", "https://Directory.example.com:443/"])
def test_a_server_in_the_environment_that_equals_the_config_is_accepted(url: str) -> None:
    assert choose_target(TARGETS, default="production", name=None, environ={"CONTENTSYNC_URL": url}) == PRODUCTION


@pytest.mark.parametrize("url", ["foo", "http://[foo", "http://x:99999", "https://user:s3cret@directory.example.com"])
def test_an_unreadable_server_address_in_the_environment_is_not_repeated(url: str) -> None:
    """AU-12"""
    for targets, default in (({}, None), (TARGETS, "production")):
        with pytest.raises(UsageError) as raised:
            choose_target(targets, default=default, name=None, environ={"CONTENTSYNC_URL": url})
        assert "s3cret" not in raised.value.message + raised.value.hint


def test_the_environment_can_set_the_directory() -> None:
    chosen = choose_target(TARGETS, default="production", name=None, environ={"CONTENTSYNC_DIRECTORY": "9"})
    assert chosen.directory == 9


@pytest.mark.parametrize("directory", ["nine", "0", "-1", "9" * 5000, "٣"])
def test_a_directory_must_be_a_number(directory: str) -> None:
    with pytest.raises(UsageError):
        choose_target(TARGETS, default="production", name=None, environ={"CONTENTSYNC_DIRECTORY": directory})


def test_the_displayed_address_of_a_target_includes_its_directory() -> None:
    assert target_address(LOCAL) == "embedded:.contentsync/site.db"
    assert target_address(PRODUCTION) == "https://directory.example.com directory 42"


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("CONTENTSYNC_TOKEN", "set the environment variable CONTENTSYNC_TOKEN"),
        ("STAGING_API_KEY", "set the environment variable STAGING_API_KEY"),
        ("cs_y2j95nUmVdgAf4LUR96i3oUIwyjFBm5u3JnQxC", "that token_env of 'staging' names"),
        ("Y2J95NUMVDGAF4LUR96I3OUIWYJFBM5U", "that token_env of 'staging' names"),
    ],
)
def test_a_missing_token_is_reported_by_its_variable_and_never_by_value(name: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "contentsync.toml").touch()

    async def open_() -> None:
        async with connect(STAGING.model_copy(update={"token_env": name}), load_content(tmp_path), {}):
            pass

    with pytest.raises(Denied, match="there is no token") as raised:
        asyncio.run(open_())
    assert raised.value.hint.endswith(hint)
