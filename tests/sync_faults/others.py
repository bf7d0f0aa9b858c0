"""Edits that other people make on the server just before a run, and the folder that is synced then.

The folder renames a page, a category, a tag and the URL of a listing, and removes rows and files, in one run.
"""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from contentsync.model import Kind
from contentsync.server.access import Access
from contentsync.server.store import Connection
from contentsync.server.store.listing_store import LISTINGS
from contentsync.server.store.record_kinds import ARTICLES, CATEGORIES, ORGANIZERS, PAGES, TAGS
from contentsync.server.store.record_store import RecordStore as Store

from .records import Key
from .scenario import AFTER, BEFORE, Entries

REFERRED = {"gouges": "carving", "hand": "by-hand"}  # what listings refer to, and what the folder renames it to
MANY = 110  # listings that nobody changes, so that their list has two pages

_STORES: Mapping[Kind, Store] = {
    Kind.CATEGORY: CATEGORIES,
    Kind.TAG: TAGS,
    Kind.ORGANIZER: ORGANIZERS,
    Kind.LISTING: LISTINGS,
    Kind.PAGE: PAGES,
    Kind.ARTICLE: ARTICLES,
}


@dataclass(frozen=True)
class Others:
    """Edits of others; `concerned` are the entries of the folder that they affect, by their old and new keys."""

    name: str
    edits: Mapping[Key, Mapping[str, Any]]
    makes: Mapping[Key, Mapping[str, Any]]
    renamed: Mapping[Key, Key]

    @property
    def concerned(self) -> frozenset[Key]:
        return frozenset([*self.edits, *self.makes, *(self.renamed.get(key, key) for key in self.edits)])

    def act(self, connection: Connection, access: Access) -> None:
        """Do it all in the database."""
        for (kind, key), fields in self.edits.items():
            row = _STORES[kind].by_key(connection, access.directory.id, key)
            assert row is not None, key
            _STORES[kind].update(connection, access, row.id, fields)
        for (kind, key), fields in self.makes.items():
            _STORES[kind].create(connection, access, {"slug": key, **fields})


_EDITS: dict[Key, dict[str, Any]] = {
    (Kind.CATEGORY, "tools"): {"title": "Theirs", "slug": "tools"},
    (Kind.TAG, "new"): {"color": "#000000"},
    (Kind.ORGANIZER, "guild"): {"name": "Theirs", "slug": "guild"},
    (Kind.LISTING, "lathe-shop"): {"name": "Theirs", "slug": "lathe-shop"},
    (Kind.PAGE, "terms"): {"markdown": "Theirs."},
    (Kind.PAGE, "contact"): {"markdown": "Theirs."},  # which the folder renames
    (Kind.ARTICLE, "first"): {"markdown": "Theirs."},
}
_RIVALS: dict[Key, dict[str, Any]] = {
    (Kind.PAGE, "about"): {"title": "Theirs", "slug": "about"},
    (Kind.PAGE, "gone"): {"markdown": "Theirs."},  # which the folder has removed
}
_MADE: dict[Key, dict[str, Any]] = {
    (Kind.PAGE, "prices"): {"title": "Theirs", "markdown": "Theirs."},
    (Kind.ORGANIZER, "school"): {"name": "Theirs"},
    (Kind.LISTING, "chisel-1"): {"name": "Theirs", "url": "https://1.example.org/"},
}
_RENAMED: dict[Key, Key] = {(Kind.PAGE, "contact"): (Kind.PAGE, "contact-us")}

OTHERS = {
    others.name: others
    for others in (
        Others("nobody", {}, {}, {}),
        Others("edits", _EDITS, {}, _RENAMED),
        Others("rivals", _RIVALS, _MADE, {}),  # of what the folder changes or makes as well: a sync refuses
    )
}


def folders() -> tuple[Entries, Entries]:
    """Return the folder before and after."""
    before, after = deepcopy(BEFORE), deepcopy(AFTER)
    for entries in (before, after):
        entries["listings"] += [
            {"name": f"Tool {number:03d}", "slug": f"tool-{number}", "url": f"https://tool-{number}.example.org/"}
            for number in range(MANY)
        ]
    _both(before, after, "categories", {"slug": "gouges", "title": "Gouges"}, {"slug": "carving"})
    _both(before, after, "tags", {"slug": "hand", "title": "Hand"}, {"slug": "by-hand"})
    _both(before, after, "pages", {"slug": "contact", "title": "Contact", "body": "Write."}, {"slug": "contact-us"})
    lathe = {"name": "Lathe shop", "slug": "lathe-shop", "url": "https://lathe.example.org/"}
    before["listings"] += [lathe | {"categories": ["gouges"], "tags": ["hand"]}]
    after["listings"] += [
        lathe | {"categories": ["carving"], "tags": ["by-hand"], "url": "https://lathes.example.org/"}
    ]
    return before, after


def _both(before: Entries, after: Entries, folder: str, entry: dict[str, Any], renamed: dict[str, Any]) -> None:
    before[folder].append(entry)
    after[folder].append(entry | renamed | {"sync": {"previous": [entry["slug"]]}})
