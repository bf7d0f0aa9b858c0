"""What long forms share: cases that a pool of processes plays, and the server that each process has."""

import json
import time
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import AbstractContextManager
from functools import cache
from multiprocessing.util import Finalize
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, TypeVar

from ..serving import Serving, make_tenant, serving

T = TypeVar("T")


def play_cases(
    pool: ProcessPoolExecutor,
    what: str,
    task: Callable[..., Any],
    cases: Iterable[tuple[Any, ...]],
    errors: Callable[[Any], list[str]] = list,
) -> dict[str, Any]:
    """Return the report of one part: what was wrong in each case.

    `errors` returns what was wrong from the result of a task, which is a list of it by default.
    """
    began = time.monotonic()
    waiting = {pool.submit(task, *case): case for case in cases}
    wrong = []
    for number, future in enumerate(as_completed(waiting), 1):
        case = waiting[future]
        error = future.exception()
        found = [f"{type(error).__name__}: {error}"] if error else errors(future.result())
        if found:
            wrong.append({"case": [what, *case], "wrong": found})
            print(" ".join(map(str, [what, *case])), *found, sep="\n  ", flush=True)
        if number % 50 == 0 or number == len(waiting):
            print(f"{what}: {number} of {len(waiting)}, {len(wrong)} wrong", flush=True)
    wrong.sort(key=lambda one: str(one["case"]))
    return {"cases": len(waiting), "seconds": round(time.monotonic() - began, 1), "wrong": wrong}


def write_report(file: Path, report: Mapping[str, Any]) -> int:
    """Write a report, of which each part names what was wrong; print the number, and return the exit code."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    wrong = [error for part in report.values() if isinstance(part, Mapping) for error in part["wrong"]]
    print(f"{len(wrong)} wrong: {file}")
    return 1 if wrong else 0


@cache
def running_server() -> tuple[str, Serving]:
    """Return the database and the server of this process."""
    url = f"sqlite:///{mkdtemp()}/server.db"
    make_tenant(url)
    return url, opened(serving(url, "--rate-limit", "0", "--log-level", "warning"))


def opened(manager: AbstractContextManager[T]) -> T:
    """Return the value of a context manager that is closed at the end of the process."""
    value = manager.__enter__()
    Finalize(None, manager.__exit__, (None, None, None), exitpriority=1)  # before it waits for its child processes
    return value
