"""JSON Schema of the models' fields: the walk over types that the schemas of files, requests and answers share."""

from collections.abc import Sequence
from copy import deepcopy
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from .field_types import MAX_ITEMS
from .record import Part

Schema = dict[str, Any]


def nullable(schema: Schema) -> Schema:
    """Return a schema that accepts null and the values of `schema`."""
    if "enum" in schema:
        return {**schema, "enum": [*schema["enum"], None]}
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    if "type" not in schema:
        return schema  # it accepts null already
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
    if "string" in schema["type"]:
        return nullable(schema)
    types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
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
