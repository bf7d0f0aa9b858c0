"""The changes of a plan one by one, as a good reviewer would tell them: what is new, what differs, what goes."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import TypeVar

from rich.segment import Segment, Segments

from ..model import RECORDS, Entry, Kind
from ..sync import Action, Change, FieldChange, Plan
from ..sync.comparing.entry_fields import Identity
from ..sync.plan import DELETED, Drift
from .compared import diff_lines, is_long, value_pair, without
from .piece import piece
from .words import counted, printable, value_text

# What a screen bears; --full shows all.
MOST_NEW = 5  # new entries of a kind
MOST_LINES = 80  # of all updates, and of all deletes
MOST_DIFF_LINES = 12  # of a long text

DRIFTED = "changed on the server"

_T = TypeVar("_T")


def plan_changes(plan: Plan, *, full: bool, secret: str = "") -> Segments:
    """Every change: new entries one line each, changed ones with each field's old and new value, deletes last.

    `secret` is the token: where a text holds it, it is not shown.
    """
    told = _Told(plan, full, secret)
    creates = (change for change in plan.changes if change.action is Action.CREATE)
    pieces: list[Segment] = []
    for kind, group in groupby(creates, lambda change: change.kind):
        pieces += told.created(list(group), kind)
    for action, tell in ((Action.UPDATE, told.updated), (Action.DELETE, told.deleted)):
        pieces += told.section([change for change in plan.changes if change.action is action], tell, f"to {action}")
    return Segments(pieces)


def kept_drift(plan: Plan, *, full: bool, secret: str = "") -> Segments:
    """What somebody has changed on the server and is left so, with both values."""
    told = _Told(plan, full, secret)
    return Segments(list(told.section(plan.drift, told.drifted, DRIFTED)))


def losing(plan: Plan) -> Counter[Identity]:
    """How many listings lose each entry that is deleted."""
    return Counter(reference.target for reference in plan.dangling if reference.entry.kind is Kind.LISTING)


class _Told:
    def __init__(self, plan: Plan, full: bool, secret: str) -> None:
        self._plan = plan
        self._full = full
        self._secret = secret
        self._losing = losing(plan)

    def created(self, changes: Sequence[Change], kind: Kind) -> Iterator[Segment]:
        shown = changes if self._full or len(changes) <= MOST_NEW else changes[: MOST_NEW - 1]
        for change in shown:
            yield from self._head("+", "green", change.entry)
            yield from self._title(change.entry)
            if change.recreates:
                yield piece(f"  {change.reason}", "magenta")
            yield from _place(change)
        if len(shown) < len(changes):
            more = counted(len(changes) - len(shown), kind.replace("_", " "), kind.plural)
            yield piece(f"  + … and {more} more (--full shows all)\n", "dim")

    def section(self, items: Sequence[_T], tell: Callable[[_T], Iterator[Segment]], what: str) -> Iterator[Segment]:
        """Whole changes, up to the one with which the screen is full."""
        lines = 0
        for number, item in enumerate(items):
            if lines >= MOST_LINES and not self._full:
                yield piece(f"  … and {len(items) - number:,} more {what} (--full shows all)\n", "dim")
                return
            told = list(tell(item))
            lines += sum(segment.text.endswith("\n") for segment in told)
            yield from told

    def updated(self, change: Change) -> Iterator[Segment]:
        yield from self._head("~", "yellow", change.entry)
        yield piece(f"  {printable(change.reason)}")
        yield from _place(change, next(iter(change.fields), ""))
        for name, field in change.fields.items():
            mark = f"  {DRIFTED}" if name in change.drift else ""
            yield from self._field(name, field, mark)
        for name, value in change.temporary_values.items():
            yield piece(f"      {name} goes by way of {printable(value)}, as others want the one it leaves\n", "dim")

    def deleted(self, change: Change) -> Iterator[Segment]:
        yield from self._head("-", "red", change.entry)
        yield from self._title(change.entry)
        yield piece(f"  {printable(change.reason)}")
        if lost := self._losing[change.kind, change.key]:
            yield piece(f", {counted(lost, 'listing loses', 'listings lose')} it", "bold red")
        if change.drift:
            yield piece(f", {DRIFTED}: {printable(', '.join(change.drift))}", "magenta")
        yield piece("\n")
        for name, value in change.temporary_values.items():
            yield piece(f"      {name} is {printable(value)} until then, as others want the one it has\n", "dim")

    def drifted(self, drift: Drift) -> Iterator[Segment]:
        yield from self._head("!", "magenta", drift.entry)
        yield piece(f"  {DELETED}, left deleted\n" if drift.deleted else f"  {DRIFTED}, left as it is\n")
        for name, field in drift.fields.items():
            yield from self._field(name, field, "", arrow="  here: ")

    def _head(self, mark: str, colour: str, entry: Entry) -> Iterator[Segment]:
        yield piece(f"  {mark} ", f"bold {colour}")
        yield piece(f"{entry.kind} ")
        yield piece(printable(without(entry.key, self._secret)), "bold")

    def _title(self, entry: Entry) -> Iterator[Segment]:
        title = without(entry.fields.get(RECORDS[entry.kind].title_field), self._secret)
        if title:
            yield piece(f"  {value_text(title)}")

    def _field(self, name: str, field: FieldChange, mark: str, arrow: str = " → ") -> Iterator[Segment]:
        field = without(field, self._secret)
        yield piece(f"      {printable(name)}: ", "cyan")
        if is_long(field):
            yield piece(f"{mark.strip()}\n", "magenta")
            yield from self._diff(diff_lines(field))
            return
        before, after = value_pair(field, None) if self._full else value_pair(field)
        yield piece(before, "red")
        yield piece(arrow)
        yield piece(after, "green")
        yield piece(f"{mark}\n", "magenta")

    def _diff(self, lines: Sequence[str]) -> Iterator[Segment]:
        shown = lines if self._full or len(lines) <= MOST_DIFF_LINES else lines[: MOST_DIFF_LINES - 1]
        for line in shown:
            yield piece(f"        {line}\n", {"+": "green", "-": "red", "@": "dim"}.get(line[0], ""))
        if len(shown) < len(lines):
            yield piece(f"        … {counted(len(lines) - len(shown), 'line')} more (--full shows all)\n", "dim")


def _place(change: Change, field: str = "") -> Iterator[Segment]:
    if change.entry.source:
        where = change.entry.source.where(field)
        yield piece(f"  {printable(where.path)}:{where.line}", "dim")
    yield piece("\n")
