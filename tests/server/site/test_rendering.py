"""The security headers of pages, and JSON-LD."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.server.site.rendering import json_ld, page_headers
from tests.browser.xss.payloads import PAYLOADS

from ..conftest import Api
from .conftest import Reader


def directives(policy: str) -> dict[str, str]:
    return dict(part.strip().split(" ", 1) for part in policy.split(";"))


@pytest.mark.parametrize("path", ["/", "/blog/", "/nowhere/", "/?q=<script>"])
def test_a_page_can_neither_run_scripts_nor_be_framed(reader: Reader, path: str) -> None:
    """XS-18, XS-20"""
    headers = reader.ask(path).headers
    policy = directives(headers["Content-Security-Policy"])
    assert policy["default-src"] == policy["object-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
    assert policy["style-src"] == policy["form-action"] == policy["connect-src"] == "'self'"
    assert not policy.keys() & {"script-src", "worker-src"}
    assert "unsafe" not in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Content-Type"] == "text/html; charset=utf-8"


def test_only_video_hosts_can_be_framed(api: Api, reader: Reader) -> None:
    """XS-13"""
    api.make("projects", name="Film", video_url="https://youtu.be/dQw4w9WgXcQ")
    page = reader.read("/listings/film/")
    allowed = directives(reader.ask("/").headers["Content-Security-Policy"])["frame-src"].split()
    assert any(page.one("iframe")["src"].startswith(f"{host}/") for host in allowed)
    assert "allow-scripts" in page.one("iframe")["sandbox"]


def test_pages_of_the_development_server_can_load_only_its_scripts() -> None:
    """XS-20"""
    policy = directives(page_headers(scripts=True)["Content-Security-Policy"])
    assert policy["script-src"] == policy["connect-src"] == "'self'"
    assert policy["default-src"] == "'none'"


@pytest.mark.parametrize("payload", PAYLOADS["XS-09"])
def test_json_ld_cannot_end_its_script(payload: str) -> None:
    """XS-09"""
    value = {payload: [payload, {"name": payload}]}
    written = json_ld(value)
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == value


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=10,
)


@given(JSON)
def test_json_ld_parses_to_the_same_value(value: Any) -> None:
    """XS-09"""
    written = json_ld(value)
    assert json.loads(written) == value
    assert written.isascii()
    assert not set("<>&") & set(written)
