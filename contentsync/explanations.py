"""What the codes of problems mean: the sections of docs/problems.md."""

import re
from collections.abc import Mapping
from functools import cache

from .lazy_pattern import lazy_pattern

_SECTION = lazy_pattern(r"^### (?P<code>\S+)\n+(?P<text>.*?)\s*(?=^##|\Z)", re.MULTILINE | re.DOTALL)


@cache
def explanations() -> Mapping[str, str]:
    """Return the text of each section of docs/problems.md, which is also a file of the package, by problem code."""
    from importlib.resources import files  # takes longer than the page; most runs need no code

    page = (files(__package__) / "problems.md").read_text(encoding="utf-8")
    return {section["code"]: section["text"] for section in _SECTION.finditer(page)}
