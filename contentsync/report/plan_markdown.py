"""A plan as the comment of a pull request, in GitHub's Markdown."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple
from urllib.parse import quote

from ..content.pictures.published_names import PublishedFile
from ..errors import pluralize
from ..model import Entry
from ..sync.comparing.change import Change
from ..sync.comparing.diff import FieldChange
from ..sync.planning.plan import DELETED_REASON, Drift, Plan, Refusal
from ..value_text import value_pair
from .document_parts import Destination, entry_document, redact
from .entry_lines import field_lines, is_long
from .formatting import files_summary, size_text
from .markdown_parts import LIMIT, WIDTH, Budget, code_block, count_visible_lines, entry_name, inline_code, key_name
from .plan_document import (
    DRIFT_NOTE,
    MAX_EXAMPLES,
    EqualChange,
    adopted_title,
    change_summary,
    cost_text,
    count_listing_losses,
    created_note,
    group_changes,
    kept_summary,
    kind_counts,
    plan_notes,
    shown_columns,
    unknown_base_note,
    visitor_notes,
)

VISIBLE_LINES = 40  # of the comment, about
MIN_LINES = 4  # of each section, if others before it are long
MAX_DIFF_LINES = 12  # of a long text
MAX_LINES = 16  # of a change
MAX_ON_A_LINE = 240  # characters of the values of an update that is shown on one line

_BELOW = 3  # lines below the changes, with those that CI adds
_DIFFERS = (" differ", " differs")  # ends the part of a reason that names the fields


def plan_markdown(plan: Plan, destination: Destination, *, full: bool = False) -> str:
    """Return a plan as the comment of a pull request, of LIMIT bytes and about VISIBLE_LINES; with `full`, all of it.

    The hidden first line is the same for all plans of a target, so that CI can find the comment again.
    """
    head = "\n\n".join(_head(plan, destination))
    lines = VISIBLE_LINES - count_visible_lines(head) - _BELOW
    budget = Budget(inf) if full else Budget(LIMIT - len(head.encode()), lines)
    details = "".join(f"\n\n{section}" for section in _details(plan, destination, budget, full=full))
    comment = f"{head}{details}\n\n<sub>Plan {inline_code(plan.digest[:12])}; nothing has been written.</sub>\n"
    return redact(comment, destination.secret)  # the notes may contain it


def _head(plan: Plan, destination: Destination) -> Iterator[str]:
    """Yield the paragraphs above the changes: why the plan is refused, its summary, the counts by kind, notes."""
    yield f"<!-- contentsync plan: {quote(destination.name, safe='')} -->"
    yield f"### contentsync plan for {inline_code(destination.name)}"
    if plan.refusals:
        yield "\n".join(
            [
                "> [!CAUTION]",
                "> **Refused as it is:**",
                *(f"> - {inline_code(refusal.message)}; {_consent(refusal)}" for refusal in plan.refusals),
            ]
        )
    if line := plan.commit_consents.missing:
        yield "To consent with the merge, end the message of the merge commit with this line:"
        yield f"```\n{line}\n```"
    address = inline_code(destination.address)
    if plan.changes:
        publish = f" {files_summary(plan.uploads)} to publish." if plan.uploads else ""
        yield f"**{change_summary(plan)}** on {address}: {cost_text(plan, destination)}.{publish}"
    elif plan.uploads:
        yield f"**{files_summary(plan.uploads)} to publish**; {address} matches the folder{kept_summary(plan)}."
    elif plan.refusals:
        yield f"{address} differs from the folder."
    else:
        yield f"**Nothing to do:** {address} matches the folder{kept_summary(plan)}."
    rows = []
    columns = shown_columns(plan)
    for kind, counts in kind_counts(plan, columns):
        if any(counts):
            cells = (f"{count:,}" if count else "·" for count in counts)
            rows.append(f"| {kind.plural} | {' | '.join(cells)} |")
    if rows:
        yield "\n".join([f"| kind | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}", *rows])
    if notes := [*visitor_notes(plan), *plan_notes(plan, destination, inline_code)]:
        yield "\n".join(f"- {note}" for note in notes)


class _MarkdownSection(NamedTuple):
    """A part of a plan's changes: its title, and what renders one of its items."""

    title: str
    items: Sequence[Any]
    render: Callable[[Any], str]
    is_open: bool = False


def _details(plan: Plan, destination: Destination, budget: Budget, *, full: bool) -> Iterator[str]:
    """Yield a section for each action, for uploads and for drift, as far as the budget suffices."""
    texts = _ChangeTexts(plan, destination.secret, full=full)
    deletes, equal, updates, creates = group_changes(plan, full=full)
    shared = pluralize(len(equal), "change that several entries share", "changes that several entries share")
    updates_title = f"{len(updates):,} {'with other changes' if equal else 'to update'}"
    drift = pluralize(len(plan.drift), "entry", "entries")
    # Deletes and records of other users first: a reviewer must not miss them.
    sections = [
        _MarkdownSection(f"{len(deletes):,} to delete", deletes, texts.create_or_delete, is_open=True),
        _MarkdownSection(adopted_title(plan), plan.adopted_unchanged, texts.adopted, is_open=True),
        _MarkdownSection(shared, equal, texts.equal, is_open=True),
        _MarkdownSection(updates_title, updates, texts.update),
        _MarkdownSection(f"{len(creates):,} to create", creates, texts.create_or_delete),
        _MarkdownSection(f"{files_summary(plan.uploads)} to publish", plan.uploads, _upload),
        _MarkdownSection(f"{drift} changed or deleted on the server, left alone", plan.drift, texts.drift),
    ]
    filled = [section for section in sections if section.items]
    around = 2 * len(filled)  # lines for the title of each section, and for the number of items that it leaves out
    for number, section in enumerate(filled, 1):
        yield _section(section, destination, budget, around + MIN_LINES * (len(filled) - number))


