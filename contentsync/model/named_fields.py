"""The fields of a kind by their dotted names, as commands take them: `price`, `seo.title`, `translations.fr.title`."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, tzinfo
from enum import Enum, auto
from functools import partial
from operator import attrgetter
from typing import Any, get_args

from ..errors import UsageError
from .custom_field import NUMBER_TYPES
from .entry import INSTANTS, Entry, Kind, find_kind, value_at
from .field_types import Definition
from .record import Part
from .rules import RECORDS, scalar_types
from .scalar import parse_number
from .suggestion import did_you_mean

KEY, FILE = "_key", "_file"  # what every entry has besides its fields; the spreadsheet of `export` has `_key` too
_EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {})


class ValueType(Enum):
    """How the values of a field are compared."""

    TEXT = auto()
    NUMBER = auto()
    FLAG = auto()
    TIME = auto()
    DAY = auto()
    OBJECT = auto()  # its keys have names of their own; as a whole it is compared as text


@dataclass(frozen=True, slots=True)
class NamedField:
    """A field of a kind, or something else that each entry of the kind has, such as its file."""

    name: str
    type: ValueType = ValueType.TEXT
    default: Any = None  # of an entry without the field
    referred_kind: Kind | None = None  # of the entries that it names
    read: Callable[[Entry], Any] | None = field(default=None, repr=False)  # of something else than a field
    is_authored: bool = True  # it is a field
    zone: tzinfo = UTC  # in which times are shown

    @property
    def outermost(self) -> str:
        """The name of the field that the entry itself has: `seo` for `seo.title`."""
        return self.name.partition(".")[0]

    def value(self, entry: Entry) -> Any:
        """Return the value that an entry sets; None if it does not set the field."""
        if self.read is not None:
            return self.read(entry)
        return value_at(entry.fields, self.name)

    def text(self, value: Any) -> str:
        """Return a value, or an item of a list, as an author would write it: a time in the zone of the site."""
        if isinstance(value, str):
            return _local_time(value, self.zone) if self.type is ValueType.TIME else value
        return "" if value is None else json.dumps(value, ensure_ascii=False)


def is_filled(value: Any) -> bool:
    """Return whether a value is neither missing nor empty; 0 and False are values."""
    return value not in _EMPTY_VALUES


def _local_time(wire_time: str, zone: tzinfo) -> str:
    """Return a time in the zone of the site, without seconds that are 0; another text unchanged."""
    try:
        moment = datetime.fromisoformat(wire_time).astimezone(zone)
    except (ValueError, OverflowError):
        return wire_time
    return moment.replace(tzinfo=None).isoformat(" ", "seconds").removesuffix(":00")


def sort_entries(entries: Iterable[Entry], field: NamedField, *, descending: bool = False) -> list[Entry]:
    """Return the entries sorted by a field, numbers as numbers, texts in any letter case; last those without a value.

    Entries with the same value stay in their order.
    """
    with_keys = [(_order_key(field, entry), entry) for entry in entries]
    filled = [pair for pair in with_keys if pair[0] is not None]
    filled.sort(key=lambda pair: pair[0] or (), reverse=descending)
    return [*(entry for _, entry in filled), *(entry for key, entry in with_keys if key is None)]


def _order_key(field: NamedField, entry: Entry) -> tuple[int, float, str] | None:
    value = field.value(entry)
    if not is_filled(value):
        value = field.default
    if not is_filled(value):
        return None
    if field.type is ValueType.NUMBER:
        number = parse_number(value) if isinstance(value, str) else value
        if isinstance(number, int | float):
            return 0, number, ""
    texts = value if isinstance(value, list) else [value]
    return 1, 0, "\n".join(each if isinstance(each, str) else field.text(each) for each in texts).casefold()


def _field_or_key(name: str, entry: Entry) -> Any:
    return entry.fields.get(name) or entry.key


def _file(entry: Entry) -> Any:
    return entry.source.path if entry.source else None


# Not lambdas: fields are sent to other processes.
_KEY_OF_ENTRY = NamedField(KEY, read=attrgetter("key"), is_authored=False)
_FILE_OF_ENTRY = NamedField(FILE, read=_file, is_authored=False)


class FieldNames:
    """The names of a kind's fields, with its custom fields; `translations` for each language besides the default."""

    def __init__(
        self,
        kind: Kind,
        definitions: Mapping[str, Definition] | None = None,
        locales: Iterable[str] = (),
        zone: tzinfo = UTC,
        others: Iterable[NamedField] = (),
    ) -> None:
        """Name the fields of a kind. `locales` are the languages besides the default, `zone` is that of the site.

        `others` are more names, such as `_status`.
        """
        self.kind = kind
        self.zone = zone
        own = _fields(RECORDS[kind], "", tuple(locales))
        custom = (_custom_field(name, definition) for name, definition in (definitions or {}).items())
        fields = [*own, *custom, _KEY_OF_ENTRY, _FILE_OF_ENTRY, *others]
        self._fields = {
            field.name: replace(field, zone=zone) if field.type is ValueType.TIME else field for field in fields
        }

    def __iter__(self) -> Iterator[NamedField]:
        return iter(self._fields.values())

    def find(self, name: str, place: str = "") -> NamedField:
        """Return the field of a name, or of a key in an object (`social_links.github`).

        Raise UsageError for an unknown name; `place` begins its message and says where the name is written.
        """
        meant = _plural(name)
        own_name = meant if name == _FIRST_CATEGORY else name
        if found := self._fields.get(own_name) or self._fields.get(meant):
            return found
        around, _, key = name.partition(".")
        outer = self._fields.get(around)
        if key and outer is not None and outer.type is ValueType.OBJECT:
            return NamedField(name)
        hint = did_you_mean(name, self._fields)
        if not hint and any(each.startswith(f"{name}.") for each in self._fields):
            hint = f"write a part of it, such as {next(each for each in self._fields if each.startswith(f'{name}.'))}"
        if not hint:
            hint = f"the fields are {', '.join(field.name for field in self if '.' not in field.name)}"
        raise UsageError(f"{place}{self.kind.plural} have no field '{name}'", hint)


