"""The entries of a directory and their rules, shared by files and the server; no I/O."""

from .custom_field import FIELDABLE
from .entry import (
    BULK_SIZE,
    INSTANTS,
    PAGINATED,
    PER_PAGE,
    Entry,
    EntryKey,
    Kind,
    Notes,
    Reference,
    Source,
    TextPosition,
)
from .field_types import WIRE_FORM, Context, Definition
from .record import FieldRule, Part, Record
from .rules import (
    NO_READERS,
    RECORDS,
    REFERRED_KINDS,
    Readers,
    Values,
    coerce_fields,
    custom_readers,
    key_field_of,
    key_fields,
    key_of_title,
    make_key,
    validate,
    with_referred_kinds,
)
from .scalar import PlainScalar
from .suggestion import did_you_mean, nearest
from .violation import Invalid, Violation, dotted, limit_violations

__all__ = [
    "BULK_SIZE",
    "FIELDABLE",
    "INSTANTS",
    "NO_READERS",
    "PAGINATED",
    "PER_PAGE",
    "RECORDS",
    "REFERRED_KINDS",
    "WIRE_FORM",
    "Context",
    "Definition",
    "Entry",
    "EntryKey",
    "FieldRule",
    "Invalid",
    "Kind",
    "Notes",
    "Part",
    "PlainScalar",
    "Readers",
    "Record",
    "Reference",
    "Source",
    "TextPosition",
    "Values",
    "Violation",
    "coerce_fields",
    "custom_readers",
    "did_you_mean",
    "dotted",
    "key_field_of",
    "key_fields",
    "key_of_title",
    "limit_violations",
    "make_key",
    "nearest",
    "validate",
    "with_referred_kinds",
]
