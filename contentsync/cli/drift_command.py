"""`contentsync drift`: its options, and what it does. The imports that take long are made when it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json, print_lines
from .option_groups import with_options
from .options import Folder, Full, PlanFormat, content_folder
from .plan_options import PlanOptions

if TYPE_CHECKING:
    from .find_plan import PlanFinder


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
    from ..sync.planning.drift_summary import DRIFT_POLICY
    from .find_plan import PlanFinder
    from .plan_command import EXIT_CHANGES
    from .terminal import stderr

    finder = PlanFinder.open(content_folder(path), options, stderr()).for_report(DRIFT_POLICY)
    has_drift = show_drift(finder, format_, full=full)
    return EXIT_CHANGES if detailed_exitcode and has_drift else 0


def show_drift(finder: "PlanFinder", format_: PlanFormat, *, full: bool) -> bool:
    """Print what was changed on the server, and return whether anything was; the plans have DRIFT_POLICY."""
    from ..report.drift_report import drift_document, drift_heading, drift_markdown, drift_text
    from ..sync.planning.drift_summary import summarize_drift
    from .terminal import stdout

    planned, session = finder.find()
    summary = summarize_drift(planned.plan, session.content.config.submissions)
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
    return bool(summary)
