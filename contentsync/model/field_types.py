"""The types of fields: each is one rule with its error code, checked in the context of a directory."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from typing import Annotated, Any, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, StringConstraints, ValidationInfo
from pydantic_core import PydanticCustomError

from ..lazy_pattern import lazy_pattern
from .entry import Kind
from .scalar import (
    ACCEPTED_DATES,
    MAX_NUMBER,
    NUMBER,
    find_control_character,
    parse_flag,
    parse_integer,
    parse_number,
    wire_instant,
)
from .slug import MAX_LENGTH, SLUG, is_slug, make_name, make_slug
from .suggestion import (
    date_hint,
    did_you_mean_text,
    email_hint,
    foreign_hint,
    invisible_hint,
    meant_dates,
    meant_number,
    number_hint,
    url_hint,
)
from .urls import are_plain, url_fault

Definition = Mapping[str, Any]  # a custom field's values, as `validate` returned them


@dataclass(frozen=True, slots=True)
class Context:
    """The settings of a directory, and whether the value comes from a file (`authored`) or over the wire.

    In files every scalar is text as written, references are names, and an empty key clears the field. Over the wire
    JSON types and ids are exact, and `null` is refused unless the field allows it (docs/contract.md 10).
    """

    authored: bool = False
    locales: tuple[str, ...] = ("en",)  # the first is the default
    timezone: tzinfo = UTC  # of dates and times without a time zone
    custom_fields: Mapping[Kind, Mapping[str, Definition]] = field(default_factory=dict)  # by fieldable type, name
    max_violations: int | None = None  # the number of violations that are reported; None: all


WIRE_FORM = Context()


def context_of(info: ValidationInfo) -> Context:
    """Return the Context of a running validation; WIRE_FORM if it has none."""
    context = info.context  # read once, because each access calls into pydantic
    return context if isinstance(context, Context) else WIRE_FORM


MAX_INTEGER = 2**31 - 1  # the largest value that an integer column of every database can store
MAX_DEPTH = 32  # levels of nested JSON in a field
MAX_DATE = 64  # characters of a date and a time
_MAX_PLAIN_NUMBER = 64  # characters
MAX_ITEMS = 1000  # in a list or an object
CHECKED = frozenset({"checked", "unchecked", "x", "✓", "✔"})  # boxes in exported tables, which are not booleans

# The rule of HTML's input type=email, which is narrower than RFC 5321.
EMAIL = lazy_pattern(
    r"[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
    r"(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)+\Z"
)
COLOUR = lazy_pattern(r"#(?:[0-9a-fA-F]{3,4}|[0-9a-fA-F]{6}|[0-9a-fA-F]{8})\Z")
NAME = lazy_pattern(r"[a-z0-9_]*[a-z0-9][a-z0-9_]*\Z")
_SCHEME = lazy_pattern(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Plain:
    """A quick test of many texts of files at once; if it is the last part of a type, it is a test of the whole type.

    `accepts` gets at least one text, and all of them joined by line ends. True is certain: each text is valid, and
    `value` returns its value. After False, a text may be valid too.
    """

    accepts: Callable[[Sequence[str], str], bool]
    value: Callable[[str], Any] = str


def plain_of(metadata: Sequence[Any]) -> Plain | None:
    """Return the quick test of a type with this metadata."""
    last = metadata[-1] if metadata else None
    return last if isinstance(last, Plain) else None


def _plain_texts(max_length: int | None = None) -> Plain:
    """Return the quick test of texts that are not blank, have no control character and are not too long."""

    def accepts(texts: Sequence[str], joined: str) -> bool:
        fits = max_length is None or max(map(len, texts)) <= max_length
        return fits and all(map(str.strip, texts)) and not find_control_character(joined)

    return Plain(accepts)


def _plain_matches(pattern: re.Pattern[str]) -> Plain:
    def accepts(texts: Sequence[str], _joined: str) -> bool:
        return max(map(len, texts)) <= MAX_LENGTH and all(map(pattern.match, texts))

    return Plain(accepts)


def _plain_numbers(lowest: float, highest: float) -> Plain:
    """Return the quick test whether one or more texts are all numbers in a range, in decimal notation."""

    def accepts(texts: Sequence[str], _joined_texts: str) -> bool:
        if max(map(len, texts)) > _MAX_PLAIN_NUMBER or not all(map(NUMBER.match, texts)):
            return False
        numbers = [*map(float, texts)]
        return lowest <= min(numbers) and max(numbers) <= highest

    return Plain(accepts, parse_number)


def fault(code: str, message: str, **context: Any) -> PydanticCustomError:
    """Return the pydantic error of a broken rule; the message is the text after the field's name."""
    return PydanticCustomError(code, message, context)


