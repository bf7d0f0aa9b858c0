"""One run over all addresses: what is requested, in which order, for how long, and how the run is judged."""

import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date

import pytest

from contentsync.linkcheck.link_check import BATCH, LinkChecker
from contentsync.linkcheck.link_results import Hop, LinkResult, Outcome, answered, unanswered, works
from contentsync.linkcheck.lychee_run import LycheeOptions

DAY = date(2026, 11, 2)
PUBLIC = "93.184.215.14"
REFUSED = unanswered("Connection refused - server may be down or port blocked")


@dataclass
class FakeLychee:
    """Answers with the results that it has, else with a success, and records what it is asked."""

    results: Mapping[str, LinkResult] = field(default_factory=dict)
    seconds_of_batch: float = 0
    now: float = 0
    asked: list[str] = field(default_factory=list)
    left: list[float] = field(default_factory=list)

    def __call__(self, addresses: Sequence[str], options: LycheeOptions, seconds: float) -> dict[str, LinkResult]:
        self.asked += addresses
        self.left.append(seconds)
        self.now += self.seconds_of_batch
        return {address: self.results.get(address, works(address)) for address in addresses}


def names(**hosts: str) -> "dict[str, str]":
    return {f"{name}.dev": address for name, address in hosts.items()}


def check(
    lychee: FakeLychee,
    addresses: Sequence[str],
    hosts: Mapping[str, str] = {},
    *,
    includes_private: bool = False,
    first: Sequence[str] = (),
    day: date = DAY,
) -> dict[str, LinkResult]:
    """Check addresses whose hosts are public, except those in `hosts`; a host without an address does not exist."""

    def lookup(host: str) -> Sequence[str]:
        if not (address := hosts.get(host, PUBLIC)):
            raise socket.gaierror(socket.EAI_NONAME, "unknown")
        return [address]

    options = LycheeOptions(includes_private=includes_private)
    checker = LinkChecker(options, seconds=100, lookup=lookup, run=lychee, clock=lambda: lychee.now)
    return checker.check(addresses, first, day)


def test_private_and_missing_hosts_are_not_requested() -> None:
    lychee = FakeLychee()
    results = check(
        lychee, ["https://a.dev/", "https://intranet.dev/", "https://gone.dev/"], names(intranet="10.0.0.1", gone="")
    )
    assert lychee.asked == ["https://a.dev/"]
    assert {address: result.outcome for address, result in results.items()} == {
        "https://a.dev/": Outcome.WORKS,
        "https://intranet.dev/": Outcome.SKIPPED,
        "https://gone.dev/": Outcome.FAILED,
    }


def test_private_hosts_are_requested_if_the_user_asks_for_them() -> None:
    lychee = FakeLychee()
    check(lychee, ["https://intranet.dev/"], names(intranet="10.0.0.1"), includes_private=True)
    assert lychee.asked == ["https://intranet.dev/"]


def test_an_answer_of_a_private_address_behind_a_redirect_does_not_count() -> None:
    hops = [Hop(301, "http://intranet.dev/secret")]
    lychee = FakeLychee(
        {
            "https://a.dev/": works("https://a.dev/", hops),
            "https://b.dev/": answered(404, "Rejected status code: 404 Not Found", hops),
            "https://c.dev/": works("https://c.dev/", [Hop(302, "https://a.dev/")]),
        }
    )
    results = check(lychee, ["https://a.dev/", "https://b.dev/", "https://c.dev/"], names(intranet="10.0.0.1"))
    for address in ("https://a.dev/", "https://b.dev/"):
        assert results[address].outcome is Outcome.UNKNOWN
        assert results[address].moved_to == ""
        assert results[address].reason == "redirects to a private address"
    assert results["https://c.dev/"].outcome is Outcome.WORKS


def test_no_failure_without_an_answer_counts_if_most_hosts_do_not_answer() -> None:
    addresses = [f"https://host-{number}.dev/" for number in range(5)]
    silent = dict.fromkeys(addresses[1:], REFUSED)
    assert {each.outcome for each in check(FakeLychee(silent), addresses).values()} == {Outcome.WORKS, Outcome.UNKNOWN}
    fewer = {**silent, addresses[4]: answered(404, "Rejected status code: 404 Not Found")}
    assert check(FakeLychee(fewer), addresses)[addresses[1]].outcome is Outcome.FAILED


def test_a_run_over_a_week_without_a_network_calls_nothing_dead() -> None:
    addresses = ["https://a.dev/", "https://b.dev/"]
    results = check(FakeLychee(), addresses, names(a="", b=""))
    assert {result.outcome for result in results.values()} == {Outcome.UNKNOWN}


def test_remembered_addresses_are_first_and_the_others_change_their_order_each_day() -> None:
    addresses = [f"https://host-{number}.dev/" for number in range(30)]
    orders = []
    for day in (DAY, date(2026, 11, 9)):
        lychee = FakeLychee()
        check(lychee, addresses, first=addresses[20:22], day=day)
        assert {*lychee.asked[:2]} == {*addresses[20:22]}
        orders.append(lychee.asked)
    assert orders[0] != orders[1]
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(addresses)


def test_a_run_ends_when_its_time_is_over() -> None:
    addresses = [f"https://host-{number}.dev/" for number in range(3 * BATCH)]
    lychee = FakeLychee(seconds_of_batch=60)
    results = check(lychee, addresses)
    assert lychee.left == [100, 40]
    assert len(lychee.asked) == 2 * BATCH
    left_out = [result for result in results.values() if result.outcome is Outcome.SKIPPED]
    assert len(left_out) == BATCH
    assert left_out[0].reason == "the time of the run was over"


def test_no_name_is_looked_up_behind_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    lychee = FakeLychee({"https://a.dev/": REFUSED})
    monkeypatch.setenv("HTTPS_PROXY", "http://proxy.dev:3128")
    checker = LinkChecker(LycheeOptions(), run=lychee)
    results = checker.check(["https://a.dev/", "https://b.dev/", "https://10.0.0.1/"], (), DAY)
    assert sorted(lychee.asked) == ["https://a.dev/", "https://b.dev/"]
    assert results["https://a.dev/"].outcome is Outcome.FAILED
