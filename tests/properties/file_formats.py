"""The formats in which random entries are written into files."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hypothesis import strategies as st

Fields = Mapping[str, Any]  # of an entry
Write = Callable[[list[dict[str, Any]]], str]


def document(entry: Fields, matter: Callable[[Fields], str] | None = None, fence: str = "---") -> str:
    """Return a Markdown file; `body` is the text under the front matter, which is YAML by default."""
    values = {name: value for name, value in entry.items() if name != "body"}
    return f"{fence}\n{(matter or mapping)(values)}{fence}\n{entry.get('body', '')}\n"


def toml_document(entry: Fields) -> str:
    return document(entry, toml_table, "+++")


def mapping(entry: Fields) -> str:
    # JSON is YAML: each value on one line, quoted exactly.
    return "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in entry.items()) or "{}\n"


def block_mapping(entry: Fields) -> str:
    """Return a mapping with the items of lists on lines of their own, each spelled in another way."""
    texts = (_item_line(*found) for found in entry.items())
    return "".join(texts)


def _item_line(name: str, value: Any) -> str:
    if not isinstance(value, list) or not value:
        return mapping({name: value})
    spellings = (_block_text, _quoted_lines, _single_quoted)
    items = (spellings[number % 3](item) for number, item in enumerate(value, len(name)))
    return f"{name}:\n" + "".join(f"- {item}\n" for item in items)


def _block_text(text: str) -> str:
    return (
        f"|-  # text\n  {text}" if text == text.strip() and text.isprintable() else json.dumps(text, ensure_ascii=False)
    )


def _quoted_lines(text: str) -> str:
    first, space, rest = json.dumps(text, ensure_ascii=False).partition(" ")
    is_safe = space and rest[:1] not in (" ", "") and first[-1] != "\\"
    return f"{first}\n  {rest}" if is_safe else json.dumps(text, ensure_ascii=False)


def _single_quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'" if text.isprintable() else json.dumps(text, ensure_ascii=False)


def yaml_list(entries: Iterable[Fields]) -> str:
    return "".join(f"- {json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)


def json_list(entries: Iterable[Fields]) -> str:
    return json.dumps([*entries], indent=1) + "\n"  # with escapes


def toml_table(entry: Fields) -> str:
    return "".join(f"{name} = {toml_value(value)}\n" for name, value in entry.items() if value is not None)


def toml_list(entries: Iterable[Fields]) -> str:
    return "".join(f"[[entries]]\n{toml_table(entry)}" for entry in entries)


def toml_value(value: Any) -> str:
    """Return a value on one line, without null, which TOML does not have."""
    if isinstance(value, Mapping):
        pairs = (f"{json.dumps(key)} = {toml_value(inner)}" for key, inner in value.items() if inner is not None)
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(map(toml_value, value))}]"
    return json.dumps(value, ensure_ascii=False)


def table(delimiter: str, quoting: Any) -> Write:
    """Return the writer of a table with a column for each field, and for each key of an object."""

    def write(entries: list[dict[str, Any]]) -> str:
        rows = [dict(_cells(entry)) for entry in entries]
        columns = [*dict.fromkeys(name for row in rows for name in row)]
        text = io.StringIO(f"sep={delimiter}\n" if delimiter == ";" else "", newline="")
        text.seek(0, io.SEEK_END)
        writer = csv.DictWriter(text, columns, restval="", delimiter=delimiter, quoting=quoting, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return text.getvalue()

    return write


def _cells(entry: Fields) -> Iterable[tuple[str, str]]:
    for name, value in entry.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{key}", str(inner)) for key, inner in value.items())
        elif isinstance(value, list):
            yield name, "|".join(value)
        else:
            yield name, "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


LISTS: Mapping[str, Write] = {"yaml": yaml_list, "json": json_list, "toml": toml_list}
TABLES: Mapping[str, Write] = {
    "commas.csv": table(",", csv.QUOTE_MINIMAL),
    "quotes.csv": table(",", csv.QUOTE_ALL),
    "semicolons.csv": table(";", csv.QUOTE_MINIMAL),
    "tabs.tsv": table("\t", csv.QUOTE_MINIMAL),
}
SINGLE: Mapping[str, Callable[[Fields], str]] = {
    "yaml": mapping,
    "json": lambda entry: json.dumps(entry, ensure_ascii=False),
    "toml": toml_table,
    "md": lambda entry: document(entry, block_mapping),
    "yml": block_mapping,
}
documents = st.sampled_from([document, toml_document])
