"""Render Markdown bodies as HTML: CommonMark, with footnotes, task lists, ids of headings and coloured code."""

import re
from collections import Counter
from collections.abc import Iterator, MutableMapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markupsafe import Markup
from mdit_py_plugins.deflist import deflist_plugin
from mdit_py_plugins.footnote import footnote_plugin
from mdit_py_plugins.footnote.index import footnote_ref

from ...lazy_pattern import lazy_pattern
from ..markdown_budget import CHARACTERS_READ_PER_STEP, StepBudget, TooIntricate, limit_steps, step_environment
from ..slug import heading_id, make_slug, numbered_slug
from . import code_highlighting, html_cleaning
from .html_cleaning import FORMER_ID_PREFIX, cleaned_if_simple, cleaned_markup, source_text
from .safe_urls import NO_MOUNT, LinkBase

Environment = MutableMapping[str, Any]

MAX_CHARACTERS = 400_000
MAX_STEPS = 300_000  # at most a second

_SCHEME = lazy_pattern("https?:|mailto:", re.IGNORECASE)
_AUTOLINK = lazy_pattern(r"<(?:[A-Za-z][A-Za-z0-9+.-]{1,31}:|[^<>@\s]{1,64}@)")
# Steps for each link, in addition to those that the parser counts.
_URL_STEPS, _AUTOLINK_STEPS, _DESTINATION_STEPS = 25, 25, 3
_TOKENS_COPIED_PER_STEP = 500
_HEADING_STEPS = 20
_INLINE_SYNTAX_CHARACTERS = "[!<`*_~&"  # with which links, images, code and emphasis begin

_FOOTNOTE_LABEL = lazy_pattern(r"\[\^[^\]\s]*+")
_BOX = {False: "☐ ", True: "☑ "}  # a form element would need a label of its own
_BACK = "↩\ufe0e"  # as text, not as an emoji

# What `# Title {#id .class}` ends with, with the blanks before it. Only the id is used.
_MAX_ATTRIBUTES = 200  # characters
_TRAILING_ATTRIBUTES = lazy_pattern(r"[ \t]*\{[ \t]*(?:[#.][\w-]++[ \t]*)++\}\Z")
_ID = lazy_pattern(r"#([\w-]++)")
_NOT_IN_A_LINK = ("link_open", "html_inline", "footnote_ref")


def markdown_html(text: str, *, base: LinkBase = NO_MOUNT, anchors: bool = True, highlighted: bool = True) -> Markup:
    """Render a Markdown text and clean the result like `clean_html`.

    CommonMark with tables, strikethrough, bare URLs, the syntax of `_add_extensions`, and HTML. With `anchors`,
    headings and footnotes have ids; only one body of a page may have them. Addresses that begin with one slash are
    placed below `base`. If the HTML in the text is too large or complex, its tags are shown as text. A text that is too
    long, too complex or full of links is shown as source text (docs/faults.md XS-16).
    """
    if len(text) > MAX_CHARACTERS:
        return source_text(text)
    step_budget = StepBudget(MAX_STEPS)
    try:
        step_budget.spend(_link_steps(text))
        code_steps = code_highlighting.MAX_STEPS if highlighted else 0
        cleaned = _rendered(text, step_budget, code_steps, base, anchors=anchors, html=True)
        if cleaned is None:
            cleaned = _rendered(text, step_budget, code_steps, base, anchors=anchors, html=False)
    except TooIntricate:
        cleaned = None
    return source_text(text) if cleaned is None else cleaned


def _rendered(
    text: str, step_budget: StepBudget, code_steps: int, base: LinkBase, *, anchors: bool, html: bool
) -> Markup | None:
    """Return clean HTML, or None if the HTML in the text is too large or complex; without `html`, tags are text.

    Raise TooIntricate if rendering would exceed the step budget.
    """
    parser = _parser(html=html)
    environment = step_environment(text, step_budget)
    environment |= {"code_budget": StepBudget(code_steps), "anchors": anchors}
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


def _link_steps(text: str) -> int:
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
    _add_extensions(parser).core.ruler.push("output_steps", _output_steps)
    return limit_steps(parser, marks=_INLINE_SYNTAX_CHARACTERS)


def _linkify_steps(state: StateCore) -> None:
    """Spend the steps of linkify, which for each URL reads on to the next space and copies the paragraph's tokens."""
    for token in state.tokens:
        children = token.children or ()
        url_count = len(_SCHEME.findall(token.content)) if children else 0
        if url_count:
            longest_word = max(map(len, token.content.split()))  # no URL is longer
            steps_per_url = longest_word // CHARACTERS_READ_PER_STEP + len(children) // _TOKENS_COPIED_PER_STEP
            state.env["step_budget"].spend(url_count * steps_per_url)


