"""Change values in TOML front matter in place."""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from ...model import RECORDS, Kind, PlainScalar
from ..draft import ABSENT, ValuePath, line_starts, value_at
from ..formats.toml_reader import ParsedToml, as_draft_values, read_toml
from ..unknown_keys import toml_key
from .file_edits import Leaf, Tree


def edit_toml(text: str, kind: Kind, tree: Tree, entry: ValuePath = ()) -> str:
    """Return the text after the changes. None removes the key: TOML has no null. Raises UnreadableFile.

    `entry` is the path of the entry to change in a file with several; tables in arrays have numbers.
    """
    for path, value in _leaves(tree, entry):
        text = _set_value(text, kind, path, value)
    return text


def append_tables(text: str, name: str, new: Sequence[Mapping[str, Any]]) -> str:
    """Return the text to add after a TOML text with new tables of an array."""
    start = "" if not text or text.endswith("\n") else "\n"
    tables = []
    for entry in new:
        pairs = ((key, value) for key, value in entry.items() if value is not None)
        lines = "".join(f"{toml_key(key)} = {inline_toml(value)}\n" for key, value in pairs)
        tables.append(f"[[{toml_key(name)}]]\n{lines}")
    return start + ("\n" if text.strip() else "") + "\n".join(tables)


def as_toml_reads(tree: Tree) -> Tree:
    """Return the changes with the values that a reader returns for them after they were written as TOML."""
    result: Tree = {}
    for key, part in tree.items():
        if not isinstance(part, Leaf):
            result[key] = as_toml_reads(part)
        elif part.value in (None, ABSENT):  # TOML has no null
            result[key] = Leaf(ABSENT)
        else:
            result[key] = Leaf(as_draft_values(_parse_value(inline_toml(part.value))))
    return result


