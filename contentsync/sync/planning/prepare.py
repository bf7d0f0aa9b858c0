"""From a folder's entries and a server to a plan: read the server, resolve names, compare, check.

One wrong answer must not delete, duplicate or overwrite anything: an entry that the base has and a list lacks is read
by its id before it counts as deleted (docs/evidence.md 1).
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple

from ...errors import ContentError, Problem, ServerError, Where
from ...model import RECORDS, REFERRED_KINDS, Entry, EntryKey, Kind, did_you_mean, with_referred_kinds
from ...remote.remote import ProgressCallback, Remote
from ..comparing.base import UNKNOWN_BASE, AppliedEntry, Base
from ..comparing.change import Action
from ..comparing.entry_fields import rename_references
from .plan import DEFAULT_POLICY, Plan, Policy, Selection
from .plan_builder import NO_FACTS, PlanFacts, make_plan
from .pull_notes import settle_pulls
from .server_checks import references_to_deleted, slug_conflicts, token_leaks


def resolve_selected(
    selected: Iterable[Entry], desired: Iterable[Entry], actual: Iterable[Entry], user_ids: Mapping[str, int]
) -> tuple[list[Entry], list[Problem]]:
    """Return the selected entries with references as keys and users as ids, and a problem for each unknown one.

    `desired` is the whole folder. References to its entries are keys already, and are only checked; one to a skipped
    entry is a problem unless the server has the entry. Other references name an entry of the server by its slug, or by
    a title that no other entry has (docs/content.md 3).
    """
    keys: dict[Kind, set[str]] = {kind: set() for kind in Kind}
    for entry in desired:
        if entry.kind in REFERRED_KINDS and not entry.notes.skip:
            keys[entry.kind].add(entry.key)
    titles: dict[Kind, dict[str, set[str]]] = {kind: {} for kind in Kind}
    for entry in actual:
        if entry.kind in REFERRED_KINDS:
            keys[entry.kind].add(entry.key)
            title = str(entry.fields.get(RECORDS[entry.kind].title_field))
            titles[entry.kind].setdefault(title, set()).add(entry.key)

    problems: list[Problem] = []
    resolved: list[Entry] = []
    for entry in selected:
        new_values: dict[str, Any] = {}
        for name, kind in RECORDS[entry.kind].references.items():
            value = entry.fields.get(name)
            if value and not _are_known_and_distinct(value, keys[kind]):
                new_values[name], field_problems = _resolve_field(entry, name, kind, keys[kind], titles[kind])
                problems += field_problems
        user = entry.fields.get("user_id")
        if isinstance(user, str):
            new_values["user_id"] = user_ids.get(user)
            if user not in user_ids:
                problems.append(_unknown_user(entry, user, user_ids))
        resolved.append(replace(entry, fields={**entry.fields, **new_values}) if new_values else entry)
    return resolved, problems


def _are_known_and_distinct(value: Any, keys: set[str]) -> bool:
    """Return whether references are keys of entries, and no key occurs twice among them."""
    references = value if isinstance(value, list) else [value]
    return len(set(references)) == len(references) and keys.issuperset(references)


def _resolve_field(
    entry: Entry, name: str, kind: Kind, known_keys: set[str], titles: Mapping[str, set[str]]
) -> tuple[Any, list[Problem]]:
    """Return the keys of the entries of a kind that a field names, and the problems; `titles` has the keys by title.

    A list of references gives a list of keys without duplicates, a single reference gives a key, or None if unknown.
    """
    value = entry.fields[name]
    keys: list[str] = []
    problems: list[Problem] = []
    for position, reference in enumerate(value if isinstance(value, list) else [value]):
        candidates = {reference} if reference in known_keys else titles.get(reference, set())
        keys += candidates
        if len(candidates) != 1:
            problems.append(_unresolved(entry, f"{name}.{position}", kind, reference, candidates, known_keys))
    keys = list(dict.fromkeys(keys))
    return (keys if isinstance(value, list) else next(iter(keys), None)), problems


def _unresolved(entry: Entry, name: str, kind: Kind, reference: str, candidates: set[str], keys: set[str]) -> Problem:
    """Return the problem of a reference that means none or several entries; `keys` are those of the referred kind."""
    if candidates:
        code, message = "ambiguous-reference", f"the {kind} '{reference}' may be any of {', '.join(sorted(candidates))}"
        hint = "use its slug"
    else:
        code, message = "unknown-reference", f"there is no {kind} '{reference}' in the folder or on the server"
        hint = did_you_mean(reference, keys)
    return Problem(code, message, _where(entry, name), hint, kind=entry.kind, key=entry.key)


def _unknown_user(entry: Entry, email: str, user_ids: Iterable[str]) -> Problem:
    """Return the problem of an e-mail address that the target's `user_ids` does not have."""
    return Problem(
        "unknown-user",
        f"user_ids of the target does not contain {email}",
        _where(entry, "user_id"),
        did_you_mean(email, user_ids) or "add the e-mail address and the user's id to user_ids of the target",
        kind=entry.kind,
        key=entry.key,
    )


