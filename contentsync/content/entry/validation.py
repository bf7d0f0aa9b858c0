"""Validate drafts by the model's rules, and report a problem at the location of each wrong or doubtful value."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from pydantic import ValidationError

from ...errors import Fix, Setting
from ...model import FIELDABLE, Context, Invalid, Kind, Notes, Part, Values, Violation, validate
from ...model.field_types import Flag, Text, Title
from ...model.scalar import clock_change, parse_number
from ...model.suggestion import MAX_LENGTH, MAX_WORD, did_you_mean_text, list_hint, plain_date
from ...model.urls import url_fault, url_key, without_doubled_scheme
from ...model.violation import violations_from
from ..config.collection_settings import CollectionSettings
from ..config.unknown_keys import CustomFields, UnknownKey, content_table, untranslated_key_hint
from ..files.content_folder import CONFIG
from ..formats.draft import ABSENT, BODY_FIELDS, Draft, value_at
from ..formats.table_rows import TABLE_SUFFIXES
from .key_mapping import LIST_FIELDS

# The fields of each kind that are an instant. A custom field with one of these names is not.
_INSTANTS: Mapping[Kind, tuple[str, ...]] = {Kind.ARTICLE: ("published_at",), Kind.LISTING: ("starts_at", "ends_at")}


class _SyncNotes(Part):
    """The `sync:` key of an entry (docs/content.md 9)."""

    skip: Flag = False
    protect: Flag = False
    previous: list[Title] = []
    merged: list[Title] = []


class _ListingNotes(_SyncNotes):
    """The `sync:` key of a listing."""

    distinct: list[Text] = []


def validate_draft(draft: Draft, context: Context, *, fields_known: bool) -> None:
    """Convert the values of a draft to the wire format, or report violations and leave the values as they are.

    Without `fields_known`, an unknown key that resembles no field is skipped, because it may be a custom field.
    """
    if draft.unknown_columns:  # an earlier row of the table has reported them
        draft.has_error_elsewhere = True
        draft.values = _without(draft.values, draft.unknown_columns)
    if None in draft.values.values():
        draft.emptied = frozenset(name for name, value in draft.values.items() if value is None)
    try:
        draft.values = validate(draft.kind, _without(draft.values, draft.failed_fields), context)
    except Invalid as invalid:
        undeclared = {violation.field for violation in invalid.violations if _may_be_custom(violation, draft)}
        if undeclared and not fields_known:
            draft.failed_fields |= undeclared
            validate_draft(draft, context, fields_known=True)  # again, without these keys
            return
        unreported = (
            violation for violation in invalid.violations if not draft.failed_fields.intersection(violation.loc[:1])
        )
        add_violations(draft, unreported, context.custom_fields)


def _without(values: Values, names: Collection[str]) -> Values:
    return {name: value for name, value in values.items() if name not in names} if names else values


def extract_notes(draft: Draft) -> None:
    """Move the value of `sync:` to the draft's notes; if something in it is wrong, report that and set no notes."""
    values = draft.values.pop("sync", None)
    if values is None:
        return
    type_ = _ListingNotes if draft.kind is Kind.LISTING else _SyncNotes
    try:
        notes = type_.from_values(values, Context(authored=True))
    except ValidationError as error:
        add_violations(draft, violations_from(error, type_, prefix=("sync",)), custom_fields={})
        return
    draft.notes = Notes(notes.skip, notes.protect, tuple(notes.previous), merged=tuple(notes.merged))
    if isinstance(notes, _ListingNotes):
        named = (notes.previous, notes.distinct, notes.merged)
        previous, distinct, merged = (tuple(map(listing_key, keys)) for keys in named)
        draft.notes = draft.notes._replace(previous=previous, distinct=distinct, merged=merged)


