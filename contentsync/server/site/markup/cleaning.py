"""HTML that may stand in a page: what this gives back is never changed after it (docs/faults.md XS-17)."""

import re
from functools import lru_cache, partial

import nh3
from markupsafe import Markup

from .html_cache import cached_html
from .root import TOP, Root
from .url import MAX_URL, SCHEMES

ID_PREFIX = "section-"  # so that no id is that of the page, or a name that scripts look for

# What nh3 takes a quarter of a second for, however it is put together: each tag may be compared with all open
# ones, each attribute with all of its tag, and `<b title=1>` left open stands again in every block behind it: which
# is why these tags lose their attributes, of which none is allowed, before they are read.
MAX_CHARACTERS = 250_000
MAX_TAGS = 12_000
MAX_NODES = 750_000
_REOPENED = re.compile(r"<(b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/])([^<>]*>)?", re.IGNORECASE)
_REOPENED_BARE = 36  # at most three of each name without attributes stand again
_GROWTH = 8  # times as long as the text

_MAX_VALUE = 1_000  # of other attributes than URLs
_URLS = frozenset({"href", "src", "cite"})

_BLOCKS = "blockquote div figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre q section span td th ul"
_TAGS = frozenset(
    f"{_BLOCKS} a abbr b br caption cite code col colgroup dd del details dfn dl dt em hr i img ins kbd mark rp rt ruby"
    " s samp small strong sub summary sup table tbody tfoot thead time tr u var wbr".split()
)
_ATTRIBUTES: dict[str, set[str]] = {
    "*": set(),  # else nh3 allows some
    **{tag: {"lang"} for tag in _BLOCKS.split()},
    **{f"h{level}": {"id", "lang"} for level in range(1, 7)},
    "a": {"href", "hreflang", "title"},
    "abbr": {"title"},
    "blockquote": {"cite", "lang"},
    "del": {"cite", "datetime"},
    "details": {"open"},
    "img": {"alt", "height", "src", "title", "width"},
    "ins": {"cite", "datetime"},
    "li": {"lang", "value"},
    "ol": {"lang", "reversed", "start"},
    "q": {"cite", "lang"},
    "td": {"colspan", "lang", "rowspan"},
    "th": {"colspan", "lang", "rowspan"},
    "time": {"datetime"},
}
_DIRECTIONS = {"auto", "ltr", "rtl"}
_ALIGNMENTS = {"center", "left", "right"}
_VALUES: dict[str, dict[str, set[str]]] = {
    **{tag: {"dir": _DIRECTIONS} for tag in _BLOCKS.split()},
    "ol": {"dir": _DIRECTIONS, "type": {"1", "a", "A", "i", "I"}},
    "td": {"align": _ALIGNMENTS, "dir": _DIRECTIONS},
    "th": {"align": _ALIGNMENTS, "dir": _DIRECTIONS, "scope": {"col", "colgroup", "row", "rowgroup"}},
}
_SET = {
    "img": {"loading": "lazy", "referrerpolicy": "no-referrer"},
    "pre": {"tabindex": "0"},  # what is too wide scrolls, and can be reached with keys
    "table": {"tabindex": "0"},
}
_HEADING = re.compile(r"(</?h)([1-5])(?=[ >])")  # in clean HTML nothing but a tag has an unescaped <


@cached_html
def clean_html(text: str, *, root: Root = TOP, anchors: bool = True) -> Markup:
    """The HTML without what runs, loads other things than images, or takes names and looks of the page around it.

    Where it has an h1, all headings are a level lower, as the page has one already. Links and images that begin with
    one slash lead below the `root`. Headings keep their ids only with `anchors`, which one body of a page may have.
    HTML that is too large or too intricate comes back as text that is shown as it is written (docs/faults.md XS-16).
    """
    tags = text.count("<")
    if len(text) > MAX_CHARACTERS or tags > MAX_TAGS:
        return as_written(text)
    bare = _REOPENED.sub(lambda tag: f"<{tag[1]}>" if tag[2] else tag[0], text)
    if tags * (_REOPENED_BARE + len(_REOPENED.findall(bare))) > MAX_NODES:
        return as_written(text)
    cleaned = cleaned_markup(bare, root, anchors=anchors)
    return cleaned if len(cleaned) <= _GROWTH * len(text) + _MAX_VALUE else as_written(text)


def cleaned_markup(text: str, root: Root, *, anchors: bool) -> Markup:
    """The same of HTML that is surely neither too large nor too intricate."""
    cleaner = _cleaner(root, anchors)
    cleaned = cleaner.clean(text)
    if "<h1" in cleaned:
        cleaned = cleaner.clean(_HEADING.sub(lambda tag: f"{tag[1]}{int(tag[2]) + 1}", cleaned))
    return Markup(cleaned)  # noqa: S704  # this is where it is made safe


def as_written(text: str) -> Markup:
    """The text itself, with its markup shown."""
    return Markup('<pre tabindex="0">{}</pre>').format(text)


@lru_cache(maxsize=64)
def _cleaner(root: Root, anchors: bool) -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=set(_TAGS),
        attributes=_ATTRIBUTES,
        tag_attribute_values=_VALUES,
        set_tag_attribute_values=_SET,
        attribute_filter=partial(_value, root, anchors),
        url_schemes=set(SCHEMES),
        link_rel="noopener",
        id_prefix=ID_PREFIX,
    )


def _value(root: Root, anchors: bool, tag: str, name: str, value: str) -> str | None:
    if name == "id" and not anchors:
        return None
    if name not in _URLS:
        return value if len(value) <= _MAX_VALUE else None
    if name == "href" and value.startswith("#"):
        address = value if value.startswith(f"#{ID_PREFIX}") else f"#{ID_PREFIX}{value[1:]}"
    else:
        address = root.link(value) if tag == "a" else root.image(value)
    return address if len(address) <= MAX_URL else None
