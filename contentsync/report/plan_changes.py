"""The changes of a plan: deletes, adopted records, changes that entries share, other updates, and new entries."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar

from rich.segment import Segment, Segments

from ..errors import pluralize
from ..model import Entry, EntryKey, Kind
from ..sync import Action, Change, Plan
from ..sync.planning.plan import DELETED_REASON, Drift
from ..value_text import printable, value_pair
from .document_parts import redact
from .entry_lines import EntryLines, segment, source_location
from .equal_changes import EqualChange, split_equal_changes
from .formatting import first_items, others_line

# Limits for a screen; --full shows all.
MAX_NEW = 5  # new entries of a kind
MAX_LINES = 22  # of all changes, about
MIN_LINES = 4  # of each section, if others before it are long
MAX_EXAMPLES = 3  # entries of an equal change


DRIFT_NOTE = "changed on the server"
BASE_UNKNOWN = "base unknown"
ADOPT = "adopt"

_T = TypeVar("_T")


def plan_changes(plan: Plan, *, full: bool, secret: str = "") -> Segments:
    """Return the text of the changes: deletes, adoptions, changes that many entries share, other updates, then creates.

    Without `full`, shorten long lists and texts, so that a person can read all of it. With it, each update has all its
    fields. `secret` is the token, which is replaced in all texts.
    """
    lines = _ChangeLines(plan, full, secret)
    by_action = {action: [change for change in plan.changes if change.action is action] for action in Action}
    equal, updates = ((), by_action[Action.UPDATE]) if full else split_equal_changes(plan)
    creates = [list(group) for _kind, group in groupby(by_action[Action.CREATE], lambda change: change.kind)]
    sections: list[Section[Any]] = [
        Section(by_action[Action.DELETE], lines.render_delete, "to delete"),
        Section(plan.adopted_unchanged, lines.render_adopted, f"to {ADOPT}"),
        Section(equal, lines.render_equal, "changes that several entries share"),
        Section(updates, lines.render_update, "to update"),
        Section(creates, lines.render_creates, "kinds of new entries"),
    ]
    return Segments(list(lines.sections(sections)))


def drift_changes(plan: Plan, *, full: bool, secret: str = "") -> Segments:
    """Return the text of the changes on the server that the plan does not overwrite, with the values of both sides."""
    lines = _ChangeLines(plan, full, secret)
    return Segments(list(lines.sections([Section(plan.drift, lines.render_drift, DRIFT_NOTE)])))


def count_listing_losses(plan: Plan) -> Counter[EntryKey]:
    """Return the number of listings that lose a value because an entry is deleted, by the deleted entry."""
    return Counter(reference.target for reference in plan.dangling if reference.entry.kind is Kind.LISTING)


def adopted_title(plan: Plan) -> str:
    """Return how many records a plan adopts, in words."""
    records = pluralize(len(plan.adopted_unchanged), "record", "records")
    return f"{records} to {ADOPT} without a change, not created from this folder"


def created_note(record: Entry) -> str:
    """Return when a record was created, as a note after its title; "" if the service does not say it."""
    return f"  created {printable(record.created)}" if record.created else ""


def unknown_base_note(plan: Plan, entry: Entry) -> str:
    """Return the note of an entry whose file could not be read at the commit that is the base; "" for other entries."""
    return f"; {BASE_UNKNOWN}" if plan.has_unknown_base(entry) else ""


class Section(NamedTuple, Generic[_T]):
    """A part of a plan's changes: what renders one of its items, and words for those that are not shown."""

    items: Sequence[_T]
    render: Callable[[_T], Iterator[Segment]]
    description: str


