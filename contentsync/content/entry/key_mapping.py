"""Map the keys and columns of a file to the model's fields and back: `rename`, `ignore`, lists and objects in cells."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import Problem, Where
from ...model import FIELDABLE, RECORDS, Kind, PlainScalar, did_you_mean
from ...model.scalar import parse_flag, with_decimal_point
from ..config.collection_settings import CollectionSettings, DocumentSettings, TranslatedSettings
from ..config.config import Config
from ..config.unknown_keys import UNDECLARED, content_table
from ..files.slug_pattern import fields_of_pattern
from ..formats.draft import ABSENT, Draft, FieldPath, Locate, Locations, value_at
from ..formats.table_rows import USUAL_FORMAT, USUAL_NUMBERS, TableFormat

if TYPE_CHECKING:
    from ..formats.item_reader import ListItem

# The fields of each kind whose values are lists.
LIST_FIELDS: Mapping[Kind, tuple[str, ...]] = {
    kind: tuple(name for name, rule in record.rules().items() if rule.default == []) for kind, record in RECORDS.items()
}
_NOTES_FLAGS = ("sync.skip", "sync.protect")


def rename_problems(config: Config, kind: Kind, may_be_flag: Mapping[str, bool]) -> Iterator[Problem]:
    """Yield the problems of a kind's `rename` setting: unknown fields, and `!` before fields that are not flags.

    Yield one too for each key of `former_addresses` that is a field. `may_be_flag` has the name of each custom field,
    and whether its type may be that of a flag.
    """
    is_flag = {name: isinstance(rule.default, bool) for name, rule in RECORDS[kind].rules().items()}
    is_flag |= {"sync": False, **may_be_flag}
    collection = config.content[kind]
    for key in collection.address_keys if isinstance(collection, DocumentSettings) else ():
        if key in is_flag:
            message = f"{key} is read as a former address, but it is also a field of {kind.plural}"
            hint = f"set former_addresses under [{content_table(kind)}] without {key}"
            yield Problem("duplicate-key", message, config.source.where(content_table(kind)), hint)
    for key, target in collection.rename.items():
        field = target.removeprefix("!")
        name = field.partition(".")[0]
        where = config.source.where(f"{content_table(kind)}.rename.{key}")
        if name not in is_flag:
            hint = did_you_mean(name, sorted(is_flag))
            if not hint and kind in FIELDABLE:
                hint = UNDECLARED
            message = f"rename maps {key} to {name}, which is not a field of {kind.plural}"
            yield Problem("unknown-field", message, where, hint)
        elif target.startswith("!") and not is_flag.get(field) and field not in _NOTES_FLAGS:
            message = f"rename maps {key} to {target}, but {field} has no opposite: it is not true or false"
            yield Problem("not-a-boolean", message, where, "remove the !")


def slug_pattern_problems(config: Config, kind: Kind, custom_fields: Container[str]) -> Iterator[Problem]:
    """Yield a problem for each placeholder in the slug pattern of listings that is no field of listings."""
    fields = RECORDS[kind].rules()
    for name in fields_of_pattern(config.content[kind].slug_pattern) if kind is Kind.LISTING else ():
        if name not in fields and name not in custom_fields:
            message = f"slug has the placeholder {{{name}}}, which is not a field of {kind.plural}"
            hint = did_you_mean(name, sorted(fields)) or UNDECLARED
            yield Problem("unknown-field", message, config.source.where(f"{content_table(kind)}.slug"), hint)


def unknown_targets(collection: CollectionSettings, kind: Kind, custom_fields: Iterable[str]) -> set[str]:
    """Return the names that `rename` maps keys to, and that no field has; `rename_problems` reports them."""
    targets = {target.removeprefix("!").partition(".")[0] for target in collection.rename.values()}
    return targets - {*RECORDS[kind].rules(), "sync", *custom_fields}


def apply_keys(draft: Draft, collection: CollectionSettings) -> None:
    """Rename the keys of a draft to fields, and remove ignored keys with their problems, as the config says.

    A key with dots may be a path of keys, such as `sidebar.label`. It is renamed first, so that the rest of the object
    around it may be ignored.
    """
    for key, target in collection.rename.items():
        if "." in key and key not in draft.values:
            value = _take_nested(draft.values, key.split("."))
            if value is not ABSENT:
                _set_field(draft, key, target, value)
    for key in collection.ignored_keys:
        _ignore(draft, key)
    for key, target in collection.rename.items():
        if key in draft.values:
            _rename(draft, key, target)


def entry_of_list(item: "ListItem", collection: CollectionSettings) -> Draft:
    """Return the item's draft with renamed and ignored keys, and with the inherited values that it does not set."""
    draft = item.draft
    apply_keys(draft, collection)
    inherited: Locations = {}
    for name, (value, locations) in item.inherited.items():
        if name not in draft.values:
            is_list_item = name in LIST_FIELDS[draft.kind] and isinstance(value, str)
            draft.values[name] = [value] if is_list_item else value
            inherited |= locations
    if inherited and draft.locate:
        draft.locate = partial(_with_inherited, draft.locate, inherited)
    return draft


