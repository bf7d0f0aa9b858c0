"""TODO."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...model import FIELDABLE, RECORDS, Entry, Kind, Reference

Identity = tuple[Kind, str]


def is_custom(kind: Kind, name: str) -> bool:
    """Whether a field of a record is a custom one."""
    return kind in FIELDABLE and "." not in name and name not in RECORDS[kind].rules()


BODIES = frozenset({"markdown", "content"})


def given_fields(entry: Entry, actual: Entry | None) -> Iterator[tuple[str, Any, Any]]:
    """Each field that an entry gives, by dotted name (`seo.title`, `translations.fr.title`): there, and here.

    A translation that is the default's text is left out where the server has no other: it is shown anyway.
    Which of its texts an article shows follows from the one that is given, unless an undo says it.
    """
    is_article = entry.kind is Kind.ARTICLE
    for name, there, here in _pairs(entry, actual.fields if actual else {}):
        if not is_article or name != "is_markdown":
            yield name, there, here
    if is_article and not BODIES.isdisjoint(entry.fields):
        there = actual.fields.get("is_markdown") if actual else None
        if actual is None or isinstance(there, bool):  # not every service tells
            yield "is_markdown", there, entry.fields.get("is_markdown", bool(entry.fields.get("markdown")))


def is_given(desired: Entry, name: str) -> bool:
    """Whether the folder says something about a dotted name, null for the object around it included."""
    found: Any = desired.fields
    for part in name.split("."):
        if found is None:
            return True
        if not isinstance(found, Mapping) or part not in found:
            return False
        found = found[part]
    return True


def is_unknown(actual: Entry, name: str) -> bool:
    """Whether the service does not return a field (dotted name), so that its value there is not known."""
    if not actual.unknown:
        return False
    first, _, rest = name.partition(".")
    return first in actual.unknown or f"{first}.{rest.partition('.')[0]}" in actual.unknown


def value_at(fields: Mapping[str, Any], name: str) -> Any:
    """The value under a dotted name; None where there is none."""
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
        there = actual.get(name)
        if name == "seo":
            yield from _nested("seo", value, there)
        elif name == "translations":
            for locale, texts in value.items():
                yield from _translation(f"translations.{locale}", texts, _object(there).get(locale), default)
        else:
            yield name, there, value


def _translation(
    prefix: str, desired: Mapping[str, Any] | None, actual: Any, default: Mapping[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    for name, before, after in _nested(prefix, desired, actual):
        if name == f"{prefix}.seo":
            yield from _untranslated(_nested(name, after, before), _object(default.get("seo")))
        else:
            yield from _untranslated([(name, before, after)], default)


def _untranslated(pairs: Iterable[tuple[str, Any, Any]], default: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """The pairs, without a text that is the default's where the server has no other: it is shown anyway."""
    for name, before, after in pairs:
        plain = name.rpartition(".")[2]
        if before is not None or plain not in default or after != default[plain]:
            yield name, before, after


def _nested(prefix: str, desired: Mapping[str, Any] | None, actual: Any) -> Iterator[tuple[str, Any, Any]]:
    there = _object(actual)
    if desired is None:  # null removes all of it
        desired = dict.fromkeys(there)
    for name, value in desired.items():
        yield f"{prefix}.{name}", there.get(name), value


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


Called = Mapping[Identity, str]  # another name for what has this one


def renamed(entry: Entry, called: Called) -> Entry:
    """Return an entry with what it refers to and its custom fields as they are called; the same one if nothing is."""
    if not called:
        return entry
    entry = referring(entry, lambda kind, key: _called(called, kind, key))
    if entry.kind in FIELDABLE and any((Kind.CUSTOM_FIELD, name) in called for name in entry.fields):
        fields = {
            called.get((Kind.CUSTOM_FIELD, name), name) if is_custom(entry.kind, name) else name: value
            for name, value in entry.fields.items()
        }
        entry = replace(entry, fields=fields)
    if entry.unknown:
        unknown = frozenset(called.get((Kind.CUSTOM_FIELD, name), name) for name in entry.unknown)
        entry = replace(entry, unknown=unknown)
    return entry


def _called(called: Called, kind: Kind, key: str) -> str:
    name = called.get((kind, key))
    return key if name is None else Reference(name, key.id if isinstance(key, Reference) else None)


def referring(entry: Entry, named: Callable[[Kind, str], str]) -> Entry:
    """Return an entry with each of its references as `named`; the same one if it has none."""
    changed = {
        name: mapped(value, kind, named)
        for name, kind in RECORDS[entry.kind].references.items()
        if (value := entry.fields.get(name))
    }
    return replace(entry, fields={**entry.fields, **changed}) if changed else entry


def mapped(value: Any, kind: Kind, named: Callable[[Kind, str], str]) -> Any:
    """Return a reference, or each of a list, as `named`."""
    if isinstance(value, list):
        return [mapped(key, kind, named) for key in value]
    return named(kind, value) if isinstance(value, str) else value