def check_text(value: Any) -> str:
    """Return the value if it is text without control characters, except tabs and line ends; else raise a fault."""
    if type(value) is str and len(value) <= 255 and value.isprintable():
        return value  # the fast check suffices for most values
    if not isinstance(value, str):
        raise fault("not-text", "must be text")
    if control := find_control_character(value):
        raise fault("control-character", f"contains the control character U+{ord(control):04X}")
    return value


def _text(max_length: int, rule: Callable[[Any], str] = check_text) -> BeforeValidator:
    """Return a validator that checks that a text has at most `max_length` characters, then returns `rule` of it."""

    def validate(value: Any) -> str:
        if isinstance(value, str) and len(value) > max_length:
            raise fault("too-long", f"must be at most {max_length} characters")
        return rule(value)

    return BeforeValidator(validate)


def _check_not_blank(value: Any) -> str:
    text = "" if value is None else check_text(value)
    if not text or text.isspace():
        raise fault("required", "is required and must not be blank")
    return text


def _slug(value: Any) -> str:
    """Return the value if it is a slug. Else raise the fault `bad-slug`, with a slug made from the text as the hint."""
    if isinstance(value, str) and is_slug(value):
        return value
    hint = ""
    is_too_long_for_hint = isinstance(value, str) and len(value) > MAX_LENGTH
    if not is_too_long_for_hint:
        text = check_text(value)  # raises a fault for another type than text
        character_hint = invisible_hint(text) or foreign_hint(text)
        hint = "; ".join(filter(None, (character_hint, did_you_mean_text(make_slug(text)))))
        hint = hint or "write a word, such as about-us"
    raise fault("bad-slug", "must consist of at most 255 lower-case letters, digits and hyphens", hint=hint)


def _name(value: str) -> str:
    if not NAME.match(value):
        message = "must consist of lower-case letters, digits and underscores"
        raise fault("bad-name", message, hint=did_you_mean_text(make_name(value)))
    return value


def _url(value: str) -> str:
    message = url_fault(value)
    if message:
        raise fault("bad-url", message, hint=url_hint(value))
    return value


def _email(value: str) -> str:
    if not EMAIL.match(value):
        address = value.removeprefix("mailto:")
        meant = address if EMAIL.match(address) else ""
        raise fault("bad-email", "must be an e-mail address", hint=email_hint(value, EMAIL), meant=meant)
    return value


def _colour(value: str) -> str:
    if not COLOUR.match(value):
        meant = f"#{value}" if len(value) <= 8 and COLOUR.match(f"#{value}") else ""
        hint = f'write "{meant}"' if meant else ""
        raise fault("bad-colour", "must be a hex colour such as #0a7 or #00aa77", hint=hint, meant=meant)
    return value


def _stored_path(value: str) -> str:
    if value.startswith(("/", "~", "\\")) or _SCHEME.match(value) or ".." in re.split(r"[/\\]", value):
        raise fault("bad-path", "must be the path of an uploaded file, without '..', a leading slash or a scheme")
    return value


def _upload(value: str) -> str:
    return _url(value) if _SCHEME.match(value) else _stored_path(value)