def _with_inherited(locate: Locate, inherited: Locations) -> tuple[Locations, Locations]:
    value_locations, key_locations = locate()
    return value_locations | inherited, key_locations


def ignore_in_translation(draft: Draft, collection: CollectionSettings) -> None:
    """Remove the fields that are not read in files of other languages, as the config says. Keys were renamed."""
    for key in collection.ignore_in_translations if isinstance(collection, TranslatedSettings) else ():
        _ignore(draft, collection.rename.get(key, key).removeprefix("!"))


def _ignore(draft: Draft, name: str) -> None:
    """Remove a key or field, and the problems at the locations of its values."""
    draft.values.pop(name, None)
    if name in draft.failed_fields:
        draft.failed_fields.remove(name)
        locations = {
            Where(path, *position)
            for inner_name, (path, position) in draft.value_locations.items()
            if _is_in(inner_name, name)
        }
        draft.problems = [problem for problem in draft.problems if problem.where not in locations]


def unfold_cells(
    items: Iterable[Draft | Problem],
    collection: CollectionSettings,
    lists: Container[str],
    custom_lists: Container[str] = (),
    table: TableFormat = USUAL_FORMAT,
    numbers: Container[str] = (),
) -> Iterator[Draft | Problem]:
    """Yield the items of a table with nested values: with renamed and ignored columns, lists from `a|b`, and objects.

    An empty cell clears its field; an empty cell of an object's column is skipped. `lists` are the fields whose values
    are lists. `custom_lists` are the custom fields with lists; a cell of these without a separator in it is left to
    the model. `numbers` are the fields whose values are numbers.
    """
    columns: TableColumns | None = None
    for item in items:
        if isinstance(item, Draft):
            columns = columns or TableColumns(item.values, collection, lists, custom_lists, table, numbers)
            columns.unfold(item)
        yield item


class _Move(NamedTuple):
    old: str
    new: str | None  # None: the column is removed
    negates: bool = False  # whether the column contains the opposite of the field `new`


class _Conflict(NamedTuple):
    origin: str  # the name in the file of a column that is not renamed from `old` to `new`
    old: str
    new: str
    other: str  # a column with the new name, inside of it or around it


class TableColumns:
    """The changes to the columns of one table, found once and applied to every row."""

    def __init__(
        self,
        names: Iterable[str],
        collection: CollectionSettings,
        lists: Container[str],
        custom_lists: Container[str],
        table: TableFormat,
        numbers: Container[str] = (),
    ) -> None:
        """Find what to do with each column in `names`; the other parameters are those of `unfold_cells`."""
        self._separator = table.list_separator
        self._style = table.numbers
        self._moves: list[_Move] = []  # in order
        self._conflicts: list[_Conflict] = []
        origins = {name: name for name in names}  # column names in the file, by current name
        for key in collection.ignore:
            for name in [name for name in origins if _is_in(name, key)]:
                del origins[name]
                self._moves.append(_Move(name, new=None))  # removes the column
        for key, target in collection.rename.items():
            for old in [name for name in origins if _is_in(name, key)]:
                origin = origins.pop(old)
                new = target.removeprefix("!") + old[len(key) :]
                other = next((name for name in origins if _is_in(name, new) or _is_in(new, name)), None)
                if other is None:  # no column has the field, a part of it, or the object around it
                    origins[new] = origin
                    self._moves.append(_Move(old, new, target.startswith("!")))
                else:
                    self._moves.append(_Move(old, new=None))
                    self._conflicts.append(_Conflict(origin, old, new, other))
        self._lists = [name for name in origins if name in lists]
        self._custom_lists = [name for name in origins if name in custom_lists]
        self._numbers = [name for name in origins if name in numbers] if table.numbers != USUAL_NUMBERS else []
        self._dotted = [(name, name.split(".")) for name in origins if "." in name]  # values inside of objects
        self._origins = origins
        self.unknown: dict[str, str] = {}  # the unknown columns that the first row has reported, and what each may mean

    @property
    def fields(self) -> Mapping[str, str]:
        """Map the name of each column in the file to the dotted name of its field; without ignored columns."""
        return {origin: name for name, origin in self._origins.items()}

    @property
    def negates(self) -> bool:
        """Whether a column contains the opposite of its field."""
        return any(move.negates for move in self._moves)

    def unfold(self, draft: Draft) -> None:
        """Apply the changes to the values of a row, and report columns that two settings rename to the same field."""
        values = draft.values
        draft.unknown_columns = self.unknown
        for old, new, negates in self._moves:
            value = values.pop(old)
            if new is not None:
                values[new] = _negated(value) if negates else value
        separator = self._separator
        for name in self._lists:
            text = values[name]
            if text:
                values[name] = split_cell(text, separator) if separator in text else [text]
        for name in self._custom_lists:
            text = values[name]
            if text and separator in text:
                values[name] = split_cell(text, separator)
        for name in self._numbers:
            if text := values[name]:
                values[name] = with_decimal_point(text, self._style)
        for name, (*parents, last) in self._dotted:
            value = values.pop(name)
            target_object = values
            for part in parents:
                target_object = target_object.setdefault(part, {})
            if value is not None:
                target_object[last] = value
        if draft.locate and (self._moves or self._dotted):
            draft.locate = partial(self._locations, draft.locate)
        for conflict in self._conflicts:
            _add_conflict(draft, conflict.old, conflict.new, conflict.other, draft.where_key(conflict.origin))

    def _locations(self, locate: Locate) -> tuple[Locations, Locations]:
        """Return the locations of values and of keys by field name. An object has the location of its first column."""
        values, keys = (self._by_field(locations) for locations in locate())
        return values, keys

    def _by_field(self, locations: Locations) -> Locations:
        """Return the locations of the columns by the names of the fields, with those of the objects around them."""
        by_field = {name: locations[origin] for name, origin in self._origins.items()}
        for conflict in self._conflicts:
            by_field.setdefault(conflict.origin, locations[conflict.origin])
        for name, parts in self._dotted:
            for depth in range(1, len(parts)):
                object_name = ".".join(parts[:depth])
                by_field.setdefault(object_name, by_field[name])
        return by_field


