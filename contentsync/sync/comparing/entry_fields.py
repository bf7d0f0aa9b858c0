"""The fields of an entry by dotted name, and its references under other keys."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...model import FIELDABLE, RECORDS, Entry, Kind, Reference

Identity = tuple[Kind, str]
BODIES = frozenset({"markdown", "content"})
REFERRED_KINDS = frozenset(
    {Kind.CUSTOM_FIELD, *(kind for model in RECORDS.values() for kind in model.references.values())}
)


def is_custom(kind: Kind, name: str) -> bool:
    """Return whether a field of a record is a custom field."""
    return kind in FIELDABLE and "." not in name and name not in RECORDS[kind].rules()


def authored_fields(entry: Entry, actual: Entry | None) -> Iterator[tuple[str, Any, Any]]:
    """Yield each field that an entry sets: dotted name (such as `seo.title`), stored value and desired value.

    Leave out a translation that is equal to the default text if the server has none: the server shows the default text
    anyway. Which of its texts an article shows follows from the text that is set, unless an undo says which.
    """
    is_article = entry.kind is Kind.ARTICLE
    for name, stored, desired in _pairs(entry, actual.fields if actual else {}):
        if not is_article or name != "is_markdown":
            yield name, stored, desired
    if is_article and not BODIES.isdisjoint(entry.fields):
        stored = actual.fields.get("is_markdown") if actual else None
        if actual is None or isinstance(stored, bool):  # not every service returns it
            yield "is_markdown", stored, entry.fields.get("is_markdown", bool(entry.fields.get("markdown")))


def is_authored(desired: Entry, name: str) -> bool:
    """Return whether the folder sets a field (dotted name), also by null for the object around it."""
    found: Any = desired.fields
    for part in name.split("."):
        if found is None:
            return True
        if not isinstance(found, Mapping) or part not in found:
            return False
        found = found[part]
    return True


def is_unknown(actual: Entry, name: str) -> bool:
    """Return whether the service does not return a field (dotted name), so that its value there is not known."""
    if not actual.unknown:
        return False
    first, _, rest = name.partition(".")
    return first in actual.unknown or f"{first}.{rest.partition('.')[0]}" in actual.unknown


def value_at(fields: Mapping[str, Any], name: str) -> Any:
    """Return the value under a dotted name; None if there is none."""
    found: Any = fields
    for part in name.split("."):
        if not isinstance(found, Mapping):
            return None
        found = found.get(part)
    return found


def _pairs(entry: Entry, actual: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    # An undo, whose entries have no file, also restores a translation that is the default's text.
    desired, default = entry.fields, entry.fields if entry.source else {}
    for name, value in desired.items():
        stored = actual.get(name)
        if name == "seo":
            yield from _nested("seo", value, stored)
        elif name == "translations":
            for locale, texts in value.items():
                yield from _translation(f"translations.{locale}", texts, _object(stored).get(locale), default)
        else:
            yield name, stored, value


def _translation(
    prefix: str, desired: Mapping[str, Any] | None, actual: Any, default: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    for name, before, after in _nested(prefix, desired, actual):
        if name == f"{prefix}.seo":
            yield from _untranslated(_nested(name, after, before), _object(default.get("seo")))
        else:
            yield from _untranslated([(name, before, after)], default)


def _untranslated(pairs: Iterable[tuple[str, Any, Any]], default: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Yield the fields without texts that are equal to the default text where the server has none."""
    for name, before, after in pairs:
        plain = name.rpartition(".")[2]
        if before is not None or plain not in default or after != default[plain]:
            yield name, before, after


def _nested(prefix: str, desired: Mapping[str, Any] | None, actual: Any) -> Iterator[tuple[str, Any, Any]]:
    stored = _object(actual)
    if desired is None:  # null removes all of it
        desired = dict.fromkeys(stored)
    for name, value in desired.items():
        yield f"{prefix}.{name}", stored.get(name), value


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


KeyNames = Mapping[Identity, str]  # another key for the entry of this kind and key


def rename_references(entry: Entry, keys: KeyNames) -> Entry:
    """Return an entry with its references and custom fields renamed; the same object if `keys` renames none."""
    if not keys:
        return entry
    entry = map_references(entry, lambda kind, key: _rename(keys, kind, key))
    if entry.kind in FIELDABLE and any((Kind.CUSTOM_FIELD, name) in keys for name in entry.fields):
        fields = {
            keys.get((Kind.CUSTOM_FIELD, name), name) if is_custom(entry.kind, name) else name: value
            for name, value in entry.fields.items()
        }
        entry = replace(entry, fields=fields)
    if entry.unknown:
        unknown = frozenset(keys.get((Kind.CUSTOM_FIELD, name), name) for name in entry.unknown)
        entry = replace(entry, unknown=unknown)
    return entry


def _rename(keys: KeyNames, kind: Kind, key: str) -> str:
    name = keys.get((kind, key))
    return key if name is None else Reference(name, key.id if isinstance(key, Reference) else None)


def map_references(entry: Entry, named: Callable[[Kind, str], str]) -> Entry:
    """Return an entry with each reference replaced by `named`; the same object if it has none."""
    changed = {
        name: map_reference(value, kind, named)
        for name, kind in RECORDS[entry.kind].references.items()
        if (value := entry.fields.get(name))
    }
    return replace(entry, fields={**entry.fields, **changed}) if changed else entry


def map_reference(value: Any, kind: Kind, named: Callable[[Kind, str], str]) -> Any:
    """Return a reference, or each of a list, replaced by `named`."""
    if isinstance(value, list):
        return [map_reference(key, kind, named) for key in value]
    return named(kind, value) if isinstance(value, str) else value
