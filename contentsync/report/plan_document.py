"""A plan as JSON, and what its text and its Markdown share: counts, equal changes, cost and notes."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import orjson

from ..errors import join_first, pluralize
from ..model import Entry, EntryKey, Kind
from ..sync.comparing.change import Action, Change
from ..sync.comparing.diff import FieldChange
from ..sync.planning.plan import Drift, Plan
from ..value_text import printable
from .consent_report import consent_documents, consent_notes
from .document_parts import Destination, redact, revert_command

MAX_EXAMPLES = 3  # entries of an equal change
MIN_EQUAL = 3  # from this number of entries, a report shows their equal changes as one
MAX_NAMED = 5  # entries that become public or hidden, and addresses that move
MAX_DISCARDED = 5  # discarded entries that a plan names

DRIFT_NOTE = "changed on the server"
BASE_UNKNOWN = "base unknown"
ADOPT = "adopt"
COLUMNS = (*Action, ADOPT, "unchanged", "unmanaged")

_MAX_LENGTH = 1_000  # of both values of an equal change as JSON; longer ones are hardly ever equal
_WITH_PAGES = (Kind.CATEGORY, Kind.ORGANIZER, Kind.LISTING, Kind.PAGE, Kind.ARTICLE)


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


def moved_entries(plan: Plan) -> Iterator[tuple[Kind, str, str]]:
    """Yield the kind, the old and the new slug of each entry whose page gets another address."""
    for change in plan.changes:
        slug = change.fields.get("slug")
        if change.action is not Action.UPDATE or change.kind not in _WITH_PAGES:
            continue
        if slug and slug.before and slug.after:
            yield change.kind, str(slug.before), str(slug.after)


def retained_note(plan: Plan) -> str:
    """Return how many managed entries stay although the folder lacks them, and why, in one line; "" for none."""
    if not plan.retained:
        return ""
    reasons = Counter(_with_option(retained.reason) for retained in plan.retained).most_common()
    texts = [why if len(reasons) == 1 else f"{number:,} {why}" for why, number in reasons]
    singular, plural = "entry that is no longer in the folder is", "entries that are no longer in the folder are"
    return f"{pluralize(len(plan.retained), singular, plural)} left alone: {', '.join(texts)}"


def _with_option(reason: str) -> str:
    """Return the reason why an entry is not deleted, with the option that deletes it, if there is one."""
    return f"{reason} (--prune deletes them)" if reason == "prune is off" else reason


def plan_document(plan: Plan, destination: Destination) -> dict[str, Any]:
    """Return the JSON document of `plan` (docs/reference/json.md, plan)."""
    optional = {
        "adopted": [
            {"kind": each.kind, "key": each.key, "id": each.id, "created": each.created} for each in plan.adopted
        ],
        "base_unknown": [{"path": file.path, "reason": file.reason} for file in plan.unread],
        "moves": [{"kind": kind, "from": old, "to": new} for kind, old, new in moved_entries(plan)],
        **consent_documents(plan.commit_consents),
        "uploads": [{"path": file.path, "name": file.name, "bytes": file.size} for file in plan.uploads],
    }
    document = {
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
        "refused": [
            {"code": refusal.code, "message": refusal.message, "flag": refusal.flag or None}
            for refusal in plan.refusals
        ],
        "theirs": list(plan.left_as_on_server),
        "kept": [_drift(drift) for drift in plan.drift],
        **{name: value for name, value in optional.items() if value},
    }
    return redact(document, destination.secret)


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


class EqualChange(NamedTuple):
    """A field that changes from one value to another in several entries of a kind."""

    kind: Kind
    name: str
    field: FieldChange
    entries: Sequence[Entry]


class ChangeGroups(NamedTuple):
    """The changes of a plan in the groups in which text and Markdown show them."""

    deletes: Sequence[Change]
    equal: Sequence[EqualChange]  # most frequent first
    updates: Sequence[Change]  # with all other fields, if they have others
    creates: Sequence[Change]


def group_changes(plan: Plan, *, full: bool) -> ChangeGroups:
    """Return the changes of a plan in groups; with `full`, none are shown as equal, so each update has all its fields.

    Fields that another user has changed, adopted records and values that an entry has for a moment are never counted
    as equal, because each needs a look of its own.
    """
    deletes, updates, creates = (
        [change for change in plan.changes if change.action is action]
        for action in (Action.DELETE, Action.UPDATE, Action.CREATE)
    )
    if full:
        return ChangeGroups(deletes, (), updates, creates)
    adopted = {(record.kind, record.id) for record in plan.adopted}
    plain = [each for each in updates if (each.kind, each.id) not in adopted and not each.temporary_values]
    by_value: dict[tuple[Kind, str, bytes], list[Change]] = defaultdict(list)
    for change in plain:
        for name, key in _keys(change):
            by_value[change.kind, name, key].append(change)
    groups = {key: changes for key, changes in by_value.items() if len(changes) >= MIN_EQUAL}
    equal = [
        EqualChange(kind, name, changes[0].fields[name], [change.entry for change in changes])
        for (kind, name, _key), changes in groups.items()
    ]
    equal.sort(key=lambda each: -len(each.entries))
    shown = {(change.kind, change.key, name) for (_kind, name, _key), found in groups.items() for change in found}
    others = [change for change in (_without(each, shown) for each in updates) if change.fields]
    return ChangeGroups(deletes, equal, others, creates)


def _keys(change: Change) -> Iterable[tuple[str, bytes]]:
    """Yield each field that the folder alone has changed, with a key of both values."""
    for name, field in change.fields.items():
        if name not in change.drift:
            key = orjson.dumps(list(field), default=list, option=orjson.OPT_SORT_KEYS)
            if len(key) <= _MAX_LENGTH:
                yield name, key


def _without(change: Change, shown: set[tuple[Kind, str, str]]) -> Change:
    """Return an update without the fields that are `shown` with those of other entries."""
    fields = {name: field for name, field in change.fields.items() if (change.kind, change.key, name) not in shown}
    return change if len(fields) == len(change.fields) else change._replace(fields=fields)


def kept_notes(plan: Plan, command: Callable[..., str], render: Callable[[str], str] = str) -> list[str]:
    """Return a line for the kept edits and one for the deleted entries.

    `command` is that of a Destination, and `render` formats a command.
    """
    edits = [drift.entry for drift in plan.drift if not drift.deleted]
    deleted = [drift.entry for drift in plan.drift if drift.deleted]
    notes = []
    if edits:
        it = _pronoun(edits)
        notes.append(
            f"{pluralize(len(edits), 'edit on the server is', 'edits on the server are')} kept: "
            f"{render(command('pull'))} takes {it} over, {render(revert_command(command, edits))} reverts {it}"
        )
    if deleted:
        it = _pronoun(deleted)
        notes.append(
            f"{pluralize(len(deleted), 'entry', 'entries')} deleted on the server: "
            f"{render(command('pull', '--deletes'))} removes {it} here, "
            f"{render(revert_command(command, deleted))} creates {it} again"
        )
    return notes


def _pronoun(kept: Sequence[Entry]) -> str:
    return "it" if len(kept) == 1 else "them"
