"""Values of custom fields: judged by the type and the options of their field (docs/contract.md 15).

Clients of the hosted service can only send text, so a value may also be given as its text, in files and over the wire.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError

from .context import Context, Definition
from .fields import MAX_ITEMS, Day, Email, Flag, ListOf, Number, Rating, Text, Title, Upload, Url
from .scalar import parse_flag, parse_number
from .telling import violations_of
from .violation import Invalid, Violation, cut_short, did_you_mean, dotted

# An option is one of these types' values.
WITH_OPTIONS = frozenset({"select", "multi_select", "list"})
LISTS = frozenset({"multi_select", "list"})

VALUE_TYPES: Mapping[str, Any] = {
    "number": Number,
    "date": Day,
    "file_upload": Upload,
    "url": Url,
    "button": Url,
    "email": Email,
    "checkbox": Flag,
    "rating": Rating,
    "select": Text,
    "list": ListOf[Title],
    "multi_select": ListOf[Title],
}  # of the types whose values are not plain text

# The message for a value that is neither of the type nor its text, by the code of its error.
_FORMS: Mapping[str, str] = {
    "not-a-number": 'must be a number, such as 4.5 or "4.5"',
    "not-a-boolean": 'must be true or false, or "true", "yes", "on", "1", "false", "no", "off" or "0"',
    "not-a-list": 'must be a list, or a list as text, such as ["a", "b"] or "a, b"',
}
_LONGEST = 300 * MAX_ITEMS  # characters of a list's text


def check_value(name: str, definition: Definition, value: Any, context: Context) -> Any:
    """Return the value of a custom field in its wire form, or raise Invalid.

    Null clears a field that is not required, and so does an empty text where the type is not plain text.
    """
    given = read_value(definition, value)
    if definition.get("is_required") and (given in (None, []) or (isinstance(given, str) and not given.strip())):
        raise Invalid([Violation("required", (name,), f"{name} is required")])
    if given is None:
        return None
    try:
        checked = _adapter(definition["type"]).validate_python(given, context=context)
    except ValidationError as error:
        raise Invalid([_with_forms(violation) for violation in violations_of(error, prefix=(name,))]) from error
    options = definition.get("options") or []
    listed = isinstance(checked, list)
    choices = checked if listed else [checked]
    if definition["type"] in WITH_OPTIONS and options and not set(choices) <= set(options):
        raise Invalid(
            [
                _no_option((name, place) if listed else (name,), choice, options)
                for place, choice in enumerate(choices)
                if choice not in options
            ]
        )
    return checked


def read_value(definition: Definition, value: Any) -> Any:
    """Return what a text stands for in the type of its field; what is no text, or cannot be read, as it is."""
    type_ = definition.get("type")
    if not isinstance(value, str) or type_ not in VALUE_TYPES:
        return value
    if value == "":
        return None
    read: Any = None
    match type_:
        case "number" | "rating":
            read = parse_number(value)
        case "checkbox":
            read = parse_flag(value)
        case "list" | "multi_select":
            read = parse_list(value, definition.get("options") or ())
    return value if read is None else read


def parse_list(text: str, options: Sequence[str] = ()) -> list[Any] | None:
    """Return the list of a text that is one option, an array in JSON or separated by commas, else None.

    The items of an array may be anything.
    """
    if text in options:
        return [str(text)]
    if len(text) > _LONGEST:
        return None
    bare = text.strip()
    if bare.startswith("[") and bare.endswith("]"):
        try:
            found = json.loads(bare)
        except (ValueError, RecursionError):
            return None
        return found if isinstance(found, list) else None
    return [item for part in text.split(",") if (item := part.strip())]


def _with_forms(violation: Violation) -> Violation:
    words = _FORMS.get(violation.code)
    if words is None:
        return violation
    hint = violation.hint if violation.code == "not-a-number" else ""  # the others only repeat the forms
    return replace(violation, message=f"{violation.field} {words}", hint=hint)


def _no_option(loc: tuple[str | int, ...], choice: str, options: list[str]) -> Violation:
    message = f"{dotted(loc)} must be one of {', '.join(options)}, not '{cut_short(choice)}'"
    return Violation("not-a-choice", loc, message, did_you_mean(choice, options))


@cache
def _adapter(type_: str) -> TypeAdapter[Any]:
    return TypeAdapter(VALUE_TYPES.get(type_, Text))
