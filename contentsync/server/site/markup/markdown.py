"""Markdown bodies as HTML."""

import re
from collections import Counter
from collections.abc import MutableMapping, Sequence
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from ....model.markdown_budget import READ_PER_STEP, StepBudget, TooIntricate, limit_steps, step_environment
from ....model.slug import make_slug
from .cleaning import as_written, cleaned_markup
from .html_cache import cached_html
from .root import TOP, Root

MAX_CHARACTERS = 400_000
MAX_STEPS = 300_000  # a second at most

_SCHEME = re.compile("https?:|mailto:", re.IGNORECASE)
_AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^<>@\s]{1,64}@)")
# Steps for each link beside those that the parser counts.
_URL, _IN_ANGLES, _DESTINATION = 25, 25, 3


@cached_html
def markdown_html(text: str, *, root: Root = TOP, anchors: bool = True) -> Markup:
    """The HTML of a Markdown text, in which HTML is shown as text; as clean as `clean_html` leaves it.

    CommonMark with tables, strikethrough and bare URLs; headings have ids only with `anchors`, which one body of a page
    may have. Links and images that begin with one slash lead below the `root`. A text that is too long, too intricate
    or full of links comes back as it is written (docs/faults.md XS-16).
    """
    if len(text) > MAX_CHARACTERS:
        return as_written(text)
    try:
        allowance = StepBudget(MAX_STEPS)
        allowance.spend(link_steps(text))
        rendered: str = _parser().render(text, step_environment(text, allowance))
    except TooIntricate:
        return as_written(text)
    return cleaned_markup(rendered, root, anchors=anchors)


def link_steps(text: str) -> int:
    """What the links of a text cost, known before it is parsed."""
    urls, autolinks = len(_SCHEME.findall(text)), len(_AUTOLINK.findall(text))
    return urls * _URL + autolinks * _IN_ANGLES + text.count("](") * _DESTINATION


@cache
def _parser() -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "linkify": True}).enable(["strikethrough", "table"])
    made.core.ruler.enable("linkify")
    if made.linkify is not None:  # what has no scheme stays text: `setup.py` would be a host in Paraguay
        made.linkify.set({"fuzzy_link": False, "fuzzy_email": False}).add("//", None).add("ftp:", None)
    made.core.ruler.before("linkify", "linkify_steps", _linkify_steps)
    made.core.ruler.push("heading_ids", _heading_ids)
    made.core.ruler.push("output_steps", _output_steps)
    for cell in ("td_open", "th_open"):
        made.add_render_rule(cell, _cell)
    return limit_steps(made, "[!<`*_~&")


def _linkify_steps(state: StateCore) -> None:
    """It looks from each scheme to the next space, and makes a new list of all parts of a paragraph for each link."""
    for token in state.tokens:
        starts = len(_SCHEME.findall(token.content)) if token.children else 0
        if starts:
            longest = max(map(len, token.content.split()))
            state.env["allowance"].spend(starts * (longest // READ_PER_STEP + len(token.children or ()) // 500))


def _heading_ids(state: StateCore) -> None:
    """The words of a heading; where they are taken, with a number."""
    taken: Counter[str] = Counter()
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open":
            words = "".join(part.content for part in inline.children or () if part.type in ("text", "code_inline"))
            found = slug = make_slug(words) or "heading"
            while found in taken:
                taken[slug] += 1
                found = f"{slug}-{taken[slug]}"
            taken[found] = 1
            opening.attrSet("id", found)


def _output_steps(state: StateCore) -> None:
    """A definition is written once, and its URL comes out at each link."""
    for token in state.tokens:
        for part in token.children or ():
            written = sum(len(str(value)) for value in part.attrs.values()) if part.attrs else 0
            state.env["allowance"].spend(written // READ_PER_STEP)


def _cell(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]) -> str:
    """An alignment that needs no style."""
    token = tokens[index]
    style = token.attrs.pop("style", None)
    if style:
        token.attrSet("align", str(style).removeprefix("text-align:"))
    return self.renderToken(tokens, index, options, env)