def _where(entry: Entry, name: str) -> Where:
    return entry.source.where(name) if entry.source else Where("")


# The server's values of fields that only another user has changed, by entry and dotted name.
DriftedValues = Mapping[EntryKey, Mapping[str, Any]]
DELETED = ""  # in place of the name of a field: another user deleted the whole entry
SAMPLE_SIZE = 20  # missing entries of a kind that are read by id
# A service may leave an entry out of its lists while this field is False.
_LISTED_IF = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}
_OTHERS_LISTED_IF = "is_active"  # of the other kinds, as far as they have it


async def read_server(
    remote: Remote,
    kinds: Collection[Kind],
    locales: Sequence[str],
    on_progress: ProgressCallback,
    find_base: Callable[[Sequence[Entry]], Base],
    alike: Collection[Entry] = (),
) -> tuple[list[Entry], Base]:
    """Return the server's entries of the kinds and of the kinds that they refer to, and their base by `find_base`.

    `alike` are entries of the folder, whose texts most of them have (`Remote.fetch`).
    Raise ServerError if a list lacks entries that the server has, also when the list is read a second time.
    """
    reread: set[Kind] = set()
    while True:
        actual = await remote.fetch(kinds, locales, on_progress, alike)
        found_base = find_base(actual)
        missing = _missing_entries(found_base.values(), actual, with_referred_kinds(kinds))
        hidden: list[Entry] = []
        mismatches: dict[Kind, Entry] = {}
        for kind, entries in missing.items():
            found = await _find_existing(remote, [applied for applied in entries if applied.id is not None])
            if found and not any(_should_be_listed(entry) for entry in found):  # left out on purpose
                found = [_without_translations(entry, locales) for entry in found]
                remote.register_hidden(kind, found)  # so that `fetch_again` returns them too
                hidden += found
            elif found:  # the list is incomplete
                mismatches[kind] = found[0]
            elif kind not in reread and any(applied.id is None for applied in entries):
                # The base is a commit, so these entries cannot be requested by id: confirm by a second list that
                # the server lacks them.
                mismatches[kind] = Entry(kind, entries[0].key, {})
        if not mismatches:
            if hidden:
                actual = _add_hidden(actual, hidden)
                found_base = find_base(actual)
            return actual, found_base
        for kind, entry in mismatches.items():
            if kind in reread:
                message = f"the server's list of {kind.plural} lacks {entry.key}, which the server has"
                raise ServerError(message, "nothing was written: run again later, or ask whoever runs the server")
            remote.discard_list(kind)
        reread |= mismatches.keys()


def _missing_entries(
    entries: Collection[AppliedEntry], actual: Sequence[Entry], kinds: Collection[Kind]
) -> Mapping[Kind, list[AppliedEntry]]:
    """Return, by kind, the applied entries that `actual` lacks."""
    ids = {(entry.kind, entry.id) for entry in actual}
    without_id = [applied for applied in entries if applied.id is None]
    keys = {(entry.kind, entry.key) for entry in actual} if without_id else set()
    missing: dict[Kind, list[AppliedEntry]] = defaultdict(list)
    for applied in entries:
        is_listed = applied.identity in keys if applied.id is None else (applied.kind, applied.id) in ids
        if applied.kind in kinds and not is_listed:
            missing[applied.kind].append(applied)
    return missing


