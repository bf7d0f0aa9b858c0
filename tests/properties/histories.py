"""Random pairs of folders that share most of their names, so that a sync of one after the other changes much."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from .file_formats import mapping, yaml_list
from .folders import CONFIG, Files

NAMES = ("aa", "bb", "cc", "dd")  # few, so that entries of both folders have the same
TEXTS = st.sampled_from(["One", "Two", "Three"])
MOMENT = "2026-01-15T10:30:00Z"

# How entries that have no file of their own were called before: none, or names of any entries of the first folder.
Previous = st.lists(st.sampled_from(NAMES), max_size=1)


_FRENCH = st.fixed_dictionaries({"fr": st.fixed_dictionaries({"title": TEXTS})})


@st.composite
def folders(draw: st.DrawFn) -> Files:
    """Paths and texts of a folder in which entries refer to each other, and may say how they were called."""
    fields = _named(draw, "name", label=TEXTS, type=st.just("number"), fieldable_type=st.just("listing"))
    categories = _named(draw, "slug", title=TEXTS, order=st.integers(0, 2))
    for number, category in enumerate(categories):  # no circle: each stands under one before it
        category["parent_id"] = draw(st.sampled_from([None, *(other["slug"] for other in categories[:number])]))
    tags = _named(draw, "slug", title=TEXTS, color=st.sampled_from([None, "#ff0000"]))
    organizers = _named(draw, "slug", name=TEXTS)
    listings = [_listing(draw, name, fields, categories, tags, organizers) for name in _some(draw)]
    files = {"contentsync.toml": CONFIG, "pages/always.md": _document({"slug": "always", "title": "Always"}, "Text")}
    tables = {
        "custom_fields": fields,
        "categories": categories,
        "tags": tags,
        "organizers": organizers,
        "listings": listings,
    }
    files |= {f"{name}.yaml": yaml_list(entries) for name, entries in tables.items() if entries}
    for path, slug in zip(draw(st.permutations(NAMES)), _some(draw), strict=False):
        page: dict[str, Any] = {"slug": slug, "title": draw(TEXTS), **_maybe(draw, "order", st.integers(0, 2))}
        files[f"pages/{path}.md"] = _document(page, draw(TEXTS))
    for path, slug in zip(draw(st.permutations(NAMES)), _some(draw), strict=False):
        article: dict[str, Any] = {"slug": slug, "title": draw(TEXTS), "published_at": MOMENT}
        article |= _maybe(draw, "translations", _FRENCH)
        ending = draw(st.sampled_from(["md", "html"]))
        files[f"articles/{path}.{ending}"] = _document(article, draw(TEXTS))
    return files


def _some(draw: st.DrawFn) -> list[str]:
    return draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=4))


def _named(draw: st.DrawFn, key: str, **fields: st.SearchStrategy[Any]) -> list[dict[str, Any]]:
    """Entries of a table; no two of them were called the same."""
    entries = []
    left = [*NAMES]
    for name in _some(draw):
        entry = {key: name, **{field: draw(values) for field, values in fields.items()}}
        previous = [was for was in draw(Previous) if was in left and was != name]
        if previous:
            left.remove(previous[0])
            entry["sync"] = {"previous": previous}
        entries.append(entry)
    return entries


def _listing(draw: st.DrawFn, name: str, fields: Sequence[dict[str, Any]], *referred: Any) -> dict[str, Any]:
    listing: dict[str, Any] = {"name": draw(TEXTS)}
    listing |= {"url": f"https://{name}.example"} if draw(st.booleans()) else {"slug": name}
    for field, entries in zip(("categories", "tags", "organizers"), referred, strict=True):
        keys = [entry["slug"] for entry in entries]
        if keys:
            listing |= _maybe(draw, field, st.lists(st.sampled_from(keys), unique=True))
    for custom in fields:
        listing |= _maybe(draw, custom["name"], st.integers(1, 3))
    return listing


def _maybe(draw: st.DrawFn, name: str, values: st.SearchStrategy[Any]) -> dict[str, Any]:
    return {name: draw(values)} if draw(st.booleans()) else {}


def _document(matter: dict[str, Any], body: str) -> str:
    return f"---\n{mapping(matter)}---\n{body}\n"
