"""X-Request-ID, in and out."""

import pytest

from .conftest import Edge, Site


@pytest.mark.parametrize("given", ["a", "0b1c-2d_3.4", "a/b+c=:@", "x" * 128])
def test_a_harmless_name_of_the_client_comes_back(edge: Edge, given: str) -> None:
    assert edge.get("/api/user", {"X-Request-ID": given}).headers.get_list("X-Request-ID") == [given]


@pytest.mark.parametrize("given", ["", "x" * 129, "a b", "a\tb", '"a"', "a;b", "<a>", "\xe9".encode(), "a,b", "%0a"])
def test_any_other_name_is_replaced(edge: Edge, given: str) -> None:
    """XS-11, XS-21"""
    [name] = edge.get("/api/user", {"X-Request-ID": given}).headers.get_list("X-Request-ID")
    assert len(name) == 16
    assert name.isalnum()


def test_two_names_are_none(edge: Edge) -> None:
    [name] = edge.get("/api/user", [("X-Request-ID", "a"), ("X-Request-ID", "b")]).headers.get_list("X-Request-ID")
    assert len(name) == 16


def test_every_request_gets_a_name_of_its_own(edge: Edge, site: Site) -> None:
    paths = ["/", "/api/user", "/healthz", "/readyz", "/api/nothing", site.ada.path(), site.ada.path("/pages/999999")]
    answers = [edge.ask(method, path, site.ada.headers) for path in paths for method in ("GET", "HEAD", "DELETE")]
    assert {answer.status_code for answer in answers} >= {200, 404, 405}
    assert len({answer.headers["X-Request-ID"] for answer in answers}) == len(answers)
