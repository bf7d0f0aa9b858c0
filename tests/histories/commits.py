"""What an author does in one commit, drawn at random: each entry that is named elsewhere is renamed there as well."""

import random
from collections.abc import Mapping

from .content import DOCUMENTS, FILE, REFERENCES, Entry, Site, article, key_name

_COLOURS = ("#aa0000", "#00aa00", "#0000aa", "#aaaa00")
_TITLE = {"organizers": "name", "listings": "name", "custom_fields": "label"}  # the others have a title


class Author:
    """Draws changes of a site; no name and no text is ever drawn twice."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._number = 0

    def commit(self, site: Site, *, documents_only: bool = False) -> str:
        """Change the site in one to five places, and return what was done."""
        done = []
        for _ in range(self._chance.choice((1, 1, 2, 3, 5))):
            act = self._chance.choices((self._add, self._edit, self._rename, self._delete), (3, 4, 3, 2))[0]
            folder = self._chance.choice(DOCUMENTS if documents_only else [*site])
            done.append(act(site, folder))
        return ", ".join(done)

    def _add(self, site: Site, folder: str) -> str:
        name = self._name(folder)
        entry: Entry = {key_name(folder): name, _TITLE.get(folder, "title"): name.title()}
        if folder in DOCUMENTS:
            entry = {FILE: name, **entry, "body": self._text()}
        if folder == "articles":
            entry = {FILE: name, **article(name, self._text())}
        elif folder == "categories":
            entry["parent_id"] = self._parent(site, name)
        elif folder == "tags":
            entry["color"] = self._chance.choice(_COLOURS)
        elif folder == "custom_fields":
            entry["type"] = "text"
        elif folder == "listings":
            if self._chance.random() < 0.7:
                entry["url"] = f"https://{name}.example.org/"
            entry |= {there: self._some(site, there) for there in REFERENCES}
            self._set_fields(site, entry)
        site[folder].append(entry)
        return f"add {folder}/{name}"

    def _edit(self, site: Site, folder: str) -> str:
        entry = self._chance.choice(site[folder])
        if folder == "listings" and self._chance.random() < 0.6:
            entry |= {there: self._some(site, there) for there in REFERENCES}
            self._set_fields(site, entry)
        elif folder == "categories" and self._chance.random() < 0.5 and entry is not site[folder][0]:
            entry["parent_id"] = self._parent(site, entry["slug"])
        elif folder == "tags":
            entry["color"] = self._chance.choice(_COLOURS)
        elif folder in DOCUMENTS and self._chance.random() < 0.6:
            entry["body"] = self._text()
        else:
            entry[_TITLE.get(folder, "title")] = self._word().title()
        return f"edit {folder}/{entry[key_name(folder)]}"

    def _rename(self, site: Site, folder: str) -> str:
        """A document can be known again by its note, by its file, or by its text; anything else by its note."""
        entry, key, name = self._chance.choice(site[folder]), key_name(folder), self._name(folder)
        old = entry[key]
        how = self._chance.choice(("note", "file", "text")) if folder in DOCUMENTS else "note"
        if how == "note":
            entry["sync"] = {"previous": [*entry.get("sync", {}).get("previous", []), old]}
        if how == "text":
            entry[FILE] = name
        entry[key] = name
        self._refer(site, folder, old, name)
        return f"rename {folder}/{old} to {name} by {how}"

    def _delete(self, site: Site, folder: str) -> str:
        if len(site[folder]) < 3:
            return self._add(site, folder)
        entry = self._chance.choice(site[folder][1:])
        if folder in DOCUMENTS and entry[FILE] in ("guild", "about", "hello"):
            return self._edit(site, folder)
        site[folder].remove(entry)
        name = entry[key_name(folder)]
        self._refer(site, folder, name, None)
        return f"delete {folder}/{name}"

    def _refer(self, site: Site, folder: str, old: str, new: str | None) -> None:
        """Change every mention of an entry, or take it out."""
        for listing in site["listings"]:
            if folder in REFERENCES:
                named = [new if name == old else name for name in listing.get(folder, [])]
                listing[folder] = [name for name in named if name is not None]
            elif folder == "custom_fields" and old in listing:
                value = listing.pop(old)
                if new is not None:
                    listing[new] = value
        if folder == "categories":
            for category in site["categories"]:
                if category["parent_id"] == old:
                    category["parent_id"] = new

    def _some(self, site: Site, folder: str) -> list[str]:
        names = [entry[key_name(folder)] for entry in site[folder]]
        return sorted(self._chance.sample(names, self._chance.randint(0, min(2, len(names)))))

    def _set_fields(self, site: Site, listing: Entry) -> None:
        for custom in site["custom_fields"]:
            listing[custom["name"]] = self._word()

    def _parent(self, site: Site, name: str) -> str | None:
        """Return a category that is not below the one of this name."""
        parents = {category["slug"]: category["parent_id"] for category in site["categories"]}
        possible: list[str | None] = [slug for slug in parents if name not in _line(slug, parents)]
        return self._chance.choice([None, *possible])

    def _word(self) -> str:
        self._number += 1
        return f"{self._chance.choice(('oak', 'elm', 'ash', 'fir'))}-{self._number}"

    def _name(self, folder: str) -> str:
        return self._word().replace("-", "_") if folder == "custom_fields" else self._word()

    def _text(self) -> str:
        """Return several lines, so that a file that was moved is known by its text."""
        return "\n".join(f"Of {self._word()}, {line} of six." for line in range(6))


def _line(slug: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """Return a category and all above it."""
    line: list[str] = []
    while slug is not None:
        line.append(slug)
        slug = parents[slug]
    return line