_FIRST_CATEGORY = "category_id"  # of a listing: its value is added to `categories`, and the entry has no such field


def _plural(name: str) -> str:
    """Return the name of the list that a word for one of its entries means: `categories` for `category`."""
    kind = find_kind(name.removesuffix("_id"))
    return kind.plural if kind else name


def _fields(model: type[Part], prefix: str, locales: tuple[str, ...]) -> Iterator[NamedField]:
    """Yield the fields of a model in its order, with those of the objects inside it."""
    references: Mapping[str, Kind] = getattr(model, "references", {})
    rules = model.rules()
    for attribute, info in model.model_fields.items():
        name = info.alias or attribute
        part = _part(info.annotation)
        if part is None:
            full_name, rule = prefix + name, rules[name]
            type_ = ValueType.TEXT if name in references else _type(name, info.annotation)
            # The slug of a listing is not its key: nobody knows it before the server does.
            is_key = model is not RECORDS[Kind.LISTING] and name == getattr(model, "key_field", None)
            read = partial(_field_or_key, name) if is_key else None
            yield NamedField(full_name, type_, rule.default, references.get(name), read)
        elif name == "translations":
            for locale in locales:
                yield from _fields(part, f"{prefix}{name}.{locale}.", locales)
        else:
            yield from _fields(part, f"{prefix}{name}.", locales)


def _part(annotation: Any) -> type[Part] | None:
    """Return the model of the objects that a field has, also by language; None for a field of another type."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return annotation
    return next(filter(None, map(_part, get_args(annotation))), None)


def _type(name: str, annotation: Any) -> ValueType:
    if name in INSTANTS:
        return ValueType.TIME
    scalars = scalar_types(annotation)
    if scalars == {bool}:
        return ValueType.FLAG
    if scalars in ({int}, {int, float}):
        return ValueType.NUMBER
    is_text_or_list = str in scalars or any(getattr(each, "__origin__", None) is list for each in scalars)
    is_choice = any(type(argument) is str for each in scalars for argument in get_args(each))
    return ValueType.TEXT if is_text_or_list or is_choice else ValueType.OBJECT


def _custom_field(name: str, definition: Definition) -> NamedField:
    type_ = definition.get("type")
    if type_ in NUMBER_TYPES:
        return NamedField(name, ValueType.NUMBER)
    if type_ == "checkbox":
        return NamedField(name, ValueType.FLAG)
    return NamedField(name, ValueType.DAY if type_ == "date" else ValueType.TEXT)
