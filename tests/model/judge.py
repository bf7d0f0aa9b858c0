"""A short call of `check`, for tests of rules."""

from collections.abc import Mapping
from typing import Any

from contentsync.model import WIRE_FORM, Context, Invalid, Kind, Violation, validate

# What a create must give at least, for each kind.
LEAST: Mapping[Kind, Mapping[str, Any]] = {
    Kind.CATEGORY: {"title": "Tools"},
    Kind.TAG: {"title": "Free"},
    Kind.CUSTOM_FIELD: {"label": "Licence", "type": "text"},
    Kind.ORGANIZER: {"name": "Harbour Lane"},
    Kind.LISTING: {"name": "Lathe"},
    Kind.PAGE: {"title": "About"},
    Kind.ARTICLE: {"title": "News", "markdown": "Text"},
}

FILE = Context(authored=True)
BILINGUAL = Context(locales=("en", "fr"))


def least(kind: Kind, /, **more: Any) -> dict[str, Any]:
    """Return the required fields of a create, with other fields added."""
    return {**LEAST[kind], **more}


def violations(
    kind: Kind, values: Mapping[str, Any], context: Context = WIRE_FORM, stored: Mapping[str, Any] | None = None
) -> tuple[Violation, ...]:
    """Return every rule that the values break."""
    try:
        validate(kind, values, context, stored=stored)
    except Invalid as invalid:
        return invalid.violations
    return ()


def faults(
    kind: Kind, values: Mapping[str, Any], context: Context = WIRE_FORM, stored: Mapping[str, Any] | None = None
) -> set[tuple[str, str]]:
    """Return field and code of every rule that the values break; empty if they are valid."""
    return {(violation.field, violation.code) for violation in violations(kind, values, context, stored)}
