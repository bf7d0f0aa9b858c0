"""Videos that a page may show in a frame."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qs, urlsplit

from .url import safe_url

FRAME_HOSTS = ("https://www.youtube-nocookie.com", "https://player.vimeo.com")
SANDBOX = "allow-scripts allow-same-origin allow-presentation"

_YOUTUBE_ID = re.compile(r"[A-Za-z0-9_-]{11}\Z")
_VIMEO_ID = re.compile(r"[0-9]{1,12}\Z")
_IN_PATH = ("embed", "shorts", "live", "v")  # of YouTube: /embed/ID


@dataclass(frozen=True, slots=True)
class Video:
    """A video of a host that is known, as the attributes of its frame."""

    src: str
    sandbox: str = SANDBOX


def video(url: object) -> Video | None:
    """The video that a URL of YouTube or Vimeo leads to, else None: a link is all that can be made of it."""
    safe = safe_url(url)
    if safe is None:
        return None
    parts = urlsplit(safe)
    if parts.netloc.lower() != parts.hostname:  # a port, or a user name, which no such URL has
        return None
    way = [part for part in parts.path.split("/") if part]
    host = (parts.hostname or "").removeprefix("www.")
    match host:
        case "youtu.be":
            return _youtube(way[0] if len(way) == 1 else "")
        case "youtube.com" | "m.youtube.com" | "youtube-nocookie.com":
            if way == ["watch"]:
                return _youtube(_first(parse_qs(parts.query), "v"))
            return _youtube(way[1] if len(way) == 2 and way[0] in _IN_PATH else "")
        case "vimeo.com":
            return _vimeo(way[0] if len(way) == 1 else "")
        case "player.vimeo.com":
            return _vimeo(way[1] if len(way) == 2 and way[0] == "video" else "")
    return None


def _first(query: Mapping[str, list[str]], name: str) -> str:
    return query.get(name, [""])[0]


def _youtube(name: str) -> Video | None:
    return Video(f"{FRAME_HOSTS[0]}/embed/{name}") if _YOUTUBE_ID.match(name) else None


def _vimeo(name: str) -> Video | None:
    return Video(f"{FRAME_HOSTS[1]}/video/{name}?dnt=1") if _VIMEO_ID.match(name) else None
