"""Values as YAML that says just them: to our readers, and to programs with YAML 1.1's idea of `no` and `12:30`."""

import json
import re
from collections.abc import Mapping
from typing import Any

from ...model import Plain

WIDTH = 100  # of a list on one line

_KEY = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,99}\Z")
_FLOW = re.compile(r"\w(?:[\w .@/+-]*\w)?\Z")  # what needs no quotes between brackets
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})  # in any case
# What a YAML file holds as an escape only: C1 controls, line ends that editors do not know, marks, no characters.
_STRANGE = re.compile(r"[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_BLOCKS = ("|", ">")


def key_text(key: str) -> str:
    """A key as it stands before its colon."""
    return key if _KEY.match(key) and key.lower() not in _WORDS else _quoted(key)


def inline(value: Any, *, flow: bool = False, style: str | None = None) -> str:
    """The value on one line; `flow` where it stands between brackets, `style` for the quotes of a text."""
    if isinstance(value, Mapping):
        pairs = (f"{key_text(key)}: {inline(inner, flow=True)}" for key, inner in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, list):
        return f"[{', '.join(inline(item, flow=True) for item in value)}]"
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value, flow=flow, style=style)
    return repr(value)


def lines(key: str, value: Any, indent: int, *, short: bool = False) -> str:
    """The line or lines of a key in a block, each with its line end; only one, if it is to be `short`."""
    return f"{' ' * indent}{key_text(key)}:{behind_colon(value, indent, short=short)}\n"


def behind_colon(value: Any, indent: int, *, style: str | None = None, short: bool = False) -> str:
    """What stands behind the colon of a key in a block that is indented so far."""
    inner = indent + 2
    if value is None:
        return ""
    if isinstance(value, Mapping) and value and not short:
        return "\n" + "".join(lines(key, item, inner) for key, item in value.items()).removesuffix("\n")
    if isinstance(value, list) and not short:
        line = inline(value)
        items = [f"\n{' ' * inner}- {inline(item)}" for item in value]
        return "".join(items) if items and len(line) > WIDTH - indent else f" {line}"
    if isinstance(value, str) and not short and _is_literal(value) and style not in ('"', "'"):
        mark = "|" if value.endswith("\n") else "|-"
        body = value.removesuffix("\n").split("\n")
        return f" {mark}\n" + "\n".join(f"{' ' * inner}{line}" if line else "" for line in body)
    return f" {inline(value, style=None if style in _BLOCKS else style)}"


def says_itself(text: str) -> bool:
    """Whether the text without quotes, in a block, is that text to everybody."""
    first = text[:1]
    return (
        (first.isalpha() or isinstance(text, Plain))
        and text.isprintable()
        and not text.endswith((" ", ":"))
        and ": " not in text
        and " #" not in text
        and text.lower() not in _WORDS
    )


def _text(text: str, *, flow: bool, style: str | None) -> str:
    if style == "'" and text.isprintable():
        return f"""'{text.replace("'", "''")}'"""
    plain = says_itself(text) and (not flow or _FLOW.match(text))
    return text if plain and style != '"' else _quoted(text)


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _STRANGE.sub(lambda character: f"\\u{ord(character[0]):04x}", quoted)


def _is_literal(text: str) -> bool:
    """Whether a text of several lines can stand as it is, in an editor that takes spaces at the end of a line away."""
    if "\n" not in text or text[0] in " \n" or text.endswith("\n\n"):
        return False
    return all(line.isprintable() and not line.endswith(" ") for line in text.split("\n"))