def add_violations(draft: Draft, violations: Iterable[Violation], custom_fields: CustomFields) -> None:
    """Add a problem for each violation. A field is not reported as missing if an unknown key means it.

    Only the first row of a table has violations for its unknown columns, since the search for similar keys takes longer
    than reading a row. For the other rows, `draft.unknown_columns` has the field that each of these columns means.
    """
    intended_fields = {*(draft.unknown_columns or {}).values()}
    missing: list[Violation] = []
    for violation in violations:
        if _is_of_empty_item(violation, draft):
            message = f"{violation.field} is an empty list item"
            draft.error("required", message, draft.where(violation.field), "delete it, or fill it in")
        elif violation.code.startswith("required"):
            missing.append(violation)
        elif violation.code == "unknown-key":
            intended_fields.add(_add_unknown_key(draft, violation, custom_fields))
        else:
            _add_violation(draft, violation, violation.hint)
    for violation in missing:
        if violation.field in intended_fields:
            continue
        column_hint = _missing_column_hint(draft, violation.field)
        _add_violation(draft, violation, violation.hint or column_hint)
        if column_hint and draft.unknown_columns is not None and violation.code == "required":
            draft.unknown_columns[violation.field] = violation.field  # one missing column is one error, not one per row


def _add_unknown_key(draft: Draft, violation: Violation, custom_fields: CustomFields) -> str:
    """Report an unknown key, and return the field that it means; "" if it means none or is inside of an object."""
    is_long = len(str(violation.loc[-1])) > MAX_WORD  # then it is not shown, nor compared with other keys
    is_also_set = _is_meant_key_set(violation, draft)
    setting: Setting | None = None
    intended_field = ""
    if len(violation.loc) == 1:
        nearest = "" if is_also_set else violation.meant_key
        written = _column_in(draft, violation.field)
        key = UnknownKey(draft.kind, violation.field, nearest, _authored_values(draft), custom_fields, written)
        intended_field = key.intended_field.removeprefix("!")
        hint = violation.hint if is_long else key.hint  # which also explains keys of other generators
        setting = None if is_long else key.setting
        if draft.unknown_columns is not None:
            draft.unknown_columns[key.key] = intended_field
    else:
        hint = f"delete it: {violation.meant_key} is also set" if is_also_set else violation.hint
        if violation.loc[0] == "translations" and len(violation.loc) == 3:  # a key of one language
            hint = untranslated_key_hint(draft.kind, hint)
    is_suggested = hint == did_you_mean_text(violation.meant)  # and no other field, nor to delete the key
    _add_violation(draft, violation if is_suggested else replace(violation, meant=""), hint)
    draft.problems[-1] = replace(draft.problems[-1], subject="" if is_long else violation.field, setting=setting)
    return intended_field


def _column_in(draft: Draft, name: str) -> str:
    """Return the name of the only column of a table that is inside of an object, such as `Web.Site`; else ""."""
    if draft.unknown_columns is None or not isinstance(draft.values.get(name), dict):
        return ""
    columns = [column for column in draft.key_locations if column.startswith(f"{name}.")]
    return columns[0] if len(columns) == 1 else ""


def _missing_column_hint(draft: Draft, field: str) -> str:
    """Return the hint for a field for which a table has no column; "" for a cell, and for other files."""
    is_table = draft.path.lower().endswith(TABLE_SUFFIXES)
    if not is_table or field in draft.key_locations:
        return ""
    table = content_table(draft.kind)
    return f'add a column {field}, or set rename = {{ COLUMN = "{field}" }} under [{table}] in {CONFIG}'


def _is_of_empty_item(violation: Violation, draft: Draft) -> bool:
    """Return whether a violation is about an empty item of a list."""
    if not violation.loc or not isinstance(violation.loc[-1], int):
        return False
    return value_at(draft.values, violation.loc) in (None, "")


def _authored_values(draft: Draft) -> Values:
    """Return the values without a date that comes from the file name, which one in the front matter may replace."""
    if "published_at" not in draft.values or "published_at" in draft.key_locations:
        return draft.values
    return {name: value for name, value in draft.values.items() if name != "published_at"}


