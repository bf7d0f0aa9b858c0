"""`contentsync status`."""

import asyncio

from ..report.plan import plan_summary, plan_table
from ..report.status import status_document
from .output import print_json
from .plan import show_unmanaged
from .session import Session
from .terminal import data


def status(session: Session, *, as_json: bool, verbose: bool) -> int:
    """One screen: the target, and what differs between it and the folder; changes nothing."""
    found = asyncio.run(session.plan())
    if as_json:
        print_json(status_document(found, session.destination))
        return 0
    console = data()
    console.print(
        f"{session.content.config.site.name}: {session.destination.name}, {session.destination.address}", markup=False
    )
    console.print()
    console.print(plan_table(found))
    if verbose:
        show_unmanaged(console, found.unmanaged)
    console.print()
    console.print(plan_summary(found, session.destination))
    return 0
