"""Convert values of a service to the types of the contract: some write a boolean as 1 or "0", a number as text."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from .custom_field import FIELDABLE, LIST_TYPES, VALUE_TYPES, read_value
from .entry import Entry, Kind
from .rules import RECORDS
from .scalar import parse_flag, parse_integer, parse_number

Reader = Callable[[Any], Any]  # returns a value unchanged if it cannot convert it
Readers = Mapping[Kind, Mapping[str, Reader]]  # of custom fields, by the kind that has them and by name

NO_READERS: Readers = {}


def coerce_fields(kind: Kind, fields: dict[str, Any], custom: Readers = NO_READERS) -> None:
    """Convert the values of boolean, number and custom fields to their JSON types, in place, where that is possible."""
    for readers in (_field_readers(kind), custom.get(kind, {})):
        for name, read in readers.items():
            value = fields.get(name)
            if value is not None:
                fields[name] = read(value)


def custom_readers(definitions: Iterable[Entry]) -> Readers:
    """Return the reader of each custom field in `definitions`; skip entries of other kinds."""
    readers: dict[Kind, dict[str, Reader]] = {kind: {} for kind in FIELDABLE}
    for entry in definitions:
        readers_of_kind = readers.get(entry.fields.get("fieldable_type") or Kind.LISTING)
        if entry.kind is not Kind.CUSTOM_FIELD or readers_of_kind is None:
            continue
        type_ = str(entry.fields.get("type"))
        if type_ in LIST_TYPES:
            read: Reader | None = partial(read_value, entry.fields)
        else:
            read = _reader_of_type(VALUE_TYPES.get(type_))
        readers_of_kind[entry.key] = read or (lambda value: value)
    return readers


@cache
def _field_readers(kind: Kind) -> Mapping[str, Reader]:
    """Return the readers of a kind's boolean and number fields, by wire name; other fields need no conversion."""
    model = RECORDS[kind]
    readers: dict[str, Reader] = {"is_markdown": _read_flag} if "is_markdown" in model.read_only else {}
    for name, info in model.model_fields.items():
        reader = _reader_of_type(info.annotation)
        if reader and name not in model.references:
            readers[info.alias or name] = reader
    return readers


def _reader_of_type(annotation: Any) -> Reader | None:
    """Return the reader of a field of this type; None for a type other than boolean or number."""
    scalars = _scalars(annotation)
    if scalars == {bool}:
        return _read_flag
    if scalars == {int, float}:
        return partial(_parsed, parse_number)
    if scalars in ({int}, {int, str}):
        return _read_integer
    return None


def _scalars(annotation: Any) -> set[Any]:
    """Return the types in the annotation of a field, without None and without metadata."""
    origin = get_origin(annotation)
    if origin is Annotated:
        type_, *_metadata = get_args(annotation)
        return _scalars(type_)
    if origin in (Union, UnionType):
        return set[Any]().union(*map(_scalars, get_args(annotation)))
    return set() if annotation is NoneType else {annotation}


def _read_flag(value: Any) -> Any:
    """Return the boolean that 0, 1 or a text such as "true" means; any other value unchanged."""
    return bool(value) if value in (0, 1) else _parsed(parse_flag, value)


def _read_integer(value: Any) -> Any:
    """Return the integer that a text or a float such as 3.0 means; any other value unchanged."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return _parsed(parse_integer, value)


def _parsed(parse: Callable[[str], Any], value: Any) -> Any:
    """Return the result of `parse` for a text; return a value unchanged if it is no text, or `parse` returns None."""
    parsed = parse(value.strip()) if isinstance(value, str) else None
    return value if parsed is None else parsed
