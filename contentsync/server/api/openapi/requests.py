"""The bodies that clients send."""

from copy import deepcopy

from ....model import FIELDABLE, RECORDS, Kind, Record
from ....model.descriptions import DESCRIPTIONS, ON_THE_WIRE, describe
from ....model.field_types import MAX_ITEMS
from ....model.json_schema import Schema
from ....model.wire_schema import REQUEST
from ..listings import MOST
from .schemas import CARRIED, TEXT, exactly, ref

# An article names its text, and not an empty one, on update too (docs/contract.md 4.2.4).
_SOME_TEXT: Schema = {
    "anyOf": [
        {"required": [name], "properties": {name: {"type": "string", "minLength": 1}}}
        for name in ("content", "markdown")
    ]
}


def request_schemas() -> dict[str, Schema]:
    """The schemas of all bodies, by name."""
    schemas: dict[str, Schema] = {}
    for model in RECORDS.values():
        schemas[f"{model.__name__}Create"] = _body(model, creating=True)
        schemas[f"{model.__name__}Update"] = _body(model, creating=False)
    return schemas | {
        "ListingBulk": exactly(
            {
                "listings": {
                    "description": "Each is judged on its own; what is wrong with one is told in `errors`",
                    "type": "array",
                    "items": ref("ListingCreate"),
                    "minItems": 1,
                    "maxItems": MOST,
                }
            }
        ),
        "ListingExists": exactly({"url": ref("Url")}),
        "ArticleExists": exactly({"slug": TEXT}),
    }


def _body(model: type[Record], *, creating: bool) -> Schema:
    properties = REQUEST.properties_of(model)
    describe(properties, {**DESCRIPTIONS[model.kind], **ON_THE_WIRE[model.kind]})
    if "translations" in properties:
        properties["translations"] |= {"propertyNames": ref("Locale"), "maxProperties": MAX_ITEMS}
    if model.kind is Kind.CUSTOM_FIELD:
        properties["options"]["uniqueItems"] = True
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if creating:
        for name, rule in model.rules().items():
            if rule.default not in (None, "", [], {}):
                properties[name]["default"] = rule.default
        schema["required"] = [name for name, rule in model.rules().items() if rule.required]
    if model.kind in FIELDABLE:
        schema |= {"additionalProperties": ref(CARRIED), "maxProperties": MAX_ITEMS}
    return schema | deepcopy(_SOME_TEXT) if model.kind is Kind.ARTICLE else schema