async def _find_existing(remote: Remote, entries: Sequence[AppliedEntry]) -> list[Entry]:
    """Request by id the entries that a list lacks, or a sample if there are many; return those that exist.

    If the service hides every existing entry of the sample from its lists, request the other entries too.
    """
    count = min(SAMPLE_SIZE, len(entries))
    sample = [entries[index * len(entries) // count] for index in range(count)]  # evenly spaced
    found = await _get_all(remote, sample)
    if found and len(sample) < len(entries) and not any(_should_be_listed(entry) for entry in found):
        rest = {applied.id: applied for applied in entries}.keys() - {applied.id for applied in sample}
        found += await _get_all(remote, [applied for applied in entries if applied.id in rest])
    return found


async def _get_all(remote: Remote, entries: Iterable[AppliedEntry]) -> list[Entry]:
    records = [await remote.get(applied.kind, applied.id) for applied in entries if applied.id is not None]
    return [entry for entry in records if entry is not None]


def _without_translations(entry: Entry, locales: Sequence[str]) -> Entry:
    """Return an entry that was read by id; its translations are unknown unless the service included them."""
    if "translations" in entry.fields or not RECORDS[entry.kind].translated:
        return entry
    return replace(entry, unknown=entry.unknown | {f"translations.{locale}" for locale in locales})


def _should_be_listed(entry: Entry) -> bool:
    """Return whether every service shows an entry in its lists: it is published, active, or has no such field."""
    flag = _LISTED_IF.get(entry.kind, _OTHERS_LISTED_IF)
    return bool(entry.fields.get(flag, True))


def _add_hidden(actual: list[Entry], hidden: Sequence[Entry]) -> list[Entry]:
    """Return the entries and the hidden entries; references to hidden entries get their keys instead of their ids."""
    keys = {(entry.kind, f"#{entry.id}"): entry.key for entry in hidden}
    return [*(rename_references(entry, keys) for entry in actual), *hidden]


@dataclass(frozen=True, slots=True)
class PlanSource:
    """The folder's side of a plan."""

    entries: Sequence[Entry]
    locales: Sequence[str]  # the languages besides the default whose texts are compared
    user_ids: Mapping[str, int]
    facts: PlanFacts = NO_FACTS  # the fields about the folder
    token: str = ""  # of the target, if it has one
    left_out: Collection[EntryKey] = frozenset()  # that `entries`, the server and the base lack
    # Returns the drifted fields, by entry, that count as changed by the folder; it gets them with the server's values.
    find_reverted: Callable[[DriftedValues], Mapping[EntryKey, Collection[str]]] = lambda drifted: {}


class BaseSource(NamedTuple):
    """How to find a plan's base: `read` returns it for the server's entries; `kinds` must be read in addition."""

    read: Callable[[Sequence[Entry]], Base] = lambda actual: UNKNOWN_BASE
    kinds: frozenset[Kind] = frozenset()


NO_BASE = BaseSource()


async def prepare_plan(
    source: PlanSource,
    remote: Remote,
    selection: Selection,
    on_progress: ProgressCallback,
    base: BaseSource = NO_BASE,
    policy: Policy = DEFAULT_POLICY,
) -> Plan:
    """Return the plan for the selected entries; read the server, write nothing.

    Raise ContentError for references to unknown entries or users or to entries that stay deleted, for slugs of other
    records and for texts that contain the token. Raise RemoteError if the server's entries cannot be read completely.
    """
    kinds = selection.kinds | base.kinds
    entries = source.entries
    actual, found_base = await read_server(remote, kinds, source.locales, on_progress, base.read, entries)
    writable = [entry for entry in entries if entry in selection and not entry.notes.skip]
    resolved, problems = resolve_selected(writable, entries, actual, source.user_ids)
    if problems:
        raise ContentError(problems)
    rest = [entry for entry in entries if entry.notes.skip or entry not in selection]
    desired = [*resolved, *rest]
    facts = source.facts
    settled_base = settle_pulls(found_base, desired, actual, selection.covers, facts.renamed_files, facts.is_excluded)
    facts = replace(facts, conditional=remote.conditional, left_out=source.left_out)
    make = partial(make_plan, desired, actual, selection, base=settled_base, policy=policy)
    plan = make(facts=facts)
    drifted = _drifted_values(plan) if policy.on_drift != "overwrite" else {}
    if drifted and (reverted := source.find_reverted(drifted)):
        plan = make(facts=replace(facts, reverted=reverted))
    if settled_base is not found_base:  # the user may have discarded pulls that added entries
        plan = replace(plan, discarded=_no_longer_managed(found_base, plan))
    problems = [
        *slug_conflicts(plan),
        *token_leaks(plan, resolved, source.token),
        *references_to_deleted(plan, facts.command),
    ]
    if problems:
        raise ContentError(problems)
    return plan


def _drifted_values(plan: Plan) -> DriftedValues:
    """Return the values of the drifted fields, also of refused ones; None, under DELETED, for a deleted entry."""
    values: dict[EntryKey, Mapping[str, Any]] = {}
    for change in plan.changes:
        if change.action is not Action.DELETE and (names := {*change.drift} - {*change.conflicts}):
            values[change.kind, change.key] = {name: change.fields[name].before for name in names}
    for drift in plan.drift:
        fields = {DELETED: None} if drift.deleted else {name: field.before for name, field in drift.fields.items()}
        values[drift.entry.kind, drift.entry.key] = {**values.get((drift.entry.kind, drift.entry.key), {}), **fields}
    return values


def _no_longer_managed(found_base: Base, plan: Plan) -> tuple[Entry, ...]:
    """Return the unmanaged records of a plan that are managed in the base before `settle_pulls`."""
    dropped = {(applied.kind, applied.id) for applied in found_base.values()}
    dropped -= {(applied.kind, applied.id) for applied in plan.base.values()}
    return tuple(entry for entry in plan.unmanaged if (entry.kind, entry.id) in dropped)


def used_locales(entries: Iterable[Entry], base: Iterable[AppliedEntry]) -> set[str]:
    """Return the languages of the translations in the folder and in the base; no other ones need to be read."""
    used = {locale for entry in entries for locale in entry.fields.get("translations") or ()}
    for applied in base:
        if RECORDS[applied.kind].translated:  # the names of its fields are flat, such as `translations.de.title`
            used |= {name.split(".")[1] for name in applied.fields if name.startswith("translations.")}
    return used
