"""The order in which changes are written, so that each one finds what it needs: its parent, or a free slug.

```
 categories ─► tags ─► custom fields ─► organizers ─► listings ─► pages ─► articles ─► deletes, in reverse
 within a kind: parents before children; an entry that gives up a slug before the one that takes it; new listings last
 new rows of one table: in the order of the file
```
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from graphlib import CycleError, TopologicalSorter
from typing import Any

from ...model import Entry, Kind, key_fields
from ...model.urls import url_key
from ..comparing.change import Action, Change
from ..comparing.fingerprint import digest


def order_changes(changes: Sequence[Change], actual: Sequence[Entry]) -> tuple[tuple[Change, ...], ...]:
    """Return the changes in stages; the changes of one stage do not depend on each other.

    `actual` are the server's entries. If entries swap their slugs, one of them gets a temporary slug first. So does an
    entry to delete whose slug another entry takes, because deletes are last.
    """
    stages: list[list[Change]] = []
    for kind in Kind:
        stages += _stages_of_kind(
            [change for change in changes if change.kind is kind and change.action is not Action.DELETE], actual
        )
    writes = [change for stage in stages for change in stage]
    deletes = _with_temporary_values([change for change in changes if change.action is Action.DELETE], writes)
    for kind in reversed(Kind):
        stages += _by_depth([change for change in deletes if change.kind is kind])
    return tuple(map(tuple, stages))


def _stages_of_kind(changes: list[Change], actual: Sequence[Entry]) -> list[list[Change]]:
    """Return the stages of the creates and updates of one kind; new listings last, in the order of their rows."""
    ordered = sorted(
        changes, key=lambda change: (change.is_new_listing, has_no_slug(change), table_row(change), change.key)
    )
    ancestors = _ancestors(ordered, actual)
    while True:
        sorter: TopologicalSorter[int] = TopologicalSorter()
        prerequisites = _prerequisites(ordered, ancestors)
        if not prerequisites:  # no change must wait for another one, as usual
            return _with_new_listings_apart([ordered])
        for position in range(len(ordered)):
            sorter.add(position, *prerequisites.get(position, ()))
        try:
            sorter.prepare()
        except CycleError as error:
            _message, cycle = error.args
            # Each change gets temporary values at most once, so this ends.
            is_broken = _add_temporary_values(ordered, cycle)
            if not is_broken:
                # The cycle is one of parents, some of them not managed. No order avoids it, and the server refuses it.
                ancestors = {}
            continue
        return _with_new_listings_apart(_group_by_prerequisites(sorter, ordered))


def _group_by_prerequisites(sorter: "TopologicalSorter[int]", changes: list[Change]) -> list[list[Change]]:
    """Return the changes in groups, each after the groups that it needs."""
    groups: list[list[Change]] = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        groups.append([changes[position] for position in ready])
        sorter.done(*ready)
    return groups


def _with_new_listings_apart(groups: Iterable[list[Change]]) -> list[list[Change]]:
    """Split each group into its other changes and, after them, its new listings; leave out empty groups."""
    parts: list[list[Change]] = []
    for group in groups:
        parts.append([change for change in group if not change.is_new_listing])
        parts.append([change for change in group if change.is_new_listing])
    return [part for part in parts if part]


def _prerequisites(changes: list[Change], ancestors: Mapping[int, set[int]]) -> dict[int, set[int]]:
    """Return, by position of a change, the positions of the changes that must be written before it."""
    freed: dict[tuple[str, str], int] = {}
    for position, change in enumerate(changes):
        if not change.temporary_values:  # these are written before all changes, so no change must wait for them
            freed |= dict.fromkeys(_given_up_values(change), position)
    if not freed and not ancestors:  # as usual
        return {}
    prerequisites: dict[int, set[int]] = {}
    for position, change in enumerate(changes):
        earlier = {freed[value] for value in _unique_values(change.entry, change.actual) if value in freed}
        earlier |= ancestors.get(position, set())
        earlier.discard(position)
        if earlier:
            prerequisites[position] = earlier
    return prerequisites


def _ancestors(changes: Sequence[Change], actual: Sequence[Entry]) -> dict[int, set[int]]:
    """Return the future ancestors of each category that gets another parent, all as positions in `changes`.

    If the ancestors get their parents first, no intermediate state has a cycle. `changes` are those of one kind.
    """
    new_parents = {
        position: change.fields["parent_id"].after
        for position, change in enumerate(changes)
        if _is_category(change.entry) and "parent_id" in change.fields
    }
    if not any(new_parents.values()):
        return {}
    positions = {change.key: position for position, change in enumerate(changes)}
    new_keys: dict[Any, str] = {change.actual.key: change.key for change in changes if change.actual}
    # A category may get the key of one that is deleted: it comes later, because its parent counts.
    categories = sorted(filter(_is_category, actual), key=lambda entry: entry.key in new_keys)
    old_parents = {new_keys.get(entry.key, entry.key): entry.fields.get("parent_id") for entry in categories}
    parents = {key: new_keys.get(parent, parent) for key, parent in old_parents.items()}
    parents |= {changes[position].key: parent for position, parent in new_parents.items()}
    ancestors: dict[int, set[int]] = {}
    for position, parent in new_parents.items():
        future_ancestors: set[str] = set()
        while parent and parent not in future_ancestors:
            future_ancestors.add(parent)
            parent = parents.get(parent)
        ancestors[position] = {positions[key] for key in future_ancestors if key in positions}
    return ancestors


def _is_category(entry: Entry) -> bool:
    return entry.kind is Kind.CATEGORY


def _unique_values(entry: Entry, actual: Entry | None = None) -> set[tuple[str, str]]:
    """Return the values that no two entries of a kind may share, as `entry` sets them, else as `actual` has them."""
    stored = actual.fields if actual else {}
    values = [(name, entry.fields.get(name, stored.get(name))) for name in key_fields(entry.kind)]
    return {(name, url_key(value) if name == "url" else str(value)) for name, value in values if value}


def _given_up_values(change: Change) -> set[tuple[str, str]]:
    """Return the unique values that an entry has on the server, and no longer after the change."""
    if change.actual is None:
        return set()
    return _unique_values(change.actual) - _unique_values(change.entry, change.actual)


def _add_temporary_values(changes: list[Change], cycle: Sequence[int]) -> bool:
    """Give one change of a cycle temporary values, in place, which breaks the cycle.

    `cycle` are the positions of its changes; the first one is also the last. Return False if none of them gives up a
    unique value, except those that have temporary values already.
    """
    for position in sorted(set(cycle)):
        change = changes[position]
        values = _given_up_values(change)
        if values and not change.temporary_values:
            changes[position] = change._replace(temporary_values=_temporary_values(change, values))
            return True
    return False


def _with_temporary_values(deletes: Sequence[Change], writes: Sequence[Change]) -> list[Change]:
    """Return the deletes; those whose unique values a write takes get temporary values."""
    taken: dict[Kind, set[tuple[str, str]]] = defaultdict(set)
    for change in writes if deletes else ():
        present = _unique_values(change.actual) if change.actual else set()
        taken[change.kind] |= _unique_values(change.entry, change.actual) - present
    result = []
    for change in deletes:
        needed = taken[change.kind] & _unique_values(change.entry)
        if needed and not change.temporary_values:
            change = change._replace(temporary_values=_temporary_values(change, needed))
        result.append(change)
    return result


def _temporary_values(change: Change, values: Set[tuple[str, str]]) -> dict[str, str]:
    """Return a temporary value for each unique value of an entry, by field; the same result each time."""
    return {
        name: temporary_value(change.kind, name, old, change.id, next_key=change.key) for name, old in sorted(values)
    }


def temporary_value(kind: Kind, name: str, value: str, id_: int | None, *, next_key: str) -> str:
    """Return the temporary value of a field that has `value` now, of an entry that will get `next_key`.

    `id_` is that of its record, so that two entries never get the same value.
    """
    separator = "_" if kind is Kind.CUSTOM_FIELD else "-"
    suffix = f"moving{separator}{digest([next_key, id_])[:6]}"
    return f"{value}?{suffix}" if name == "url" else f"{value[:200]}{separator}{suffix}"


def table_row(change: Change) -> tuple[str, int]:
    """Return the path and the line of a new entry; ("", 0) for others, which keep their order on the server."""
    source = change.entry.source
    return (source.path, source.line) if source is not None and change.action is Action.CREATE else ("", 0)


def is_later_row(change: Change, other: Change) -> bool:
    """Return whether a create must follow another create because its row is further down in the same table."""
    (path, line), (other_path, other_line) = table_row(change), table_row(other)
    return path == other_path and line > other_line


def _by_depth(deletes: Sequence[Change]) -> Iterator[list[Change]]:
    """Yield the deletes of a kind in groups: child categories before their parents."""
    parents = {change.key: change.entry.fields.get("parent_id") for change in deletes if _is_category(change.entry)}
    depths = {change.key: _depth(change.key, parents) for change in deletes}
    for depth in sorted(set(depths.values()), reverse=True):
        yield sorted((change for change in deletes if depths[change.key] == depth), key=lambda change: change.key)


def _depth(key: str, parents: Mapping[str, Any]) -> int:
    """Return the number of categories from one to its highest ancestor in `parents`, both included."""
    chain: list[Any] = [key]
    while (parent := parents.get(chain[-1])) and parent not in chain:
        chain.append(parent)
    return len(chain)


def has_no_slug(change: Change) -> bool:
    """Return whether a listing has no slug; it is written last, because the service avoids the slugs of others."""
    return change.kind is Kind.LISTING and not change.entry.fields.get("slug")
