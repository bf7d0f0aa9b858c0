"""The entries of a directory and their rules, shared by files and the server; no I/O."""

from .coercion import NO_READERS, Readers, custom_readers, read_native
from .custom_field import FIELDABLE
from .dates import INSTANTS
from .entry import BULK_SIZE, PAGINATED, PER_PAGE, Entry, Kind, Mark, Notes, Reference, Source
from .field_types import WIRE, Context, Definition
from .record import FieldRule, Part, Record
from .rules import RECORDS, Values, check, key_of_title, make_key
from .scalar import Plain
from .suggestion import did_you_mean, nearest
from .violation import Invalid, Violation, dotted, first_of

__all__ = [
    "BULK_SIZE",
    "FIELDABLE",
    "INSTANTS",
    "NO_READERS",
    "PAGINATED",
    "PER_PAGE",
    "RECORDS",
    "WIRE",
    "Context",
    "Definition",
    "Entry",
    "FieldRule",
    "Invalid",
    "Kind",
    "Mark",
    "Notes",
    "Part",
    "Plain",
    "Readers",
    "Record",
    "Reference",
    "Source",
    "Values",
    "Violation",
    "check",
    "custom_readers",
    "did_you_mean",
    "dotted",
    "first_of",
    "key_of_title",
    "make_key",
    "nearest",
    "read_native",
]
