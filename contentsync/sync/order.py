"""TODO."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ..model import RECORDS, Entry, Kind
from ..model.url import url_key
from .change import Action, Change
from .comparing.fingerprint import digest


def in_order(changes: Sequence[Change], actual: Sequence[Entry]) -> tuple[Change, ...]:
    """The changes in an order in which they can be written one by one; `actual` is what the server has.

    Where entries swap their slugs, one of them makes a detour by a temporary slug, and so does one that is to be
    deleted when another one takes its slug: deletes come last.
    """
    return tuple(change for stage in stages(changes, actual) for change in stage)


def stages(changes: Sequence[Change], actual: Sequence[Entry]) -> Iterator[list[Change]]:
    """The same in groups: those of one group need nothing of each other."""
    others: list[Change] = []
    for kind in Kind:
        for stage in _stages([change for change in changes if change.kind is kind and not _is_delete(change)], actual):
            others += stage
            yield stage
    deletes = _out_of_the_way([change for change in changes if _is_delete(change)], others)
    for kind in reversed(Kind):
        yield from _by_depth([change for change in deletes if change.kind is kind])


def _stages(changes: list[Change], actual: Sequence[Entry]) -> list[list[Change]]:
    changes = sorted(
        changes, key=lambda change: (_is_new_listing(change), _makes_slug(change), row_of(change), change.key)
    )
    above = _above(changes, actual)
    while True:
        sorter: TopologicalSorter[int] = TopologicalSorter()
        needs = _needs(changes, above)
        for position in range(len(changes)):
            sorter.add(position, *needs.get(position, ()))
        try:
            sorter.prepare()
        except CycleError as error:
            if not _take_detour(changes, error.args[1]):
                above = {}  # with parents that the folder does not manage there is a circle: the server refuses it
            continue
        return _groups(sorter, changes)


def _groups(sorter: "TopologicalSorter[int]", changes: list[Change]) -> list[list[Change]]:
    groups: list[list[Change]] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        groups.append([changes[position] for position in ready if not _is_new_listing(changes[position])])
        groups.append([changes[position] for position in ready if _is_new_listing(changes[position])])
        sorter.done(*ready)
    return [group for group in groups if group]


def _needs(changes: list[Change], above: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """The positions that each position waits for."""
    leaving: dict[tuple[str, str], int] = {}
    for place, change in enumerate(changes):
        if not change.detour and change.actual is not None:
            leaving |= {held: place for held in _held(change.actual) if held not in set(_held(change.entry, change))}
    needs: dict[int, set[int]] = {}
    for place, change in enumerate(changes):
        before = {leaving[held] for held in _held(change.entry, change) if held in leaving}
        before |= above.get(place, set())
        before.discard(place)
        if before:
            needs[place] = before
    return needs


def _above(changes: Sequence[Change], actual: Sequence[Entry]) -> dict[int, set[int]]:
    """For each category that gets a parent, the positions of all that is to be above it.

    Who is put below others that are in their places already closes no circle on the way.
    """
    given = {place: change.fields["parent_id"].after for place, change in enumerate(changes) if _is_moved(change)}
    if not any(given.values()):
        return {}
    places = {change.key: place for place, change in enumerate(changes)}
    names: dict[Any, str] = {change.actual.key: change.key for change in changes if change.actual}
    above = {names.get(entry.key, entry.key): entry.fields.get("parent_id") for entry in actual if _is_category(entry)}
    parents = {key: names.get(parent, parent) for key, parent in above.items()}
    parents |= {changes[place].key: parent for place, parent in given.items()}
    found: dict[int, set[int]] = {}
    for place, parent in given.items():
        line = {changes[place].key}
        while parent and parent not in line:
            line.add(parent)
            parent = parents.get(parent)
        found[place] = {places[key] for key in line if key in places}
    return found


def _is_moved(change: Change) -> bool:
    return _is_category(change.entry) and "parent_id" in change.fields


def _is_category(entry: Entry) -> bool:
    return entry.kind is Kind.CATEGORY


def _held(entry: Entry, change: Change | None = None) -> list[tuple[str, str]]:
    """What no two entries of a kind may have alike, as an entry has it, or will have it."""
    values = dict(entry.fields)
    if change is not None and change.actual is not None:
        values = {**change.actual.fields, **values}
    key_field = RECORDS[entry.kind].key_field
    held = [(key_field, values.get(key_field))]
    if entry.kind is Kind.LISTING and isinstance(values.get("url"), str):
        held.append(("url", url_key(values["url"])))
    return [(name, str(value)) for name, value in held if value]


def _take_detour(changes: list[Change], circle: Sequence[int]) -> bool:
    """Lets one of a circle leave first what another one is to have; False if none of them leaves anything."""
    for place in sorted(set(circle)):
        change = changes[place]
        if change.actual is not None and not change.detour:
            detour = _detour(change, set(_held(change.actual)).difference(_held(change.entry, change)))
            if detour:
                changes[place] = replace(change, detour=detour)
                return True
    return False


def _out_of_the_way(deletes: Sequence[Change], others: Sequence[Change]) -> list[Change]:
    """The deletes, with a detour for those that hold what another entry is to have."""
    taken: dict[Kind, set[tuple[str, str]]] = defaultdict(set)
    for change in others:
        taken[change.kind] |= set(_held(change.entry, change)).difference(_held(change.actual) if change.actual else ())
    ready = []
    for change in deletes:
        held = taken[change.kind].intersection(_held(change.entry)) if not change.detour else set()
        ready.append(replace(change, detour=_detour(change, held)) if held else change)
    return ready


def _detour(change: Change, held: Set[tuple[str, str]]) -> dict[str, str]:
    """Temporary values in place of what an entry holds, the same ones each time."""
    return {name: temporary(change.kind, name, value, change.key, change.id) for name, value in sorted(held)}


def temporary(kind: Kind, name: str, value: str, key: str, id_: int | None) -> str:
    """Return what a field has in place of a value while its entry is on the way to the name `key`."""
    joint = "_" if kind is Kind.CUSTOM_FIELD else "-"
    mark = f"moving{joint}{digest([key, id_])[:6]}"
    return f"{value}?{mark}" if name == "url" else f"{value[:200]}{joint}{mark}"


def row_of(change: Change) -> tuple[str, int]:
    """Return the path and the line of a new entry; nothing of one that the server has, which keeps its place there."""
    source = change.entry.source
    return (source.path, source.line) if source is not None and change.action is Action.CREATE else ("", 0)


def follows(change: Change, other: Change) -> bool:
    """Return whether a change is to be written after another one, as its row stands below in the same table."""
    (path, line), (other_path, other_line) = row_of(change), row_of(other)
    return path == other_path and line > other_line


def _by_depth(deletes: Sequence[Change]) -> Iterator[list[Change]]:
    """Children before their parents."""
    parents = {change.key: change.entry.fields.get("parent_id") for change in deletes if _is_category(change.entry)}
    depths = {change.key: _depth(change.key, parents) for change in deletes}
    for depth in sorted(set(depths.values()), reverse=True):
        yield sorted((change for change in deletes if depths[change.key] == depth), key=lambda change: change.key)


def _depth(key: str, parents: Mapping[str, Any]) -> int:
    above: list[Any] = [key]
    while (parent := parents.get(above[-1])) and parent not in above:
        above.append(parent)
    return len(above)


def _is_delete(change: Change) -> bool:
    return change.action is Action.DELETE


def _is_new_listing(change: Change) -> bool:
    return change.kind is Kind.LISTING and change.action is Action.CREATE


def _makes_slug(change: Change) -> bool:
    """Listings that name their slug come first: the service numbers the slugs it makes around those."""
    return change.kind is Kind.LISTING and not change.entry.fields.get("slug")
