"""Change values in a TOML text in place. tomlkit stores comments and spaces with the keys of each table."""

import json
import re
import tomllib
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import AoT, Array, Comment, InlineTable, Item, Key, SingleKey, Table, Trivia, Whitespace

from ...content.config.unknown_keys import toml_key
from ...content.formats.draft import ABSENT, ValuePath
from ...content.formats.toml_reader import as_draft_values, read_toml
from ...model import PlainScalar
from .text_editor import Leaf, Splice, Tree, diff_splices, misread_edit_error, removal_of_lines, tree_values

Body = list[tuple[Key | None, Item]]  # of a table: its keys with their values, comments and blank lines, in their order


class TomlEditor:
    """Edits TOML: a table, or an array of tables. See `text_editor.TextEditor`.

    A new key is added after the first key of its table. At the top level, it is added after `title_field`, or at the
    start of the text.
    """

    def __init__(self, text: str, path: str, start: int = 0, *, title_field: str = "") -> None:
        self._text = text
        self._path = path
        self._start = start
        self._title_field = title_field
        self._appended = ""
        self._removed: list[Splice] = []
        with self._refusing():
            self._document = tomlkit.parse(text if text.endswith("\n") or not text else f"{text}\n")

    @property
    def splices(self) -> list[Splice]:
        """The splices that make all edits; [] without any."""
        after = tomlkit.dumps(self._document) + self._appended
        return self._removed + ([] if after == f"{self._text}\n" else diff_splices(self._text, after, self._start))

    def edit(self, steps: ValuePath, tree: Tree) -> None:
        """Change keys of the table at `steps`, such as ("places", 0) for the first `[[places]]`. None removes a key."""
        with self._refusing():
            outer: Any = None
            table: Any = self._document
            for step in steps:
                outer, table = table, table[step]
            if isinstance(table, InlineTable):
                outer[steps[-1]] = tomlkit.value(_edited_inline(table, tree))
            elif steps:
                _edit([table.value.body], tree)
            else:
                _edit([table.body], tree, first_key=self._title_field)

    def append(self, steps: ValuePath, new: Sequence[Mapping[str, Any]]) -> None:
        """Add tables to the array at `steps`, at the end of the text."""
        (name,) = map(str, steps)
        blank_line = "\n" if self._text.strip() else ""
        tables = []
        for entry in new:
            pairs = ((key, value) for key, value in entry.items() if value is not None)
            lines = "".join(f"{toml_key(key)} = {inline_toml(value)}\n" for key, value in pairs)
            tables.append(f"[[{toml_key(name)}]]\n{lines}")
        self._appended = blank_line + "\n".join(tables)

    def remove(self, items: Sequence[ValuePath]) -> None:
        """Remove tables of arrays, with their inner tables; comments below them stay, as those of the next table."""
        locations = read_toml(self._text, self._path).key_locations
        starts = [0, *(match.end() for match in re.finditer("\n", self._text)), len(self._text)]  # of each line
        names = sorted((line, found) for found, (_path, (line, _column)) in locations.items())
        ranges = []
        for steps in items:
            name = ".".join(map(str, steps))
            if name not in locations:
                raise misread_edit_error(self._path)  # it is in braces
            line = locations[name][1][0]
            below = map(names.__getitem__, range(bisect_left(names, (line + 1, "")), len(names)))
            outside = (after for after, found in below if not found.startswith(f"{name}."))
            end = next(outside, len(starts))
            lines = self._text[starts[line - 1] : starts[end - 1]].split("\n")
            while not lines[-1].strip() or lines[-1].lstrip().startswith("#"):
                lines.pop()
            end_of_last = starts[line - 1] + len("\n".join(lines)) + 1
            ranges.append((starts[line - 1], min(end_of_last, len(self._text))))
        self._removed += removal_of_lines(self._text, ranges)

    def as_read(self, tree: Tree) -> Tree:
        """Return the same changes, with each value as a reader returns it after it was written as TOML."""
        result: Tree = {}
        for key, part in tree.items():
            if not isinstance(part, Leaf):
                result[key] = self.as_read(part)
            elif part.value in (None, ABSENT):  # TOML has no null
                result[key] = Leaf(ABSENT)
            else:
                result[key] = Leaf(as_draft_values(tomllib.loads(f"x = {inline_toml(part.value)}")["x"]))
        return result

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        """Raise Refused for a text that tomlkit cannot change."""
        try:
            yield
        except (TOMLKitError, AttributeError, KeyError, IndexError, TypeError) as error:
            raise misread_edit_error(self._path) from error


def _edit(bodies: Sequence[Body], tree: Tree, first_key: str | None = None) -> None:
    """Change keys of a table. Its text may be in several places of the file, each of which is a body.

    `first_key` is set only for the top level of a file: the key after which new keys are added there. A new object at
    the top level becomes a table with a header; in another table, it is written in braces.
    """
    is_top_level = first_key is not None
    for key, part in tree.items():
        value = part.value if isinstance(part, Leaf) else tree_values(part)
        places = [(body, index) for body in bodies for index, (found, _) in enumerate(body) if _has_name(found, key)]
        items = [body[index][1] for body, index in places]
        tables = [item for item in items if isinstance(item, Table)]
        if value is None or value is ABSENT:
            for body, index in places:
                body[index] = (None, _comment_lines(body[index][1]))
        elif tables and isinstance(value, Mapping):
            inner_tree = _inner_tree(part, [name for table in tables for name in table])
            if all(_has_no_header(*body[index]) for body, index in places):
                # New keys cannot stand in a table without a header, so they get a table with one.
                new_names = [name for name in inner_tree if not any(name in table for table in tables)]
                _append_table(bodies[0], key, tree_values({name: inner_tree.pop(name) for name in new_names}))
            _edit([table.value.body for table in tables], inner_tree)
        elif items and isinstance(items[0], InlineTable) and isinstance(value, Mapping):
            _replace(*places[0], _edited_inline(items[0], _inner_tree(part, items[0])))
        elif items and isinstance(items[0], Array) and isinstance(value, list):
            _replace(*places[0], _edited_array(items[0], value))
        elif items:
            _replace(*places[0], inline_toml(value))
        elif isinstance(part, Leaf) or not is_top_level:
            _add(bodies[0], key, value, first_key)
        else:
            _append_table(bodies[0], key, value)


