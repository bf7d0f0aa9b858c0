"""Render Markdown bodies as HTML."""

import re
from collections.abc import Iterator, Sequence
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

from ....model.markdown_budget import CHARACTERS_READ_PER_STEP, StepBudget, TooIntricate, limit_steps, step_environment
from . import code_highlighting, html_cleaning
from .html_cleaning import cached_html, cleaned_if_simple, cleaned_markup, source_text
from .markdown_extensions import add_extensions
from .urls import NO_MOUNT, LinkBase

MAX_CHARACTERS = 400_000
MAX_STEPS = 300_000  # at most a second

_SCHEME = re.compile("https?:|mailto:", re.IGNORECASE)
_AUTOLINK = re.compile(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^<>@\s]{1,64}@)")
# Steps for each link, in addition to those that the parser counts.
_URL_STEPS, _AUTOLINK_STEPS, _DESTINATION_STEPS = 25, 25, 3
_TOKENS_COPIED_PER_STEP = 500


@cached_html
def markdown_html(text: str, *, base: LinkBase = NO_MOUNT, anchors: bool = True) -> Markup:
    """Render a Markdown text and clean the result like `clean_html`.

    CommonMark with tables, strikethrough, bare URLs, the syntax of `markdown_extensions`, and HTML. With `anchors`,
    headings and footnotes have ids; only one body of a page may have them. Addresses that begin with one slash are
    placed below `base`. If the HTML in the text is too large or complex, its tags are shown as text. A text that is too
    long, too complex or full of links is shown as source text (docs/faults.md XS-16).
    """
    if len(text) > MAX_CHARACTERS:
        return source_text(text)
    step_budget = StepBudget(MAX_STEPS)
    try:
        step_budget.spend(link_steps(text))
        cleaned = _rendered(text, step_budget, base, anchors=anchors, html=True)
        if cleaned is None:
            cleaned = _rendered(text, step_budget, base, anchors=anchors, html=False)
    except TooIntricate:
        cleaned = None
    return source_text(text) if cleaned is None else cleaned


def _rendered(text: str, step_budget: StepBudget, base: LinkBase, *, anchors: bool, html: bool) -> Markup | None:
    """Return clean HTML, or None if the HTML in the text is too large or complex; without `html`, tags are text.

    Raise TooIntricate if rendering would exceed the step budget.
    """
    parser = _parser(html=html)
    environment = step_environment(text, step_budget)
    environment |= {"code_budget": StepBudget(code_highlighting.MAX_STEPS), "anchors": anchors}
    tokens = parser.parse(text, environment)
    sources = list(_html_sources(tokens))
    if sum(map(len, sources)) > html_cleaning.MAX_CHARACTERS:
        return None
    if sum(source.count("<") for source in sources) > html_cleaning.MAX_TAGS:
        return None
    rendered: str = parser.renderer.render(tokens, parser.options, environment)
    if sources:
        return cleaned_if_simple(rendered, base, anchors=anchors)
    return cleaned_markup(rendered, base, anchors=anchors)


def _html_sources(tokens: Sequence[Token]) -> Iterator[str]:
    """Yield each piece of HTML that the author of a text wrote."""
    for token in tokens:
        if token.type in ("html_block", "html_inline"):
            yield token.content
        if token.children:
            yield from _html_sources(token.children)


def link_steps(text: str) -> int:
    """Return the parser steps that a text's links cost, without parsing the text."""
    urls, autolinks = len(_SCHEME.findall(text)), len(_AUTOLINK.findall(text))
    return urls * _URL_STEPS + autolinks * _AUTOLINK_STEPS + text.count("](") * _DESTINATION_STEPS


@cache
def _parser(*, html: bool) -> MarkdownIt:
    """Return the parser of bodies, which counts its steps; without `html`, it shows tags as text."""
    parser = MarkdownIt("commonmark", {"html": html, "linkify": True}).enable(["strikethrough", "table"])
    parser.core.ruler.enable("linkify")
    if parser.linkify is not None:  # text without a scheme is no link: `setup.py` would be a host in Paraguay
        parser.linkify.set({"fuzzy_link": False, "fuzzy_email": False})
        parser.linkify.add("//", None).add("ftp:", None)  # None removes what linkify would take for a URL
    parser.core.ruler.before("linkify", "linkify_steps", _linkify_steps)
    add_extensions(parser).core.ruler.push("output_steps", _output_steps)
    return limit_steps(parser, marks="[!<`*_~&")


def _linkify_steps(state: StateCore) -> None:
    """Spend linkify's steps: it scans from each scheme to the next space, and copies a paragraph's tokens per link."""
    for token in state.tokens:
        children = token.children or ()
        url_count = len(_SCHEME.findall(token.content)) if children else 0
        if url_count:
            longest = max(map(len, token.content.split()))
            steps_per_url = longest // CHARACTERS_READ_PER_STEP + len(children) // _TOKENS_COPIED_PER_STEP
            state.env["step_budget"].spend(url_count * steps_per_url)


def _output_steps(state: StateCore) -> None:
    """Spend steps for the URLs in the output, where each link repeats the URL of its definition."""
    for token in state.tokens:
        for part in token.children or ():
            length = sum(len(str(value)) for value in part.attrs.values()) if part.attrs else 0
            state.env["step_budget"].spend(length // CHARACTERS_READ_PER_STEP)
