"""The keys of each kind of entry, from the models that validate them."""

from collections.abc import Iterable, Iterator
from typing import get_args

from contentsync.content.config.collection_settings import DEFAULT_PATHS
from contentsync.model import FIELDABLE, RECORDS, Kind, Part, json_value
from contentsync.model import field_types as fields
from contentsync.model.custom_field import VALUE_TYPES, WITH_OPTIONS, FieldType
from contentsync.model.descriptions import DESCRIPTIONS, NOTES, SEO
from contentsync.model.json_schema import InputSchemas, Schema

from . import page, table

_DATE = "date, or date and time"

# The types of the models, as the page calls them.
_WORDS: list[tuple[object, str]] = [
    (fields.Text, "text"),
    (fields.Text255, "text, up to 255 characters"),
    (fields.Text500, "text, up to 500 characters"),
    (fields.HeadHtml, "text, up to 10,000 characters"),
    (fields.Title, "text, up to 255 characters, not blank"),
    (fields.Slug, "lower-case letters, digits and hyphens"),
    (fields.Name, "letters, digits and underscores"),
    (fields.StoredPath, "path, up to 255 characters"),
    (fields.Upload, "path, up to 2,048 characters"),
    (fields.Reference, "slug or title"),
    (fields.Url, "URL"),
    (fields.Url255, "URL, up to 255 characters"),
    (fields.Address255, "URL or path, up to 255 characters"),
    (fields.Email, "e-mail address"),
    (fields.Colour, "hex colour"),
    (fields.Instant, _DATE),
    (fields.End, _DATE),
    (fields.Day, "date"),
    (fields.Integer, "whole number"),
    (fields.Position, "whole number, 0 or more"),
    (fields.User, "number, or e-mail address"),
    (fields.Number, "number"),
    (fields.Latitude, "number, -90 to 90"),
    (fields.Longitude, "number, -180 to 180"),
    (fields.Rating, "number, 0 to 5"),
    (fields.Flag, "true or false"),
    (fields.Links, "mapping of names to URLs"),
    (json_value.JsonValue, "any value"),
    (json_value.JsonObject, "mapping"),
    (json_value.JsonLd, "mapping, or JSON as text"),
]


class _Words(InputSchemas):
    def property_of(self, model: type[Part], key: str, schema: Schema) -> Schema:
        """Return the words of a key: the page says once for all keys what clears them."""
        return schema


_TYPES = _Words([(type_, {"words": words}) for type_, words in _WORDS])


def keys_page() -> str:
    """Return the page with the keys of all kinds."""
    return page(
        "Keys",
        "The keys in front matter, in lists and in the header of tables. They are the service's own field names; the\n"
        "config of a folder can set other names (`rename`, [config.md](config.md)).\n"
        "[content.md](../content.md#3-what-a-key-means) explains how to write values. `contentsync schema KIND`\n"
        "prints the same keys for an editor.",
        *(paragraph for kind in Kind for paragraph in _kind(kind)),
        "## In every kind: sync",
        "Notes to the sync, such as `sync: {protect: true}`. They are not sent to the server.",
        table(["key", "value", "what it is"], _notes()),
        "## Types of custom fields",
        table(["`type`", "value"], _custom_fields()),
    )


def _kind(kind: Kind) -> Iterator[str]:
    rules = RECORDS[kind].rules()
    schemas = _TYPES.properties_of(RECORDS[kind])
    others = RECORDS[kind].aliases
    yield f"## {kind.replace('_', ' ')}"
    path = DEFAULT_PATHS[kind]
    where = f"In `{path}`" if path.endswith(".yaml") else f"In the folder `{path}`"
    more = (
        " Each custom field that `custom_fields.yaml` declares for this kind is a key too." if kind in FIELDABLE else ""
    )
    yield f"{where}.{more}"
    rows = []
    for name, schema in schemas.items():
        text = f"The same as `{others[name]}`" if name in others else DESCRIPTIONS[kind][name]
        known = rules.get(name)
        rows.append((f"`{name}`", _words(schema), _default(known.required, known.default) if known else "", text))
    yield table(["key", "value", "default", "what it is"], rows)
    if "seo" in schemas:
        inner = schemas["seo"]["properties"]
        yield "Inside `seo`:"
        yield table(["key", "value", "what it is"], ((f"`{key}`", _words(inner[key]), SEO[key]) for key in inner))
    if "translations" in schemas:
        names = schemas["translations"]["additionalProperties"]["properties"]
        yield f"These fields can be translated: {_listed(names)}."


def _words(schema: Schema) -> str:
    if "words" in schema:
        return str(schema["words"])
    if "enum" in schema:
        return _listed(choice for choice in schema["enum"] if choice is not None)
    if "items" in schema:
        return f"list: {_words(schema['items'])}"
    return "mapping"


def _default(required: bool, default: object) -> str:
    if required:
        return "**required**"
    if default in (None, "", [], {}):
        return ""
    return f"`{str(default).lower() if isinstance(default, bool) else default}`"


def _notes() -> Iterator[tuple[str, str, str]]:
    for name, text in NOTES.items():
        values = {"distinct": "list of URLs or slugs", **dict.fromkeys(("previous", "merged"), "list of slugs")}
        yield f"`{name}`", values.get(name, "true or false"), text


def _custom_fields() -> Iterator[tuple[str, str]]:
    for name in get_args(FieldType):
        words = _words(_TYPES.schema_of(VALUE_TYPES.get(name, fields.Text)))
        yield f"`{name}`", f"{words}; only `options`, if the field has any" if name in WITH_OPTIONS else words


def _listed(names: Iterable[object]) -> str:
    return ", ".join(f"`{name}`" for name in names)
