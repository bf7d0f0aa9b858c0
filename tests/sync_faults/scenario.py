"""A small folder that is synced, and what it becomes: every action on every kind, in few requests."""

from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from ..properties.file_formats import document, yaml_list
from ..properties.folders import Files, write

Entries = dict[str, list[dict[str, Any]]]  # by folder

CONFIG = '[site]\nname = "Tools"\nlocales = ["en", "fr", "de"]\n'

_LISTS = ("categories", "tags", "custom_fields")

BEFORE: Entries = {
    "categories": [
        {"slug": "tools", "title": "Tools"},
        {"slug": "saws", "title": "Saws", "parent_id": "tools"},
        {"slug": "planes", "title": "Planes", "parent_id": "tools"},
    ],
    "tags": [{"slug": "old", "title": "Old"}, {"slug": "new", "title": "New", "color": "#aabbcc"}],
    "custom_fields": [{"label": "Level", "name": "level", "type": "select", "options": ["easy", "hard"]}],
    "organizers": [{"slug": "guild", "name": "Guild", "translations": {"fr": {"name": "Guilde"}}}],
    "listings": [
        {
            "name": "Bow saw",
            "slug": "bow-saw",
            "url": "https://bow.example.org/",
            "categories": ["saws"],
            "tags": ["new"],
            "organizers": ["guild"],
            "level": "easy",
        },
        {"name": "Jack plane", "slug": "jack-plane", "categories": ["planes"], "tags": ["new"]},
        {"name": "Lost saw", "slug": "lost-saw", "url": "https://lost.example.org/", "tags": ["new"]},
        {"name": "Kept plane", "slug": "kept-plane", "url": "https://kept.example.org/", "tags": ["new"]},
    ],
    "pages": [
        {"slug": "about", "title": "About", "body": "Who we are.", "placement": "footer", "order": 1},
        {"slug": "terms", "title": "Terms", "body": "What holds."},
        {"slug": "gone", "title": "Gone", "body": "Not for long."},
    ],
    "articles": [
        {
            "slug": "first",
            "title": "First",
            "body": "The first of all.",
            "published_at": "2026-01-01T09:00:00Z",
            "seo": {"title": "First of all"},
            "translations": {"fr": {"title": "Premier", "markdown": "Le premier."}},
        },
    ],
}

# What another user has made on the server, and no folder has ever known.
FOREIGN = {
    "pages": {"title": "Another user's", "slug": "foreign", "markdown": "Hands off."},
    "articles": {
        "title": "Another user's",
        "slug": "foreign",
        "markdown": "Hands off.",
        "published_at": "2026-12-31T00:00:00Z",
    },
    "projects": {"name": "Another user's", "slug": "foreign", "url": "https://foreign.example.org/"},
}


def _after() -> Entries:
    after = deepcopy(BEFORE)
    after["categories"] = [
        *after["categories"][:2],
        {"slug": "chisels", "title": "Chisels", "parent_id": "tools"},
        {"slug": "planes", "title": "Hand planes", "parent_id": "tools"},
    ]
    after["tags"] = after["tags"][1:]
    after["organizers"] += [{"slug": "school", "name": "School"}]
    bow_saw, jack_plane, _, kept = after["listings"]
    bow_saw |= {"description": "With a frame.", "organizers": ["guild", "school"]}
    jack_plane |= {"categories": ["planes", "chisels"]}
    kept.pop("tags")
    fresh = [
        {"name": f"Chisel {number}", "slug": f"chisel-{number}", "url": f"https://{number}.example.org/"}
        for number in range(3)
    ]
    after["listings"] = [
        bow_saw,
        jack_plane,
        kept,
        *fresh,
        {"name": "Mallet", "tags": ["new"], "categories": ["tools"]},
    ]
    about, terms, _ = after["pages"]
    about |= {"title": "About us", "seo": {"title": "About us"}}
    after["pages"] = [about, terms, {"slug": "prices", "title": "Prices", "body": "None."}]
    (first,) = after["articles"]
    first["translations"]["fr"]["title"] = "Le premier"
    second = {"slug": "second", "title": "Second", "body": "Next.", "published_at": "2026-02-01T09:00:00Z"}
    after["articles"] = [first, second | {"translations": {"fr": {"title": "Deuxième"}}}]
    return after


AFTER = _after()


def grown(scale: int) -> tuple[Entries, Entries]:
    """The folder before and after, with so many more creates, updates and deletes of each of six kinds."""
    before, after = deepcopy(BEFORE), deepcopy(AFTER)
    for name in _CHANGED:
        for number in range(scale):
            stays, goes, comes = (_entry(name, f"{word}-{number}") for word in ("stays", "goes", "comes"))
            before[name] += [stays, goes]
            after[name] += [stays | _CHANGED[name], comes]
    return before, after


def _entry(folder: str, slug: str) -> dict[str, Any]:
    entry = {"slug": f"{folder}-{slug}", "name" if folder in ("organizers", "listings") else "title": slug.title()}
    if folder == "listings" and not slug.endswith("3"):  # some have no URL
        entry["url"] = f"https://{slug}.example.org/"
    if folder in ("pages", "articles"):
        entry["body"] = f"About {slug}."
    if folder == "articles":
        entry["published_at"] = "2026-01-01T09:00:00Z"
    return entry


_CHANGED: dict[str, dict[str, Any]] = {
    "categories": {"description": "Changed."},
    "tags": {"color": "#123456"},
    "organizers": {"description": "Changed."},
    "listings": {"description": "Changed.", "tags": ["new"]},
    "pages": {"body": "Changed."},
    "articles": {"body": "Changed."},
}


def files_of(entries: Mapping[str, list[dict[str, Any]]], config: str = "") -> Files:
    """The folder that holds the entries, with more of a config."""
    files = {"contentsync.toml": CONFIG + config}
    for name, members in entries.items():
        if name in _LISTS:
            files[f"{name}.yaml"] = yaml_list(members)
        elif name == "listings":
            files["listings/all.yaml"] = yaml_list(members)
        else:
            files |= {f"{name}/{member['slug']}.md": document(member) for member in members}
    return files


def put(entries: Entries, folder: Path, config: str = "") -> Path:
    """The folder on disk, in the place of what was there; what the sync keeps beside it stays."""
    for path in folder.rglob("*"):
        if path.is_file() and ".contentsync" not in path.parts:
            path.unlink()
    return write(files_of(entries, config), folder)
