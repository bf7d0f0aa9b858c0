"""The changes of a plan: deletes, adopted records, changes that entries share, other updates, and new entries."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Generic, NamedTuple, TypeVar

from rich.segment import Segment, Segments

from ..errors import pluralize
from ..model import RECORDS, Entry, EntryKey, Kind
from ..sync import Action, Change, FieldChange, Plan
from ..sync.planning.plan import DELETED_REASON, Drift
from ..value_text import WIDTH, printable, value_pair, value_text
from .equal_changes import EqualChange, split_equal_changes
from .formatting import first_items, others_line
from .problems import segment
from .text_diff import CHANGED, GAP, diff_of_texts

# Limits for a screen; --full shows all.
MAX_NEW = 5  # new entries of a kind
MAX_LINES = 22  # of all changes, about
MIN_LINES = 4  # of each section, if others before it are long
MAX_EXAMPLES = 3  # entries of an equal change
MAX_DIFF_LINES = 12  # of a long text

_DIFF_COLOURS = {"+": "green", "-": "red", CHANGED: "yellow", GAP: "dim"}  # by the sign of a line

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


class EntryLines:
    """Renders entries and the values of their fields for a terminal.

    Without `full`, long texts and lists are shortened. `secrets` are tokens, which are replaced in all texts.
    """

    def __init__(self, full: bool, *secrets: str) -> None:
        self._full = full
        self._secrets = secrets

    def items(
        self, items: Sequence[_T], limit: int, description: str, render: Callable[[_T], Iterator[Segment]]
    ) -> Iterator[Segment]:
        """Yield the lines of the first items, and a line that counts the others by a `description` of them."""
        shown = first_items(items, limit, full=self._full)
        for item in shown:
            yield from render(item)
        if len(shown) < len(items):
            yield segment(others_line(len(items) - len(shown), description), "dim")

    def entry(self, symbol: str, colour: str, entry: Entry, note: str) -> Iterator[Segment]:
        """Yield the line of an entry: its kind, key and title, a note, and its location in the folder."""
        yield from self.head(symbol, colour, entry)
        yield from self.title(entry)
        yield segment(f"  {note}")
        yield from source_location(entry)
        yield segment("\n")

    def head(self, symbol: str, colour: str, entry: Entry) -> Iterator[Segment]:
        """Yield the beginning of an entry's line: the symbol, the kind and the key."""
        yield segment(f"  {symbol} ", f"bold {colour}")
        yield segment(f"{entry.kind} ")
        yield segment(printable(redact(entry.key, *self._secrets)), "bold")

    def title(self, entry: Entry) -> Iterator[Segment]:
        """Yield the title of an entry, if it has one."""
        if title := redact(entry.fields.get(RECORDS[entry.kind].title_field), *self._secrets):
            yield segment(f"  {value_text(title)}")

    def field(self, name: str, field: FieldChange, note: str, arrow: str = " → ") -> Iterator[Segment]:
        """Yield the lines of a field: both values, then `note`; of a long text, `note` and then a diff."""
        field = redact(field, *self._secrets)
        yield segment(f"      {printable(redact(name, *self._secrets))}: ", "cyan")
        if is_long(field):
            yield segment(f"{note.strip()}\n", "magenta")
            yield from self._diff(diff_lines(field))
            return
        before, after = value_pair(field, width=None if self._full else WIDTH)
        yield segment(before, "red")
        yield segment(arrow)
        yield segment(after, "green")
        yield segment(f"{note}\n", "magenta")

    def _diff(self, lines: Sequence[str]) -> Iterator[Segment]:
        """Yield the lines of a diff, indented and coloured; without `--full`, the first MAX_DIFF_LINES."""
        shown = first_items(lines, MAX_DIFF_LINES, full=self._full)
        for line in shown:
            yield segment(f"        {line}\n", _DIFF_COLOURS.get(line[0], ""))
        if len(shown) < len(lines):
            yield segment(f"        … {pluralize(len(lines) - len(shown), 'line')} more (--full shows all)\n", "dim")


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


def source_location(entry: Entry, field: str = "") -> Iterator[Segment]:
    """Yield the location of an entry, or of one of its fields, if the folder has the entry."""
    if entry.source:
        where = entry.source.where(field)
        yield segment(f"  {printable(where.path)}:{where.line}", "dim")


_HIDDEN = "(hidden)"


def is_long(field: FieldChange) -> bool:
    """Return whether a field has a text of several lines, which is shown as a diff."""
    if not all(value is None or isinstance(value, str) for value in field):
        return False
    return any("\n" in (value or "").strip() for value in field)


def diff_lines(field: FieldChange) -> list[str]:
    """Return the lines of `diff_of_texts` of a long text."""
    before, after = ((value or "").strip() for value in field)
    return [*diff_of_texts(before, after)]


def redact(value: Any, *secrets: str) -> Any:
    """Return a value with each secret replaced, also in keys of mappings (docs/faults.md PL-20, AU-12).

    If there are secrets, a tuple becomes a list.
    """
    if not any(secrets):
        return value
    if isinstance(value, str):
        for secret in filter(None, secrets):
            value = value.replace(secret, _HIDDEN)
        return value
    if isinstance(value, FieldChange):
        return FieldChange(redact(value.before, *secrets), redact(value.after, *secrets))
    if isinstance(value, Mapping):
        return {redact(name, *secrets): redact(inner, *secrets) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [redact(inner, *secrets) for inner in value]
    return value
