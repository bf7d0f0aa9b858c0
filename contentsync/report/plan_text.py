"""A plan as text: its summary, counts and refusals, and its changes in sections."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from rich.segment import Segment, Segments
from rich.table import Table
from rich.text import Text

from ..content.pictures.published_names import PublishedFile
from ..errors import pluralize
from ..model import Entry
from ..sync.comparing.change import Change
from ..sync.planning.consents import NO_CONSENTS, CommitConsents
from ..sync.planning.plan import DELETED_REASON, Drift, Plan, Refusal
from ..value_text import printable, value_pair
from .document_parts import Destination, entry_document, redact
from .entry_lines import EntryLines, segment
from .formatting import files_summary, first_items, others_line, size_text
from .plan_document import (
    ADOPT,
    DRIFT_NOTE,
    MAX_EXAMPLES,
    EqualChange,
    change_summary,
    cost_text,
    count_listing_losses,
    created_note,
    group_changes,
    kept_summary,
    kind_counts,
    shown_columns,
    unknown_base_note,
)

# Limits for a screen; --full shows all.
MAX_NEW = 5  # new entries of a kind
MAX_LINES = 22  # of all changes, about
MIN_LINES = 4  # of each section, if others before it are long
MAX_UPLOADS = 10  # files

TABLE_WIDTH = 60  # columns that the table of counts needs


def plan_changes(plan: Plan, *, full: bool, secret: str = "") -> Segments:
    """Return the text of the changes: deletes, adoptions, changes that many entries share, other updates, then creates.

    Without `full`, shorten long lists and texts, so that a person can read all of it. With it, each update has all its
    fields. `secret` is the token, which is replaced in all texts.
    """
    lines = _ChangeLines(plan, full, secret)
    deletes, equal, updates, creates = group_changes(plan, full=full)
    creates_by_kind = [list(group) for _kind, group in groupby(creates, lambda change: change.kind)]
    sections = [
        Section(deletes, lines.render_delete, "to delete"),
        Section(plan.adopted_unchanged, lines.render_adopted, f"to {ADOPT}"),
        Section(equal, lines.render_equal, "changes that several entries share"),
        Section(updates, lines.render_update, "to update"),
        Section(creates_by_kind, lines.render_creates, "kinds of new entries"),
    ]
    return Segments(list(lines.sections(sections)))


def drift_changes(plan: Plan, *, full: bool, secret: str = "") -> Segments:
    """Return the text of the changes on the server that the plan does not overwrite, with the values of both sides."""
    lines = _ChangeLines(plan, full, secret)
    return Segments(list(lines.sections([Section(plan.drift, lines.render_drift, DRIFT_NOTE)])))


class Section(NamedTuple):
    """A part of a plan's changes: what renders one of its items, and words for those that are not shown."""

    items: Sequence[Any]
    render: Callable[[Any], Iterator[Segment]]
    description: str


