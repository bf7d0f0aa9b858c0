"""What appears and expires on the site until a time, as text, Markdown and JSON."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, tzinfo
from typing import Any

from rich.segment import Segment, Segments

from ..model import RECORDS, Kind
from ..model.dates import instant_text
from ..sync.forecast import Event, Forecast
from .drift_report import entry_document
from .formatting import first_items, others_line, pluralize, printable, value_text
from .plan_changes import EntryLines, redact
from .plan_markdown import inline_code
from .problems import segment

MAX_EVENTS = 20  # without --full
MAX_MARKDOWN = 4_000  # bytes of the list of events

_SYMBOLS = {"appears": ("+", "green"), "expires": ("-", "red")}


def forecast_text(
    forecast: Forecast, zone: tzinfo, starting_point: str, *, full: bool = False, secret: str = "", hint: str = ""
) -> Segments:
    """Return the forecast: its heading, the events, and the entries that are current then.

    `starting_point` says which content the forecast is about, such as `with this plan applied`. `secret` is the token,
    which is replaced where a value contains it. Without `full`, long lists of events are shortened, and `hint` says how
    to see them all.
    """
    lines = EntryLines(full=full, secret=secret)
    events = forecast.events
    shown = first_items(events, MAX_EVENTS, full=full)
    pieces: list[Segment] = [segment(f"{forecast_heading(forecast, zone, starting_point)}\n")]
    for event in shown:
        pieces += _event_line(event, zone, lines)
    if len(shown) < len(events):
        pieces.append(segment(others_line(len(events) - len(shown), "later", hint), "dim"))
    pieces.append(segment(f"  {current_line(forecast)}\n"))
    return Segments(pieces)


def forecast_heading(forecast: Forecast, zone: tzinfo, starting_point: str) -> str:
    """Return one line with the number of entries that appear and expire until the time of the forecast.

    `starting_point` is a part of the line: it says which content the forecast is about, as in `forecast_text`.
    """
    counts = Counter(event.happening for event in forecast.events)
    parts = []
    if appearing := counts["appears"]:
        parts.append(pluralize(appearing, "entry appears", "entries appear"))
    if expiring := counts["expires"]:
        parts.append(pluralize(expiring, "entry expires", "entries expire"))
    happenings = ", ".join(parts) or "nothing appears or expires"
    return f"until {moment_text(forecast.until, zone)}, {starting_point}: {happenings}"


def current_line(forecast: Forecast) -> str:
    """Return the line about the entries that visitors see at the time of the forecast."""
    parts = []
    for kind, current in forecast.current.items():
        expired = forecast.expired.get(kind, 0)
        if current or expired:
            noun = pluralize(current, kind.replace("_", " "), kind.plural)
            parts.append(f"{noun} (and {expired:,} expired)" if expired else noun)
    return f"current then: {', '.join(parts) or 'nothing'}"


def forecast_markdown(forecast: Forecast, zone: tzinfo, starting_point: str, secret: str = "") -> str:
    """Return the forecast as Markdown, with all content as code; events that exceed the limit are only counted."""
    items: list[str] = []
    size = 0
    for event in forecast.events:
        item = _markdown_item(event, zone, secret)
        size += len(item.encode())
        if size > MAX_MARKDOWN:
            items.append(f"- … and {len(forecast.events) - len(items):,} more")
            break
        items.append(item)
    return "\n".join(
        [f"**{forecast_heading(forecast, zone, starting_point)}**", "", *items, f"- {current_line(forecast)}"]
    )


def forecast_document(forecast: Forecast, secret: str = "") -> dict[str, Any]:
    """Return the part of a JSON document that contains a forecast (docs/reference/json.md, status)."""
    document: dict[str, Any] = redact(
        {
            "until": instant_text(forecast.until),
            "events": [
                {"time": instant_text(event.time), "event": event.happening, **entry_document(event.entry)}
                for event in forecast.events
            ],
            "current": _by_kind(forecast.current),
            "expired": _by_kind(forecast.expired),
        },
        secret,
    )
    return document


def moment_text(moment: datetime, zone: tzinfo) -> str:
    """Return a time in a zone, without its seconds if they are 0."""
    with suppress(OverflowError):  # in the first or the last hours of the calendar
        moment = moment.astimezone(zone)
    return f"{moment:%Y-%m-%d %H:%M:%S %Z}" if moment.second else f"{moment:%Y-%m-%d %H:%M %Z}"


def _by_kind(counts: Any) -> dict[str, int]:
    return {Kind(kind).value: count for kind, count in counts.items()}


def _event_line(event: Event, zone: tzinfo, lines: EntryLines) -> Iterator[Segment]:
    symbol, colour = _SYMBOLS[event.happening]
    yield from lines.head(symbol, colour, event.entry)
    yield from lines.title(event.entry)
    yield segment(f"  {event.happening} {moment_text(event.time, zone)}")
    if event.entry.source:
        yield segment(f"  {printable(event.entry.source.path)}:{event.entry.source.line}", "dim")
    yield segment("\n")


def _markdown_item(event: Event, zone: tzinfo, secret: str) -> str:
    entry = event.entry
    title = redact(entry.fields.get(RECORDS[entry.kind].title_field), secret)
    name = f"{entry.kind.replace('_', ' ')} {inline_code(str(redact(entry.key, secret)))}"
    shown = f"{name} {inline_code(value_text(title))}" if title else name
    return f"- {shown} {event.happening} {moment_text(event.time, zone)}"