def split_cell(text: str, separator: str) -> list[str]:
    """Return the items of a list in a cell, without the spaces around them; skip empty items."""
    return [part.strip() for part in text.split(separator) if part.strip()]


def _is_in(name: str, key: str) -> bool:
    """Return whether a name is the key itself, or is inside the object with that key."""
    return name == key or name.startswith(f"{key}.")


def _rename(draft: Draft, old: str, target: str) -> None:
    """Move the value of a key to a field, which may be inside objects; report the key if the field has a value."""
    _set_field(draft, old, target, draft.values.pop(old))


def _take_nested(values: dict[str, Any], path: Sequence[str]) -> Any:
    """Remove and return the value at a path of keys, with the objects that are empty then; ABSENT if there is none."""
    first, *others = path
    if not others:
        return values.pop(first, ABSENT)
    inner = values.get(first)
    if not isinstance(inner, dict):
        return ABSENT
    value = _take_nested(inner, others)
    if value is not ABSENT and not inner:
        del values[first]
    return value


def _set_field(draft: Draft, old: str, target: str, value: Any) -> None:
    """Set a field to the value that was taken from the key `old`; report the key if the field has a value."""
    new = target.removeprefix("!")
    *parents, last = new.split(".")
    target_object = draft.values
    for depth, part in enumerate(parents, 1):
        target_object = target_object.setdefault(part, {})
        if not isinstance(target_object, dict):
            _add_conflict(draft, old, new, ".".join(parents[:depth]), draft.where_key(old))
            return
    if last in target_object:
        _add_conflict(draft, old, new, new, draft.where_key(old))
        return
    target_object[last] = _negated(value) if target.startswith("!") else value
    draft.rename(old, new)


def _negated(value: Any) -> Any:
    """Return the opposite of a flag. Return any other value unchanged: the model reports it."""
    flag = parse_flag(value) if isinstance(value, str) else None
    return value if flag is None else PlainScalar("false" if flag else "true")


def _add_conflict(draft: Draft, old: str, new: str, other: str, where: Where) -> None:
    hint = f"keep one of them, or change rename in contentsync.toml ({old} is read as {new})"
    draft.error("duplicate-key", f"{old} means {new}, but {other} is also set", where, hint)


class KeyMapping(NamedTuple):
    """The path of keys of a field in a file, and whether the file contains the opposite value."""

    path: FieldPath
    negated: bool = False

    def to_file(self, value: Any) -> Any:
        """Return the value as it is written in the file."""
        return not value if self.negated and isinstance(value, bool) else value


def mapping_for(collection: CollectionSettings, path: FieldPath, has_key: Callable[[str], bool]) -> KeyMapping | None:
    """Return the path of keys to use for the field `path` in a file; None if the config ignores all possible keys.

    A key that the file already has (`has_key`) is preferred, then a key of `rename`, then the field's own name.
    """
    mappings: list[KeyMapping] = []
    for key, target in collection.rename.items():
        field = tuple(target.removeprefix("!").split("."))
        if path[: len(field)] == field and key not in collection.ignore:
            mappings.append(KeyMapping((key, *path[len(field) :]), target.startswith("!")))
    if path[0] not in collection.ignore and path[0] not in collection.rename:
        mappings.append(KeyMapping(path))
    for mapping in mappings:
        if has_key(mapping.path[0]):
            return mapping
    return mappings[0] if mappings else None


def mapping_in(collection: CollectionSettings, path: FieldPath, values: Mapping[str, Any]) -> KeyMapping | None:
    """Return the same as `mapping_for` for a file with nested values, where a key with dots may be a path of keys."""

    def has_key(key: str) -> bool:
        return key in values or ("." in key and value_at(values, key.split(".")) is not ABSENT)

    mapping = mapping_for(collection, path, has_key)
    if mapping is None or "." not in mapping.path[0] or mapping.path[0] in values:
        return mapping
    return mapping._replace(path=(*mapping.path[0].split("."), *mapping.path[1:]))