def _integer(value: Any, info: ValidationInfo) -> int:
    number = parse_integer(value) if isinstance(value, str) and context_of(info).authored else value
    if type(number) is not int:
        hint, meant = number_hint(value, integer=True), _number_text(value, integer=True)
        raise fault("not-an-integer", "must be a whole number", hint=hint, meant=meant)
    return number


def _number(value: Any, info: ValidationInfo) -> float:
    number = parse_number(value) if isinstance(value, str) and context_of(info).authored else value
    if number is None or not is_number(number):
        hint, meant = number_hint(value, integer=False), _number_text(value, integer=False)
        raise fault("not-a-number", "must be a number", hint=hint, meant=meant)
    return check_magnitude(number)


def _number_text(value: Any, *, integer: bool) -> str:
    """Return the number that a value certainly means, as it is written in a file; "" if there is a doubt."""
    number = meant_number(value, integer=integer)
    return "" if number is None else str(number)


def is_number(value: Any) -> bool:
    """Return whether the value is an int or a finite float; False for a bool."""
    return type(value) is int or (type(value) is float and math.isfinite(value))


def check_magnitude(value: float) -> float:
    """Return the number; raise a fault if it has more than 18 digits before the point."""
    if abs(value) >= MAX_NUMBER:
        raise fault("out-of-range", "must be a number of at most 18 digits")
    return value


def _flag(value: Any, info: ValidationInfo) -> bool:
    """Return a boolean. An author may also write it as a text, such as `yes`; a request may not."""
    authored = context_of(info).authored
    flag = parse_flag(value) if isinstance(value, str) and authored else value
    if type(flag) is not bool:
        raise fault("not-a-boolean", "must be true or false", hint=_flag_hint(value) if authored else "")
    return flag


def _flag_hint(value: Any) -> str:
    if isinstance(value, str) and value.casefold() in CHECKED:
        return "write true, and false for a box that is not checked"
    return "yes, no, on, off, 1 and 0 are also accepted"


def _instant(value: Any, info: ValidationInfo, *, end_of_day: bool = False) -> str:
    """Return the wire form of a time. With `end_of_day`, a date alone means its last second."""
    try:
        return wire_instant(_date_text(value), context_of(info).timezone, end_of_day=end_of_day)
    except ValueError as error:
        message = f"must be an existing date, with or without a time, such as {ACCEPTED_DATES}"
        hint, meant = date_hint(value, with_time=True), _only_date(value, with_time=True)
        raise fault("bad-date", message, hint=hint, meant=meant) from error


def _date_text(value: Any) -> str:
    if isinstance(value, str) and len(value) > MAX_DATE:
        raise ValueError("too long for a date")
    return check_text(value)


def _end(value: Any, info: ValidationInfo) -> str:
    return _instant(value, info, end_of_day=True)


def _day(value: Any) -> str:
    """Return a date without a time as `2026-03-01`. Raise the fault `bad-date` for one that does not exist."""
    try:
        return wire_instant(f"{_date_text(value)} 00:00", UTC)[:10]
    except ValueError as error:
        hint, meant = date_hint(value, with_time=False), _only_date(value, with_time=False)
        raise fault("bad-date", "must be an existing date, such as 2026-03-01", hint=hint, meant=meant) from error


def _only_date(value: Any, *, with_time: bool) -> str:
    """Return the date that a value means, if it has one reading, and no time that is lost; else ""."""
    dates = meant_dates(value, with_time=with_time) or ()
    loses_time = not with_time and ":" in str(value)
    return dates[0] if len(dates) == 1 and not loses_time else ""


def _id(value: Any, info: ValidationInfo) -> int:
    number = _integer(value, info)
    if not 1 <= number <= MAX_INTEGER:
        raise fault("out-of-range", f"must be an id from 1 to {MAX_INTEGER}")
    return number


