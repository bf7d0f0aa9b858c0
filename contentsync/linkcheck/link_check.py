"""Check addresses once: look up their hosts, let lychee request them, and judge the results of the run as a whole."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from time import monotonic
from urllib.request import getproxies

from ..model.urls import url_fault
from .host_lookup import HostState, Lookup, host_of, look_up, system_lookup
from .link_results import (
    NO_SUCH_HOST,
    NO_TIME,
    PRIVATE_HOST,
    PRIVATE_REDIRECT,
    UNRESOLVED_HOST,
    LinkResult,
    Outcome,
    without_network_failures,
)
from .lychee_run import LycheeOptions, run_lychee

BATCH = 500  # addresses in a run of lychee, which reports nothing if it is stopped
MIN_ANSWERING = 4  # of so many hosts, one must answer; if fewer do, the cause may be this machine

RunLychee = Callable[[Sequence[str], LycheeOptions, float], Mapping[str, LinkResult]]


def usual_lookup() -> Lookup | None:
    """Return the lookup of this machine; None behind a proxy, which looks the names up itself."""
    return None if {"http", "https", "all"} & getproxies().keys() else system_lookup


@dataclass(frozen=True, slots=True)
class LinkChecker:
    """Checks addresses. `lookup`, `run` and `clock` are replaced in tests; `seconds` bound a whole run."""

    options: LycheeOptions = field(default_factory=LycheeOptions)
    seconds: float = 1800
    lookup: Lookup | None = field(default_factory=usual_lookup)
    run: RunLychee = run_lychee
    clock: Callable[[], float] = monotonic

    def check(self, addresses: Collection[str], first: Collection[str], day: date) -> dict[str, LinkResult]:
        """Return the result of each address. Raise LocalFileError or UsageError as `run_lychee` does.

        Those in `first` are checked first, as they are remembered; the others in an order that is another one each
        day, so that a run that is too short reaches all of them in time.
        """
        end = self.clock() + self.seconds
        states = self._states(addresses)
        results = {
            address: result
            for address in addresses
            if (result := self._without_request(states.get(host_of(address)))) is not None
        }
        ordered = sorted(
            (address for address in addresses if address not in results),
            key=lambda address: (address not in first, sha256(f"{day}{address}".encode()).digest()),
        )
        for start in range(0, len(ordered), BATCH):
            batch = ordered[start : start + BATCH]
            left = end - self.clock()
            results |= dict.fromkeys(batch, NO_TIME)
            results |= self.run(batch, self.options, left) if left > 0 else {}
        return _judged(self._without_private_redirects(results))

    def _states(self, addresses: Iterable[str]) -> Mapping[str, HostState]:
        return look_up(map(host_of, addresses), self.lookup) if self.lookup else {}

    def _without_request(self, state: HostState | None) -> LinkResult | None:
        """Return the result of an address whose host need not be, or must not be requested; else None."""
        if state is HostState.PRIVATE:
            return None if self.options.includes_private else PRIVATE_HOST
        return {HostState.MISSING: NO_SUCH_HOST, HostState.UNKNOWN: UNRESOLVED_HOST}.get(state or HostState.PUBLIC)

    def _without_private_redirects(self, results: Mapping[str, LinkResult]) -> dict[str, LinkResult]:
        """Return the results without what private addresses answered, to which lychee follows redirects."""
        if self.options.includes_private:
            return {**results}
        visited = {address for result in results.values() for address in result.visited if not url_fault(address)}
        private = {host for host, state in self._states(visited).items() if state is HostState.PRIVATE}
        return {
            address: PRIVATE_REDIRECT if any(host_of(each) in private for each in result.visited) else result
            for address, result in results.items()
        }


def _judged(results: dict[str, LinkResult]) -> dict[str, LinkResult]:
    """Return the results; if most hosts do not answer, failures without an answer count as unknown.

    That is so without a network, and behind a proxy that no certificate authority knows.
    """
    requested = {address: result for address, result in results.items() if result.outcome is not Outcome.SKIPPED}
    hosts = {host_of(address) for address in requested}
    answering = {host_of(address) for address, result in requested.items() if result.has_answer}
    if len(answering) * MIN_ANSWERING >= len(hosts):
        return results
    return {address: without_network_failures(result) for address, result in results.items()}
