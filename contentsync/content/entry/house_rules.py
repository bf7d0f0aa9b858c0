"""House rules (docs/rules.md): make those of the config for the fields that a kind has, and judge entries by them."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from ...errors import Problem, UsageError, Where
from ...model import FIELDABLE, Definition, Entry, Kind, Source
from ...model.conditions import Condition, make_condition, missing_condition, parse_conditions
from ...model.named_fields import FieldNames, NamedField, ValueType
from ..config.config import Config
from ..config.rule_settings import DEMANDS, RuleSettings
from ..formats.draft import Draft
from .entry_references import NameIndex
from .rule_checks import Allowed, Check, HouseRule, Length, Limit, Pattern, Required, Unique, rule_hint

Part = TypeVar("Part")
JudgeRow = Callable[[str, Mapping[str, Any]], Sequence[tuple[str, str]] | None]


@dataclass(slots=True)
class HouseRules:
    """The rules of the config. Those of a kind are made when they are first needed.

    By then, the custom fields must be declared, and the entries that the kind refers to known. The other parameters
    are those of the reader, which completes them.
    """

    config: Config
    definitions: Mapping[Kind, Mapping[str, Definition]]
    broken_fields: Mapping[Kind, Set[str]]
    names: Mapping[Kind, NameIndex]
    incomplete_kinds: Set[Kind]
    _rules: dict[Kind, tuple[HouseRule, ...]] = field(default_factory=dict)
    _problems: list[Problem] = field(default_factory=list)

    def of(self, kind: Kind) -> tuple[HouseRule, ...]:
        """Return the rules of a kind, without what is wrong in them."""
        if kind not in self.config.rules:
            return ()
        if kind not in self._rules:
            maker = _RuleMaker(self, kind)
            made = (maker.make(number, settings) for number, settings in enumerate(self.config.rules[kind]))
            self._rules[kind] = tuple(rule for rule in made if rule)
            self._problems += maker.problems
        return self._rules[kind]

    def problems(self) -> Sequence[Problem]:
        """Return what is wrong with the rules. Call it when all entries that others refer to are known."""
        for kind in self.config.rules:
            self.of(kind)
        return self._problems

    def judge(self, draft: Draft) -> None:
        """Add the problems and the unique values of an entry whose references are resolved.

        An entry with an error is not judged, because its values are not converted; nor is one that is never sent.
        """
        rules = self.of(draft.kind)
        if not rules or draft.notes.skip or not draft.is_sound:
            return
        emptied = draft.emptied  # their values are defaults, which the author has not set
        values = (
            {name: value for name, value in draft.values.items() if name not in emptied} if emptied else draft.values
        )
        entry = Entry(draft.kind, draft.key, values, Source(draft.path, draft.line))
        for rule in rules:
            if rule.concerns(entry):
                draft.problems += (
                    rule.problem(check, fault, draft.where(fault.name)) for check, fault in rule.faults(entry)
                )
                draft.unique_values += tuple(rule.unique_values(entry))

    def row_judge(self, kind: Kind, path: str) -> JudgeRow | None:
        """Return a function that gets the key and the values of a listing in a file; None without rules for listings.

        It returns the listing's unique values with their names, or None if the listing has a problem.
        """
        rules = self.of(kind) if kind is Kind.LISTING else ()
        return partial(_judge_row, rules, Source(path)) if rules else None


def _judge_row(
    rules: Iterable[HouseRule], source: Source, key: str, values: Mapping[str, Any]
) -> Sequence[tuple[str, str]] | None:
    entry = Entry(Kind.LISTING, key, values, source)
    concerning = [rule for rule in rules if rule.concerns(entry)]
    if any(True for rule in concerning for _ in rule.faults(entry)):
        return None
    return [(unique.name, unique.value) for rule in concerning for unique in rule.unique_values(entry)]


class _RuleMaker:
    """Makes the rules of one kind, and collects what is wrong with them."""

    def __init__(self, rules: HouseRules, kind: Kind) -> None:
        config = rules.config
        self.problems: list[Problem] = []
        self._kind = kind
        self._source = config.source
        self._fields = FieldNames(kind, rules.definitions.get(kind), config.site.locales[1:], config.site.zone)
        self._names = rules.names
        self._incomplete_kinds = rules.incomplete_kinds
        # A rule may name a custom field that could not be read, which is an error of its own.
        self._may_lack_fields = kind in FIELDABLE and (
            Kind.CUSTOM_FIELD in rules.incomplete_kinds or bool(rules.broken_fields.get(kind))
        )

    def make(self, number: int, settings: RuleSettings) -> HouseRule | None:
        """Return a rule with what is right in it; None if a condition is wrong, or if it demands nothing."""
        if not any(getattr(settings, key) for key in DEMANDS):
            message = f"a rule needs one of {', '.join(DEMANDS)}"
            self.problems.append(Problem("bad-rule", message, self._where(number), "add one, or delete the table"))
            return None
        conditions = [*self._parts(number, "when", settings.when, self._condition)]
        if len(conditions) < len(settings.when):
            return None
        checks: list[Check] = []
        for key in DEMANDS[:-1]:
            checks += self._parts(number, key, getattr(settings, key), partial(self._check, key))
        name = f"rules.{number}"
        unique = self._parts(number, "unique", settings.unique, partial(self._unique, name, settings))
        return HouseRule(tuple(conditions), tuple(checks), tuple(unique), settings.severity, settings.message)

    def _parts(
        self,
        number: int,
        key: str,
        value: Mapping[str, Any] | Sequence[str],
        make: Callable[[Any, Any, Where], Part],
    ) -> Iterator[Part]:
        """Yield what `make` returns for each item of a list, or each key and value of a table, and its place."""
        for name, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            where = self._where(number, f".{key}.{name}")
            try:
                yield make(name, item, where)
            except UsageError as error:
                if not self._may_lack_fields:
                    self.problems.append(Problem("bad-rule", error.message, where, error.hint))

    def _find_keys(self, kind: Kind, name: str) -> Sequence[str]:
        return self._names[kind].find(name) if kind in self._names else ()

    def _where(self, number: int, key: str = "") -> Where:
        """Return the place of a rule, or of its `.key`: a kind has a single table, or an array of tables."""
        table = f"rules.{self._kind}"
        numbered = f"{table}.{number}"
        return self._source.where(f"{numbered if numbered in self._source.locations else table}{key}")

    def _condition(self, name: str | int, text: str, _where: Where) -> Condition:
        """Return the condition in a text, or that a field has a value, which may be empty."""
        if isinstance(name, int):
            (condition,) = parse_conditions([text], self._fields, self._find_keys)
            return self._with_known_reference(condition)
        named = self._fields.find(name)
        return self._equals(named, text) if text else missing_condition(named)

    def _equals(self, named: NamedField, text: str) -> Condition:
        return self._with_known_reference(make_condition(named, "=", text, self._find_keys))

    def _with_known_reference(self, condition: Condition) -> Condition:
        """Return the condition. Raise UsageError if it is that a field names an entry which does not exist."""
        kind = condition.field.referred_kind
        index = self._names.get(kind) if kind and condition.operator in ("=", "!=") and condition.text else None
        if index and condition.low not in index.keys and kind not in self._incomplete_kinds:
            raise UsageError(f"the folder has no {kind} '{condition.text}'", index.hint(condition.text))
        return condition

    def _check(self, key: str, name: str | int, value: Any, where: Where) -> Check:
        named = self._fields.find(value if isinstance(name, int) else name)
        if key == "require":
            return Required(named, where)
        if named.type is ValueType.OBJECT:
            raise UsageError(f"{named.name} is an object", f"write one of its keys, such as {named.name}.KEY")
        if key == "allowed":
            return Allowed(named, where, tuple(self._equals(named, text) for text in value))
        is_text = named.type is ValueType.TEXT
        if key == "pattern":
            if not is_text:
                raise UsageError(f"{named.name} is not a text", "write min, max or allowed for it")
            return Pattern(named, where, value)
        if is_text:
            if not value.isdecimal():
                hint = f"{key} of a text or a list is its length: write a whole number, such as 20"
                raise UsageError(f"'{value}' is not a number of characters or items", hint)
            return Length(named, where, int(value), is_least=key == "min")
        if named.type is ValueType.FLAG:
            raise UsageError(f"{named.name} is true or false", "write allowed for it")
        return Limit(named, where, make_condition(named, "<" if key == "min" else ">", value))

    def _unique(self, rule: str, settings: RuleSettings, _number: int, name: str, where: Where) -> Unique:
        named = self._fields.find(name)
        if named.type is ValueType.OBJECT:
            raise UsageError(f"{named.name} is an object", f"write one of its keys, such as {named.name}.KEY")
        hint = rule_hint(f"give one of them a different {named.name}", where)
        problem = Problem("rule-unique", settings.message, where, hint, settings.severity, subject=named.name)
        return Unique(named, f"{rule}.{named.name}", problem)
