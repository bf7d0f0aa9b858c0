"""Compare two values of a field, tolerant of the changes that services make; make and pack their fingerprints."""

import hashlib
import json
from collections.abc import ItemsView, Iterator, Mapping
from datetime import UTC
from functools import lru_cache
from html import unescape
from typing import Any

import orjson

from ...content.files.file_text import normalize_newlines
from ...model import INSTANTS, RECORDS, Entry, Kind, Reference
from ...model.scalar import parse_instant, parse_number
from ...model.urls import comparable_url, url_fault, url_key
from .entry_fields import BODIES

# Lists of references whose order has no meaning.
_SETS = frozenset({"categories", "tags", "organizers"})
_REFERRING = frozenset({"categories", "tags", "organizers", "parent_id"})
_COLOURS = frozenset({"color", "text_color"})
_NUMBERS = frozenset({"latitude", "longitude"})
# Fields that are compared as JSON: true differs from 1, and null from a missing value.
_JSON = frozenset({"schema", "settings", "validation_rules", "default_value"})
EXACT_FIELDS = _JSON | {"value_prefix", "value_suffix"}


def are_equal(kind: Kind, name: str, desired: Any, actual: Any, *, literal: bool = False) -> bool:
    """Return whether writing the desired value of a field (dotted name) over the actual one would change nothing.

    Null, empty text, an empty list and an empty object are equal. Ignore line ends, outer white space, the order of a
    set, the notation of times and numbers, the form of a URL, and, unless `literal`, the difference between a character
    and its HTML entity in plain text. References are equal if they name the same record.
    """
    if name in _REFERRING:
        if not (_has_ids(desired) and _has_ids(actual)):
            desired, actual = reference_keys(desired), reference_keys(actual)
    elif desired == actual and name not in EXACT_FIELDS:  # in Python, 1 equals True; in these fields they differ
        return True
    return bool(normalize(kind, name, desired, literal=literal) == normalize(kind, name, actual, literal=literal))


def _has_ids(value: Any) -> bool:
    """Return whether all references in a value have ids; True for a value without references (None, "", [])."""
    if not value:
        return True
    keys = value if isinstance(value, list) else [value]
    return all(isinstance(key, Reference) and key.id is not None for key in keys)


def reference_keys(value: Any) -> Any:
    """Return a reference, or a list of references, as keys without ids; any other value unchanged."""
    if isinstance(value, list):
        return [*map(reference_keys, value)]
    return str(value) if isinstance(value, Reference) else value


def _is_plain_text(kind: Kind, name: str) -> bool:
    """Return whether a field other than a body contains text and never HTML; False for custom fields."""
    return name != "head_html" and name.partition(".")[0] in RECORDS[kind].rules()


def normalize(kind: Kind, name: str, value: Any, *, literal: bool = False) -> Any:
    """Return the common form of all equal values of a field, None if empty; `literal` keeps HTML entities.

    The parts of a list or an object have no name of their own: `name` is "".
    """
    if name in EXACT_FIELDS:
        return None if value in ("", None, [], {}) else json.dumps(value, sort_keys=True)
    if not value and value in ("", [], {}):  # 0 and false are values
        return None
    if isinstance(value, str):
        if isinstance(value, Reference) and value.id is not None:
            return f"#{value.id}"
        return _normalize_text(kind, name, value, literal=literal)
    if isinstance(value, int | float):
        return int(value) if isinstance(value, float) and value.is_integer() else value
    if isinstance(value, list):
        if name in _SETS and not _has_ids(value):  # some of the entries are new: compare all of them by their keys
            value = reference_keys(value)
        inner = [normalize(kind, "", item) for item in value]
        return sorted(inner, key=str) if name in _SETS else inner
    if isinstance(value, Mapping):
        return {key: normalize(kind, "", item) for key, item in value.items() if item is not None}
    return value


def _normalize_text(kind: Kind, name: str, text: str, *, literal: bool) -> Any:
    """Return the common form of equal texts of a field: a text, a time or a number; None if the text is empty."""
    if "\r" in text:
        text = normalize_newlines(text)
    if name.rpartition(".")[2] in BODIES:
        return text.strip("\n").rstrip() or None  # the first line may be indented code
    text = text.strip()
    if name in INSTANTS:
        try:
            return parse_instant(text, UTC)
        except ValueError:
            return text
    if name in _COLOURS:
        return text.lower()
    if name in _NUMBERS:
        return parse_number(text)
    if name == "url" and kind is Kind.LISTING and not url_fault(text):
        return url_key(text)
    if not literal and "&" in text and _is_plain_text(kind, name):
        text = unescape(text)  # some services store text as HTML
    if "://" in text:
        return comparable_url(text)
    return text or None


