"""Clean HTML, as the last step before it is part of a page (docs/faults.md XS-17)."""

import re
from collections.abc import Iterator
from functools import lru_cache, partial
from html import unescape

import nh3
from markupsafe import Markup

from ...lazy_pattern import lazy_pattern
from .code_highlighting import CODE_CLASSES
from .safe_urls import MAX_URL, NO_MOUNT, SCHEMES, LinkBase

# The page's own ids begin with this, so no id in a body can be one of them (decision 27).
PAGE_ID_PREFIX = "site:"
# Ids in bodies had this prefix once, and addresses with it are in bookmarks: each id keeps a second one with it.
FORMER_ID_PREFIX = "section-"
_MAX_ID = 255  # characters, as of the ids of headings

# Below these limits nh3 takes at most a quarter of a second for any input. It may compare each tag with all open tags,
# and each attribute with all others of its tag. It repeats an unclosed `<b title=1>` in every later block, so the
# attributes of such tags are removed before nh3 parses them; none of these attributes is allowed.
MAX_CHARACTERS = 250_000
MAX_TAGS = 12_000
MAX_NODES = 750_000
_WITH_ATTRIBUTES = lazy_pattern(
    r"<(?P<name>b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/])(?P<attributes>[^<>]*>)?", re.IGNORECASE
)
_MAX_REPEATED_BARE = 36  # nh3 repeats at most three tags of each of these names that have no attributes
_MAX_GROWTH = 8  # times the length of the text
_ADDED_LENGTH = 1_000  # characters of attributes that cleaning may add to a short text

_MAX_VALUE = 1_000  # characters of an attribute that is not a URL
_URLS = frozenset({"href", "src", "cite"})

