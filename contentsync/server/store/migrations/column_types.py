"""The types of columns in migrations: text compares by code points in both databases."""

from sqlalchemy import BigInteger, Integer, String, Text
from sqlalchemy.types import TypeEngine


def string(length: int) -> TypeEngine[str]:
    """Return the column type of a text of at most `length` characters."""
    return String(length).with_variant(String(length, collation="C"), "postgresql")


def text() -> TypeEngine[str]:
    """Return the column type of a text of any length."""
    return Text().with_variant(Text(collation="C"), "postgresql")


DOCUMENT_KEY = BigInteger().with_variant(Integer, "sqlite")  # of 64 bits there too, and the key of the rows
INSTANT = string(27)  # in wire form, 2026-01-15T10:30:00.000000Z, which sorts by time
