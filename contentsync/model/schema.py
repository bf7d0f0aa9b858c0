"""JSON Schema (2020-12) of a kind's entries as authors write them, made from the models, for editors.

What `check` accepts in a file is accepted here; but some rules (references, clashes, languages) only `check` knows.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from .authored import AUTHORED
from .context import Definition
from .custom_field import FIELDABLE
from .custom_value import LISTS, VALUE_TYPES, WITH_OPTIONS
from .descriptions import DESCRIPTIONS, NOTES, describe
from .fields import Flag, ListOf, Text, Title
from .json_schema import Schema, clearable, nullable
from .kind import Kind
from .rules import RECORDS

DIALECT = "https://json-schema.org/draft/2020-12/schema"

_LISTED = frozenset({Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD, Kind.LISTING})  # a file may hold several of them
_NOTES = {"skip": Flag, "protect": Flag, "previous": ListOf[Title]}
# Texts that a YAML parser may take for something else.
_NO_TEXT = re.compile(r"[-+.~0-9]|(?:true|false|null)\Z", re.IGNORECASE)


def file_schema(
    kind: Kind,
    custom_fields: Mapping[str, Definition] | None = None,
    *,
    rename: Mapping[str, str] | None = None,
    ignore: Collection[str] = (),
) -> Schema:
    """The schema of a YAML file of the kind, or of the front matter of its files.

    Without `custom_fields` (by name) any other key may be one, where the kind has custom fields at all. `rename` and
    `ignore` are those of the folder's config.
    """
    entry = _entry(kind, custom_fields)
    _read_as(entry, rename or {}, ignore)
    head = {"$schema": DIALECT, "title": f"contentsync {kind.replace('_', ' ')}"}
    if kind not in _LISTED:
        return {**head, **entry}
    one = {"$ref": "#/$defs/entry"}
    return {**head, "anyOf": [one, {"type": "array", "items": one}, {"type": "null"}], "$defs": {"entry": entry}}


def _entry(kind: Kind, custom_fields: Mapping[str, Definition] | None) -> Schema:
    rules = RECORDS[kind].rules()
    properties = AUTHORED.properties_of(RECORDS[kind])
    describe(properties, DESCRIPTIONS[kind])
    for name, rule in rules.items():
        if rule.default:
            properties[name]["default"] = rule.default
    known = custom_fields or {}
    properties |= {name: _custom_field(definition) for name, definition in known.items()}
    notes = {name: nullable(AUTHORED.schema_of(type_)) for name, type_ in _NOTES.items()}
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
            *(name for name, definition in known.items() if definition.get("is_required")),
        ],
        "additionalProperties": kind in FIELDABLE and custom_fields is None,
    }


def _custom_field(definition: Definition) -> Schema:
    schema = AUTHORED.schema_of(VALUE_TYPES.get(definition["type"], Text))
    options = definition.get("options")
    if options and definition["type"] in WITH_OPTIONS:
        choice = _choice(options)
        schema = {**schema, "items": choice} if "items" in schema else choice
    if definition["type"] in LISTS:
        schema = {"anyOf": [schema, AUTHORED.schema_of(Text)]}  # only `check` knows the choices in the list's text
    if not definition.get("is_required"):
        schema = clearable(schema) if definition["type"] in VALUE_TYPES else nullable(schema)
    return {**schema, "description": str(definition.get("description") or definition["label"])}


def _choice(options: Sequence[str]) -> Schema:
    if any(map(_NO_TEXT.match, options)):
        return {**AUTHORED.schema_of(Text), "if": {"type": "string"}, "then": {"enum": [*options]}}
    return {"enum": [*options]}


def _read_as(entry: Schema, rename: Mapping[str, str], ignore: Collection[str]) -> None:
    properties = entry["properties"]
    for key, target in rename.items():
        field = target.removeprefix("!")
        properties[key] = {**properties.get(field, {}), "description": f"Read as {target}"}
        entry["required"] = [name for name in entry["required"] if name != field]
    for key in ignore:
        properties[key] = {"description": "Ignored"}
