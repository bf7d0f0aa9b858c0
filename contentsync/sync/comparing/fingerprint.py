"""TODO."""

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC
from html import unescape
from typing import Any

import orjson

from ...model import INSTANTS, RECORDS, Kind, Reference
from ...model.instant import parse_instant
from ...model.scalar import parse_number
from ...model.url import url_fault, url_key

# Assignments have no order; neither have the labels of an article.
_SETS = frozenset({"categories", "tags", "organizers"})


_REFERRING = frozenset({"categories", "tags", "organizers", "parent_id"})


_COLOURS = frozenset({"color", "text_color"})


_NUMBERS = frozenset({"latitude", "longitude"})


_BODIES = frozenset({"markdown", "content"})


# What JSON tells apart, these fields tell apart: true from 1, null from nothing.
_JSON = frozenset({"schema", "settings", "validation_rules", "default_value"})


EXACT = _JSON | {"value_prefix", "value_suffix"}


# A text that is one URL: its scheme and host, whose letters have no case, and the rest.
_URL = re.compile(r"(https?://[^/?#@\s]+)(\S*)\Z", re.IGNORECASE)


def same(kind: Kind, name: str, desired: Any, actual: Any, *, literal: bool = False) -> bool:
    """Whether writing the desired value of a field (dotted name) over the actual one would change nothing.

    Null, empty text, an empty list and an empty object are one; so are line ends, outer white space, the
    order of a set, the ways to write a moment or a number, two forms of one URL, and, unless `literal`, a character
    and its HTML entity in a text that is plain. References are one if they name the same record.
    """
    if name in _REFERRING:
        if not (_is_identified(desired) and _is_identified(actual)):
            desired, actual = keys_of(desired), keys_of(actual)
    elif desired == actual and name not in EXACT:
        return True
    return bool(normal(kind, name, desired, literal=literal) == normal(kind, name, actual, literal=literal))


def _is_identified(value: Any) -> bool:
    """Whether the ids of all references in a value are known."""
    return all(isinstance(key, Reference) and key.id is not None for key in _listed(value))


def keys_of(value: Any) -> Any:
    """Return references as nothing but keys; any other value as it is."""
    if isinstance(value, list):
        return [*map(keys_of, value)]
    return str(value) if isinstance(value, Reference) else value


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value] if value else []


def _is_plain(kind: Kind, name: str) -> bool:
    """Whether a field, which is no body, holds text and never code; of a custom field nobody knows."""
    return name != "head_html" and name.partition(".")[0] in RECORDS[kind].rules()


def _exact(value: Any) -> str | None:
    return None if value in ("", None, [], {}) else json.dumps(value, sort_keys=True)


def normal(kind: Kind, name: str, value: Any, *, literal: bool = False) -> Any:
    """The one form of all values that a field does not tell apart; `literal` tells entities from characters."""
    if name in EXACT:
        return _exact(value)
    if value in ("", [], {}):
        return None
    if isinstance(value, str):
        if isinstance(value, Reference) and value.id is not None:
            return f"#{value.id}"
        return _normal_text(kind, name, value, literal=literal)
    if isinstance(value, list):
        inner = [normal(kind, "", item) for item in value]
        return sorted(inner, key=str) if name in _SETS else inner
    if isinstance(value, Mapping):
        return {key: normal(kind, "", item) for key, item in value.items() if item is not None}
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _normal_text(kind: Kind, name: str, text: str, *, literal: bool) -> Any:
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if name.rpartition(".")[2] in _BODIES:
        return text.strip("\n").rstrip() or None  # a first line may be indented: it is code
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


_LENGTH = 12  # hex digits: one of 10^14 changes would be overlooked


def fingerprint(kind: Kind, name: str, value: Any) -> str:
    """A digest of a field's value (dotted name) on a server, the same for values that `same` calls the same."""
    return _digest(normal(kind, name, value))


def fingerprint_sent(kind: Kind, name: str, value: Any) -> str:
    """A digest of a field's value in the folder: one that tells a character from its HTML entity."""
    return _digest(normal(kind, name, value, literal=True))


def is_known(kind: Kind, name: str, value: Any, known: str) -> bool:
    """Whether a server's value is the one of a fingerprint.

    A state of an earlier release has fingerprints of what the service wrote: a boolean as 1 or text, a number or a list
    as text.
    """
    if fingerprint(kind, name, value) == known:
        return True
    return name not in EXACT and any(fingerprint(kind, name, form) == known for form in _foreign_forms(value))


def _foreign_forms(value: Any) -> tuple[Any, ...]:
    if isinstance(value, bool):
        return int(value), str(int(value)), str(value).lower()
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        written = (json.dumps(value, ensure_ascii=escaped, separators=by) for escaped, by in _JSON_FORMS)
        return (*written, ",".join(value), ", ".join(value))
    return (str(value),) if isinstance(value, int | float) else ()


def is_of(known: str, kind: Kind, name: str, value: Any) -> bool:
    """Whether a fingerprint is that of a value on a server; those of older releases knew references by their keys."""
    return is_known(kind, name, value, known) or fingerprint(kind, name, keys_of(value)) == known


def mark(kind: Kind, name: str, sent: Any, there: Any) -> str:
    """What the base says of a field: the fingerprint of what was sent, and of what the server has if another one."""
    ours = fingerprint_sent(kind, name, sent)
    # Nothing else tells the two fingerprints apart, and there are many fields.
    if sent == there and name not in EXACT and not (isinstance(sent, str) and "&" in sent):
        return ours
    theirs = fingerprint(kind, name, there)
    return ours if ours == theirs else f"{ours}/{theirs}"


def unsent(known: str) -> str:
    """Return the mark of a field that the server has, and that was not sent."""
    return f"/{known.rpartition('/')[2]}"


def digest(fields: Any) -> str:
    """A digest of an entry's fields as they are written: quick, and different for any difference."""
    return hashlib.sha256(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)).hexdigest()[:_LENGTH]


def _digest(value: Any) -> str:
    text = orjson.dumps(value, default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()[:_LENGTH]
