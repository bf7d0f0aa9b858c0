"""Change values in TOML front matter in place."""

import json
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ...content.config.unknown_keys import toml_key
from ...content.files.file_text import line_starts
from ...content.formats.draft import ABSENT, Location, ValuePath, value_at
from ...content.formats.toml_reader import ParsedToml, as_draft_values, read_toml
from ...model import RECORDS, Kind, PlainScalar
from .file_edits import Leaf, Tree


def edit_toml(text: str, kind: Kind, tree: Tree, entry: ValuePath = ()) -> str:
    """Return the text after the changes of a tree. None removes the key: TOML has no null. Raises UnreadableFile.

    In a file with several entries, `entry` is the path of the one to change, such as ("places", 0) for the first table
    `[[places]]`.
    """
    for path, value in _leaves(tree, entry):
        text = _set_value(text, kind, path, value)
    return text


def append_tables(text: str, name: str, new: Sequence[Mapping[str, Any]]) -> str:
    """Return what to add to a TOML text for new tables of the array `name`."""
    newline = "" if not text or text.endswith("\n") else "\n"
    blank_line = "\n" if text.strip() else ""
    tables = []
    for entry in new:
        pairs = ((key, value) for key, value in entry.items() if value is not None)
        lines = "".join(f"{toml_key(key)} = {inline_toml(value)}\n" for key, value in pairs)
        tables.append(f"[[{toml_key(name)}]]\n{lines}")
    return newline + blank_line + "\n".join(tables)


