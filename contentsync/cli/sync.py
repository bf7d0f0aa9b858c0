"""`contentsync sync`."""

import asyncio
import secrets
import sys
from collections.abc import Sequence
from datetime import UTC, datetime

import typer

from ..errors import Refused
from ..report.results import results_text, sync_document
from ..sync import Plan, Result, Status, apply
from .plan import show_plan
from .progress import Applying
from .session import Session
from .terminal import data, print_json

PARTLY = 5
UNREACHABLE = 4
INTERRUPTED = 130


def sync(session: Session, *, yes: bool, as_json: bool, full: bool, verbose: bool, quiet: bool) -> int:
    """Plans, asks, applies, and tells what became of each change."""
    return asyncio.run(_sync(session, yes=yes, as_json=as_json, full=full, verbose=verbose, quiet=quiet))


async def _sync(session: Session, *, yes: bool, as_json: bool, full: bool, verbose: bool, quiet: bool) -> int:
    async with session.planned() as (plan, remote):
        if not as_json and not quiet:
            show_plan(data(), plan, session.destination, full=full, verbose=verbose)
        if not plan:
            if as_json:
                print_json(sync_document(plan, session.destination, [], None))
            return 0
        if not yes:
            _ask(plan, session)
        run = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"
        interrupted = False
        with Applying(plan, session.console, quiet=quiet) as applying:
            try:
                await apply(plan, remote, applying.told)
            except asyncio.CancelledError:  # Ctrl-C: what is known is still told
                interrupted = True
        results = applying.results
        if as_json:
            print_json(sync_document(plan, session.destination, results, run))
        else:
            data().print(results_text(results))
        return INTERRUPTED if interrupted else _exit_code(results)


def _ask(plan: Plan, session: Session) -> None:
    if not sys.stdin.isatty():
        raise Refused("nothing was written: there is no terminal to ask on", "--yes applies the plan without asking")
    noun = "change" if len(plan.changes) == 1 else "changes"
    if not typer.confirm(f"Apply {len(plan.changes)} {noun} to {session.target.name}?", err=True):
        raise Refused("nothing was written")


def _exit_code(results: Sequence[Result]) -> int:
    statuses = {result.status for result in results}
    if statuses <= {Status.DONE}:
        return 0
    # Nothing done and the rest not even tried: the server was out of reach from the start.
    return UNREACHABLE if Status.SKIPPED in statuses and Status.DONE not in statuses else PARTLY
