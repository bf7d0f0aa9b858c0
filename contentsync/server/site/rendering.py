"""Render pages with their templates, and XML documents, with the headers that browsers and caches need.

The responses of a site are compressed. Those of the API are not: their ETags are strong (decision 12).
"""

import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, tostring

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.datastructures import Headers
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ...lazy_pattern import lazy_pattern
from ...model.markup import frame_url, safe_url
from ...model.markup.safe_urls import FRAME_HOSTS, FRAME_SANDBOX
from ..store import Connection
from . import page_paths
from .assets import stylesheet_urls
from .body_text import shorten
from .html_page import Crumb, HtmlPage, breadcrumb_list, page_numbers
from .language import direction
from .navigation import navigation
from .page_request import PageRequest

TEMPLATES = Path(__file__).parent / "templates"
MAX_CRUMBS = 8  # below the home page

# The templates of pages with texts of authors.
_ENTRY_TEMPLATES = frozenset({"article.html", "category.html", "listing.html", "organizer.html", "page.html"})

_TELEPHONE = lazy_pattern(r"\+?[0-9 ()./-]{3,40}\Z", re.ASCII)
_SEPARATORS = lazy_pattern(r"[^+0-9]")
# No text can end the script or start a comment in it. `json` itself escapes characters that are not ASCII.
_JSON_ESCAPES = str.maketrans({character: f"\\u{ord(character):04x}" for character in "<>&"})

