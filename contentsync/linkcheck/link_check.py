"""Check addresses once: look up their hosts, let lychee request them, and judge the results of the run as a whole."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import sha256
from time import monotonic
from urllib.request import getproxies

from .host_lookup import HostState, Lookup, host_of, look_up, number_lookup, system_lookup
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

_BY_HOST = {
    HostState.PRIVATE: PRIVATE_HOST,
    HostState.MISSING: NO_SUCH_HOST,
    HostState.UNKNOWN: UNRESOLVED_HOST,
}  # the results of addresses that are not requested

RunLychee = Callable[[Sequence[str], LycheeOptions, float], Mapping[str, LinkResult]]


def usual_lookup() -> Lookup:
    """Return the lookup of this machine; behind a proxy, which looks names up itself, only that of numbers."""
    return number_lookup if {"http", "https", "all"} & getproxies().keys() else system_lookup


@dataclass(frozen=True, slots=True)
class LinkChecker:
    """Checks addresses. `lookup`, `run` and `clock` are replaced in tests; `seconds` bound a whole run."""

    options: LycheeOptions = field(default_factory=LycheeOptions)
    seconds: float = 1800
    lookup: Lookup = field(default_factory=usual_lookup)
    run: RunLychee = run_lychee
    clock: Callable[[], float] = monotonic

    def check(self, addresses: Collection[str], first: Collection[str], day: date) -> dict[str, LinkResult]:
        """Return the result of each address. Raise LocalFileError or UsageError as `run_lychee` does.

        Those in `first` are checked first, as they are remembered; the others in an order that is another one each
        day, so that a run that is too short reaches all of them in time.
        """
        end = self.clock() + self.seconds
        ordered = sorted(
            addresses, key=lambda address: (address not in first, sha256(f"{day}{address}".encode()).digest())
        )
        results = dict.fromkeys(ordered, NO_TIME)
        for start in range(0, len(ordered), BATCH):
            if self.clock() < end:
                results |= self._check_batch(ordered[start : start + BATCH], end)
        return _judged(self._without_private_redirects(results))

    def _check_batch(self, batch: Sequence[str], end: float) -> dict[str, LinkResult]:
        """Return the results of addresses: from their hosts, if these decide, else from requests until `end`."""
        states = self._states(batch)
        results = {address: _BY_HOST[state] for address in batch if (state := states[host_of(address)]) in _BY_HOST}
        requested = [address for address in batch if address not in results]
        return {**results, **(self.run(requested, self.options, max(0, end - self.clock())) if requested else {})}

    def _states(self, addresses: Iterable[str]) -> Mapping[str, HostState]:
        states = look_up(map(host_of, addresses), self.lookup)
        if self.options.includes_private:
            return {host: HostState.PUBLIC if state is HostState.PRIVATE else state for host, state in states.items()}
        return states

    def _without_private_redirects(self, results: Mapping[str, LinkResult]) -> dict[str, LinkResult]:
        """Return the results without what private addresses answered, to which lychee follows redirects."""
        states = self._states(address for result in results.values() for address in result.visited)
        return {
            address: PRIVATE_REDIRECT
            if any(states[host_of(each)] is HostState.PRIVATE for each in result.visited)
            else result
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
