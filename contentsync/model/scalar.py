"""Scalars as text: forbidden characters, and the numbers and booleans that a text may mean."""

import math
import re
import unicodedata

MAX_NUMBER = 10**18  # databases and JSON parsers disagree about larger numbers

_LONGEST = 1000  # characters of a number: the time to match one grows with the square of its length

INTEGER = re.compile(r"[-+]?[0-9]{1,18}\Z")
NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?\Z")
_NOT_FINITE = re.compile(r"(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z")
_PADDED = re.compile(r"[-+]?0[0-9]")  # a code such as 01234
TRUE = frozenset({"true", "yes", "on", "1"})
FALSE = frozenset({"false", "no", "off", "0"})


class PlainScalar(str):
    """A YAML scalar without quotes: text as written, which only fields of JSON type resolve (docs/content.md 3)."""

    __slots__ = ()


def parse_integer(text: str) -> int | None:
    """Return the integer that a text of at most 18 digits means; None for another text."""
    return int(text) if INTEGER.match(text) else None


def parse_number(text: str) -> float | int | None:
    """Return the finite number that a text in decimal notation means; None for another text."""
    if len(text) > _LONGEST or not NUMBER.match(text):
        return None
    if text.lstrip("+-").isdecimal():
        return int(text) if len(text) < 100 else None  # not as a float, which loses the last digits
    number = float(text)
    return number if math.isfinite(number) else None


def parse_flag(text: str) -> bool | None:
    """Return True for true, yes, on and 1, False for false, no, off and 0 (in any letter case), else None."""
    folded = text.lower() if len(text) <= len("false") else ""
    if folded in TRUE:
        return True
    return False if folded in FALSE else None


def resolve_plain_scalar(text: PlainScalar) -> str | int | float | bool | None:
    """Return the JSON value of a plain scalar, by the core schema of YAML 1.2.

    So `no`, `1:30` and `0123` are texts, because only YAML 1.1 gives them another meaning; `.inf` and `.nan` are
    floats. Raise OverflowError for a number that is too large.
    """
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if _NOT_FINITE.match(text):
        return float(text.replace(".", ""))
    if _PADDED.match(text) or not NUMBER.match(text):
        return str(text)
    number = parse_number(text)
    if number is None:
        raise OverflowError("too large for a number")
    return number


_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\r"})
_NOT_TEXT = re.compile(f"[{re.escape(_CONTROLS.decode())}\ud800-\udfff]")


def find_control_character(text: str) -> str:
    """Return the first surrogate, or control character below U+0080 except tab and line ends, in a text; else ""."""
    try:
        data = text.encode()
        if len(data.translate(None, _CONTROLS)) == len(data):  # five times as fast as a search
            return ""
    except UnicodeEncodeError:
        pass
    return str(_NOT_TEXT.findall(text)[0])


def invisible_hint(text: str) -> str:
    """Return the hint that names the first invisible character of a text; "" if it has none."""
    for character in text:
        if not character.isprintable():
            return f"it contains the invisible character U+{ord(character):04X} ({_name(character).lower()})"
    return ""


def foreign_hint(text: str) -> str:
    """Return the hint that names the first non-ASCII character, which may look like an ASCII one; "" without one."""
    for character in text:
        if not character.isascii():
            return f"the {'letter' if character.isalpha() else 'character'} '{character}' is {_name(character)}"
    return ""


def _name(character: str) -> str:
    return unicodedata.name(character, "control character")
