"""JSON Schema of contentsync.toml for editors, made from the models that read it.

It accepts every file that `validate` accepts. Only `validate` checks paths, patterns, and settings that belong
together.
"""

from collections.abc import Mapping
from typing import Any

from ...lazy_pattern import lazy_pattern
from ...model import Part
from ...model.file_schema import DIALECT
from ...model.json_schema import Schema
from .config_tables import ConfigFile, SiteSettings, Target
from .setting_descriptions import describe_setting

_LINK = lazy_pattern(r"\[([^\]]+)\]\([^)]*\)")  # relative to docs/reference
_LIMITS = {"ge": "minimum", "le": "maximum"}
_EMPTY: tuple[Any, ...] = (None, "", [], {})


def config_schema() -> Schema:
    """Return the schema of contentsync.toml."""
    schema = ConfigFile.model_json_schema()
    tables = {model.__name__: model for model in _tables(ConfigFile)}
    definitions = {name: _table_schema(tables[name], table) for name, table in schema["$defs"].items()}
    header = {"$schema": DIALECT, "title": "contentsync.toml"}
    return {**header, **_table_schema(ConfigFile, schema), "$defs": definitions}


def _tables(model: type[Part]) -> set[type[Part]]:
    """Return a model and all models in the types of its fields."""
    found = {model}
    for field in model.model_fields.values():
        for type_ in _types_in(field.annotation):
            found |= _tables(type_)
    return found


def _types_in(annotation: Any) -> set[type[Part]]:
    """Return the models in the type of a field, such as that of the items of a list."""
    if isinstance(annotation, type) and issubclass(annotation, Part):
        return {annotation}
    return {type_ for inner in getattr(annotation, "__args__", ()) for type_ in _types_in(inner)}


def _table_schema(model: type[Part], schema: Mapping[str, Any]) -> Schema:
    """Return the schema of a table in the form for editors; `schema` is pydantic's."""
    keys = {name: key for name, key in schema["properties"].items() if (model, name) != (Target, "name")}
    properties = {name: _key_schema(model, name, key) for name, key in keys.items()}
    # Without a name, the site has that of the folder, and the name of a target is that of its table.
    given_elsewhere = {(ConfigFile, "site"), (SiteSettings, "name"), (Target, "name")}
    required = [name for name in schema.get("required", ()) if (model, name) not in given_elsewhere]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _key_schema(model: type[Part], name: str, schema: Mapping[str, Any]) -> Schema:
    """Return the schema of one key of a table in the form for editors; `schema` is pydantic's.

    It has no null, which TOML lacks, no default that is empty, and the field's description from the docs.
    """
    types = [form for form in schema.get("anyOf", ()) if form != {"type": "null"}]  # TOML has no null
    key = {**schema, **types[0]} if len(types) == 1 else schema
    limits = {limit: key[bound] for bound, limit in _LIMITS.items() if bound in key}
    has_default = key.get("default") not in _EMPTY and not isinstance(key.get("default"), dict | list)
    dropped = {"title", *_LIMITS, *(("anyOf",) if len(types) == 1 else ()), *(() if has_default else ("default",))}
    if name == "encoding":  # in any case
        dropped.add("enum")
    kept = {part: value for part, value in key.items() if part not in dropped}
    description = _LINK.sub(r"\1", describe_setting(model, name))
    return {**({"description": description} if description else {}), **kept, **limits}
