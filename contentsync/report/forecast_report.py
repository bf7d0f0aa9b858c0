"""What appears and expires on the site until a time, as text, Markdown and JSON."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, tzinfo
from typing import Any

from rich.segment import Segment, Segments

from ..errors import pluralize
from ..model.dates import instant_text
from ..sync.forecast import Event, Forecast
from .drift_report import entry_document
from .plan_changes import EntryLines, redact
from .plan_markdown import entry_name
from .problems import segment

MAX_EVENTS = 20  # without --full
MAX_MARKDOWN = 4_000  # bytes of the list of events

_SYMBOLS = {"appears": ("+", "green"), "expires": ("-", "red")}


@dataclass(frozen=True, slots=True)
class ForecastReport:
    """Renders a forecast, with the times in the zone of the site.

    `starting_point` says which content the forecast is about, such as `with this plan applied`. `secret` is the token,
    which is replaced where a value contains it.
    """

    forecast: Forecast
    zone: tzinfo
    starting_point: str
    secret: str = ""

    def text(self, *, full: bool = False) -> Segments:
        """Return the heading, the events, and the number of entries that are current then.

        Without `full`, long lists of events are shortened.
        """
        lines = EntryLines(full, self.secret)

        def event_line(event: Event) -> Iterator[Segment]:
            return lines.entry(*_SYMBOLS[event.happening], event.entry, self._note(event))

        events = lines.items(self.forecast.events, MAX_EVENTS, "later", event_line)
        return Segments([segment(f"{self._heading()}\n"), *events, segment(f"  {self._current()}\n")])

    def markdown(self) -> str:
        """Return the parts of `text` as Markdown, with all content as code; events over the limit are only counted."""
        items: list[str] = []
        size = 0
        for event in self.forecast.events:
            item = f"- {entry_name(event.entry, self.secret)} {self._note(event)}"
            size += len(item.encode())
            if size > MAX_MARKDOWN:
                items.append(f"- … and {len(self.forecast.events) - len(items):,} more")
                break
            items.append(item)
        return "\n".join([f"**{self._heading()}**", "", *items, f"- {self._current()}"])

    def document(self) -> dict[str, Any]:
        """Return the part of a JSON document that contains the forecast (docs/reference/json.md, status)."""
        document: dict[str, Any] = redact(
            {
                "until": instant_text(self.forecast.until),
                "events": [
                    {"time": instant_text(event.time), "event": event.happening, **entry_document(event.entry)}
                    for event in self.forecast.events
                ],
                "current": dict(self.forecast.current),
                "expired": dict(self.forecast.expired),
            },
            self.secret,
        )
        return document

    def _heading(self) -> str:
        counts = Counter(event.happening for event in self.forecast.events)
        parts = []
        if appearing := counts["appears"]:
            parts.append(pluralize(appearing, "entry appears", "entries appear"))
        if expiring := counts["expires"]:
            parts.append(pluralize(expiring, "entry expires", "entries expire"))
        happenings = ", ".join(parts) or "nothing appears or expires"
        return f"until {_moment(self.forecast.until, self.zone)}, {self.starting_point}: {happenings}"

    def _current(self) -> str:
        """Return the line about the entries that visitors see at the time of the forecast."""
        parts = []
        for kind, current in self.forecast.current.items():
            expired = self.forecast.expired.get(kind, 0)
            if current or expired:
                parts.append(kind.counted(current) + (f" (and {expired:,} expired)" if expired else ""))
        return f"current then: {', '.join(parts) or 'nothing'}"

    def _note(self, event: Event) -> str:
        return f"{event.happening} {_moment(event.time, self.zone)}"


def _moment(moment: datetime, zone: tzinfo) -> str:
    """Return a time in a zone, without its seconds if they are 0."""
    with suppress(OverflowError):  # in the first or the last hours of the calendar
        moment = moment.astimezone(zone)
    return f"{moment:%Y-%m-%d %H:%M:%S %Z}" if moment.second else f"{moment:%Y-%m-%d %H:%M %Z}"
