"""Check simulated hosts day by day with real lychee, and count what is called dead."""

import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

from contentsync.content.folder.load import load_valid_content
from contentsync.linkcheck.external_addresses import find_addresses
from contentsync.linkcheck.link_check import LinkChecker
from contentsync.linkcheck.link_history import NO_HISTORY
from contentsync.linkcheck.link_memory import LinkMemory
from contentsync.linkcheck.lychee_run import LycheeOptions

from .simulated_hosts import DAYS, FIRST_DAY, SimulatedHost, Simulation, make_hosts

MEMORY = "links.jsonl"


@dataclass
class Verdicts:
    """What the runs said: live hosts that were called dead, dead ones that were found, and addresses that moved."""

    wrong: list[str] = field(default_factory=list)
    found: set[int] = field(default_factory=set)
    missed: list[str] = field(default_factory=list)
    moved: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)  # of each run
    outcomes: Counter[str] = field(default_factory=Counter)
    lines: int = 0  # of the memory at the end

    @property
    def recall(self) -> float:
        """The share of the dead hosts that were found."""
        return len(self.found) / (len(self.found) + len(self.missed))

    def document(self) -> dict[str, Any]:
        """Return the numbers for the report."""
        return {
            "live called dead": self.wrong,
            "dead found": len(self.found),
            "dead missed": self.missed,
            "recall": round(self.recall, 4),
            "proposed moves": dict(self.moved),
            "results": dict(self.outcomes),
            "lines of links.jsonl": self.lines,
            "seconds of each run": self.seconds,
        }


def simulate(folder: Path, count: int, seed: int, days: Iterable[int] = range(DAYS)) -> Verdicts:
    """Check `count` hosts on each of the days, as one run of the command a day would.

    The memory is a file in `folder`, which is read before each day and written after it. SSL_CERT_FILE must be the
    file of the authority of the simulation, `authority.pem` in `folder`.
    """
    simulation = Simulation(make_hosts(count, seed), folder)
    verdicts = Verdicts()
    checker = LinkChecker(
        LycheeOptions(timeout=1, includes_private=True, retries=0, concurrency=128),
        lookup=simulation.lookup,
        run=simulation.run,
    )
    with simulation.serving():
        hosts = {simulation.address(host): host for host in simulation.hosts}
        rows = "".join(f"Host {host.number},{address}\n" for address, host in hosts.items())
        (folder / "contentsync.toml").touch()
        (folder / "listings").mkdir()
        (folder / "listings/all.csv").write_text(f"name,url\n{rows}", encoding="utf-8")
        places = find_addresses(load_valid_content(folder))
        assert places.keys() == hosts.keys()
        for day in days:
            simulation.begin(day)
            began = time.monotonic()
            _check_day(folder, checker, hosts, day, verdicts)
            verdicts.seconds.append(round(time.monotonic() - began, 1))
    dead = {host.number: host for host in simulation.hosts if host.is_dead}
    verdicts.missed = [_story(host) for number, host in dead.items() if number not in verdicts.found]
    return verdicts


def _check_day(
    folder: Path, checker: LinkChecker, hosts: dict[str, SimulatedHost], day: int, verdicts: Verdicts
) -> None:
    """Check all addresses on a day, and record what is then called dead, and on the last day what has moved."""
    memory, date = LinkMemory(folder, MEMORY), FIRST_DAY + timedelta(days=day)
    results = checker.check(hosts, memory.histories, date)
    histories = {
        address: memory.histories.get(address, NO_HISTORY).after(result, date) for address, result in results.items()
    }
    memory.write(histories)
    verdicts.outcomes.update(result.outcome.value for result in results.values())
    verdicts.moved = Counter(hosts[address].behaviour for address, history in histories.items() if history.proposal)
    verdicts.lines = (folder / MEMORY).read_bytes().count(b"\n")
    for address, history in histories.items():
        host = hosts[address]
        if history.is_dead and host.is_dead and day >= host.death:
            verdicts.found.add(host.number)
        elif history.is_dead:
            verdicts.wrong.append(f"day {day}: {_story(host)}")


def _story(host: SimulatedHost) -> str:
    return f"{host.ip}, {host.behaviour}, death on day {host.death}"
