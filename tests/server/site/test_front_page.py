"""`/` on a host that is not the domain of a directory."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from ..conftest import Service
from ..processes import admin
from .html_document import Document

ELSEWHERE = {"Host": "unknown.example.org"}


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Service]:
    """Yield a server without directories, behind a proxy that serves it under a path."""
    url = f"sqlite:///{tmp_path / 'site.db'}"
    admin(url, "migrate")
    with Service(url, public_url="https://example.org/base") as service:
        yield service


def test_the_front_page_redirects_to_the_only_site(empty: Service) -> None:
    tools = empty.directory("Tools", empty.user("Ada"))
    for method in ("GET", "HEAD"):
        answer = empty.visit(method, "/?lang=fr", headers=ELSEWHERE)
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/base/sites/{tools.slug}/?lang=fr")
        assert answer.headers["Cache-Control"] == "no-cache"
    assert empty.visit("GET", f"/sites/{tools.slug}/", headers=ELSEWHERE).status_code == 200


def test_a_domain_shows_its_own_site(empty: Service) -> None:
    empty.directory("Tools", empty.user("Ada"), domain="tools.example.org")
    assert empty.visit("GET", "/", headers={"Host": "tools.example.org"}).status_code == 200


@pytest.mark.parametrize("directories", [0, 2])
def test_the_front_page_does_not_name_sites(empty: Service, directories: int) -> None:
    """AU-18"""
    owner = empty.user("Ada")
    for number in range(directories):
        empty.directory(f"Secret{number}", owner)
    answer = empty.visit("GET", "/", headers=ELSEWHERE)
    assert answer.status_code == 404
    assert Document(answer.text).title == "No site here"
    assert "ecret" not in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]


def test_the_front_page_allows_only_get_and_head(empty: Service) -> None:
    answer = empty.visit("POST", "/", headers=ELSEWHERE)
    assert (answer.status_code, answer.headers["Allow"]) == (405, "GET, HEAD")
