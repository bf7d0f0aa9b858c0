"""URLs: which are accepted, and when two of them are the same (docs/contract.md 14; docs/faults.md SL-10, SL-12)."""

import re
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import ip_address
from urllib.parse import quote, urlsplit

from ..lazy_pattern import lazy_pattern

MAX_HOST = 253  # characters, as DNS has it

# The base of the addresses of files in the content folder that no other server has; the built-in server puts its own
# address in place of it. The domain is reserved (RFC 2606).
LOCAL_FILES = "https://files.contentsync.invalid/"

# Most URLs are so plain that they need not be parsed.
_PLAIN_LABEL = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PLAIN_HOST = rf"https?://{_PLAIN_LABEL}(?:\.{_PLAIN_LABEL})*"
_PLAIN_SET = r"A-Za-z0-9/._~&=+,;:@!$'()*\-"
_PLAIN = lazy_pattern(rf"(?!https?://https?[:/]){_PLAIN_HOST}(?::[1-9][0-9]{{0,3}})?(?:[/?#][{_PLAIN_SET}%?#]*)?\Z")
_PLAIN_KEY = lazy_pattern(rf"{_PLAIN_HOST}(?:/[{_PLAIN_SET}]+(?:\?[{_PLAIN_SET}]+)?)?\Z")
_ONE_URL = lazy_pattern(r"(https?://[^/?#@\s]+)(\S*)\Z", re.IGNORECASE)
_DOUBLED_SCHEME = lazy_pattern(r"https?://(https?)(?::/*|/+)([^/?#]+\..+)", re.IGNORECASE)
_UNSAFE = lazy_pattern(r"[\s\x00-\x1f\x7f\"<>\\^`{|}]")
_LABEL = lazy_pattern(r"(?!-)[a-z0-9_-]{1,63}(?<!-)\Z")
_ESCAPE = lazy_pattern(r"%([0-9A-Fa-f]{2})?")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_DEFAULT_PORT = {"http": 80, "https": 443}
_INDEX_PAGES = ("/index.html", "/index.htm", "/index.php")
# Parameters that only say where a visitor came from (docs/content.md 2).
_TRACKING = lazy_pattern(
    r"(?:\A|&)(?:utm_[^=&]*|fbclid|gclid|dclid|gbraid|wbraid|msclkid|ttclid|twclid|yclid|igshid|li_fat_id|mc_cid|mc_eid"
    r"|_ga|_gl|_hsenc|_hsmi|mkt_tok|srsltid)(?:=[^&]*)?(?=&|\Z)",
    re.IGNORECASE,
)


def url_fault(url: str) -> str | None:
    """Return why the text is not a safe URL (http or https, a host, no credentials); None if it is."""
    return None if is_plain(url) else find_url_fault(url)


def is_plain(url: str) -> bool:
    """Return whether a quick check shows that the text is a safe URL; if not, `find_url_fault` decides."""
    return len(url) <= MAX_HOST and _PLAIN.match(url) is not None


def are_plain(urls: Sequence[str], _joined: str = "") -> bool:
    """Return whether `is_plain` is true of every URL; there must be one. `_joined` is unused (`Plain.accepts`)."""
    return max(map(len, urls)) <= MAX_HOST and all(map(_PLAIN.match, urls))


def find_url_fault(url: str) -> str | None:
    """Return why the text is not a safe URL, or None. `url_fault` is quicker for most URLs."""
    if _UNSAFE.search(url):
        return "must be a valid URL, without spaces, quotes or control characters"
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return "must be a valid URL, such as https://example.org/about"
    if parts.scheme not in _DEFAULT_PORT:
        return "must be a valid URL that starts with http:// or https://"
    if "@" in parts.netloc:
        return "must be a URL without a user name or password"
    if port == 0 or not _is_host(parts.hostname or ""):
        return "must be a valid URL with a host name"
    return None


def without_doubled_scheme(url: str) -> str:
    """Return the URL that `http://https://example.org` probably means; "" for a URL with one scheme, or with a fault.

    A URL with two schemes is valid: its host is `https`.
    """
    doubled = _DOUBLED_SCHEME.fullmatch(url)
    if doubled is None or url_fault(url):
        return ""
    scheme, rest = doubled.groups()
    meant = f"{scheme.lower()}://{rest}"
    return "" if url_fault(meant) else meant


