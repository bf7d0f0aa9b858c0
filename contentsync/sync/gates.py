"""The gates before deletes, in one pure function (content-format.md, contentsync.toml; faults.md PL-01, PL-02)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..model import Kind

FEW = 3  # so many deletes of a kind never need a word, unless the limit itself is lower
NAMES = 5  # that a refusal shows


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
    if allowed == total:
        return
    flag = f"--allow-deletes {total}"
    if allowed is not None:
        yield Refusal("deletes", f"--allow-deletes {allowed} was given, but the plan has {total} deletes", flag)
        return
    for kind, deletes in doomed.items():
        number = len(deletes.keys)
        affected = number + deletes.losing
        if number and number >= deletes.managed and not deletes.left:
            yield Refusal("emptied", f"no {kind.plural} would be left: {_told(kind, deletes)}", flag)
        elif affected > min(FEW, limits.count) and _over(affected, deletes.managed, limits):
            share = f"{100 * affected / deletes.managed:.0f} %" if deletes.managed else "all"
            over = f"the limits are {limits.percent} % and {limits.count}"
            losing = f", and {deletes.losing} would lose something by deletes of other kinds" if deletes.losing else ""
            yield Refusal(
                "deletes",
                f"{number} of {deletes.managed} managed {kind.plural} would be deleted ({share}; {over}){losing}: "
                f"{_told(kind, deletes)}",
                flag,
            )


def _over(number: int, managed: int, limits: Limits) -> bool:
    return number > limits.count or number * 100 > limits.percent * managed


def _told(kind: Kind, deletes: Doomed) -> str:
    shown = ", ".join(deletes.keys[:NAMES]) or f"{deletes.losing} {kind.plural}"
    more = len(deletes.keys) - NAMES
    return f"{shown} and {more} more" if more > 0 else shown
