"""A plan as the comment of a pull request, in GitHub's Markdown.

Nothing of the content is Markdown: it all stands in code, where there are no mentions, no links and no HTML.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import takewhile
from urllib.parse import quote

from ..model import RECORDS, Entry
from ..sync import Action, Change, FieldChange, Plan, Refusal
from ..sync.plan import DELETED, Drift
from .changes import DRIFTED, losing
from .compared import diff_lines, is_long, value_pair, without
from .plan import COLUMNS, Destination, cost_of, kind_counts, plan_notes, sum_of
from .words import counted, printable, value_text

# GitHub takes 65,536 characters: bytes are never fewer, what stands around the changes is not counted, and whoever
# posts it may add a line.
LIMIT = 60_000
MOST_DIFF_LINES = 40  # of a long text
MOST_LINES = 100  # of a change
WIDTH = 200  # of a line in a block
MOST_CODE = 500  # characters of inline code

_ORDER = (Action.DELETE, Action.UPDATE, Action.CREATE)  # what a reviewer must not miss comes first
_TICKS = re.compile("`+")


def plan_markdown(plan: Plan, destination: Destination) -> str:
    """The comment; the hidden line at its start is the same for every plan of a target, to find it again.

    What does not fit is counted: changes are left out whole.
    """
    head = "\n\n".join(_head(plan, destination))
    room = _Room(LIMIT - len(head.encode()))
    details = "".join(f"\n\n{section}" for section in _details(plan, destination.secret, room))
    comment = f"{head}{details}\n\n<sub>Plan {code(plan.digest[:12])}; nothing has been written.</sub>\n"
    return str(without(comment, destination.secret))  # a key may hold it too


def code(text: str) -> str:
    """Any text on one line as inline code that it cannot end."""
    text = printable(text)
    if len(text) > MOST_CODE:
        text = f"{text[: MOST_CODE - 1]}…"
    ticks = _fence(text, 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{pad}{text}{pad}{ticks}"


def block(lines: Iterable[str]) -> str:
    """Lines as a diff that they cannot end."""
    inner = "\n".join(printable(line)[:WIDTH] for line in lines)
    fence = _fence(inner, 3)
    return f"{fence}diff\n{inner}\n{fence}"


def _fence(text: str, least: int) -> str:
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=0)
    return "`" * max(longest + 1, least)


class _Room:
    """How many bytes are left."""

    def __init__(self, left: int) -> None:
        self._left = left

    def takes(self, text: str) -> bool:
        """Whether a text fits as well; then its place is taken."""
        size = len(text.encode())
        fits = size <= self._left
        self._left -= size if fits else 0
        return fits


def _head(plan: Plan, destination: Destination) -> Iterator[str]:
    yield f"<!-- contentsync plan: {quote(destination.name, safe='')} -->"
    yield f"### contentsync plan for {code(destination.name)}"
    if plan.refusals:
        yield "\n".join(
            [
                "> [!CAUTION]",
                "> **Refused as it is:**",
                *(f"> - {code(refusal.message)}; {_consent(refusal)}" for refusal in plan.refusals),
            ]
        )
    where = code(destination.address)
    if plan:
        yield f"**{sum_of(plan)}** on {where}: {cost_of(plan, destination)}."
    else:
        yield f"**Nothing to do:** {where} is what the folder says."
    rows = [
        f"| {kind.plural} | {' | '.join(f'{count:,}' if count else '·' for count in counts)} |"
        for kind, counts in kind_counts(plan)
        if any(counts)
    ]
    if rows:
        yield "\n".join([f"| kind | {' | '.join(COLUMNS)} |", f"|---|{'--:|' * len(COLUMNS)}", *rows])
    notes = plan_notes(plan)
    if notes:
        yield "\n".join(f"- {note}" for note in notes)


def _details(plan: Plan, secret: str, room: _Room) -> Iterator[str]:
    told = _Told(plan, secret)
    for action in _ORDER:
        changes = [change for change in plan.changes if change.action is action]
        if changes:
            texts = map(told.updated if action is Action.UPDATE else told.line, changes)
            is_open = action is Action.DELETE
            yield _section(f"{len(changes):,} to {action}", len(changes), texts, room, is_open=is_open)
    if plan.drift:
        title = f"{counted(len(plan.drift), 'entry', 'entries')} changed or deleted on the server, left alone"
        yield _section(title, len(plan.drift), map(told.drift, plan.drift), room)


def _section(title: str, count: int, texts: Iterable[str], room: _Room, *, is_open: bool = False) -> str:
    shown = list(takewhile(room.takes, texts))
    parts = [f"<details{' open' if is_open else ''}><summary>{title}</summary>"]
    if shown:
        parts.append("".join(shown).strip())
    if left := count - len(shown):
        parts.append(
            f"{left:,} more {'is' if left == 1 else 'are'} not shown here; `contentsync plan --full` shows all."
        )
    return "\n\n".join([*parts, "</details>"])


def _consent(refusal: Refusal) -> str:
    return f"{code(refusal.flag)} consents to it" if refusal.flag else "no option consents to that"


class _Told:
    def __init__(self, plan: Plan, secret: str) -> None:
        self._secret = secret
        self._losing = losing(plan)

    def line(self, change: Change) -> str:
        """A new entry, or one that goes."""
        words = [_name(change.entry)]
        title = without(change.entry.fields.get(RECORDS[change.kind].title_field), self._secret)
        if title:
            words.append(code(value_text(title)))
        if change.entry.source:
            words.append(_place(change))
        if change.recreates:
            words.append(f"({change.reason})")
        text = f"- {' '.join(words)}"
        if lost := self._losing[change.kind, change.key]:
            text += f", **{counted(lost, 'listing loses', 'listings lose')} it**"
        if change.drift:
            text += f", {DRIFTED}: {code(', '.join(change.drift))}"
        return f"{text}\n"

    def updated(self, change: Change) -> str:
        head = f"{_name(change.entry)} {code(change.reason)} {_place(change, next(iter(change.fields), ''))}"
        return f"{head}\n\n{self._diff(change.fields, change.drift)}\n\n"

    def drift(self, drift: Drift) -> str:
        if drift.deleted:
            return f"{_name(drift.entry)} ({DELETED}, left deleted)\n\n"
        return f"{_name(drift.entry)}\n\n{self._diff(drift.fields, drift.fields, '- there, + here')}\n\n"

    def _diff(self, fields: Mapping[str, FieldChange], drifted: Collection[str], mark: str = DRIFTED) -> str:
        lines: list[str] = []
        for name, field in fields.items():
            lines.append(f"{name} ({mark}):" if name in drifted else f"{name}:")
            lines += self._field(without(field, self._secret))
            if len(lines) > MOST_LINES:
                lines[MOST_LINES:] = ["…"]
                break
        return block(lines)

    def _field(self, field: FieldChange) -> list[str]:
        if is_long(field):
            lines = diff_lines(field)
            left = len(lines) - MOST_DIFF_LINES
            return lines if left <= 0 else [*lines[:MOST_DIFF_LINES], f"… {counted(left, 'line')} more"]
        before, after = value_pair(field, WIDTH - 2)
        return [f"- {before}", f"+ {after}"]


def _name(entry: Entry) -> str:
    return f"{entry.kind.replace('_', ' ')} {code(entry.key)}"


def _place(change: Change, field: str = "") -> str:
    source = change.entry.source
    if source is None:
        return ""
    where = source.where(field)
    return code(f"{where.path}:{where.line}")
