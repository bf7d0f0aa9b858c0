"""The fields that only the server has: a plan leaves them alone, and a pull writes them into the folder."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, timedelta
from typing import Any

from ...model import FIELDABLE, RECORDS, Entry, Kind
from ...model.custom_field import Definitions
from ...model.entry import value_at
from ...model.scalar import parse_instant
from ..comparing.entry_fields import BODIES, is_authored
from ..comparing.fingerprint import are_equal

_GENERATED = frozenset({"slug", "published_at", "category_id"})  # by the service, if they are not set
_OBJECTS = frozenset({"seo", "translations"})  # whose texts are compared one by one
_SAME_REQUEST = timedelta(minutes=1)  # between the two times that a service sets in one request, at most


def unset_fields(
    entry: Entry, actual: Entry, definitions: Definitions, locales: Sequence[str]
) -> Iterator[tuple[str, Any]]:
    """Yield the fields that the folder does not set, with the server's value, unless it is the default."""
    rules = RECORDS[entry.kind].rules()
    # An article has two bodies, `markdown` and `content`, of which the site shows one: the file needs no other one.
    skipped = _GENERATED | (BODIES if entry.kind is Kind.ARTICLE else set())
    custom_fields = definitions.get(entry.kind, ()) if entry.kind in FIELDABLE else ()
    unset = actual.fields.keys() - entry.fields.keys() | _OBJECTS
    for name in [name for name in (*rules, *custom_fields) if name in unset]:
        value = actual.fields.get(name)
        if name == "seo":
            yield from _unset_texts(entry, actual, "seo", fallback={})
        elif name == "translations":
            for locale in locales:
                prefix = f"translations.{locale}"
                yield from _unset_texts(entry, actual, prefix, entry.fields)
                yield from _unset_texts(entry, actual, f"{prefix}.seo", entry.fields.get("seo") or {})
        elif name not in skipped:
            default = rules[name].default if name in rules else None
            if value is not default and not are_equal(entry.kind, name, default, value):
                yield name, value
        elif name == "published_at" and value and not _is_generated_date(actual):
            yield name, value


def _is_generated_date(article: Entry) -> bool:
    """Return whether the service may have set the date of an article: to the time of its creation, if that is known."""
    if article.created is None:
        return True
    try:
        published = parse_instant(str(article.fields["published_at"]), UTC)
        return abs(published - parse_instant(article.created, UTC)) < _SAME_REQUEST
    except ValueError:
        return True


def _unset_texts(entry: Entry, actual: Entry, prefix: str, fallback: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each text of the server's object at `prefix` that the folder does not set, unless it is the fallback.

    `fallback` are the texts, by name, that the site shows if the object has none: those of the default language.
    """
    texts = value_at(actual.fields, prefix)
    if not isinstance(texts, Mapping):
        return
    for name, text in texts.items():
        if name == "seo" or text in (None, "") or text == fallback.get(name):
            continue
        if not is_authored(entry, f"{prefix}.{name}"):
            yield f"{prefix}.{name}", text
