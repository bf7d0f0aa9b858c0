"""`contentsync drift`: its options, and what it does. The imports that take long are made when it runs."""

from typing import Annotated

import typer

from . import print_json, print_lines
from .option_groups import with_options
from .options import Folder, Full, PlanFormat, content_folder
from .plan_options import PlanOptions


@with_options("target", "format_", "only", "base", "attempts", "state_dir", "no_index", "detailed_exitcode", "full")
def drift(
    path: Folder = None,
    *,
    options: PlanOptions,
    format_: Annotated[
        PlanFormat, typer.Option("--format", help="The form of the report; markdown: for an issue or a chat.")
    ] = PlanFormat.TEXT,
    detailed_exitcode: Annotated[
        bool, typer.Option("--detailed-exitcode", help="Exit 2 if something was changed on the server.")
    ] = False,
    full: Full = False,
) -> int:
    """Show what was changed on the server since the last sync."""
    import asyncio
    from dataclasses import replace

    from ..report.drift_report import drift_document, drift_heading, drift_markdown, drift_text
    from ..sync.planning.drift_summary import DRIFT_POLICY, summarize_drift
    from .plan_command import EXIT_CHANGES
    from .session import Session
    from .terminal import stderr, stdout

    session = Session.open(content_folder(path), options, stderr(), may_break_rules=True)
    plan = asyncio.run(replace(session, policy=DRIFT_POLICY).plan())
    summary = summarize_drift(plan, session.content.config.submissions)
    address = session.destination.address
    document = drift_document(summary, session.destination)
    if format_ is PlanFormat.JSON:
        print_json(document)
    elif format_ is PlanFormat.MARKDOWN:
        print_lines([drift_markdown(document, address)])
    else:
        console = stdout()
        console.print(drift_heading(document, address), markup=False)
        if summary:
            console.print()
            console.print(drift_text(document, full=full), end="")
    return EXIT_CHANGES if detailed_exitcode and summary else 0
