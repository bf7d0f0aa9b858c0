"""Read the entries of a list: YAML, JSON or TOML, as a plain list or at a path inside the file."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from ...errors import Problem
from ...model import RECORDS, Kind
from .draft import ABSENT, Draft, Location, Locations, value_at
from .file_tree import EACH, FileTree, ItemPath, Step, is_yaml
from .json_reader import read_json
from .toml_reader import as_draft_values, read_toml
from .yaml_reader import read_mappings


class ListItem(NamedTuple):
    """An entry of a list.

    `steps` lead to it from the root of the file. `inherited` maps each inherited field to its value, and to the
    locations of this value and, under their numbers, of its items.
    """

    draft: Draft
    steps: tuple[Step, ...] = ()
    inherited: Mapping[str, tuple[Any, Locations]] = {}


def read_list(text: str, kind: Kind, path: str, items: ItemPath | None = None) -> Iterator[ListItem | Problem]:
    """Yield each entry of a file, and a problem for each other item. `items` is the path of the entries, if it is set.

    Without `items`, a file is a list of entries or a single entry, and a TOML file may have its entries in its only
    array of tables. Raises UnreadableFile for a syntax error; in YAML without `items`, the entries above it come first.
    """
    if items is None and is_yaml(path):
        for number, entry in enumerate(read_mappings(text, kind, path)):
            yield ListItem(entry, (number,)) if isinstance(entry, Draft) else entry
        return
    tree = read_tree(text, kind, path)
    yield from _cut_items(tree, items or usual_path(tree))


def read_tree(text: str, kind: Kind, path: str) -> FileTree:
    """Return all values of a YAML, JSON or TOML file. Raises UnreadableFile."""
    if path.lower().endswith(".json"):
        return read_json(text, kind, path)
    if is_yaml(path):
        from .yaml_events import parse_tree  # a plain list does not need libyaml

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


def _cut_items(tree: FileTree, path: ItemPath) -> Iterator[ListItem | Problem]:
    """Yield the entries at a path, and a problem for each part of the path that a file lacks.

    `pull` creates a plain list also if the path begins with a key: then the items of the list are the entries.
    """
    yield from tree.problems
    if tree.root is None:
        return
    if isinstance(tree.root, list) and path.steps[:1] and path.steps[0] != EACH:
        path = ItemPath((EACH,))
    cutter = _Cutter(tree, path)
    for steps in cutter.find(tree.root, ()):
        yield steps if isinstance(steps, Problem) else cutter.cut(steps)
        yield from cutter.missing  # what `cut` did not find
        cutter.missing.clear()


class _Cutter:
    """Finds the entries of a tree at a path, and makes their drafts.

    `cut` adds a problem to `missing` for each inherited value that the file lacks; the caller may delete it.
    """

    def __init__(self, tree: FileTree, path: ItemPath) -> None:
        self._tree = tree
        self._path = path
        self._locations = _LocationsByItem(tree.value_locations, tree.key_locations, len(path.steps))
        self._failed_fields: dict[str, set[str]] = defaultdict(set)  # by the dotted name of the entry
        for name in tree.failed_fields:
            entry_name, _dot, field = _partition_name(name, parts=len(path.steps))
            top_level_field = field.partition(".")[0]
            self._failed_fields[entry_name].add(top_level_field)
        self._reported: set[tuple[Step, ...]] = set()  # paths of inherited values that are missing
        self.missing: list[Problem] = []

    def find(self, value: Any, steps: tuple[Step, ...]) -> Iterator[tuple[Step, ...] | Problem]:
        """Yield the steps from the root to each entry in the value at `steps`, and a problem for each missing part."""
        remaining = self._path.steps[len(steps) :]
        if _name(steps) in self._tree.failed_fields:
            return  # a reader has reported the value
        if not remaining:
            yield steps if isinstance(value, dict) else self._not_a_mapping(steps)
        elif remaining[0] == EACH:
            if isinstance(value, list):
                for number, item in enumerate(value):
                    yield from self.find(item, (*steps, number))
            elif value is not None:  # an empty key is an empty list
                yield self._problem("not-a-list", steps, f"{_name(steps) or 'the file'} must be a list")
        elif not isinstance(value, dict):
            yield self._problem(
                "not-a-mapping", steps, f"{_name(steps) or 'the file'} must consist of keys with values"
            )
        elif remaining[0] not in value:
            yield self._problem("no-items", steps, f"there is no key {remaining[0]} here")
        else:
            yield from self.find(value[remaining[0]], (*steps, remaining[0]))

    def cut(self, steps: tuple[Step, ...]) -> ListItem:
        """Return the entry at these steps from the root."""
        tree, name = self._tree, _name(steps)
        line = tree.where(name).line
        draft = Draft(tree.kind, tree.path, line, value_at(tree.root, steps), partial(self._locations.of_item, name))
        draft.failed_fields |= self._failed_fields.get(name, set())
        return ListItem(draft, steps, dict(self._inherited(steps)))

    def _inherited(self, steps: tuple[Step, ...]) -> Iterator[tuple[str, tuple[Any, Locations]]]:
        """Yield each field that the entry at these steps inherits, with its value and locations; skip null."""
        for field, (shared_steps, path) in self._path.inherit.items():
            # `path` begins like `steps`, which have numbers in place of its `EACH`.
            source = (*steps[:shared_steps], *path[shared_steps:])
            value = value_at(self._tree.root, source)
            if value is ABSENT:
                if source not in self._reported:
                    self._reported.add(source)
                    message = f"there is no key {path[-1]} here, from which entries inherit {field}"
                    self.missing.append(self._problem("no-items", source[:-1], message))
            elif value is not None:
                where = self._tree.where(_name(source))
                start: Location = (where.path, (where.line, where.column or 1))
                names = {f"{field}.{number}": _name((*source, number)) for number in _numbers(value)}
                items = {name: self._tree.value_locations.get(item, start) for name, item in names.items()}
                yield field, (value, {field: start, **items})

    def _not_a_mapping(self, steps: tuple[Step, ...]) -> Problem:
        """Return the problem of an entry that has no keys."""
        title = RECORDS[self._tree.kind].title_field
        hint = f"write keys with values, such as {title}: My {title}"
        return Problem(
            "not-a-mapping", "an entry must consist of keys with values", self._tree.where(_name(steps)), hint
        )

    def _problem(self, code: str, steps: tuple[Step, ...], message: str) -> Problem:
        """Return a problem at these steps; its hint names the setting that the steps come from."""
        where = self._tree.where(_name(steps))
        hint = f'the config reads the entries from items = "{self._path.text}": correct it, or the file'
        return Problem(code, message, where, hint, kind=self._tree.kind.value)


def _numbers(value: Any) -> range:
    """Return the numbers of the items of a list; that of a text is 0, because a list field has it as its only item."""
    return range(len(value) if isinstance(value, list) else 1)


class _LocationsByItem:
    """The locations in a file, grouped by entry; `depth` is the number of parts in the dotted name of an entry."""

    def __init__(self, values: Locations, keys: Locations, depth: int) -> None:
        self._values_and_keys = (values, keys)
        self._depth = depth
        self._by_item: dict[str, tuple[Locations, Locations]] | None = None

    def of_item(self, name: str) -> tuple[Locations, Locations]:
        """Return the locations of the values, and of the keys, of the item with this dotted name."""
        if self._by_item is None:
            self._by_item = defaultdict(lambda: ({}, {}))
            for index, locations in enumerate(self._values_and_keys):
                for full_name, location in locations.items():
                    item, dot, field = _partition_name(full_name, parts=self._depth)
                    if dot:  # if not, it is the location of the entry, or of something around it
                        self._by_item[item][index][field] = location
        return self._by_item[name]


def _partition_name(name: str, parts: int) -> tuple[str, str, str]:
    """Split a dotted name after some parts, like `str.partition`: ("a.b", ".", "c.d") for "a.b.c.d" and 2."""
    if not parts:  # the file is one entry, whose name is ""
        return "", ".", name
    names = name.split(".", parts)
    if len(names) <= parts:
        return name, "", ""
    return ".".join(names[:parts]), ".", names[parts]


def _name(steps: tuple[Step, ...]) -> str:
    return ".".join(map(str, steps))
