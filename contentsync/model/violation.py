"""Broken rules, with the same code and message in a file's report and in a 422, made from pydantic's errors."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any, get_args, get_origin

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from . import suggestion
from .record import Part
from .suggestion import MAX_WORD, certain_word, did_you_mean, nearest

MAX_SHOWN_CHARACTERS = 255  # characters of a key or a value in a message; no known key is longer


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule; `loc` is the path of the value in the entry (`("seo", "title")`)."""

    code: str
    loc: tuple[str | int, ...]
    message: str  # a whole clause that names the field: "seo.title must be at most 255 characters"
    hint: str = ""
    meant_key: str = ""  # the known key that the author of an unknown one most likely meant
    is_about_key: bool = False  # whether the key is wrong, not its value
    meant: str = ""  # what to write in place of the key or the value, if there is no doubt

    @property
    def field(self) -> str:
        """The dotted name of the value, as a 422 names it: `seo.title`, `categories.0`."""
        return dotted(self.loc)

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class Invalid(ValueError):
    """A value breaks rules; `violations` has all of them."""

    def __init__(self, violations: Sequence[Violation]) -> None:
        super().__init__("; ".join(map(str, violations)))
        self.violations = tuple(violations)

    def errors(self) -> dict[str, list[str]]:
        """Return the `errors` object of a 422 (docs/contract.md 11); errors of the whole body are under `body`."""
        texts: dict[str, list[str]] = {}
        for violation in self.violations:
            texts.setdefault(violation.field or "body", []).append(str(violation))
        return texts


def limit_violations(violations: Iterable[Violation], max_violations: int | None) -> list[Violation]:
    """Return the violations, at most `max_violations` (None: all); if there are more, one further violation says so."""
    if max_violations is None:
        return list(violations)
    first = list(islice(violations, max_violations + 1))
    if len(first) > max_violations:
        first[max_violations] = Violation(
            "too-many", (), f"the entry has more errors: only the first {max_violations} are reported"
        )
    return first


def dotted(loc: Iterable[str | int]) -> str:
    """Return the name of a nested value, such as `seo.title`; long parts are cut short."""
    return ".".join(cut_short(str(part)) for part in loc)


def cut_short(text: str) -> str:
    """Return the text, cut to MAX_SHOWN_CHARACTERS characters and `…` if it is longer."""
    return text if len(text) <= MAX_SHOWN_CHARACTERS else f"{text[:MAX_SHOWN_CHARACTERS]}…"


MAX_HINTS = 50  # for one entry: finding a hint takes longer than validating

