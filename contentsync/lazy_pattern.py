"""Regular expressions that are compiled at their first use, because a run uses few of those that it imports."""

import re
from typing import Any, AnyStr, cast

_ATTRIBUTES = frozenset(name for name in dir(re.Pattern) if not name.startswith("_"))


def lazy_pattern(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return what `re.compile` returns, for a pattern of a module.

    A mistake in the pattern is an error of the first use: `tests/test_lazy_pattern.py` uses each one.
    """
    return cast("re.Pattern[AnyStr]", LazyPattern(text, flags))


class LazyPattern:
    """Has the attributes of its pattern from the first use on."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        self._text: Any = text
        self._flags = flags

    def __getattr__(self, name: str) -> Any:
        """Compile the pattern; later uses find its attributes in the instance, nearly as fast as in the pattern."""
        if name not in _ATTRIBUTES:
            raise AttributeError(name)
        pattern = re.compile(self._text, self._flags)
        vars(self).update({each: getattr(pattern, each) for each in _ATTRIBUTES})
        return vars(self)[name]
