"""Redirects in the formats of servers: an address never becomes syntax."""

import csv
from urllib.parse import quote, unquote

import pytest

from contentsync.content.links.former_addresses import Redirect
from contentsync.errors import UsageError
from contentsync.report.redirect_formats import FORMATS, format_redirects

REDIRECTS = [Redirect("/a%22%5C%24%7Bx%7D%3B%0A", "/pages/a/"), Redirect("/old.html", "/blog/new/")]


def test_redirects_for_netlify() -> None:
    assert format_redirects(REDIRECTS, "netlify") == (
        "/a%22%5C%24%7Bx%7D%3B%0A /pages/a/ 301\n/old.html /blog/new/ 301\n"
    )


def test_redirects_for_caddy() -> None:
    assert format_redirects(REDIRECTS, "caddy") == (
        "redir /a%22%5C%24%7Bx%7D%3B%0A /pages/a/ 301\n"
        "redir /a%22%5C%24%7Bx%7D%3B%0A/ /pages/a/ 301\n"
        "redir /old.html /blog/new/ 301\n"
    )


def test_caddy_compares_decoded_paths_in_quotes() -> None:
    redirects = [Redirect("/%C3%9Cber%20uns.html", "/b/"), Redirect("/%C3%9C%5B1%5D.html", "/b/")]
    assert format_redirects(redirects, "caddy") == (
        'redir "/Über uns.html" /b/ 301\nredir /%C3%9C%5B1%5D.html /b/ 301\n'
    )


def test_nginx_compares_decoded_paths_in_quotes() -> None:
    assert format_redirects([Redirect("/a%22%5C%24%3B", "/b/")], "nginx", "https://example.com") == (
        'location = "/a\\"\\\\$;" { return 301 "https://example.com/b/"; }\n'
        'location = "/a\\"\\\\$;/" { return 301 "https://example.com/b/"; }\n'
    )


def test_redirects_as_csv() -> None:
    text = format_redirects(REDIRECTS[1:], "csv", "https://example.com/sites/tools/")
    assert text == "from,to\n/old.html,https://example.com/sites/tools/blog/new/\n"


@pytest.mark.parametrize(
    "part", ["a b", "Über", "a;b", "{x}", 'a"b', "$x", "~x", "a,b", "=x", "*", ":splat", "#", "a\\\nb"]
)
def test_each_address_is_one_field_in_netlify_and_csv(part: str) -> None:
    redirect = Redirect(quote(f"/{part}/", safe="/"), "/b/")
    assert format_redirects([redirect], "netlify").split(" ") == [*redirect, "301\n"]
    assert [*csv.reader(format_redirects([redirect], "csv").splitlines())] == [["from", "to"], [*redirect]]
    assert unquote(redirect.former) == f"/{part}/"


def test_a_page_with_a_dot_in_its_name_is_not_a_file() -> None:
    assert format_redirects([Redirect("/v1.2/", "/b/"), Redirect("/a.html", "/b/")], "caddy") == (
        "redir /v1.2 /b/ 301\nredir /v1.2/ /b/ 301\nredir /a.html /b/ 301\n"
    )


@pytest.mark.parametrize("site", ["example.com", "https://a b", 'https://a"; }', "https://a/$x", "https://a\nb", "//a"])
def test_only_a_valid_site_address_can_precede_redirects(site: str) -> None:
    for name in FORMATS:
        with pytest.raises(UsageError, match="--to must not be"):
            format_redirects(REDIRECTS, name, site)
