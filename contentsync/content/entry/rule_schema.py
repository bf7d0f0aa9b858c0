"""House rules in the JSON Schema of a kind, as far as a schema can express them without refusing a valid file."""

from collections.abc import Collection, Iterable

from ...errors import Severity
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS, Kind
from ...model.file_schema import choice_schema
from ...model.json_schema import Schema
from ...model.named_fields import ValueType
from .rule_checks import Allowed, Check, HouseRule, Length, Limit, Pattern, Required

_EMPTY: Schema = {"enum": [None, "", [], {}]}  # which no rule judges
# Syntax that JavaScript lacks or reads differently, such as `\w`, which has only ASCII letters there.
_NOT_OF_JAVASCRIPT = lazy_pattern(r"\(\?(?!:)|\\[^sSnrt.*+?^$(){}\[\]|/\\-]|\[\[|&&")
# Fields that an entry may get from its path, its text or another field.
_FROM_ELSEWHERE = frozenset({"published_at", "markdown", "content", "categories"})


def add_rules(
    schema: Schema, kind: Kind, rules: Iterable[HouseRule], *, set_elsewhere: Collection[str], changed: Collection[str]
) -> None:
    """Add the rules without conditions whose level is `error` to the schema of a kind, in place.

    `set_elsewhere` are fields that an entry may get without its key, and `changed` those whose value may differ from
    the one in the file.
    """
    entry = schema.get("$defs", {}).get("entry", schema)
    record = RECORDS[kind]
    not_required = {record.key_field, record.title_field, *_FROM_ELSEWHERE, *set_elsewhere}
    checks = (
        check
        for rule in rules
        if rule.severity is Severity.ERROR and not rule.conditions
        for check in rule.checks
        if check.field.name in entry["properties"]  # not inside of an object
    )
    for check in checks:
        name = check.field.name
        constraint = _constraint(check)
        if isinstance(check, Required) and name not in not_required:
            entry["required"] = [*dict.fromkeys((*entry["required"], name))]
        elif constraint and name not in changed and "anyOf" not in entry["properties"][name]:
            entry["properties"][name].setdefault("allOf", []).append({"anyOf": [_EMPTY, constraint]})


def _constraint(check: Check) -> Schema | None:
    """Return the schema of the values that a check accepts; None if a schema cannot express it."""
    if isinstance(check, Length):
        limit = "min" if check.is_least else "max"
        return {
            "if": {"type": "array"},
            "then": {f"{limit}Items": check.limit},
            "else": {f"{limit}Length": check.limit},
        }
    if isinstance(check, Limit) and check.field.type is ValueType.NUMBER:
        return {"minimum" if check.condition.operator == "<" else "maximum": check.condition.low}
    if check.field.type is not ValueType.TEXT or check.field.referred_kind:
        return None
    if isinstance(check, Pattern) and not _NOT_OF_JAVASCRIPT.search(check.pattern):
        return _of_items({"pattern": check.pattern})
    if isinstance(check, Allowed):
        return _of_items(choice_schema([condition.text for condition in check.conditions]))
    return None


def _of_items(schema: Schema) -> Schema:
    return {"if": {"type": "array"}, "then": {"items": {"anyOf": [_EMPTY, schema]}}, "else": schema}
