"""Conditions on the fields of entries, such as `price > 20`: read from texts, and tested."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Any

from ..errors import UsageError
from ..lazy_pattern import lazy_pattern
from .entry import Entry, Kind
from .named_fields import FieldNames, NamedField, ValueType, is_filled
from .scalar import ACCEPTED_DATES, parse_flag, parse_number, wire_instant
from .suggestion import date_hint, number_hint

OPERATORS = ("=", "!=", "<", ">", "~")
_OPERATOR_CHARACTERS = "=!<>~"
_FORM = lazy_pattern(
    rf"\s*(?P<name>[^\s{_OPERATOR_CHARACTERS}]*)\s*(?P<operator>[{_OPERATOR_CHARACTERS}]*)\s*(?P<value>.*?)\s*\Z",
    re.DOTALL,
)

FindKeys = Callable[[Kind, str], Sequence[str]]  # the keys that a name of an entry of the kind may mean


@dataclass(frozen=True, slots=True)
class Condition:
    """A field, an operator and a value.

    `low` and `high` are the first and the last of the values that the text means: a day is all of its times. They are
    None if the text is empty, which means that an entry has no value.
    """

    field: NamedField
    operator: str
    text: str
    low: Any = None
    high: Any = None

    def holds(self, entry: Entry) -> bool:
        """Return whether an entry meets the condition; a list does if one of its values does.

        `!=` is the opposite of `=`, so it also holds without a value. A field that the entry does not set has its
        default, except if the condition asks for a missing value.
        """
        value = self.field.value(entry)
        if self.low is None:
            return is_filled(value) == (self.operator == "!=")
        if not is_filled(value):
            value = self.field.default
        if isinstance(value, list):
            is_met = any(self.is_met_by(each) for each in value if each is not None)
        else:
            is_met = value is not None and self.is_met_by(value)
        return is_met != (self.operator == "!=")

    def is_met_by(self, value: Any) -> bool:
        """Return whether one value, or one item of a list, meets a condition whose operator is not `!=`."""
        match self.operator:
            case "~":
                return self.low in self.field.text(value).casefold()
            case "<":
                return (found := self._comparable(value)) is not None and bool(found < self.low)
            case ">":
                return (found := self._comparable(value)) is not None and bool(found > self.high)
        return self._is_equal(value)

    def _is_equal(self, value: Any) -> bool:
        found = self._comparable(value)
        return found is not None and bool(self.low <= found <= self.high)

    def _comparable(self, value: Any) -> Any:
        """Return a value in the form of `low`; None if it has another type than its field."""
        match self.field.type:
            case ValueType.NUMBER:
                number = parse_number(value) if isinstance(value, str) else value
                return number if isinstance(number, int | float) else None
            case ValueType.FLAG:
                flag = parse_flag(value) if isinstance(value, str) else value
                return flag if isinstance(flag, bool) else None
            case ValueType.TIME | ValueType.DAY:
                return value if isinstance(value, str) else None
        if value is None:
            return None
        text = self.field.text(value)
        return text.casefold() if self.operator in "<>" else text


def parse_conditions(
    texts: Iterable[str], names: FieldNames, find_keys: FindKeys | None = None
) -> tuple[Condition, ...]:
    """Return the conditions in texts such as `price > 20`. Raise UsageError with the place of the first error.

    A reference may be written as a title that `find_keys` knows, and a time without a time zone is one of the zone of
    `names`.
    """
    return tuple(_parse(text, names, find_keys) for text in texts)


def missing_condition(field: NamedField) -> Condition:
    """Return the condition that an entry has no value of the field."""
    return Condition(field, "=", "")


def all_hold(conditions: Sequence[Condition], entry: Entry) -> bool:
    """Return whether an entry meets all conditions."""
    return all(condition.holds(entry) for condition in conditions)


def _parse(text: str, names: FieldNames, find_keys: FindKeys | None) -> Condition:
    match = _FORM.match(text)
    assert match is not None, "each part may be empty"  # noqa: S101
    name, operator, value = match.group("name", "operator", "value")
    if not name:
        raise _fault(text, match.start("operator"), "a field must come first", "write FIELD OP VALUE: price > 20")
    field = names.find(name, _place(text, match.start("name")))
    if not operator:
        if value:
            place, message = match.start("value"), f"expected one of {' '.join(OPERATORS)}"
            raise _fault(text, place, message, f"write {name} = {value}, or {name} ~ {value} for a part of it")
        hint = f"write {name} = VALUE; {name} = without a value finds entries that lack it, {name} != the others"
        raise _fault(text, match.end("name"), f"expected one of {' '.join(OPERATORS)}", hint)
    if operator not in OPERATORS:
        hint = _operator_hint(operator, name, value)
        raise _fault(text, match.start("operator"), f"there is no operator {operator}", hint)
    if _is_quoted(value):
        value = value[1:-1]
    if not value:
        if operator in ("=", "!="):
            return Condition(field, operator, value)
        raise _fault(
            text, match.end("operator"), f"a value is missing after {operator}", f"write {name} {operator} VALUE"
        )
    if field.type is ValueType.FLAG and operator in "<>~":
        raise _fault(text, match.start("operator"), f"{name} cannot be compared by {operator}", "use = or !=")
    try:
        return make_condition(field, operator, value, find_keys)
    except UsageError as error:
        raise _fault(text, match.start("value"), error.message, error.hint) from error


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "\"'"


def renamed_condition(text: str, new_name: Callable[[str], str], new_value: Callable[[str, str], str]) -> str:
    """Return the text of a condition with the new name of its field, and with its new value.

    `new_value` gets the present name and a value that is compared as a whole: a part of a text names nothing.
    """
    match = _FORM.match(text)
    assert match is not None, "each part may be empty"  # noqa: S101
    name, operator, value = match.group("name", "operator", "value")
    start, end = match.span("value")
    if _is_quoted(value):
        start, end = start + 1, end - 1
    if operator in ("=", "!="):
        text = f"{text[:start]}{new_value(name, text[start:end])}{text[end:]}"
    return f"{text[: match.start('name')]}{new_name(name)}{text[match.end('name') :]}"


def make_condition(field: NamedField, operator: str, text: str, find_keys: FindKeys | None = None) -> Condition:
    """Return the condition that compares a field with a text that is not empty, as `parse_conditions` does.

    Raise UsageError, without a place, if the text is not a value of the field.
    """
    low, high = _operand(field, operator, text, find_keys)
    return Condition(field, operator, text, low, high)


def _operand(field: NamedField, operator: str, text: str, find_keys: FindKeys | None) -> tuple[Any, Any]:
    """Return the first and the last value that a text means, to be compared with those of a field."""
    if operator == "~":
        return text.casefold(), text.casefold()
    match field.type:
        case ValueType.NUMBER:
            number = parse_number(text)
            if number is None:
                raise UsageError(f"'{text}' is not a number", number_hint(text, integer=False))
            return number, number
        case ValueType.FLAG:
            flag = parse_flag(text)
            if flag is None:
                raise UsageError(f"'{text}' is neither yes nor no", f"write {field.name} = yes")
            return flag, flag
        case ValueType.TIME | ValueType.DAY:
            return _times(field, text)
    if field.referred_kind and find_keys:
        keys = find_keys(field.referred_kind, text)
        if len(keys) > 1:
            message = f"'{text}' names {len(keys)} {field.referred_kind.plural}"
            raise UsageError(message, f"use the slug: {' or '.join(keys)}")
        text = keys[0] if keys else text
    if operator in "<>":
        text = text.casefold()
    return text, text


def _times(field: NamedField, text: str) -> tuple[str, str]:
    """Return the first and the last time of a text: a date alone means its whole day."""
    try:
        if field.type is ValueType.DAY:
            day = wire_instant(f"{text} 00:00", UTC)[:10]
            return day, day
        first, last = wire_instant(text, field.zone), wire_instant(text, field.zone, end_of_day=True)
    except ValueError as error:
        with_time = field.type is ValueType.TIME
        message = f"'{text}' is not a {'date or time' if with_time else 'date'}"
        hint = date_hint(text, with_time=with_time) or f"write it as {ACCEPTED_DATES if with_time else '2026-03-01'}"
        raise UsageError(message, hint) from error
    return first, last if first == last else last.replace(".000000Z", ".999999Z")


def _operator_hint(operator: str, name: str, value: str) -> str:
    meant = {"==": "=", "<>": "!=", "=~": "~", "~=": "~", "=!": "!="}.get(operator)
    if meant:
        return f"write {name} {meant} {value}"
    return f"the operators are {' '.join(OPERATORS)}"


def _place(text: str, offset: int) -> str:
    return f"'{text}', character {offset + 1}: "


def _fault(text: str, offset: int, message: str, hint: str) -> UsageError:
    return UsageError(f"{_place(text, offset)}{message}", hint)
