"""JSON Schema of the models' fields: the walk over their types, and the schema of each type in requests and answers.

The server refuses a request that does not match its schema. It may also refuse one that does, because of stored
values, other fields, the calendar, or the registry of international host names.
"""

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from . import field_types as fields
from . import json_value
from .field_types import MAX_DEPTH, MAX_INTEGER, MAX_ITEMS
from .json_value import MAX_VALUES
from .record import Part
from .scalar import MAX_NUMBER
from .slug import MAX_LENGTH, SLUG

Schema = dict[str, Any]


def nullable(schema: Schema) -> Schema:
    """Return a schema that accepts null and the values of `schema`."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    if "type" not in schema:
        return schema  # any JSON, or alternatives that include null
    types = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
    return {**schema, "type": [*types, "null"]}


def clearable(schema: Schema) -> Schema:
    """Return a schema that also accepts the values that clear a field: null and an empty text."""
    if "enum" in schema:
        return nullable({**schema, "enum": [*schema["enum"], ""]})
    if "pattern" in schema:
        return nullable({**schema, "pattern": f"{schema['pattern']}|^$"})
    if "type" not in schema or "then" in schema:  # the condition would refuse the empty text
        return {"anyOf": [schema, {"enum": ["", None]}]}
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    if "string" in types:  # without a pattern, it accepts the empty text already
        return nullable(schema)
    return nullable({**schema, "type": [*types, "string"], "maxLength": 0})


class FieldSchemas:
    """The schemas of the fields' types, in files, in requests or in answers."""

    def __init__(self, table: Sequence[tuple[Any, Schema]]) -> None:
        self._table = table

    def schema_of(self, annotation: Any) -> Schema:
        """Return a new schema of a field's type, without null. Raise TypeError for a type that no field has."""
        schema_in_table = next((schema for type_, schema in self._table if type_ == annotation), None)
        if schema_in_table is not None:
            return deepcopy(schema_in_table)
        origin, arguments = get_origin(annotation), get_args(annotation)
        if origin is Annotated:
            return self.schema_of(arguments[0])
        if origin in (Union, UnionType):
            (type_without_null,) = (argument for argument in arguments if argument is not NoneType)
            return self.schema_of(type_without_null)
        if origin is Literal:
            return {"enum": list(arguments)}
        if origin is list:
            return {"type": "array", "items": self.schema_of(arguments[0]), "maxItems": MAX_ITEMS}
        if origin is dict:
            return {"type": "object", "additionalProperties": nullable(self.schema_of(arguments[1]))}
        if isinstance(annotation, type) and issubclass(annotation, Part):
            return {"type": "object", "properties": self.properties_of(annotation), "additionalProperties": False}
        raise TypeError(f"{annotation} is the type of no field")

    def properties_of(self, model: type[Part]) -> dict[str, Schema]:
        """Return the schemas of all keys of a model, by wire name."""
        types = get_type_hints(model, include_extras=True)
        keys = {info.alias or name: name for name, info in model.model_fields.items()}
        return {key: self.property_of(model, key, self.schema_of(types[name])) for key, name in keys.items()}

    def property_of(self, model: type[Part], key: str, schema: Schema) -> Schema:
        """Return the schema of a model's key, whose type has the `schema`; it accepts null if the field may be null."""
        return nullable(schema) if model.rules()[key].nullable else schema


class InputSchemas(FieldSchemas):
    """The schemas of input: a field may have other names, and an empty text may clear it."""

    def property_of(self, model: type[Part], key: str, schema: Schema) -> Schema:
        """Return the schema of a model's key, whose type has the `schema`, with the values that clear the field."""
        return clearable(schema) if model.rules()[key].is_clearable else super().property_of(model, key, schema)

    def properties_of(self, model: type[Part]) -> dict[str, Schema]:
        """Return the schemas of all keys that a model accepts, including the other names of fields."""
        properties = super().properties_of(model)
        return properties | {alias: deepcopy(properties[name]) for alias, name in model.aliases.items()}


IGNORED = "Returned by the service; accepted and ignored"
# Parts of regular expressions that JavaScript, Python and Rust read alike. The inside of a character class:
_CONTROLS = r"\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F"
_SPACES = r"\u0009\u000A\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000"
_NO_URL = rf'{_CONTROLS}{_SPACES}"<>\\^`{{|}}'
_ANY = f"[^{_CONTROLS}]*"
_FILLED = f"{_ANY}[^{_CONTROLS}{_SPACES}]{_ANY}"
_PLAIN_LABEL = "[A-Za-z0-9_](?:[A-Za-z0-9_-]{0,61}[A-Za-z0-9_])?"
_LABEL = r"[A-Za-z0-9_\u00A1-\uFFEF](?:[A-Za-z0-9_\u00A1-\uFFEF-]{0,61}[A-Za-z0-9_\u00A1-\uFFEF])?"
_AFTER_HOST = rf"(?::(?:[1-9][0-9]{{0,4}})?)?(?:[/?#][^{_NO_URL}]*)?"
_DAY = (
    "(?!0000)[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|[12][0-9]))"
)
_CLOCK = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,6})?)?"
_OFFSET = "(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):?[0-5][0-9])"
_STORED_PATH = rf"(?![/~\\])(?![a-zA-Z][a-zA-Z0-9+.-]*:)(?!(?:{_ANY}[/\\])?\.\.(?:[/\\]|$)){_ANY}"


def _string(expression: str, **rules: Any) -> Schema:
    return {"type": "string", "pattern": f"^(?:{expression})$", **rules}


