"""Someone who edits on the server what a repository is synced to."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from .server import Server

_COLLECTIONS = {
    "categories": "title",
    "tags": "title",
    "organizers": "name",
    "projects": "name",
    "pages": "title",
    "articles": "title",
}


@dataclass(frozen=True)
class _Edit:
    collection: str
    id: int
    field: str
    before: Any
    after: str


class SecondWriter:
    """Edits titles, and makes pages of its own."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self._server = server
        self._chance = chance
        self._edits: dict[tuple[str, int], _Edit] = {}
        self._made: dict[str, int] = {}
        self.edited: set[tuple[str, int]] = set()  # collection and id of every record that was ever edited
        self._number = 0

    @property
    def made(self) -> frozenset[str]:
        """The slugs of the pages that only this writer has made."""
        return frozenset(self._made)

    def act(self) -> str:
        """Edit a record, or make one; what was done."""
        self._number += 1
        if self._chance.random() < 0.2:
            slug = f"theirs-{self._number}"
            page = self._server.ask("POST", "pages", {"title": "Theirs", "slug": slug, "markdown": "Theirs."})
            self._made[slug] = page["id"]
            return f"the second writer makes page {slug}"
        collection = self._chance.choice([*_COLLECTIONS])
        name = _COLLECTIONS[collection]
        records = self._server.ask("GET", collection)
        records = [
            one for one in records if (collection, one["id"]) not in self._edits and one["slug"] not in self._made
        ]
        if not records:
            return "the second writer finds nothing to edit"
        record = self._chance.choice(records)
        edit = _Edit(collection, record["id"], name, record[name], f"Theirs {self._number}")
        self._put(edit, edit.after)
        self._edits[collection, record["id"]] = edit
        self.edited.add((collection, record["id"]))
        return f"the second writer edits {collection}/{record['slug']}"

    def overwritten(self) -> Iterator[str]:
        """Yield each edit, and each page of this writer, that is no longer there."""
        for edit in self._edits.values():
            record = self._server.ask("GET", f"{edit.collection}/{edit.id}")
            if record is None:
                yield f"overwritten: {edit.collection}/{edit.id} was deleted, with the edit of the second writer"
            elif record[edit.field] != edit.after:
                yield f"overwritten: {edit.collection}/{record['slug']} {edit.field} is {record[edit.field]!r}"
        for slug, identity in self._made.items():
            page = self._server.ask("GET", f"pages/{identity}")
            if page is None or page["markdown"] != "Theirs.":
                yield f"overwritten: page {slug} of the second writer is {page}"

    def take_back(self) -> None:
        """Make each edited record what it was before the edit."""
        for edit in self._edits.values():
            self._put(edit, edit.before)
        self._edits.clear()

    def _put(self, edit: _Edit, value: Any) -> None:
        """Change the one field; a slug does not follow, and an article's body goes with every update."""
        path = f"{edit.collection}/{edit.id}"
        record = self._server.ask("GET", path)
        if record is not None:
            body = {edit.field: value, "slug": record["slug"]}
            body |= {"markdown": record["markdown"]} if edit.collection == "articles" else {}
            self._server.ask("PUT", path, body)
