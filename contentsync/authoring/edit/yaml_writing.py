"""Write values as YAML that every parser reads as the same values."""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ...lazy_pattern import lazy_pattern
from ...model import PlainScalar

WIDTH = 100  # characters; the limit for a list on one line

_KEY = lazy_pattern(r"[A-Za-z_][A-Za-z0-9_-]{0,99}\Z")
_FLOW = lazy_pattern(r"\w(?:[\w .@/+-]*\w)?\Z")  # text that needs no quotes inside brackets
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})  # in any case
# Characters that must be escaped in YAML: C1 controls, unusual line ends, byte order marks, non-characters.
_ESCAPED = lazy_pattern(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
BLOCK_STYLES = ("|", ">")


def key_text(key: str) -> str:
    """Return a key as it is written before its colon, in quotes if necessary."""
    return key if _KEY.match(key) and key.lower() not in _WORDS else _quoted(key)


def inline_yaml(value: Any, *, flow: bool = False, style: str | None = None) -> str:
    """Return the value as YAML on one line; with `flow`, for a place inside brackets.

    `style` is the quotes for a text. With None, a text has quotes only if it needs them.
    """
    if isinstance(value, Mapping):
        pairs = (f"{key_text(key)}: {inline_yaml(inner, flow=True)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(inline_yaml(item, flow=True) for item in value)}]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _quote_text(value, flow=flow, style=style)
    return repr(value)


def block_lines(key: str, value: Any, indent: int, *, one_line: bool = False) -> str:
    """Return the lines of a key and its value in a block, each with its line end; one line if `one_line`."""
    return f"{' ' * indent}{key_text(key)}:{text_after_colon(value, indent, one_line=one_line)}\n"


def text_after_colon(value: Any, indent: int, *, style: str | None = None, one_line: bool = False) -> str:
    """Return the text after the colon of a key in a block, without the last line end; "" for None.

    `indent` is the column of the key. `style` is how the old text was written: in which quotes, or as a block; None for
    neither. With `one_line`, write no block.
    """
    inner_indent = indent + 2
    if value is None:
        return ""
    if isinstance(value, Mapping) and value and not one_line:
        return "\n" + "".join(block_lines(key, item, inner_indent) for key, item in value.items()).removesuffix("\n")
    if isinstance(value, list) and not one_line:
        line = inline_yaml(value)
        items = [f"\n{' ' * inner_indent}- {inline_yaml(item)}" for item in value]
        return "".join(items) if items and len(line) > WIDTH - indent else f" {line}"
    if isinstance(value, str) and not one_line and _is_literal(value) and style not in ('"', "'"):
        indicator = "|" if value.endswith("\n") else "|-"
        body = value.removesuffix("\n").split("\n")
        return f" {indicator}\n" + "\n".join(f"{' ' * inner_indent}{line}" if line else "" for line in body)
    return f" {inline_yaml(value, style=None if style in BLOCK_STYLES else style)}"


def is_plain_text(text: str) -> bool:
    """Return whether every YAML parser reads the unquoted text, in a block, as the same text.

    A `PlainScalar` is a value that was written without quotes, so it may begin with a digit.
    """
    first = text[:1]
    return (
        (first.isalpha() or isinstance(text, PlainScalar))
        and text.isprintable()
        and not text.endswith((" ", ":"))
        and ": " not in text
        and " #" not in text
        and text.lower() not in _WORDS
    )


def _quote_text(text: str, *, flow: bool, style: str | None) -> str:
    """Return a text as YAML on one line, in the quotes of `style` where possible; `flow` if it is inside brackets."""
    if style == "'" and text.isprintable():
        return f"""'{text.replace("'", "''")}'"""
    if style == '"' or not is_plain_text(text) or (flow and not _FLOW.match(text)):
        return _quoted(text)
    return text


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _ESCAPED.sub(lambda character: f"\\u{ord(character[0]):04x}", quoted)


def _is_literal(text: str) -> bool:
    """Return whether a text has several lines and can be written as a literal block (`|`).

    No line may end with a space, because some editors remove such spaces.
    """
    if "\n" not in text or text[0] in " \n" or text.endswith("\n\n"):
        return False
    return all(line.isprintable() and not line.endswith(" ") for line in text.split("\n"))


def items_text(entries: Iterable[Mapping[str, Any]], indent: int = 0) -> str:
    """Return the entries as items of a YAML list, with `indent` spaces before each dash."""
    items = []
    key_indent = indent + len("- ")
    for entry in entries:
        text = "".join(block_lines(key, value, key_indent) for key, value in entry.items())
        items.append(f"{' ' * indent}- {text[key_indent:]}")  # the first key is on the line of the dash
    return "".join(items)
