"""What stands around records in answers (docs/contract.md 10, 4.2)."""

from ....model.json_schema import Schema, nullable
from ..paging import PER_PAGE
from .schemas import COUNT, OR_NULL, TEXT, exactly, many, ref

_FROM_ONE: Schema = {"type": "integer", "minimum": 1}
_PAGING: dict[str, Schema] = {
    "links": exactly({"first": TEXT, "last": TEXT, "prev": OR_NULL, "next": OR_NULL}),
    "meta": exactly(
        {
            "current_page": _FROM_ONE,
            "from": nullable(_FROM_ONE),
            "last_page": _FROM_ONE,
            "per_page": {"const": PER_PAGE},
            "to": nullable(_FROM_ONE),
            "total": COUNT,
        }
    ),
}

MESSAGE = exactly({"message": {"type": "string", "minLength": 1}})
INVALID = exactly(
    {
        "message": {"const": "The given data was invalid."},
        "errors": {
            "type": "object",
            "description": "What is wrong, by field; nested ones are dotted, such as `seo.title`",
            "minProperties": 1,
            "additionalProperties": {**many({"type": "string", "minLength": 1}), "minItems": 1},
        },
    }
)
BULK = exactly(
    {
        "data": many(ref("Listing")),
        "errors": many(exactly({"index": COUNT, "name": OR_NULL, "error": TEXT})),
        "total_created": COUNT,
        "total_errors": COUNT,
    }
)


def one(name: str) -> Schema:
    """One record."""
    return exactly({"data": ref(name)})


def whole(schema: Schema) -> Schema:
    """A whole list."""
    return exactly({"data": many(schema)})


def paged(schema: Schema) -> Schema:
    """One page of a list."""
    return exactly({"data": {**many(schema), "maxItems": PER_PAGE}, **_PAGING})
