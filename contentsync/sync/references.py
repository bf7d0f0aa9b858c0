"""Names that only the server can resolve: entries that the folder does not hold, and users by e-mail."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..errors import Problem, Where
from ..model import RECORDS, Entry, Kind, did_you_mean


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
        code, message = "ambiguous-reference", f"the {kind} '{word}' may be any of {', '.join(sorted(candidates))}"
        hint = "use its slug"
    else:
        code, message = "unknown-reference", f"there is no {kind} '{word}' in the folder or on the server"
        hint = did_you_mean(word, known)
    return Problem(code, message, _where(entry, name), hint, kind=entry.kind, key=entry.key)


def _unknown_user(entry: Entry, email: str, user_ids: Iterable[str]) -> Problem:
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
