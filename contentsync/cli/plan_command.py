"""`contentsync plan`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from ..errors import Refused, Unwritable, UsageError
from ..report.document_parts import Destination, redact
from ..report.plan_document import plan_document, plan_notes, visitor_notes
from ..report.plan_text import (
    drift_changes,
    left_as_on_server_text,
    plan_changes,
    plan_counts,
    plan_summary,
    refusals_text,
    unmanaged_lines,
    uploads_text,
)
from ..sync.planning.plan import Plan, Refusal
from . import print_json, print_lines, run_coroutine
from .find_plan import find_plan
from .options import PlanFormat, future_time
from .plan_options import PlanOptions, PlanOutput
from .session import Session
from .terminal import stderr, stdout

if TYPE_CHECKING:
    from ..report.status_report import ForecastReport

EXIT_CHANGES = 2  # the exit code of --detailed-exitcode when there are changes
SCREEN_LINES = 20  # lines of changes after which the summary is repeated


def plan(folder: Path, options: PlanOptions, output: PlanOutput) -> int:
    """Show what a sync would do, and why, without changing anything. With `out`, also save the plan.

    With `whole`, write all of the Markdown to a new file, if the shown one leaves something out.
    With the time `at`, also show what appears and expires on the site until then, once the plan is applied. Raise
    Refused, after the plan is shown and saved, if a sync would refuse it.
    """
    if output.whole is not None and output.format_ is not PlanFormat.MARKDOWN:
        raise UsageError("--whole needs --format markdown", "in the other formats, --full or json shows the whole plan")
    later: ForecastReport | None = None
    if output.out is None and output.at is None:
        plan_, destination = find_plan(folder, options, stderr())
    else:
        session = Session.open(folder, options, stderr())
        zone = session.content.config.site.zone
        now = datetime.now(UTC)
        until = None if output.at is None else future_time(output.at, zone, now)
        plan_, user = run_coroutine(_make_plan_with_user(session, needs_user=output.out is not None))
        destination = session.destination
        if output.out is not None:
            from ..sync.state.saved_plan import save_plan  # this and what follows: most plans are only shown as text

            save_plan(output.out, plan_, replace(session.plan_context, user=user), plan_document(plan_, destination))
        if until is not None:
            later = _forecast(session, plan_, now, until)
    if output.format_ is PlanFormat.JSON:
        print_json({**plan_document(plan_, destination), **({"at": later.document} if later else {})})
    elif output.format_ is PlanFormat.MARKDOWN:
        from ..report.plan_markdown import plan_markdown

        markdown = plan_markdown(plan_, destination, full=output.full)
        if output.whole is not None and (text := plan_markdown(plan_, destination, full=True)) != markdown:
            _write_new_file(output.whole, text)
        print_lines([markdown])
        if later:
            print_lines([later.markdown()])
    else:
        show_plan(stdout(), plan_, destination, full=output.full, verbose=output.verbose)
        if later:
            stdout().print()
            stdout().print(later.text(full=output.full), end="")
    if plan_.refusals:
        is_shown = output.format_ is PlanFormat.TEXT
        is_json = output.format_ is PlanFormat.JSON
        raise refusal_error(
            plan_.refusals,
            "the plan is refused",
            secret=destination.secret,
            is_shown=is_shown,
            is_printed_as_json=is_json,
        )
    return EXIT_CHANGES if output.detailed_exitcode and plan_ else 0


def _forecast(session: Session, plan_: Plan, now: datetime, until: datetime) -> "ForecastReport":
    """Return what appears and expires on the site until a time, once the plan is applied."""
    # Imported here, because most plans do not look ahead.
    from ..report.status_report import ForecastReport, forecast_document
    from ..sync.planning.forecast import entries_after, make_forecast

    selected = (entry for entry in entries_after(plan_) if entry in session.selection)
    forecast = make_forecast(selected, now, until, session.content.entries)
    document = forecast_document(forecast, session.destination.secret)
    return ForecastReport(document, session.content.config.site.zone, "with this plan applied")


def _write_new_file(file: Path, text: str) -> None:
    """Write a text to a new file. Raise Unwritable if that fails, or if the file exists: it may be content."""
    try:
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except OSError as error:
        raise Unwritable(f"{file} cannot be written: {error.strerror}", "name another file with --whole") from error


async def _make_plan_with_user(session: Session, *, needs_user: bool) -> tuple[Plan, int | None]:
    """Return the plan, and the id of the token's user for a saved plan; None if it is not needed or not known."""
    async with session.open_plan(only_must_match=True) as planned:
        user = await planned.remote.user_id() if needs_user else None
        return planned.plan, user


def refusal_error(
    refusals: Sequence[Refusal],
    outcome: str,
    *,
    secret: str = "",
    is_shown: bool = False,
    is_printed_as_json: bool = False,
) -> Refused:
    """Return the error of a refused plan; it has the reasons unless they were shown with the plan.

    `secret` is the token, which is replaced where a value in a reason contains it.
    """
    if is_shown:
        return Refused(outcome)
    flags = [refusal.flag for refusal in refusals if refusal.flag]
    hint = f"if that is right: {', '.join(dict.fromkeys(flags))}" if flags else ""
    reasons = redact("; ".join(refusal.message for refusal in refusals), secret)
    return Refused(f"{outcome}: {reasons}", hint, is_printed_as_json=is_printed_as_json)


def show_plan(console: Console, plan_: Plan, destination: Destination, *, full: bool, verbose: bool) -> None:
    """Print the summary, counts, changes, notes and refusals of a plan; repeat the summary below many changes."""
    console.print(plan_summary(plan_, destination))
    console.print()
    console.print(plan_counts(plan_, console.width))
    if notes := visitor_notes(plan_):
        console.print()
        console.print("\n".join(notes), markup=False)
    changes = plan_changes(plan_, full=full, secret=destination.secret)
    drift = drift_changes(plan_, full=full, secret=destination.secret)
    for segments in (changes, drift):
        if segments.segments:
            console.print()
            console.print(segments, end="")
    if plan_.uploads:
        console.print()
        console.print(uploads_text(plan_.uploads, full=full), end="")
    if plan_.left_as_on_server:
        console.print()
        console.print(left_as_on_server_text(plan_), end="")
    if notes := plan_notes(plan_, destination):
        console.print()
        console.print("\n".join(notes), markup=False)
    if verbose:
        show_unmanaged(console, plan_)
    if sum(segment.text.endswith("\n") for segment in changes.segments) > SCREEN_LINES:
        console.print()
        console.print(plan_summary(plan_, destination))
    if plan_.refusals:
        console.print()
        console.print(refusals_text(plan_.refusals, destination.secret, plan_.commit_consents), end="")


def show_unmanaged(console: Console, plan_: Plan) -> None:
    """Print the entries that only the server has, each with the reason why it is not deleted."""
    for line in unmanaged_lines(plan_):
        console.print(line, markup=False, style="dim")