class _ChangeLines(EntryLines):
    """Renders the changes of a plan for a terminal."""

    def __init__(self, plan: Plan, full: bool, secret: str) -> None:
        super().__init__(full, secret)
        self._plan = plan
        self._losing = count_listing_losses(plan)

    def render_creates(self, changes: Sequence[Change]) -> Iterator[Segment]:
        """Yield a line for each create of one kind; without `--full`, for the first MAX_NEW."""
        shown = first_items(changes, MAX_NEW, full=self._full)
        for change in shown:
            yield from self.head("+", "green", change.entry)
            yield from self.title(change.entry)
            if change.recreates:
                yield segment(f"  {change.reason}", "magenta")
            yield segment(unknown_base_note(self._plan, change.entry), "magenta")
            yield from source_location(change.entry)
            yield segment("\n")
        if len(shown) < len(changes):
            kind = changes[0].kind
            yield segment(f"  + … and {kind.counted(len(changes) - len(shown))} more (--full shows all)\n", "dim")

    def sections(self, sections: Iterable[Section[Any]]) -> Iterator[Segment]:
        """Yield the lines of each section; without `--full`, about MAX_LINES, but at least MIN_LINES of each."""
        filled = [section for section in sections if section.items]
        left = MAX_LINES
        for number, (items, render, description) in enumerate(filled, 1):
            kept = MIN_LINES * (len(filled) - number)  # lines for the later sections
            for index, item in enumerate(items):
                if left <= kept and index and not self._full:
                    yield segment(others_line(len(items) - index, description), "dim")
                    break
                lines = list(render(item))
                left -= sum(piece.text.endswith("\n") for piece in lines)
                yield from lines

    def render_equal(self, equal: EqualChange) -> Iterator[Segment]:
        """Yield the line of a change that several entries share: the values, and the first entries."""
        name, field = redact(equal.name, *self._secrets), redact(equal.field, *self._secrets)
        before, after = value_pair(field)
        yield segment("  ~ ", "bold yellow")
        yield segment(f"{printable(name)}: ", "cyan")
        yield segment(before, "red")
        yield segment(" → ")
        yield segment(after, "green")
        names = [printable(redact(entry.key, *self._secrets)) for entry in equal.entries[:MAX_EXAMPLES]]
        yield segment(f"  in {equal.kind.counted(len(equal.entries))}, such as {', '.join(names)}\n")

    def render_adopted(self, record: Entry) -> Iterator[Segment]:
        """Yield the line of a record that this folder did not create, and that the plan adopts."""
        yield from self.head("=", "cyan", record)
        yield from self.title(record)
        yield segment(f"  {ADOPT}, not created from this folder{created_note(record)}\n")

    def render_update(self, change: Change) -> Iterator[Segment]:
        """Yield the lines of an update: its entry, each field with both values, and values that it has for a moment."""
        yield from self.head("~", "yellow", change.entry)
        yield segment(f"  {printable(change.reason)}")
        yield segment(unknown_base_note(self._plan, change.entry), "magenta")
        yield from source_location(change.entry, next(iter(change.fields), ""))
        yield segment("\n")
        for name, field in change.fields.items():
            note = f"  {DRIFT_NOTE}" if name in change.drift else ""
            yield from self.field(name, field, note)
        for name, value in change.temporary_values.items():
            yield segment(
                f"      {name} is {printable(value)} for a moment: another entry takes its present value\n", "dim"
            )

    def render_delete(self, change: Change) -> Iterator[Segment]:
        """Yield the lines of a delete: its entry, the reason, how many listings lose it, and its values until then.

        It has other values until it is deleted if another entry takes its present ones before.
        """
        yield from self.head("-", "red", change.entry)
        yield from self.title(change.entry)
        yield segment(f"  {printable(change.reason)}")
        if lost := self._losing[change.kind, change.key]:
            yield segment(f", {pluralize(lost, 'listing loses', 'listings lose')} it", "bold red")
        if change.drift:
            yield segment(f", {DRIFT_NOTE}: {printable(', '.join(change.drift))}", "magenta")
        yield segment("\n")
        for name, value in change.temporary_values.items():
            yield segment(
                f"      {name} is {printable(value)} until then: another entry takes its present value\n", "dim"
            )

    def render_drift(self, drift: Drift) -> Iterator[Segment]:
        """Yield the lines of an entry that was changed or deleted on the server, and that the plan does not write."""
        yield from self.head("!", "magenta", drift.entry)
        yield segment(f"  {DELETED_REASON}, left deleted\n" if drift.deleted else f"  {DRIFT_NOTE}, left as it is\n")
        for name, field in drift.fields.items():
            yield from self.field(name, field, "", arrow="  here: ")
