"""JSON Schema (2020-12) of a kind's files for editors, made from the models.

It accepts every file that `validate` accepts. Only `validate` has the rules for references, conflicts and languages. An
editor parses the YAML first, so a text may arrive as a number or a boolean, which `validate` reads as it is written.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from pydantic import TypeAdapter, ValidationError

from ..lazy_pattern import lazy_pattern
from . import field_types as fields
from . import json_value
from .custom_field import FIELDABLE, LIST_TYPES, VALUE_TYPES, WITH_OPTIONS
from .descriptions import DESCRIPTIONS, NOTES, describe
from .entry import Kind
from .field_types import MAX_INTEGER, Context, Definition, Flag, ListOf, Text, Title
from .json_schema import InputSchemas, Schema, clearable, nullable
from .record import Part
from .rules import RECORDS
from .scalar import ACCEPTED_DATES, FALSE, INSTANT, INTEGER, NUMBER, TRUE
from .slug import MAX_LENGTH, SLUG

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_LISTED = frozenset({Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD, Kind.LISTING})  # a file may have several of them
_NOTES = {"skip": Flag, "protect": Flag, "previous": ListOf[Title], "merged": ListOf[Title]}
_LISTING_NOTES = {"distinct": ListOf[Text]}
# Texts that a YAML parser may read as another type.
_MAYBE_NOT_TEXT = lazy_pattern(r"[-+.~0-9]|(?:true|false|null)\Z", re.IGNORECASE)


def file_schema(
    kind: Kind,
    custom_fields: Mapping[str, Definition] | None = None,
    *,
    rename: Mapping[str, str] | None = None,
    ignore: Collection[str] = (),
    needs_title: bool = True,
) -> Schema:
    """Return the schema of a YAML file of the kind, or of the front matter of its files.

    `custom_fields` are the definitions by name; None allows any key if the kind can have custom fields. `rename` and
    `ignore` are settings of the folder's config. Without `needs_title`, an entry may get its title from elsewhere.
    """
    entry = _entry_schema(kind, custom_fields)
    _add_renames(entry, rename or {}, ignore)
    if not needs_title:
        entry["required"] = [name for name in entry["required"] if name != RECORDS[kind].title_field]
    header = {"$schema": DIALECT, "title": f"contentsync {kind.replace('_', ' ')}"}
    if kind not in _LISTED:
        return {**header, **entry}
    reference = {"$ref": "#/$defs/entry"}
    forms = [reference, {"type": "array", "items": reference}, {"type": "null"}]
    return {**header, "anyOf": forms, "$defs": {"entry": entry}}


def _entry_schema(kind: Kind, custom_fields: Mapping[str, Definition] | None) -> Schema:
    """Return the schema of one entry: the keys of its kind, its custom fields, and `sync`.

    If `custom_fields` is None, any key is accepted as a custom field.
    """
    rules = RECORDS[kind].rules()
    properties = AUTHORED.properties_of(RECORDS[kind])  # a new dictionary of new schemas
    describe(properties, DESCRIPTIONS[kind])
    for name, rule in rules.items():
        if rule.default:
            properties[name]["default"] = rule.default
    definitions = custom_fields or {}
    properties |= {name: _custom_field_schema(definition) for name, definition in definitions.items()}
    types = {**_NOTES, **(_LISTING_NOTES if kind is Kind.LISTING else {})}
    notes = {name: nullable(AUTHORED.schema_of(type_)) for name, type_ in types.items()}
    describe(notes, NOTES)
    properties["sync"] = {
        "description": "Notes to the sync",
        "type": ["object", "null"],
        "properties": notes,
        "additionalProperties": False,
    }
    return {
        "type": "object",
        "properties": properties,
        "required": [
            *(name for name, rule in rules.items() if rule.required),
            *(name for name, definition in definitions.items() if definition.get("is_required")),
        ],
        "additionalProperties": kind in FIELDABLE and custom_fields is None,
    }


def _custom_field_schema(definition: Definition) -> Schema:
    """Return the schema of a custom field's value; its description is that of the field, or else the label."""
    schema = AUTHORED.schema_of(VALUE_TYPES.get(definition["type"], Text))
    options = definition.get("options")
    if options and definition["type"] in WITH_OPTIONS:
        choice = choice_schema(options)
        is_list = "items" in schema
        schema = {**schema, "items": choice} if is_list else choice
    if definition["type"] in LIST_TYPES:
        schema = {"anyOf": [schema, AUTHORED.schema_of(Text)]}  # only `validate` splits the text into items
    if not definition.get("is_required"):
        is_plain_text = definition["type"] not in VALUE_TYPES  # only null clears it: an empty text is a value
        schema = nullable(schema) if is_plain_text else clearable(schema)
    return {**schema, "description": str(definition.get("description") or definition["label"])}


def choice_schema(options: Sequence[str]) -> Schema:
    """Return the schema of a value that is one of the options, also where YAML reads one as another type."""
    if any(map(_MAYBE_NOT_TEXT.match, options)):
        return {**AUTHORED.schema_of(Text), "if": {"type": "string"}, "then": {"enum": [*options]}}
    return {"enum": [*options]}


