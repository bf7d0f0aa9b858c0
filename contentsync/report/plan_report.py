"""A plan as a whole, as text and JSON: its target, counts, cost, notes and refusals."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from rich.table import Table
from rich.text import Text

from ..content.pictures.published_names import PublishedFile
from ..errors import join_first, pluralize
from ..model import Entry, Kind
from ..sync import Action, Change, Plan, Refusal
from ..sync.planning.commit_consents import NO_CONSENTS, CommitConsents
from ..sync.planning.plan import Drift, UnreadFile
from ..value_text import printable
from .asset_report import files_summary
from .consent_report import consent_documents, consent_notes, missing_trailer_text
from .document_parts import Destination, redact
from .kept_edits import kept_notes
from .plan_changes import ADOPT, BASE_UNKNOWN, unknown_base_note

COLUMNS = (*Action, ADOPT, "unchanged", "unmanaged")


def shown_columns(plan: Plan) -> tuple[str, ...]:
    """Return the COLUMNS that a report shows: without that of adopted entries if there are none."""
    return tuple(column for column in COLUMNS if column != ADOPT or plan.adopted)


def kind_counts(plan: Plan, columns: Sequence[str] = COLUMNS) -> Iterator[tuple[Kind, list[int]]]:
    """Yield each kind with its counts, in the order of the columns.

    An adopted entry is also counted as an update, or as unchanged.
    """
    unmanaged = Counter(entry.kind for entry in plan.unmanaged)
    adopted = Counter(entry.kind for entry in plan.adopted)
    actions = Counter((change.kind, change.action) for change in plan.changes)
    for kind in Kind:
        counts: dict[str, int] = {
            **{action.value: actions[kind, action] for action in Action},
            ADOPT: adopted[kind],
            "unchanged": plan.unchanged.get(kind, 0),
            "unmanaged": unmanaged[kind],
        }
        yield kind, [counts[column] for column in columns]


MAX_NAMED = 5  # entries that become public or hidden, and addresses that move
MAX_DISCARDED = 5  # discarded entries that a plan names
TABLE_WIDTH = 60  # columns that the table of counts needs


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


def kept_summary(plan: Plan) -> str:
    """Return how many entries differ because the plan keeps what was changed on the server; "" for none."""
    return f", but for {pluralize(len(plan.drift), 'entry', 'entries')} changed or deleted there" if plan.drift else ""


def change_summary(plan: Plan) -> str:
    """Return the number of changes by action, such as `2 to create, 1 to delete`."""
    counts = {action: plan.count(action) for action in Action}
    return ", ".join(f"{count:,} to {action}" for action, count in counts.items() if count)


def cost_text(plan: Plan, destination: Destination) -> str:
    """Return the number of requests, how many of them only read again for safety, and about how long they take."""
    text = pluralize(plan.request_count, "request")
    if plan.check_count:
        text += f" ({plan.check_count:,} of them to read a second time before anything is created or deleted)"
    if minutes := destination.delay_minutes(plan.request_count):
        text += f", about {pluralize(minutes, 'minute')} at {destination.requests_per_minute} a minute"
    return text


def plan_notes(plan: Plan, destination: Destination, render: Callable[[str], str] = str) -> list[str]:
    """Return the notes on consents of commits, kept edits, and entries that are not deleted.

    `render` formats commands and texts of other users.
    """
    notes = [*consent_notes(plan.commit_consents, render), *kept_notes(plan, destination.command, render)]
    if plan.unread:
        names = join_first([printable(f"{file.path} ({file.reason})") for file in plan.unread])
        note = f"{BASE_UNKNOWN}: {names} could not be read at the commit that is the base"
        if records := sum(map(plan.has_unknown_base, plan.unmanaged)):
            only = pluralize(records, "record that only the server has", "records that only the server has")
            note += f"; {only} may be from there, left alone"
        notes.append(note)
    if note := retained_note(plan):
        notes.append(note)
    if plan.discarded:
        singular = "entry that a pull wrote is not in the folder, and left alone"
        plural = "entries that a pull wrote are not in the folder, and left alone"
        names = join_first([printable(str(entry)) for entry in plan.discarded], MAX_DISCARDED)
        notes.append(
            f"{pluralize(len(plan.discarded), singular, plural)}: {names}\n"
            "  to delete one on the server, pull it, sync, and then delete it from the files"
        )
    return notes


def visitor_notes(plan: Plan) -> list[str]:
    """Return the notes on what visitors notice at once: entries that become public or hidden, addresses that move."""
    moves = [f"{kind} {old} → {new}" for kind, old, new in moved_entries(plan)]
    found = [
        (pluralize(len(plan.published), "entry becomes", "entries become") + " public", map(str, plan.published)),
        (pluralize(len(plan.hidden), "entry becomes", "entries become") + " hidden", map(str, plan.hidden)),
        (pluralize(len(moves), "address moves", "addresses move"), moves),
    ]
    named = [(title, [*map(printable, names)]) for title, names in found]
    return [f"{title}: {join_first(names, MAX_NAMED)}" for title, names in named if names]


_WITH_PAGES = (Kind.CATEGORY, Kind.ORGANIZER, Kind.LISTING, Kind.PAGE, Kind.ARTICLE)


class MovedEntry(NamedTuple):
    """An entry whose page gets another address."""

    kind: Kind
    old_slug: str
    new_slug: str


def moved_entries(plan: Plan) -> Iterator[MovedEntry]:
    """Yield the entries whose pages get another address."""
    for change in plan.changes:
        slug = change.fields.get("slug")
        if change.action is not Action.UPDATE or change.kind not in _WITH_PAGES:
            continue
        if slug and slug.before and slug.after:
            yield MovedEntry(change.kind, str(slug.before), str(slug.after))


def left_as_on_server_text(plan: Plan) -> Text:
    """Return a line for each entry with fields that `--on-conflict theirs` leaves as they are on the server."""
    return Text("".join(f"  left as it is {printable(entry)}\n" for entry in plan.left_as_on_server), "yellow")


def retained_note(plan: Plan) -> str:
    """Return how many managed entries stay although the folder lacks them, and why, in one line; "" for none."""
    if not plan.retained:
        return ""
    reasons = Counter(_with_option(retained.reason) for retained in plan.retained).most_common()
    texts = [why if len(reasons) == 1 else f"{number:,} {why}" for why, number in reasons]
    singular, plural = "entry that is no longer in the folder is", "entries that are no longer in the folder are"
    return f"{pluralize(len(plan.retained), singular, plural)} left alone: {', '.join(texts)}"


def refusals_text(refusals: Sequence[Refusal], secret: str = "", consents: CommitConsents = NO_CONSENTS) -> Text:
    """Return the reasons why the plan is refused, each with the option that consents to it, and the missing trailer.

    `secret` is the token, which is replaced where a value contains it.
    """
    text = Text()
    for refusal in refusals:
        text.append("refused", "bold white on red")
        text.append(f" {printable(redact(refusal.message, secret))}\n", "bold")
        text.append(f"  {refusal.flag} consents to it\n" if refusal.flag else "  no option consents to that\n")
    text.append(missing_trailer_text(consents))
    return text


def unmanaged_lines(plan: Plan) -> Iterator[str]:
    """Yield a line for each entry that only the server has, with the reason why it is not deleted."""
    reasons = {(entry.kind, entry.id): reason for entry, reason in plan.retained}
    for entry in plan.unmanaged:
        reason = reasons.get((entry.kind, entry.id))
        note = f"no longer in the folder, left: {reason}" if reason else "on the server only, left alone"
        note += unknown_base_note(plan, entry)
        yield f"  · {entry.kind} {printable(entry.key)}  {note}"


def _with_option(reason: str) -> str:
    """Return the reason why an entry is not deleted, with the option that deletes it, if there is one."""
    return f"{reason} (--prune deletes them)" if reason == "prune is off" else reason


def plan_document(plan: Plan, destination: Destination) -> dict[str, Any]:
    """Return the JSON document of `plan` (docs/reference/json.md, plan)."""
    moves = [_move(*moved) for moved in moved_entries(plan)]
    document: dict[str, Any] = redact(
        {
            "version": 1,
            "target": destination.name,
            "changes": [_change(change, plan) for change in plan.changes],
            "summary": {
                **{action.value: plan.count(action) for action in Action},
                "unchanged": sum(plan.unchanged.values()),
                "drift": plan.drift_count,
                "unmanaged": len(plan.unmanaged),
                ADOPT: len(plan.adopted),
            },
            "cost": {"requests": plan.request_count, "seconds": 60 * destination.delay_minutes(plan.request_count)},
            "digest": plan.digest,
            "refused": [_refusal(refusal) for refusal in plan.refusals],
            "theirs": list(plan.left_as_on_server),
            "kept": [_drift(drift) for drift in plan.drift],
            **({"adopted": [_adopted(record) for record in plan.adopted]} if plan.adopted else {}),
            **({"base_unknown": [_unread(file) for file in plan.unread]} if plan.unread else {}),
            **({"moves": moves} if moves else {}),
            **consent_documents(plan.commit_consents),
            **({"uploads": [_upload(file) for file in plan.uploads]} if plan.uploads else {}),
        },
        destination.secret,
    )
    return document


def _change(change: Change, plan: Plan) -> dict[str, Any]:
    """Return a change for the JSON document. The path of a delete is that of the file that the entry came from."""
    source = change.entry.source
    applied = plan.base.get((change.kind, change.key))
    former_path = applied.path if applied and applied.path else None
    return {
        "action": change.action,
        "kind": change.kind,
        "key": change.key,
        "path": source.path if source else former_path,
        "line": source.line if source else None,
        "reason": change.reason + unknown_base_note(plan, change.entry),
        "fields": {name: {"from": field.before, "to": field.after} for name, field in change.fields.items()},
        "drift": list(change.drift),
        "previous_key": change.previous_key,
    }


def _drift(drift: Drift) -> dict[str, Any]:
    fields = {name: {"there": field.before, "here": field.after} for name, field in drift.fields.items()}
    return {"kind": drift.entry.kind, "key": drift.entry.key, "deleted": drift.deleted, "fields": fields}


def _adopted(record: Entry) -> dict[str, Any]:
    return {"kind": record.kind, "key": record.key, "id": record.id, "created": record.created}


def _unread(file: UnreadFile) -> dict[str, Any]:
    return {"path": file.path, "reason": file.reason}


def _move(kind: Kind, old: str, new: str) -> dict[str, Any]:
    return {"kind": kind, "from": old, "to": new}


def _upload(file: PublishedFile) -> dict[str, Any]:
    return {"path": file.path, "name": file.name, "bytes": file.size}


def _refusal(refusal: Refusal) -> dict[str, Any]:
    return {"code": refusal.code, "message": refusal.message, "flag": refusal.flag or None}
