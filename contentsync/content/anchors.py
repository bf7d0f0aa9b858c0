"""Find the parts of a text that a fragment (`#part`) may name: headings and ids (docs/content.md 6)."""

import re
from collections import Counter
from collections.abc import Iterator
from html import unescape
from urllib.parse import unquote

from ..model.slug import make_slug, normal_name, numbered_slug

_MAX_TITLE = 1_000  # characters of a heading
_HEADING = re.compile(rf"[ \t>]*+#{{1,6}}[ \t]++([^\n]{{1,{_MAX_TITLE}}}+)")
_UNDERLINE = re.compile(r"[ \t>]*+(?:=+|-{2,}+)[ \t]*+\Z")
_FENCE = re.compile(r"[ \t>]*+(`{3,}+|~{3,}+)")
_ID_ATTRIBUTE = re.compile(r"\b(?:id|name)[ \t]*+=[ \t]*+[\"']?+([^\s\"'<>]{1,200}+)", re.IGNORECASE)
_BRACED_ID = re.compile(r"\{:?[^{}\n#]{0,200}+#([^\s{}#]{1,200}+)[^{}\n]{0,200}+\}")  # {#id}, {: #id .class}
_LINK_DESTINATION = re.compile(r"\]\([^()\n]{0,300}+\)")  # of `[text](destination)`
_CLOSING = re.compile(r"[ \t]++#++[ \t]*+\Z")  # of `## Title ##`
_HTML_TAG = re.compile(r"</?[A-Za-z][^<>\n]{0,300}+>")


def anchors_of(text: str) -> set[str]:
    """Return the anchors of a Markdown or HTML text: its ids, and those that the site and GitHub give its headings.

    They are normalized as by `normal_anchor`. The text may include its front matter.
    """
    anchors = {normal_anchor(match[1]) for pattern in (_ID_ATTRIBUTE, _BRACED_ID) for match in pattern.finditer(text)}
    used_slugs: Counter[str] = Counter()  # `numbered_slug` adds to it, so that equal headings get different slugs
    for title in _headings(text):
        shown = _HTML_TAG.sub("", _BRACED_ID.sub("", title))
        shown = _LINK_DESTINATION.sub("]", shown)
        slug = make_slug(unescape(shown)) or "heading"
        anchors.add(numbered_slug(slug, used_slugs))
    return anchors


def _headings(text: str) -> Iterator[str]:
    """Yield the Markdown title of each heading: after `#`, or above a line of `=` or `-`. Skip fenced code.

    A title above a line is cut after `_MAX_TITLE` characters.
    """
    fence = ""  # the marker that opened the fenced code around this line
    previous_line = ""  # which is a title if this line underlines it
    for line in text.split("\n"):
        marker = _FENCE.match(line)
        if fence:
            if marker and marker[1].startswith(fence) and not line[marker.end() :].strip():
                fence = ""
        elif marker:
            fence, previous_line = marker[1], ""
        elif heading := _HEADING.match(line):
            yield _CLOSING.sub("", heading[1])
            previous_line = ""
        elif previous_line and _UNDERLINE.match(line):
            yield previous_line
            previous_line = ""
        else:
            previous_line = line.strip()[:_MAX_TITLE]


def normal_anchor(fragment: str) -> str:
    """Return the form in which equal fragments are equal: in lower case, with single hyphens."""
    return normal_name(unquote(fragment))
