"""Find letters that a text has lost because it was saved or read in another encoding."""

import re
from functools import cache

_WORD = re.compile(r"[^\W\d_]{3,}")
_MAX_WORDS = 200  # of a text; later ones are not compared
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
    data = letter.encode()
    misread = {data.decode(encoding, errors="replace") for encoding in _MISREAD_IN}
    one_for_each_byte = f"{{1,{len(data)}}}"
    marks = rf"\?{one_for_each_byte}|\ufffd{one_for_each_byte}"
    return "|".join([marks, *map(re.escape, sorted(misread))])
