"""What was measured, as lines for the terminal, a table for docs/benchmarks.md, and a JSON document."""

import datetime
import os
import platform
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from .measurement import Comparison, cores

PAGE = Path(__file__).parent.parent / "docs" / "benchmarks.md"
RATE = "times its rate"  # the unit of what should be at least the aim


@dataclass(frozen=True)
class Result:
    """One figure beside what it should be at most, or for a rate at least."""

    what: str
    beside: str  # the yardstick; empty for memory
    value: float
    unit: str  # "times", RATE or "MB"
    aim: float | None = None
    detail: str = ""
    profile: tuple[str, ...] = ()  # of one that misses its aim

    @property
    def verdict(self) -> str:
        """Whether the aim is met; empty without one."""
        if self.aim is None:
            return ""
        met = self.value >= self.aim if self.unit == RATE else self.value <= self.aim
        return "met" if met else "MISSED"

    def line(self) -> str:
        """For the terminal."""
        beside = f" / {self.beside}" if self.beside else ""
        line = f"{self.what}{beside}: {self._measured()} ({self._aimed()})"
        return "\n  ".join([line, *self.profile])

    def row(self) -> str:
        """For the table."""
        return f"| {self.what} | {self.beside} | {self._aimed()} | {self._measured()} |"

    def _measured(self) -> str:
        figure = f"{self.value:.0f} MB" if self.unit == "MB" else f"{self.value:.2f} {self.unit}"
        return f"{figure}, {self.detail}" if self.detail else figure

    def _aimed(self) -> str:
        return "no aim" if self.aim is None else f"aim {self.aim:g}{' MB' if self.unit == 'MB' else ''}: {self.verdict}"


def ratio(what: str, beside: str, found: Comparison, aim: float | None = None) -> Result:
    """A result in times of the yardstick."""
    return Result(what, beside, found.ratio, "times", aim, f"{_time(found.ours)} to {_time(found.yardstick)}")


def rate(what: str, beside: str, found: Comparison, unit: str, aim: float | None = None) -> Result:
    """A result in times of the yardstick's rate, from the seconds that one `unit` takes."""
    detail = f"{1 / found.ours:,.0f} to {1 / found.yardstick:,.0f} {unit} a second"
    return Result(what, beside, 1 / found.ratio, RATE, aim, detail)


def machine(programs: Sequence[str]) -> dict[str, str]:
    """Where it was measured; `programs` are named with their versions."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return {
        "date": datetime.datetime.now(datetime.UTC).date().isoformat(),
        "machine": f"{cores()} cores, {memory:.0f} GB, {platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        **{program: _version(program) for program in programs},
    }


def table(results: Sequence[Result], facts: Mapping[str, str]) -> str:
    """The last results as Markdown."""
    facts_line = ", ".join(fact if name in ("date", "machine") else f"{name} {fact}" for name, fact in facts.items())
    rows = ["| what | compared with | aim | last run |", "|---|---|---|---|", *(result.row() for result in results)]
    missed = [
        f"{result.what}, by each module's own time: {', '.join(result.profile)}."
        for result in results
        if result.profile
    ]
    return "\n\n".join(["\n".join(rows), *missed, f"{facts_line}."]) + "\n"


def put_between_markers(page: str, text: str, command: str) -> str:
    """The page with the text between the command's two markers, in the place of the last. ValueError without them."""
    first, last = f"<!-- {command} -->", f"<!-- end of {command} -->"
    before, begin, rest = page.partition(first)
    _, end, after = rest.partition(last)
    if not begin or not end:
        raise ValueError(f"the page has no lines {first} and {last}")
    return f"{before}{first}\n\n{text}\n{last}{after}"


def document(results: Sequence[Result], facts: Mapping[str, str]) -> dict[str, Any]:
    """The same for programs."""
    return {"machine": dict(facts), "results": [asdict(result) | {"verdict": result.verdict} for result in results]}


def _time(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def _version(program: str) -> str:
    said = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout
    return next(word.split("+")[0].lstrip("v") for word in said.split() if word.lstrip("v")[0].isdigit())
