"""Warn of syntax in Markdown bodies that only another site generator processes, such as shortcodes.

The check is the same for every server, however it renders Markdown: it looks at the text outside of code.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...lazy_pattern import lazy_pattern
from ...model.markdown_budget import TooIntricate
from ..files.content_folder import CONFIG
from ..files.file_text import position_at
from ..formats.draft import Body, Draft, is_html_field
from ..formats.mdx_modules import is_mdx
from ..links.parsed_body import BodySection, ParsedBody

if TYPE_CHECKING:
    from markdown_it.token import Token

_MAX_EXCERPT = 60  # characters

_SYNTAX = lazy_pattern(
    r"(?P<shortcode>\{\{[<%])"
    r"|(?P<tag>(?<!\{)\{%-?[ \t]*+[A-Za-z])"
    r"|(?P<variable>\{\{-?[ \t]*+[\w\"'.$][^{}\n]{0,300}+\}\})"
    r"|(?P<attributes>\{::?[^{}\n]{1,300}+\})"
    r"|(?P<embed>!\[\[[^\s\[\]][^\[\]\n]{0,300}+\]\])"
    r"|(?P<comment>^[ \t]*+%%(?!%)[^\n%]{0,60}+(?:%%)?|(?<![\w%])%%(?!%)[^%]{1,300}+%%(?!%))"
    r"|(?P<container>^:::+[ \t]*+[A-Za-z{][^\n]{0,60})",
    re.MULTILINE,
)
_BEGINNINGS = ("{{", "{%", "{:", "![[", ":::", "%%")  # of the syntax above; fast, unlike an expression
_STATEMENT = lazy_pattern(
    r"^(?P<statement>import[ \t]*(?:[{\"'*]|[^\n]{1,300}?[ \t]from[ \t])|export[ \t]+(?:const|default|function|let)\b)",
    re.MULTILINE,
)
_COMPONENT = lazy_pattern(r"(?P<component></?[A-Z][\w.]*+(?=[\s/>]))")
_CAPITAL_TAG = lazy_pattern(r"</?[A-Z]")
# Kramdown, with `markdown="1"`, and others process Markdown in a block of HTML; a page shows it as text.
_MARKDOWN = lazy_pattern(
    r"(?P<markdown>!?\[[^\[\]\n]{1,300}+\]\((?:https?://|mailto:|\.{0,2}/|#)[^()\s]{0,300}+\)"
    r"|\*\*(?=\w)[^*\n]{1,300}+\*\*|(?m:^)#{2,6}[ \t]++[^\s#][^\n]{0,300}+)"
)
_BLOCK_OF_HTML = lazy_pattern(r"^[ \t]*+<[a-z]", re.MULTILINE)
_NOUNS = {
    "shortcode": "a Hugo shortcode",
    "tag": "a Liquid tag",
    "variable": "a template variable",
    "attributes": "a Kramdown attribute list",
    "embed": "an embedded file",
    "container": "a ::: container",
    "comment": "an Obsidian comment",
    "statement": "a JavaScript statement",
    "component": "a JSX component",
    "markdown": "Markdown in HTML",
}
_ENDS = {"shortcode": "}}", "tag": "%}", "component": ">", "statement": "\n"}
_HINT = f"write it in Markdown, or replace it with [[markdown.replace]] in {CONFIG}"
_HINT_IN_HTML = "write it in HTML, or put empty lines between it and the tags"

# Of HTML, only the text outside of code is shown, and the links in its attributes are checked as links.
_MARKUP = lazy_pattern(
    r"<!--.*?(?:-->|\Z)|<(?P<code>code|pre|script|style|textarea)\b[^<>]*+>.*?(?:</(?P=code)>|\Z)|</?[a-z][^<>]*+>",
    re.DOTALL,
)
_NO_TEXT = "\ufffc"  # in place of a part of a text that is no text


class _ForeignSyntax(NamedTuple):
    """A pattern with a group for each kind of syntax, and whether it may match anywhere in a text. False is certain."""

    pattern: re.Pattern[str]
    may_begin_in: Callable[[str], bool]
    tokens: frozenset[str] = frozenset({"html_block", "inline"})  # the types of those in which it is looked for


_ANYWHERE = (
    _ForeignSyntax(_SYNTAX, lambda text: any(beginning in text for beginning in _BEGINNINGS)),
    _ForeignSyntax(_MARKDOWN, lambda text: _BLOCK_OF_HTML.search(text) is not None, frozenset({"html_block"})),
)
_IN_MDX = (
    _ForeignSyntax(_STATEMENT, lambda text: "import" in text or "export" in text),
    _ForeignSyntax(_COMPONENT, lambda text: _CAPITAL_TAG.search(text) is not None),
)


def warn_of_template_syntax(draft: Draft, bodies: Iterable[tuple[Body, ParsedBody]]) -> None:
    """Warn of the first occurrence of each kind of syntax in the Markdown bodies of an entry.

    A body that is too complex to parse is not checked.
    """
    syntaxes = (*_ANYWHERE, *_IN_MDX) if is_mdx(draft.path) else _ANYWHERE
    reported: set[str] = set()  # the kinds of syntax, to which `_first_occurrences` adds
    for (name, _values, field), body in bodies:
        if is_html_field(draft.kind, field):
            continue
        possible = [syntax for syntax in syntaxes if syntax.may_begin_in(body.text)]
        with suppress(TooIntricate):
            for kind, offset, excerpt in _first_occurrences(body, possible, reported) if possible else ():
                message = f"{name} contains {_NOUNS[kind]}, '{excerpt}', which the site does not process"
                hint = _HINT_IN_HTML if kind == "markdown" else _HINT
                draft.warn("template-syntax", message, draft.where_in(name, position_at(body.text, offset)), hint)
                draft.problems[-1] = replace(draft.problems[-1], subject=_NOUNS[kind])  # for `GroupedProblems`


class _TemplateOccurrence(NamedTuple):
    kind: str
    offset: int
    excerpt: str


def _first_occurrences(
    body: ParsedBody, syntaxes: Sequence[_ForeignSyntax], reported: set[str]
) -> Iterator[_TemplateOccurrence]:
    """Yield the first occurrence outside of code of each kind of syntax, and add the kind to `reported`.

    Kinds that are in `reported` before are left out. Raise TooIntricate.
    """
    for section in body.sections:
        syntaxes = [syntax for syntax in syntaxes if not syntax.pattern.groupindex.keys() <= reported]
        # A part of a beginning may be escaped.
        possible = [each for each in syntaxes if "\\" in section.text or each.may_begin_in(section.text)]
        for token in section.tokens if possible else ():
            text = _shown_text(token, section)  # templates in link targets are links
            patterns = [each.pattern for each in possible if token.type in each.tokens]
            for match in (match for pattern in patterns for match in pattern.finditer(text)):
                kind = match.lastgroup or ""
                if kind not in reported:
                    reported.add(kind)
                    line_start = body.line_starts[section.line_of(token) + text.count("\n", 0, match.start())]
                    offset = body.text.find(match[0], line_start)
                    yield _TemplateOccurrence(kind, line_start if offset < 0 else offset, _excerpt(text, match, kind))


def _excerpt(text: str, match: re.Match[str], kind: str) -> str:
    """Return the whole of a syntax if it is short, else its beginning."""
    end_mark = _ENDS.get(kind, "")
    text += "\n"  # a statement may end with the text
    start_of_end = text.find(end_mark, match.end(), match.start() + _MAX_EXCERPT)
    end = match.end() if start_of_end < 0 else start_of_end + len(end_mark)
    syntax = text[match.start() : end]
    return " ".join(syntax.replace(_NO_TEXT, " ").split())[:_MAX_EXCERPT]


def _shown_text(token: "Token", section: BodySection) -> str:
    """Return the text of a block outside of code, with a line for each line of the source; "" for other tokens."""
    if token.type == "html_block":
        return _MARKUP.sub(_blank, section.marked.without_marks(token.content))
    if token.type != "inline":
        return ""
    parts = [""]
    for part in token.children or ():
        if part.type == "text":
            parts.append(section.written(part.content))
        elif part.type in ("softbreak", "hardbreak"):
            parts.append("\n")
        elif part.type == "image" and (template := _template_shown_as_text(part, section)):
            parts.append(template)
        elif part.type == "html_inline":
            is_in_shortcode = parts[-1].endswith("{{")  # the parser takes a part of `{{<youtube x>}}` for a tag
            content = section.marked.without_marks(part.content)
            parts.append(content if is_in_shortcode else _MARKUP.sub(_blank, content))
        else:
            parts.append(_NO_TEXT)
    return "".join(parts)


def _template_shown_as_text(image: "Token", section: BodySection) -> str:
    """Return the address of an image that is a template with spaces, which a page shows as text; else ""."""
    address = section.written(str(image.attrs.get("src", "")))
    return address if address.startswith("{") and " " in address else ""


def _blank(markup: re.Match[str]) -> str:
    """Return a replacement for a tag or comment with the same number of lines."""
    return _NO_TEXT + "\n" * markup[0].count("\n")
