"""The types that fields are made of; each is one rule with its error code."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, ValidationInfo
from pydantic_core import PydanticCustomError

from .characters import control_in, tell_foreign, tell_invisible
from .context import context_of
from .instant import ACCEPTED, instant_text, parse_instant
from .scalar import Plain, parse_flag, parse_integer, parse_number, resolve
from .slug import is_slug
from .url import url_fault

Json = Any  # None, bool, int, float, str, list or dict of them

MAX_INTEGER = 2**31 - 1  # what an integer column of every database holds
MAX_NUMBER = 10**18  # from it on, databases and JSON parsers disagree about what was written
MAX_DEPTH = 32  # of JSON inside a field
MAX_VALUES = 10_000  # in all of it
MAX_ITEMS = 1000  # in a list or an object

# As HTML's input type=email has it: what people use, not all that RFC 5321 allows.
EMAIL = re.compile(
    r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+\Z"
)
COLOUR = re.compile(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
NAME = re.compile(r"[a-z0-9_]*[a-z0-9][a-z0-9_]*\Z")
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


def fault(code: str, message: str, **context: Any) -> PydanticCustomError:
    """The error of a broken rule; the message continues the name of the field."""
    return PydanticCustomError(code, message, context)


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise fault("not-text", "must be text")
    is_plain = len(value) <= 255 and value.isprintable()  # as most are, and quickly seen
    if not is_plain and (control := control_in(value)):
        raise fault("control-character", f"holds the control character U+{ord(control):04X}")
    return value


def _filled(value: Any) -> str:
    text = "" if value is None else _text(value)
    if not text or text.isspace():
        raise fault("required", "is required and must not be blank")
    return text


def _slug(value: Any) -> str:
    text = _text(value)
    if not is_slug(text):
        hint = tell_invisible(text) or tell_foreign(text)
        raise fault("bad-slug", "must be lower-case letters, digits and hyphens, 255 at most", hint=hint)
    return text


def _name(value: str) -> str:
    if not NAME.match(value):
        raise fault("bad-name", "must be lower-case letters, digits and underscores")
    return value


def _url(value: str) -> str:
    wrong = url_fault(value)
    if wrong:
        raise fault("bad-url", wrong)
    return value


def _email(value: str) -> str:
    if not EMAIL.match(value):
        raise fault("bad-email", "must be an e-mail address")
    return value


def _colour(value: str) -> str:
    if not COLOUR.match(value):
        raise fault("bad-colour", "must be a hex colour such as #0a7 or #00aa77")
    return value


def _stored_path(value: str) -> str:
    if value.startswith(("/", "~", "\\")) or _SCHEME.match(value) or ".." in re.split(r"[/\\]", value):
        raise fault("bad-path", "must be the path of an uploaded file, without '..', a leading slash or a scheme")
    return value


def _upload(value: str) -> str:
    return _url(value) if _SCHEME.match(value) else _stored_path(value)


def _integer(value: Any, info: ValidationInfo) -> int:
    if isinstance(value, str) and context_of(info).authored:
        value = parse_integer(value)
    if type(value) is not int:
        raise fault("not-an-integer", "must be a whole number")
    return value


def _number(value: Any, info: ValidationInfo) -> float:
    if isinstance(value, str) and context_of(info).authored:
        value = parse_number(value)
    if not _is_number(value):
        raise fault("not-a-number", "must be a number")
    return _within(value)


def _is_number(value: Any) -> bool:
    return type(value) is int or (type(value) is float and math.isfinite(value))


def _within(value: float) -> float:
    if abs(value) >= MAX_NUMBER:
        raise fault("out-of-range", "must be a number of at most 18 digits")
    return value


def _flag(value: Any, info: ValidationInfo) -> bool:
    authored = context_of(info).authored
    if isinstance(value, str) and authored:
        value = parse_flag(value)
    if type(value) is not bool:
        hint = "yes, no, on, off, 1 and 0 are read too" if authored else ""
        raise fault("not-a-boolean", "must be true or false", hint=hint)
    return value


def _instant(value: Any, info: ValidationInfo, *, end_of_day: bool = False) -> str:
    try:
        moment = parse_instant(_text(value), context_of(info).timezone, end_of_day=end_of_day)
    except ValueError as error:
        raise fault("bad-date", "must be a date or a date and time that exists, such as " + ACCEPTED) from error
    return instant_text(moment)


def _end(value: Any, info: ValidationInfo) -> str:
    return _instant(value, info, end_of_day=True)


def _day(value: Any) -> str:
    try:
        return instant_text(parse_instant(f"{_text(value)} 00:00", UTC))[:10]
    except ValueError as error:
        raise fault("bad-date", "must be a date that exists, such as 2026-03-01") from error


def _reference(value: Any, info: ValidationInfo) -> int | str:
    if context_of(info).authored:
        return _filled(value)
    return _integer(value, info)


def _user(value: Any, info: ValidationInfo) -> int | str:
    if context_of(info).authored and isinstance(value, str) and parse_integer(value) is None:
        return _email(_text(value))
    return _integer(value, info)


def _json(value: Any) -> Json:
    return _json_part(value, 0, iter(range(MAX_VALUES)))


def _json_part(value: Any, depth: int, room: Iterator[int]) -> Json:
    if depth > MAX_DEPTH:
        raise fault("too-deep", f"must not be nested deeper than {MAX_DEPTH} levels")
    if next(room, None) is None:
        raise fault("too-many", f"must hold at most {MAX_VALUES} values")
    if isinstance(value, Plain):
        value = resolve(value)
    if isinstance(value, str):
        return str(_text(value))
    if isinstance(value, Mapping):
        return {str(_text(key)): _json_part(inner, depth + 1, room) for key, inner in limited(value).items()}
    if isinstance(value, list):
        return [_json_part(inner, depth + 1, room) for inner in value]
    if value is None or type(value) is bool:
        return value
    if _is_number(value):
        return _within(value)
    raise fault("not-json", f"must hold {'finite numbers' if isinstance(value, float) else 'JSON values'} only")


def _object(value: Any) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise fault("not-an-object", "must be an object of keys and values")
    return _json(value)  # type: ignore[no-any-return]  # a mapping stays one


def _json_ld(value: Any) -> dict[str, Json]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise fault("not-json", "must be a JSON-LD object or its text") from error
    return _object(value)


def limited(value: Any) -> Any:
    """The value, unless it is an object of too many keys: then the keys are not judged one by one."""
    if isinstance(value, (dict, Mapping)) and len(value) > MAX_ITEMS:  # a dict is recognised sooner
        raise fault("too-many", f"must have at most {MAX_ITEMS} keys, has {len(value)}")
    return value


def _without_nulls(value: Any) -> Any:
    return {key: url for key, url in value.items() if url is not None} if isinstance(value, Mapping) else value


Text = Annotated[str, BeforeValidator(_text)]
Text255 = Annotated[str, StringConstraints(max_length=255), BeforeValidator(_text)]
Text500 = Annotated[str, StringConstraints(max_length=500), BeforeValidator(_text)]
Title = Annotated[str, StringConstraints(max_length=255), BeforeValidator(_filled)]
Slug = Annotated[str, BeforeValidator(_slug)]
Name = Annotated[Text255, AfterValidator(_name)]
Url = Annotated[str, StringConstraints(max_length=2048), BeforeValidator(_text), AfterValidator(_url)]
Url255 = Annotated[Text255, AfterValidator(_url)]
Email = Annotated[Text255, AfterValidator(_email)]
Colour = Annotated[Text, AfterValidator(_colour)]
StoredPath = Annotated[Text255, AfterValidator(_stored_path)]
Upload = Annotated[str, StringConstraints(max_length=2048), BeforeValidator(_text), AfterValidator(_upload)]
Integer = Annotated[int, Field(ge=-MAX_INTEGER - 1, le=MAX_INTEGER), BeforeValidator(_integer)]
Number = Annotated[float | int, BeforeValidator(_number)]
Latitude = Annotated[Number, Field(ge=-90, le=90)]
Longitude = Annotated[Number, Field(ge=-180, le=180)]
Rating = Annotated[Number, Field(ge=0, le=5)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Instant = Annotated[str, BeforeValidator(_instant)]
End = Annotated[str, BeforeValidator(_end)]
Day = Annotated[str, BeforeValidator(_day)]
Id = Annotated[int, Field(ge=1, le=MAX_INTEGER), BeforeValidator(_integer)]
Reference = Annotated[int | str, BeforeValidator(_reference)]
User = Annotated[int | str, BeforeValidator(_user)]
JsonValue = Annotated[Json, BeforeValidator(_json)]
JsonObject = Annotated[dict[str, Json], BeforeValidator(_object)]
JsonLd = Annotated[dict[str, Json], BeforeValidator(_json_ld)]
Platform = Annotated[Title, StringConstraints(max_length=64)]
Links = Annotated[dict[Platform, Url], BeforeValidator(_without_nulls), BeforeValidator(limited)]

Item = TypeVar("Item")
ListOf = Annotated[list[Item], Field(max_length=MAX_ITEMS)]
