"""`contentsync plan`."""

import asyncio
from collections.abc import Iterable

from rich.console import Console

from ..model import Entry
from ..report.plan import Destination, plan_changes, plan_document, plan_summary, plan_table
from ..report.words import printable
from ..sync import Plan
from .output import print_json
from .session import Session
from .terminal import data

CHANGES = 2  # the exit code of --detailed-exitcode when there are changes


def plan(session: Session, *, as_json: bool, full: bool, verbose: bool, detailed_exitcode: bool) -> int:
    """Shows what a sync would do, and why; changes nothing."""
    found = asyncio.run(session.plan())
    if as_json:
        print_json(plan_document(found, session.destination))
    else:
        show_plan(data(), found, session.destination, full=full, verbose=verbose)
    return CHANGES if detailed_exitcode and found else 0


def show_plan(console: Console, found: Plan, destination: Destination, *, full: bool, verbose: bool) -> None:
    """The sum, each change, and the sum again where the changes fill a screen."""
    console.print(plan_summary(found, destination))
    console.print()
    console.print(plan_table(found))
    if found:
        console.print()
        console.print(plan_changes(found, full=full), end="")
    if verbose:
        show_unmanaged(console, found.unmanaged)
    if len(found.changes) > 20:
        console.print()
        console.print(plan_summary(found, destination))


def show_unmanaged(console: Console, entries: Iterable[Entry]) -> None:
    """The entries that only the server has."""
    for entry in entries:
        console.print(
            f"  · {entry.kind} {printable(entry.key)}  on the server only, left alone", markup=False, style="dim"
        )
