"""The style sheets: one for all sites, one for the pages of entries, and one with the colours of a directory's tags.

The content security policy allows no styles inside of pages, so the colours are in a separate file.
"""

import math
import re
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from starlette.responses import Response

from ...model.field_types import COLOUR
from ..store import Connection
from ..store.catalogue import Catalogue
from . import page_paths
from .page_request import PageRequest, SiteContext

STYLESHEET_PATH = f"{page_paths.STATIC}site.css"
ENTRY_STYLESHEET_PATH = f"{page_paths.STATIC}entry.css"
IMMUTABLE = {"Cache-Control": "public, max-age=31536000, immutable"}
# A request for another version gets the current file, which must not be cached under that version.
UNCACHED = {"Cache-Control": "no-cache"}

# The relative luminance with the same contrast to black and to white (WCAG 2.2).
_MIDDLE_LUMINANCE = 0.179


class StyleSheet(NamedTuple):
    """A style sheet, and its version, which is a digest of its content."""

    css: bytes
    version: str


def _style_sheet(css: bytes) -> StyleSheet:
    return StyleSheet(css, blake2b(css, digest_size=6).hexdigest())


def compact(css: str) -> str:
    """Return a style sheet of ours without comments and needless spaces, which are an eighth of it."""
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)  # comments
    css = re.sub(r"\s+", " ", css)
    css = re.sub(r" ?([{};>]) ?|(?<=[:,]) ", r"\1", css)  # `a > b { color: red; }` becomes `a>b{color:red;}`
    return css.replace(";}", "}").strip()


def _static_sheet(name: str) -> StyleSheet:
    return _style_sheet(compact((Path(__file__).parent / "static" / name).read_text("utf-8")).encode())


_SITE_STYLES, _ENTRY_STYLES = _static_sheet("site.css"), _static_sheet("entry.css")
_TAG_STYLES: WeakKeyDictionary[Catalogue, StyleSheet] = WeakKeyDictionary()


def stylesheet_urls(site: SiteContext, catalogue: Catalogue, *, of_entry: bool) -> list[str]:
    """Return the links to the style sheets of a page, without empty style sheets."""
    sheets = [(STYLESHEET_PATH, _SITE_STYLES), (page_paths.COLOURS, _tag_styles(catalogue))]
    if of_entry:
        sheets.insert(1, (ENTRY_STYLESHEET_PATH, _ENTRY_STYLES))
    return [site.asset(path, sheet.version) for path, sheet in sheets if sheet.css]


def site_stylesheet(connection: Connection, request: PageRequest) -> Response:
    """Return the style sheet of all sites."""
    return _respond(request, _SITE_STYLES)


def entry_stylesheet(connection: Connection, request: PageRequest) -> Response:
    """Return the style sheet of the pages of entries."""
    return _respond(request, _ENTRY_STYLES)


def tag_stylesheet(connection: Connection, request: PageRequest) -> Response:
    """Return the style sheet of a directory's tags."""
    return _respond(request, _tag_styles(request.catalogue))


def _respond(request: PageRequest, sheet: StyleSheet) -> Response:
    caching = IMMUTABLE if request.query.get("v") == sheet.version else UNCACHED
    return Response(sheet.css, headers=caching, media_type="text/css")


def _tag_styles(catalogue: Catalogue) -> StyleSheet:
    """Return the style sheet with a class for each tag that has a colour, from a cache.

    Other values than hex colours are ignored. If a tag has only one of its two colours, the other is black or white.
    """
    if catalogue not in _TAG_STYLES:
        rules = []
        for tag_id, tag in catalogue.tags.items():
            background, text = hex_colour(tag["color"]), hex_colour(tag["text_color"])
            if background and not text:
                text = contrasting_colour(background)
            elif text and not background:
                background = contrasting_colour(text)
            if background and text:
                rules.append(f".tag-{tag_id}{{background:{background};color:{text}}}\n")
        _TAG_STYLES[catalogue] = _style_sheet("".join(rules).encode())
    return _TAG_STYLES[catalogue]


def hex_colour(value: object) -> str | None:
    """Return the value if it is a colour as `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`, else None."""
    return value if isinstance(value, str) and COLOUR.match(value) else None


def contrasting_colour(colour: str) -> str:
    """Return black or white, whichever has more contrast to the colour. Transparency is ignored."""
    digits = colour[1:]
    if len(digits) < 6:  # #rgb or #rgba
        digits = "".join(digit * 2 for digit in digits)
    channels = (digits[0:2], digits[2:4], digits[4:6])
    red, green, blue = (_linear(int(channel, 16) / 255) for channel in channels)
    luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue  # WCAG 2.2
    return "#000" if luminance > _MIDDLE_LUMINANCE else "#fff"


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else math.pow((channel + 0.055) / 1.055, 2.4)