_BLOCKS = "blockquote div figcaption figure h1 h2 h3 h4 h5 h6 li ol p pre q section span td th ul"
_TAGS = frozenset(
    f"{_BLOCKS} a abbr b br caption cite code col colgroup dd del details dfn dl dt em hr i img ins kbd mark rp rt ruby"
    " s samp small strong sub summary sup table tbody tfoot thead time tr u var wbr".split()
)
_ATTRIBUTES: dict[str, set[str]] = {
    "*": {"id"},
    **{tag: {"lang"} for tag in _BLOCKS.split()},
    "a": {"href", "hreflang", "name", "title"},
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
# The classes of Markdown's own elements. They are styled in bodies only: an author who writes one changes nothing else.
_CLASSES: dict[str, set[str]] = {
    "a": {"anchor"},
    "div": {f"markdown-alert markdown-alert-{kind}" for kind in ("note", "tip", "important", "warning", "caution")},
    "li": {"task-list-item"},
    "p": {"markdown-alert-title"},
    "section": {"footnotes"},
    "span": set(CODE_CLASSES),
}
_VALUES: dict[str, dict[str, set[str]]] = {
    "a": {"class": _CLASSES["a"]},
    **{tag: {"dir": _DIRECTIONS} | ({"class": _CLASSES[tag]} if tag in _CLASSES else {}) for tag in _BLOCKS.split()},
    "ol": {"dir": _DIRECTIONS, "type": {"1", "a", "A", "i", "I"}},
    "td": {"align": _ALIGNMENTS, "dir": _DIRECTIONS},
    "th": {"align": _ALIGNMENTS, "dir": _DIRECTIONS, "scope": {"col", "colgroup", "row", "rowgroup"}},
}
_SET = {
    "img": {"loading": "lazy", "referrerpolicy": "no-referrer"},
    "pre": {"tabindex": "0"},  # wide content scrolls, also with the keyboard
    "table": {"tabindex": "0"},
}
# nh3 adds the attributes of an image in a random order, which would change the page's ETag with each process. In clean
# HTML, only the end of a tag has quotes before an unescaped >.
_OTHER_ATTRIBUTE_ORDER = ' referrerpolicy="no-referrer" loading="lazy">'
_ATTRIBUTE_ORDER = ' loading="lazy" referrerpolicy="no-referrer">'
# A tag of clean HTML, in which each value has quotes and contains none.
_TAG_WITH_ATTRIBUTES = lazy_pattern(r"<(?P<tag>[a-z][a-z0-9]*)(?P<attributes>(?: [a-z-]+=\"[^\"]*\")++)>")
_ATTRIBUTE = lazy_pattern(r" ([a-z-]+)=\"([^\"]*)\"")
_NOT_IN_ID = lazy_pattern(r"[\s\x00-\x1f\x7f]")
_HAD_PREFIX = frozenset({"a", "li", *(f"h{level}" for level in range(1, 7))})  # only these tags had ids
_H1_TO_H5 = lazy_pattern(r"(</?h)([1-5])(?=[ >])")  # in clean HTML only tags have an unescaped <


def clean_html(text: str, *, base: LinkBase = NO_MOUNT, anchors: bool = True) -> Markup:
    """Return the HTML without scripts, without forms and frames, and with images as the only content that is loaded.

    No id may be one of the page's own, and only the classes of rendered Markdown remain, so the HTML cannot use the
    page's ids or styles. If it has an h1, all headings move one level down, because the page has its own h1. Links and
    images that begin with one slash lead below `base`. Ids remain only with `anchors`: pass it for at most one text of
    a page, as two texts may have the same ids. HTML that could take long to clean, because it is too large or complex,
    is returned as visible source text (docs/faults.md XS-16).
    """
    if len(text) > MAX_CHARACTERS or text.count("<") > MAX_TAGS:
        return source_text(text)
    cleaned = cleaned_if_simple(text, base, anchors=anchors)
    return source_text(text) if cleaned is None else cleaned


def cleaned_if_simple(text: str, base: LinkBase, *, anchors: bool) -> Markup | None:
    """Return clean HTML, or None if cleaning it could take long or make it much longer.

    The caller must have checked that authors wrote at most MAX_CHARACTERS characters and MAX_TAGS tags of the text. The
    rest must be HTML of the Markdown renderer, which closes its tags.
    """
    bare = _WITH_ATTRIBUTES.sub(_without_attributes, text)
    # After each tag, nh3 may repeat earlier unclosed tags: some bare ones, and all that still have attributes.
    max_repeated = _MAX_REPEATED_BARE + len(_WITH_ATTRIBUTES.findall(bare))
    max_nodes = text.count("<") * max_repeated
    if max_nodes > MAX_NODES:
        return None
    cleaned = cleaned_markup(bare, base, anchors=anchors)
    return cleaned if len(cleaned) <= _MAX_GROWTH * len(text) + _ADDED_LENGTH else None


def _without_attributes(tag: re.Match[str]) -> str:
    """Return `<b>` for `<b title=1>`; a tag without an end, such as `<b title=1` at the end of the text, stays."""
    return f"<{tag['name']}>" if tag["attributes"] else tag[0]


def cleaned_markup(text: str, base: LinkBase, *, anchors: bool) -> Markup:
    """Return clean HTML as `clean_html` does, but of any size: callers must limit the HTML that authors wrote."""
    cleaner = _cleaner(base, anchors)
    cleaned = cleaner.clean(text)
    if "<h1" in cleaned:
        lowered = _H1_TO_H5.sub(lambda tag: f"{tag[1]}{int(tag[2]) + 1}", cleaned)  # `<h1>` becomes `<h2>`
        cleaned = cleaner.clean(lowered)  # again, because the headings were edited
    with_fixed_order = cleaned.replace(_OTHER_ATTRIBUTE_ORDER, _ATTRIBUTE_ORDER)  # swaps two harmless attributes
    return Markup(_with_former_ids(with_fixed_order) if anchors else with_fixed_order)  # noqa: S704  # cleaned here


def _with_former_ids(cleaned: str) -> str:
    """Return clean HTML in which each id with a former one has a `span` with that, and each `name` is an id.

    The ids that are added contain no characters but those of ids that were cleaned.
    """
    if ' id="' not in cleaned and ' name="' not in cleaned:  # fast, and perhaps in the text
        return cleaned
    used = {*_escaped_ids(cleaned)}

    def replaced(match: re.Match[str]) -> str:
        """Return a tag with its `name` as its id, followed by a `span` for each other id that links to it may have."""
        tag, attributes = match["tag"], dict(_ATTRIBUTE.findall(match["attributes"]))
        name = attributes.get("name", "")  # of `<a name="prices">`
        if "id" in attributes:
            attributes.pop("name", None)
        else:
            attributes = {"id" if key == "name" else key: value for key, value in attributes.items()}
        own_id = attributes.get("id", "")
        has_former = own_id and tag in _HAD_PREFIX and not own_id.startswith(FORMER_ID_PREFIX)
        former = f"{FORMER_ID_PREFIX}{own_id}" if has_former else ""
        added = [each for each in dict.fromkeys((name, former)) if each not in ("", own_id) and each not in used]
        used.update((own_id, *added))
        start = "".join(f' {key}="{value}"' for key, value in attributes.items())
        spans = "".join(f'<span id="{each}"></span>' for each in added)
        return f"<{tag}{start}>{spans}"

    return _TAG_WITH_ATTRIBUTES.sub(replaced, cleaned)


def _escaped_ids(cleaned: str) -> Iterator[str]:
    """Yield each id in clean HTML, as it is written there."""
    for tag in _TAG_WITH_ATTRIBUTES.finditer(cleaned):
        own_id = dict(_ATTRIBUTE.findall(tag["attributes"])).get("id")
        if own_id:
            yield own_id


def ids_in(cleaned: str) -> set[str]:
    """Return the ids in clean HTML."""
    return {unescape(own_id) for own_id in _escaped_ids(cleaned)} if ' id="' in cleaned else set()


def source_text(text: str) -> Markup:
    """Return HTML that shows the text and its markup."""
    return Markup('<pre tabindex="0">{}</pre>').format(text)


@lru_cache(maxsize=64)
def _cleaner(base: LinkBase, anchors: bool) -> nh3.Cleaner:
    """Return a cleaner that keeps only safe tags and attributes, and resolves addresses with `base`."""
    return nh3.Cleaner(
        tags=set(_TAGS),
        attributes=_ATTRIBUTES,
        tag_attribute_values=_VALUES,
        set_tag_attribute_values=_SET,
        attribute_filter=partial(_filtered_value, base, anchors),
        url_schemes=set(SCHEMES),
        link_rel="noopener",
    )


def _filtered_value(base: LinkBase, anchors: bool, tag: str, name: str, value: str) -> str | None:
    """Return the value that an attribute gets in clean HTML; None removes the attribute.

    Ids remain only with `anchors`. An address on this site gets the mount of `base`; that of a link (`a`) also gets its
    language, because it may be a page, while pictures and other files have no languages.
    """
    if name in ("id", "name"):
        return value if anchors and _may_be_id(value) else None
    if name not in _URLS:
        return value if len(value) <= _MAX_VALUE else None
    address = base.link(value) if tag == "a" else base.with_mount(value)
    return address if len(address) <= MAX_URL else None


def _may_be_id(value: str) -> bool:
    """Return whether a value can be the id of an element in a body. An id has no spaces (HTML 3.2.6)."""
    length = len(value.removeprefix(FORMER_ID_PREFIX))
    return 0 < length <= _MAX_ID and not value.startswith(PAGE_ID_PREFIX) and not _NOT_IN_ID.search(value)
