"""The checks of house rules: what one key of a rule demands of one field of an entry."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from ...errors import Problem, Severity, Where, join_first, pluralize
from ...model import Entry
from ...model.conditions import Condition, all_hold
from ...model.named_fields import NamedField, ValueType, is_filled
from ...model.suggestion import nearest
from ...model.violation import cut_short
from ..config.rule_settings import matches
from ..formats.draft import UniqueValue


class Fault(NamedTuple):
    """A wrong value: its dotted name, what is wrong with it, and how to correct it."""

    name: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Check(ABC):
    """A demand on a field, with its place in the config."""

    field: NamedField
    where: Where
    of_items: ClassVar[bool] = True  # each item of a list is judged

    @property
    @abstractmethod
    def code(self) -> str:
        """The code of its problems."""

    def faults(self, entry: Entry) -> Iterator[Fault]:
        """Yield what is wrong with the values of an entry. A missing value is not judged, except by `Required`."""
        value, name = self.field.value(entry), self.field.name
        if self.of_items and isinstance(value, list):
            for number, item in enumerate(value):
                if is_filled(item) and (message := self._message(item)):
                    yield Fault(f"{name}.{number}", message, self._fix(item))
        elif is_filled(value) and (message := self._message(value)):
            yield Fault(name, message, self._fix(value))

    @abstractmethod
    def _message(self, value: Any) -> str:
        """Return what is wrong with a value, as it follows the name of the field; "" if nothing is."""

    def _fix(self, value: Any) -> str:
        return "correct it"


class Required(Check):
    """The field must have a value."""

    __slots__ = ()
    code = "rule-require"

    def faults(self, entry: Entry) -> Iterator[Fault]:
        if not is_filled(self.field.value(entry)):
            yield Fault(self.field.name, "is missing", "set it")

    def _message(self, value: Any) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Limit(Check):
    """A number or a time must not meet a condition, whose operator is `<` or `>`."""

    condition: Condition

    @property
    def code(self) -> str:
        code = "rule-min" if self.condition.operator == "<" else "rule-max"
        return code  # noqa: RET504  # the test of problems.md collects what is assigned

    def _message(self, value: Any) -> str:
        if not self.condition.is_met_by(value):
            return ""
        words = ("less than", "more than") if self.field.type is ValueType.NUMBER else ("before", "after")
        return f"is {self.field.text(value)}, {words[self.condition.operator == '>']} {self.condition.text}"


@dataclass(frozen=True, slots=True)
class Length(Check):
    """A text must have at least or at most a number of characters, and a list of items."""

    limit: int
    is_least: bool
    of_items: ClassVar[bool] = False

    @property
    def code(self) -> str:
        code = "rule-min" if self.is_least else "rule-max"
        return code  # noqa: RET504  # the test of problems.md collects what is assigned

    def _message(self, value: Any) -> str:
        length = len(value) if isinstance(value, list) else len(self.field.text(value))
        if length >= self.limit if self.is_least else length <= self.limit:
            return ""
        number = pluralize(length, "item" if isinstance(value, list) else "character")
        return f"has {number}, {'fewer' if self.is_least else 'more'} than {self.limit:,}"


@dataclass(frozen=True, slots=True)
class Pattern(Check):
    """A part of a text must match a regular expression."""

    code = "rule-pattern"
    pattern: str

    def _message(self, value: Any) -> str:
        text = self.field.text(value)
        return "" if matches(self.pattern, text) else f"is '{cut_short(text)}', which does not match {self.pattern}"


@dataclass(frozen=True, slots=True)
class Allowed(Check):
    """A value must meet one of the conditions, whose operator is `=`."""

    code = "rule-allowed"
    conditions: tuple[Condition, ...]

    def _message(self, value: Any) -> str:
        if any(condition.is_met_by(value) for condition in self.conditions):
            return ""
        return f"is '{cut_short(self.field.text(value))}', not one of {join_first(self._texts)}"

    def _fix(self, value: Any) -> str:
        similar = nearest(self.field.text(value), self._texts)
        return f"write '{similar}'" if similar else "correct it"

    @property
    def _texts(self) -> list[str]:
        return [condition.text for condition in self.conditions]


class Unique(NamedTuple):
    """A field of which no two entries may have the same value. `problem` is that of the second, without its place."""

    field: NamedField
    name: str  # in the config
    problem: Problem

    def values(self, entry: Entry) -> Iterator[UniqueValue]:
        """Yield each value of the entry, of a list its items, once."""
        value = self.field.value(entry)
        items = value if isinstance(value, list) else [value]
        for text in dict.fromkeys(self.field.text(item) for item in items if is_filled(item)):
            yield UniqueValue(self.name, text, self.field.name, self.problem)


@dataclass(frozen=True, slots=True)
class HouseRule:
    """A rule of one kind: its conditions, and what it demands of the entries that meet them."""

    conditions: tuple[Condition, ...]
    checks: tuple[Check, ...]
    unique: tuple[Unique, ...]
    severity: Severity
    message: str  # of the author; "" without one

    def concerns(self, entry: Entry) -> bool:
        """Return whether an entry meets the conditions."""
        return all_hold(self.conditions, entry)

    def faults(self, entry: Entry) -> Iterator[tuple[Check, Fault]]:
        """Yield what is wrong with an entry."""
        for check in self.checks:
            for fault in check.faults(entry):
                yield check, fault

    def unique_values(self, entry: Entry) -> Iterator[UniqueValue]:
        """Yield the values that no other entry may have."""
        for unique in self.unique:
            yield from unique.values(entry)

    def problem(self, check: Check, fault: Fault, where: Where) -> Problem:
        """Return the problem of a fault. With a message of the author, the hint says what is wrong."""
        message, hint = f"{fault.name} {fault.message}", rule_hint(fault.fix, check.where)
        if self.message:
            message, hint = self.message, f"{message}: {hint}"
        return Problem(check.code, message, where, hint, self.severity, subject=check.field.name)


def rule_hint(fix: str, where: Where) -> str:
    """Return the hint with what to do, which names the place of the rule."""
    return f"{fix}, or change the rule in line {where.line} of {where.path}"
