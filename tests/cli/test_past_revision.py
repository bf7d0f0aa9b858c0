"""contentsync.cli.past_revision: a commit is the base only of a plan for the directory that it was synced to."""

import pytest

from contentsync.cli.past_revision import require_same_directory
from contentsync.cli.target_connection import choose_target
from contentsync.content.config.config import Config
from contentsync.content.config.config_tables import SiteSettings, Target
from contentsync.errors import Refused

LOCAL = Target(name="local", url="embedded:.contentsync/site.db")
STAGING = Target(name="staging", url="https://staging.example.com", directory=7)
PRODUCTION = Target(name="production", url="https://directory.example.com", directory=42)


def past(*targets: Target, default: str | None = None) -> Config:
    """The config of a commit."""
    return Config(SiteSettings(name="Site"), default, {}, {target.name: target for target in targets})


@pytest.mark.parametrize(
    "then",
    [
        past(PRODUCTION.model_copy(update={"directory": 43})),
        past(PRODUCTION.model_copy(update={"url": "https://old.example.com"})),
        past(PRODUCTION.model_copy(update={"url": LOCAL.url}), STAGING),
        past(STAGING),
        past(STAGING, LOCAL),
        past(),
    ],
    ids=["directory", "server", "kind", "another", "several", "none"],
)
@pytest.mark.parametrize("environment", [{}, {"CONTENTSYNC_URL": PRODUCTION.url}], ids=["free", "pinned"])
def test_a_commit_synced_to_another_directory_is_not_a_base(then: Config, environment: dict[str, str]) -> None:
    """PL-09: what lies there may be another user's."""
    with pytest.raises(Refused, match="git:0000000"):
        try:
            require_same_directory(PRODUCTION, then, "HEAD~1", environment)
        except Refused as refused:
            raise Refused(refused.hint) from refused


def test_a_commit_synced_to_the_same_directory_under_another_name_is_a_base() -> None:
    slash = PRODUCTION.model_copy(update={"url": "https://Directory.example.com:443/"})
    renamed = PRODUCTION.model_copy(update={"name": "live"})
    environment = {"CONTENTSYNC_URL": PRODUCTION.url, "CONTENTSYNC_DIRECTORY": "42"}
    for then in (past(PRODUCTION, STAGING), past(slash), past(renamed), past(STAGING, renamed, default="live")):
        require_same_directory(PRODUCTION, then, "HEAD~1", {})
    require_same_directory(
        PRODUCTION, past(), "HEAD~1", environment
    )  # it named the server for a folder that named none
    chosen = choose_target({}, default=None, name=None, environ=environment)
    require_same_directory(chosen, past(), "HEAD~1", environment)
