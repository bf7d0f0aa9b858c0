"""contentsync.lazy_pattern: regular expressions that are compiled at their first use."""

import importlib
import pkgutil
import re
from types import ModuleType

import pytest

import contentsync
from contentsync.lazy_pattern import LazyPattern, lazy_pattern

NOT_IMPORTED = ("contentsync.__main__", "contentsync.server.store.migrations")  # they run when they are imported


def modules() -> list[ModuleType]:
    """Return all modules of the package."""
    names = (found.name for found in pkgutil.walk_packages(contentsync.__path__, "contentsync."))
    return [importlib.import_module(name) for name in names if not name.startswith(NOT_IMPORTED)]


def test_a_lazy_pattern_finds_what_the_pattern_finds() -> None:
    lazy, pattern = (make(r"(?P<word>a+)b", re.IGNORECASE) for make in (lazy_pattern, re.compile))
    text = "xAab"
    assert [each["word"] for each in lazy.finditer(text)] == ["Aa"]
    assert (lazy.pattern, lazy.flags, lazy.sub("-", text)) == (pattern.pattern, pattern.flags, pattern.sub("-", text))


def test_a_lazy_pattern_is_compiled_once_and_only_if_it_is_used() -> None:
    lazy = lazy_pattern("(")
    assert vars(lazy).keys() == {"_text", "_flags"}
    with pytest.raises(re.error):
        lazy.match("")
    lazy = lazy_pattern("a")
    assert lazy.match is lazy.match


def test_no_module_compiles_a_pattern_when_it_is_imported() -> None:
    found = {
        f"{module.__name__}.{name}"
        for module in modules()
        for name, value in vars(module).items()
        if isinstance(value, re.Pattern)
    }
    assert found == {"contentsync.exchange.spreadsheet.workbook_file.ILLEGAL_CHARACTERS_RE"}  # of openpyxl


def test_every_lazy_pattern_is_a_valid_pattern() -> None:
    values = [value for module in modules() for value in vars(module).values()]
    patterns = [value for value in values if isinstance(value, LazyPattern)]
    assert len(patterns) > 200
    assert all(re.compile(pattern.pattern, pattern.flags) for pattern in patterns)
