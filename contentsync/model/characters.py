"""Forbidden, invisible and slug characters (docs/faults.md YA-15, SL-04, SL-05)."""

import re
import unicodedata

_CONTROLS = bytes({*range(0x20), 0x7F} - {*b"\t\n\r"})
_NOT_TEXT = re.compile(f"[{re.escape(_CONTROLS.decode())}\ud800-\udfff]")


def control_in(text: str) -> str:
    """The first C0 control (but for tab and line ends), DEL or surrogate, or nothing."""
    try:
        data = text.encode()
        if len(data.translate(None, _CONTROLS)) == len(data):  # five times as quick as to search
            return ""
    except UnicodeEncodeError:
        pass
    return str(_NOT_TEXT.findall(text)[0])


def tell_invisible(text: str) -> str:
    """The hint that names the first character that nobody sees; empty without one."""
    odd = next((character for character in text if not character.isprintable()), "")
    return f"it contains the invisible character U+{ord(odd):04X} ({_name(odd).lower()})" if odd else ""


def tell_foreign(text: str) -> str:
    """The hint that names the first character outside ASCII: it may look like another one; empty without one."""
    odd = next((character for character in text if not character.isascii()), "")
    return f"the {'letter' if odd.isalpha() else 'character'} '{odd}' is {_name(odd)}" if odd else ""


def _name(character: str) -> str:
    return unicodedata.name(character, "control character")
