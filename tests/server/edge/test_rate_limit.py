"""The limit of requests for each minute (docs/contract.md 12)."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from contentsync.server.edge.rate_limit import WINDOW
from contentsync.server.edge.server_settings import ServerSettings
from contentsync.server.quota import client_key

from .conftest import Edge, Site

_LONGEST_TEST = 3  # seconds, on a loaded machine


@contextmanager
def limited(site: Site, requests: int) -> Iterator[Edge]:
    """Yield a server that allows this many requests a minute, none of which is given back by the next window."""
    left = WINDOW - time.monotonic() % WINDOW  # as in `SlidingWindow`
    if left < _LONGEST_TEST:
        time.sleep(left)
    with Edge(site, rate_limit=requests) as edge:
        yield edge


def test_a_burst_over_the_limit_is_a_429_with_retry_after(site: Site) -> None:
    """docs/contract.md 11, 12: 120 a minute, bursts up to that number."""
    with limited(site, 120) as edge:
        answers = [edge.get(site.ada.path(), site.ada.headers) for _ in range(121)]
    assert [answer.status_code for answer in answers] == [200] * 120 + [429]
    assert {answer.headers["X-RateLimit-Limit"] for answer in answers} == {"120"}
    # From one window to the next, one or two may be given back while the burst runs.
    left = [int(answer.headers["X-RateLimit-Remaining"]) for answer in answers]
    assert left == sorted(left, reverse=True)
    assert (left[0], left[-1]) == (119, 0)
    assert answers[-1].json() == {"message": "Too Many Attempts."}
    assert 1 <= int(answers[-1].headers["Retry-After"]) <= WINDOW + 1
    assert len(answers[-1].headers["X-Request-ID"]) == 16


def test_a_bulk_create_counts_as_one_request(site: Site) -> None:
    """docs/contract.md 12."""
    with limited(site, 2) as edge:
        bulk = {"listings": [{"name": ""}] * 100}  # each is refused: nothing is stored
        answer = edge.ask("POST", site.ada.path("/projects/bulk"), site.ada.headers, json=bulk)
        assert (answer.status_code, answer.headers["X-RateLimit-Remaining"]) == (200, "1")


def test_every_counted_response_has_quota_headers(site: Site) -> None:
    with limited(site, 50) as edge:
        counted = [
            edge.get(site.ada.path(), site.ada.headers),
            edge.get(site.ada.path("/pages/999999"), site.ada.headers),
            edge.ask("POST", site.ada.path(), site.ada.headers, json={}),
            edge.ask("HEAD", site.ada.path(), site.ada.headers),
            edge.get(site.bob.path(), site.ada.headers),
            edge.get("/api/user", site.ada.headers),
            edge.get("/api/user"),
        ]
        assert [answer.status_code for answer in counted] == [200, 404, 422, 200, 403, 200, 401]
        assert all(answer.headers["X-RateLimit-Limit"] == "50" for answer in counted)
        assert "X-RateLimit-Limit" not in edge.get("/nothing", site.ada.headers).headers


def test_a_refused_request_has_no_effect_and_does_not_count(site: Site) -> None:
    with limited(site, 1) as edge:
        edge.get(site.ada.path(), site.ada.headers)
        for _ in range(5):
            assert edge.ask("POST", site.ada.path("/tags"), site.ada.headers, json={"title": "No"}).status_code == 429
    with limited(site, 1) as edge:
        assert edge.get(site.ada.path("/tags"), site.ada.headers).json() == {"data": []}


def test_each_token_and_directory_has_its_own_limit(site: Site) -> None:
    """AU-14, AU-17: one tenant at its limit takes nothing from another."""
    with limited(site, 1) as edge:
        assert edge.get(site.ada.path(), site.ada.headers).status_code == 200
        assert edge.get(site.ada.path(), site.ada.headers).status_code == 429
        assert edge.get(site.ada.path(), site.ada_again.headers).status_code == 200
        assert edge.get(site.bob.path(), site.bob.headers).status_code == 200
        assert edge.get("/api/user", site.ada.headers).status_code == 200


def test_forbidden_directories_share_one_limit(site: Site) -> None:
    """AU-09, AU-14: foreign and missing ones alike, so that trying numbers is slow and fills no memory."""
    with limited(site, 2) as edge:
        paths = [site.bob.path(), *(f"/api/directories/{number}/pages" for number in (777, 778, 0))]
        assert [edge.get(path, site.ada.headers).status_code for path in paths] == [403, 403, 429, 429]
        assert edge.get(site.bob.path(), site.bob.headers).status_code == 200


def test_requests_without_a_token_are_limited_by_address(site: Site) -> None:
    """AU-13"""
    with limited(site, 3) as edge:
        tries = [
            edge.ask(
                "POST",
                site.ada.path(),
                {"Authorization": f"Bearer cs_{number}", "X-Forwarded-For": f"10.0.0.{number}", "Forwarded": "for=x"},
                json={"title": str(number)},
            )
            for number in range(5)
        ]
        assert [answer.status_code for answer in tries] == [401, 401, 401, 429, 429]
        assert edge.get("/api/user").status_code == 429
        assert edge.get("/api/user", peer="192.0.2.2").status_code == 401


def test_bad_tokens_do_not_block_a_valid_token_of_the_same_address(site: Site) -> None:
    """AU-13, AU-17"""
    with limited(site, 3) as edge:
        assert [edge.get("/api/user").status_code for _ in range(5)][-1] == 429
        assert edge.get("/api/user", site.ada.headers).status_code == 200


@pytest.mark.parametrize(
    ("address", "key"),
    [
        ("192.0.2.1", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.1", "192.0.2.1"),
        ("", ""),
        ("/run/socket", "/run/socket"),
    ],
)
def test_an_ipv6_network_counts_as_one_address(address: str, key: str) -> None:
    """AU-13: a customer has 2^64 addresses."""
    assert client_key(address) == key


def test_a_server_without_a_rate_limit_sends_no_quota_headers(edge: Edge, site: Site) -> None:
    answer = edge.get(site.ada.path(), site.ada.headers)
    assert not any(name.startswith("x-ratelimit") for name in answer.headers)


def test_pages_are_limited_by_address_and_the_api_is_not(site: Site) -> None:
    with Edge(site, rate_limit=0, page_rate_limit=2) as edge:
        asked = [edge.get(path, peer="192.0.2.1") for path in ("/sites/ada/", "/sites/ada/robots.txt", "/sites/bob/")]
        assert [answer.status_code for answer in asked] == [200, 200, 429]
        assert asked[-1].json() == {"message": "Too Many Attempts."}
        assert int(asked[-1].headers["Retry-After"]) >= 1
        assert edge.get(site.ada.path(), site.ada.headers, peer="192.0.2.1").status_code == 200
        assert edge.get("/healthz", peer="192.0.2.1").status_code == 200
        assert edge.get("/sites/ada/", peer="192.0.2.2").status_code == 200


def test_pages_have_a_high_limit_that_can_be_disabled(site: Site) -> None:
    with Edge(site, rate_limit=1) as edge:
        assert {edge.get("/sites/ada/").status_code for _ in range(150)} == {200}
    assert ServerSettings(database=site.url, public_url="", page_rate_limit=0).make_page_limit() is None


def test_a_server_without_a_rate_limit_says_so_in_a_header(edge: Edge, site: Site) -> None:
    assert edge.get(site.ada.path(), site.ada.headers).headers["X-Rate-Limit"] == "none"
    with limited(site, 3) as counted:
        assert "X-Rate-Limit" not in counted.get(site.ada.path(), site.ada.headers).headers
