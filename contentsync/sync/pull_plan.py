"""TODO."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ..content.pulling.incoming import Identity, Incoming
from ..content.pulling.values import Definitions, definitions_of
from ..model import FIELDABLE, RECORDS, Entry, Kind
from .comparing.base import Applied, Base
from .comparing.entry_fields import is_given, is_unknown, value_at
from .comparing.fingerprint import same
from .comparing.key_translation import Names
from .comparing.matching import Matching
from .plan_policy import Selection

# What the service makes where nothing is given, and the texts of an article, of which it shows one.
_MADE = frozenset({"slug", "published_at", "category_id"})


_TEXTS = frozenset({"markdown", "content"})


class Arriving(NamedTuple):
    """What a pull writes; `ours` are the entries, with their fields, that were or may have been changed here."""

    incoming: Incoming
    ours: Mapping[Identity, tuple[str, ...]]  # no fields for an entry that was deleted here
    here_only: tuple[Entry, ...]  # of the folder, as the server has none of them; they stay as they are


def arriving(
    desired: Sequence[Entry],
    actual: Sequence[Entry],
    base: Base,
    selection: Selection,
    locales: Sequence[str],
    is_left_out: Callable[[Applied], bool] = lambda applied: False,
) -> Arriving:
    """What is to be written for the selected entries, of which those marked `sync.skip` stay as they are.

    References must be resolved. Without a base nobody knows who changed a field, so each that differs may be ours.
    `locales` are the languages besides the default; `is_left_out` is as for a plan.
    """
    matching = Matching(desired, actual, base, None, is_left_out)
    names = Names(matching, desired, actual, base)
    definitions = definitions_of(desired, actual)
    changes: dict[Identity, Mapping[str, Any]] = {}
    ours: dict[Identity, tuple[str, ...]] = {}
    there: dict[Identity, Entry] = {}
    here_only: list[Entry] = []
    for entry in desired:
        match = matching.of(entry)
        identity = entry.kind, entry.key
        if match.actual is not None:
            there[identity] = match.actual
        if entry.notes.skip or not (entry in selection or (match.actual and match.actual in selection)):
            continue
        if match.actual is None:
            here_only.append(entry)
            continue
        record = names.there(match.actual)
        found = names.compare(entry, match).differences
        fields = {
            name: change.before
            for name, change in found.changes.items()
            if not is_unknown(record, name) and not _is_foreign(name, locales)
        }
        may_be_ours = tuple(name for name in fields if name not in found.drifted)
        fields |= dict(_unsaid(entry, record, definitions, locales))
        if fields:
            changes[identity] = fields
        if may_be_ours:
            ours[identity] = may_be_ours
    new = [entry for entry in actual if entry in selection and not matching.is_taken(entry)]
    ours |= {
        applied.identity: () for applied, record in matching.orphans() if record is not None and record in selection
    }
    return Arriving(Incoming(changes, new, there, actual), ours, tuple(here_only))


def _is_foreign(name: str, locales: Sequence[str]) -> bool:
    """Whether a field is a text in a language that the folder does not have."""
    return name.startswith("translations.") and name.split(".")[1] not in locales


def _unsaid(entry: Entry, actual: Entry, definitions: Definitions, locales: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """The fields that the folder says nothing about, and that have another value than a new entry's."""
    rules = RECORDS[entry.kind].rules()
    left_out = _MADE | (_TEXTS if entry.kind is Kind.ARTICLE else set())
    for name in (*rules, *definitions.get(entry.kind, ())) if entry.kind in FIELDABLE else rules:
        value = actual.fields.get(name)
        if name == "seo":
            yield from _unsaid_texts(entry, actual, "seo", {})
        elif name == "translations":
            for locale in locales:
                way = f"translations.{locale}"
                yield from _unsaid_texts(entry, actual, way, entry.fields)
                yield from _unsaid_texts(entry, actual, f"{way}.seo", entry.fields.get("seo") or {})
        elif name in actual.fields and name not in left_out and name not in entry.fields:
            default = rules[name].default if name in rules else None
            if not same(entry.kind, name, default, value):
                yield name, value


def _unsaid_texts(entry: Entry, actual: Entry, way: str, default: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The texts in an object of the server's that the folder's lacks, and that say something else than the default."""
    texts = value_at(actual.fields, way)
    for name, text in texts.items() if isinstance(texts, Mapping) else ():
        if (
            name != "seo"
            and text not in (None, "")
            and text != default.get(name)
            and not is_given(entry, f"{way}.{name}")
        ):
            yield f"{way}.{name}", text
