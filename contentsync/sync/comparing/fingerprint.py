"""What is remembered of a value: enough to know it again, not the value itself."""

import hashlib
from typing import Any

import orjson

from ...model import Kind
from .equal import normal

_LENGTH = 12  # hex digits: one of 10^14 changes would be overlooked


def fingerprint(kind: Kind, name: str, value: Any) -> str:
    """A digest of a field's value (dotted name), the same for values that `same` calls the same."""
    text = orjson.dumps(normal(kind, name, value), default=str, option=orjson.OPT_SORT_KEYS)
    return hashlib.sha256(text).hexdigest()[:_LENGTH]


def digest(fields: Any) -> str:
    """A digest of an entry's fields as they are written: quick, and different for any difference."""
    return hashlib.sha256(orjson.dumps(fields, option=orjson.OPT_SORT_KEYS)).hexdigest()[:_LENGTH]
