"""Convert values of a service to the types of the contract: some write a boolean as 1 or "0", a number as text."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from .custom_field import FIELDABLE, LISTS, VALUE_TYPES, read_value
from .entry import Entry, Kind
from .field_types import Definition
from .rules import RECORDS
from .scalar import parse_flag, parse_integer, parse_number

Reader = Callable[[Any], Any]  # returns a value unchanged if it cannot convert it
Readers = Mapping[Kind, Mapping[str, Reader]]  # of custom fields, by the kind that has them and by name

NO_READERS: Readers = {}


def read_native(kind: Kind, fields: dict[str, Any], custom: Readers = NO_READERS) -> None:
    """Replace the values of boolean and number fields, and of custom fields of lists, by their native forms."""
    for readers in (_readers(kind), custom.get(kind, {})):
        for name, read in readers.items():
            value = fields.get(name)
            if value is not None:
                fields[name] = read(value)


def custom_readers(definitions: Iterable[Entry]) -> Readers:
    """Return the readers for values of custom fields; skip entries of other kinds."""
    found: dict[Kind, dict[str, Reader]] = {kind: {} for kind in FIELDABLE}
    for entry in definitions:
        carrier = found.get(entry.fields.get("fieldable_type") or Kind.LISTING)
        if entry.kind is Kind.CUSTOM_FIELD and carrier is not None:
            carrier[entry.key] = _custom_reader(entry.fields)
    return found


def _custom_reader(definition: Definition) -> Reader:
    type_ = str(definition.get("type"))
    if type_ in LISTS:
        return partial(read_value, definition)
    return _reader(VALUE_TYPES.get(type_)) or _unread


@cache
def _readers(kind: Kind) -> Mapping[str, Reader]:
    model = RECORDS[kind]
    readers: dict[str, Reader] = {
        info.alias or name: read
        for name, info in model.model_fields.items()
        if name not in model.references and (read := _reader(info.annotation))
    }
    return readers | ({"is_markdown": _flag} if "is_markdown" in model.read_only else {})


def _reader(annotation: Any) -> Reader | None:
    scalars = _scalars(annotation)
    if scalars == {bool}:
        return _flag
    if scalars == {int, float}:
        return _number
    return _integer if scalars in ({int}, {int, str}) else None


def _scalars(annotation: Any) -> set[Any]:
    """Return the types that a field may have, without null."""
    origin = get_origin(annotation)
    if origin is Annotated:
        return _scalars(get_args(annotation)[0])
    if origin in (Union, UnionType):
        return set[Any]().union(*map(_scalars, get_args(annotation)))
    return set() if annotation is NoneType else {annotation}


def _unread(value: Any) -> Any:
    return value


def _flag(value: Any) -> Any:
    if type(value) is bool:
        return value
    if isinstance(value, str):
        read = parse_flag(value.strip())
        return value if read is None else read
    return bool(value) if value in (0, 1) else value


def _integer(value: Any) -> Any:
    if isinstance(value, str):
        read = parse_integer(value.strip())
        return value if read is None else read
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _number(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    read = parse_number(value.strip())
    return value if read is None else read
