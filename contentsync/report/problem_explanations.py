"""The explanations of problem codes: the sections of docs/problems.md, which is also a file of the package."""

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from ..errors import UsageError
from ..model import did_you_mean

_SECTION = re.compile(r"^### (?P<code>\S+)\n+(?P<text>.*?)\s*(?=^##|\Z)", re.MULTILINE | re.DOTALL)
# Code, which stays as it is, or a link.
_CODE_OR_LINK = re.compile(
    r"```.*?```|\[(?P<text>(?:`[^`]*`|[^\]`])+)\]\((?P<page>[^)#]*)(?:#[^)]*)?\)|`[^`]*`", re.DOTALL
)


def explain_code(code: str) -> str:
    """Return the explanation of a problem code, in Markdown without links. Raise UsageError for an unknown code."""
    text = explanations().get(code)
    if text is None:
        hint = did_you_mean(code, explanations()) or "docs/problems.md lists all codes"
        raise UsageError(f"there is no problem code '{code}'", hint)
    return _CODE_OR_LINK.sub(_without_link, text)


@cache
def explanations() -> Mapping[str, str]:
    """Return the text of each section, by problem code."""
    page = (files("contentsync") / "problems.md").read_text(encoding="utf-8")
    return {section["code"]: section["text"] for section in _SECTION.finditer(page)}


def _without_link(match: re.Match[str]) -> str:
    """Return the text of a link, with the name of its page if that is another one; return code as it is."""
    text, page = match["text"], match["page"]
    if text is None:
        return match[0]
    return text if page in ("", text) else f"{text} (docs/{page})"
