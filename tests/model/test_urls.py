"""URLs (docs/contract.md 7, 14; docs/faults.md SL-10, SL-12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model.urls import (
    comparable_url,
    compute_url_key,
    find_url_fault,
    is_plain,
    near_url_key,
    url_fault,
    url_key,
    without_doubled_scheme,
)

from ..growth import grows_evenly


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org",
        "https://example.org/",
        "HTTPS://Example.ORG/Path?q=1#part",
        "https://example.org:8443/a/b.html",
        "https://localhost/x",
        "https://127.0.0.1/x",
        "https://[::1]:8000/x",
        "https://münchen.example/straße",
        "https://हिन्दी.example/",
        "https://xn--mnchen-3ya.example/",
        "https://example.org./",
        "https://a_b.example.org/",
        "https://example.org/a%20b",
        "https://example.org/(x)",
    ],
)
def test_an_http_url_with_a_host_is_accepted(url: str) -> None:
    assert url_fault(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "java\tscript:alert(1)",
        "data:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "ftp://example.org/",
        "mailto:ada@example.org",
        "//evil.example",
        "\\\\evil.example",
        "https:\\\\evil.example",
        "https://u:p@h.example/",
        "https://u@h.example/",
        "https://@h.example/",
        "https://youtube.com@evil.example/",
        "https:evil.example",
        "https:///evil.example",
        "https://",
        "https://?q",
        "/path",
        "path",
        "example.org",
        "",
        " ",
        " https://example.org",
        "https://example.org ",
        "https://exa mple.org",
        "https://example.org/a b",
        "https://example.org/\n",
        "https://example.org/\x00",
        "https://example.org/\u00a0",
        'https://example.org/"onload="x',
        "https://example.org/<script>",
        "https://-x.example/",
        "https://x-.example/",
        "https://a..example/",
        f"https://{'a' * 64}.example/",
        f"https://{'a.' * 127}a/",
        "https://exa%6dple.org/",
        "https://example.org:0/",
        "https://example.org:99999/",
        "https://example.org:port/",
        "https://[::1/",
        "https://[nonsense]/",
        "https://\u037a.example/",  # nameprep makes a space of it
    ],
)
def test_another_url_is_refused(url: str) -> None:
    assert url_fault(url)


@pytest.mark.parametrize(
    ("url", "same"),
    [
        ("HTTPS://Example.ORG/Path", "https://example.org/Path"),
        ("https://example.org:443/x", "https://example.org/x"),
        ("http://example.org:80/x", "http://example.org/x"),
        ("https://example.org/", "https://example.org"),
        ("https://example.org/?q=1", "https://example.org?q=1"),
        ("https://example.org/x#part", "https://example.org/x"),
        ("https://example.org/%7Euser", "https://example.org/~user"),
        ("https://example.org/%c3%a9", "https://example.org/%C3%A9"),
        ("https://example.org/é", "https://example.org/%C3%A9"),
        ("https://example.org./x", "https://example.org/x"),
        ("https://münchen.example/", "https://xn--mnchen-3ya.example/"),
        ("https://MÜNCHEN.example/", "https://münchen.example/"),
        ("https://straße.de/", "https://xn--strae-oqa.de/"),
        ("https://example.org/100%", "https://example.org/100%25"),
        ("https://[::1]:443/x", "https://[::1]/x"),
    ],
)
def test_the_same_url_written_differently_has_the_same_key(url: str, same: str) -> None:
    assert url_key(url) == url_key(same)


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("https://example.org/x?a=1", "https://example.org/x?a=2"),
        ("https://example.org/x?a=1", "https://example.org/x"),
        ("https://example.org/x", "https://example.org/X"),
        ("https://example.org/x", "https://example.org/x/"),
        ("https://example.org/x", "http://example.org/x"),
        ("https://example.org/x", "https://example.org:8443/x"),
        ("http://example.org:443/x", "http://example.org/x"),
        ("https://example.org/a%2Fb", "https://example.org/a/b"),
        ("https://example.org/a%252Fb", "https://example.org/a%2Fb"),
        ("https://example.org/x", "https://www.example.org/x"),
        ("https://straße.de/", "https://strasse.de/"),
    ],
)
def test_different_urls_have_different_keys(url: str, other: str) -> None:
    assert url_key(url) != url_key(other)


@pytest.mark.parametrize(
    ("url", "near"),
    [
        ("https://example.org", "http://www.example.org/"),
        ("https://example.org/", "https://example.org/INDEX.html"),
        ("https://example.org/a", "https://example.org/a/"),
        ("https://example.org/a", "https://example.org/a/index.php"),
        ("https://example.org/a/", "https://example.org/a/index.htm?"),
        ("https://example.org/About", "https://example.org/about"),
        ("https://example.org/a?b=C", "https://example.org/A/?utm_source=x&b=C&UTM_Medium=y"),
        ("https://example.org", "https://example.org?gclid"),
        ("https://example.org:8443/a", "http://example.org:8443/a"),
        ("https://example.org/a%2fb", "https://example.org/A%2FB"),
    ],
)
def test_urls_that_probably_lead_to_the_same_page_have_the_same_near_key(url: str, near: str) -> None:
    assert url_key(url) != url_key(near)
    assert near_url_key(url_key(url)) == near_url_key(url_key(near))


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("https://example.org", "https://example.com"),
        ("https://example.org", "https://shop.example.org"),
        ("https://example.org/a", "https://example.org/a/b"),
        ("https://example.org/a?b=c", "https://example.org/a?b=C"),
        ("https://example.org/a?b=1&c=2", "https://example.org/a?c=2&b=1"),
        ("https://example.org/a?utm=1", "https://example.org/a"),
        ("https://example.org/a?_ga4=1", "https://example.org/a"),
        ("https://example.org/index.html/a", "https://example.org/a"),
        ("https://example.org/myindex.html", "https://example.org"),
        ("https://example.org/index.xml", "https://example.org"),
        ("https://example.org:8443/", "https://example.org"),
    ],
)
def test_other_urls_have_different_near_keys(url: str, other: str) -> None:
    assert near_url_key(url_key(url)) != near_url_key(url_key(other))


def test_a_slug_is_its_own_near_key() -> None:
    assert near_url_key("index-html") == "index-html"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("HTTPS://A.org:443/B?c#D", "https://a.org:443/B?c#D"),
        ("https://A.org/", "https://a.org"),
        ("https://A.org/?", "https://a.org/?"),
        ("https://user@A.org/", "https://user@A.org/"),
        ("see https://A.org/", "see https://A.org/"),
        ("https://A.org and more", "https://A.org and more"),
        ("ftp://A.org/", "ftp://A.org/"),
        ("", ""),
    ],
)
def test_a_comparable_url_differs_only_in_the_case_of_its_host(text: str, form: str) -> None:
    assert comparable_url(text) == form


LABELS = st.text(st.characters(categories=("L", "N", "M")) | st.sampled_from("-_"), min_size=1, max_size=12)
HOSTS = st.one_of(
    st.lists(LABELS, min_size=1, max_size=3).map(".".join),
    st.ip_addresses(v=4).map(str),
    st.ip_addresses(v=6).map("[{}]".format),
)
ODD = "%%%0123456789abcdefABCDEF/?#&=;:"
PATHS = st.text(st.characters(categories=("L", "N", "M", "P", "S")) | st.sampled_from(ODD))
URLS = st.builds(
    "{}://{}{}{}".format,
    st.sampled_from(["http", "https", "HTTPS"]),
    HOSTS,
    st.sampled_from(["", ":80", ":443", ":8000", "."]),
    PATHS.map(lambda path: path and f"/{path}"),
).filter(lambda url: url_fault(url) is None)


@given(URLS)
def test_the_key_of_a_key_is_the_key(url: str) -> None:
    assert url_key(url_key(url)) == url_key(url)


@given(URLS)
def test_the_key_of_a_valid_url_is_a_valid_url(url: str) -> None:
    assert url_fault(url_key(url)) is None


@given(URLS)
def test_a_key_has_no_fragment_and_a_lower_case_host(url: str) -> None:
    key = url_key(url)
    host = key.split("/")[2].split("?")[0]
    assert "#" not in key
    assert host == host.lower()


@given(st.text())
def test_checking_any_text_returns_a_result(text: str) -> None:
    assert url_fault(text) is None or url_fault(text)


# Hosts and paths of few characters, so that they are often just not plain.
NEARLY_PLAIN = st.builds(
    "{}://{}{}{}".format,
    st.sampled_from(["http", "https"]),
    st.text("ab0-.", min_size=1, max_size=8) | st.just("a" * 63 + ".org"),
    st.sampled_from(["", ":1", ":80", ":443", ":8000", ":0", "."]),
    st.text("aZ0/?#%&=+-._~:@!$'()*,;[é ", max_size=12),
)


@given(NEARLY_PLAIN)
def test_a_plain_url_has_no_fault_in_the_full_check(url: str) -> None:
    assert not is_plain(url) or find_url_fault(url) is None


@given(NEARLY_PLAIN)
def test_a_plain_url_has_the_same_key_in_the_full_check(url: str) -> None:
    assert url_fault(url) is not None or compute_url_key(url) == url_key(url)


@pytest.mark.parametrize("part", ["a", "a.", "a-", "a?", "%", "?#"])
@pytest.mark.parametrize("start", ["https://", "https://example.org/"])
def test_checking_a_url_takes_linear_time(start: str, part: str) -> None:
    def check_size(size: int) -> None:
        url = f"{start}{part * size} "
        assert url_fault(url)
        assert url_key(url)

    check_size(30)
    assert grows_evenly(check_size, 10_000)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://http://example.org/", "http://example.org/"),
        ("http://https://example.org/a?b#c", "https://example.org/a?b#c"),
        ("https://http//example.org/", "http://example.org/"),
        ("https://https:/example.org", "https://example.org"),
        ("HTTPS://HTTPS://Example.org", "https://Example.org"),
    ],
)
def test_a_url_with_two_schemes_is_valid_but_means_another_url(url: str, expected: str) -> None:
    assert url_fault(url) is None
    assert not is_plain(url)
    assert without_doubled_scheme(url) == expected


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/http://example.org/",
        "https://http.example.org/",
        "https://https-example.org/",
        "http://http/",
        "http://https/path",
        "http://https:8000/a.html",
        "http://http://exa mple.org/",
        "",
    ],
)
def test_another_url_has_only_one_scheme(url: str) -> None:
    assert without_doubled_scheme(url) == ""
