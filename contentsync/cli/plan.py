"""`contentsync plan`."""

import asyncio
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ..report.changes import kept_drift, plan_changes
from ..report.markdown import plan_markdown
from ..report.plan import Destination, left_alone, plan_counts, plan_notes, plan_summary, refusals_text, theirs_text
from ..report.plan_document import plan_document
from ..sync import Plan
from ..sync.saved_plan import save_plan
from .choices import PlanFormat
from .output import print_json, print_lines
from .session import Session
from .terminal import data

CHANGES = 2  # the exit code of --detailed-exitcode when there are changes
SCREEN = 20  # lines of changes after which the sum is told again


def plan(
    session: Session, *, format_: PlanFormat, out: Path | None, full: bool, verbose: bool, detailed_exitcode: bool
) -> int:
    """Shows what a sync would do, and why; changes nothing. With `out` the plan is also saved."""
    found, user = asyncio.run(_planned(session, with_user=out is not None))
    destination = session.destination
    if out is not None:
        save_plan(out, found, replace(session.terms, user=user), plan_document(found, destination))
    if format_ is PlanFormat.JSON:
        print_json(plan_document(found, destination))
    elif format_ is PlanFormat.MARKDOWN:
        print_lines([plan_markdown(found, destination)])
    else:
        show_plan(data(), found, destination, full=full, verbose=verbose)
    return CHANGES if detailed_exitcode and found else 0


async def _planned(session: Session, *, with_user: bool) -> tuple[Plan, int | None]:
    async with session.planned(must_match=True) as planned:
        return planned.plan, await planned.remote.user() if with_user else None


def show_plan(console: Console, found: Plan, destination: Destination, *, full: bool, verbose: bool) -> None:
    """The sum, each change, what is left, and the sum again where the changes fill a screen; last why it is refused."""
    console.print(plan_summary(found, destination))
    console.print()
    console.print(plan_counts(found, console.width))
    changes = plan_changes(found, full=full, secret=destination.secret)
    drift = kept_drift(found, full=full, secret=destination.secret)
    for segments in (changes, drift):
        if segments.segments:
            console.print()
            console.print(segments, end="")
    if found.theirs:
        console.print()
        console.print(theirs_text(found), end="")
    if notes := plan_notes(found):
        console.print()
        console.print("\n".join(notes), markup=False)
    if verbose:
        show_left_alone(console, found)
    if sum(segment.text.endswith("\n") for segment in changes.segments) > SCREEN:
        console.print()
        console.print(plan_summary(found, destination))
    if found.refusals:
        console.print()
        console.print(refusals_text(found.refusals), end="")


def show_left_alone(console: Console, found: Plan) -> None:
    """The entries that only the server has, and why they stay."""
    for line in left_alone(found):
        console.print(line, markup=False, style="dim")
