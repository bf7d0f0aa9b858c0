"""Turn the body of a write into a complete record: validate it, and merge it over the stored values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import orjson

from ...model import FIELDABLE, RECORDS, Context, Definition, Invalid, Kind, Part, Values, Violation, validate
from ...model.kinds import ArticleSeo, PageSeo
from ..access import Directory
from .caching import cached_until_commit
from .sql import Connection, Row

Texts = dict[str, Any]
CreatedRecord = tuple[Row, bool]  # the row, and whether it is new

SEO: Mapping[Kind, type[Part]] = {Kind.PAGE: PageSeo, Kind.ARTICLE: ArticleSeo}

_DEFINITIONS = (
    "SELECT name, data FROM custom_fields WHERE directory_id = :directory AND fieldable_type = :of_kind"
    ' ORDER BY "order", id'
)


@dataclass(frozen=True, slots=True)
class RecordDraft:
    """A record that is about to be written."""

    body: Values  # the validated fields of the request
    values: Values  # every field: the body over the stored values or the defaults
    before: Values  # the stored values; empty on a create
    row: Row | None = None  # the stored row; None on a create


def context_for(connection: Connection, directory: Directory, kind: Kind, max_violations: int | None = None) -> Context:
    """Return the context for validation: the directory's languages and the custom fields of the kind.

    `max_violations` limits the violations that are reported of a record; None: all are reported.
    """
    return _context(connection, directory.id, directory.locales, kind, max_violations)


@cached_until_commit
def _context(
    connection: Connection, directory_id: int, locales: tuple[str, ...], kind: Kind, max_violations: int | None
) -> Context:
    """Return the context of the rules: the directory's languages, and the custom fields of the kind."""
    definitions: dict[Kind, Mapping[str, Definition]] = {}
    if kind in FIELDABLE:
        rows = connection.tuples(_DEFINITIONS, {"directory": directory_id, "of_kind": kind.value})
        definitions[kind] = {name: orjson.loads(data) for name, data in rows}
    return Context(locales=locales, custom_fields=definitions, max_violations=max_violations)


def validate_upsert(kind: Kind, body: Mapping[str, Any], context: Context, stored: Values) -> Values:
    """Validate a create whose record exists already (docs/contract.md 10), and return its values; raise Invalid.

    The body is validated as an update, but must have the required fields of a create.
    """
    missing = [violation for violation in _required_violations(kind, context) if violation.loc[0] not in body]
    try:
        values = validate(kind, body, context, stored=stored)
    except Invalid as invalid:
        raise Invalid([*invalid.violations, *missing]) from invalid
    if missing:
        raise Invalid(missing)
    return values


def _required_violations(kind: Kind, context: Context) -> list[Violation]:
    """Return the violations of an empty body that report its missing fields: all required fields of a create."""
    empty_body: Values = {}
    try:
        validate(kind, empty_body, context)
    except Invalid as invalid:
        return [violation for violation in invalid.violations if violation.code == "required"]
    return []


def merge_seo(kind: Kind, stored: Texts | None, sent: Texts | None) -> Texts:
    """Return the kind's SEO object with every key: sent values over stored values; `sent=None` clears all of them."""
    blank: Texts = dict.fromkeys(SEO[kind].rules())
    return {**blank, **(stored or {}), **(blank if sent is None else sent)}


def merge_translations(stored: Mapping[str, Texts], sent: Mapping[str, Texts | None]) -> dict[str, Texts]:
    """Return sent over stored texts, by language; null removes a text or a whole language (docs/contract.md 17)."""
    merged = dict(stored)
    for locale, texts in sent.items():
        merged[locale] = {} if texts is None else _merge_texts(merged.get(locale, {}), texts)
    return {locale: texts for locale, texts in merged.items() if texts}


def with_translation(kind: Kind, values: Texts, seo: Texts, texts: Texts) -> tuple[Texts, Texts]:
    """Return a record's fields and SEO with the texts of a translation in place of the default language's."""
    fields = {name: text for name, text in texts.items() if name in RECORDS[kind].translated and name != "seo"}
    if kind is Kind.ARTICLE and {"markdown", "content"} & fields.keys():  # the translation has its own format
        fields["is_markdown"] = bool(fields.get("markdown"))
    return {**values, **fields}, {**seo, **texts.get("seo", {})}


def _merge_texts(stored: Texts, sent: Texts) -> Texts:
    merged = dict(stored)
    for name, text in sent.items():
        merged[name] = _merge_texts(merged.get(name, {}), text) if isinstance(text, dict) else text
    return {name: text for name, text in merged.items() if text not in (None, {})}
