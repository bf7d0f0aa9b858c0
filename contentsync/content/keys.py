"""From the keys and cells of a file to the model's fields: `rename`, `ignore`, lists and objects in cells."""

from collections.abc import Container, Iterable, Iterator
from typing import Any

from ..errors import Problem
from ..model import FIELDABLE, RECORDS, Kind, Plain, did_you_mean
from ..model.scalar import parse_flag
from .config import Config, Folder
from .draft import Draft
from .judge import UNDECLARED


def rename_problems(config: Config, kind: Kind, custom_fields: Iterable[str]) -> Iterator[Problem]:
    """What `rename` of a kind makes of keys that is no field."""
    known = [*RECORDS[kind].rules(), "sync", *sorted(custom_fields)]
    for key, target in config.content[kind].rename.items():
        name = target.removeprefix("!").partition(".")[0]
        if name not in known:
            where = config.source.where(f"content.{kind.plural.replace(' ', '_')}.rename.{key}")
            hint = did_you_mean(name, known) or (UNDECLARED if kind in FIELDABLE else "")
            message = f"{key} is renamed to {name}, which is no field of {kind.plural}"
            yield Problem("unknown-field", message, where, hint)


def apply_keys(draft: Draft, folder: Folder) -> None:
    """Call the keys of the file by the names of the fields, and forget those to ignore."""
    for key in folder.ignore:
        for name in _names(draft, key):
            del draft.values[name]
        draft.failed.discard(key)
    for key, target in folder.rename.items():
        for name in _names(draft, key):
            _rename(draft, name, target.removeprefix("!") + name[len(key) :], negate=target.startswith("!"))


def unfold_cells(draft: Draft, lists: Container[str]) -> None:
    """Turn flat cells into values: lists from `a|b`, objects from dotted columns, whose empty cells are left out."""
    values: dict[str, Any] = {}
    for name, text in draft.values.items():
        value = _parts(text) if text and name in lists else text
        if "." not in name:
            values[name] = value
            continue
        *way, last = name.split(".")
        inner = values
        for depth, part in enumerate(way, 1):
            inner = inner.setdefault(part, {})
            for places in (draft.marks, draft.keys):
                places.setdefault(".".join(way[:depth]), places[name])
        if value is not None:
            inner[last] = value
    draft.values = values


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _names(draft: Draft, key: str) -> list[str]:
    """The key itself, and columns below it."""
    return [name for name in draft.values if name == key or name.startswith(f"{key}.")]


def _overlap(name: str, other: str) -> bool:
    """Whether two columns are one, or one is a part of the other."""
    return f"{name}.".startswith(f"{other}.") or f"{other}.".startswith(f"{name}.")


def _rename(draft: Draft, old: str, new: str, *, negate: bool) -> None:
    value = draft.values.pop(old)
    other = next((name for name in draft.values if _overlap(name, new)), None)
    if other is not None:
        hint = f"keep one of them, or change rename in the config ({old} is read as {new})"
        draft.error("duplicate-key", f"{old} means {new}, but {other} is given too", draft.where_key(old), hint)
        return
    flag = parse_flag(value) if negate and isinstance(value, str) else None
    draft.values[new] = value if flag is None else Plain("false" if flag else "true")
    draft.rename(old, new)
