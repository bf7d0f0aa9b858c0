"""One file of an entry: which of its fields are to be written into it, and how they are spelled there."""

from typing import Any

from ...model import Kind
from .bodies import BODIES, fits_below, is_html, relinked, trimmed
from .changes import GONE, Path, get
from .document import Document
from .shelves import Shelves
from .spelling import Spelled, spelled
from .values import written

_EMPTY = b"---\n---\n"


def below(kind: Kind, path: str) -> str:
    """The field that the text below the front matter of a file is."""
    if kind is Kind.PAGE or (kind is Kind.ARTICLE and not path.lower().endswith(".html")):
        return "markdown"
    return "content"


class Part:
    """A file that is there (`old`), or a new one; `path` may be another one than that of `old`."""

    def __init__(self, shelves: Shelves, kind: Kind, path: str, old: Document | None = None) -> None:
        self._shelves = shelves
        self.kind = kind
        self.path = path
        self._old = old
        self._values: dict[str, Any] = old.values if old else {}
        self._changes: dict[Path, Any] = {}
        self._body: str | None = None

    @property
    def is_touched(self) -> bool:
        """Whether there is something to write."""
        return bool(self._changes) or self._body is not None

    def says(self, field: Path) -> bool:
        """Whether there is a key for a field, or for the object around it, in the front matter."""
        way = self._way(field)
        return way is not None and get(self._values, way.path) is not GONE

    def put(self, field: Path, value: Any) -> None:
        """Write a field: below the front matter if it stands there, else under its key."""
        way = self._way(field)
        if field[-1] in BODIES:
            there = get(self._values, way.path) if way else GONE
            is_key = way is not None and self._changes.get(way.path, there) is not GONE
            is_below = field == (below(self.kind, self.path),) and not is_key
            before = self._old.body if is_below and self._old else there
            value = self._relinked(field[-1], value, before if isinstance(before, str) else "")
            if is_below:
                text = trimmed(value or "")
                self._body = text if fits_below(text) else ""
                if self._body == text:
                    return
        if way:
            self._changes[way.path] = way.said(written(field[-1], value))

    def drop(self, field: Path) -> None:
        """Take a field out of the front matter."""
        way = self._way(field)
        if way and self.says(field):
            self._changes[way.path] = GONE

    def data(self) -> bytes | None:
        """The file as it will be; None if there is nothing left to be in it. Raises Refused."""
        if self._old:
            return self._old.edited(self._changes, self._body)
        return Document(_EMPTY, self.kind, self.path).edited(self._changes, self._body or "")

    def _way(self, field: Path) -> Spelled | None:
        return spelled(self._shelves.config.content[self.kind], field, self._values.__contains__)

    def _relinked(self, name: str, value: Any, before: str) -> Any:
        base = self._shelves.config.site.asset_base_url
        if not base or not isinstance(value, str):
            return value
        return relinked(value, before, self.path, base, self._shelves.folder, html=is_html(self.kind, name))
