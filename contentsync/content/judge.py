"""Drafts before the model's rules: broken ones become problems at the place of the value."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from typing import Any

from pydantic import ValidationError

from ..model import FIELDABLE, Context, Invalid, Kind, Notes, Part, Values, Violation, check
from ..model.dates import clock_change
from ..model.field_types import Flag, Title
from ..model.suggestion import MAX_WORD
from ..model.urls import url_fault, url_key
from ..model.violation import violations_of
from .draft import Draft
from .hints import CustomFields, UnknownKey, is_given, untranslated_key_hint

_INSTANTS = ("published_at", "starts_at", "ends_at")


class _Notes(Part):
    """The `sync:` key of an entry (docs/content.md 9)."""

    skip: Flag = False
    protect: Flag = False
    previous: list[Title] = []


def judge(draft: Draft, context: Context, *, fields_known: bool) -> None:
    """Put the values into wire form, or tell what is wrong with them and leave them as they are.

    Unless all custom fields are known, a key that resembles nothing may be one of the others: it is left out.
    """
    try:
        draft.values = _checked(draft, context)
    except Invalid as invalid:
        undeclared = {violation.field for violation in invalid.violations if _may_be_custom(violation, draft)}
        if undeclared and not fields_known:
            draft.failed |= undeclared
            judge(draft, context, fields_known=True)
        else:
            broken = (it for it in invalid.violations if not draft.failed.intersection(it.loc[:1]))
            tell(draft, broken, context.custom_fields)


def take_notes(draft: Draft) -> None:
    """Move what `sync:` says from the values to the draft's notes."""
    given = draft.values.pop("sync", None)
    if given is None:
        return
    try:
        notes = _Notes.model_validate(given, context=Context(authored=True))
    except ValidationError as error:
        tell(draft, violations_of(error, _Notes, prefix=("sync",)), {})
        return
    previous = tuple(map(_key, notes.previous)) if draft.kind is Kind.LISTING else tuple(notes.previous)
    draft.notes = Notes(notes.skip, notes.protect, previous)


def tell(draft: Draft, violations: Iterable[Violation], custom_fields: CustomFields) -> None:
    """Make problems of violations; a field that is missing because its key is wrong is reported once, at the key.

    An unknown column is looked at in the first row of its table: looking for what was meant takes longer than reading.
    """
    meant: set[str] = set()
    missing: list[Violation] = []
    for violation in violations:
        if _is_of_empty_item(violation, draft):
            message = f"{violation.field} is an empty list item"
            draft.error("required", message, draft.where(violation.field), "delete it, or fill it in")
            continue
        is_top_key = violation.code == "unknown-key" and len(violation.loc) == 1
        if is_top_key and draft.unknown_columns and violation.field in draft.unknown_columns:
            problem, field = draft.unknown_columns[violation.field]
            meant.add(field)
            if draft.is_sound:
                draft.problems.append(problem)
            continue
        is_given_besides = _names_a_given_key(violation, draft)
        hint = f"delete it: {violation.meant} is also set" if is_given_besides else violation.hint
        if violation.code.startswith("required"):
            missing.append(violation)
            continue
        key = None
        if is_top_key:
            nearest = "" if is_given_besides else violation.meant
            key = UnknownKey(draft.kind, violation.field, nearest, _written(draft), custom_fields)
            meant.add(key.meant.removeprefix("!"))
            hint = key.hint if len(key.key) <= MAX_WORD else violation.hint
        elif violation.code == "unknown-key" and violation.loc[0] == "translations" and len(violation.loc) == 3:
            hint = untranslated_key_hint(draft.kind, hint)
        _tell(draft, violation, hint)
        if violation.code == "unknown-key":
            told = draft.problems[-1]
            is_long = len(str(violation.loc[-1])) > MAX_WORD
            setting = key.setting if key and not is_long else None
            draft.problems[-1] = replace(told, subject="" if is_long else violation.field, setting=setting)
        if key and draft.unknown_columns is not None:
            draft.unknown_columns[key.key] = draft.problems[-1], key.meant.removeprefix("!")
    for violation in missing:
        if violation.field not in meant:
            _tell(draft, violation, violation.hint)


def _is_of_empty_item(violation: Violation, draft: Draft) -> bool:
    inner: Any = draft.values
    for part in violation.loc:
        if isinstance(inner, list) and isinstance(part, int) and part < len(inner):
            inner = inner[part]
        elif isinstance(inner, dict):
            inner = inner.get(part)
        else:
            return False
    return bool(violation.loc) and isinstance(violation.loc[-1], int) and inner in (None, "")


def _written(draft: Draft) -> Values:
    """The values without the date of the file's name, which a date in the front matter is more than."""
    if "published_at" not in draft.values or "published_at" in draft.keys:
        return draft.values
    return {name: value for name, value in draft.values.items() if name != "published_at"}


def _names_a_given_key(violation: Violation, draft: Draft) -> bool:
    *way, _ = map(str, violation.loc or ("",))
    known = (*way, violation.meant)
    # A date may be given by the file's name alone.
    return bool(violation.meant) and is_given(known, draft.values) and ".".join(known) in draft.keys


def _tell(draft: Draft, violation: Violation, hint: str) -> None:
    place = draft.where_key if violation.of_key else draft.where
    draft.error(violation.code, violation.message, place(violation.field), hint)


def _checked(draft: Draft, context: Context) -> Values:
    given = draft.values
    if draft.failed:
        given = {name: value for name, value in given.items() if name not in draft.failed}
    return check(draft.kind, given, context)


def _may_be_custom(violation: Violation, draft: Draft) -> bool:
    top = violation.code == "unknown-key" and len(violation.loc) == 1
    return top and not violation.hint and draft.kind in FIELDABLE


def _key(previous: str) -> str:
    """The key of a listing that was known by a URL or a slug."""
    return previous if url_fault(previous) else url_key(previous)


def tell_clock_changes(draft: Draft, zone: tzinfo) -> None:
    """Warn of local times that exist twice or not at all in the site's zone; before they are put into wire form."""
    if zone is UTC:
        return
    for name in _INSTANTS:
        text = draft.values.get(name)
        try:
            moments = clock_change(text, zone) if isinstance(text, str) else None
        except ValueError:  # no date at all, which is told by the rules
            continue
        if moments:
            first, second = map(_shown, moments)
            message = f"{name}: the clocks change at {text} in {zone}, so the time may mean {first} or {second}"
            draft.warn("clock-change", message, draft.where(name), "write the one you mean")


def _shown(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%SZ}"
