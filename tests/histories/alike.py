"""Folders of entries with a few names, so that a sync of one after another one changes much."""

from collections.abc import Callable, Sequence
from typing import Any

from .content import FILE, HTML, LIST, REFERENCES, Entry, Site
from .site import Draw

NAMES = ("aa", "bb", "cc", "dd")
_MOMENT = "2026-01-15T10:30:00Z"


def folder(draw: Draw) -> Site:
    """Return a folder in which entries refer to each other, and may say how they were called.

    A note of a former name may contradict the folder that is synced before.
    """
    dice = draw.dice
    site: Site = {
        "custom_fields": _named(
            draw, "name", lambda: {"label": draw.text(1), "type": "number", "fieldable_type": "listing"}
        ),
        "categories": _named(draw, "slug", lambda: {"title": draw.text(1), "order": dice.randint(0, 2)}),
        "tags": _named(draw, "slug", lambda: {"title": draw.text(1), "color": dice.choice([None, "#ff0000"])}),
        "organizers": [
            {FILE: entry["slug"], **entry} for entry in _named(draw, "slug", lambda: {"name": draw.text(1)})
        ],
        "pages": [{FILE: "always", "slug": "always", "title": "Always", "body": "Text"}],
        "articles": [],
    }
    for number, category in enumerate(site["categories"]):  # no circle: each is below one before it
        category["parent_id"] = dice.choice([None, *(other["slug"] for other in site["categories"][:number])])
    site["listings"] = [_listing(draw, name, site) for name in _some(draw, NAMES)]
    for file, slug in zip(dice.sample(NAMES, len(NAMES)), _some(draw, NAMES), strict=False):
        order = _maybe(draw, "order", lambda: dice.randint(0, 2))
        site["pages"].append({FILE: file, "slug": slug, "title": draw.text(1), **order, "body": draw.text(1)})
    for file, slug in zip(dice.sample(NAMES, len(NAMES)), _some(draw, NAMES), strict=False):
        french = _maybe(draw, "translations", lambda: {"fr": {"title": draw.text(1)}})
        article = {"slug": slug, "title": draw.text(1), "published_at": _MOMENT, **french, "body": draw.text(1)}
        site["articles"].append({FILE: file + dice.choice(["", HTML]), **article})
    return site


def _some(draw: Draw, names: Sequence[str]) -> list[str]:
    return draw.dice.sample(names, draw.dice.randint(0, len(names)))


def _named(draw: Draw, key: str, fields: Callable[[], Entry]) -> list[Entry]:
    """Return entries of which no two were called the same."""
    entries = []
    left = [*NAMES]
    for name in _some(draw, NAMES):
        entry = {key: name, **fields()}
        previous = draw.dice.choice(NAMES)
        if draw.dice.random() < 0.5 and previous in left and previous != name:
            left.remove(previous)
            entry["sync"] = {"previous": [previous]}
        entries.append(entry)
    return entries


def _listing(draw: Draw, name: str, site: Site) -> Entry:
    dice = draw.dice
    listing: Entry = {FILE: LIST, "name": draw.text(1)}
    listing |= dice.choice([{"url": f"https://{name}.example"}, {"slug": name}])
    for kind in REFERENCES:
        if keys := [entry["slug"] for entry in site[kind]]:
            listing |= _maybe(draw, kind, lambda keys=keys: _some(draw, keys))  # type: ignore[misc]
    for custom in site["custom_fields"]:
        listing |= _maybe(draw, custom["name"], lambda: dice.randint(1, 3))
    return listing


def _maybe(draw: Draw, name: str, value: Callable[[], Any]) -> Entry:
    return {name: value()} if draw.dice.random() < 0.5 else {}
