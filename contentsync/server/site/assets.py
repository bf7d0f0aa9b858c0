"""The style sheets of a site: one for all, and the colours of a directory's tags.

The policy of the pages allows no style inside of them, so that colours stand in a file of their own.
"""

from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple
from weakref import WeakKeyDictionary

from starlette.responses import Response

from ..store import Connection
from ..store.public.catalogue import Catalogue
from . import page_paths
from .markup import colour, contrasting
from .site import Site
from .visit import Visit

STYLESHEET_PATH = f"{page_paths.STATIC}site.css"
FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}
# What asks without the version of a file, or with another one, gets the present file and does not keep it.
FOR_NOW = {"Cache-Control": "no-cache"}


class Sheet(NamedTuple):
    """A style sheet, and the name of its content."""

    css: bytes
    version: str


def _sheet(css: bytes) -> Sheet:
    return Sheet(css, blake2b(css, digest_size=6).hexdigest())


STYLESHEET = _sheet((Path(__file__).parent / "static" / "site.css").read_bytes())


_COLOURS: WeakKeyDictionary[Catalogue, Sheet] = WeakKeyDictionary()


def colours_of(catalogue: Catalogue) -> Sheet:
    """The sheet of a directory's tags, made once for a catalogue."""
    if catalogue not in _COLOURS:
        _COLOURS[catalogue] = _colours(catalogue)
    return _COLOURS[catalogue]


def _colours(catalogue: Catalogue) -> Sheet:
    """A class for each tag that has a colour; none of them is anything but a strict hex colour."""
    rules = []
    for tag_id, tag in catalogue.tags.items():
        background, text = colour(tag["color"]), colour(tag["text_color"])
        if background or text:
            background, text = background or contrasting(str(text)), text or contrasting(str(background))
            rules.append(f".tag-{tag_id}{{background:{background};color:{text}}}\n")
    return _sheet("".join(rules).encode())


def addresses(site: Site, catalogue: Catalogue) -> list[str]:
    """Where a page finds its style sheets."""
    sheets = [(STYLESHEET_PATH, STYLESHEET), (page_paths.COLOURS, colours_of(catalogue))]
    return [site.asset(path, sheet.version) for path, sheet in sheets if sheet.css]


def stylesheet(connection: Connection, visit: Visit) -> Response:
    """The sheet of all sites."""
    return _answer(visit, STYLESHEET)


def colours(connection: Connection, visit: Visit) -> Response:
    """The sheet of a directory's tags."""
    return _answer(visit, colours_of(visit.catalogue))


def _answer(visit: Visit, sheet: Sheet) -> Response:
    caching = FOR_EVER if visit.query.get("v") == sheet.version else FOR_NOW
    return Response(sheet.css, headers=caching, media_type="text/css")
