"""One judge for both sides: the values of an entry, or every rule that it breaks."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from .article import Article
from .category import Category
from .context import Context, Definition
from .custom_field import CustomField
from .custom_value import check_value
from .kind import Kind
from .listing import Listing
from .organizer import Organizer
from .page import Page
from .record import Clash, Record
from .slug import make_name, make_slug
from .tag import Tag
from .telling import violations_of
from .violation import Invalid, Violation

RECORDS: Mapping[Kind, type[Record]] = {
    model.kind: model for model in (Category, Tag, CustomField, Organizer, Listing, Page, Article)
}

Values = dict[str, Any]


def check(kind: Kind, given: Mapping[str, Any], context: Context, *, stored: Mapping[str, Any] | None = None) -> Values:
    """The given values in their wire form, or Invalid with everything that is wrong with them.

    Without `stored` the values must make a whole new entry; with it they change that one, and only given
    fields are returned. Custom field values ride as flat keys, in and out. A create without its key field
    (slug, name) must be able to make one, but it is not put in: the caller decides about clashes.
    """
    model = RECORDS[kind]
    definitions = context.custom_fields.get(kind)
    own = {key: value for key, value in given.items() if key not in definitions} if definitions else given
    judging = model if stored is None else model.changes()
    values, violations = _checked_fields(judging, own, context, definitions or ())
    if violations and not all(violation.loc for violation in violations):
        raise Invalid(violations)  # of the entry as a whole: nothing is known of its fields
    if definitions:
        extra, broken = _checked_extras(definitions, given, context, creating=stored is None)
        values |= extra
        violations += broken

    whole = values if stored is None else {**_base(model, stored), **values}
    clashes = list(model.clashes(whole))
    if stored is None and not whole.get(model.key_field):
        clashes += _keyless(model, whole)
    if clashes:
        failed = {violation.loc[0] for violation in violations}
        violations += [
            Violation(clash.code, clash.involved[:1], clash.message, clash.hint)
            for clash in clashes
            if failed.isdisjoint(clash.involved)
        ]
    if violations:
        raise Invalid(violations)
    return values


def make_key(kind: Kind, values: Mapping[str, Any]) -> str:
    """The slug (of a custom field: the name) that the values give or that is made of their title; may be empty."""
    model = RECORDS[kind]
    given = values.get(model.key_field)
    if given:
        return str(given)
    return key_of_title(kind, str(values.get(model.title_field) or ""))


def key_of_title(kind: Kind, title: str) -> str:
    """The slug (of a custom field: the name) that is made of a title; may be empty."""
    return make_name(title) if kind is Kind.CUSTOM_FIELD else make_slug(title)


def _base(model: type[Record], stored: Mapping[str, Any]) -> Mapping[str, Any]:
    if model is Article:
        # The content rule looks at the body of an update, not at what is stored (docs/contract.md 4.2.4).
        return {key: value for key, value in stored.items() if key not in ("content", "markdown")}
    return stored


def _keyless(model: type[Record], values: Mapping[str, Any]) -> Iterator[Clash]:
    title = model.title_field
    if title in values and not make_key(model.kind, values):
        yield Clash(
            f"no-{model.key_field}",
            (model.key_field, title),
            f"no {model.key_field} can be made from the {title}",
            f"set {model.key_field}",
        )


def _checked_fields(
    model: type[Record], given: Mapping[str, Any], context: Context, definitions: Iterable[str]
) -> tuple[Values, list[Violation]]:
    try:
        return model.judged(given, context), []
    except ValidationError as error:
        violations = violations_of(error, model, extra=definitions, most=context.told)
    # What is right is judged further, so that all problems show at once.
    failed = {violation.loc[0] for violation in violations if violation.loc}
    rest = {key: value for key, value in given.items() if key not in failed}
    try:
        return model.changes().judged(rest, context), violations
    except ValidationError:
        return {}, violations


def _checked_extras(
    definitions: Mapping[str, Definition], given: Mapping[str, Any], context: Context, *, creating: bool
) -> tuple[Values, list[Violation]]:
    values: Values = {}
    violations: list[Violation] = []
    for name, definition in definitions.items():
        if name in given:
            try:
                values[name] = check_value(name, definition, given[name], context)
            except Invalid as invalid:
                violations += invalid.violations
        elif creating and definition.get("is_required"):
            violations.append(Violation("required", (name,), f"{name} is required"))
    return values, violations