def _is_meant_key_set(violation: Violation, draft: Draft) -> bool:
    """Return whether the key that an unknown key probably means is in the file too."""
    *parents, _unknown_key = map(str, violation.loc or ("",))
    path = (*parents, violation.meant_key)
    if not violation.meant_key or value_at(draft.values, path) is ABSENT:
        return False
    return ".".join(path) in draft.key_locations  # a date may come from the file's name only


def _add_violation(draft: Draft, violation: Violation, hint: str) -> None:
    where = (draft.where_key if violation.is_about_key else draft.where)(violation.field)
    old = violation.loc[-1] if violation.is_about_key else value_at(draft.values, violation.loc)
    fix = Fix(where, old, violation.meant) if violation.meant and isinstance(old, str) else None
    draft.error(violation.code, violation.message, where, hint, fix)


def _may_be_custom(violation: Violation, draft: Draft) -> bool:
    """Return whether a violation is an unknown key of the entry that is similar to no field."""
    is_top_key = violation.code == "unknown-key" and len(violation.loc) == 1
    return is_top_key and not violation.hint and draft.kind in FIELDABLE


def listing_key(name: str) -> str:
    """Return the key of a listing for a URL or slug in a note."""
    return name if url_fault(name) else url_key(name)


def warn_of_clock_changes(draft: Draft, zone: tzinfo) -> None:
    """Warn of times that exist twice or not at all in the time zone, because its clocks change.

    Call it before the values are converted to the wire format.
    """
    if zone is UTC:
        return
    for name in _INSTANTS.get(draft.kind, ()):
        text = draft.values.get(name)
        try:
            moments = clock_change(text, zone) if isinstance(text, str) else None
        except ValueError:  # not a date, which the rules report
            continue
        if moments:
            first, second = map(_utc_text, moments)
            message = f"{name}: the clocks change at {text} in {zone}, so the time may mean {first} or {second}"
            draft.warn("clock-change", message, draft.where(name), "write the one you mean")


def _utc_text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"


def warn_of_doubled_schemes(draft: Draft) -> None:
    """Warn of each value, also in lists and objects, that is a URL with two schemes, such as `http://https://x.org`.

    Such a URL is valid, but leads to the host `https`.
    """
    for name, text in _addresses_in(draft.values, ""):
        if meant := without_doubled_scheme(text):
            message = f"{name} has two schemes, so its host is '{text.split('/')[2].rstrip(':')}'"
            fix = Fix(where := draft.where(name), text, meant)
            draft.warn("doubled-scheme", message, where, did_you_mean_text(meant), fix=fix)