# By pydantic's error type: our code, and the text after the field's name, with values of the error's context.
_CODE_AND_MESSAGE: Mapping[str, tuple[str, str]] = {
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

# For error types of later versions of pydantic.
_OTHER_CODE_AND_MESSAGE = ("not-json", "must be a value of another type")

_HINT_FOR_VALUE: Mapping[str, Callable[[Any], str]] = {
    "not-a-list": suggestion.list_hint,
    "not-text": lambda value: "" if value is None else "if the value is text, put it in quotes",
}


def violations_from(
    error: ValidationError,
    model: type[Part] | None = None,
    *,
    prefix: tuple[str | int, ...] = (),
    other_keys: Iterable[str] = (),
    max_violations: int | None = None,
) -> list[Violation]:
    """Return the violations in a pydantic error; `max_violations` limits their number (see `limit_violations`).

    `prefix` precedes each location. Hints for unknown keys suggest the keys of `model`, the validated one, and the top
    level keys in `other_keys`; without `model`, there are fewer hints.
    """
    violations = (
        _violation(details, model, prefix, other_keys, with_suggestion=index < MAX_HINTS)
        for index, details in enumerate(error.errors(include_url=False))
    )
    return limit_violations(violations, max_violations)


def _violation(
    details: ErrorDetails,
    model: type[Part] | None,
    prefix: tuple[str | int, ...],
    other_keys: Iterable[str],
    *,
    with_suggestion: bool,
) -> Violation:
    """Return the violation for one of pydantic's errors, in our words, with a hint if one can be found.

    The parameters are those of `violations_from`; without `with_suggestion`, skip the slow search for a similar word.
    """
    loc = prefix + details["loc"]
    type_ = details["type"]
    is_unknown_key = type_ == "extra_forbidden"
    if is_unknown_key and model is not None:
        return _unknown_key(model, loc, other_keys, with_suggestion=with_suggestion)
    is_wrong_key = not is_unknown_key and loc[-1:] == ("[key]",)  # pydantic's mark of a wrong key in a dictionary
    if is_wrong_key:
        loc = loc[:-1]
    context: dict[str, Any] = dict(details.get("ctx") or {})
    is_ours = "-" in type_ or type_ == "required"  # pydantic's types have underscores
    code, message = (type_, details["msg"]) if is_ours else _CODE_AND_MESSAGE.get(type_, _OTHER_CODE_AND_MESSAGE)
    hint, meant = str(context.get("hint", "")), str(context.get("meant", ""))
    if code == "required" and loc and isinstance(loc[-1], int):
        message, hint = "is an empty list item", "delete it, or fill it in"
    elif code == "not-a-choice" and model is not None:
        choices = _choices(model, loc)
        context["choices"] = ", ".join(choices)
        if with_suggestion:
            hint, meant = (find(str(details["input"]), choices) for find in (did_you_mean, certain_word))
    elif code == "too-long" and not isinstance(details["input"], str):
        code, message = "too-many", "must have at most {max_length} entries"
    elif code == "too-long":
        message += f", but has {len(details['input'])}"
    elif code in _HINT_FOR_VALUE and not hint:
        hint = _HINT_FOR_VALUE[code](details["input"])
    elif code == "not-an-object" and model is not None:
        hint = _keys_hint(model, loc)
    if not is_ours:  # the message may have placeholders, such as {max_length}
        message = message.format(**context)
    message = f"{dotted(loc) or 'the entry'} {message}"
    return Violation(code, loc, message, hint, is_about_key=is_unknown_key or is_wrong_key, meant=meant)


def _unknown_key(
    model: type[Part], loc: tuple[str | int, ...], other_keys: Iterable[str], *, with_suggestion: bool
) -> Violation:
    """Return the violation for a key at `loc` that no field has.

    With `with_suggestion`, suggest the most similar key of the object, or at the top level one of `other_keys`.
    """
    owner, key = _model_of_object(model, loc), str(loc[-1])
    if key in owner.aliases:
        message = f"{dotted(loc)} is another name for {owner.aliases[key]}, which is also set"
        return Violation("given-twice", loc, message, "keep one of them", is_about_key=True)
    shown_loc = loc
    hint = meant_key = meant = ""
    if len(key) > MAX_WORD:
        shown_loc = (*loc[:-1], f"'{key[: MAX_WORD // 2]}…'")
        hint = "a colon ends a key: if this is text, put it in quotes"
    elif key in owner.read_only:
        hint = "delete it: the service sets this field"
    elif with_suggestion:
        meant_key, meant = _nearest_key(key, owner, tuple(other_keys) if len(loc) == 1 else ())
        hint = suggestion.did_you_mean_text(meant_key)
    code, message = _CODE_AND_MESSAGE["extra_forbidden"]
    return Violation(code, loc, f"{dotted(shown_loc)} {message}", hint, meant_key, is_about_key=True, meant=meant)


@lru_cache(maxsize=1024)  # the same unknown keys occur in every row of a table and in every file of a folder
def _nearest_key(key: str, owner: type[Part], other_keys: tuple[str, ...]) -> tuple[str, str]:
    """Return the key of the model, or of `other_keys`, that is most similar to an unknown key; empty if none is.

    Return it a second time if there is no doubt.
    """
    known = [*owner.rules(), *other_keys]
    similar = nearest(key, known) or ""
    return similar, similar if similar == certain_word(key, known) else ""


def _keys_hint(model: type[Part], loc: tuple[str | int, ...]) -> str:
    """Return the hint that lists the keys of the object at `loc`; "" for the model itself, or if the keys are free."""
    info = _model_of_object(model, loc).model_fields.get(str(loc[-1])) if loc else None
    if info is None:  # the entry itself, or the object at a free key, such as a language
        part = _model_of_object(model, (*loc, "a key of the object"))
    elif get_origin(info.annotation) is dict:
        return ""
    else:
        part = next(_parts_in(info.annotation), model)
    return "" if part is model else f"its keys are {', '.join(part.rules().keys())}"


def _model_of_object(model: type[Part], loc_of_key: tuple[str | int, ...]) -> type[Part]:
    """Return the model of the object that has the last key of a location in an object of `model`."""
    is_free_key = False
    for key in loc_of_key[:-1]:
        fields = () if is_free_key else model.model_fields.items()
        info = next((info for name, info in fields if key in (name, info.alias)), None)
        if info is not None:  # not the index of a list
            model = next(_parts_in(info.annotation), model)
        is_free_key = info is not None and get_origin(info.annotation) is dict  # next is a language, or a target's name
    return model


def _parts_in(annotation: Any) -> Iterator[type[Part]]:
    return (inner for inner in _all_in(annotation) if isinstance(inner, type) and issubclass(inner, Part))


def _choices(model: type[Part], loc: tuple[str | int, ...]) -> list[str]:
    info = _model_of_object(model, loc).model_fields[str(loc[-1])]
    return [choice for choice in _all_in(info.annotation) if isinstance(choice, str)]


def _all_in(annotation: Any) -> Iterator[Any]:
    """Yield an annotation and everything in it: types, and the values of a Literal."""
    yield annotation
    for argument in get_args(annotation):
        yield from _all_in(argument)
