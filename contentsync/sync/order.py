"""The order in which changes are written, so that each one finds what it needs: its parent, or a free slug.

```
 categories ─► tags ─► custom fields ─► organizers ─► listings ─► pages ─► articles ─► deletes, in reverse
 within a kind: parents before children; an entry that gives up a slug before the one that takes it; new listings last
 new rows of one table: in the order of the file
```
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ..model import RECORDS, Entry, Kind
from ..model.urls import url_key
from .change import Action, Change
from .comparing.fingerprint import digest


def order_changes(changes: Sequence[Change], actual: Sequence[Entry]) -> tuple[tuple[Change, ...], ...]:
    """Return the changes in stages; the changes of one stage do not depend on each other.

    `actual` is what the server has. If entries swap their slugs, one of them gets a temporary slug first. So does an
    entry to be deleted whose slug another one takes, as deletes come last.
    """
    stages: list[list[Change]] = []
    for kind in Kind:
        stages += _stages_of_kind(
            [change for change in changes if change.kind is kind and change.action is not Action.DELETE], actual
        )
    others = [change for stage in stages for change in stage]
    deletes = _free_values([change for change in changes if change.action is Action.DELETE], others)
    for kind in reversed(Kind):
        stages += _by_depth([change for change in deletes if change.kind is kind])
    return tuple(map(tuple, stages))


def _stages_of_kind(changes: list[Change], actual: Sequence[Entry]) -> list[list[Change]]:
    changes = sorted(
        changes, key=lambda change: (change.is_new_listing, _has_no_slug(change), table_row(change), change.key)
    )
    above = _ancestors(changes, actual)
    while True:
        sorter: TopologicalSorter[int] = TopologicalSorter()
        needs = _needs(changes, above)
        for position in range(len(changes)):
            sorter.add(position, *needs.get(position, ()))
        try:
            sorter.prepare()
        except CycleError as error:
            if not _add_temporary_values(changes, error.args[1]):
                above = {}  # a cycle with parents that the folder does not manage: the server refuses it
            continue
        return _groups(sorter, changes)


def _groups(sorter: "TopologicalSorter[int]", changes: list[Change]) -> list[list[Change]]:
    groups: list[list[Change]] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        groups.append([changes[position] for position in ready if not changes[position].is_new_listing])
        groups.append([changes[position] for position in ready if changes[position].is_new_listing])
        sorter.done(*ready)
    return [group for group in groups if group]


def _needs(changes: list[Change], above: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """Return the positions that each position waits for."""
    freed: dict[tuple[str, str], int] = {}
    for position, change in enumerate(changes):
        if not change.temporary_values and change.actual is not None:
            freed |= {
                held: position
                for held in _unique_values(change.actual)
                if held not in set(_unique_values(change.entry, change))
            }
    needs: dict[int, set[int]] = {}
    for position, change in enumerate(changes):
        before = {freed[held] for held in _unique_values(change.entry, change) if held in freed}
        before |= above.get(position, set())
        before.discard(position)
        if before:
            needs[position] = before
    return needs


def _ancestors(changes: Sequence[Change], actual: Sequence[Entry]) -> dict[int, set[int]]:
    """Return the positions of all future ancestors of each category that gets a parent.

    If all ancestors have their parents first, no intermediate state has a cycle.
    """
    parents_given = {
        position: change.fields["parent_id"].after for position, change in enumerate(changes) if _changes_parent(change)
    }
    if not any(parents_given.values()):
        return {}
    positions = {change.key: position for position, change in enumerate(changes)}
    names: dict[Any, str] = {change.actual.key: change.key for change in changes if change.actual}
    above = {names.get(entry.key, entry.key): entry.fields.get("parent_id") for entry in actual if _is_category(entry)}
    parents = {key: names.get(parent, parent) for key, parent in above.items()}
    parents |= {changes[position].key: parent for position, parent in parents_given.items()}
    ancestors: dict[int, set[int]] = {}
    for position, parent in parents_given.items():
        chain = {changes[position].key}
        while parent and parent not in chain:
            chain.add(parent)
            parent = parents.get(parent)
        ancestors[position] = {positions[key] for key in chain if key in positions}
    return ancestors


def _changes_parent(change: Change) -> bool:
    return _is_category(change.entry) and "parent_id" in change.fields


def _is_category(entry: Entry) -> bool:
    return entry.kind is Kind.CATEGORY


def _unique_values(entry: Entry, change: Change | None = None) -> list[tuple[str, str]]:
    """Return the values of an entry that must be unique in its kind, as they are or will be after the change."""
    values = dict(entry.fields)
    if change is not None and change.actual is not None:
        values = {**change.actual.fields, **values}
    key_field = RECORDS[entry.kind].key_field
    held = [(key_field, values.get(key_field))]
    if entry.kind is Kind.LISTING and isinstance(values.get("url"), str):
        held.append(("url", url_key(values["url"])))
    return [(name, str(value)) for name, value in held if value]


def _add_temporary_values(changes: list[Change], cycle: Sequence[int]) -> bool:
    """Break a cycle by giving one member a temporary slug; return False if no member gives up a value."""
    for position in sorted(set(cycle)):
        change = changes[position]
        if change.actual is not None and not change.temporary_values:
            temporary_values = _temporary_values(
                change, set(_unique_values(change.actual)).difference(_unique_values(change.entry, change))
            )
            if temporary_values:
                changes[position] = replace(change, temporary_values=temporary_values)
                return True
    return False


def _free_values(deletes: Sequence[Change], others: Sequence[Change]) -> list[Change]:
    """Return the deletes, with temporary values for those whose values other entries take."""
    wanted: dict[Kind, set[tuple[str, str]]] = defaultdict(set)
    for change in others:
        wanted[change.kind] |= set(_unique_values(change.entry, change)).difference(
            _unique_values(change.actual) if change.actual else ()
        )
    ready = []
    for change in deletes:
        held = wanted[change.kind].intersection(_unique_values(change.entry)) if not change.temporary_values else set()
        ready.append(replace(change, temporary_values=_temporary_values(change, held)) if held else change)
    return ready


def _temporary_values(change: Change, held: Set[tuple[str, str]]) -> dict[str, str]:
    """Return the temporary values for an entry's unique values, the same ones each time."""
    return {name: temporary_value(change.kind, name, value, change.key, change.id) for name, value in sorted(held)}


