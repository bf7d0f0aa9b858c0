"""The gates of a plan against losses: too many deletes, cleared or missing entries, and records of an unknown base.

docs/sync.md, Deletes; docs/faults.md PL-01, PL-02
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...errors import join_first, pluralize
from ...model import Kind
from ..comparing.change import Action, Change, DanglingReference
from .consents import Choice, NeededConsent
from .plan import Limits, Plan, Policy, Refusal

MAX_UNGATED = 3  # up to this number, deletes of a kind need no consent, unless no entry remains or the limit is lower
MAX_FIELDS_NAMED = 5  # in a message
MISSING_COUNT = 10  # up to this number, missing entries of a kind are created again without consent
IS_COMPLETE = "is it the right server, and is it complete?"
MISSING_PERCENT = 10  # up to this percentage of the managed entries of the kind, too


@dataclass(frozen=True, slots=True)
class PendingDeletes:
    """The deletes of one kind."""

    keys: tuple[str, ...]
    managed: int  # applied entries of the kind that the side with the deletes still has
    remaining: int  # entries of the kind on the side that the deletes follow
    adopted: tuple[str, ...] = ()  # those of `keys` that this folder did not create
    dangling_listings: int = 0  # the number of listings that lose a reference by deletes of other kinds
    recent: int = 0  # deletes that a watch applied in the last ten minutes, and that count with these

    @property
    def affected(self) -> int:
        """The number of entries that are or were deleted or lose a reference."""
        return len(self.keys) + self.dangling_listings + self.recent

    @property
    def managed_before(self) -> int:
        """The number of managed entries before the first delete."""
        return self.managed + self.recent


def pending_deletes(
    changes: Sequence[Change],
    dangling: Sequence[DanglingReference],
    remaining: Mapping[Kind, int],
    managed: Mapping[Kind, int],
) -> dict[Kind, PendingDeletes]:
    """Return the deletes among the changes by kind. A listing that loses a reference counts like a deleted one."""
    deletes = [change for change in changes if change.action is Action.DELETE]
    listings_losing_references = {each.entry.id for each in dangling if each.entry.kind is Kind.LISTING}
    pending = {}
    for kind in Kind:
        keys = tuple(change.key for change in deletes if change.kind is kind)
        dangling_listings = len(listings_losing_references) if kind is Kind.LISTING else 0
        if keys or dangling_listings:
            adopted = tuple(each.key for each in deletes if each.kind is kind and each.origin == "adopted")
            counts = managed.get(kind, 0), remaining.get(kind, 0)
            pending[kind] = PendingDeletes(keys, *counts, adopted, dangling_listings)
    return pending


def loss_refusals(
    changes: Sequence[Change],
    dangling: Sequence[DanglingReference],
    remaining: Mapping[Kind, int],
    managed: Mapping[Kind, int],
    policy: Policy,
    cleared: Mapping[Kind, Mapping[str, Sequence[str]]],
    missing: Mapping[Kind, Sequence[str]],
) -> Iterator[Refusal]:
    """Yield the refusals of a plan that deletes too many entries, clears too many fields, or lacks too many entries.

    `remaining` are the numbers of the folder's entries, `managed` those of applied entries that the server has,
    `cleared` has the cleared fields by kind and key, and `missing` the keys of applied entries that the server lacks.
    """
    pending = pending_deletes(changes, dangling, remaining, managed)
    is_folder_empty = policy.of_folder and not any(remaining.values())  # else it is not a whole folder
    deletes = sum(len(kind.keys) for kind in pending.values())
    # If entries stay missing, their gate checks the consent to these and to the deletes together.
    accepts_loss = policy.on_drift == "keep" and policy.allowed.recreate is None and find_lost(missing, managed)
    allowed = deletes if accepts_loss and policy.allowed.deletes is not None else policy.allowed.deletes
    yield from delete_gate(pending, policy.limits, allowed=allowed, is_folder_empty=is_folder_empty)
    yield from clear_gate(cleared, pending, managed, policy.limits, policy.allowed.clears)
    yield from missing_gate(missing, managed, policy, deletes)


def delete_gate(
    pending: Mapping[Kind, PendingDeletes],
    limits: Limits,
    *,
    allowed: int | None,
    is_folder_empty: bool = False,
) -> Iterator[Refusal]:
    """Yield every reason to refuse the deletes of a plan, or those of a pull.

    `allowed` is the number that the user consented to: exactly that many deletes pass, unless `is_folder_empty`.
    """
    total = sum(len(kind.keys) for kind in pending.values())
    if not total:
        return
    if is_folder_empty:
        question = "is it the right folder, and is it complete?"
        yield Refusal("empty-folder", f"the folder has no entries, and {total} would be deleted: {question}")
        return
    if allowed is not None:
        yield from check_consent("deletes", allowed, total, f"the plan has {pluralize(total, 'delete')}")
        return
    consent = NeededConsent("deletes", total)
    for kind, deletes in pending.items():
        number = len(deletes.keys)
        if number and number >= deletes.managed and not deletes.remaining:
            yield Refusal("emptied", f"no managed {kind.plural} would be left: {join_first(deletes.keys)}", consent)
        elif deletes.adopted:
            adopted = kind.counted(len(deletes.adopted))
            message = f"{adopted} that this folder adopted, and did not create, would be deleted"
            yield Refusal("adopted", f"{message}: {join_first(deletes.adopted)}", consent)
        elif _needs_consent(deletes.affected, deletes.managed_before, limits):
            share = f"{100 * deletes.affected / deletes.managed_before:.0f} %" if deletes.managed else "all"
            over = f"the limits are {limits.percent} % and {limits.count}"
            yield Refusal("deletes", _deletes_message(kind, deletes, f"{share}; {over}"), consent)


def clear_gate(
    cleared: Mapping[Kind, Mapping[str, Sequence[str]]],
    pending: Mapping[Kind, PendingDeletes],
    managed: Mapping[Kind, int],
    limits: Limits,
    allowed: int | None,
) -> Iterator[Refusal]:
    """Yield every reason to refuse updates that clear fields of too many managed entries, by the limits of deletes.

    `cleared` has the cleared fields by kind and key. The entries that the `pending` deletes affect count too. `allowed`
    is the number of cleared entries that the user consented to: exactly that many pass.
    """
    total = sum(map(len, cleared.values()))
    if not total:
        return
    if allowed is not None:
        yield from check_consent("clears", allowed, total, f"{pluralize(total, 'entry', 'entries')} would lose values")
        return
    consent = NeededConsent("clears", total)
    for kind, entries in cleared.items():
        number = len(entries)
        deletes = pending.get(kind)
        affected_by_deletes = deletes.affected if deletes else 0
        if _needs_consent(number + affected_by_deletes, managed.get(kind, 0), limits):
            counts = Counter(field for fields in entries.values() for field in fields)
            fields = ", ".join(f"{field} of {count}" for field, count in counts.most_common(MAX_FIELDS_NAMED))
            yield Refusal(
                "clears",
                f"{number} of {managed.get(kind, 0)} managed {kind.plural} would lose values ({fields}; "
                f"the limits are {limits.percent} % and {limits.count}): {join_first([*entries])}",
                consent,
            )


def find_lost(
    missing: Mapping[Kind, Sequence[str]], managed: Mapping[Kind, int]
) -> Mapping[Kind, tuple[Sequence[str], int]]:
    """Return the missing keys and the number of managed entries of each kind that the server may have lost or hidden.

    `missing` has the keys of the applied entries that the server lacks, `managed` the number of those that it has
    (docs/evidence.md 1). A small directory is lost too, if nothing of it is left.
    """
    is_all_missing = not any(managed.values()) and sum(map(len, missing.values())) > MAX_UNGATED
    lost: dict[Kind, tuple[Sequence[str], int]] = {}
    for kind, keys in missing.items():
        number = len(keys)
        expected = number + managed.get(kind, 0)
        if number and (is_all_missing or (number > MISSING_COUNT and number * 100 > MISSING_PERCENT * expected)):
            lost[kind] = keys, expected
    return lost


def missing_gate(
    missing: Mapping[Kind, Sequence[str]], managed: Mapping[Kind, int], policy: Policy, deletes: int
) -> Iterator[Refusal]:
    """Yield every reason to refuse a plan for a server that may have lost or hidden entries (`find_lost`).

    A consent must name exactly the number of missing entries. `allowed.recreate` creates them again; a wrong number is
    refused even if so few are missing that no consent is needed. `allowed.deletes` leaves them deleted, and also counts
    the `deletes` of the plan.
    """
    total = sum(map(len, missing.values()))
    if not total:
        return
    fact = pluralize(total, "entry is", "entries are") + " missing"
    if policy.allowed.recreate is not None:
        yield from check_consent("recreate", policy.allowed.recreate, total, fact)
        return
    lost = find_lost(missing, managed)
    recreate, leave = NeededConsent("recreate", total), NeededConsent("deletes", total + deletes)
    choices: tuple[Choice, ...] = ()
    if policy.on_drift == "keep":  # any other policy never leaves an entry deleted that the folder has
        if lost and policy.allowed.deletes is not None:
            also = f", and the plan has {pluralize(deletes, 'delete')}" if deletes else ""
            refusals = check_consent("deletes", policy.allowed.deletes, total + deletes, fact + also)
            yield from (each._replace(code="recreate") for each in refusals)  # the code of all refusals of this gate
            return
        choices = Choice(str(recreate), "create again"), Choice(str(leave), "leave deleted")
    for kind in lost:
        yield Refusal("recreate", lost_message(kind, *lost[kind]), recreate, choices)


def lost_message(kind: Kind, keys: Sequence[str], expected: int) -> str:
    """Return the message that the server may have lost or hidden entries of a kind."""
    are = "is" if len(keys) == 1 else "are"
    missing = f"{len(keys)} of {expected} managed {kind.plural} {are} missing on the server"
    return f"{missing}: {join_first(keys)}; {IS_COMPLETE}"


def unknown_base_gate(plan: Plan, policy: Policy) -> Iterator[Refusal]:
    """Yield a refusal if records may be entries that were deleted in files which could not be read at the base.

    They would never be deleted: the next run has a later base, which lacks them. Without prune, none would be anyway.
    """
    records = [entry.key for entry in plan.unmanaged if plan.has_unknown_base(entry)] if policy.prune else []
    if not records:
        return
    number = pluralize(len(records), "record that only the server has", "records that only the server has")
    if policy.allowed.unknown_base is not None:
        yield from check_consent("unknown_base", policy.allowed.unknown_base, len(records), f"there are {number}")
        return
    files = join_first([f"{file.path} ({file.reason})" for file in plan.unread])
    message = f"{number} may be deleted entries of files that could not be read at the base: {join_first(records)}"
    yield Refusal("unknown-base", f"{message}; make git read {files}", NeededConsent("unknown_base", len(records)))


def check_consent(name: str, allowed: int, total: int, fact: str) -> Iterator[Refusal]:
    """Yield a refusal unless the user consented to exactly the total; `name` is the field of `Consents`."""
    if allowed != total:
        consent = NeededConsent(name, total)
        yield Refusal(name.replace("_", "-"), f"{fact}, but {consent.option} allows {allowed}", consent)


def _needs_consent(number: int, managed: int, limits: Limits) -> bool:
    """Return whether a number of the managed entries of a kind is over one of the limits; never for a few entries."""
    is_few = number <= MAX_UNGATED and number <= limits.count
    return not is_few and (number > limits.count or number * 100 > limits.percent * managed)


def _deletes_message(kind: Kind, deletes: PendingDeletes, share: str) -> str:
    """Return the message that too many entries of a kind would be deleted or lose values.

    Only listings can lose values. `share` is the share of both together, as text.
    """
    number = len(deletes.keys)
    of_managed = f"of {deletes.managed} managed {kind.plural}"
    if not number:
        cause = "categories, tags or custom fields that they have are deleted"
        return f"{deletes.dangling_listings} {of_managed} would lose something, as {cause} ({share})"
    also = ""
    if deletes.dangling_listings:
        also = f", and {deletes.dangling_listings} would lose something by deletes of other kinds"
    if deletes.recent:
        also = f"{also}, after {deletes.recent} in the last ten minutes"
    if also:
        share = f"together {share}"
    return f"{number} {of_managed} would be deleted{also} ({share}): {join_first(deletes.keys)}"
