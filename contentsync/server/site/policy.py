"""What the browser is told to hold a site's pages to (docs/faults.md XS-18, XS-20)."""

from collections.abc import Mapping

from .markup.video import FRAME_HOSTS

# Nothing inside a page runs or styles it, whatever gets there; pictures come from wherever an author found them.
_SOURCES = {
    "default-src": "'none'",
    "style-src": "'self'",
    "img-src": "'self' http: https: data:",
    "frame-src": " ".join(FRAME_HOSTS),
    "form-action": "'self'",
    "base-uri": "'none'",
    "object-src": "'none'",
    "frame-ancestors": "'none'",
}
_SCRIPTS = {"script-src": "'self'", "connect-src": "'self'"}
_NOBODY_MAY = ("camera", "display-capture", "geolocation", "microphone", "payment", "usb")


def page_headers(*, scripts: bool = False) -> Mapping[str, str]:
    """The headers of every HTML page of a site, before which those of `edge.headers` stand back.

    With `scripts` a page may load some of its own origin, and they may ask it: none of the pages has any, but the
    development server adds one.
    """
    sources = _SOURCES | _SCRIPTS if scripts else _SOURCES
    return {
        "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in sources.items()),
        "Permissions-Policy": ", ".join(f"{name}=()" for name in _NOBODY_MAY),
        "Referrer-Policy": "strict-origin-when-cross-origin",  # who is listed may see where readers come from
        "X-Content-Type-Options": "nosniff",
    }
