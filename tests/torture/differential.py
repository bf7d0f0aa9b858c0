"""Asks both databases the same for long (DB-04)."""

import time
from collections.abc import Callable
from contextlib import closing
from typing import Any

from hypothesis import HealthCheck, Verbosity, given, seed, settings
from hypothesis import strategies as st

from contentsync.server.store import connect_database

from ..server.differential.requests import Asked, asked
from ..server.differential.twins import Twins

EXAMPLES = 50  # sequences in a round


def compare(
    urls: tuple[str, str], seconds: float, first_seed: int, say: Callable[[str], None] = lambda text: None
) -> dict[str, Any]:
    """The report of rounds, each from a seed of its own, until the time is up or the answers differ."""
    for url in urls:
        with closing(connect_database(url)) as database:
            database.migrate()
    until, number = time.monotonic() + seconds, first_seed
    wrong: list[dict[str, Any]] = []
    with Twins(*urls) as twins:
        while time.monotonic() < until and not wrong:
            try:
                _round(twins, number)
            except Exception as error:  # noqa: BLE001 - whatever it is, it belongs into the report
                wrong.append({"seed": number, "error": "\n".join([str(error), *getattr(error, "__notes__", ())])})
            number += 1
            say(f"{twins.asked} requests to each database, {len(wrong)} differences")
        answers = {str(status): count for status, count in sorted(twins.answers.items())}
    rounds = number - first_seed
    return {"requests": twins.asked, "rounds": rounds, "first_seed": first_seed, "answers": answers, "wrong": wrong}


def _round(twins: Twins, number: int) -> None:
    @seed(number)
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        database=None,
        verbosity=Verbosity.quiet,
        suppress_health_check=list(HealthCheck),
    )
    @given(requests=st.lists(asked(), min_size=10, max_size=60))
    def same(requests: list[Asked]) -> None:
        pair = twins.directory()
        for each in requests:
            pair.ask(each)

    same()
