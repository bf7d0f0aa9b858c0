"""Redirects in the formats of web servers and hosts."""

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import unquote

from ..content.links.former_addresses import Redirect
from ..errors import UsageError
from ..lazy_pattern import lazy_pattern

_SITE = lazy_pattern(r"https?://[A-Za-z0-9.-]+(?::[0-9]+)?(?:/[A-Za-z0-9._~/-]*)?\Z")

_CADDY_SYNTAX = lazy_pattern(r'[\x00-\x1f\x7f%*?\[\]\\{}"]')


def format_redirects(redirects: Sequence[Redirect], format_: str, site: str = "") -> str:
    """Return the redirects as a text with a line for each. `site` is put before the present addresses.

    `format_` is a name of FORMATS. Raise UsageError for a `site` that is not the address of a site in ASCII.
    """
    if site and not _SITE.match(site):
        raise UsageError(f"--to must not be {site}", "write the address of the site, such as https://www.example.com")
    base = site.rstrip("/")
    return FORMATS[format_]([Redirect(former, base + present) for former, present in redirects])


def _netlify(redirects: Sequence[Redirect]) -> str:
    """Return a `_redirects` file. Placeholders (`:x`) and `*` in addresses are percent-encoded."""
    return "".join(f"{former} {present} 301\n" for former, present in redirects)


def _nginx(redirects: Sequence[Redirect]) -> str:
    """Return exact locations for a `server` block. nginx compares decoded paths, and reads `$` in them as text."""
    lines = (
        f'location = "{_nginx_text(unquote(path))}" {{ return 301 "{present}"; }}\n'
        for former, present in redirects
        for path in _with_and_without_slash(former)
    )
    return "".join(lines)


def _nginx_text(path: str) -> str:
    return path.replace("\\", "\\\\").replace('"', '\\"')


def _caddy(redirects: Sequence[Redirect]) -> str:
    """Return `redir` directives for a site block."""
    paths = ((path, present) for former, present in redirects for path in _with_and_without_slash(former))
    return "".join(f"redir {_caddy_path(path)} {present} 301\n" for path, present in paths)


def _caddy_path(path: str) -> str:
    """Return a percent-encoded path decoded and in quotes, because Caddy 2.6 compares its capital letters wrongly.

    Leave a path encoded if a decoded character, such as `*`, has a meaning in quotes.
    """
    decoded = unquote(path)
    return path if decoded == path or _CADDY_SYNTAX.search(decoded) else f'"{decoded}"'


def _csv(redirects: Sequence[Redirect]) -> str:
    """Return a table with a header; all addresses begin with a slash or a scheme, so no cell is a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([("from", "to"), *redirects])
    return text.getvalue()


def _with_and_without_slash(path: str) -> Iterator[str]:
    """Yield the path of a page without and with a slash at its end: nginx and Caddy need a rule for each of them."""
    if "." in path.rpartition("/")[2]:  # the path of a file, such as `/feed.xml`
        yield path
    else:
        bare = path.rstrip("/")
        yield bare
        yield f"{bare}/"


FORMATS: dict[str, Callable[[Sequence[Redirect]], str]] = {
    "netlify": _netlify,
    "nginx": _nginx,
    "caddy": _caddy,
    "csv": _csv,
}
