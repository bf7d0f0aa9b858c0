"""The style sheets of a site: one for all, and the colours of a directory's tags.

The policy of the pages allows no style inside of them, so that colours stand in a file of their own.
"""

from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import NamedTuple

from starlette.responses import Response

from ..store import Connection
from ..store.public.catalogue import Catalogue
from . import paths
from .markup import colour
from .site import Site
from .visit import Visit

STYLESHEET_PATH = f"{paths.STATIC}site.css"
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


@lru_cache(maxsize=64)
def colours_of(catalogue: Catalogue) -> Sheet:
    """A class for each tag that has colours; none of them is anything but a strict hex colour."""
    rules = []
    for tag_id, tag in catalogue.tags.items():
        background, text = colour(tag["color"]), colour(tag["text_color"])
        parts = [f"background:{background}"] if background else []
        parts += [f"color:{text}"] if text else []
        if parts:
            rules.append(f".tag-{tag_id}{{{';'.join(parts)}}}\n")
    return _sheet("".join(rules).encode())


def addresses(site: Site, catalogue: Catalogue) -> list[str]:
    """Where a page finds its style sheets."""
    sheets = [(STYLESHEET_PATH, STYLESHEET), (paths.COLOURS, colours_of(catalogue))]
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
