"""The YAML that nearly everybody writes, read line by line; all else is left to libyaml's events (yaml_events.py).

What is read here means the same to libyaml. Every line is a blank, a comment, `key: value`, `- value` or
`- key: value` whole, so that no scalar can go on in the next line, and the stack of open collections follows
libyaml's rules of indentation (docs/decisions/0005).
"""

import re
from collections.abc import Iterator
from typing import Any

from ...model import Plain

# What YAML refuses, skips, or takes for a line end where editors do not; and tabs.
_NEVER = r"\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff"
_FIRST = rf"[^{_NEVER} \-?:,\[\]{{}}#&*!|>'\"%@`=]"
_TEXT = rf"[^{_NEVER}:#]*+"
_PLAIN = rf"(?:{_FIRST}|-(?=[0-9.])){_TEXT}(?:(?::(?=[^ \n])|(?<! )#){_TEXT})*+"
_WORD = rf"[^{_NEVER}:#?,\[\]{{}}'\"]*+"
_ITEM = rf"(?:{_FIRST}{_WORD}(?::(?=/){_WORD})*+|\"[^{_NEVER},\"\\]*+\" *+|'[^{_NEVER},']*+' *+)"
_LIST = rf"\[ *+(?:{_ITEM}(?:, *+{_ITEM})*+)?+\]"
_VALUE = rf"\"[^{_NEVER}\"\\]*+\"|'[^{_NEVER}']*+'|{_LIST}|{_PLAIN}"
_KEY = r"[A-Za-z_][A-Za-z0-9_-]{0,99}+"
_INDENT = r" {0,12}+"  # which nests less deeply than the events allow
_LINE = re.compile(rf"^({_INDENT}(?:- ++)?+)(?:#[^{_NEVER}]*+|(?:({_KEY}):(?= |$) *+)?+({_VALUE})?+)$", re.MULTILINE)
_BLANK = rf"(?:(?:#[^{_NEVER}]*+)?+\n)*+"
_HEAD = re.compile(rf"{_BLANK}(?:---\n{_BLANK})?+(?=- )")  # of a list that starts in the first column
_TRAILING = re.compile(r"(?<! ) ++$", re.MULTILINE)
_LONGEST = 256 * 1024  # bounds the memory; who writes more in one entry does not write plainly

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_BOOLEAN = frozenset({"true", "True", "TRUE", "false", "False", "FALSE"})
_MAYBE_NUMBER = frozenset("0123456789+-.")  # how numbers start
_MAYBE_NOT_TEXT = _MAYBE_NUMBER | frozenset("~nNtTfF[\"'")  # how all starts that does not say just what is written


def read_plain(text: str) -> dict[str, Any] | None:
    """The mapping that a text holds; None where only libyaml can tell."""
    values: dict[str, Any] = {}
    return values if _fill(values, text) and values else None


def read_plain_item(text: str) -> dict[str, Any] | None:
    """The mapping that is the one item of a list; None where only libyaml can tell."""
    items: list[Any] = []
    return items[0] if _fill(items, text) and len(items) == 1 and type(items[0]) is dict else None


def list_items(text: str) -> Iterator[tuple[int, str]]:
    """The line and the text of each item of a list; none where a text does not look like one.

    An item that holds `- ` in the first column, as a text in quotes may, comes in parts.
    """
    head = _HEAD.match(text)
    start = head.end() if head else len(text)
    line = text.count("\n", 0, start) + 1
    while start < len(text):
        end = text.find("\n- ", start) + 1 or len(text)
        item = text[start:end]
        yield line, item
        line += item.count("\n")
        start = end


def plain_scalar(text: str) -> str | None:
    """What a scalar without quotes says: `Plain` where it may be a number or a boolean, None for null."""
    if text in _NULL:
        return None
    return Plain(text) if text[0] in _MAYBE_NUMBER or text in _BOOLEAN else text


def _fill(top: Any, text: str) -> bool:
    """Put what a text says into an empty dict or list, unless it is not plain."""
    if len(text) > _LONGEST:
        return False
    text = text.strip("\n")
    if " \n" in text or text.endswith(" "):
        text = _TRAILING.sub("", text)
    lines = _LINE.findall(text)
    if len(lines) != text.count("\n") + 1:
        return False
    column = 0  # where the innermost open collection starts, which is `top`
    margin = None if type(top) is list else ""  # what stands before each key of `top`; None in a list
    around: list[tuple[int, Any]] = []  # the other open ones
    pending = ""  # a key of `top` whose value may stand in the next lines
    inner: Any
    for lead, key, value in lines:
        if not key or lead != margin:  # most lines are the next key of the same mapping
            indent, dash, _ = lead.partition("-")
            if not (key or dash):
                if value:
                    return False
                continue
            width = len(indent)
            if pending and (width > column or (dash and width == column)):
                around.append((column, top))
                top[pending] = inner = [] if dash else {}
                top, column = inner, width
            while column > width or (around and not dash and type(top) is list):
                column, top = around.pop()
            if width != column or (type(top) is list) != bool(dash):
                return False
            if not key:
                if not value:
                    return False
                top.append(_value(value))
                margin, pending = None, ""
                continue
            if dash:
                around.append((column, top))
                inner = {}
                top.append(inner)
                top, column = inner, len(lead)
            margin = " " * column
        if key in top:
            return False
        if value:
            top[key] = _value(value) if value[0] in _MAYBE_NOT_TEXT else value
            pending = ""
        else:
            top[key] = None
            pending = key
    return True


def _value(text: str) -> Any:
    first = text[0]
    if first == "[":
        items = text[1:-1].strip(" ")
        return [_value(item.strip(" ")) for item in items.split(",")] if items else []
    return text[1:-1] if first in "\"'" else plain_scalar(text)