def inline_toml(value: Any) -> str:
    """Return the value as TOML on one line, without the None values inside it."""
    if isinstance(value, Mapping):
        inner = (f"{toml_key(key)} = {inline_toml(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(inner)} }}"
    if isinstance(value, list):
        return f"[{', '.join(inline_toml(item) for item in value if item is not None)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, PlainScalar):
        return str(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _leaves(tree: Tree, prefix: ValuePath) -> list[tuple[ValuePath, Any]]:
    """Return the values of a tree that are not objects, each with its path."""
    leaves: list[tuple[ValuePath, Any]] = []
    for key, part in tree.items():
        path = (*prefix, key)
        leaves += [(path, part.value)] if isinstance(part, Leaf) else _leaves(part, path)
    return leaves


def _set_value(text: str, kind: Kind, path: ValuePath, value: Any) -> str:
    """Return the text after the value at a path was set, or removed (None, ABSENT)."""
    toml = read_toml(text, "")
    current = value_at(toml.values, path)
    if isinstance(current, dict) and isinstance(value, Mapping):
        for key in {**current, **value}:
            text = _set_value(text, kind, (*path, key), value.get(key))
        return text
    if value in (None, ABSENT):
        return text if current is ABSENT else _remove(text, toml, path)
    table_path = _inline_table(text, toml, path)
    if table_path:
        table = _merge_value(value_at(toml.values, table_path), path[len(table_path) :], value)
        return _replace(text, toml, table_path, table)
    return _replace(text, toml, path, value) if current is not ABSENT else _add(text, kind, toml, path, value)


def _inline_table(text: str, toml: ParsedToml, path: ValuePath) -> ValuePath:
    """Return the path of the innermost inline table (`{...}`) around a value; () if there is none."""
    for depth in range(len(path) - 1, 0, -1):
        name = _name(path[:depth])
        if name in toml.value_locations and text.startswith("{", _offset(text, toml.value_locations[name][1])):
            return path[:depth]
    return ()


def _merge_value(values: Any, path: ValuePath, value: Any) -> Any:
    """Return nested objects after the value at a path in them was set."""
    if not path:
        return value
    return {**values, path[0]: _merge_value(values.get(path[0], {}), path[1:], value)}


def _replace(text: str, toml: ParsedToml, path: ValuePath, value: Any) -> str:
    start = _offset(text, toml.value_locations[_name(path)][1])
    return text[:start] + inline_toml(value) + text[_value_end(text, start) :]


def _remove(text: str, toml: ParsedToml, path: ValuePath) -> str:
    """Return the text without the value at a path; the value must exist.

    A line without other text than the value disappears; a comment behind it stays. Of a table, each key is removed.
    """
    table_path = _inline_table(text, toml, path)
    if table_path:
        siblings = {key: value for key, value in value_at(toml.values, path[:-1]).items() if key != path[-1]}
        table = _merge_value(value_at(toml.values, table_path), path[len(table_path) : -1], siblings)
        return _replace(text, toml, table_path, table)
    name, current = _name(path), value_at(toml.values, path)
    is_header = toml.key_locations[name] == toml.value_locations[name]
    if isinstance(current, dict) and (
        is_header or not text.startswith("{", _offset(text, toml.value_locations[name][1]))
    ):
        for key in current:
            text = _remove(text, read_toml(text, ""), (*path, key))
        if not is_header or name not in (reread := read_toml(text, "")).key_locations:
            return text
        start = text.rindex("[", 0, _offset(text, reread.key_locations[name][1]))
        end = text.index("]", start) + 1
    else:
        start = _offset(text, toml.key_locations[name][1])
        end = _value_end(text, _offset(text, toml.value_locations[name][1]))
    rest_of_line = text[end:].partition("\n")[0]
    comment = rest_of_line.strip()
    line_end = end + len(rest_of_line)
    return text[:start] + comment + text[line_end if comment else line_end + 1 :]


def _add(text: str, kind: Kind, toml: ParsedToml, path: ValuePath, value: Any) -> str:
    """Return the text with a new key: in its table, or in a new table at the end; a top-level key after the title."""
    key, table = toml_key(str(path[-1])), _name(path[:-1])
    sibling = next(
        (
            name
            for name in toml.key_locations
            if name.rpartition(".")[0] == table and toml.key_locations[name] != toml.value_locations[name]
        ),
        None,
    )
    if not table:
        title = RECORDS[kind].title_field
        sibling = title if title in toml.key_locations else None
    if sibling:
        start = _offset(text, toml.key_locations[sibling][1])
        sibling_text = text[start:].partition("=")[0].rstrip()  # such as `title`, or `seo.title`
        key = sibling_text[: len(sibling_text) - len(toml_key(sibling.rpartition(".")[2]))] + key
        previous_end = _value_end(text, _offset(text, toml.value_locations[sibling][1]))
    elif not table:
        return f"{key} = {inline_toml(value)}\n{text}"
    elif table in toml.key_locations and toml.key_locations[table] == toml.value_locations[table]:  # its header
        previous_end = _offset(text, toml.key_locations[table][1])
    elif any(isinstance(part, int) for part in path):  # a table at the end would belong to the last entry
        return _set_value(text, kind, path[:-1], {str(path[-1]): value})
    else:
        separator = "\n" if text.strip() else ""
        return (
            f"{text}{separator}[{'.'.join(toml_key(str(part)) for part in path[:-1])}]\n{key} = {inline_toml(value)}\n"
        )
    end = text.index("\n", previous_end) + 1
    return f"{text[:end]}{key} = {inline_toml(value)}\n{text[end:]}"


def _value_end(text: str, start: int) -> int:
    """Return the offset at which the value that starts at an offset ends, before spaces and a comment."""
    end = text.find("\n", start)
    while end >= 0 and _parse_value(text[start:end]) is ABSENT:
        end = text.find("\n", end + 1)
    written = text[start : end if end >= 0 else len(text)]
    value = _parse_value(written)
    for comment in re.finditer("#", written):
        if _parse_value(written[: comment.start()]) == value:
            written = written[: comment.start()]
            break
    return start + len(written.rstrip())


def _parse_value(text: str) -> Any:
    """Return the value of a TOML text; ABSENT if it is not one complete value."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return ABSENT


def _name(path: ValuePath) -> str:
    return ".".join(map(str, path))


def _offset(text: str, position: tuple[int, int]) -> int:
    line, column = position
    return line_starts(text)[line - 1] + column - 1
