"""Templates into answers."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import Response

from ..store import Connection
from . import page_paths
from .assets import addresses
from .head import Crumb, Head, breadcrumb_list
from .language import direction, language
from .markup import json_ld, safe_url, video
from .navigation import navigation
from .policy import page_headers
from .text import shortened
from .visit import Visit

_NUMBER = re.compile(r"\+?[0-9 ()./-]{3,40}\Z", re.ASCII)
_SPACERS = re.compile(r"[^+0-9]")
TEMPLATES = Path(__file__).parent / "templates"
MOST_CRUMBS = 8  # below the home page


def image_src(value: str | None) -> str | None:
    """The value, if it is a URL of an image somewhere, or a path of this host, such as that of an uploaded one."""
    if value and value.startswith("/") and not value.startswith("//"):
        return value
    return value if safe_url(value) and str(value).startswith("http") else None


def telephone(value: str) -> str | None:
    """The address of a number that can be dialled: digits, however they are set apart."""
    return f"tel:{_SPACERS.sub('', value)}" if _NUMBER.match(value) else None


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"json_ld": json_ld, "safe_url": safe_url, "image_src": image_src, "telephone": telephone}
    environment.filters |= {"shortened": shortened}
    environment.globals |= {"paths": page_paths, "video_of": video, "direction": direction}
    return environment


@dataclass(frozen=True)
class Rendering:
    """The templates, compiled once for all directories.

    `live` gives the address, on the same origin, of a script that a page loads: the development server's, which tells
    by it when the page was made.
    """

    live: Callable[[], str] | None = None
    environment: Environment = field(default_factory=_environment)

    def page(
        self,
        connection: Connection,
        visit: Visit,
        template: str,
        head: Head,
        crumbs: Sequence[Crumb] = (),
        *,
        status: int = 200,
        **context: Any,
    ) -> Response:
        """A whole HTML page; `crumbs` lead from the home page, which is not among them, to the page itself."""
        site = visit.site
        words = language(site.locale)
        way = [Crumb(words("home"), page_paths.HOME), *crumbs[-MOST_CRUMBS:]] if crumbs else []
        html = self.environment.get_template(template).render(
            site=site,
            visit=visit,
            t=words,
            head=head,
            structured=[*head.json_ld, *([breadcrumb_list(site, way)] if way else [])],
            crumbs=way,
            navigation=navigation(connection, visit),
            stylesheets=addresses(site, visit.catalogue),
            live=self.live() if self.live else None,
            **context,
        )
        headers = {
            **page_headers(scripts=self.live is not None),
            "Cache-Control": "no-cache",
            "Content-Language": site.locale,
        }
        return Response(html, status, headers, media_type="text/html")
