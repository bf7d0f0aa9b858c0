"""The gates before deletes, in one pure function (docs/sync.md, Deletes; docs/faults.md PL-01, PL-02)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..model import Kind

FEW = 3  # so many deletes of a kind never need a word, unless the limit itself is lower
NAMES = 5  # that a refusal shows
MISSING_COUNT = 10  # up to so many entries of a kind, and up to so many percent of it,
MISSING_PERCENT = 10  # are created again without a word when the server has them no more


class Refusal(NamedTuple):
    """Why a plan may not be applied, and what consents to it; nothing does where `flag` is empty."""

    code: str
    message: str
    flag: str = ""


@dataclass(frozen=True, slots=True)
class Limits:
    """Over which deletes of a kind are refused."""

    percent: int = 20
    count: int = 10


@dataclass(frozen=True, slots=True)
class Doomed:
    """The deletes of one kind."""

    keys: tuple[str, ...]
    managed: int  # entries of the kind that we made or adopted and the server still has
    left: int  # entries of the kind that the folder holds
    losing: int = 0  # listings that lose something by deletes of other kinds


def gates(
    doomed: Mapping[Kind, Doomed], limits: Limits, *, allowed: int | None, empty_folder: bool
) -> Iterator[Refusal]:
    """Every reason to refuse the deletes of a plan.

    `allowed` is the number that somebody consented to: exactly that many deletes pass, of a folder that is not empty.
    """
    total = sum(len(kind.keys) for kind in doomed.values())
    if not total:
        return
    if empty_folder:
        yield Refusal(
            "empty-folder",
            f"the folder holds no entries at all, and {total} would be deleted: is it the right one, and is it whole?",
        )
        return
    if allowed is not None:
        yield from _consented("deletes", allowed, total, f"the plan has {total} deletes")
        return
    flag = f"--allow-deletes {total}"
    for kind, deletes in doomed.items():
        number = len(deletes.keys)
        affected = number + deletes.losing
        if number and number >= deletes.managed and not deletes.left:
            yield Refusal("emptied", f"no {kind.plural} would be left: {_told(kind, deletes)}", flag)
        elif affected > min(FEW, limits.count) and _over(affected, deletes.managed, limits):
            share = f"{100 * affected / deletes.managed:.0f} %" if deletes.managed else "all"
            over = f"the limits are {limits.percent} % and {limits.count}"
            yield Refusal("deletes", _too_many(kind, deletes, f"{share}; {over}"), flag)


def clear_gate(
    cleared: Mapping[Kind, Mapping[str, Sequence[str]]],
    doomed: Mapping[Kind, Doomed],
    managed: Mapping[Kind, int],
    limits: Limits,
    allowed: int | None,
) -> Iterator[Refusal]:
    """Return why so many managed entries may not lose values by updates, under the same limits as deletes.

    `cleared` has the fields that each entry loses; what `doomed` says of the kind counts too. `allowed` is the number
    of such entries that the user consents to: exactly that many pass.
    """
    total = sum(map(len, cleared.values()))
    if not total:
        return
    if allowed is not None:
        yield from _consented("clears", allowed, total, f"{total} entries would lose values")
        return
    flag = f"--allow-clears {total}"
    for kind, entries in cleared.items():
        number = len(entries)
        deletes = doomed.get(kind)
        affected = number + (len(deletes.keys) + deletes.losing if deletes else 0)
        if affected > min(FEW, limits.count) and _over(affected, managed.get(kind, 0), limits):
            counts = Counter(field for fields in entries.values() for field in fields)
            fields = ", ".join(f"{field} of {count}" for field, count in counts.most_common(NAMES))
            yield Refusal(
                "clears",
                f"{number} of {managed.get(kind, 0)} managed {kind.plural} would lose values ({fields}; "
                f"the limits are {limits.percent} % and {limits.count}): {_first([*entries])}",
                flag,
            )


def recreate_gate(
    missing: Mapping[Kind, Sequence[str]], managed: Mapping[Kind, int], allowed: int | None
) -> Iterator[Refusal]:
    """Return why so many entries may not be created again: the server may have lost them, or hide them.

    `missing` has the keys of what was applied and the server has no more, `managed` the number of what it still has.
    `allowed` is the number of creates that the user consents to: exactly that many pass (docs/evidence.md 1).
    """
    total = sum(map(len, missing.values()))
    if not total:
        return
    if allowed is not None:
        yield from _consented("recreate", allowed, total, f"{total} entries are missing")
        return
    flag = f"--allow-recreate {total}"
    for kind, keys in missing.items():
        number, all_ = len(keys), len(keys) + managed.get(kind, 0)
        if number > MISSING_COUNT and number * 100 > MISSING_PERCENT * all_:
            yield Refusal(
                "recreate",
                f"{number} of {all_} managed {kind.plural} are missing on the server: {_first(keys)}; "
                "is it the right server, and is it whole?",
                flag,
            )


def _consented(what: str, allowed: int, total: int, found: str) -> Iterator[Refusal]:
    """Return a refusal unless the number that the user consented to is exactly the total."""
    if allowed != total:
        yield Refusal(what, f"--allow-{what} {allowed} was given, but {found}", f"--allow-{what} {total}")


def _over(number: int, managed: int, limits: Limits) -> bool:
    return number > limits.count or number * 100 > limits.percent * managed


def _too_many(kind: Kind, deletes: Doomed, share: str) -> str:
    """Return what would happen to entries of a kind, and the share of them that is over the limits."""
    number, of = len(deletes.keys), f"of {deletes.managed} managed {kind.plural}"
    if not number:
        gone = "categories, tags or custom fields that they have are deleted"
        return f"{deletes.losing} {of} would lose something, as {gone} ({share})"
    others = ""
    if deletes.losing:
        others, share = f", and {deletes.losing} would lose something by deletes of other kinds", f"together {share}"
    return f"{number} {of} would be deleted{others} ({share}): {_first(deletes.keys)}"


def _told(kind: Kind, deletes: Doomed) -> str:
    return _first(deletes.keys) or f"{deletes.losing} {kind.plural}"


def _first(keys: Sequence[str]) -> str:
    shown = ", ".join(keys[:NAMES])
    more = len(keys) - NAMES
    return f"{shown} and {more} more" if more > 0 else shown