def _reference(value: Any, info: ValidationInfo) -> int | str:
    if context_of(info).authored:
        return _check_not_blank(value)
    return value if type(value) is int and 1 <= value <= MAX_INTEGER else _id(value, info)  # the first check is faster


def _user(value: Any, info: ValidationInfo) -> int | str:
    """Return the id of a user; in a file, an e-mail address is accepted too."""
    if not context_of(info).authored or not isinstance(value, str) or parse_integer(value) is not None:
        return _id(value, info)
    if not EMAIL.match(check_text(value)):
        raise fault("bad-email", "must be the id or the e-mail address of a user")
    return value


def check_key_count(value: Any) -> Any:
    """Return the value; raise a fault for an object of more than MAX_ITEMS keys, before they are validated."""
    if isinstance(value, (dict, Mapping)) and len(value) > MAX_ITEMS:  # a dict is recognised faster
        raise fault("too-many", f"must have at most {MAX_ITEMS} keys, but has {len(value)}")
    return value


def _without_empty_values(value: Any) -> Any:
    """Return an object without the keys whose value is null or an empty text; any other value unchanged."""
    if not isinstance(value, Mapping):
        return value
    return {key: inner for key, inner in value.items() if inner not in (None, "")}


Text = Annotated[str, BeforeValidator(check_text), _plain_texts()]
Text255 = Annotated[str, StringConstraints(max_length=255), _text(255), _plain_texts(255)]
Text500 = Annotated[str, StringConstraints(max_length=500), _text(500), _plain_texts(500)]
Title = Annotated[str, StringConstraints(max_length=255), _text(255, _check_not_blank), _plain_texts(255)]
HeadHtml = Annotated[str, StringConstraints(max_length=10_000), _text(10_000)]
Address255 = Annotated[Text255, "a URL or a path"]
Slug = Annotated[str, BeforeValidator(_slug), _plain_matches(SLUG)]
Name = Annotated[Text255, AfterValidator(_name)]
Url = Annotated[str, StringConstraints(max_length=2048), _text(2048), AfterValidator(_url), Plain(are_plain)]
Url255 = Annotated[Text255, AfterValidator(_url)]
Email = Annotated[Text255, AfterValidator(_email), _plain_matches(EMAIL)]
Colour = Annotated[Text, AfterValidator(_colour)]
StoredPath = Annotated[Text255, AfterValidator(_stored_path)]
Upload = Annotated[str, StringConstraints(max_length=2048), _text(2048), AfterValidator(_upload)]
Integer = Annotated[int, Field(ge=-MAX_INTEGER - 1, le=MAX_INTEGER), BeforeValidator(_integer)]
Position = Annotated[int, Field(ge=0, le=MAX_INTEGER), BeforeValidator(_integer)]
Number = Annotated[float | int, BeforeValidator(_number), _plain_numbers(-MAX_INTEGER, MAX_INTEGER)]
Latitude = Annotated[Number, Field(ge=-90, le=90), _plain_numbers(-90, 90)]
Longitude = Annotated[Number, Field(ge=-180, le=180), _plain_numbers(-180, 180)]
Rating = Annotated[Number, Field(ge=0, le=5), _plain_numbers(0, 5)]
Flag = Annotated[bool, BeforeValidator(_flag)]
Instant = Annotated[str, BeforeValidator(_instant)]
End = Annotated[str, BeforeValidator(_end)]
Day = Annotated[str, BeforeValidator(_day)]
Id = Annotated[int, Field(ge=1, le=MAX_INTEGER), BeforeValidator(_integer)]
Reference = Annotated[int | str, BeforeValidator(_reference)]
User = Annotated[int | str, BeforeValidator(_user)]
Platform = Annotated[Title, StringConstraints(max_length=64)]
Links = Annotated[dict[Platform, Url], BeforeValidator(_without_empty_values), BeforeValidator(check_key_count)]

Item = TypeVar("Item")
ListOf = Annotated[list[Item], Field(max_length=MAX_ITEMS)]
