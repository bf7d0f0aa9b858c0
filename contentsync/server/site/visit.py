"""A reader's request for a page of a site."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.datastructures import QueryParams
from starlette.responses import Response

from ..store import Connection
from ..store.catalogue import Catalogue
from .site import Site

if TYPE_CHECKING:
    from .rendering import Rendering


class NotFound(Exception):
    """The site has no such page, or none that is shown now."""


@dataclass(frozen=True, slots=True)
class Visit:
    """What a view is made of, besides what it reads of the database in the same transaction."""

    site: Site
    catalogue: Catalogue
    rendering: "Rendering"
    path: str  # below the mount, or "" where the site has no page of the kind: such a path may lead anywhere
    slug: str  # what the path names, or ""
    query: QueryParams


View = Callable[[Connection, Visit], Response]  # raises NotFound
