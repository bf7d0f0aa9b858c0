"""`contentsync status`: its options, and what it does. The imports that take long are made when it runs."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json
from .option_groups import with_options
from .options import Folder, Format, FormatOption, content_folder, end_of_duration
from .plan_options import PlanOptions, Verbose

if TYPE_CHECKING:
    from .find_plan import PlanFinder


@with_options("target", "format_", "base", "state_dir", "no_index", "upcoming", "verbose")
def status(
    path: Folder = None,
    *,
    options: PlanOptions,
    format_: FormatOption = Format.TEXT,
    upcoming: Annotated[
        str | None,
        typer.Option(
            "--upcoming", metavar="TIME", help="Also show what appears and expires within this time, such as 30d."
        ),
    ] = None,
    verbose: Verbose = False,
) -> int:
    """Show the target, the last sync, and the differences since."""
    from .find_plan import PlanFinder
    from .terminal import stderr

    until = None if upcoming is None else end_of_duration(upcoming, datetime.now(UTC))
    # A forecast is about all records.
    finder = PlanFinder.open(content_folder(path), options, stderr()).for_report(of_all_records=until is not None)
    return show_status(finder, until, format_, verbose=verbose)


def show_status(finder: "PlanFinder", until: datetime | None, format_: Format, *, verbose: bool) -> int:
    """Print the status, with a forecast `until` a time if there is one, and return the exit code."""
    from ..report.completeness import completeness_line
    from ..report.plan_document import plan_notes, visitor_notes
    from ..report.plan_text import plan_counts, plan_summary
    from ..report.status_report import ForecastReport, drift_lines, forecast_document, last_run_line, status_document
    from ..sync.planning.forecast import make_forecast
    from ..sync.state.run_history import list_journals, read_run
    from ..value_text import printable
    from .plan_command import show_unmanaged
    from .terminal import stdout

    now = datetime.now(UTC)
    planned, session = finder.find()
    plan, complete = planned.plan, planned.measure()
    destination, site = session.destination, session.content.config.site
    journals = list_journals(session.state_dir)
    last = read_run(journals[-1], session.target) if journals else None
    later = None
    if until is not None:
        forecast = make_forecast(plan.actual, now, until, session.content.entries)
        later = ForecastReport(forecast_document(forecast, destination.secret), site.zone, "as the server is now")
    if format_ is Format.JSON:
        print_json(status_document(plan, destination, last, later.document if later else None, complete))
        return 0
    console = stdout()
    console.print(f"{printable(site.name)}: {printable(destination.name)}, {destination.address}", markup=False)
    console.print(last_run_line(last, destination), markup=False)
    console.print()
    console.print(plan_counts(plan, console.width))
    if lines := [*drift_lines(plan), *visitor_notes(plan), *plan_notes(plan, destination)]:
        console.print()
        console.print("\n".join(lines), markup=False)
    if complete:
        console.print()
        console.print("\n".join(map(completeness_line, complete)), markup=False)
    if later:
        console.print()
        console.print(later.text(full=False), end="")
    if verbose:
        show_unmanaged(console, plan)
    console.print()
    console.print(plan_summary(plan, destination))
    if plan.refusals:
        console.print(f"{destination.command('plan')} says why", markup=False)
    return 0
