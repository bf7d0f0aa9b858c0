"""The whole server, with all its layers, on SQLite."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import BaseRoute

from contentsync.server.edge.process import make_application
from contentsync.server.edge.server_settings import ServerSettings
from contentsync.server.store import connect_database

from ..server.conftest import PUBLIC_URL, Service, api, other

__all__ = ["api", "other", "service"]


class Server(Service):
    """The server as `serve` runs it, without its sockets."""

    def application(self, **settings: Any) -> Any:
        """The service with everything around it."""
        return make_application(ServerSettings(self.url, **settings))

    @property
    def routes(self) -> list[BaseRoute]:
        """Return the routes of the inner service."""
        app: Any = self.application(public_url=PUBLIC_URL)
        while not isinstance(app, Starlette):
            app = app._app
        app.state.service.database.close()
        return app.routes


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The server on a database of its own, shared by all tests of a process."""
    url = f"sqlite:///{tmp_path_factory.mktemp('service') / 'site.db'}"
    database = connect_database(url)
    database.migrate()
    database.close()
    with Server(url, rate_limit=0) as service:
        yield service
