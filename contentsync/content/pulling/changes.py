"""What is to be written into one entry: values by the keys of the file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

Path = tuple[str, ...]  # keys, from the entry on
GONE = object()  # the value of a key that shall not stand there


@dataclass(frozen=True, slots=True)
class Leaf:
    """A value to be written; `GONE` for none."""

    value: Any


Tree = dict[str, "Leaf | Tree"]


def tree_of(changes: Mapping[Path, Any]) -> Tree:
    """The changes as objects in objects."""
    tree: Tree = {}
    for path, value in changes.items():
        inner = tree
        for key in path[:-1]:
            inner = _inside(inner, key)
        inner[path[-1]] = Leaf(value)
    return tree


def built(tree: Tree) -> dict[str, Any]:
    """The object that a tree makes where there is none yet."""
    return {
        key: part.value if isinstance(part, Leaf) else built(part)
        for key, part in tree.items()
        if not (isinstance(part, Leaf) and part.value is GONE)
    }


def applied(values: Mapping[str, Any], tree: Tree) -> dict[str, Any]:
    """What a reader finds after the changes, as it gave the values before them."""
    found = dict(values)
    for key, part in tree.items():
        if not isinstance(part, Leaf):
            there = found.get(key)
            found[key] = applied(there if isinstance(there, Mapping) else {}, part)
        elif part.value is GONE:
            found.pop(key, None)
        else:
            found[key] = as_read(part.value)
    return found


def as_read(value: Any) -> Any:
    """The value as readers of files give it: every scalar as text."""
    if isinstance(value, Mapping):
        return {key: as_read(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_read(item) for item in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else repr(value)


def get(values: Any, path: Iterable[str]) -> Any:
    """The value at a path; GONE where there is none."""
    for key in path:
        if not isinstance(values, Mapping) or key not in values:
            return GONE
        values = values[key]
    return values


def _inside(tree: Tree, key: str) -> Tree:
    part = tree.setdefault(key, {})
    assert not isinstance(part, Leaf), "a value and a part of it are given"  # noqa: S101
    return part
