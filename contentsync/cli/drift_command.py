"""`contentsync drift`."""

import asyncio
from dataclasses import replace
from pathlib import Path

from ..report.drift_report import drift_document, drift_heading, drift_markdown, drift_text
from ..sync.drift_summary import DRIFT_POLICY, summarize_drift
from .choices import PlanFormat
from .output import print_json, print_lines
from .plan_command import EXIT_CHANGES
from .session import PlanOptions, Session
from .terminal import stderr, stdout


def drift(folder: Path, options: PlanOptions, *, format_: PlanFormat, full: bool, detailed_exitcode: bool) -> int:
    """Show what was changed on the server since the last sync, without changing anything."""
    session = Session.open(folder, options, stderr())
    plan = asyncio.run(replace(session, policy=DRIFT_POLICY).plan())
    summary, destination = summarize_drift(plan), session.destination
    if format_ is PlanFormat.JSON:
        print_json(drift_document(summary, destination))
    elif format_ is PlanFormat.MARKDOWN:
        print_lines([drift_markdown(summary, destination)])
    else:
        console = stdout()
        console.print(drift_heading(summary, destination), markup=False)
        if summary:
            console.print()
            console.print(drift_text(summary, full=full, secret=destination.secret), end="")
    return EXIT_CHANGES if detailed_exitcode and summary else 0
