"""When two values of a field are equal, whatever a service does to them, and the fingerprints of values."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC
from html import unescape
from typing import Any

import orjson

from ...model import INSTANTS, RECORDS, Kind, Reference
from ...model.dates import parse_instant
from ...model.scalar import parse_number
from ...model.urls import url_fault, url_key

# Assignments have no order; neither have the labels of an article.
_SETS = frozenset({"categories", "tags", "organizers"})
_REFERRING = frozenset({"categories", "tags", "organizers", "parent_id"})
_COLOURS = frozenset({"color", "text_color"})
_NUMBERS = frozenset({"latitude", "longitude"})
_BODIES = frozenset({"markdown", "content"})
# These fields distinguish what JSON distinguishes: true from 1, null from a missing value.
_JSON = frozenset({"schema", "settings", "validation_rules", "default_value"})
EXACT = _JSON | {"value_prefix", "value_suffix"}
# A text that is one URL: scheme and host, which ignore case, and the rest.
_URL = re.compile(r"(https?://[^/?#@\s]+)(\S*)\Z", re.IGNORECASE)


def are_equal(kind: Kind, name: str, desired: Any, actual: Any, *, literal: bool = False) -> bool:
    """Return whether writing the desired value of a field (dotted name) over the actual one would change nothing.

    Null, empty text, an empty list and an empty object are equal. So are different line ends, outer white space, the
    order of a set, notations of a time or a number, two forms of one URL, and, unless `literal`, a character and its
    HTML entity in plain text. References are equal if they name the same record.
    """
    if name in _REFERRING:
        if not (_has_ids(desired) and _has_ids(actual)):
            desired, actual = reference_keys(desired), reference_keys(actual)
    elif desired == actual and name not in EXACT:
        return True
    return bool(normalize(kind, name, desired, literal=literal) == normalize(kind, name, actual, literal=literal))


def _has_ids(value: Any) -> bool:
    """Return whether the ids of all references in a value are known."""
    return all(isinstance(key, Reference) and key.id is not None for key in _as_list(value))


def reference_keys(value: Any) -> Any:
    """Return references as plain keys; any other value unchanged."""
    if isinstance(value, list):
        return [*map(reference_keys, value)]
    return str(value) if isinstance(value, Reference) else value


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _is_plain(kind: Kind, name: str) -> bool:
    """Return whether a field, which is no body, has text and never code; False for custom fields."""
    return name != "head_html" and name.partition(".")[0] in RECORDS[kind].rules()


def _exact_form(value: Any) -> str | None:
    return None if value in ("", None, [], {}) else json.dumps(value, sort_keys=True)


def normalize(kind: Kind, name: str, value: Any, *, literal: bool = False) -> Any:
    """Return one form for all equal values of a field; `literal` distinguishes entities from characters."""
    if name in EXACT:
        return _exact_form(value)
    if value in ("", [], {}):
        return None
    if isinstance(value, str):
        if isinstance(value, Reference) and value.id is not None:
            return f"#{value.id}"
        return _normalize_text(kind, name, value, literal=literal)
    if isinstance(value, list):
        inner = [normalize(kind, "", item) for item in value]
        return sorted(inner, key=str) if name in _SETS else inner
    if isinstance(value, Mapping):
        return {key: normalize(kind, "", item) for key, item in value.items() if item is not None}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _normalize_text(kind: Kind, name: str, text: str, *, literal: bool) -> Any:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if name.rpartition(".")[2] in _BODIES:
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
    if not literal and "&" in text and _is_plain(kind, name):
        text = unescape(text)  # some services store text as HTML
    whole = _URL.match(text)
    return (whole[1].lower() + (whole[2] if whole[2] != "/" else "") if whole else text) or None


_JSON_FORMS = tuple((escaped, by) for escaped in (True, False) for by in ((",", ":"), (", ", ": ")))
_LENGTH = 12  # hex digits: misses one of 10^14 changes


def fingerprint(kind: Kind, name: str, value: Any) -> str:
    """Return a digest of a field's value (dotted name) on a server; values that `are_equal` have the same one."""
    return _digest(normalize(kind, name, value))


def sent_fingerprint(kind: Kind, name: str, value: Any) -> str:
    """Return a digest of a field's value in the folder, which distinguishes a character from its HTML entity."""
    return _digest(normalize(kind, name, value, literal=True))


def matches_fingerprint(kind: Kind, name: str, value: Any, known: str) -> bool:
    """Return whether a server's value has a fingerprint.

    A state of an earlier release has fingerprints of what the service wrote: a boolean as 1 or text, a number or a list
    as text.
    """
    if fingerprint(kind, name, value) == known:
        return True
    return name not in EXACT and any(fingerprint(kind, name, form) == known for form in _other_forms(value))


def _other_forms(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return int(value), str(int(value)), str(value).lower()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        written = (json.dumps(value, ensure_ascii=escaped, separators=by) for escaped, by in _JSON_FORMS)
        return (*written, ",".join(value), ", ".join(value))
    return (str(value),) if isinstance(value, int | float) else ()


def matches_fingerprint_or_keys(known: str, kind: Kind, name: str, value: Any) -> bool:
    """Return whether a server's value has a fingerprint; those of older releases are of keys instead of ids."""
    return matches_fingerprint(kind, name, value, known) or fingerprint(kind, name, reference_keys(value)) == known


def fingerprint_pair(kind: Kind, name: str, sent: Any, stored: Any) -> str:
    """Return the base's text for a field: the fingerprint of the sent value, and of the stored one if it differs."""
    ours = sent_fingerprint(kind, name, sent)
    # Only these values have two different fingerprints, and there are many fields.
    if sent == stored and name not in EXACT and not (isinstance(sent, str) and "&" in sent):
        return ours
    theirs = fingerprint(kind, name, stored)
    return ours if ours == theirs else f"{ours}/{theirs}"


def as_unsent(known: str) -> str:
    """Return the base's text for a field that the server has and that was not sent."""
    return f"/{known.rpartition('/')[2]}"


def digest(fields: Any) -> str:
    """Return a digest of an entry's fields as they are written: fast, and different for any difference."""
    return hashlib.sha256(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)).hexdigest()[:_LENGTH]


def _digest(value: Any) -> str:
    text = orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()[:_LENGTH]
