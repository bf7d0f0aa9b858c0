"""From the keys and cells of a file to the model's fields: `rename`, `ignore`, lists and objects in cells."""

from collections.abc import Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Any

from ..errors import Problem, Where
from ..model import FIELDABLE, RECORDS, Kind, Plain, did_you_mean
from ..model.scalar import parse_flag
from .config import Config, Folder
from .draft import Draft, Locate, Places
from .hints import UNDECLARED

_NOTES_FLAGS = ("sync.skip", "sync.protect")


def rename_problems(config: Config, kind: Kind, custom_fields: Mapping[str, bool]) -> Iterator[Problem]:
    """What `rename` of a kind makes of keys that is no field, and opposites of what is not true or false.

    `custom_fields` says of each whether it may be a boolean.
    """
    flags = {name: isinstance(rule.default, bool) for name, rule in RECORDS[kind].rules().items()}
    flags |= {"sync": False, **custom_fields}
    for key, target in config.content[kind].rename.items():
        field = target.removeprefix("!")
        name = field.partition(".")[0]
        where = config.source.where(f"content.{kind.plural.replace(' ', '_')}.rename.{key}")
        if name not in flags:
            hint = did_you_mean(name, sorted(flags)) or (UNDECLARED if kind in FIELDABLE else "")
            message = f"rename maps {key} to {name}, which is not a field of {kind.plural}"
            yield Problem("unknown-field", message, where, hint)
        elif field != target and not flags.get(field) and field not in _NOTES_FLAGS:
            message = f"rename maps {key} to {target}, but {field} has no opposite: it is not true or false"
            yield Problem("not-a-boolean", message, where, "remove the !")


def apply_keys(draft: Draft, folder: Folder) -> None:
    """Call the keys of a document by the names of the fields, and forget those to ignore."""
    for key in folder.ignore:
        draft.values.pop(key, None)
        if key in draft.failed:
            draft.failed.remove(key)
            places = {Where(path, *mark) for name, (path, mark) in draft.marks.items() if _is_in(name, key)}
            draft.problems = [problem for problem in draft.problems if problem.where not in places]
    for key, target in folder.rename.items():
        if key in draft.values:
            _rename(draft, key, target)


def unfold_cells(
    found: Iterable[Draft | Problem], folder: Folder, lists: Container[str], custom_lists: Container[str] = ()
) -> Iterator[Draft | Problem]:
    """Give the flat drafts of one table their values: renamed and ignored columns, lists from `a|b`, dotted objects.

    An empty cell clears its field; out of an object it is left. `lists` are the fields that hold lists, and
    `custom_lists` the custom fields that do, of which the model reads a cell without `|`.
    """
    columns: _Columns | None = None
    for item in found:
        if isinstance(item, Draft):
            columns = columns or _Columns(item.values, folder, lists, custom_lists)
            columns.unfold(item)
        yield item


class _Columns:
    """What becomes of the columns of one table: the same in every row."""

    def __init__(
        self, names: Iterable[str], folder: Folder, lists: Container[str], custom_lists: Container[str]
    ) -> None:
        self._moves: list[tuple[str, str | None, bool]] = []  # from, to (or away), and whether to negate
        self._clashes: list[tuple[str, str, str, str]] = []
        origins = {name: name for name in names}  # what a column is called in the file
        for key in folder.ignore:
            for name in [name for name in origins if _is_in(name, key)]:
                del origins[name]
                self._moves.append((name, None, False))
        for key, target in folder.rename.items():
            for old in [name for name in origins if _is_in(name, key)]:
                origin = origins.pop(old)
                new = target.removeprefix("!") + old[len(key) :]
                other = next((name for name in origins if _is_in(name, new) or _is_in(new, name)), None)
                if other is None:
                    origins[new] = origin
                    self._moves.append((old, new, target.startswith("!")))
                else:
                    self._moves.append((old, None, False))
                    self._clashes.append((origin, old, new, other))
        self._lists = [name for name in origins if name in lists]
        self._custom_lists = [name for name in origins if name in custom_lists]
        self._dotted = [(name, name.split(".")) for name in origins if "." in name]
        self._origins = origins
        self._unknown: dict[str, tuple[Problem, str]] = {}

    def unfold(self, draft: Draft) -> None:
        values = draft.values
        draft.unknown_columns = self._unknown
        for old, new, negate in self._moves:
            value = values.pop(old)
            if new is not None:
                values[new] = _negated(value) if negate else value
        for name in self._lists:
            text = values[name]
            if text:
                values[name] = _parts(text) if "|" in text else [text]
        for name in self._custom_lists:
            text = values[name]
            if text and "|" in text:
                values[name] = _parts(text)
        for name, (*way, last) in self._dotted:
            value = values.pop(name)
            inner = values
            for part in way:
                inner = inner.setdefault(part, {})
            if value is not None:
                inner[last] = value
        if draft.locate and (self._moves or self._dotted):
            draft.locate = partial(self._places, draft.locate)
            for origin, old, new, other in self._clashes:
                _tell_clash(draft, old, new, other, draft.where_key(origin))

    def _places(self, locate: Locate) -> tuple[Places, Places]:
        """The places by the names of the fields; of an object that of its first column."""
        marks, keys = (self._moved(places) for places in locate())
        return marks, keys

    def _moved(self, places: Places) -> Places:
        moved = {name: places[origin] for name, origin in self._origins.items()}
        for origin, *_ in self._clashes:
            moved.setdefault(origin, places[origin])
        for name, (*way, _) in self._dotted:
            for depth in range(1, len(way) + 1):
                moved.setdefault(".".join(way[:depth]), moved[name])
        return moved


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _is_in(name: str, key: str) -> bool:
    """Whether a column is the key itself, or a part of the object that it names."""
    return name == key or name.startswith(f"{key}.")


def _rename(draft: Draft, old: str, target: str) -> None:
    value = draft.values.pop(old)
    new = target.removeprefix("!")
    *way, last = new.split(".")
    inner = draft.values
    for depth, part in enumerate(way, 1):
        inner = inner.setdefault(part, {})
        if not isinstance(inner, dict):
            _tell_clash(draft, old, new, ".".join(way[:depth]), draft.where_key(old))
            return
    if last in inner:
        _tell_clash(draft, old, new, new, draft.where_key(old))
        return
    inner[last] = _negated(value) if target.startswith("!") else value
    draft.rename(old, new)


def _negated(value: Any) -> Any:
    """The opposite of a flag; what is none is left for the model to refuse."""
    flag = parse_flag(value) if isinstance(value, str) else None
    return value if flag is None else Plain("false" if flag else "true")


def _tell_clash(draft: Draft, old: str, new: str, other: str, where: Where) -> None:
    hint = f"keep one of them, or change rename in contentsync.toml ({old} is read as {new})"
    draft.error("duplicate-key", f"{old} means {new}, but {other} is also set", where, hint)
