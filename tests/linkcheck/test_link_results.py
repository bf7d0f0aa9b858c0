"""What lychee's answers mean: which are failures, which say nothing, and where a permanent redirect leads."""

import pytest

from contentsync.linkcheck.link_results import (
    NO_SUCH_HOST,
    Hop,
    Outcome,
    answered,
    unanswered,
    without_network_failures,
    works,
)

PAGE = "https://a.dev/page"


@pytest.mark.parametrize("code", [404, 410])
def test_only_404_and_410_are_failures(code: int) -> None:
    assert answered(code, f"Rejected status code: {code} Gone").outcome is Outcome.FAILED


@pytest.mark.parametrize("code", [301, 304, 400, 401, 402, 403, 405, 406, 408, 418, 429, 451, 500, 502, 503, 504, 999])
def test_every_other_status_says_nothing(code: int) -> None:
    result = answered(code, f"Rejected status code: {code} Any")
    assert (result.outcome, result.reason) == (Outcome.UNKNOWN, f"{code} Any")


@pytest.mark.parametrize(
    "text",
    [
        "Connection refused - server may be down or port blocked",
        "TLS handshake failed. Check SSL/TLS configuration",
        "SSL certificate error. Check certificate validity",
        "SSL certificate expired. Site needs to renew certificate",
    ],
)
def test_a_refused_connection_and_a_failure_of_tls_are_failures(text: str) -> None:
    assert unanswered(text).outcome is Outcome.FAILED


@pytest.mark.parametrize(
    "text",
    [
        "Request timed out",
        "Connection failed. Check network connectivity and firewall settings",
        "I/O error (HostUnreachable). Check network connectivity and server status",
        "DNS temporarily unavailable. Try again later",
        "Connection closed before response completed",
        "Invalid HTTP response format. Server may be misconfigured",
        "any text of a later version",
    ],
)
def test_every_other_missing_answer_says_nothing(text: str) -> None:
    assert unanswered(text).outcome is Outcome.UNKNOWN


@pytest.mark.parametrize(
    ("hops", "moved_to"),
    [
        ([], ""),
        ([Hop(301, "https://b.dev/new")], "https://b.dev/new"),
        ([Hop(308, "https://b.dev/1"), Hop(301, "https://b.dev/2")], "https://b.dev/2"),
        ([Hop(301, "https://b.dev/1"), Hop(302, "https://b.dev/today")], "https://b.dev/1"),
        ([Hop(302, "https://b.dev/today"), Hop(301, "https://b.dev/2")], ""),
        ([Hop(307, "https://b.dev/today")], ""),
    ],
)
def test_an_address_has_moved_as_far_as_its_redirects_are_permanent(hops: list[Hop], moved_to: str) -> None:
    assert works(PAGE, hops).moved_to == moved_to


@pytest.mark.parametrize(
    ("address", "target"),
    [
        (PAGE, "https://a.dev/"),  # the page is gone, and the site sends readers to its start
        (PAGE, "https://b.dev"),
        (PAGE, "https://a.dev/index.html"),
        (PAGE, "https://a.dev/en/"),
        (PAGE, "https://a.dev/fr-be"),
        (PAGE, "https://a.dev/?utm_source=old"),
        (PAGE, "https://a.dev/404.html"),
        (PAGE, "https://a.dev/en/not-found/"),
        (PAGE, "https://a.dev/login"),
        (PAGE, "https://a.dev/account?next=%2Fpage"),
        (PAGE, "https://accounts.b.dev/start?continue=https://a.dev/page"),
        ("https://a.dev/", "https://domains.b.dev/offer?d=a.dev"),
        (PAGE, "http://a.dev/page"),  # a step back
        (PAGE, "https://user:secret@a.dev/page"),
        (PAGE, PAGE),
        (PAGE, "ftp://a.dev/page"),
    ],
)
def test_a_target_that_is_no_replacement_is_not_proposed(address: str, target: str) -> None:
    assert works(address, [Hop(301, target)]).moved_to == ""


@pytest.mark.parametrize(
    ("address", "target"),
    [
        ("http://a.dev/", "https://a.dev/"),
        ("http://a.dev", "https://www.a.dev/"),
        ("http://a.dev", "https://a.dev/en/"),
        (PAGE, "https://a.dev/?page=2"),
        (PAGE, "https://a.dev/en/page"),
        (PAGE, "https://a.dev/login-for-beginners"),
    ],
)
def test_a_start_page_may_replace_a_start_page_and_a_page_a_page(address: str, target: str) -> None:
    assert works(address, [Hop(301, target)]).moved_to == target


def test_a_failure_without_an_answer_is_unknown_if_most_hosts_do_not_answer() -> None:
    gone = answered(404, "Rejected status code: 404 Not Found")
    assert without_network_failures(gone) == gone
    judged = without_network_failures(NO_SUCH_HOST)
    assert judged.outcome is Outcome.UNKNOWN
    assert judged.reason == "the name of the host does not exist, as of most hosts in this run"
