"""A service behind a proxy, and folders to sync to it, once for each process of a run."""

from collections.abc import Iterator

import pytest

from . import crash_points, wire
from .scenario import grown
from .stage import Stage
from .workspace import Workspace


@pytest.fixture(scope="session")
def stage() -> Iterator[Stage]:
    """The service, and the proxy."""
    with Stage() as stage:
        yield stage


@pytest.fixture(scope="session")
def workspace(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A small folder that is synced through the proxy, in process."""
    home = tmp_path_factory.mktemp("workspace")
    return Workspace(stage, stage.proxy.url, home, grown(0), lambda workspace: wire.synced(workspace, stage))


@pytest.fixture(scope="session")
def crash_workspace(stage: Stage, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A folder with one more create, update and delete of each kind, that the command syncs."""
    return Workspace(stage, stage.url, tmp_path_factory.mktemp("killing"), grown(1), crash_points.synced)
