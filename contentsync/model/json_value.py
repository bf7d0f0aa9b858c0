"""Fields of JSON; an error inside one has its own location."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from .field_types import MAX_DEPTH, check_key_count, check_magnitude, check_text, fault, is_number
from .scalar import PlainScalar, resolve_plain_scalar

Json = Any  # None, bool, int, float, str, list or dict of them

MAX_VALUES = 10_000  # in one field
MAX_ERRORS = 100  # in one field


class _TooManyErrors(Exception):
    """The field has MAX_ERRORS errors: its remaining values are not checked."""


_Loc = tuple[str | int, ...]


def _json(value: Any) -> Json:
    """Return the value as JSON. Raise a ValidationError with all errors in it, each at its own location."""
    errors: list[InitErrorDetails] = []
    checked = None
    with suppress(_TooManyErrors):
        checked = _check_value(value, loc=(), remaining=iter(range(MAX_VALUES)), errors=errors)
    if errors:
        raise ValidationError.from_exception_data("JSON", errors)
    return checked


def _check_value(value: Any, loc: _Loc, remaining: Iterator[int], errors: list[InitErrorDetails]) -> Json:
    """Return a value and all values inside it as JSON; add errors to `errors`, each with its path `loc`.

    A key or a value with an error becomes None, so the result must not be used if `errors` has any. `remaining` yields
    once for each value that the field may still have. Raise a fault if the field is nested too deeply or has too many
    values.
    """
    if len(loc) > MAX_DEPTH:
        raise fault("too-deep", f"must not be nested deeper than {MAX_DEPTH} levels")
    if next(remaining, None) is None:
        raise fault("too-many", f"must contain at most {MAX_VALUES} values")
    if isinstance(value, Mapping):
        return {
            _apply_rule(_key, key, loc, errors): _check_value(inner, (*loc, str(key)), remaining, errors)
            for key, inner in check_key_count(value).items()
        }
    if isinstance(value, list):
        return [_check_value(inner, (*loc, index), remaining, errors) for index, inner in enumerate(value)]
    return _apply_rule(_scalar, value, loc, errors)


def _apply_rule(rule: Callable[[Any], Json], value: Any, loc: _Loc, errors: list[InitErrorDetails]) -> Json:
    """Return the result of a rule; if it raises a fault, add that to `errors` and return None."""
    try:
        return rule(value)
    except PydanticCustomError as error:
        # Without its traceback, which would keep the values around this one in memory.
        errors.append(InitErrorDetails(type=error.with_traceback(None), loc=loc, input=value))
        if len(errors) == MAX_ERRORS:
            too_many = fault("too-many", f"has more errors: only the first {MAX_ERRORS} are reported")
            errors.append(InitErrorDetails(type=too_many, loc=(), input=value))
            raise _TooManyErrors from error
        return None


def _key(value: Any) -> str:
    return str(check_text(value))


def _scalar(value: Any) -> Json:
    """Return a value that is not an object or list as JSON. Raise a fault if JSON has no such value."""
    if isinstance(value, PlainScalar):
        try:
            value = resolve_plain_scalar(value)
        except OverflowError:
            return check_magnitude(float("inf"))  # raises the fault
    if isinstance(value, str):
        return str(check_text(value))
    if value is None or type(value) is bool:
        return value
    if is_number(value):
        return check_magnitude(value)
    raise fault("not-json", f"must be {'a finite number' if isinstance(value, float) else 'a JSON value'}")


def _object(value: Any) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise fault("not-an-object", "must be an object of keys and values")
    return _json(value)  # type: ignore[no-any-return]  # the result for a mapping is a dict


def _json_ld(value: Any) -> dict[str, Json]:
    """Return the object, which may be written as text. Raise a fault if it is not one."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            hint = 'write {"@type": "Thing"}'
            if value.lstrip().startswith("{"):
                hint = f"{error.msg.lower()} in line {error.lineno}, column {error.colno}"
            raise fault("not-json", "must be a JSON-LD object, or one written as text", hint=hint) from error
        except (ValueError, RecursionError) as error:
            raise fault("not-json", "must be a JSON-LD object, or one written as text") from error
    return _object(value)


JsonValue = Annotated[Json, BeforeValidator(_json)]
JsonObject = Annotated[dict[str, Json], BeforeValidator(_object)]
JsonLd = Annotated[dict[str, Json], BeforeValidator(_json_ld)]
