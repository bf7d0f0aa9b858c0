"""What the plain readers of Python find in a sound file: our own reader must not find less, or something else."""

import csv
import io
import re
from typing import Any

import yaml

_TRANSLATION = re.compile(r"\.(?:fr|de)\.[a-z]+\Z", re.IGNORECASE)
_FRONT_MATTER = re.compile(r"\s*\n?---[ \t]*\n(.*?\n|)---[ \t]*(?:\n|\Z)", re.DOTALL)
_SPACE_BEFORE_QUOTE = re.compile(r'(?:^|[,\t])[ \t]+"', re.MULTILINE)


def titles_in(path: str, text: str, key: str) -> list[str | None] | None:
    """Return the value at `key` of each entry in a file, in their order; None for one that only our reader knows.

    Return None for the whole file if a plain reader cannot count its entries.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    suffix = path[path.rfind(".") :].lower()
    if suffix in (".md", ".html"):
        return None if _TRANSLATION.search(path) else [_title_of_document(text, key)]
    if suffix in (".yaml", ".yml"):
        value = yaml.load(text, Loader=yaml.CBaseLoader)
        entries = value if isinstance(value, list) else [value] if isinstance(value, dict) else []
        return [_title(entry, key) for entry in entries]
    if suffix in (".csv", ".tsv") and not text.startswith("sep=") and not _SPACE_BEFORE_QUOTE.search(text):
        return _titles_of_table(text, "\t" if suffix == ".tsv" else ",", key)
    return None


def _title_of_document(text: str, key: str) -> str | None:
    block = _FRONT_MATTER.match(text)
    return _title(yaml.load(block[1], Loader=yaml.CBaseLoader), key) if block else None


def _titles_of_table(text: str, delimiter: str, key: str) -> list[str | None] | None:
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if any(row)]
    except csv.Error:
        return None
    filled = [[cell.strip() for cell in row] for row in rows if any(cell.strip() for cell in row)]
    return [_title(dict(zip(filled[0], row, strict=True)), key) for row in filled[1:]]


def _title(entry: Any, key: str) -> str | None:
    return entry[key].strip() if isinstance(entry, dict) and key in entry else None