def _addresses_in(values: dict[str, Any] | list[Any], prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the dotted name and the text of each nested value that begins with `http`. This must be fast."""
    for key, value in values.items() if isinstance(values, dict) else enumerate(values):
        if isinstance(value, str):
            if value[:4].lower() == "http":
                yield f"{prefix}{key}", value
        elif isinstance(value, dict | list):
            yield from _addresses_in(value, f"{prefix}{key}.")


# The setting by which an author who means single values hides the warning, and how to write it.
_IGNORE_SINGLE_VALUES = Setting("warnings", "ignore", "single-value")
_IGNORE_LINE = 'ignore = ["single-value"] under [warnings] in contentsync.toml'


def wrap_single_values(draft: Draft) -> None:
    """Turn a single text in a list field into a list with one item, and warn of it; custom fields stay as they are.

    Call this before validation.
    """
    for name in LIST_FIELDS[draft.kind]:
        value = draft.values.get(name)
        if isinstance(value, str):
            draft.values[name] = [value]
            message = f"{name} is a list: the single value is read as a list with one item"
            hint = f"{list_hint(value)}, or set {_IGNORE_LINE}"
            draft.warn("single-value", message, draft.where(name), hint, setting=_IGNORE_SINGLE_VALUES)


def read_plain_dates(draft: Draft, date_fields: Iterable[str]) -> None:
    """Write the dates of a draft that have one reading, such as `25 Aug 2024`, in the accepted form.

    `date_fields` are its custom fields of the type `date`. Call this before `identify`, which may need a date.
    """
    values = draft.values
    for name in (*_INSTANTS.get(draft.kind, ()), *date_fields):
        text = values.get(name)
        if isinstance(text, str) and (date := plain_date(text, with_time=name not in date_fields)):
            values[name] = date


_INSTANTS = {Kind.ARTICLE: ("published_at",), Kind.LISTING: ("starts_at", "ends_at")}


def join_keywords(draft: Draft) -> None:
    """Turn a list of texts in `seo.keywords` into one text, as other generators write keywords as a list.

    Call this before validation.
    """
    seo = draft.values.get("seo")
    keywords = seo.get("keywords") if isinstance(seo, dict) else None
    if isinstance(seo, dict) and isinstance(keywords, list) and all(isinstance(word, str) for word in keywords):
        seo["keywords"] = ", ".join(word.strip() for word in keywords if word.strip()) or None


_ITEM_CODES = frozenset({"unknown-reference", "unchecked-reference", "not-a-choice", "bad-url"})


def add_coordinate_hints(draft: Draft) -> None:
    """Add a hint if latitude and longitude look swapped.

    Call it after validation: it examines only drafts with problems.
    """
    if not draft.problems or draft.kind is not Kind.LISTING:
        return
    latitude, longitude = (_coordinate(draft.values.get(name)) for name in ("latitude", "longitude"))
    if latitude is None or longitude is None:
        return
    look_swapped = abs(longitude) <= 90 < abs(latitude) <= 180
    if not look_swapped:
        return
    where = draft.where("latitude")
    for index, problem in enumerate(draft.problems):
        if problem.code == "out-of-range" and problem.where == where:
            draft.problems[index] = replace(problem, hint="latitude and longitude look swapped")


def add_separator_hints(draft: Draft, collection: CollectionSettings) -> None:
    """Suggest the table's list separator for a list cell with an unknown value that contains commas or semicolons.

    Call it after references are resolved: it examines only drafts with problems.
    """
    if not draft.problems or not any(problem.code in _ITEM_CODES for problem in draft.problems):
        return
    if not draft.path.lower().endswith(TABLE_SUFFIXES):
        return
    separator = collection.table_format(draft.path).list_separator
    fields_by_location = {draft.where(name): (name, value) for name, value in draft.values.items()}
    for index, problem in enumerate(draft.problems):
        if problem.code not in _ITEM_CODES:
            continue
        name, value = fields_by_location.get(problem.where, ("", None))
        # A custom list in a cell is still one text here. Only its problem shows that it is a list: it names item 0.
        is_custom_list = problem.message.startswith(f"{name}.0 ")
        is_list = isinstance(value, list) or is_custom_list
        item = value[0] if isinstance(value, list) and len(value) == 1 else value
        if is_list and isinstance(item, str) and len(item) <= MAX_LENGTH:
            parts = [part.strip() for part in re.split("[;,]", item) if part.strip()]
            if len(parts) > 1:
                hint = f"if these are several values, separate them with {separator}: {separator.join(parts)}"
                draft.problems[index] = replace(problem, hint=hint)


def _coordinate(value: object) -> float | None:
    """Return the number of a latitude or longitude as a file writes it, perhaps as a text; None if it is no number."""
    if isinstance(value, str):
        return parse_number(value)
    return value if isinstance(value, int | float) else None


def skip_empty_article(draft: Draft) -> None:
    """Mark an article without a text as skipped. It still counts as present, so that a sync does not delete it.

    Call it before validation. The placeholder for the missing text is never sent.
    """
    if draft.failed_fields.isdisjoint(BODY_FIELDS) and not any(draft.values.get(name) for name in BODY_FIELDS):
        draft.values["markdown"] = "-"
        draft.notes = draft.notes._replace(skip=True)
