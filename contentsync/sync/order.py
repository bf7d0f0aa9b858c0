"""In which order changes are written, so that each finds what it needs: a parent, or a slug that is free.

```
 categories ─► tags ─► custom fields ─► organizers ─► listings ─► pages ─► articles ─► deletes, the other way round
 inside a kind: parents before children; who leaves a slug before who takes it; new listings last, to go in bulk
```
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ..model import RECORDS, Entry, Kind
from ..model.url import url_key
from .change import Action, Change
from .comparing.fingerprint import digest

_PLACES = {kind: place for place, kind in enumerate(Kind)}


def in_order(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes in an order in which they can be written one by one.

    Where entries swap their slugs, one of them makes a detour by a temporary slug.
    """
    ordered: list[Change] = []
    for kind in Kind:
        mine = [change for change in changes if change.kind is kind and change.action is not Action.DELETE]
        for stage in _stages(mine):
            ordered += stage
    deletes = [change for change in changes if change.action is Action.DELETE]
    return *ordered, *_deletes_last(deletes)


def stages(changes: Sequence[Change]) -> Iterator[list[Change]]:
    """Ordered changes in groups: those of one group need nothing of each other."""
    for kind in Kind:
        mine = [change for change in changes if change.kind is kind and change.action is not Action.DELETE]
        yield from _stages(mine)
    deletes = [change for change in changes if change.action is Action.DELETE]
    for kind in reversed(Kind):
        doomed = [change for change in deletes if change.kind is kind]
        depths = {id(change): depth for change, depth in _with_depth(doomed)}
        for depth in sorted(set(depths.values()), reverse=True):
            yield [change for change in doomed if depths[id(change)] == depth]


def _stages(changes: list[Change]) -> list[list[Change]]:
    changes = sorted(changes, key=lambda change: (_is_new_listing(change), _makes_slug(change), change.key))
    while True:
        sorter: TopologicalSorter[int] = TopologicalSorter()
        needs = _needs(changes)
        for position in range(len(changes)):
            sorter.add(position, *needs.get(position, ()))
        try:
            sorter.prepare()
        except CycleError as error:
            _take_detour(changes, error.args[1])
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


def _needs(changes: list[Change]) -> dict[int, set[int]]:
    """The positions that each position waits for."""
    made = {change.key: place for place, change in enumerate(changes) if change.kind is Kind.CATEGORY}
    leaving: dict[tuple[str, str], int] = {}
    for place, change in enumerate(changes):
        if not change.detour and change.actual is not None:
            leaving |= {held: place for held in _held(change.actual) if held not in set(_held(change.entry, change))}
    needs: dict[int, set[int]] = {}
    for place, change in enumerate(changes):
        before = {leaving[held] for held in _held(change.entry, change) if held in leaving}
        parent = change.entry.fields.get("parent_id") if change.kind is Kind.CATEGORY else None
        if parent in made:
            before.add(made[parent])
        before.discard(place)
        if before:
            needs[place] = before
    return needs


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


def _take_detour(changes: list[Change], circle: Sequence[int]) -> None:
    """Lets one of a circle leave first what another one is to have."""
    for place in sorted(set(circle)):
        change = changes[place]
        if change.actual is not None and not change.detour:
            joint = "_" if change.kind is Kind.CUSTOM_FIELD else "-"
            mark = f"moving{joint}{digest([change.key, change.id])[:6]}"
            stays = set(_held(change.entry, change))
            detour = {
                name: f"{value}?{mark}" if name == "url" else f"{value[:200]}{joint}{mark}"
                for name, value in _held(change.actual)
                if (name, value) not in stays
            }
            changes[place] = replace(change, detour=detour)
            return
    raise AssertionError("a circle without an update: the content's own check forbids circles of parents")


def _deletes_last(deletes: Sequence[Change]) -> list[Change]:
    """In the opposite order of kinds, children before their parents."""
    ranked = _with_depth(deletes)
    return [change for change, _ in sorted(ranked, key=lambda pair: (-_PLACES[pair[0].kind], -pair[1], pair[0].key))]


def _with_depth(changes: Sequence[Change]) -> list[tuple[Change, int]]:
    parents = {change.key: change.entry.fields.get("parent_id") for change in changes if change.kind is Kind.CATEGORY}
    return [(change, _depth(change.key, parents) if change.kind is Kind.CATEGORY else 0) for change in changes]


def _depth(key: str, parents: Mapping[str, Any]) -> int:
    above: list[Any] = [key]
    while (parent := parents.get(above[-1])) and parent not in above:
        above.append(parent)
    return len(above)


def _is_new_listing(change: Change) -> bool:
    return change.kind is Kind.LISTING and change.action is Action.CREATE


def _makes_slug(change: Change) -> bool:
    """Listings that name their slug come first: the service numbers the slugs it makes around those."""
    return change.kind is Kind.LISTING and not change.entry.fields.get("slug")
