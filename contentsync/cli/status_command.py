"""`contentsync status`."""

import asyncio

from ..report.formatting import printable
from ..report.plan_report import plan_counts, plan_notes, plan_summary
from ..report.status_report import drift_lines, last_run_line, status_document
from ..sync.state.run_history import list_journals, read_run
from .output import print_json
from .plan_command import show_unmanaged
from .session import Session
from .terminal import stdout


def status(session: Session, *, as_json: bool, verbose: bool) -> int:
    """Print the target, the last sync, and the differences, on one screen."""
    plan = asyncio.run(session.plan())
    journals = list_journals(session.state_dir)
    last = read_run(journals[-1], session.target) if journals else None
    if as_json:
        print_json(status_document(plan, session.destination, last))
        return 0
    console = stdout()
    site = printable(session.content.config.site.name)
    console.print(f"{site}: {printable(session.destination.name)}, {session.destination.address}", markup=False)
    console.print(last_run_line(last), markup=False)
    console.print()
    console.print(plan_counts(plan, console.width))
    if lines := [*drift_lines(plan), *plan_notes(plan)]:
        console.print()
        console.print("\n".join(lines), markup=False)
    if verbose:
        show_unmanaged(console, plan)
    console.print()
    console.print(plan_summary(plan, session.destination))
    return 0
