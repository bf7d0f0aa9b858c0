"""Fields of JSON: what stands in them is told at its own place."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any

from pydantic import BeforeValidator, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

from .fields import MAX_DEPTH, fault, is_number, limited, text_of, within
from .scalar import Plain, resolve

Json = Any  # None, bool, int, float, str, list or dict of them

MAX_VALUES = 10_000  # in all of a field
MAX_TOLD = 100  # wrong ones of them


class _Enough(Exception):
    """So much is wrong that the rest is not judged."""


_Way = tuple[str | int, ...]


def _json(value: Any) -> Json:
    found: list[InitErrorDetails] = []
    judged = None
    with suppress(_Enough):
        judged = _part(value, (), iter(range(MAX_VALUES)), found)
    if found:
        raise ValidationError.from_exception_data("JSON", found)
    return judged


def _part(value: Any, way: _Way, room: Iterator[int], found: list[InitErrorDetails]) -> Json:
    if len(way) > MAX_DEPTH:
        raise fault("too-deep", f"must not be nested deeper than {MAX_DEPTH} levels")
    if next(room, None) is None:
        raise fault("too-many", f"must contain at most {MAX_VALUES} values")
    if isinstance(value, Mapping):
        return {
            _judged(_key, key, way, found): _part(inner, (*way, str(key)), room, found)
            for key, inner in limited(value).items()
        }
    if isinstance(value, list):
        return [_part(inner, (*way, place), room, found) for place, inner in enumerate(value)]
    return _judged(_scalar, value, way, found)


def _judged(rule: Callable[[Any], Json], value: Any, way: _Way, found: list[InitErrorDetails]) -> Json:
    try:
        return rule(value)
    except PydanticCustomError as error:
        # Without its traceback, which would keep everything around it in memory.
        found.append(InitErrorDetails(type=error.with_traceback(None), loc=way, input=value))
        if len(found) == MAX_TOLD:
            more = fault("too-many", f"has more errors: only the first {MAX_TOLD} are reported")
            found.append(InitErrorDetails(type=more, loc=(), input=value))
            raise _Enough from error
        return None


def _key(value: Any) -> str:
    return str(text_of(value))


def _scalar(value: Any) -> Json:
    if isinstance(value, Plain):
        try:
            value = resolve(value)
        except OverflowError:
            return within(float("inf"))
    if isinstance(value, str):
        return str(text_of(value))
    if value is None or type(value) is bool:
        return value
    if is_number(value):
        return within(value)
    raise fault("not-json", f"must be {'a finite number' if isinstance(value, float) else 'a JSON value'}")


def _object(value: Any) -> dict[str, Json]:
    if not isinstance(value, Mapping):
        raise fault("not-an-object", "must be an object of keys and values")
    return _json(value)  # type: ignore[no-any-return]  # a mapping stays one


def _json_ld(value: Any) -> dict[str, Json]:
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except json.JSONDecodeError as error:
            hint = f"{error.msg.lower()} in line {error.lineno}, column {error.colno}"
            hint = hint if value.lstrip().startswith("{") else 'write {"@type": "Thing"}'
            raise fault("not-json", "must be a JSON-LD object, or one written as text", hint=hint) from error
        except (ValueError, RecursionError) as error:
            raise fault("not-json", "must be a JSON-LD object, or one written as text") from error
    return _object(value)


JsonValue = Annotated[Json, BeforeValidator(_json)]
JsonObject = Annotated[dict[str, Json], BeforeValidator(_object)]
JsonLd = Annotated[dict[str, Json], BeforeValidator(_json_ld)]
