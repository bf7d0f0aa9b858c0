"""`contentsync plan`."""

import asyncio
from dataclasses import replace
from pathlib import Path

from rich.console import Console

from ..report.plan_changes import drift_changes, plan_changes
from ..report.plan_markdown import plan_markdown
from ..report.plan_report import (
    Destination,
    plan_counts,
    plan_document,
    plan_notes,
    plan_summary,
    refusals_text,
    theirs_text,
    unmanaged_lines,
)
from ..sync import Plan
from ..sync.saved_plan import save_plan
from .choices import PlanFormat
from .output import print_json, print_lines
from .plan_recall import PlanRecall
from .session import PlanOptions, Session
from .terminal import stderr, stdout

CHANGES = 2  # the exit code of --detailed-exitcode when there are changes
SCREEN = 20  # lines of changes after which the summary is repeated


def plan(
    folder: Path,
    options: PlanOptions,
    *,
    format_: PlanFormat,
    out: Path | None,
    full: bool,
    verbose: bool,
    detailed_exitcode: bool,
) -> int:
    """Show what a sync would do, and why, without changing anything. With `out`, also save the plan."""
    recall = PlanRecall.open(folder, options, stderr()) if out is None else None
    plan_ = asyncio.run(recall.plan()) if recall else None
    if recall and plan_ is not None:
        destination = recall.session.destination
    else:
        session = Session.open(folder, options, stderr())
        plan_, user = asyncio.run(_make_plan(session, recall, with_user=out is not None))
        destination = session.destination
        if out is not None:
            save_plan(out, plan_, replace(session.terms, user=user), plan_document(plan_, destination))
    if format_ is PlanFormat.JSON:
        print_json(plan_document(plan_, destination))
    elif format_ is PlanFormat.MARKDOWN:
        print_lines([plan_markdown(plan_, destination)])
    else:
        show_plan(stdout(), plan_, destination, full=full, verbose=verbose)
    return CHANGES if detailed_exitcode and plan_ else 0


async def _make_plan(session: Session, recall: PlanRecall | None, *, with_user: bool) -> tuple[Plan, int | None]:
    if recall:
        session = replace(session, confirmed=recall.session.confirmed)
    async with session.planned(must_match=True) as planned:
        if recall:
            recall.store(planned.plan, session.content, planned.remote)
        return planned.plan, await planned.remote.user() if with_user else None


def show_plan(console: Console, plan_: Plan, destination: Destination, *, full: bool, verbose: bool) -> None:
    """Print the summary, counts, changes, notes and refusals of a plan; repeat the summary below many changes."""
    console.print(plan_summary(plan_, destination))
    console.print()
    console.print(plan_counts(plan_, console.width))
    changes = plan_changes(plan_, full=full, secret=destination.secret)
    drift = drift_changes(plan_, full=full, secret=destination.secret)
    for segments in (changes, drift):
        if segments.segments:
            console.print()
            console.print(segments, end="")
    if plan_.theirs:
        console.print()
        console.print(theirs_text(plan_), end="")
    if notes := plan_notes(plan_):
        console.print()
        console.print("\n".join(notes), markup=False)
    if verbose:
        show_unmanaged(console, plan_)
    if sum(segment.text.endswith("\n") for segment in changes.segments) > SCREEN:
        console.print()
        console.print(plan_summary(plan_, destination))
    if plan_.refusals:
        console.print()
        console.print(refusals_text(plan_.refusals), end="")


def show_unmanaged(console: Console, plan_: Plan) -> None:
    """Print the entries that only the server has, each with the reason why it is not deleted."""
    for line in unmanaged_lines(plan_):
        console.print(line, markup=False, style="dim")
