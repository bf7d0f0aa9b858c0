"""URLs that pages may contain: in links, images and the frames of videos."""

from typing import NamedTuple
from urllib.parse import parse_qs, urlsplit

from ...lazy_pattern import lazy_pattern
from ..urls import url_fault

LOCALE = "locale"  # the query parameter, as in the API
SCHEMES = frozenset({"http", "https", "mailto", "tel"})
MAX_URL = 2048  # characters (docs/contract.md 14)

FRAME_HOSTS = ("https://www.youtube-nocookie.com", "https://player.vimeo.com")
FRAME_SANDBOX = "allow-scripts allow-same-origin allow-presentation"

_WITHOUT_HOST = lazy_pattern(r"(?:mailto|tel):[^\s\x00-\x1f\x7f-\x9f\"<>\\^`{|}]+\Z")
_YOUTUBE_ID = lazy_pattern(r"[A-Za-z0-9_-]{11}\Z")
_VIMEO_ID = lazy_pattern(r"[0-9]{1,12}\Z")
_YOUTUBE_HOSTS = ("youtube.com", "m.youtube.com", "youtube-nocookie.com")  # also with www.
_YOUTUBE_FOLDERS = ("embed", "shorts", "live", "v")  # as in /embed/ID


class LinkBase(NamedTuple):
    """The mount and the language that are added to the site-relative links of a text."""

    mount: str = ""
    locale: str = ""  # "": the default language

    def with_mount(self, url: str) -> str:
        """Return the URL; a path on this host gets the mount before it, unless it begins with the mount already."""
        if url.startswith("/") and not url.startswith(("//", f"{self.mount}/")):
            return f"{self.mount}{url}"
        return url

    def link(self, url: str) -> str:
        """Return the URL of a link; the path of a page gets the mount and, unless its query has one, the language."""
        address = self.with_mount(url)
        is_on_site = address.startswith(f"{self.mount}/") and not address.startswith("//")
        if not is_on_site or not self.locale:
            return address
        # Parsed by hand: urlsplit raises for some addresses and drops characters of others.
        without_fragment, hash_sign, fragment = address.partition("#")
        path, _question_mark, query = without_fragment.partition("?")
        is_file = "." in path.rpartition("/")[2]  # a file or a feed: slugs contain no dots
        has_locale = any(part.partition("=")[0] == LOCALE for part in query.split("&"))
        if is_file or has_locale:
            return address
        query = f"{query}&{LOCALE}={self.locale}" if query else f"{LOCALE}={self.locale}"
        return f"{path}?{query}{hash_sign}{fragment}"


NO_MOUNT = LinkBase()  # in the default language


def safe_url(value: object) -> str | None:
    """Return the value if it is a URL for links (mailto, tel, or HTTP(S) as in URL fields), else None."""
    if not isinstance(value, str) or len(value) > MAX_URL:
        return None
    return value if _WITHOUT_HOST.match(value) or url_fault(value) is None else None


def frame_url(url: object) -> str | None:
    """Return the URL of a frame with the video at a URL of YouTube or Vimeo; else None: the page then shows a link."""
    safe = safe_url(url)
    if safe is None:
        return None
    parts = urlsplit(safe)
    if parts.netloc.lower() != parts.hostname:  # with a port or a user name, which no such URL has
        return None
    host = (parts.hostname or "").removeprefix("www.")
    service = "YouTube" if host in _YOUTUBE_HOSTS else host
    match [service, *filter(None, parts.path.split("/"))]:
        case ["youtu.be", video_id]:
            return _youtube(video_id)
        case ["YouTube", "watch"]:
            return _youtube(parse_qs(parts.query).get("v", [""])[0])
        case ["YouTube", folder, video_id] if folder in _YOUTUBE_FOLDERS:
            return _youtube(video_id)
        case ["vimeo.com", video_id] | ["player.vimeo.com", "video", video_id]:
            return _vimeo(video_id)
    return None


def _youtube(video_id: str) -> str | None:
    return f"{FRAME_HOSTS[0]}/embed/{video_id}" if _YOUTUBE_ID.match(video_id) else None


def _vimeo(video_id: str) -> str | None:
    return f"{FRAME_HOSTS[1]}/video/{video_id}?dnt=1" if _VIMEO_ID.match(video_id) else None
