"""Changes of values by path, as a tree; and a value as it is read after it was written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...content.formats.draft import ABSENT, FieldPath


@dataclass(frozen=True, slots=True)
class Leaf:
    """The value of one key in a `Tree`; `ABSENT` removes the key."""

    value: Any


Tree = dict[str, "Leaf | Tree"]


def build_tree(changes: Mapping[FieldPath, Any]) -> Tree:
    """Return values by path as nested objects: {("seo", "title"): "A"} becomes {"seo": {"title": Leaf("A")}}."""
    tree: Tree = {}
    for path, value in changes.items():
        subtree = tree
        for key in path[:-1]:
            part = subtree.setdefault(key, {})
            assert not isinstance(part, Leaf), "a value and a part of it are both set"  # noqa: S101
            subtree = part
        subtree[path[-1]] = Leaf(value)
    return tree


def tree_values(tree: Tree) -> dict[str, Any]:
    """Return the values of a tree as a new object, without the keys that the tree removes."""
    return {
        key: part.value if isinstance(part, Leaf) else tree_values(part)
        for key, part in tree.items()
        if not (isinstance(part, Leaf) and part.value is ABSENT)
    }


def apply_tree(values: Mapping[str, Any], tree: Tree) -> dict[str, Any]:
    """Return a copy of the values with the changes of a tree; changed values are converted with `as_read`."""
    result = dict(values)
    for key, part in tree.items():
        if not isinstance(part, Leaf):
            current = result.get(key)
            result[key] = apply_tree(current if isinstance(current, Mapping) else {}, part)
        elif part.value is ABSENT:
            result.pop(key, None)
        else:
            result[key] = as_read(part.value)
    return result


def as_read(value: Any) -> Any:
    """Return the value as readers of files return it: every scalar as text, except None."""
    if isinstance(value, Mapping):
        return {key: as_read(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [as_read(item) for item in value]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if value is None or isinstance(value, str) else repr(value)
