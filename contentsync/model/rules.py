"""The fields of a kind: check an entry's values, or convert those of a service to the types of the contract.

`validate` is for files and the server alike. `coerce_fields` is for clients, because some services write a boolean as
1 or "0", and a number as text.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cache, partial
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import ValidationError

from .custom_field import FIELDABLE, LIST_TYPES, VALUE_TYPES, CustomField, check_value, read_value
from .entry import Entry, Kind
from .field_types import Context, Definition
from .kinds import Article, Category, Listing, Organizer, Page, Tag
from .record import FieldConflict, Record
from .scalar import parse_flag, parse_integer, parse_number
from .slug import make_name, make_slug
from .violation import Invalid, Violation, violations_from

RECORDS: Mapping[Kind, type[Record]] = {
    model.kind: model for model in (Category, Tag, CustomField, Organizer, Listing, Page, Article)
}
REFERRED_KINDS = frozenset(kind for model in RECORDS.values() for kind in model.references.values())
Values = dict[str, Any]
Reader = Callable[[Any], Any]  # returns a value unchanged if it cannot convert it
Readers = Mapping[Kind, Mapping[str, Reader]]  # of custom fields, by the kind that has them and by name
NO_READERS: Readers = {}


def with_referred_kinds(kinds: Collection[Kind]) -> frozenset[Kind]:
    """Return the kinds together with the kinds that their entries refer to."""
    return frozenset(kinds).union(*(RECORDS[kind].references.values() for kind in kinds))


def key_fields(kind: Kind) -> tuple[str, ...]:
    """Return the names of the fields that may have the key of an entry of the kind."""
    return ("url", "slug") if kind is Kind.LISTING else (RECORDS[kind].key_field,)


def key_field_of(entry: Entry) -> str:
    """Return the name of the field with the key of an entry. The key of a listing is its URL, if it has one."""
    return "url" if entry.kind is Kind.LISTING and entry.fields.get("url") else RECORDS[entry.kind].key_field


def validate(
    kind: Kind, authored: Mapping[str, Any], context: Context, *, stored: Mapping[str, Any] | None = None
) -> Values:
    """Return the authored fields in their wire form. Raise Invalid with every broken rule.

    Without `stored`, `authored` must be a complete new entry; with it, an update of the entry with the fields `stored`.
    Custom fields are keys like other fields. A new entry without its key field (slug, name) must have a title from
    which the caller can make a key; it is not added here.
    """
    model = RECORDS[kind]
    definitions = context.custom_fields.get(kind)
    own_fields = {key: value for key, value in authored.items() if key not in definitions} if definitions else authored
    validating_model = model if stored is None else model.update_model()
    values, violations = _check_fields(validating_model, own_fields, context, definitions or ())
    if any(not violation.loc for violation in violations):  # the whole entry is wrong, or has too many errors
        raise Invalid(violations)
    if definitions:
        custom_values, custom_violations = _check_custom_fields(definitions, authored, context, creating=stored is None)
        values |= custom_values
        violations += custom_violations

    merged = values if stored is None else {**_stored_fields_in_conflicts(model, stored), **values}
    conflicts = list(model.field_conflicts(merged))
    key, title = model.key_field, model.title_field
    is_create = stored is None
    if is_create and title in merged and not make_key(kind, merged):
        message = f"no {key} can be made from the {title}"
        conflicts.append(FieldConflict(f"no-{model.key_field}", (key, title), message, f"set {key}"))
    if conflicts:
        # Fields with an error have no value in `merged`, so their conflicts may be false.
        failed = {violation.loc[0] for violation in violations}
        violations += [
            Violation(conflict.code, conflict.involved[:1], conflict.message, conflict.hint)
            for conflict in conflicts
            if failed.isdisjoint(conflict.involved)
        ]
    if violations:
        raise Invalid(violations)
    return values


def _stored_fields_in_conflicts(model: type[Record], stored: Mapping[str, Any]) -> Mapping[str, Any]:
    if model is Article:
        # The content rule checks the body of an update, not the stored values (docs/contract.md 4.2.4).
        return {key: value for key, value in stored.items() if key not in ("content", "markdown")}
    return stored


def _check_fields(
    model: type[Record], authored: Mapping[str, Any], context: Context, definitions: Iterable[str]
) -> tuple[Values, list[Violation]]:
    """Return the authored fields in wire form, and the violations. `definitions` are the names of custom fields.

    If fields are wrong, the values of the others are returned, so that the rules between fields can be checked too.
    """
    try:
        return model.validate_fields(authored, context), []
    except ValidationError as error:
        violations = violations_from(error, model, other_keys=definitions, max_violations=context.max_violations)
    # Check the other fields too, so that all problems are reported at once.
    failed = {violation.loc[0] for violation in violations if violation.loc}
    other_fields = {key: value for key, value in authored.items() if key not in failed}
    try:
        return model.update_model().validate_fields(other_fields, context), violations
    except ValidationError:
        return {}, violations


def _check_custom_fields(
    definitions: Mapping[str, Definition], authored: Mapping[str, Any], context: Context, *, creating: bool
) -> tuple[Values, list[Violation]]:
    """Return the values of the authored custom fields, and the violations; with `creating`, also of missing ones."""
    values: Values = {}
    violations: list[Violation] = []
    for name, definition in definitions.items():
        if name in authored:
            try:
                values[name] = check_value(name, definition, authored[name], context)
            except Invalid as invalid:
                violations += invalid.violations
        elif creating and definition.get("is_required"):
            violations.append(Violation("required", (name,), f"{name} is required"))
    return values, violations


def make_key(kind: Kind, values: Mapping[str, Any]) -> str:
    """Return the slug of an entry's values (custom field: the name), or one made from the title; it may be empty."""
    model = RECORDS[kind]
    authored = values.get(model.key_field)
    if authored:
        return str(authored)
    return key_of_title(kind, str(values.get(model.title_field) or ""))


