"""pydantic's errors in our words: one code and one message for each broken rule."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from . import suggestion
from .record import Part
from .violation import MAX_WORD, Violation, did_you_mean, dotted, first_of, nearest

MAX_HINTS = 50  # of one entry: looking for what was meant takes longer than judging

# pydantic's error type: our code, and what follows the field's name
_WORDS: Mapping[str, tuple[str, str]] = {
    "missing": ("required", "is required"),
    "extra_forbidden": ("unknown-key", "is not a known key"),
    "literal_error": ("not-a-choice", "must be one of {choices}"),
    "too_long": ("too-long", "must be at most {max_length} characters"),
    "string_too_long": ("too-long", "must be at most {max_length} characters"),
    "greater_than_equal": ("out-of-range", "must be at least {ge}"),
    "less_than_equal": ("out-of-range", "must be at most {le}"),
    "list_type": ("not-a-list", "must be a list"),
    "dict_type": ("not-an-object", "must be an object of keys and values"),
    "model_type": ("not-an-object", "must be an object of keys and values"),
    "string_type": ("not-text", "must be text"),
    "string_unicode": ("not-text", "must be text that can be encoded as UTF-8"),
    "invalid_key": ("not-text", "must have keys that are text"),
}

# Of a type that is not listed above, as a later pydantic may have: its own words are not ours.
_OTHER = ("not-json", "must be a value of another type")

_MENDS: Mapping[str, Callable[[Any], str]] = {
    "not-a-list": suggestion.list_hint,
    "not-text": lambda value: "" if value is None else "if the value is text, put it in quotes",
}


def violations_of(
    error: ValidationError,
    model: type[Part] | None = None,
    *,
    prefix: tuple[str | int, ...] = (),
    extra: Iterable[str] = (),
    most: int | None = None,
) -> list[Violation]:
    """Every violation in a pydantic error, or the first of them (see `first_of`).

    `model` and `extra` name the keys that an unknown one may have meant.
    """
    found = (
        _violation(details, model, prefix, extra, hinted=place < MAX_HINTS)
        for place, details in enumerate(error.errors(include_url=False))
    )
    return first_of(found, most)


def _violation(
    details: ErrorDetails,
    model: type[Part] | None,
    prefix: tuple[str | int, ...],
    extra: Iterable[str],
    *,
    hinted: bool,
) -> Violation:
    loc = prefix + details["loc"]
    of_key = details["type"] == "extra_forbidden"
    if loc[-1:] == ("[key]",) and not of_key:  # how pydantic marks a wrong key of a dict
        loc, of_key = loc[:-1], True
    context: dict[str, Any] = dict(details.get("ctx") or {})
    code, words = _words(details)
    hint, meant = str(context.get("hint", "")), ""
    loc_told = loc
    if code == "not-a-choice" and model is not None:
        choices = _choices(model, loc)
        context["choices"] = ", ".join(choices)
        hint = did_you_mean(str(details["input"]), choices) if hinted else ""
    elif code == "too-long" and not isinstance(details["input"], str):
        code, words = "too-many", "must have at most {max_length} entries"
    elif code == "too-long":
        words += f", but has {len(details['input'])}"
    elif code == "unknown-key" and model is not None:
        owner, key = _owner(model, loc), str(loc[-1])
        if key in owner.aliases:
            code, words = "given-twice", f"is another name for {owner.aliases[key]}, which is also set"
            hint = "keep one of them"
        elif len(key) > MAX_WORD:
            loc_told = (*loc[:-1], f"'{key[: MAX_WORD // 2]}…'")
            hint = "a colon ends a key: if this is text, put it in quotes"
        elif key in owner.read_only:
            hint = "delete it: the service sets this field"
        elif hinted:
            meant = _nearest_key(key, owner, tuple(extra) if len(loc) == 1 else ())
            hint = suggestion.meant(meant)
    elif code in _MENDS and not hint:
        hint = _MENDS[code](details["input"])
    elif code == "not-an-object" and model is not None:
        hint = _keys_hint(model, loc)
    if details["type"] in _WORDS:
        words = words.format(**context)
    return Violation(code, loc, f"{dotted(loc_told) or 'the entry'} {words}", hint, meant, of_key)


def _words(details: ErrorDetails) -> tuple[str, str]:
    type_ = details["type"]
    is_ours = "-" in type_ or type_ == "required"
    return (type_, details["msg"]) if is_ours else _WORDS.get(type_, _OTHER)


@lru_cache(maxsize=1024)  # a table has the same unknown columns in every row, a folder the same keys in every file
def _nearest_key(key: str, owner: type[Part], extra: tuple[str, ...]) -> str:
    return nearest(key, [*owner.rules(), *extra]) or ""


def _keys_hint(model: type[Part], loc: tuple[str | int, ...]) -> str:
    info = _owner(model, loc).model_fields.get(str(loc[-1])) if loc else None
    if info is None:  # the entry itself, or a key that anybody may choose, such as a language
        inner = _owner(model, (*loc, ""))
        return "" if inner is model else _these(inner)
    parts = [] if get_origin(info.annotation) is dict else list(_parts_in(info.annotation))
    return _these(parts[0]) if parts else ""


def _these(part: type[Part]) -> str:
    return f"its keys are {', '.join(part.rules())}"


def _owner(model: type[Part], loc: tuple[str | int, ...]) -> type[Part]:
    """The model of the object that the last part of `loc` is a key of."""
    way = iter(loc[:-1])
    for part in way:
        for name, info in model.model_fields.items():
            if part in (name, info.alias):
                model = next(_parts_in(info.annotation), model)
                if get_origin(info.annotation) is dict:
                    next(way, None)  # a language, or the name of a target
                break
    return model


def _parts_in(annotation: Any) -> Iterator[type[Part]]:
    if isinstance(annotation, type) and issubclass(annotation, Part):
        yield annotation
    for inner in get_args(annotation):
        yield from _parts_in(inner)


def _choices(model: type[Part], loc: tuple[str | int, ...]) -> list[str]:
    info = _owner(model, loc).model_fields[str(loc[-1])]
    return [str(choice) for choice in _literals(info.annotation)]


def _literals(annotation: Any) -> Iterable[Any]:
    inner = get_args(annotation)
    if inner and all(isinstance(choice, str) for choice in inner):
        yield from inner
    else:
        for argument in inner:
            yield from _literals(argument)