class _ChangeLines(EntryLines):
    """Renders the changes of a plan for a terminal; `secret` is the token, which is replaced in all of them."""

    def __init__(self, plan: Plan, full: bool, secret: str) -> None:
        super().__init__(full)
        self._plan = plan
        self._secret = secret
        self._losing = redact(count_listing_losses(plan), secret)

    def render_creates(self, changes: Sequence[Change]) -> Iterator[Segment]:
        """Yield a line for each create of one kind; without `--full`, for the first MAX_NEW."""
        shown = first_items(changes, MAX_NEW, full=self._full)
        for change in shown:
            entry = entry_document(change.entry)
            yield from self.head("+", "green", entry)
            yield from self.title(entry)
            if change.recreates:
                yield segment(f"  {change.reason}", "magenta")
            yield segment(unknown_base_note(self._plan, change.entry), "magenta")
            yield from self.location(entry["path"], entry["line"])
            yield segment("\n")
        if len(shown) < len(changes):
            kind = changes[0].kind
            yield segment(f"  + … and {kind.counted(len(changes) - len(shown))} more (--full shows all)\n", "dim")

    def sections(self, sections: Iterable[Section]) -> Iterator[Segment]:
        """Yield the lines of each section; without `--full`, about MAX_LINES, but at least MIN_LINES of each."""
        filled = [section for section in sections if section.items]
        left = MAX_LINES
        for number, (items, render, description) in enumerate(filled, 1):
            kept = MIN_LINES * (len(filled) - number)  # lines for the later sections
            for index, item in enumerate(items):
                if left <= kept and index and not self._full:
                    yield segment(others_line(len(items) - index, description), "dim")
                    break
                lines = list(render(redact(item, self._secret)))
                left -= sum(piece.text.endswith("\n") for piece in lines)
                yield from lines

    def render_equal(self, equal: EqualChange) -> Iterator[Segment]:
        """Yield the line of a change that several entries share: the values, and the first entries."""
        before, after = value_pair(equal.field)
        yield segment("  ~ ", "bold yellow")
        yield segment(f"{printable(equal.name)}: ", "cyan")
        yield segment(before, "red")
        yield segment(" → ")
        yield segment(after, "green")
        names = [printable(entry.key) for entry in equal.entries[:MAX_EXAMPLES]]
        yield segment(f"  in {equal.kind.counted(len(equal.entries))}, such as {', '.join(names)}\n")

    def render_adopted(self, record: Entry) -> Iterator[Segment]:
        """Yield the line of a record that this folder did not create, and that the plan adopts."""
        entry = entry_document(record)
        yield from self.head("=", "cyan", entry)
        yield from self.title(entry)
        yield segment(f"  {ADOPT}, not created from this folder{created_note(record)}\n")

    def render_update(self, change: Change) -> Iterator[Segment]:
        """Yield the lines of an update: its entry, each field with both values, and values that it has for a moment."""
        yield from self.head("~", "yellow", entry_document(change.entry))
        yield segment(f"  {printable(change.reason)}")
        yield segment(unknown_base_note(self._plan, change.entry), "magenta")
        if change.entry.source:
            where = change.entry.source.where(next(iter(change.fields), ""))
            yield from self.location(where.path, where.line)
        yield segment("\n")
        for name, field in change.fields.items():
            note = f"  {DRIFT_NOTE}" if name in change.drift else ""
            yield from self.field(name, field, note)
        yield from self._temporary_values(change, "for a moment")

    def render_delete(self, change: Change) -> Iterator[Segment]:
        """Yield the lines of a delete: its entry, the reason, how many listings lose it, and its values until then.

        It has other values until it is deleted if another entry takes its present ones before.
        """
        entry = entry_document(change.entry)
        yield from self.head("-", "red", entry)
        yield from self.title(entry)
        yield segment(f"  {printable(change.reason)}")
        if lost := self._losing.get((change.kind, change.key)):
            yield segment(f", {pluralize(lost, 'listing loses', 'listings lose')} it", "bold red")
        if change.drift:
            yield segment(f", {DRIFT_NOTE}: {printable(', '.join(change.drift))}", "magenta")
        yield segment("\n")
        yield from self._temporary_values(change, "until then")

    def _temporary_values(self, change: Change, how_long: str) -> Iterator[Segment]:
        for name, value in change.temporary_values.items():
            text = f"      {name} is {printable(value)} {how_long}: another entry takes its present value\n"
            yield segment(text, "dim")

    def render_drift(self, drift: Drift) -> Iterator[Segment]:
        """Yield the lines of an entry that was changed or deleted on the server, and that the plan does not write."""
        yield from self.head("!", "magenta", entry_document(drift.entry))
        yield segment(f"  {DELETED_REASON}, left deleted\n" if drift.deleted else f"  {DRIFT_NOTE}, left as it is\n")
        for name, field in drift.fields.items():
            yield from self.field(name, field, "", arrow="  here: ")