def _output_steps(state: StateCore) -> None:
    """Spend steps for the URLs in the output, where each link repeats the URL of its definition."""
    for token in state.tokens:
        for part in token.children or ():
            length = sum(len(str(value)) for value in part.attrs.values()) if part.attrs else 0
            state.env["step_budget"].spend(length // CHARACTERS_READ_PER_STEP)


def _add_extensions(parser: MarkdownIt) -> MarkdownIt:
    """Make a parser read the syntax that authors of GitHub, Hugo and Jekyll use, and return it.

    Its environment needs a `step_budget`, a `code_budget` for highlighting, and `anchors`: whether ids may be set.
    """
    parser.options["tasklists"] = True  # an option of the library, as the next one
    parser.options["alerts"] = True
    parser.use(deflist_plugin).use(footnote_plugin, inline=False)
    parser.inline.ruler.at("footnote_ref", _footnote_reference)
    parser.core.ruler.push("heading_ids", _set_heading_ids)
    for name, rule in _RENDERERS.items():
        parser.add_render_rule(name, rule)
    return parser


def _footnote_reference(state: StateInline, silent: bool) -> bool:
    """Parse a reference such as `[^1]`. Its label may have no end: spend steps for the text that is searched for it."""
    label = _FOOTNOTE_LABEL.match(state.src, state.pos)
    if label is None:
        return False
    state.env["step_budget"].spend(len(label[0]) // CHARACTERS_READ_PER_STEP)
    return footnote_ref(state, silent)


def _set_heading_ids(state: StateCore) -> None:
    """Set the ids of headings, and make each title a link to its heading: readers can copy its address.

    The id is the one behind the title (`{#id}`), or else that of the title; with a number if it is taken. So links that
    an author wrote for GitHub or Hugo lead to the same heading. A title also keeps the id that it had before ids were
    made as GitHub does, if no other heading has that now.
    """
    ids: Counter[str] = Counter()  # `numbered_slug` adds to it
    former_ids: Counter[str] = Counter()
    headings: list[tuple[Token, Token, str, str]] = []  # with the id and the former one
    for opening, inline in zip(state.tokens, state.tokens[1:], strict=False):  # `inline` has the title of a heading
        if opening.type != "heading_open":
            continue
        state.env["step_budget"].spend(_HEADING_STEPS)
        parts = inline.children or []
        own_id = _pop_id(parts)
        title = "".join(part.content for part in parts if part.type in ("text", "code_inline"))
        unique = numbered_slug(own_id or heading_id(title), ids)
        former = numbered_slug(own_id or make_slug(title) or "heading", former_ids)
        headings.append((opening, inline, unique, former))
    for opening, inline, unique, former in headings if state.env["anchors"] else ():
        opening.attrSet("id", unique)
        parts = inline.children or []
        if parts and not any(part.type in _NOT_IN_A_LINK for part in parts):
            link = Token("link_open", "a", 1, attrs={"class": "anchor", "href": f"#{unique}"})
            parts = [link, *parts, Token("link_close", "a", -1)]
        added = [other for other in (former, f"{FORMER_ID_PREFIX}{former}") if former != unique and other not in ids]
        spans = [
            (Token("span_open", "span", 1, attrs={"id": other}), Token("span_close", "span", -1)) for other in added
        ]
        inline.children = [*chain.from_iterable(spans), *parts]


def _pop_id(parts: Sequence[Token]) -> str:
    """Remove the attributes at the end of a heading, such as `{#id .class}`; return the id, or "" if it has none."""
    last = parts[-1] if parts and parts[-1].type == "text" else None
    brace = last.content.rfind("{", -_MAX_ATTRIBUTES) if last else -1  # among the last characters only
    if last is None or brace < 0:
        return ""
    title = last.content[:brace].rstrip(" \t")
    attributes = _TRAILING_ATTRIBUTES.match(last.content, len(title))
    if attributes is None:
        return ""
    last.content = title
    id_match = _ID.search(attributes[0])
    return id_match[1] if id_match else ""


def _list_item(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    """Render the start of a list item, with a box if it is a task."""
    start = self.renderToken(tokens, index, options, env)
    checked = tokens[index].meta.get("checked")
    return start if checked is None else f"{start.rstrip()}{_BOX[checked]}"


def _cell(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    """Render the start tag of a cell with an `align` attribute instead of a style."""
    token = tokens[index]
    style = token.attrs.pop("style", None)
    if style:
        token.attrSet("align", str(style).removeprefix("text-align:"))
    return self.renderToken(tokens, index, options, env)


def _fence(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    token = tokens[index]
    code = code_highlighting.highlighted_code(token.content, token.info.strip(), env["code_budget"])
    return f"<pre><code>{code}</code></pre>\n"


def _footnote_mark(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    token = tokens[index]
    return f"<sup>{_link(_note(token), _reference(token), str(token.meta['id'] + 1), env)}</sup>"


def _footnote_start(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    return f'<li id="{_note(tokens[index])}">'


def _footnote_return(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    return f" {_link(_reference(tokens[index]), '', _BACK, env)}" if env["anchors"] else ""


def _footnotes(self: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Environment) -> str:
    return '<section class="footnotes">\n<ol>\n'


def _link(target_id: str, own_id: str, label: str, env: Environment) -> str:
    """Render a link between a footnote and its mark. `own_id` is the link's id; "" for none.

    The ids contain a colon, so they differ from the ids of headings.
    """
    id_attribute = f' id="{own_id}"' if own_id else ""
    return f'<a href="#{target_id}"{id_attribute}>{label}</a>' if env["anchors"] else label


def _note(token: Token) -> str:
    return f"fn:{token.meta['id'] + 1}"


def _reference(token: Token) -> str:
    again = token.meta.get("subId", 0)
    return f"fnref:{token.meta['id'] + 1}{f':{again}' if again else ''}"


_RENDERERS: dict[str, Any] = {
    "td_open": _cell,
    "th_open": _cell,
    "list_item_open": _list_item,
    "fence": _fence,
    "footnote_ref": _footnote_mark,
    "footnote_open": _footnote_start,
    "footnote_anchor": _footnote_return,
    "footnote_block_open": _footnotes,
}
