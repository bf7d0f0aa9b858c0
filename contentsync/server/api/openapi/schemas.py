"""The shapes that many schemas are made of."""

from typing import Any

from ....model.json_schema import Schema, nullable

TEXT: Schema = {"type": "string"}
WHOLE: Schema = {"type": "integer"}
COUNT: Schema = {"type": "integer", "minimum": 0}
ID: Schema = {"type": "integer", "minimum": 1}
FLAG: Schema = {"type": "boolean"}
OR_NULL = nullable(TEXT)

CARRIED = "CustomFieldValue"  # of the directory's custom fields, which ride as keys of their own


def ref(name: str) -> Schema:
    """A schema of the document by its name."""
    return {"$ref": f"#/components/schemas/{name}"}


def exactly(properties: dict[str, Schema], *, optional: frozenset[str] = frozenset(), **rules: Any) -> Schema:
    """An object of these keys and no others, all of them there but for the optional ones."""
    return {
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name not in optional],
        "additionalProperties": False,
        **rules,
    }


def many(schema: Schema) -> Schema:
    """A list of such values."""
    return {"type": "array", "items": schema}