# How earlier releases wrote lists as JSON: whether non-ASCII characters are escaped, and the separators.
_JSON_FORMS = tuple((escaped, separators) for escaped in (True, False) for separators in ((",", ":"), (", ", ": ")))
_LENGTH = 12  # hex digits: one change of 10^14 goes unnoticed


def fingerprint(kind: Kind, name: str, value: Any) -> str:
    """Return the fingerprint of a field's value (dotted name) on a server; values that `are_equal` have the same."""
    return digest(normalize(kind, name, value))


def sent_fingerprint(kind: Kind, name: str, value: Any) -> str:
    """Return the fingerprint of the folder's value of a field; a character and its HTML entity have different ones."""
    return digest(normalize(kind, name, value, literal=True))


def matches_fingerprint(kind: Kind, name: str, value: Any, expected: str) -> bool:
    """Return whether a server's value of a field has the expected fingerprint.

    Earlier releases may have recorded the fingerprint of another form of the value: of a boolean as 1 or text, of a
    number or a list as text.
    """
    if fingerprint(kind, name, value) == expected:
        return True
    return name not in EXACT_FIELDS and any(fingerprint(kind, name, form) == expected for form in _older_forms(value))


def _older_forms(value: Any) -> tuple[Any, ...]:
    """Return the other forms in which an earlier release may have recorded a value, such as 1 for true."""
    if isinstance(value, bool):
        return int(value), str(int(value)), str(value).lower()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        as_json = (json.dumps(value, ensure_ascii=escaped, separators=pair) for escaped, pair in _JSON_FORMS)
        return (*as_json, ",".join(value), ", ".join(value))
    return (str(value),) if isinstance(value, int | float) else ()


def matches_fingerprint_or_keys(expected: str, kind: Kind, name: str, value: Any) -> bool:
    """Return whether a server's value has the expected fingerprint; older releases recorded keys instead of ids."""
    keys = reference_keys(value)
    return matches_fingerprint(kind, name, value, expected) or fingerprint(kind, name, keys) == expected


def fingerprint_pair(kind: Kind, name: str, sent: Any, stored: Any) -> str:
    """Return the base's text for a field: the fingerprint `sent`, or `sent/stored` if the two differ."""
    of_sent = sent_fingerprint(kind, name, sent)
    # For speed: equal values have equal fingerprints, except True and 1 in a field that is compared as JSON, and a text
    # with an HTML entity, which only `fingerprint` replaces by its character.
    if sent == stored and name not in EXACT_FIELDS and not (isinstance(sent, str) and "&" in sent):
        return of_sent
    return join_pair(of_sent, fingerprint(kind, name, stored))


def join_pair(sent: str, stored: str) -> str:
    """Return the text for two fingerprints of a field in the base: `sent`, or `sent/stored` if they differ."""
    return sent if sent == stored else f"{sent}/{stored}"


def is_stored_differently(pair: str) -> bool:
    """Return whether a field's text in the base is `sent/stored`: the server stored another value than sent."""
    return "/" in pair


def as_unsent(pair: str) -> str:
    """Return a field's text in the base as `/stored`, so that the field counts as never sent."""
    return f"/{pair.rpartition('/')[2]}"


def digest(value: Any) -> str:
    """Return a digest of a value without normalizing it: every difference changes it."""
    text = orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()[:_LENGTH]


def digest_entry(entry: Entry) -> str:
    """Return a digest of the values and the notes of an entry of the folder."""
    return digest([entry.fields, entry.notes.skip, entry.notes.protect, entry.notes.previous])


_SEPARATOR = " "


class PackedFields(Mapping[str, str]):
    """A copy of an applied entry's fields, unpacked each time one of its values is read.

    It needs little memory: the base of 100,000 listings has a million fingerprints.
    Raise TypeError for a value that is no text, and ValueError for one with a space: it is no fingerprint.
    """

    __slots__ = ("_names", "_pairs")

    def __init__(self, fields: Mapping[str, str]) -> None:
        self._names = _shared((*fields,))
        self._pairs = _SEPARATOR.join(fields.values())
        if fields and self._pairs.count(_SEPARATOR) != len(self._names) - 1:
            raise ValueError("a fingerprint has a space")

    def __getitem__(self, name: str) -> str:
        return self._unpacked()[name]

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)

    def items(self) -> ItemsView[str, str]:
        """Return all items, unpacked once."""
        return self._unpacked().items()

    def _unpacked(self) -> dict[str, str]:
        return dict(zip(self._names, self._pairs.split(_SEPARATOR), strict=False))  # "" has one part and no name


@lru_cache
def _shared(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return equal names as one object, as most entries of a kind have the same fields."""
    return names
