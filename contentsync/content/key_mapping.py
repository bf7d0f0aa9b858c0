"""Map the keys and columns of a file to the model's fields and back: `rename`, `ignore`, lists and objects in cells."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from ..errors import Problem, Where
from ..model import FIELDABLE, RECORDS, Kind, Plain, did_you_mean
from ..model.scalar import parse_flag
from .config import CollectionSettings, Config
from .draft import Draft, FieldPath, Locate, Locations
from .unknown_keys import UNDECLARED

_NOTES_FLAGS = ("sync.skip", "sync.protect")


def rename_problems(config: Config, kind: Kind, custom_fields: Mapping[str, bool]) -> Iterator[Problem]:
    """Yield problems of `rename` settings: unknown fields, and opposites of fields that are not flags.

    `custom_fields` maps each name to whether the field may be a boolean.
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


def apply_keys(draft: Draft, folder: CollectionSettings) -> None:
    """Rename the keys of a document to the fields, and remove ignored ones."""
    for key in folder.ignore:
        draft.values.pop(key, None)
        if key in draft.failed:
            draft.failed.remove(key)
            locations = {
                Where(path, *mark) for name, (path, mark) in draft.value_locations.items() if _is_in(name, key)
            }
            draft.problems = [problem for problem in draft.problems if problem.where not in locations]
    for key, target in folder.rename.items():
        if key in draft.values:
            _rename(draft, key, target)


def unfold_cells(
    found: Iterable[Draft | Problem],
    folder: CollectionSettings,
    lists: Container[str],
    custom_lists: Container[str] = (),
) -> Iterator[Draft | Problem]:
    """Turn the flat drafts of a table into nested values: renamed and ignored columns, lists of `a|b`, dotted objects.

    An empty cell clears its field, but inside an object it is left out. `lists` are the fields with lists.
    `custom_lists` are the custom fields with lists, of which the model parses a cell without `|`.
    """
    columns: _Columns | None = None
    for item in found:
        if isinstance(item, Draft):
            columns = columns or _Columns(item.values, folder, lists, custom_lists)
            columns.unfold(item)
        yield item


class _Columns:
    """The changes to the columns of one table: the same for every row."""

    def __init__(
        self, names: Iterable[str], folder: CollectionSettings, lists: Container[str], custom_lists: Container[str]
    ) -> None:
        self._moves: list[tuple[str, str | None, bool]] = []  # old name, new name (None removes), and whether to negate
        self._conflicts: list[tuple[str, str, str, str]] = []
        origins = {name: name for name in names}  # column names in the file
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
                    self._conflicts.append((origin, old, new, other))
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
                values[name] = _split_cell(text) if "|" in text else [text]
        for name in self._custom_lists:
            text = values[name]
            if text and "|" in text:
                values[name] = _split_cell(text)
        for name, (*parents, last) in self._dotted:
            value = values.pop(name)
            inner = values
            for part in parents:
                inner = inner.setdefault(part, {})
            if value is not None:
                inner[last] = value
        if draft.locate and (self._moves or self._dotted):
            draft.locate = partial(self._locations, draft.locate)
            for origin, old, new, other in self._conflicts:
                _add_conflict(draft, old, new, other, draft.where_key(origin))

    def _locations(self, locate: Locate) -> tuple[Locations, Locations]:
        """Return locations by field name; an object has that of its first column."""
        marks, keys = (self._moved(locations) for locations in locate())
        return marks, keys

    def _moved(self, locations: Locations) -> Locations:
        moved = {name: locations[origin] for name, origin in self._origins.items()}
        for origin, *_ in self._conflicts:
            moved.setdefault(origin, locations[origin])
        for name, (*parents, _) in self._dotted:
            for depth in range(1, len(parents) + 1):
                moved.setdefault(".".join(parents[:depth]), moved[name])
        return moved


def _split_cell(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def _is_in(name: str, key: str) -> bool:
    """Return whether a column is the key itself, or a part of the object with that name."""
    return name == key or name.startswith(f"{key}.")


def _rename(draft: Draft, old: str, target: str) -> None:
    value = draft.values.pop(old)
    new = target.removeprefix("!")
    *parents, last = new.split(".")
    inner = draft.values
    for depth, part in enumerate(parents, 1):
        inner = inner.setdefault(part, {})
        if not isinstance(inner, dict):
            _add_conflict(draft, old, new, ".".join(parents[:depth]), draft.where_key(old))
            return
    if last in inner:
        _add_conflict(draft, old, new, new, draft.where_key(old))
        return
    inner[last] = _negated(value) if target.startswith("!") else value
    draft.rename(old, new)


def _negated(value: Any) -> Any:
    """Return the opposite of a flag; any other value is returned unchanged, for the model to refuse."""
    flag = parse_flag(value) if isinstance(value, str) else None
    return value if flag is None else Plain("false" if flag else "true")


def _add_conflict(draft: Draft, old: str, new: str, other: str, where: Where) -> None:
    hint = f"keep one of them, or change rename in contentsync.toml ({old} is read as {new})"
    draft.error("duplicate-key", f"{old} means {new}, but {other} is also set", where, hint)


class KeyMapping(NamedTuple):
    """The keys of a field in a file, and whether the file has the opposite value."""

    path: FieldPath
    negated: bool = False

    def to_file(self, value: Any) -> Any:
        """Return the value as it is written in the file."""
        return not value if self.negated and isinstance(value, bool) else value


def mapping_for(folder: CollectionSettings, path: FieldPath, has: Callable[[str], bool]) -> KeyMapping | None:
    """Return the keys of a field in a file that has some keys; None if the config leaves it no key.

    A key that the file already has stays; a new key gets its name from the config.
    """
    renamed = [
        KeyMapping((key, *path[len(keys) :]), target.startswith("!"))
        for key, target in folder.rename.items()
        if path[: len(keys := tuple(target.removeprefix("!").split(".")))] == keys and key not in folder.ignore
    ]
    own = [KeyMapping(path)] if path[0] not in folder.ignore and path[0] not in folder.rename else []
    mappings = [*renamed, *own]
    return next((keys for keys in mappings if has(keys.path[0])), mappings[0] if mappings else None)