# Characters that XML cannot contain, not even escaped (XML 1.0, 2.2).
_ILLEGAL_IN_XML = lazy_pattern(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_BODY_HEADERS = ("content-length", "content-type")

# Pages contain no scripts and no inline styles, so browsers may run none, whatever a text contains. Images may come
# from any host. Part of docs/faults.md XS-18 and XS-20.
_SOURCES = {
    "default-src": "'none'",
    "style-src": "'self'",
    "connect-src": "'self'",  # no script may run to use it; search engines' audits read robots.txt under this policy
    "img-src": "'self' http: https: data:",
    "frame-src": " ".join(FRAME_HOSTS),
    "form-action": "'self'",
    "base-uri": "'none'",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
}
_SCRIPT_SOURCES = {"script-src": "'self'"}
_FORBIDDEN_FEATURES = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")

MIN_BYTES = 1024  # of a response that is compressed
VARY = "Accept-Encoding"

_LEVEL = 6  # the default of zlib; Starlette takes the slowest, for less than 1 % fewer bytes
_GZIP = lazy_pattern(r"(?:^|,)\s*gzip\s*(?:;\s*q=(?P<weight>[0-9.]+)\s*)?(?:,|$)")


def render(connection: Connection, request: PageRequest, page: HtmlPage, live_script: str | None) -> Response:
    """Return the page as an HTML response, with its menus.

    `live_script` is the URL of a script that the development server adds; None forbids all scripts.
    """
    site, words = request.site, request.words
    crumbs: list[Crumb] = []
    structured_data = [*page.head.json_ld]
    if page.crumbs:
        crumbs = [Crumb(words("home"), page_paths.HOME), *page.crumbs[-MAX_CRUMBS:]]
        structured_data.append(breadcrumb_list(site, crumbs))
    template = _environment().get_template(page.template)
    html = template.render(
        site=site,
        t=words,
        head=page.head,
        structured=structured_data,
        crumbs=crumbs,
        navigation=navigation(connection, request),
        stylesheets=stylesheet_urls(site, request.catalogue, of_entry=page.template in _ENTRY_TEMPLATES),
        live=live_script,
        **page.values,
    )
    headers = {
        **page_headers(scripts=live_script is not None),
        "Cache-Control": "no-store" if page.status == 503 else "no-cache",
        "Content-Language": site.locale,
    }
    return Response(html, page.status, headers, media_type="text/html")


@cache
def _environment() -> Environment:
    """Return the templates, which are compiled once for all directories."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"json_ld": json_ld, "safe_url": safe_url, "image_src": image_src, "telephone": telephone}
    environment.filters |= {"shorten": shorten, "breakable": breakable}
    environment.globals |= {"paths": page_paths, "direction": direction}
    environment.globals |= {"frame_url": frame_url, "frame_sandbox": FRAME_SANDBOX, "page_numbers": page_numbers}
    return environment


def image_src(value: str | None) -> str | None:
    """Return the value if it is an HTTP URL, or a path on this host such as that of an upload; else None."""
    if value and value.startswith("/") and not value.startswith("//"):
        return value
    is_web_address = safe_url(value) is not None and str(value).startswith("http")  # not mailto or tel
    return value if is_web_address else None


def telephone(value: str) -> str | None:
    """Return the `tel:` URL of a telephone number; None if the value is not a telephone number."""
    return f"tel:{_SEPARATORS.sub('', value)}" if _TELEPHONE.match(value) else None


def json_ld(value: object) -> Markup:
    """Return the value as JSON for `<script type="application/ld+json">`."""
    text = json.dumps(value, separators=(",", ":"))
    return Markup(text.translate(_JSON_ESCAPES))  # noqa: S704  # it contains no < and no &


def breakable(address: str) -> Markup:
    """Return an e-mail or web address with places for line breaks: before its @, dots and slashes."""
    return Markup(re.sub(r"(?=[@./])", "<wbr>", str(escape(address))))  # noqa: S704  # escaped


def page_headers(*, scripts: bool = False) -> Mapping[str, str]:
    """Return the headers of an HTML page, which replace those of `edge.middleware`.

    With `scripts`, the page may load scripts from its own origin, and they may send requests there. Only the
    development server uses this.
    """
    sources = (_SOURCES | _SCRIPT_SOURCES) if scripts else _SOURCES
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in sources.items()),
        "Permissions-Policy": ", ".join(f"{name}=()" for name in _FORBIDDEN_FEATURES),
        "Referrer-Policy": "strict-origin-when-cross-origin",  # listed sites see from which site a reader comes
        "X-Content-Type-Options": "nosniff",
    }


def xml_response(root: Element, media_type: str = "application/xml") -> Response:
    """Return the document as a response that caches must revalidate, because its content depends on the time."""
    body = tostring(root, encoding="utf-8", xml_declaration=True)
    return Response(body, headers={"Content-Type": f"{media_type}; charset=utf-8", "Cache-Control": "no-cache"})


def add_element(parent: Element, tag: str, text: str | None = None, /, **attributes: str) -> Element:
    """Add an element, without a text for None, and return it; characters that XML cannot contain are removed."""
    element = SubElement(parent, tag, {name: _without_illegal(value) for name, value in attributes.items()})
    element.text = None if text is None else _without_illegal(text)
    return element


def _without_illegal(text: str) -> str:
    return _ILLEGAL_IN_XML.sub("", text)


def with_etag(request: Request, response: Response) -> Response:
    """Return the response with an ETag of its content, or 304 if the request has this ETag (RFC 9110, 13.1.2).

    Each encoding has an ETag of its own. A 304 repeats the response's headers except those of the body, so that a cache
    updates them.
    """
    if response.status_code != 200:
        return response
    # Not "-gzip", which Caddy adds itself, and removes from requests.
    encoding = ".gzip" if is_compressed(request.headers, response.body) else ""
    etag = f'"{blake2b(response.body, digest_size=12).hexdigest()}{encoding}"'
    response.headers["ETag"] = etag
    if etag not in request.headers.get("if-none-match", ""):  # which may be a list
        return response
    headers = {name: value for name, value in response.headers.items() if name not in _BODY_HEADERS}
    if len(response.body) >= MIN_BYTES:
        headers["Vary"] = VARY
    return Response(status_code=304, headers=headers)


def is_compressed(headers: Headers, body: bytes | memoryview) -> bool:
    """Return whether the response with this body to a request with these headers is compressed."""
    return len(body) >= MIN_BYTES and _accepts_gzip(headers)


async def send_compressed(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Send the response, compressed if it is large and the client accepts that."""
    if not _accepts_gzip(Headers(scope=scope)):  # Starlette reads no weights: for it, `gzip;q=0` is gzip
        scope = {**scope, "headers": [header for header in scope["headers"] if header[0] != b"accept-encoding"]}
    await GZipMiddleware(response, MIN_BYTES, _LEVEL)(scope, receive, send)


def _accepts_gzip(headers: Headers) -> bool:
    gzip = _GZIP.search(headers.get("accept-encoding", ""))
    return gzip is not None and gzip["weight"] not in ("0", "0.0", "0.00", "0.000")