def key_of_title(kind: Kind, title: str) -> str:
    """Return the slug (for a custom field, the name) that is made from a title; it may be empty."""
    return make_name(title) if kind is Kind.CUSTOM_FIELD else make_slug(title)


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
        readers_of_kind[entry.key] = read or _unchanged
    return readers


@cache
def _field_readers(kind: Kind) -> Mapping[str, Reader]:
    """Return the readers of a kind's boolean and number fields, by wire name.

    Other fields need no conversion, and references are keys of entries instead of ids already.
    """
    model = RECORDS[kind]
    readers: dict[str, Reader] = {}
    if "is_markdown" in model.read_only:  # not a field, but a boolean in answers
        readers["is_markdown"] = _read_flag
    for name, info in model.model_fields.items():
        reader = _reader_of_type(info.annotation)
        if reader and name not in model.references:
            readers[info.alias or name] = reader
    return readers


def _reader_of_type(annotation: Any) -> Reader | None:
    """Return the reader of a boolean or number, or of an id for which a file may have a text; else None."""
    scalars = scalar_types(annotation)
    if scalars == {bool}:
        return _read_flag
    if scalars == {int, float}:
        return _read_number
    if scalars in ({int}, {int, str}):
        return _read_integer
    return None


def scalar_types(annotation: Any) -> set[Any]:
    """Return the types in the annotation of a field, without None and without metadata."""
    origin = get_origin(annotation)
    if origin is Annotated:
        type_, *_metadata = get_args(annotation)
        return scalar_types(type_)
    if origin in (Union, UnionType):
        return set[Any]().union(*map(scalar_types, get_args(annotation)))
    return set() if annotation is NoneType else {annotation}


def _read_flag(value: Any) -> Any:
    """Return the boolean that 0, 1 or a text such as "true" means; any other value unchanged."""
    return bool(value) if value in (0, 1) else _parsed(parse_flag, value)


def _read_number(value: Any) -> Any:
    """Return the number that a text means; any other value unchanged."""
    return _parsed(parse_number, value)


def _read_integer(value: Any) -> Any:
    """Return the integer that a text or a float such as 3.0 means; any other value unchanged."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return _parsed(parse_integer, value)


def _unchanged(value: Any) -> Any:
    return value


def _parsed(parse: Callable[[str], Any], value: Any) -> Any:
    """Return the result of `parse` for a text; return a value unchanged if it is no text, or `parse` returns None."""
    parsed = parse(value.strip()) if isinstance(value, str) else None
    return value if parsed is None else parsed