def url_key(url: str) -> str:
    """Return the form in which URLs are compared: equal keys mean the same URL.

    Scheme and host are in lower case, the default port, the fragment and a path of `/` alone are dropped, and
    percent-encoding and international host names are normalised. The query string counts. The URL must have no
    `url_fault`.
    """
    # Two slashes follow the scheme. The third one begins the path, because no plain key has a query without a path.
    has_root_path = url.count("/") == 3
    plain = url.removesuffix("/") if has_root_path else url
    return plain if _PLAIN_KEY.match(plain) else compute_url_key(url)


@lru_cache(maxsize=4096)
def compute_url_key(url: str) -> str:
    """Return the key of a URL (see `url_key`, which is quicker for most URLs)."""
    parts = urlsplit(url)
    host = ascii_host(parts.hostname or "")
    if parts.port is not None and parts.port != _DEFAULT_PORT.get(parts.scheme):
        host = f"{host}:{parts.port}"
    path = "" if parts.path == "/" else _normalise_escapes(parts.path)
    query = f"?{_normalise_escapes(parts.query)}" if parts.query else ""
    return f"{parts.scheme}://{host}{path}{query}"


def near_url_key(key: str) -> str:
    """Return the form of a `url_key` that is equal for URLs that probably lead to the same page.

    The scheme, `www.`, a slash or an index page at the end of the path, its case and tracking parameters do not count.
    A key that is no URL is returned unchanged. This must be fast.
    """
    _scheme, separator, address = key.partition("//")
    if not separator:
        return key
    query = ""
    if "?" in address:
        address, _, query = address.partition("?")
        query = _TRACKING.sub("", query).lstrip("&")
    path = address.removeprefix("www.").lower()
    if "/index." in path and path.endswith(_INDEX_PAGES):
        path = path.rpartition("/")[0]
    near = f"//{path.removesuffix('/')}"
    return f"{near}?{query}" if query else near


def comparable_url(text: str) -> str:
    """Return a URL in the form in which the values of a field that is no key are compared; any other text unchanged.

    The case of scheme and host does not count, nor does a path of `/` alone. Everything else counts, such as the
    fragment, because an author's change of it must reach the server. The state of each synced folder has digests of
    this form: if it were another one, every such field would count as changed on the server.
    """
    url = _ONE_URL.match(text)
    if not url:
        return text
    host, path = url[1].lower(), url[2]
    return host if path == "/" else host + path


def url_origin(url: str) -> tuple[str, str | None, int | None]:
    """Return the scheme, the host and the port of a URL, which are equal for two URLs of the same server."""
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or _DEFAULT_PORT.get(parts.scheme)


def _is_host(host: str) -> bool:
    if ":" in host:
        return True  # urlsplit has already checked that it is a bracketed IPv6 address
    name = ascii_host(host)
    return len(name) <= MAX_HOST and all(_LABEL.match(label) for label in name.split("."))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a host name
        return False


def ascii_host(host: str) -> str:
    """Return a host in ASCII and lower case, without a final dot; "" for an international name that is not valid.

    IPv6 addresses get brackets. A host in ASCII is not checked.
    """
    host = host.lower().removesuffix(".")
    if ":" in host:
        return f"[{host}]"
    if host.isascii():
        return host
    import idna  # a slow import: it has large tables

    try:
        return idna.encode(host, uts46=True).decode("ascii")
    except idna.IDNAError:
        return ""


def _normalise_escapes(text: str) -> str:
    """Return a path or query in one form, in which only characters that need it are escaped."""

    def normalised(escape: re.Match[str]) -> str:
        """Return an unreserved character instead of its escape; other escapes get upper-case digits."""
        digits = escape[1]
        if digits is None:  # a percent sign that escapes nothing
            return "%25"
        character = chr(int(digits, 16))
        return character if character in _UNRESERVED else escape[0].upper()

    return quote(_ESCAPE.sub(normalised, text), safe="!#$%&'()*+,/:;=?@[]~")
