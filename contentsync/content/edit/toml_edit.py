"""Change values in TOML front matter in place."""

import json
import re
import tomllib
from collections.abc import Mapping
from typing import Any

from ...model import RECORDS, Kind, Plain
from ..draft import ABSENT, FieldPath, value_at
from ..formats.toml_reader import ParsedToml, as_draft_values, read_toml
from .file_edits import Leaf, Tree

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")


def edit_toml(text: str, kind: Kind, tree: Tree) -> str:
    """Return the text with the changes. A null removes the key, as TOML has none. Raises UnreadableFile."""
    for path, value in _leaves(tree, ()):
        text = _set(text, kind, path, value)
    return text


def as_toml_reads(tree: Tree) -> Tree:
    """Return the changes as they can be read from TOML afterwards."""
    return {
        key: Leaf(ABSENT if part.value in (None, ABSENT) else as_draft_values(_parsed(inline_toml(part.value))))
        if isinstance(part, Leaf)
        else as_toml_reads(part)
        for key, part in tree.items()
    }


def inline_toml(value: Any) -> str:
    """Return the value on one line, without nulls inside it."""
    if isinstance(value, Mapping):
        inner = (f"{_key(key)} = {inline_toml(item)}" for key, item in value.items() if item is not None)
        return f"{{ {', '.join(inner)} }}"
    if isinstance(value, list):
        return f"[{', '.join(inline_toml(item) for item in value if item is not None)}]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Plain):
        return str(value)
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else repr(value)


def _leaves(tree: Tree, prefix: FieldPath) -> list[tuple[FieldPath, Any]]:
    found: list[tuple[FieldPath, Any]] = []
    for key, part in tree.items():
        path = (*prefix, key)
        found += [(path, part.value)] if isinstance(part, Leaf) else _leaves(part, path)
    return found


def _set(text: str, kind: Kind, path: FieldPath, value: Any) -> str:
    toml = read_toml(text, "")
    current = value_at(toml.values, path)
    if isinstance(current, dict) and isinstance(value, Mapping):
        for key in {**current, **value}:
            text = _set(text, kind, (*path, key), value.get(key))
        return text
    if value in (None, ABSENT):
        return text if current is ABSENT else _remove(text, toml, path)
    around = _inline_table(text, toml, path)
    if around:
        merged = _merge(value_at(toml.values, around), path[len(around) :], value)
        return _replace(text, toml, around, merged)
    return _replace(text, toml, path, value) if current is not ABSENT else _add(text, kind, toml, path, value)


def _inline_table(text: str, toml: ParsedToml, path: FieldPath) -> FieldPath:
    """Return the path of the nearest object around a value that is written in braces."""
    for depth in range(len(path) - 1, 0, -1):
        name = ".".join(path[:depth])
        if name in toml.value_locations and text.startswith("{", _offset(text, toml.value_locations[name][1])):
            return path[:depth]
    return ()


def _merge(values: Any, path: FieldPath, value: Any) -> Any:
    if not path:
        return value
    return {**values, path[0]: _merge(values.get(path[0], {}), path[1:], value)}


def _replace(text: str, toml: ParsedToml, path: FieldPath, value: Any) -> str:
    start = _offset(text, toml.value_locations[".".join(path)][1])
    return text[:start] + inline_toml(value) + text[_value_end(text, start) :]


def _remove(text: str, toml: ParsedToml, path: FieldPath) -> str:
    around = _inline_table(text, toml, path)
    if around:
        others = {key: value for key, value in value_at(toml.values, path[:-1]).items() if key != path[-1]}
        return _replace(text, toml, around, _merge(value_at(toml.values, around), path[len(around) : -1], others))
    name, current = ".".join(path), value_at(toml.values, path)
    is_header = toml.key_locations[name] == toml.value_locations[name]
    if isinstance(current, dict) and (
        is_header or not text.startswith("{", _offset(text, toml.value_locations[name][1]))
    ):
        for key in current:
            text = _remove(text, read_toml(text, ""), (*path, key))
        if not is_header or name not in (remaining := read_toml(text, "")).key_locations:
            return text
        start = text.rindex("[", 0, _offset(text, remaining.key_locations[name][1]))
        end = text.index("]", start) + 1
    else:
        start = _offset(text, toml.key_locations[name][1])
        end = _value_end(text, _offset(text, toml.value_locations[name][1]))
    rest = text[end:].partition("\n")[0]
    comment = rest.strip()
    return text[:start] + comment + text[end + len(rest) + (not comment) :]


def _add(text: str, kind: Kind, toml: ParsedToml, path: FieldPath, value: Any) -> str:
    """Return the text with a new key: after another key of its table, else at the start or end."""
    key, table = _key(path[-1]), ".".join(path[:-1])
    sibling = next(
        (
            name
            for name in toml.key_locations
            if _is_beside(name, path) and toml.key_locations[name] != toml.value_locations[name]
        ),
        None,
    )
    if not table:
        title = RECORDS[kind].title_field
        sibling = title if title in toml.key_locations else None
    if sibling:
        start = _offset(text, toml.key_locations[sibling][1])
        written = text[start:].partition("=")[0].rstrip()  # such as `title`, or `seo.title`
        key = written[: len(written) - len(_key(sibling.rpartition(".")[2]))] + key
        behind = _value_end(text, _offset(text, toml.value_locations[sibling][1]))
    elif not table:
        return f"{key} = {inline_toml(value)}\n{text}"
    elif table in toml.key_locations and toml.key_locations[table] == toml.value_locations[table]:  # its header
        behind = _offset(text, toml.key_locations[table][1])
    else:
        lead = "\n" if text.strip() else ""
        return f"{text}{lead}[{'.'.join(map(_key, path[:-1]))}]\n{key} = {inline_toml(value)}\n"
    end = text.index("\n", behind) + 1
    return f"{text[:end]}{key} = {inline_toml(value)}\n{text[end:]}"


def _is_beside(name: str, path: FieldPath) -> bool:
    return name.rpartition(".")[0] == ".".join(path[:-1])


def _value_end(text: str, start: int) -> int:
    """Return the end of the value that starts at an offset, before a comment."""
    end = text.find("\n", start)
    while end >= 0 and _parsed(text[start:end]) is ABSENT:
        end = text.find("\n", end + 1)
    written = text[start : end if end >= 0 else len(text)]
    value = _parsed(written)
    for comment in re.finditer("#", written):
        if _parsed(written[: comment.start()]) == value:
            written = written[: comment.start()]
            break
    return start + len(written.rstrip())


def _parsed(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return ABSENT


def _offset(text: str, comment: tuple[int, int]) -> int:
    line, column = comment
    start = 0
    for _ in range(line - 1):
        start = text.index("\n", start) + 1
    return start + column - 1


def _key(key: str) -> str:
    return key if _BARE.match(key) else json.dumps(key, ensure_ascii=False)
