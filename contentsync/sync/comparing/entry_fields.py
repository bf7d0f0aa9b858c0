"""The fields of an entry by dotted name, and how to rename its references."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...model import FIELDABLE, RECORDS, REFERRED_KINDS, Entry, EntryKey, Kind, Reference
from ...model.references import map_references

FieldValues = tuple[str, Any, Any]  # dotted name of a field, its stored value, its desired value
BODIES = frozenset({"markdown", "content"})
ARTICLE_TEXTS = BODIES | {"is_markdown"}  # they decide which text an article shows, and are sent together
KEYED_KINDS = REFERRED_KINDS | {Kind.CUSTOM_FIELD}  # other entries contain the keys of their entries


def is_custom(kind: Kind, name: str) -> bool:
    """Return whether a field (dotted name) of a kind is a custom field."""
    return kind in FIELDABLE and "." not in name and name not in RECORDS[kind].rules()


def authored_fields(entry: Entry, actual: Entry | None) -> Iterator[FieldValues]:
    """Yield each field that an entry sets: dotted name (such as `seo.title`), stored value and desired value.

    `actual` is the server's record; None: the server has no such record. Leave out a translation that is equal to the
    default text if the server has no such translation: it shows the default text anyway. Derive `is_markdown` (which
    text an article shows) from the text that is set, unless the entry sets it.
    """
    fields = _all_fields(entry, actual.fields if actual else {})
    return _article_fields(fields, entry, actual) if entry.kind is Kind.ARTICLE else fields


def _article_fields(fields: Iterable[FieldValues], entry: Entry, actual: Entry | None) -> Iterator[FieldValues]:
    """Yield the fields, with `is_markdown` as it follows from the text that the article sets, if it sets one."""
    yield from (values for values in fields if values[0] != "is_markdown")
    if not BODIES.isdisjoint(entry.fields):
        stored = actual.fields.get("is_markdown") if actual else None
        if actual is None or isinstance(stored, bool):  # not every service returns it
            yield "is_markdown", stored, entry.fields.get("is_markdown", bool(entry.fields.get("markdown")))


def is_authored(desired: Entry, name: str) -> bool:
    """Return whether the folder sets a field (dotted name), also by null for the object around it."""
    value: Any = desired.fields
    for part in name.split("."):
        if value is None:
            return True
        if not isinstance(value, Mapping) or part not in value:
            return False
        value = value[part]
    return True


def is_unknown(actual: Entry, name: str) -> bool:
    """Return whether the service does not return a field (dotted name), so that its value on the server is unknown."""
    if not actual.unknown:
        return False
    first, _, rest = name.partition(".")
    return first in actual.unknown or f"{first}.{rest.partition('.')[0]}" in actual.unknown


def _all_fields(entry: Entry, actual: Mapping[str, Any]) -> Iterator[FieldValues]:
    """Yield each field that an entry sets, as `authored_fields` does; `actual` are the record's fields."""
    # An undo, whose entries have no file, also restores a translation that is equal to the default text.
    default = entry.fields if entry.source else {}
    for name, value in entry.fields.items():
        stored = actual.get(name)
        if name == "seo":
            yield from _nested("seo", stored, value)
        elif name == "translations":
            for locale, texts in value.items():
                yield from _translation(f"translations.{locale}", _mapping_or_empty(stored).get(locale), texts, default)
        else:
            yield name, stored, value


def _translation(
    prefix: str, stored: Any, desired: Mapping[str, Any] | None, default: Mapping[str, Any]
) -> Iterator[FieldValues]:
    """Yield the texts of one language; `default` are the entry's texts in the default language.

    Leave out a text that the server does not store and whose desired value is the default text.
    """
    for name, stored_text, desired_text in _nested(prefix, stored, desired):
        if name == f"{prefix}.seo":
            texts = _nested(name, stored_text, desired_text)
            yield from _without_unstored_defaults(texts, _mapping_or_empty(default.get("seo")))
        else:
            yield from _without_unstored_defaults([(name, stored_text, desired_text)], default)


def _without_unstored_defaults(texts: Iterable[FieldValues], default: Mapping[str, Any]) -> Iterator[FieldValues]:
    """Yield the texts except those whose desired value is the default text and that the server does not store."""
    for name, stored, desired in texts:
        field = name.rpartition(".")[2]
        if stored is not None or field not in default or desired != default[field]:
            yield name, stored, desired


def _nested(prefix: str, stored: Any, desired: Mapping[str, Any] | None) -> Iterator[FieldValues]:
    """Yield the fields of an object with the dotted name `prefix`; None, a null object, sets all stored to null."""
    stored_values = _mapping_or_empty(stored)
    if desired is None:
        desired = dict.fromkeys(stored_values)
    for name, value in desired.items():
        yield f"{prefix}.{name}", stored_values.get(name), value


def _mapping_or_empty(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


KeyNames = Mapping[EntryKey, str]  # the new key of an entry, by its kind and old key


def rename_references(entry: Entry, keys: KeyNames) -> Entry:
    """Return an entry with its references and custom fields renamed by `keys`; itself if `keys` is empty."""
    if not keys:
        return entry
    entry = map_references(entry, lambda kind, key: _rename(keys, kind, key))

    def new_name(name: str) -> str:
        """Return the new name of a custom field; that of another field stays."""
        return keys.get((Kind.CUSTOM_FIELD, name), name) if is_custom(entry.kind, name) else name

    if entry.kind in FIELDABLE and any((Kind.CUSTOM_FIELD, name) in keys for name in entry.fields):
        entry = replace(entry, fields={new_name(name): value for name, value in entry.fields.items()})
    if entry.unknown:
        entry = replace(entry, unknown=frozenset(map(new_name, entry.unknown)))
    return entry


def _rename(keys: KeyNames, kind: Kind, key: str) -> str:
    """Return the new key of an entry, with the id of the reference if it has one; the key itself if it is not new."""
    new_key = keys.get((kind, key))
    if new_key is None:
        return key
    return Reference(new_key, key.id if isinstance(key, Reference) else None)
