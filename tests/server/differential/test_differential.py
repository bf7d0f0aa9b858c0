"""A short form of `make torture-server`."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from contentsync.server.store import connect_database

from ...postgresql import Cluster
from .requests import Asked, asked
from .twins import Twins


@pytest.fixture(scope="module")
def twins(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Twins]:
    """Yield two servers that get the same requests, on SQLite and on PostgreSQL."""
    urls = (f"sqlite:///{tmp_path_factory.mktemp('twins') / 'site.db'}", cluster.database())
    for url in urls:
        with closing(connect_database(url)) as database:
            database.migrate()
    with Twins(*urls) as twins:
        yield twins


@settings(
    max_examples=10, deadline=None, derandomize=True, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(requests=st.lists(asked(), min_size=10, max_size=40))
def test_both_databases_return_the_same_responses(twins: Twins, requests: list[Asked]) -> None:
    """DB-04, SL-03."""
    pair = twins.directory()
    for each in requests:
        pair.ask(each)