def _section(section: _MarkdownSection, destination: Destination, budget: Budget, lines_left: int) -> str:
    """Return a section that readers can open, with the first items, at least one, and how many more there are."""
    shown: list[str] = []
    for item in section.items:
        text = section.render(redact(item, destination.secret))
        if not budget.spend(text, lines_left if shown else -inf):
            break
        shown.append(text)
    parts = [f"<details{' open' if section.is_open else ''}><summary>{section.title}</summary>"]
    if shown:
        parts.append("".join(shown).strip())
    if omitted := len(section.items) - len(shown):
        how = f"{inline_code(destination.command('plan', '--full'))} shows all"
        parts.append(f"{omitted:,} more {'is' if omitted == 1 else 'are'} not shown here; {how}.")
    return "\n\n".join([*parts, "</details>"])


def _upload(file: PublishedFile) -> str:
    return f"- {inline_code(file.path)} {size_text(file.size)} as {inline_code(file.name)}\n"


def _consent(refusal: Refusal) -> str:
    if refusal.choices:
        return " or ".join(f"{inline_code(choice.words)} ({choice.effect})" for choice in refusal.choices)
    return f"{inline_code(refusal.flag)} consents to it" if refusal.flag else "no option consents to that"


class _ChangeTexts:
    """Renders the changes of a plan as Markdown."""

    def __init__(self, plan: Plan, secret: str, *, full: bool) -> None:
        self._plan = plan
        self._full = full
        self._losing = redact(count_listing_losses(plan), secret)

    def create_or_delete(self, change: Change) -> str:
        """Return the text of a create or a delete: one line."""
        why = f"({change.reason})" if change.recreates else ""
        parts = filter(None, (entry_name(entry_document(change.entry)), _location(change), why))
        text = f"- {' '.join(parts)}{unknown_base_note(self._plan, change.entry)}"
        if lost := self._losing.get((change.kind, change.key)):
            text += f", **{pluralize(lost, 'listing loses', 'listings lose')} it**"
        if change.drift:
            text += f", {DRIFT_NOTE}: {inline_code(', '.join(change.drift))}"
        return f"{text}\n"

    def equal(self, equal: EqualChange) -> str:
        """Return the text of a change that several entries share: one line with the first entries."""
        before, after = map(inline_code, value_pair(equal.field))
        entries = ", ".join(inline_code(entry.key) for entry in equal.entries[:MAX_EXAMPLES])
        name = inline_code(equal.name)
        return f"- {name}: {before} → {after} in {equal.kind.counted(len(equal.entries))}, such as {entries}\n"

    def adopted(self, record: Entry) -> str:
        """Return the text of a record that the plan adopts: one line."""
        return f"- {entry_name(entry_document(record))}{created_note(record)}\n"

    def update(self, change: Change) -> str:
        """Return the text of an update: a line with short values, else a line, and the fields as a code block."""
        name, where = key_name(change.kind, change.key), _location(change, next(iter(change.fields), ""))
        reason = change.reason + unknown_base_note(self._plan, change.entry)
        if values := self._on_a_line(change.fields, change.drift):
            more = "; ".join(part for part in reason.split("; ") if not part.endswith(_DIFFERS))
            return f"- {name}{f' {inline_code(more)}' if more else ''} {values} {where}\n"
        return f"\n{name} {inline_code(reason)} {where}\n\n{self._diff(change.fields, change.drift)}\n\n"

    def drift(self, drift: Drift) -> str:
        """Return the text of an entry that was changed or deleted on the server, and that the plan does not write."""
        name = key_name(drift.entry.kind, drift.entry.key)
        if drift.deleted:
            return f"- {name} {DELETED_REASON}, left deleted\n"
        if values := self._on_a_line(drift.fields, (), "on the server, here"):
            return f"- {name} {values}\n"
        return f"\n{name}\n\n{self._diff(drift.fields, drift.fields, '- there, + here')}\n\n"

    def _on_a_line(self, fields: Mapping[str, FieldChange], drifted: Collection[str], arrow: str = "→") -> str:
        """Return the fields with both values as one line; "" if that would be long."""
        if any(map(is_long, fields.values())):
            return ""
        parts = []
        for name, field in fields.items():
            before, after = map(inline_code, value_pair(field, None))
            note = f" ({DRIFT_NOTE})" if name in drifted else ""
            parts.append(f"{inline_code(name)}{note}: {before} {arrow} {after}")
        line = ", ".join(parts)
        return line if len(line) <= MAX_ON_A_LINE else ""

    def _diff(self, fields: Mapping[str, FieldChange], drifted: Collection[str], note: str = DRIFT_NOTE) -> str:
        """Return the fields with both values as a code block, shortened without `full`; note those that drifted."""
        lines: list[str] = []
        for name, field in fields.items():
            lines.append(f"{name} ({note}):" if name in drifted else f"{name}:")
            values = field_lines(field, None if self._full else WIDTH - len("- "))
            shown = values if self._full else values[:MAX_DIFF_LINES]
            omitted = len(values) - len(shown)
            lines += [*shown, f"… {pluralize(omitted, 'line')} more"] if omitted else shown
            if len(lines) > MAX_LINES and not self._full:
                lines[MAX_LINES:] = ["…"]
                break
        return code_block(lines, None if self._full else WIDTH)


def _location(change: Change, field: str = "") -> str:
    """Return the path and line of a field, or of the entry; "" if the folder lacks the entry."""
    source = change.entry.source
    if source is None:
        return ""
    where = source.where(field)
    return inline_code(f"{where.path}:{where.line}")