def _address(longest: int) -> Schema:
    """Return the schema of a URL of at most `longest` characters: a host in ASCII, an international one, or IPv6."""
    scheme = "[Hh][Tt][Tt][Pp][Ss]?://"
    plain, international = (rf"{label}(?:\.{label})*\.?" for label in (_PLAIN_LABEL, _LABEL))
    forms = (f"^{scheme}{host}{_AFTER_HOST}$" for host in (plain, international, r"\[[0-9A-Fa-f:.]+\]"))
    return {"type": "string", "maxLength": longest, "anyOf": [{"pattern": form} for form in forms]}


def _pattern_of(expression: re.Pattern[str]) -> str:
    return expression.pattern.removesuffix(r"\Z")


def _reference_to(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


# Schemas that several fields refer to, by name.
NAMED: Mapping[str, Schema] = {
    "Url": _address(2048),
    "ShortUrl": _address(255),
    "Moment": _string(
        f"{_DAY}(?:[ T](?:{_CLOCK} ?{_OFFSET}?)?)?",
        description="A date, or a date and time; UTC where it names no offset",
        examples=["2026-03-01T09:00:00Z", "2026-03-01 09:00", "2026-03-01"],
    ),
    "Timestamp": _string(
        r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z",
        examples=["2026-01-15T10:30:00.000000Z"],
    ),
    "Locale": _string("[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*", description="A language of the directory", examples=["fr"]),
    "Json": {
        "description": f"Any JSON, nested {MAX_DEPTH} levels at most, of at most {MAX_VALUES} values",
        "anyOf": [
            {"type": ["boolean", "null"]},
            {"type": "number", "exclusiveMinimum": -MAX_NUMBER, "exclusiveMaximum": MAX_NUMBER},
            _string(_ANY),
            {"type": "array", "items": _reference_to("Json")},
            _reference_to("JsonObject"),
        ],
    },
    "JsonObject": {
        "type": "object",
        "maxProperties": MAX_ITEMS,
        "propertyNames": _string(_ANY),
        "additionalProperties": _reference_to("Json"),
    },
}
_ID: Schema = {"type": "integer", "minimum": 1, "maximum": MAX_INTEGER}
_INTEGER: Schema = {"type": "integer", "minimum": -MAX_INTEGER - 1, "maximum": MAX_INTEGER}
_TEXT: Schema = {"type": "string"}
_BOTH: list[tuple[Any, Schema]] = [
    (fields.Slug, _string(_pattern_of(SLUG), maxLength=MAX_LENGTH)),
    (fields.Name, _string(_pattern_of(fields.NAME), maxLength=255)),
    (fields.Colour, _string(_pattern_of(fields.COLOUR))),
    (fields.Email, _string(_pattern_of(fields.EMAIL), maxLength=255)),
    (fields.Integer, _INTEGER),
    (fields.Latitude, {"type": "number", "minimum": -90, "maximum": 90}),
    (fields.Longitude, {"type": "number", "minimum": -180, "maximum": 180}),
    (fields.Flag, {"type": "boolean"}),
    (fields.Reference, _ID),
    (fields.User, _ID),
    (json_value.JsonValue, _reference_to("Json")),
    (json_value.JsonObject, _reference_to("JsonObject")),
]


class _Request(InputSchemas):
    """The schemas of the fields in requests."""

    def schema_of(self, annotation: Any) -> Schema:
        """Return the schema of a field's type; an object must not use two names of the same field."""
        schema = super().schema_of(annotation)
        if isinstance(annotation, type) and issubclass(annotation, Part) and annotation.aliases:
            both_names = [{"required": [alias, name]} for alias, name in annotation.aliases.items()]
            schema["not"] = {"type": "object", "anyOf": both_names}
        return schema

    def properties_of(self, model: type[Part]) -> dict[str, Schema]:
        """Return the schemas of all accepted keys, also of read-only ones, which are ignored (docs/contract.md 11)."""
        return super().properties_of(model) | {name: {"description": IGNORED} for name in sorted(model.read_only)}


REQUEST_SCHEMAS = _Request(
    [
        *_BOTH,
        (fields.Text, _string(_ANY)),
        (fields.Text255, _string(_ANY, maxLength=255)),
        (fields.Text500, _string(_ANY, maxLength=500)),
        (fields.HeadHtml, _string(_ANY, maxLength=10_000)),
        (fields.Address255, _string(_ANY, maxLength=255)),
        (fields.Title, _string(_FILLED, maxLength=255)),
        (fields.Position, {"type": "integer", "minimum": 0, "maximum": MAX_INTEGER}),
        (fields.StoredPath, _string(_STORED_PATH, maxLength=255)),
        (fields.Url, _reference_to("Url")),
        (fields.Url255, _reference_to("ShortUrl")),
        (fields.Instant, _reference_to("Moment")),
        (fields.End, _reference_to("Moment")),
        (
            fields.Links,
            {
                "type": "object",
                "maxProperties": MAX_ITEMS,
                "propertyNames": _string(_FILLED, maxLength=64),
                "additionalProperties": clearable(_reference_to("Url")),
            },
        ),
        (json_value.JsonLd, {"anyOf": [_reference_to("JsonObject"), _string(r"\s*\{[\s\S]*"), {"type": "null"}]}),
    ]
)
ANSWER_SCHEMAS = FieldSchemas(
    [
        *_BOTH,
        *((type_, _TEXT) for type_ in (fields.Text, fields.Text255, fields.Text500, fields.Title, fields.HeadHtml)),
        *((type_, _TEXT) for type_ in (fields.Url, fields.Url255, fields.Address255, fields.StoredPath)),
        (fields.Position, _INTEGER),  # in a record of an earlier release it may be below 0
        (fields.Instant, _reference_to("Timestamp")),
        (fields.End, _reference_to("Timestamp")),
        (fields.Links, {"type": "object", "additionalProperties": _TEXT}),
        (json_value.JsonLd, _reference_to("JsonObject")),
    ]
)
