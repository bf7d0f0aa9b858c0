"""`contentsync sync`."""

import asyncio
import secrets
import signal
import sys
from collections import Counter
from datetime import UTC, datetime

import typer

from ..errors import Refused
from ..report.plan import plan_summary
from ..report.results import results_text, sync_document
from ..sync import Plan, Status, apply
from .output import print_json
from .plan import show_plan
from .progress import Applying
from .session import Session
from .terminal import data, tell

PARTLY = 5
INTERRUPTED = 130


def sync(session: Session, *, yes: bool, as_json: bool, full: bool, verbose: bool, quiet: bool) -> int:
    """Plans, asks, applies, and tells what became of each change."""
    return asyncio.run(_sync(session, yes=yes, as_json=as_json, full=full, verbose=verbose, quiet=quiet))


async def _sync(session: Session, *, yes: bool, as_json: bool, full: bool, verbose: bool, quiet: bool) -> int:
    async with session.planned() as (plan, remote):
        destination = session.destination
        if not as_json and not quiet:
            show_plan(data(), plan, destination, full=full, verbose=verbose)
        refusal = None if yes or not plan else _refusal(plan, session)
        if refusal or not plan:
            if as_json:
                print_json(sync_document(plan, destination, [], run=None, refusal=refusal))
            elif quiet and not plan:
                data().print(plan_summary(plan, destination))
            return tell(refusal) if refusal else 0

        run = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{secrets.token_hex(2)}"
        interrupted, stopped = False, None
        with Applying(plan, session.console, quiet=quiet) as applying:
            try:
                stopped = await apply(plan, remote, applying.told)
            except asyncio.CancelledError:  # Ctrl-C: what is known is still told
                interrupted = True
        results = applying.results
        if as_json:
            print_json(sync_document(plan, destination, results, run=run))
        else:
            data().print(results_text(results, full=full))

        statuses = Counter(result.status for result in results)
        if interrupted:
            return INTERRUPTED
        if stopped and not statuses[Status.DONE]:
            return stopped.exit_code
        return 0 if statuses[Status.DONE] == len(results) else PARTLY


def _refusal(plan: Plan, session: Session) -> Refused | None:
    """Why the plan is not to be applied; None if somebody says yes."""
    if not sys.stdin.isatty():
        return Refused("nothing was written: there is no terminal to ask on", "--yes applies the plan without asking")
    noun = "change" if len(plan.changes) == 1 else "changes"
    # asyncio's own handler would only mark the task, and the prompt would go on.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        agreed = typer.confirm(f"Apply {len(plan.changes)} {noun} to {session.target.name}?", err=True)
    finally:
        signal.signal(signal.SIGINT, before)
    return None if agreed else Refused("nothing was written")
