"""Read the entries of a list: YAML, JSON or TOML, as a plain list or at a path inside the file."""

from collections.abc import Iterator

from ...errors import Problem
from ...model import Kind
from ..draft import Draft
from .file_tree import EACH, FileTree, ItemPath, ListItem, cut_items
from .json_reader import read_json
from .toml_reader import as_draft_values, read_toml
from .yaml_events import parse_tree
from .yaml_reader import read_mappings


def read_list(text: str, kind: Kind, path: str, items: ItemPath | None = None) -> Iterator[ListItem | Problem]:
    """Yield each entry of a file, and a problem for each other item. `items` is the path of the entries, if it is set.

    Without `items`, a file is a list of entries or a single entry, and a TOML file may have its entries in its only
    array of tables. Raises UnreadableFile for a syntax error; in YAML without `items`, after the entries before it.
    """
    if items is None and is_yaml(path):
        for number, entry in enumerate(read_mappings(text, kind, path)):
            yield ListItem(entry, (number,)) if isinstance(entry, Draft) else entry
        return
    tree = read_tree(text, kind, path)
    yield from cut_items(tree, items or usual_path(tree))


def is_yaml(path: str) -> bool:
    """Return whether the file at a path is YAML, by its ending."""
    return path.lower().endswith((".yaml", ".yml"))


def read_tree(text: str, kind: Kind, path: str) -> FileTree:
    """Return all values of a YAML, JSON or TOML file. Raises UnreadableFile."""
    if path.lower().endswith(".json"):
        return read_json(text, kind, path)
    if is_yaml(path):
        return parse_tree(text, kind, path)
    toml = read_toml(text, path)
    tree = FileTree(kind, path, root=as_draft_values(toml.values) or None)  # an empty file has no entry
    tree.value_locations.update(toml.value_locations)
    tree.key_locations.update(toml.key_locations)
    return tree


def usual_path(tree: FileTree) -> ItemPath:
    """Return the path of the entries in a file whose config has no setting for it (`read_list`)."""
    if isinstance(tree.root, list):
        return ItemPath((EACH,))
    if tree.path.lower().endswith(".toml") and isinstance(tree.root, dict) and len(tree.root) == 1:
        ((key, value),) = tree.root.items()
        if isinstance(value, list):
            return ItemPath((key, EACH), text=f"{key}[]")
    return ItemPath(())  # the file is one entry
