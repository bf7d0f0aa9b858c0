"""A service behind a proxy, and folders to sync to it, once for each process of a run."""

from collections.abc import Iterator

import pytest

from . import deaths, wire
from .ground import Ground
from .scenario import grown
from .stage import Stage


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """The service, and the proxy."""
    with Stage() as stage:
        yield stage


@pytest.fixture(scope="session")
def ground(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """A small folder that is synced through the proxy, in process."""
    home = tmp_path_factory.mktemp("ground")
    return Ground(stage, stage.proxy.url, home, grown(0), lambda ground: wire.synced(ground, stage))


@pytest.fixture(scope="session")
def killing_ground(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Ground:
    """A folder with one more create, update and delete of each kind, that the command syncs."""
    return Ground(stage, stage.url, tmp_path_factory.mktemp("killing"), grown(1), deaths.synced)