def plan_counts(plan: Plan, width: int) -> Table | Text:
    """Return the counts by kind: a table, or a list if the terminal is too narrow for one."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("kind")
    columns = shown_columns(plan)
    for heading in columns:
        table.add_column(heading, justify="right")
    lines = []
    for kind, counts in kind_counts(plan, columns):
        if any(counts):
            table.add_row(kind.plural, *(f"{count:,}" if count else "·" for count in counts))
            lines.append(kind.plural)
            lines += [f"  {count:,} {heading}" for heading, count in zip(columns, counts, strict=True) if count]
    return table if width >= TABLE_WIDTH else Text("\n".join(lines))


def plan_summary(plan: Plan, destination: Destination) -> Text:
    """Return the summary of a plan on one line."""
    text = Text()
    name = printable(destination.name)
    if not plan:  # neither changes nor uploads
        if plan.refusals:
            text.append("refused", "bold red")
            text.append(f": {name} differs from the folder")
            return text
        text.append("nothing to do", "bold green")
        if plan.left_as_on_server:
            text.append(f": {_left_as_on_server_summary(plan)}")
            return text
        text.append(f": {name} matches the folder{kept_summary(plan)}")
        return text
    if plan.changes:
        text.append(change_summary(plan), "bold")
        text.append(f" on {name} ({printable(destination.address)}): {cost_text(plan, destination)}")
        text.append("; " if plan.uploads else "")
    if plan.uploads:
        text.append(f"{files_summary(plan.uploads)} to publish", "bold")
    if plan.left_as_on_server:
        text.append(f"; {_left_as_on_server_summary(plan)}")
    if plan.refusals:
        text.append("; ")
        text.append("refused", "bold red")
    return text


def _left_as_on_server_summary(plan: Plan) -> str:
    singular, plural = "entry is left as it is on the server", "entries are left as they are on the server"
    return pluralize(len(plan.left_as_on_server), singular, plural)


def left_as_on_server_text(plan: Plan) -> Text:
    """Return a line for each entry with fields that `--on-conflict theirs` leaves as they are on the server."""
    return Text("".join(f"  left as it is {printable(entry)}\n" for entry in plan.left_as_on_server), "yellow")


def refusals_text(refusals: Sequence[Refusal], secret: str = "", consents: CommitConsents = NO_CONSENTS) -> Text:
    """Return the reasons why the plan is refused, each with the option that consents to it, and the missing trailer.

    `secret` is the token, which is replaced where a value contains it.
    """
    text = Text()
    for refusal in refusals:
        text.append("refused", "bold white on red")
        text.append(f" {printable(redact(refusal.message, secret))}\n", "bold")
        text.append(f"  {refusal.flag} consents to it\n" if refusal.flag else "  no option consents to that\n")
    if consents.missing:
        text.append(f"  or a later commit whose message ends with: {consents.missing}\n")
    return text


def unmanaged_lines(plan: Plan) -> Iterator[str]:
    """Yield a line for each entry that only the server has, with the reason why it is not deleted."""
    reasons = {(entry.kind, entry.id): reason for entry, reason in plan.retained}
    for entry in plan.unmanaged:
        reason = reasons.get((entry.kind, entry.id))
        note = f"no longer in the folder, left: {reason}" if reason else "on the server only, left alone"
        note += unknown_base_note(plan, entry)
        yield f"  · {entry.kind} {printable(entry.key)}  {note}"


def uploads_text(uploads: Sequence[PublishedFile], *, full: bool) -> Text:
    """Return a line for each file that a plan publishes; without `full`, for the first MAX_UPLOADS."""
    shown = uploads if full else uploads[:MAX_UPLOADS]
    text = Text()
    for file in shown:
        text.append("  publish", "green")
        text.append(f" {printable(file.path)} ({size_text(file.size)}) as {file.name}\n")
    if len(uploads) > len(shown):
        text.append(others_line(len(uploads) - len(shown), "files"), "dim")
    return text
