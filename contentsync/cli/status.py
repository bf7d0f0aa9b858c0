"""`contentsync status`."""

import asyncio

from ..report.plan import plan_counts, plan_notes, plan_summary
from ..report.status import drift_lines, last_line, status_document
from ..report.words import printable
from ..sync.state.run_history import Run, list_journals, read_run
from .output import print_json
from .plan import show_left_alone
from .session import Session
from .terminal import data


def status(session: Session, *, as_json: bool, verbose: bool) -> int:
    """One screen: the target, the last sync, and what differs between it and the folder; changes nothing."""
    found = asyncio.run(session.plan())
    last = _last_run(session)
    if as_json:
        print_json(status_document(found, session.destination, last))
        return 0
    console = data()
    site = printable(session.content.config.site.name)
    console.print(f"{site}: {printable(session.destination.name)}, {session.destination.address}", markup=False)
    console.print(last_line(last), markup=False)
    console.print()
    console.print(plan_counts(found, console.width))
    if told := [*drift_lines(found), *plan_notes(found)]:
        console.print()
        console.print("\n".join(told), markup=False)
    if verbose:
        show_left_alone(console, found)
    console.print()
    console.print(plan_summary(found, session.destination))
    return 0


def _last_run(session: Session) -> Run | None:
    journals = list_journals(session.place)
    return read_run(journals[-1], session.target) if journals else None
