"""How a create that finds a record is judged (docs/contract.md 10)."""

from collections.abc import Mapping
from typing import Any

from ...model import Context, Invalid, Kind, Values, Violation, check


def judge_upsert(kind: Kind, body: Mapping[str, Any], context: Context, stored: Values) -> Values:
    """The values of an update, for which the required fields of a create hold all the same; raises Invalid."""
    missing = [violation for violation in _required(kind, context) if violation.loc[0] not in body]
    try:
        values = check(kind, body, context, stored=stored)
    except Invalid as invalid:
        raise Invalid([*invalid.violations, *missing]) from invalid
    if missing:
        raise Invalid(missing)
    return values


def _required(kind: Kind, context: Context) -> list[Violation]:
    """What the model says of each field that a create may not leave out."""
    try:
        check(kind, {}, context)
    except Invalid as invalid:
        return [violation for violation in invalid.violations if violation.code == "required"]
    return []
