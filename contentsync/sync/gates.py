"""TODO."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import Problem, Where
from ..model import Entry, Kind
from .change import Action, Change
from .plan import Plan
from .plan_policy import Limits, Refusal

FEW = 3  # so many deletes of a kind never need a word, unless the limit itself is lower


NAMES = 5  # that a refusal shows


MISSING_COUNT = 10  # up to so many entries of a kind, and up to so many percent of it,


MISSING_PERCENT = 10  # are created again without a word when the server has them no more


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


def language_refusals(plan: Plan, ours: Sequence[str], there: Sequence[str] | None) -> Iterator[Refusal]:
    """Yield why a plan must not be applied.

    `ours` are the languages of the folder, `there` the server's, defaults first; None where it does not return them.
    The server stores the texts of an entry in its default language, whatever the folder's is.
    """
    if there is not None and there[0] != ours[0]:
        yield Refusal(
            "default-language",
            f"the default language of the server's directory is '{there[0]}', and that of the folder is '{ours[0]}': "
            "name the same language first in site.locales and in the directory",
        )
        return
    written = Counter(locale for change in plan.changes for locale in _languages(change))
    unknown = set[str]().union(*{entry.unknown for entry in plan.actual})
    missing = {name.partition(".")[2] for name in unknown if name.startswith("translations.")}
    missing |= set() if there is None else written.keys() - set(there[1:])
    for locale in sorted(written.keys() & missing):
        entries = "1 entry changes texts" if written[locale] == 1 else f"{written[locale]} entries change texts"
        yield Refusal(
            "language",
            f"the server's directory does not have the language '{locale}', in which {entries}: "
            "add it to the directory, or remove these texts and the language from the folder",
        )


def _languages(change: Change) -> set[str]:
    """Return the languages besides the default in which a change sends texts."""
    if change.action is Action.DELETE:
        return set()
    if change.action is Action.CREATE:
        return set(change.entry.fields.get("translations") or ())
    return {name.split(".")[1] for name in change.fields if name.startswith("translations.")}


def slug_clashes(plan: Plan) -> list[Problem]:
    """A problem for each listing that is to have a slug that another one of the server keeps: it never could.

    The folder alone cannot know: the server makes the slugs of listings that name none.
    """
    leaving = {
        change.id
        for change in plan.changes
        if change.kind is Kind.LISTING and (change.action is Action.DELETE or "slug" in change.fields)
    }
    holders = {
        entry.fields.get("slug"): entry
        for entry in plan.actual
        if entry.kind is Kind.LISTING and entry.id not in leaving
    }
    problems = []
    for change in plan.changes:
        slug = change.entry.fields.get("slug")
        wants = change.kind is Kind.LISTING and change.action is not Action.DELETE and "slug" in change.fields
        holder = holders.get(slug) if wants else None
        if slug and holder:
            source = change.entry.source
            problems.append(
                Problem(
                    "slug-taken",
                    f"the slug '{slug}' is that of {holder.key} on the server",
                    source.where("slug") if source else Where(""),
                    "give one of the two another slug",
                    kind=change.kind,
                    key=change.key,
                )
            )
    return problems


def token_leaks(plan: Plan, desired: Sequence[Entry], token: str) -> list[Problem]:
    """A problem for each field that holds the token, of the entries that a plan writes or takes for its own."""
    if not token:
        return []
    new = {(change.kind, change.key) for change in plan.changes if change.action is not Action.DELETE}
    new |= {line.identity for line in plan.learned}
    return [
        Problem(
            "holds-token",
            "this text holds the token of the target",
            entry.source.where(name) if entry.source else Where(""),
            "take it out, and give the target another token if anybody may have read the file",
            kind=entry.kind,
            key=entry.key,
        )
        for entry in desired
        if (entry.kind, entry.key) in new
        for name in _holding(entry.fields, token)
    ]


def _holding(value: Any, token: str, name: str = "") -> Iterator[str]:
    """The dotted names of the texts that hold the token."""
    if isinstance(value, str):
        if token in value:
            yield name
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _holding(inner, token, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _holding(inner, token, name)
