"""Redirects as servers read them: an address never becomes syntax."""

import pytest

from contentsync.content.redirects import Redirect
from contentsync.errors import UsageError
from contentsync.report.redirect_formats import FORMATS, format_redirects

REDIRECTS = [Redirect("/a%22%5C%24%7Bx%7D%3B%0A", "/pages/a/"), Redirect("/old.html", "/blog/new/")]


def test_netlify() -> None:
    assert format_redirects(REDIRECTS, "netlify") == (
        "/a%22%5C%24%7Bx%7D%3B%0A /pages/a/ 301\n/old.html /blog/new/ 301\n"
    )


def test_caddy() -> None:
    assert format_redirects(REDIRECTS, "caddy") == (
        "redir /a%22%5C%24%7Bx%7D%3B%0A /pages/a/ 301\n"
        "redir /a%22%5C%24%7Bx%7D%3B%0A/ /pages/a/ 301\n"
        "redir /old.html /blog/new/ 301\n"
    )


def test_nginx_compares_decoded_paths_in_quotes() -> None:
    assert format_redirects([Redirect("/a%22%5C%24%3B", "/b/")], "nginx", "https://example.com") == (
        'location = "/a\\"\\\\$;" { return 301 "https://example.com/b/"; }\n'
        'location = "/a\\"\\\\$;/" { return 301 "https://example.com/b/"; }\n'
    )


def test_csv() -> None:
    text = format_redirects(REDIRECTS[1:], "csv", "https://example.com/sites/tools/")
    assert text == "from,to\n/old.html,https://example.com/sites/tools/blog/new/\n"


@pytest.mark.parametrize("site", ["example.com", "https://a b", 'https://a"; }', "https://a/$x", "https://a\nb", "//a"])
def test_only_the_address_of_a_site_is_put_before_addresses(site: str) -> None:
    for name in FORMATS:
        with pytest.raises(UsageError, match="--to must not be"):
            format_redirects(REDIRECTS, name, site)
