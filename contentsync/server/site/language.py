"""One language of the pages: its words, dates and names."""

from functools import lru_cache
from typing import Any

from .words import MONTHS, NAMES, RIGHT_TO_LEFT, WORDS

DEFAULT = "en"


class Language:
    """The words of a locale such as `fr` or `fr-CA`; those of English where the program does not speak it."""

    def __init__(self, locale: str) -> None:
        base = locale.partition("-")[0]
        self.code, self.base = (locale, base) if base in WORDS else (DEFAULT, DEFAULT)
        self.direction = direction(self.code)
        self._words = WORDS[self.base]

    def __call__(self, word: str, **values: Any) -> str:
        """A text with its values put in; `n` chooses the form for one or for several."""
        text = self._words[word]
        if "n" in values:
            one, _, several = text.partition("|")
            # None is singular in French and plural in English.
            single = values["n"] == 1 or (values["n"] == 0 and self.base == "fr")
            text = one if single else several
        return text.format(**values) if values else text

    def date(self, instant: str) -> str:
        """The day of a moment in wire form, or of a bare date, in UTC."""
        year, month, day = instant[:10].split("-")
        name = MONTHS[self.base][int(month) - 1]
        first = "1er" if self.base == "fr" and day == "01" else str(int(day))
        return f"{first} {name} {int(year)}"

    def several(self, label: str) -> str:
        """A directory's own word for one thing, for several of them: only English forms that by a rule."""
        if self.base != "en" or not label.isascii() or not label[-1:].isalpha() or label.endswith("s"):
            return label
        if label.endswith("y") and label[-2:-1] not in "aeiou":
            return f"{label[:-1]}ies"
        return f"{label}s"


@lru_cache(maxsize=64)
def language(locale: str) -> Language:
    """The language of a directory's locale."""
    return Language(locale)


def direction(locale: str) -> str:
    """In which direction texts in a language run."""
    return "rtl" if locale.partition("-")[0] in RIGHT_TO_LEFT else "ltr"


def language_name(locale: str) -> str:
    """The language in its own words."""
    base, _, region = locale.partition("-")
    name = NAMES.get(base, base)
    return f"{name} ({region})" if region else name