def _add_renames(entry: Schema, rename: Mapping[str, str], ignore: Collection[str]) -> None:
    """Add the keys of `rename` and `ignore` to the schema of an entry, in place; a renamed field is not required."""
    properties = entry["properties"]
    for key, target in rename.items():
        field = target.removeprefix("!")  # `!is_active` reads the opposite
        properties[key] = {**properties.get(field, {}), "description": f"Read as {target}"}
        entry["required"] = [name for name in entry["required"] if name != field]
    for key in ignore:
        properties[key] = {"description": "Ignored"}


def _pattern(*expressions: re.Pattern[str] | str) -> str:
    """Return a JavaScript pattern that matches a whole value if one of the expressions does."""
    sources = (
        expression if isinstance(expression, str) else expression.pattern.removesuffix(r"\Z")
        for expression in expressions
    )
    return f"^(?:{'|'.join(sources)})$"


def _text(**rules: Any) -> Schema:
    return {"type": ["string", "number", "boolean"], **rules}


def _string(*expressions: re.Pattern[str] | str, **rules: Any) -> Schema:
    return {"type": "string", "pattern": _pattern(*expressions), **rules}


def _number(type_: str, *expressions: re.Pattern[str], **rules: Any) -> Schema:
    return {"type": [type_, "string"], "pattern": _pattern(*expressions), **rules}


def _with_pattern_message(type_: Any, schema: Schema) -> Schema:
    """Return the schema with the message that `validate` has for a value that its pattern refuses.

    Editors show `patternErrorMessage` in place of the pattern; other programs ignore it.
    """
    if "pattern" not in schema:
        return schema
    try:
        TypeAdapter(type_).validate_python(_REFUSED, context=Context(authored=True))
    except ValidationError as error:
        message = error.errors()[0]["msg"]
        return {**schema, "patternErrorMessage": message[0].upper() + message[1:]}
    raise TypeError(f"{type_} has a pattern, but accepts any text")


def _any_case(word: str) -> str:
    return "".join(f"[{letter.upper()}{letter}]" if letter.isalpha() else letter for letter in word)


_FILLED = r"\S"
_REFUSED = " "  # a text that every type with a pattern refuses
_URL = '[Hh][Tt][Tt][Pp][Ss]?://[^\\u0000-\\u0020"<>\\\\^`{|}]+'
_FLAG = _pattern(*map(_any_case, sorted(TRUE | FALSE)))

_TYPES: list[tuple[Any, Schema]] = [
    (fields.Text, _text()),
    (fields.Text255, _text(maxLength=255)),
    (fields.Text500, _text(maxLength=500)),
    (fields.HeadHtml, _text(maxLength=10_000)),
    (fields.Address255, _text(maxLength=255)),
    (fields.Title, _text(maxLength=255, pattern=_FILLED)),
    (fields.Slug, _text(maxLength=MAX_LENGTH, pattern=_pattern(SLUG))),
    (fields.Name, _text(maxLength=255, pattern=_pattern(fields.NAME))),
    (fields.StoredPath, _text(maxLength=255)),
    (fields.Upload, _text(maxLength=2048)),
    (fields.Reference, _text(pattern=_FILLED)),
    (fields.Url, _string(_URL, maxLength=2048)),
    (fields.Url255, _string(_URL, maxLength=255)),
    (fields.Email, _string(fields.EMAIL, maxLength=255)),
    (fields.Colour, _string(fields.COLOUR)),
    (fields.Instant, _string(INSTANT, examples=re.split(", | or ", ACCEPTED_DATES))),
    (fields.End, _string(INSTANT, examples=re.split(", | or ", ACCEPTED_DATES))),
    (fields.Day, _string(r"\d{4}-\d{2}-\d{2}", examples=["2026-03-01"])),
    (fields.Integer, _number("integer", INTEGER, minimum=-MAX_INTEGER - 1, maximum=MAX_INTEGER)),
    (fields.Position, _number("integer", INTEGER, minimum=0, maximum=MAX_INTEGER)),
    (fields.User, _number("integer", INTEGER, fields.EMAIL)),
    (fields.Number, _number("number", NUMBER)),
    (fields.Latitude, _number("number", NUMBER, minimum=-90, maximum=90)),
    (fields.Longitude, _number("number", NUMBER, minimum=-180, maximum=180)),
    (fields.Rating, _number("number", NUMBER, minimum=0, maximum=5)),
    (fields.Flag, {"type": ["boolean", "string", "integer"], "pattern": _FLAG, "minimum": 0, "maximum": 1}),
    (
        fields.Links,
        {"type": "object", "additionalProperties": clearable(_with_pattern_message(fields.Url, _string(_URL)))},
    ),
    (json_value.JsonValue, {}),
    (json_value.JsonObject, {"type": "object"}),
    (json_value.JsonLd, {"type": ["object", "string"]}),
]


class _Authored(InputSchemas):
    """The schemas of the fields in files."""

    def property_of(self, model: type[Part], key: str, schema: Schema) -> Schema:
        """Return the schema of a key of a model; an optional key may also be empty in a file."""
        if model.rules()[key].required:
            return schema
        return clearable(schema) if model.rules()[key].is_clearable else nullable(schema)


AUTHORED = _Authored([(type_, _with_pattern_message(type_, schema)) for type_, schema in _TYPES])
