"""The state of a target: the last run, the changes on the server since, and what appears and expires until a time."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any, TypedDict

from rich.segment import Segment, Segments

from ..errors import pluralize
from ..model import EntryKey, Kind
from ..model.filled_fields import Completeness
from ..model.scalar import instant_text
from ..sync.comparing.change import Status
from ..sync.planning.forecast import Forecast, Happening
from ..sync.planning.plan import Plan
from ..sync.state.run_history import Run, run_start_time
from ..value_text import printable
from .completeness import completeness_summaries
from .document_parts import Destination, EntryDocument, entry_document, redact
from .entry_lines import EntryLines, segment
from .markdown_parts import entry_name
from .plan_document import COLUMNS, kind_counts

MAX_NAMES = 5  # changed entries that are named
MAX_EVENTS = 20  # of a forecast without --full
MAX_MARKDOWN = 4_000  # bytes of the list of events
_SYMBOLS = {"appears": ("+", "green"), "expires": ("-", "red")}


def status_document(
    plan: Plan,
    destination: Destination,
    last_run: Run | None,
    upcoming: "ForecastDocument | None" = None,
    completeness: Sequence[Completeness] = (),
) -> dict[str, Any]:
    """Return the JSON document of `status`, with the forecast if there is one, and the completeness of the folder."""
    return {
        "version": 1,
        "target": {"name": destination.name, "address": destination.address},
        "last_run": None if last_run is None else _run(last_run),
        "kinds": {kind.value: dict(zip(COLUMNS, counts, strict=True)) for kind, counts in kind_counts(plan)},
        "drift": [
            {"kind": kind, "key": key, "fields": fields} for (kind, key), fields in _drifted_fields(plan).items()
        ],
        "deleted_there": [{"kind": kind, "key": key} for kind, key in _deleted_on_server(plan)],
        "refused": [refusal.code for refusal in plan.refusals],
        "in_sync": not plan and not plan.drift,
        "completeness": completeness_summaries(completeness),
        **({"upcoming": upcoming} if upcoming else {}),
    }


def _run(run: Run) -> dict[str, Any]:
    undoes = {"undoes": run.undone_run} if run.undone_run else {}
    return {"run": run.name, "ended": run.has_ended, **undoes, **_status_counts(run)}


def _status_counts(run: Run) -> dict[str, int]:
    counts = Counter(step.status for step in run.steps)
    counts[Status.SKIPPED] = max(counts[Status.SKIPPED], run.skipped)
    return {status.value: counts[status] for status in Status}


def last_run_line(last_run: Run | None, destination: Destination) -> str:
    """Return a line with the time and the results of the last run; `last_run` is None if no run has a journal here."""
    if last_run is None:
        return "last sync: there is no journal of one here"
    command = f"undo of run {printable(last_run.undone_run)}" if last_run.undone_run else "sync"
    counts = [f"{count:,} {status}" for status, count in _status_counts(last_run).items() if count]
    entries = ", ".join(counts) or "nothing written"
    note = ""
    if last_run.undone_run and not last_run.is_complete:  # it was interrupted, or a change failed
        note = f"; it did not complete: {destination.command('undo')} continues it"
    elif not last_run.has_ended:
        note = "; it was interrupted or an outcome is unknown: the next sync finds out"
    return f"last {command}: {_start_time(last_run.name)}, {entries} (run {printable(last_run.name)}){note}"


def _start_time(run: str) -> str:
    """Return the start time of a run, which its name begins with, as text."""
    started = run_start_time(run)
    return f"{started:%Y-%m-%d %H:%M:%S} UTC" if started else "at an unknown time"


def drift_lines(plan: Plan) -> Iterator[str]:
    """Yield the lines about entries that were changed or deleted on the server since the last sync."""
    changed = [f"{kind} {key}: {', '.join(fields)}" for (kind, key), fields in _drifted_fields(plan).items()]
    deleted = [f"{kind} {key}" for kind, key in _deleted_on_server(plan)]
    yield from _entry_lines(changed, "changed")
    yield from _entry_lines(deleted, "deleted")


def _entry_lines(entries: Sequence[str], change: str) -> Iterator[str]:
    """Yield a line with the number of entries, and one for each of the first; nothing without entries."""
    if entries:
        count = pluralize(len(entries), "entry was", "entries were")
        yield f"{count} {change} on the server since the last sync"
        for line in entries[:MAX_NAMES]:
            yield f"  ! {printable(line)}"
        if len(entries) > MAX_NAMES:
            yield f"  … and {len(entries) - MAX_NAMES:,} more"


def _drifted_fields(plan: Plan) -> dict[EntryKey, list[str]]:
    """Return, by entry, the fields that were changed on the server, whether or not the plan overwrites them."""
    fields_by_entry: dict[EntryKey, list[str]] = {}
    for change in plan.changes:
        if change.drift:
            fields_by_entry[change.kind, change.key] = list(change.drift)
    for drift in plan.drift:
        if not drift.deleted:
            fields_by_entry.setdefault((drift.entry.kind, drift.entry.key), []).extend(drift.fields)
    return fields_by_entry


def _deleted_on_server(plan: Plan) -> list[EntryKey]:
    """Return the managed entries that were deleted on the server, whether or not the plan creates them again."""
    stay_deleted = [(drift.entry.kind, drift.entry.key) for drift in plan.drift if drift.deleted]
    return [*((change.kind, change.key) for change in plan.changes if change.recreates), *stay_deleted]


class EventDocument(EntryDocument):
    """An entry that appears or expires, as an element of `events`."""

    time: str
    event: Happening


class ForecastDocument(TypedDict):
    """The part of a document that contains the forecast (docs/reference/json.md, status), without the token."""

    until: str
    events: list[EventDocument]
    current: dict[Kind, int]
    expired: dict[Kind, int]


def forecast_document(forecast: Forecast, secret: str) -> ForecastDocument:
    """Return the document from which a ForecastReport makes the text and the Markdown."""
    document: ForecastDocument = {
        "until": instant_text(forecast.until),
        "events": [
            {"time": instant_text(event.time), "event": event.happening, **entry_document(event.entry)}
            for event in forecast.events
        ],
        "current": dict(forecast.current),
        "expired": dict(forecast.expired),
    }
    return redact(document, secret)


@dataclass(frozen=True, slots=True)
class ForecastReport:
    """Renders the document of a forecast, with the times in the zone of the site.

    `starting_point` says which content the forecast is about, such as `with this plan applied`.
    """

    document: ForecastDocument
    zone: tzinfo
    starting_point: str

    def text(self, *, full: bool = False) -> Segments:
        """Return the heading, the events, and the number of entries that are current then.

        Without `full`, long lists of events are shortened.
        """
        lines = EntryLines(full)

        def event_line(event: EventDocument) -> Iterator[Segment]:
            return lines.entry(*_SYMBOLS[event["event"]], event, self._note(event))

        events = lines.items(self.document["events"], MAX_EVENTS, description="later", render=event_line)
        return Segments([segment(f"{self._heading()}\n"), *events, segment(f"  {self._current()}\n")])

    def markdown(self) -> str:
        """Return the heading, the events and the current entries as Markdown, with all content as code.

        Only count the events for which MAX_MARKDOWN leaves no room.
        """
        items: list[str] = []
        size = 0
        for event in self.document["events"]:
            item = f"- {entry_name(event)} {self._note(event)}"
            size += len(item.encode())
            if size > MAX_MARKDOWN:
                items.append(f"- … and {len(self.document['events']) - len(items):,} more")
                break
            items.append(item)
        return "\n".join([f"**{self._heading()}**", "", *items, f"- {self._current()}"])

    def _heading(self) -> str:
        counts = Counter(event["event"] for event in self.document["events"])
        parts = []
        if appearing := counts["appears"]:
            parts.append(pluralize(appearing, "entry appears", "entries appear"))
        if expiring := counts["expires"]:
            parts.append(pluralize(expiring, "entry expires", "entries expire"))
        happenings = ", ".join(parts) or "nothing appears or expires"
        return f"until {self._moment(self.document['until'])}, {self.starting_point}: {happenings}"

    def _current(self) -> str:
        """Return the line about the entries that visitors see at the time of the forecast."""
        parts = []
        for kind, current in self.document["current"].items():
            expired = self.document["expired"].get(kind, 0)
            if current or expired:
                parts.append(kind.counted(current) + (f" (and {expired:,} expired)" if expired else ""))
        return f"current then: {', '.join(parts) or 'nothing'}"

    def _note(self, event: EventDocument) -> str:
        return f"{event['event']} {self._moment(event['time'])}"

    def _moment(self, time: str) -> str:
        """Return a time in the zone of the site, without its seconds if they are 0."""
        moment = datetime.fromisoformat(time)
        with suppress(OverflowError):  # in the first or the last hours of the calendar
            moment = moment.astimezone(self.zone)
        return f"{moment:%Y-%m-%d %H:%M:%S %Z}" if moment.second else f"{moment:%Y-%m-%d %H:%M %Z}"
