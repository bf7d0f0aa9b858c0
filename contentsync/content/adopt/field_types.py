"""Infer the type of a custom field from the values that entries have."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from ...model.custom_field import check_value
from ...model.field_types import Context
from ...model.scalar import parse_flag, parse_number
from ...model.urls import url_fault
from ...model.violation import Invalid

_MAX_OPTIONS = 20  # of a choice
_MAX_OPTION = 60  # characters
_USES_OF_AN_OPTION = 3  # on average: a text with more different values is not a choice
_LONG = 200  # characters of a text for which a text area is better
_MAX_CHECKED = 2048  # characters; a longer value is a text


def _is_flag(text: str) -> bool:
    return not text.isdigit() and parse_flag(text) is not None


def _is_number(text: str) -> bool:
    """Return whether a text is a number and has no leading zeros, as in a postcode or telephone number."""
    return parse_number(text) is not None and (text == "0" or not text.startswith("0") or text.startswith("0."))


def _is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _is_email(text: str) -> bool:
    """Return whether a custom field of the type `email` accepts a text."""
    if "@" not in text:
        return False
    try:
        check_value("email", {"type": "email"}, text, Context(authored=True))
    except Invalid:
        return False
    return True


# In the order in which they are preferred.
_CHECKS: Mapping[str, Callable[[str], bool]] = {
    "checkbox": _is_flag,
    "number": _is_number,
    "date": _is_day,
    "url": lambda text: url_fault(text) is None,
    "email": _is_email,
}


class PossibleTypes:
    """The types that all values so far may have; `longest` is the length of the longest value."""

    __slots__ = ("_types", "longest")

    def __init__(self) -> None:
        self._types = [*_CHECKS]
        self.longest = 0

    def exclude(self, value: str) -> None:
        """Exclude the types that a value does not have."""
        self.longest = max(self.longest, len(value))
        if len(value) > _MAX_CHECKED:
            self._types = []
        self._types = [type_ for type_ in self._types if _CHECKS[type_](value)]

    @property
    def first(self) -> str:
        """The preferred type of those that are left; "" if only a text can have the values."""
        return self._types[0] if self._types else ""


def infer_type(types: PossibleTypes, values: Mapping[str, int], *, in_lists: bool) -> dict[str, Any]:
    """Return the `type` of a custom field, and its `options` if it is a choice.

    `values` maps each value to how often it occurs; it is empty if there are too many. With `in_lists`, they are items
    of lists.
    """
    can_be_options = 0 < len(values) <= _MAX_OPTIONS and all(0 < len(value) <= _MAX_OPTION for value in values)
    is_choice = can_be_options and sum(values.values()) >= _USES_OF_AN_OPTION * len(values)
    if in_lists:
        return {"type": "multi_select", "options": sorted(values)} if is_choice else {"type": "list"}
    if types.first:
        return {"type": types.first}
    if is_choice and len(values) > 1:
        return {"type": "select", "options": sorted(values)}
    return {"type": "textarea" if types.longest > _LONG else "text"}
