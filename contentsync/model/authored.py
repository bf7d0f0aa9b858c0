"""What an author may write in a field of each type, as JSON Schema.

An editor's YAML parser has read the file by then: a text may have come out as a number or a boolean, which
`check` takes as it is written.
"""

import re
from copy import deepcopy
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from . import fields, json_value
from .fields import MAX_INTEGER, MAX_ITEMS
from .instant import ACCEPTED, INSTANT
from .record import Part
from .scalar import FALSE, INTEGER, NUMBER, TRUE
from .seo import Canonical
from .slug import MAX_LENGTH, SLUG

Schema = dict[str, Any]


def _pattern(*expressions: re.Pattern[str] | str) -> str:
    """The regular expressions as JavaScript has them: one of them matches the whole value."""
    sources = (it if isinstance(it, str) else it.pattern.removesuffix(r"\Z") for it in expressions)
    return f"^(?:{'|'.join(sources)})$"


def _text(**rules: Any) -> Schema:
    return {"type": ["string", "number", "boolean"], **rules}


def _string(*expressions: re.Pattern[str] | str, **rules: Any) -> Schema:
    return {"type": ["string"], "pattern": _pattern(*expressions), **rules}


def _number(type_: str, *expressions: re.Pattern[str], **rules: Any) -> Schema:
    return {"type": [type_, "string"], "pattern": _pattern(*expressions), **rules}


def _any_case(word: str) -> str:
    return "".join(f"[{letter.upper()}{letter}]" if letter.isalpha() else letter for letter in word)


def nullable(schema: Schema) -> Schema:
    """The same, or null."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    return {**schema, "type": [*schema["type"], "null"]} if "type" in schema else schema


_FILLED = r"\S"
_URL = '[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000-\\u0020"<>\\\\^`{|}]+'
_FLAG = _pattern(*map(_any_case, sorted(TRUE | FALSE)))

_TYPES: list[tuple[Any, Schema]] = [
    (fields.Text, _text()),
    (fields.Text255, _text(maxLength=255)),
    (fields.Text500, _text(maxLength=500)),
    (fields.Title, _text(maxLength=255, pattern=_FILLED)),
    (fields.Slug, _text(maxLength=MAX_LENGTH, pattern=_pattern(SLUG))),
    (fields.Name, _text(maxLength=255, pattern=_pattern(fields.NAME))),
    (fields.StoredPath, _text(maxLength=255)),
    (fields.Upload, _text(maxLength=2048)),
    (fields.Reference, _text(pattern=_FILLED)),
    (fields.Url, _string(_URL, maxLength=2048)),
    (fields.Url255, _string(_URL, maxLength=255)),
    (Canonical, _string(_URL, "", maxLength=255)),
    (fields.Email, _string(fields.EMAIL, maxLength=255)),
    (fields.Colour, _string(fields.COLOUR)),
    (fields.Instant, _string(INSTANT, examples=re.split(", | or ", ACCEPTED))),
    (fields.End, _string(INSTANT, examples=re.split(", | or ", ACCEPTED))),
    (fields.Day, _string(r"\d{4}-\d{2}-\d{2}", examples=["2026-03-01"])),
    (fields.Integer, _number("integer", INTEGER, minimum=-MAX_INTEGER - 1, maximum=MAX_INTEGER)),
    (fields.User, _number("integer", INTEGER, fields.EMAIL)),
    (fields.Number, _number("number", NUMBER)),
    (fields.Latitude, _number("number", NUMBER, minimum=-90, maximum=90)),
    (fields.Longitude, _number("number", NUMBER, minimum=-180, maximum=180)),
    (fields.Rating, _number("number", NUMBER, minimum=0, maximum=5)),
    (fields.Flag, {"type": ["boolean", "string", "integer"], "pattern": _FLAG, "minimum": 0, "maximum": 1}),
    (fields.Links, {"type": ["object"], "additionalProperties": nullable(_string(_URL))}),
    (json_value.JsonValue, {}),
    (json_value.JsonObject, {"type": ["object"]}),
    (json_value.JsonLd, {"type": ["object", "string"]}),
]


def schema_of(annotation: Any) -> Schema:
    """The schema of a field's type, null left aside. Raises TypeError for types that no field has."""
    known = next((schema for type_, schema in _TYPES if type_ == annotation), None)
    if known is not None:
        return deepcopy(known)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return schema_of(arguments[0])
    if origin in (Union, UnionType):
        (inner,) = (argument for argument in arguments if argument is not NoneType)
        return schema_of(inner)
    if origin is Literal:
        return {"enum": list(arguments)}
    if origin is list:
        return {"type": ["array"], "items": schema_of(arguments[0]), "maxItems": MAX_ITEMS}
    if origin is dict:
        return {"type": ["object"], "additionalProperties": nullable(schema_of(arguments[1]))}
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return {"type": ["object"], "properties": properties_of(annotation), "additionalProperties": False}
    raise TypeError(f"{annotation} is the type of no field")


def properties_of(model: type[Part]) -> dict[str, Schema]:
    """The schemas of all keys that a model reads; what need not be given may also be written empty."""
    rules = model.rules()
    types = get_type_hints(model, include_extras=True)
    properties: dict[str, Schema] = {}
    for name, info in model.model_fields.items():
        key = info.alias or name
        schema = schema_of(types[name])
        properties[key] = schema if rules[key].required else nullable(schema)
    return properties | {alias: deepcopy(properties[name]) for alias, name in model.aliases.items()}