def as_toml_reads(tree: Tree) -> Tree:
    """Return the same changes, with each value as a reader returns it after it was written as TOML."""
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
        pairs = (f"{toml_key(key)} = {inline_toml(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(pairs)} }}"
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
    """Return the text with a new value at a path, or without the key for None and ABSENT; set an object key by key."""
    toml = read_toml(text, path="")
    current = value_at(toml.values, path)
    if isinstance(current, dict) and isinstance(value, Mapping):
        for key in {**current, **value}:
            text = _set_value(text, kind, (*path, key), value.get(key))
        return text
    if value in (None, ABSENT):
        return text if current is ABSENT else _remove(text, toml, path)
    table_path = _innermost_inline_table(text, toml, path)
    if table_path is not None:
        table = _with_value(value_at(toml.values, table_path), path[len(table_path) :], value)
        return _replace(text, toml, table_path, table)
    if current is ABSENT:
        return _add(text, kind, toml, path, value)
    return _replace(text, toml, path, value)


def _innermost_inline_table(text: str, toml: ParsedToml, path: ValuePath) -> ValuePath | None:
    """Return the path of the innermost inline table (`{...}`) around a value; None if there is none."""
    for depth in range(len(path) - 1, 0, -1):
        name = _name(path[:depth])
        if name in toml.value_locations and text.startswith("{", _offset(text, toml.value_locations[name])):
            return path[:depth]
    return None


def _with_value(values: Any, path: ValuePath, value: Any) -> Any:
    """Return a copy of nested objects with another value at a path in them."""
    if not path:
        return value
    return {**values, path[0]: _with_value(values.get(path[0], {}), path[1:], value)}


def _replace(text: str, toml: ParsedToml, path: ValuePath, value: Any) -> str:
    start = _offset(text, toml.value_locations[_name(path)])
    return text[:start] + inline_toml(value) + text[_value_end(text, start) :]


def _remove(text: str, toml: ParsedToml, path: ValuePath) -> str:
    """Return the text without the key at a path, which must exist, or without the header and the keys of a table.

    The line is deleted too, unless it has a comment, which stays.
    """
    table_path = _innermost_inline_table(text, toml, path)
    if table_path is not None:  # write the inline table again, without the key
        siblings = {key: value for key, value in value_at(toml.values, path[:-1]).items() if key != path[-1]}
        table = _with_value(value_at(toml.values, table_path), path[len(table_path) : -1], siblings)
        return _replace(text, toml, table_path, table)
    name, current = _name(path), value_at(toml.values, path)
    value_start = _offset(text, toml.value_locations[name])
    if isinstance(current, dict) and not text.startswith("{", value_start):
        for key in current:
            text = _remove(text, read_toml(text, path=""), (*path, key))
        if not _is_header(toml, name):
            return text
        reread = read_toml(text, path="")
        if name not in reread.key_locations:  # it had no header: `[a]` exists also because of `[a.b]`, which is removed
            return text
        start = text.rindex("[", 0, _offset(text, reread.key_locations[name]))
        end = text.index("]", start) + 1
    else:
        start = _offset(text, toml.key_locations[name])
        end = _value_end(text, value_start)
    rest_of_line = text[end:].partition("\n")[0]
    comment = rest_of_line.strip()
    line_end = end + len(rest_of_line)
    return text[:start] + comment + text[line_end if comment else line_end + 1 :]


def _add(text: str, kind: Kind, toml: ParsedToml, path: ValuePath, value: Any) -> str:
    """Return the text with a new key: in its table, or in a new table at the end.

    A key at the top level is added after the title, or at the start of the text.
    """
    *table_path, last_key = path
    key, table = toml_key(str(last_key)), _name(table_path)
    sibling = _key_to_follow(toml, kind, table)
    if sibling:
        start = _offset(text, toml.key_locations[sibling])
        sibling_text = text[start:].partition("=")[0].rstrip()  # such as `title`, or `seo.title`
        prefix = sibling_text.removesuffix(toml_key(sibling.rpartition(".")[2]))  # "", or such as `seo.`
        key = prefix + key
        previous_end = _value_end(text, _offset(text, toml.value_locations[sibling]))
    elif not table:
        return f"{key} = {inline_toml(value)}\n{text}"
    elif table in toml.key_locations and _is_header(toml, table):  # not an inline table, or one of dotted keys
        previous_end = _offset(text, toml.key_locations[table])
    elif any(isinstance(part, int) for part in path):  # a table at the end would belong to the last entry
        return _set_value(text, kind, path[:-1], {str(last_key): value})
    else:
        separator = "\n" if text.strip() else ""
        header = ".".join(toml_key(str(part)) for part in table_path)
        return f"{text}{separator}[{header}]\n{key} = {inline_toml(value)}\n"
    rest_of_line, _, below = text[previous_end:].partition("\n")
    return f"{text[:previous_end]}{rest_of_line}\n{key} = {inline_toml(value)}\n{below}"


def _key_to_follow(toml: ParsedToml, kind: Kind, table: str) -> str | None:
    """Return the key after which a new one is added to a table ("" for the top level); None if there is no such key."""
    if not table:
        title = RECORDS[kind].title_field
        return title if title in toml.key_locations else None
    for name in toml.key_locations:
        if name.rpartition(".")[0] == table and not _is_header(toml, name):
            return name
    return None


def _is_header(toml: ParsedToml, name: str) -> bool:
    """Return whether a dotted name is the header of a table, or is only part of longer names."""
    return toml.key_locations[name] == toml.value_locations[name]


def _value_end(text: str, start: int) -> int:
    """Return the offset at which the value that starts at an offset ends, before spaces and a comment."""
    end = text.find("\n", start)
    while end >= 0 and _parse_value(text[start:end]) is ABSENT:
        end = text.find("\n", end + 1)
    written = text[start : end if end >= 0 else len(text)]
    value = _parse_value(written)
    for hash_sign in re.finditer("#", written):
        before = written[: hash_sign.start()]
        if _parse_value(before) == value:  # the value does not contain the sign, so it starts a comment
            written = before
            break
    return start + len(written.rstrip())


def _parse_value(text: str) -> Any:
    """Return the value of a TOML text; ABSENT if it is not one complete value."""
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return ABSENT


def _name(path: Iterable[str | int]) -> str:
    return ".".join(map(str, path))


def _offset(text: str, location: Location) -> int:
    _, (line, column) = location
    return line_starts(text)[line - 1] + column - 1