def _has_name(found: Key | None, key: str) -> bool:
    """Return whether a member of a body is the key; its own key is None if it is a comment or a blank line."""
    return found is not None and found.key == key


def _inner_tree(part: "Leaf | Tree", old_keys: Any) -> Tree:
    """Return the changes of the keys of an object: `part` itself, or those that give the object a new value.

    A new value for the whole object removes those of the `old_keys` that it lacks.
    """
    if not isinstance(part, Leaf):
        return part
    removed: Tree = {str(key): Leaf(ABSENT) for key in old_keys if key not in part.value}
    return removed | {key: Leaf(value) for key, value in part.value.items()}


def _has_no_header(key: Key | None, item: Item) -> bool:
    """Return whether an item is a table that is only around others, as `seo` is for `[seo.open_graph]`."""
    return isinstance(item, Table) and item.is_super_table() and key is not None and not key.is_dotted()


def _append_table(body: Body, key: str, values: Mapping[str, Any]) -> None:
    """Add a table with a header at the end of the body around it, if it has values."""
    items = {name: tomlkit.value(inline_toml(value)) for name, value in values.items() if value is not None}
    if items:
        table = tomlkit.table()
        table.update(items)
        body += [(None, Whitespace("\n"))] if body else []
        body.append((SingleKey(key), table))


def _edited_inline(table: InlineTable, tree: Tree) -> str:
    """Return the text of a table in braces after changes of its keys. New ones are added at its end."""
    texts = {found.key: item.as_string() for found, item in table.value.body if found is not None}
    for key, part in tree.items():
        value = part.value if isinstance(part, Leaf) else tree_values(part)
        current = table.get(key)
        if value is None or value is ABSENT:
            texts.pop(key, None)
        elif isinstance(current, InlineTable) and isinstance(value, Mapping):
            texts[key] = _edited_inline(current, _inner_tree(part, current))
        else:
            texts[key] = inline_toml(value)
    return f"{{ {', '.join(f'{toml_key(key)} = {text}' for key, text in texts.items())} }}"


def _edited_array(array: Array, value: Sequence[Any]) -> str:
    """Return the text of an array with other items: comments, and the lines of the other items, stay if they can."""
    if not array or not value:
        return inline_toml(value)
    result: Any = tomlkit.value(array.as_string())
    if len(result) == len(value):
        for number, item in enumerate(value):
            if result[number] != item:
                result[number] = tomlkit.value(inline_toml(item))
    else:
        for number in reversed(range(len(result))):
            if result[number] not in value:
                del result[number]
        for item in value[len(result) :]:
            result.append(tomlkit.value(inline_toml(item)))
    text: str = result.as_string()
    return (
        text
        if tomllib.loads(f"x = {text}")["x"] == tomllib.loads(f"x = {inline_toml(value)}")["x"]
        else inline_toml(value)
    )


def _add(body: Body, key: str, value: Any, first_key: str | None) -> None:
    """Add a key that a table lacks: after its first key, or after `first_key` if that is set."""
    item = tomlkit.value(inline_toml(value))
    for index, (found, before) in enumerate(body):
        is_value = found is not None and (found.is_dotted() or not isinstance(before, Table | AoT))
        if is_value and (first_key is None or _has_name(found, first_key)):
            item.trivia.indent = before.trivia.indent
            body.insert(index + 1, (SingleKey(key), item))
            return
    body.insert(0, (SingleKey(key), item))


def _replace(body: Body, index: int, text: str) -> None:
    """Replace the value at an index of a body, and keep the comment behind it."""
    key, old = body[index]
    new = tomlkit.value(text)
    if not isinstance(old, Table | AoT):
        new.trivia.indent, new.trivia.trail = old.trivia.indent, old.trivia.trail
        new.trivia.comment_ws, new.trivia.comment = old.trivia.comment_ws, old.trivia.comment
    body[index] = (key, new)


def _comment_lines(item: Item) -> Item:
    """Return the item that takes the place of a removed one: its comment, and the comments in a table."""
    comments = "\n".join(_comments(item))
    return Comment(Trivia(comment=comments)) if comments else Whitespace("")


def _comments(item: Item) -> Iterator[str]:
    """Yield the comment behind an item, and those inside a table or an array of tables."""
    if isinstance(item, Whitespace):
        return
    if item.trivia.comment:
        yield item.trivia.comment
    for inner in item.body if isinstance(item, AoT) else ():
        yield from _comments(inner)
    for _key, value in item.value.body if isinstance(item, Table) else ():
        yield from _comments(value)


def inline_toml(value: Any) -> str:
    """Return the value as TOML on one line, without the None values inside it."""
    if isinstance(value, Mapping):
        pairs = (f"{toml_key(key)} = {inline_toml(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, list):
        return f"[{', '.join(inline_toml(item) for item in value if item is not None)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, PlainScalar):
        return str(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)
