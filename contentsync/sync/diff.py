"""What differs between an entry of the folder and the server's, field by field."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from ..model import RECORDS, Entry, Kind
from .equal import same


class FieldChange(NamedTuple):
    """A field's value on the server and in the folder; null where there is none."""

    before: Any
    after: Any


def diff(desired: Entry, actual: Entry | None) -> dict[str, FieldChange]:
    """The fields to write, by dotted name (`seo.title`, `translations.fr.title`), in the order of the file.

    Only given fields are compared: a field that the folder leaves out is not managed. Without `actual`
    every given field is new.
    """
    there = actual.fields if actual else {}
    return {
        name: FieldChange(before, after)
        for name, before, after in _pairs(desired.kind, desired.fields, there)
        if actual is None or not same(desired.kind, name, after, before)
    }


def payload(desired: Entry, changes: Mapping[str, FieldChange]) -> dict[str, Any]:
    """The fields to send for changes: whole top-level values, and what the service wants beside them.

    A title goes with the slug, or the service would make a new one (service-api.md 4.1.3, 4.2.3); an
    article's body goes with every update (4.2.4); of `translations` only the changed languages go.
    """
    names = {name.partition(".")[0] for name in changes}
    model = RECORDS[desired.kind]
    if model.title_field in names:
        names.add(model.key_field)
    if desired.kind is Kind.ARTICLE:
        names |= {"markdown", "content"}
    fields = {name: value for name, value in desired.fields.items() if name in names}
    if isinstance(fields.get("translations"), Mapping):
        changed = {name.split(".")[1] for name in changes if name.startswith("translations.")}
        fields["translations"] = {
            locale: texts for locale, texts in fields["translations"].items() if locale in changed
        }
    return fields


def _pairs(kind: Kind, desired: Mapping[str, Any], actual: Mapping[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    for name, value in desired.items():
        there = actual.get(name)
        if name == "seo":
            yield from _nested("seo", value, there)
        elif name == "translations":
            for locale, texts in value.items():
                yield from _translation(f"translations.{locale}", texts, _object(there).get(locale), desired)
        else:
            yield name, there, value
    if kind is Kind.ARTICLE and isinstance(actual.get("is_markdown"), bool):
        yield "is_markdown", actual["is_markdown"], bool(desired.get("markdown"))


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
        if before is not None or after != default.get(name.rpartition(".")[2]):
            yield name, before, after


def _nested(prefix: str, desired: Mapping[str, Any] | None, actual: Any) -> Iterator[tuple[str, Any, Any]]:
    there = _object(actual)
    if desired is None:  # null removes all of it
        desired = dict.fromkeys(there)
    for name, value in desired.items():
        yield f"{prefix}.{name}", there.get(name), value


def _object(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}