def temporary_value(kind: Kind, name: str, value: str, key: str, id_: int | None) -> str:
    """Return the temporary value of a field while its entry waits for the key `key`."""
    separator = "_" if kind is Kind.CUSTOM_FIELD else "-"
    suffix = f"moving{separator}{digest([key, id_])[:6]}"
    return f"{value}?{suffix}" if name == "url" else f"{value[:200]}{separator}{suffix}"


def table_row(change: Change) -> tuple[str, int]:
    """Return the path and the line of a new entry; an empty path for others, which keep their order on the server."""
    source = change.entry.source
    return (source.path, source.line) if source is not None and change.action is Action.CREATE else ("", 0)


def is_below(change: Change, other: Change) -> bool:
    """Return whether a change has to follow another one because its row is below in the same table."""
    (path, chain), (other_path, other_line) = table_row(change), table_row(other)
    return path == other_path and chain > other_line


def _by_depth(deletes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield children before their parents."""
    parents = {change.key: change.entry.fields.get("parent_id") for change in deletes if _is_category(change.entry)}
    depths = {change.key: _depth(change.key, parents) for change in deletes}
    for depth in sorted(set(depths.values()), reverse=True):
        yield sorted((change for change in deletes if depths[change.key] == depth), key=lambda change: change.key)


def _depth(key: str, parents: Mapping[str, Any]) -> int:
    above: list[Any] = [key]
    while (parent := parents.get(above[-1])) and parent not in above:
        above.append(parent)
    return len(above)


def _has_no_slug(change: Change) -> bool:
    """Return whether a listing has no slug: those with one come first, as the service avoids their slugs."""
    return change.kind is Kind.LISTING and not change.entry.fields.get("slug")
