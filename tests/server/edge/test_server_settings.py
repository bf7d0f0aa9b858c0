"""Valid and invalid settings of the server."""

from pathlib import Path
from typing import Any

import pytest

from contentsync.errors import UsageError
from contentsync.server.edge.server_settings import ServerSettings


def settings(**values: Any) -> ServerSettings:
    return ServerSettings(**{"database": "sqlite:///x.db", "public_url": "http://127.0.0.1:8000", **values})


@pytest.mark.parametrize("origin", ["*", "null", "a.b", "https://a.b/", "https://a.b/c", "https://*.a.b", ""])
def test_an_allowed_origin_must_be_exact(origin: str) -> None:
    with pytest.raises(UsageError, match="is not an origin"):
        settings(cors_origins=(origin,))


@pytest.mark.parametrize("origin", ["https://a.b", "http://localhost:3000", "http://[::1]:3000", "http://127.0.0.1"])
def test_an_allowed_origin_can_have_a_port(origin: str) -> None:
    assert settings(cors_origins=(origin,)).cors_origins == (origin,)


@pytest.mark.parametrize("proxy", ["*", "proxy.example.com", "10.0.0.0/99", ""])
def test_a_trusted_proxy_must_be_an_address_or_a_network(proxy: str) -> None:
    with pytest.raises(UsageError, match="is not an address"):
        settings(trusted_proxies=(proxy,))
    assert settings(trusted_proxies=("10.0.0.1", "10.0.0.0/8", "::1")).trusted_proxies


def test_media_must_be_a_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no folder"):
        settings(media=tmp_path / "nowhere")


def test_several_workers_require_postgresql_and_redis() -> None:
    """docs/reference/commands.md, contentsync serve."""
    settings().require_workers(1)
    with pytest.raises(UsageError, match="need PostgreSQL"):
        settings(redis="redis://localhost").require_workers(2)
    with pytest.raises(UsageError, match="needs Redis"):
        settings(database="postgresql://localhost/x").require_workers(2)
    settings(database="postgresql://localhost/x", rate_limit=0).require_workers(2)
    settings(database="postgresql://localhost/x", redis="redis://localhost").require_workers(2)


@pytest.mark.parametrize(
    "url", ["localhost:6379", "http://localhost", "redis://localhost:port/0", "redis://localhost?sort=x", "memory://"]
)
def test_a_wrong_redis_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(UsageError) as reported:
        settings(redis=url).make_rate_limit()
    assert "CONTENTSYNC_REDIS" in reported.value.message
    assert url not in reported.value.message + reported.value.hint


def test_a_rate_limit_of_zero_means_no_limit() -> None:
    assert settings(rate_limit=0).make_rate_limit() is None
