"""What is remembered of a value: enough to know it again, not the value itself."""

import hashlib
import json
from typing import Any

import orjson

from ...model import Kind
from .equal import EXACT, keys_of, normal

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
