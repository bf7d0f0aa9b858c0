"""What an author may write in a field of each type, as JSON Schema.

An editor's YAML parser has read the file by then: a text may have come out as a number or a boolean, which
`check` takes as it is written.
"""

import re
from typing import Any

from . import fields, json_value
from .fields import MAX_INTEGER
from .instant import ACCEPTED, INSTANT
from .json_schema import Input, Schema, clearable, nullable
from .record import Part
from .scalar import FALSE, INTEGER, NUMBER, TRUE
from .slug import MAX_LENGTH, SLUG


def _pattern(*expressions: re.Pattern[str] | str) -> str:
    """The regular expressions as JavaScript has them: one of them matches the whole value."""
    sources = (it if isinstance(it, str) else it.pattern.removesuffix(r"\Z") for it in expressions)
    return f"^(?:{'|'.join(sources)})$"


def _text(**rules: Any) -> Schema:
    return {"type": ["string", "number", "boolean"], **rules}


def _string(*expressions: re.Pattern[str] | str, **rules: Any) -> Schema:
    return {"type": "string", "pattern": _pattern(*expressions), **rules}


def _number(type_: str, *expressions: re.Pattern[str], **rules: Any) -> Schema:
    return {"type": [type_, "string"], "pattern": _pattern(*expressions), **rules}


def _any_case(word: str) -> str:
    return "".join(f"[{letter.upper()}{letter}]" if letter.isalpha() else letter for letter in word)


_FILLED = r"\S"
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
    (fields.Instant, _string(INSTANT, examples=re.split(", | or ", ACCEPTED))),
    (fields.End, _string(INSTANT, examples=re.split(", | or ", ACCEPTED))),
    (fields.Day, _string(r"\d{4}-\d{2}-\d{2}", examples=["2026-03-01"])),
    (fields.Integer, _number("integer", INTEGER, minimum=-MAX_INTEGER - 1, maximum=MAX_INTEGER)),
    (fields.Position, _number("integer", INTEGER, minimum=0, maximum=MAX_INTEGER)),
    (fields.User, _number("integer", INTEGER, fields.EMAIL)),
    (fields.Number, _number("number", NUMBER)),
    (fields.Latitude, _number("number", NUMBER, minimum=-90, maximum=90)),
    (fields.Longitude, _number("number", NUMBER, minimum=-180, maximum=180)),
    (fields.Rating, _number("number", NUMBER, minimum=0, maximum=5)),
    (fields.Flag, {"type": ["boolean", "string", "integer"], "pattern": _FLAG, "minimum": 0, "maximum": 1}),
    (fields.Links, {"type": "object", "additionalProperties": clearable(_string(_URL))}),
    (json_value.JsonValue, {}),
    (json_value.JsonObject, {"type": "object"}),
    (json_value.JsonLd, {"type": ["object", "string"]}),
]


class _Authored(Input):
    def property_of(self, model: type[Part], key: str, schema: Schema) -> Schema:
        """What need not be given may also be written empty."""
        if model.rules()[key].required:
            return schema
        return clearable(schema) if model.rules()[key].clears else nullable(schema)


AUTHORED = _Authored(_TYPES)
