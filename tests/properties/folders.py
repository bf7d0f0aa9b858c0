"""Whole content folders, at random: what an author might have written."""

import string
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from .file_formats import LISTS, SINGLE, TABLES, documents

Files = dict[str, str]

CONFIG = '[site]\nname = "Random"\nlocales = ["en", "fr", "de"]\n'

slugs = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=8)
# Anything that a YAML file may hold as it is: no controls, no surrogates; a title must not be blank.
letters = st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co", "Zl", "Zp"), exclude_characters="\ufeff")
texts = st.text(letters, max_size=40)
SPECIAL = (
    "a, b",
    "a | b",
    "=1+1",
    "a: b",
    "- a # b",
    "'a' \"b\"",
    "a\\b",
    "yes",
    "12",
    "a; b",
    "[a]",
    "a b",
    " a",
    "é",
)
titles = texts.filter(lambda text: text.strip() != "") | st.sampled_from(SPECIAL)
bodies = (
    st.lists(st.text(letters, max_size=30), min_size=1, max_size=4)
    .map("\n".join)
    .filter(lambda text: bool(text.strip()))
)
urls = st.builds("https://{}.example.org/{}".format, slugs, slugs)
moments = st.datetimes().map(lambda moment: moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0"))
flags = st.booleans()
numbers = st.integers(-1000, 1000)
places = st.integers(0, 1000)  # of categories
colours = st.text("0123456789abcdef", min_size=6, max_size=6).map("#{}".format)
links = st.dictionaries(st.sampled_from(["github", "mastodon", "matrix"]), urls, max_size=2)


def optional(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({}, optional=fields)


def merged(*parts: st.SearchStrategy[dict[str, Any]]) -> st.SearchStrategy[dict[str, Any]]:
    return st.tuples(*parts).map(lambda dicts: {key: value for part in dicts for key, value in part.items()})


def distinct(entries: st.SearchStrategy[dict[str, Any]], key: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(entries, max_size=4, unique_by=lambda entry: entry[key])


seo = optional(title=texts, description=texts)
pages = merged(
    st.fixed_dictionaries({"slug": slugs, "title": titles, "body": bodies}),
    optional(
        placement=st.sampled_from(["navbar", "footer", "sidebar", "unlisted"]),
        is_published=flags,
        new_tab=flags,
        order=numbers,
        external_url=st.none() | urls,
        seo=st.none() | seo,
    ),
)
article_texts = optional(title=titles, markdown=bodies, seo=optional(title=texts, card_title=texts))
articles = merged(
    st.fixed_dictionaries({"slug": slugs, "title": titles, "body": bodies}),
    optional(
        active=flags,
        published_at=moments,
        thumbnail_url=st.none() | urls | slugs.map("/media/{}.png".format),
        thumbnail_alt_text=st.none() | texts,
        categories=st.lists(titles, max_size=3),
        seo=optional(title=texts, card_title=texts, og_image=urls, canonical=urls),
        translations=st.dictionaries(st.sampled_from(["fr", "de"]), article_texts, max_size=2),
    ),
)
organizers = merged(
    st.fixed_dictionaries({"slug": slugs, "name": titles}),
    optional(
        body=bodies,
        description=st.none() | texts,
        website_url=st.none() | urls,
        social_links=links,
        is_active=flags,
        order=numbers,
        translations=st.dictionaries(st.sampled_from(["fr", "de"]), optional(name=titles, address=texts), max_size=2),
    ),
)
tags = merged(
    st.fixed_dictionaries({"slug": slugs, "title": titles}),
    optional(color=st.none() | colours, is_active=flags, show_icon=flags, icon=texts),
)


@st.composite
def categories(draw: st.DrawFn) -> list[dict[str, Any]]:
    """A forest: each may stand under one that was drawn before it."""
    drawn = draw(
        distinct(merged(st.fixed_dictionaries({"slug": slugs, "title": titles}), optional(order=places)), "slug")
    )
    parents = names(drawn, "title")
    for position, category in enumerate(drawn):
        slugs_before = {other["slug"] for other in drawn[:position]}
        before = [name for name, slug in parents.items() if slug in slugs_before]
        category["parent_id"] = draw(st.sampled_from([None, *before]))
    draw(st.randoms()).shuffle(drawn)
    return drawn


@st.composite
def listings(draw: st.DrawFn, refer: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """Listings that refer to the folder's entries: with a slug, a URL, or both; those without a slug share names."""
    references = {
        name: st.lists(st.sampled_from(keys), unique=True, max_size=3) for name, keys in refer.items() if keys
    }
    fields = merged(
        st.fixed_dictionaries({"slug": slugs, "name": titles}),
        optional(
            url=urls,
            description=st.none() | texts,
            latitude=st.floats(-90, 90, allow_subnormal=False),
            social_links=links,
            additional_image_urls=st.lists(urls, max_size=3),
            starts_at=moments,
            is_featured=flags,
            level=st.sampled_from(["easy", "hard"]),
            effort=numbers | numbers.map(str),
            **references,
        ),
    )
    drawn = draw(distinct(fields, "slug"))
    with_url = {listing["url"]: listing for listing in drawn if "url" in listing}
    for listing in with_url.values():
        if draw(flags):
            del listing["slug"]
            listing["name"] = draw(st.sampled_from(["A", "B"]))
    return [listing for listing in drawn if "url" not in listing] + list(with_url.values())


CUSTOM_FIELDS: list[dict[str, Any]] = [
    {"label": "Level", "name": "level", "type": "select", "options": ["easy", "hard"]},
    {"label": "Effort", "name": "effort", "type": "number", "order": 2},
]


@st.composite
def folders(draw: st.DrawFn) -> Files:
    """Paths and texts of a folder that validates clean, with each kind in one of the formats that it may have."""
    files = {"contentsync.toml": CONFIG}
    drawn_categories, drawn_tags = draw(categories()), draw(distinct(tags, "slug"))
    drawn_organizers = draw(distinct(organizers, "slug"))
    for plural, entries in (
        ("custom_fields", CUSTOM_FIELDS),
        ("categories", drawn_categories),
        ("tags", drawn_tags),
    ):
        suffix = draw(st.sampled_from([*LISTS]))
        if entries:
            files[f"{plural}.{suffix}"] = LISTS[suffix](entries)
            files["contentsync.toml"] += f'[content.{plural}]\npath = "{plural}.{suffix}"\n'
    refer = {
        "categories": names(drawn_categories, "title"),
        "tags": names(drawn_tags, "title"),
        "organizers": names(drawn_organizers, "name"),
    }
    files |= draw(listing_files(refer))
    for folder, entries in (
        ("organizers", drawn_organizers),
        ("pages", draw(distinct(pages, "slug"))),
        ("articles", draw(distinct(articles, "slug"))),
    ):
        for number, entry in enumerate(entries):
            files[f"{folder}/{number}.md"] = draw(documents)(entry)
    return files


def names(entries: Sequence[dict[str, Any]], title_field: str) -> dict[str, str]:
    """The slugs that other entries mean by a name: a slug, or a title of one entry only."""
    slugs_by_name = {entry["slug"]: entry["slug"] for entry in entries}
    counts = Counter(entry[title_field] for entry in entries)
    titles_only = (entry for entry in entries if counts[entry[title_field]] == 1)
    return {entry[title_field]: entry["slug"] for entry in titles_only} | slugs_by_name


@st.composite
def listing_files(draw: st.DrawFn, refer: Mapping[str, dict[str, str]]) -> Files:
    """Each listing is in a file of its own, in a list or in a table."""
    by_name: dict[str, list[dict[str, Any]]] = {}
    lists = {f"list.{suffix}": write for suffix, write in LISTS.items()}
    for number, listing in enumerate(draw(listings({kind: [*found] for kind, found in refer.items()}))):
        name = draw(st.sampled_from([*(f"{number}.{suffix}" for suffix in SINGLE), *lists, *TABLES]))
        if name in TABLES:
            for kind, found in refer.items():
                listing |= {kind: [fits_cell(each, found) for each in listing[kind]]} if kind in listing else {}
        by_name.setdefault(name, []).append(listing)
    files = {}
    for name, entries in by_name.items():
        write_all = TABLES.get(name) or lists.get(name)
        text = write_all(entries) if write_all else SINGLE[name.rpartition(".")[2]](entries[0])
        files[f"listings/{name}"] = text
    return files


def fits_cell(name: str, slugs_by_name: Mapping[str, str]) -> str:
    """The name itself if a list in a cell may have it as an item, or else the slug."""
    return name if name == name.strip() and "|" not in name else slugs_by_name[name]


def write(files: Files, folder: Path) -> Path:
    """The folder on disk."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    return folder
