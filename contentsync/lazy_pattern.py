"""Regular expressions that are compiled at their first use, because most runs need few of the large ones."""

import re
from typing import Any, cast

_ATTRIBUTES = frozenset(name for name in dir(re.Pattern) if not name.startswith("_"))


def lazy_pattern(text: str, flags: int = 0) -> re.Pattern[str]:
    """Return what `re.compile` returns, for a pattern that takes long to compile and that a usual file does not need.

    A mistake in the pattern is an error of the first use: `tests/test_lazy_pattern.py` uses each one.
    """
    return cast("re.Pattern[str]", LazyPattern(text, flags))


class LazyPattern:
    """Has the attributes of its pattern from the first use on."""

    def __init__(self, text: str, flags: int) -> None:
        self._text = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern; later uses find its attributes in the instance, as fast as in the pattern itself."""
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        pattern = re.compile(self._text, self._flags)
        vars(self).update({each: getattr(pattern, each) for each in _ATTRIBUTES})
        return vars(self)[name]
