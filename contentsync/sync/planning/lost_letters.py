"""Find letters that a text has lost because it was saved or read in another encoding."""

import re
from functools import cache

_WORD = re.compile(r"[^\W\d_]{3,}")
_MAX_WORDS = 200  # of a text; later ones are not compared
_REPLACEMENT = "\ufffd"  # for bytes that are no letter
# Encodings in which programs misread UTF-8.
_MISREAD_IN = ("cp1252", "latin-1", "mac_roman", "cp850", "cp1251")


def has_lost_letters(old: str, new: str) -> bool:
    """Return whether a word of the old text has `?`, U+FFFD or mojibake in the new one in place of its letters."""
    if old.isascii():
        return False
    words = {word for word in _WORD.findall(old) if not word.isascii()}
    lost = [word for word in sorted(words)[:_MAX_WORDS] if word not in new]
    return any(re.search(_damaged(word), new) for word in lost)


def _damaged(word: str) -> str:
    """Return an expression for a word in which every letter outside ASCII is damaged."""
    letters = "".join(letter if letter.isascii() else f"(?:{_damage(letter)})" for letter in word)
    return rf"(?<![^\W_]){letters}(?![^\W_])"


@cache
def _damage(letter: str) -> str:
    """Return an expression for what programs make of a letter outside ASCII."""
    marks = "|".join(map(re.escape, ("?", *_misread(_REPLACEMENT), _REPLACEMENT)))
    return "|".join([f"(?:{marks}){{1,{len(letter.encode())}}}", *map(re.escape, _misread(letter))])


def _misread(letter: str) -> list[str]:
    """Return what programs read that take the UTF-8 of a letter for another encoding."""
    return sorted({letter.encode().decode(encoding, errors="replace") for encoding in _MISREAD_IN})
