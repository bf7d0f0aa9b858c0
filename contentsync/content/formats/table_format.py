"""How a table is written: its delimiter, encoding and header row, and what separates the items of a list in a cell."""

from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, ConfigDict, Field

from ...model import Part
from ...model.field_types import Integer, Text, fault

TABLE_DELIMITERS = {".csv": ",", ".tsv": "\t"}  # by suffix
DELIMITER_NAMES = {",": "comma", ";": "semicolon", "\t": "tab", "|": "pipe"}
LIST_SEPARATOR = "|"

Encoding = Literal["utf-8", "utf-16", "windows-1252"]


def _check_delimiter(value: str) -> str:
    if value not in DELIMITER_NAMES:
        raise fault("not-a-choice", 'must be one of "," ";" "|" and "\\t"')
    return value


def _check_separator(value: str) -> str:
    if len(value) != 1 or value.isalnum() or value.isspace() or value in "\"'":
        raise fault("not-a-choice", "must be one character that is not a letter, digit, space or quote")
    return value


def _check_encoding(value: object) -> object:
    return value.lower() if isinstance(value, str) else value


class TableFormat(Part):
    """The format of a table. Without a delimiter, the ending of the file determines it, or the header shows another.

    Without an encoding, a table is UTF-8, or UTF-16 if it starts with a byte order mark. Without a header row, the
    first row that is not empty is the header.
    """

    model_config = ConfigDict(frozen=True)

    delimiter: Annotated[Text, AfterValidator(_check_delimiter)] | None = None
    encoding: Annotated[Encoding, BeforeValidator(_check_encoding)] | None = None
    header_row: Annotated[Integer, Field(ge=1, le=1000)] | None = None  # from 1, as in a spreadsheet
    list_separator: Annotated[Text, AfterValidator(_check_separator)] = LIST_SEPARATOR
