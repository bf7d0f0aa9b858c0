"""A commit in the making: the site, and how many entries are new and deleted."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from .content import FILE, LANGUAGE, Entry, Site
from .site import Draw


class Desk:
    """Lends the entries of a site to acts; those of ordinary work change no entry that another one has changed."""

    def __init__(self, site: Site, draw: Draw, touched: Iterable[str] = (), folders: Sequence[str] = ()) -> None:
        self.site = site
        self._folders = folders or [*site]
        self.draw = draw
        self.dice = draw.dice
        self.created = self.deleted = 0
        self._touched = set(touched)

    def folder(self) -> str:
        """Return one of the folders that may change."""
        return self.dice.choice(self._folders)

    def free(self, entries: Iterable[Entry]) -> list[Entry]:
        """Return those of the entries that this commit has not changed yet."""
        return [entry for entry in entries if _name(entry) not in self._touched]

    def take(self, entries: Iterable[Entry], most: int = 10) -> list[Entry]:
        """Return a few of the free entries; they are not free any more."""
        return self.claim(self.draw.some(self.free(entries), most))

    def claim(self, entries: list[Entry]) -> list[Entry]:
        """Return the entries; they are not free any more."""
        self._touched |= {_name(entry) for entry in entries}
        return entries

    def add(self, folder: str, entry: Entry) -> None:
        """Put a new entry into the site."""
        self.site[folder] += self.claim([entry])
        self.created += not str(entry.get(FILE)).endswith(LANGUAGE)


Act = Callable[[Desk], str]  # changes the site of a commit and returns what was done; "" if nothing could be done
Acts = Mapping[Act, int]  # how often each is drawn


def _name(entry: Entry) -> str:
    """Return a text by which an entry is known within a commit."""
    file = str(entry.get(FILE, ""))
    return str(entry.get("url") or (file if file and "/" not in file else entry.get("slug")) or entry)
