"""Render Markdown bodies as HTML."""

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

from ....model.markdown_budget import CHARACTERS_READ_PER_STEP, StepBudget, TooIntricate, limit_steps, step_environment
from ....model.slug import make_slug
from .html_cleaning import cached_html, cleaned_markup, source_text
from .urls import NO_MOUNT, LinkBase

MAX_CHARACTERS = 400_000
MAX_STEPS = 300_000  # at most a second

_SCHEME = re.compile("https?:|mailto:", re.IGNORECASE)
_AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^<>@\s]{1,64}@)")
# Steps for each link, in addition to those that the parser counts.
_URL_STEPS, _AUTOLINK_STEPS, _DESTINATION_STEPS = 25, 25, 3


@cached_html
def markdown_html(text: str, *, base: LinkBase = NO_MOUNT, anchors: bool = True) -> Markup:
    """Render a Markdown text and clean the result like `clean_html`. HTML in the text is shown as text.

    CommonMark with tables, strikethrough and bare URLs. With `anchors`, headings have ids; only one body of a
    page may have them. Addresses that begin with one slash are placed below `base`. A text that is too long, too
    complex or full of links is shown as source text (docs/faults.md XS-16).
    """
    if len(text) > MAX_CHARACTERS:
        return source_text(text)
    try:
        step_budget = StepBudget(MAX_STEPS)
        step_budget.spend(link_steps(text))
        rendered: str = _parser().render(text, step_environment(text, step_budget))
    except TooIntricate:
        return source_text(text)
    return cleaned_markup(rendered, base, anchors=anchors)


def link_steps(text: str) -> int:
    """Return the parser steps that a text's links cost, without parsing the text."""
    urls, autolinks = len(_SCHEME.findall(text)), len(_AUTOLINK.findall(text))
    return urls * _URL_STEPS + autolinks * _AUTOLINK_STEPS + text.count("](") * _DESTINATION_STEPS


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": True}).enable(["strikethrough", "table"])
    parser.core.ruler.enable("linkify")
    if parser.linkify is not None:  # text without a scheme is no link: `setup.py` would be a host in Paraguay
        parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False}).add("//", None).add("ftp:", None)
    parser.core.ruler.before("linkify", "linkify_steps", _linkify_steps)
    parser.core.ruler.push("heading_ids", _heading_ids)
    parser.core.ruler.push("output_steps", _output_steps)
    for cell in ("td_open", "th_open"):
        parser.add_render_rule(cell, _cell)
    return limit_steps(parser, "[!<`*_~&")


def _linkify_steps(state: StateCore) -> None:
    """Spend linkify's steps: it scans from each scheme to the next space, and copies a paragraph's tokens per link."""
    for token in state.tokens:
        starts = len(_SCHEME.findall(token.content)) if token.children else 0
        if starts:
            longest = max(map(len, token.content.split()))
            state.env["step_budget"].spend(
                starts * (longest // CHARACTERS_READ_PER_STEP + len(token.children or ()) // 500)
            )


def _heading_ids(state: StateCore) -> None:
    """Set the ids of headings: the slug of the heading's text, with a number if the slug is taken."""
    taken: Counter[str] = Counter()
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):
        if opening.type == "heading_open":
            title = "".join(part.content for part in inline.children or () if part.type in ("text", "code_inline"))
            unique = slug = make_slug(title) or "heading"
            while unique in taken:
                taken[slug] += 1
                unique = f"{slug}-{taken[slug]}"
            taken[unique] = 1
            opening.attrSet("id", unique)


def _output_steps(state: StateCore) -> None:
    """Spend steps for the URLs in the output, where each link repeats the URL of its definition."""
    for token in state.tokens:
        for part in token.children or ():
            length = sum(len(str(value)) for value in part.attrs.values()) if part.attrs else 0
            state.env["step_budget"].spend(length // CHARACTERS_READ_PER_STEP)


def _cell(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]) -> str:
    """Render the start tag of a cell with an `align` attribute instead of a style."""
    token = tokens[index]
    style = token.attrs.pop("style", None)
    if style:
        token.attrSet("align", str(style).removeprefix("text-align:"))
    return self.renderToken(tokens, index, options, env)
