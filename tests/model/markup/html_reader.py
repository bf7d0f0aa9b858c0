"""Clean HTML, read by a parser that had no part in cleaning it."""

import re
from html.parser import HTMLParser
from typing import NamedTuple

ALLOWED = {
    "": {"dir", "id", "lang"},  # of anything
    "a": {"class", "href", "hreflang", "rel", "title"},
    "abbr": {"title"},
    "blockquote": {"cite"},
    "del": {"cite", "datetime"},
    "div": {"class"},
    "details": {"open"},
    "img": {"alt", "height", "loading", "referrerpolicy", "src", "title", "width"},
    "ins": {"cite", "datetime"},
    "li": {"class", "value"},
    "ol": {"reversed", "start", "type"},
    "p": {"class"},
    "pre": {"tabindex"},
    "q": {"cite"},
    "section": {"class"},
    "span": {"class"},
    "table": {"tabindex"},
    "td": {"align", "colspan", "rowspan"},
    "th": {"align", "colspan", "rowspan", "scope"},
    "time": {"datetime"},
}
WITHOUT = (
    "b br caption cite code col colgroup dd dfn dl dt em figcaption figure h2 h3 h4 h5 h6 hr i kbd mark rp rt ruby s"
    " samp small strong sub summary sup tbody tfoot thead tr u ul var wbr"
)
CLASS = re.compile(
    "anchor|footnotes|hl-[a-z]+|task-list-item|markdown-alert-title"
    "|markdown-alert markdown-alert-(?:note|tip|important|warning|caution)"
)
_SCHEME = re.compile(r"([a-zA-Z][a-zA-Z0-9+.-]*):")
_AS_BROWSERS_DO = re.compile(r"\A[\x00-\x20]+|[\t\n\r]")  # before they look for one


class Tag(NamedTuple):
    """A start tag with its attributes."""

    name: str
    attributes: dict[str, str]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[Tag] = []
        self.text = ""
        self.others: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(Tag(tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_comment(self, data: str) -> None:
        self.others.append(data)

    def handle_decl(self, decl: str) -> None:
        self.others.append(decl)

    def unknown_decl(self, data: str) -> None:
        self.others.append(data)

    def handle_pi(self, data: str) -> None:
        self.others.append(data)


def read(html: str) -> tuple[list[Tag], str]:
    """Return the start tags and the text; fail for comments and declarations."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    assert reader.others == []
    return reader.tags, reader.text


def offences(html: str) -> list[str]:
    """Return everything in the HTML that clean HTML must not contain."""
    found = []
    for name, attributes in read(html)[0]:
        if name not in ALLOWED and name not in WITHOUT.split():
            found.append(name)
        found += [f"{name}[{each}]" for each in attributes.keys() - ALLOWED.get(name, set()) - ALLOWED[""]]
        for each in attributes.keys() & {"href", "src", "cite"}:
            scheme = _SCHEME.match(_AS_BROWSERS_DO.sub("", attributes[each]))
            if scheme and scheme[1].lower() not in ("http", "https", "mailto", "tel"):
                found.append(f"{name}[{each}={attributes[each]}]")
        if "class" in attributes and not CLASS.fullmatch(attributes["class"]):
            found.append(f"{name}[class={attributes['class']}]")
        if attributes.get("id", "").startswith("site:"):  # an id of the page around the text
            found.append(f"{name}[id={attributes['id']}]")
    return found
