"""TODO."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ..errors import ContentError, Malfunction, Problem, Where
from ..model import RECORDS, Entry, Kind, did_you_mean
from ..remote import Heard, Remote, with_referred
from .comparing.base import UNKNOWN, Applied, Base
from .comparing.entry_fields import renamed
from .gates import slug_clashes, token_leaks
from .plan import Plan
from .plan_builder import make_plan
from .plan_policy import CAREFUL, Policy, Selection


def resolve(
    selected: Iterable[Entry], desired: Iterable[Entry], actual: Iterable[Entry], user_ids: Mapping[str, int]
) -> tuple[list[Entry], list[Problem]]:
    """The selected entries with every reference as a key and every user as an id, and a problem for each other one.

    The folder's own references are keys already (`content.load`); what is left names an entry of the
    server by slug, or by a title that exactly one has (docs/content.md 3). `desired` is the whole
    folder: an entry of it is known unless it is skipped and so may never come to the server.
    """
    known: dict[Kind, set[str]] = {kind: set() for kind in Kind}
    for entry in desired:
        if not entry.notes.skip:
            known[entry.kind].add(entry.key)
    titles: dict[Kind, dict[str, set[str]]] = {kind: {} for kind in Kind}
    for entry in actual:
        known[entry.kind].add(entry.key)
        title = str(entry.fields.get(RECORDS[entry.kind].title_field))
        titles[entry.kind].setdefault(title, set()).add(entry.key)

    problems: list[Problem] = []
    resolved: list[Entry] = []
    for entry in selected:
        changed: dict[str, Any] = {}
        for name, kind in RECORDS[entry.kind].references.items():
            if entry.fields.get(name):
                changed[name], wrong = _keys(entry, name, kind, known[kind], titles[kind])
                problems += wrong
        user = entry.fields.get("user_id")
        if isinstance(user, str):
            changed["user_id"] = user_ids.get(user)
            if user not in user_ids:
                problems.append(_unknown_user(entry, user, user_ids))
        resolved.append(replace(entry, fields={**entry.fields, **changed}) if changed else entry)
    return resolved, problems


def _keys(
    entry: Entry, name: str, kind: Kind, known: set[str], titles: Mapping[str, set[str]]
) -> tuple[Any, list[Problem]]:
    given = entry.fields[name]
    keys: list[str] = []
    problems: list[Problem] = []
    for position, word in enumerate(given if isinstance(given, list) else [given]):
        candidates = {word} if word in known else titles.get(word, set())
        keys += candidates
        if len(candidates) != 1:
            problems.append(_unresolved(entry, f"{name}.{position}", kind, word, candidates, known))
    keys = list(dict.fromkeys(keys))
    return (keys if isinstance(given, list) else next(iter(keys), None)), problems


def _unresolved(entry: Entry, name: str, kind: Kind, word: str, candidates: set[str], known: set[str]) -> Problem:
    if candidates:
        code, message = "ambiguous-reference", f"{kind} '{word}' may be any of {', '.join(sorted(candidates))}"
        hint = "name it by its slug"
    else:
        code, message = "unknown-reference", f"there is no {kind} '{word}' in the folder or on the server"
        hint = did_you_mean(word, known)
    return Problem(code, message, _where(entry, name), hint, kind=entry.kind, key=entry.key)


def _unknown_user(entry: Entry, email: str, user_ids: Iterable[str]) -> Problem:
    return Problem(
        "unknown-user",
        f"the target's user_ids do not say which user {email} is",
        _where(entry, "user_id"),
        did_you_mean(email, user_ids) or "add the address and the user's number to user_ids of the target",
        kind=entry.kind,
        key=entry.key,
    )


def _where(entry: Entry, name: str) -> Where:
    return entry.source.where(name) if entry.source else Where("")


SAMPLE = 20  # entries of a kind that are asked for by id; where more are missing, as many of them


# What a service may leave out of its lists although it has it.
_SHOWN = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}


async def read_confirmed(
    remote: Remote,
    kinds: Collection[Kind],
    locales: Sequence[str],
    heard: Heard,
    base: Callable[[Sequence[Entry]], Base],
) -> tuple[list[Entry], Base]:
    """Return every entry of the kinds and of those they refer to, and the base that `base` makes of them.

    Raise Malfunction where a list lacks entries that the server has, and does so again when it is read once more.
    """
    doubted: set[Kind] = set()
    while True:
        actual = await remote.fetch(kinds, locales, heard)
        applied = base(actual)
        missing = _missing(applied.values(), actual, with_referred(kinds))
        hidden: list[Entry] = []
        wrong: dict[Kind, Entry] = {}
        for kind, lines in missing.items():
            found = await _answering(remote, [line for line in lines if line.id is not None])
            if found and not any(_is_shown(entry) for entry in found):
                found = [_without_texts(entry, locales) for entry in found]
                remote.reveal(kind, found)
                hidden += found
            elif found:
                wrong[kind] = found[0]
            elif kind not in doubted and any(line.id is None for line in lines):
                wrong[kind] = Entry(kind, lines[0].key, {})  # a commit knows no ids: only a second list can confirm it
        if not wrong:
            if hidden:
                actual = _with_hidden(actual, hidden)
                applied = base(actual)
            return actual, applied
        for kind, entry in wrong.items():
            if kind in doubted:
                message = f"the server's list of {kind.plural} lacks {entry.key}, which the server has"
                raise Malfunction(message, "nothing was written: run again later, or ask whoever runs the server")
            remote.distrust(kind)
        doubted |= wrong.keys()


def _missing(
    lines: Collection[Applied], actual: Sequence[Entry], kinds: Collection[Kind]
) -> Mapping[Kind, list[Applied]]:
    """Return what was applied and no list shows, by kind."""
    ids = {(entry.kind, entry.id) for entry in actual}
    without_id = [line for line in lines if line.id is None]
    keys = {(entry.kind, entry.key) for entry in actual} if without_id else set()
    missing: dict[Kind, list[Applied]] = defaultdict(list)
    for line in lines:
        is_there = line.identity in keys if line.id is None else (line.kind, line.id) in ids
        if line.kind in kinds and not is_there:
            missing[line.kind].append(line)
    return missing


async def _answering(remote: Remote, lines: Sequence[Applied]) -> list[Entry]:
    """Return the entries that answer by id, of a sample where many are missing.

    Where each of the sample is hidden from lists, all that are missing are asked for: those that answer are not gone.
    """
    count = min(SAMPLE, len(lines))
    sample = [lines[place * len(lines) // count] for place in range(count)]
    found = await _asked(remote, sample)
    if found and len(sample) < len(lines) and not any(_is_shown(entry) for entry in found):
        rest = {line.id: line for line in lines}.keys() - {line.id for line in sample}
        found += await _asked(remote, [line for line in lines if line.id in rest])
    return found


async def _asked(remote: Remote, lines: Iterable[Applied]) -> list[Entry]:
    answers = [await remote.get(line.kind, line.id) for line in lines if line.id is not None]
    return [entry for entry in answers if entry is not None]


def _without_texts(entry: Entry, locales: Sequence[str]) -> Entry:
    """Return an entry that was read alone: unless the service includes its translations, nothing is known of them."""
    if "translations" in entry.fields or not RECORDS[entry.kind].translated:
        return entry
    return replace(entry, unknown=entry.unknown | {f"translations.{locale}" for locale in locales})


def _is_shown(entry: Entry) -> bool:
    return bool(entry.fields.get(_SHOWN.get(entry.kind, "is_active"), True))


def _with_hidden(actual: list[Entry], hidden: Sequence[Entry]) -> list[Entry]:
    """Return all entries; what refers to a hidden one names it by its key, and not by an id that no list explains."""
    called = {(entry.kind, f"#{entry.id}"): entry.key for entry in hidden}
    return [*(renamed(entry, called) for entry in actual), *hidden]


async def prepare(
    desired: Sequence[Entry],
    remote: Remote,
    *,
    locales: Sequence[str],
    user_ids: Mapping[str, int],
    selection: Selection,
    heard: Heard,
    also: frozenset[Kind] = frozenset(),
    base: Callable[[Sequence[Entry]], Base] = lambda actual: UNKNOWN,
    policy: Policy = CAREFUL,
    moved: Mapping[str, str] | None = None,
    is_left_out: Callable[[Applied], bool] = lambda applied: False,
    token: str = "",
) -> Plan:
    """The plan for the selected entries; reads the server, writes nothing.

    `locales` are the languages besides the default whose texts are compared; `base` gives the base once it is known
    what the server has, for which the kinds of `also` are read too; `token` is the target's, if it has one. Raises
    ContentError for names that neither the folder nor the server knows, for slugs that the server has given away and
    for texts that hold the token, and RemoteError when the server's state cannot be read completely.
    """
    actual, applied = await read_confirmed(remote, selection.kinds | also, locales, heard, base)
    asked = [entry for entry in desired if entry in selection and not entry.notes.skip]
    resolved, problems = resolve(asked, desired, actual, user_ids)
    if problems:
        raise ContentError(problems)
    rest = [entry for entry in desired if entry.notes.skip or entry not in selection]
    plan = make_plan(
        [*resolved, *rest],
        actual,
        selection,
        base=applied,
        policy=policy,
        moved=moved,
        is_left_out=is_left_out,
        conditional=remote.conditional,
    )
    problems = [*slug_clashes(plan), *token_leaks(plan, resolved, token)]
    if problems:
        raise ContentError(problems)
    return plan


def used_locales(entries: Iterable[Entry], lines: Iterable[Applied]) -> set[str]:
    """The languages in which there is a text, here or in what was applied: no others need be asked for."""
    used = {locale for entry in entries for locale in entry.fields.get("translations") or ()}
    for applied in lines:
        used |= {name.split(".")[1] for name in applied.fields if name.startswith("translations.")}
    return used
