"""Acts on entries of any kind: add, edit, rename and delete one, and every mention of it."""

from collections.abc import Mapping
from typing import Any

from .content import DOCUMENTS, FILE, LANGUAGE, LIST, REFERENCES, Entry, key_name, key_of, originals, refer
from .content import translations as translations_of
from .desk import Acts, Desk

_COLOURS = ("#aa0000", "#00aa00", "#0000aa", "#aaaa00")
_TITLES = {"organizers": "name", "listings": "name", "custom_fields": "label"}  # the others have a title
_FEWEST = 2  # entries of a folder from which none is deleted


def first(desk: Desk) -> None:
    """Add an entry to each folder."""
    for folder in desk.site:
        _add(desk, folder)


def add(desk: Desk) -> str:
    """Add an entry that refers to others."""
    return _add(desk, desk.folder())


def _add(desk: Desk, folder: str) -> str:
    key = _free_key(desk, folder)
    if not key:
        return ""
    title = desk.draw.name().title()
    entry: Entry = {key_name(folder): key, _TITLES.get(folder, "title"): title}
    if folder in DOCUMENTS:
        entry = {FILE: key, _TITLES.get(folder, "title"): title, "body": desk.draw.text(6)}
    if folder == "articles":
        entry["published_at"] = "2026-01-01T09:00:00Z"
    elif folder == "categories":
        entry["parent_id"] = _parent(desk, key)
    elif folder == "tags":
        entry["color"] = desk.dice.choice(_COLOURS)
    elif folder == "custom_fields":
        entry["type"] = "text"
    elif folder == "listings":
        entry = {FILE: LIST, **entry, "description": desk.draw.text(1), **_references(desk)}
        if not desk.draw.names and desk.dice.random() < 0.7:
            entry["url"] = f"https://{key}.example.org/"
    desk.site[folder].append(entry)
    return f"add {folder}/{key}"


def edit(desk: Desk) -> str:
    """Edit values of an entry, but not its title."""
    folder, entry = _any_entry(desk)
    if entry is None:
        return ""
    if folder == "listings":
        entry |= _references(desk)
        entry["description"] = desk.draw.text(1)
        entry |= {field["name"]: desk.draw.name() for field in desk.site["custom_fields"]}
    elif folder == "categories":
        entry["parent_id"] = _parent(desk, entry["slug"])
    elif folder == "tags":
        entry["color"] = desk.dice.choice(_COLOURS)
    elif folder in DOCUMENTS:
        entry["body"] = desk.draw.text(6)
    return f"edit {folder}/{key_of(entry, folder)}"


def retitle(desk: Desk) -> str:
    """Give an entry another title."""
    folder, entry = _any_entry(desk)
    if entry is None:
        return ""
    entry[_TITLES.get(folder, "title")] = desk.draw.name().title()
    return f"retitle {folder}/{key_of(entry, folder)}"


def rename(desk: Desk) -> str:
    """Rename an entry: a document may be recognised by a note, by its file or by its text, any other by a note."""
    folder, entry = _any_entry(desk)
    new = _free_key(desk, folder)
    if entry is None or not new:
        return ""
    old = key_of(entry, folder)
    how = desk.dice.choice(("note", "file", "text")) if folder in DOCUMENTS else "note"
    if how == "note":
        entry["sync"] = {"previous": [*entry.get("sync", {}).get("previous", []), old]}
    if how == "text":
        for translation in translations_of(desk.site, folder, entry):
            translation[FILE] = new + LANGUAGE
        entry[FILE] = new
    if how != "text" or "slug" in entry:
        entry[key_name(folder)] = new
    refer(desk.site, folder, old, new)
    return f"rename {folder}/{old} to {new} by {how}"


def delete(desk: Desk) -> str:
    """Delete an entry, with its translations."""
    folder, entry = _any_entry(desk)
    if entry is None or len(originals(desk.site, folder)) <= (0 if desk.draw.names else _FEWEST):
        return ""
    for each in (entry, *(translations_of(desk.site, folder, entry) if folder in DOCUMENTS else ())):
        desk.site[folder].remove(each)
    refer(desk.site, folder, key_of(entry, folder), None)
    return f"delete {folder}/{key_of(entry, folder)}"


def _any_entry(desk: Desk) -> tuple[str, Any]:
    """Return a folder and one of its entries, or None if it has no entries."""
    folder = desk.folder()
    entries = originals(desk.site, folder)
    return folder, desk.dice.choice(entries) if entries else None


def _free_key(desk: Desk, folder: str) -> str:
    """Return a key that no entry of the folder has; "" if there is none."""
    keys = {key_of(entry, folder) for entry in desk.site[folder]} | {entry.get(FILE, "") for entry in desk.site[folder]}
    key = desk.draw.key(keys)
    return key.replace("-", "_") if folder == "custom_fields" else key


def _references(desk: Desk) -> Entry:
    """Return up to two entries of each kind to which a listing refers."""
    keys = {folder: [key_of(entry, folder) for entry in originals(desk.site, folder)] for folder in REFERENCES}
    return {
        folder: sorted(desk.dice.sample(found, desk.dice.randint(0, min(2, len(found)))))
        for folder, found in keys.items()
    }


def _parent(desk: Desk, key: str) -> str | None:
    """Return a category that is not below the one of this key."""
    parents = {category["slug"]: category.get("parent_id") for category in desk.site["categories"]}
    possible: list[str | None] = [None]
    possible += [slug for slug in parents if key not in _line(slug, parents)]
    return desk.dice.choice(possible)


def _line(slug: str | None, parents: Mapping[str, str | None]) -> list[str]:
    """Return a category and all above it."""
    line: list[str] = []
    while slug is not None:
        line.append(slug)
        slug = parents[slug]
    return line


ACTS: Acts = {add: 3, edit: 3, retitle: 1, rename: 3, delete: 2}  # with their weights
