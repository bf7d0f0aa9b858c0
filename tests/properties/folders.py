"""Whole content folders, at random: what an author might have written."""

import json
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

Files = dict[str, str]

CONFIG = '[site]\nname = "Random"\nlocales = ["en", "fr", "de"]\n'

slugs = st.text(string.ascii_lowercase + string.digits, min_size=1, max_size=8)
# Anything that a YAML file may hold as it is: no controls, no surrogates; a title must not be blank.
letters = st.characters(exclude_categories=("Cc", "Cs", "Cn", "Co", "Zl", "Zp"), exclude_characters="\ufeff")
texts = st.text(letters, max_size=40)
titles = texts.filter(lambda text: text.strip() != "")
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
    for position, category in enumerate(drawn):
        before = [other["slug"] for other in drawn[:position]]
        category["parent_id"] = draw(st.sampled_from([None, *before]))
    draw(st.randoms()).shuffle(drawn)
    return drawn


@st.composite
def listings(draw: st.DrawFn, refer: Mapping[str, list[str]]) -> list[dict[str, Any]]:
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
    """Paths and texts of a folder that validates clean."""
    files = {"contentsync.toml": CONFIG, "custom_fields.yaml": yaml_list(CUSTOM_FIELDS)}
    drawn_categories, drawn_tags = draw(categories()), draw(distinct(tags, "slug"))
    drawn_organizers = draw(distinct(organizers, "slug"))
    if drawn_categories:
        files["categories.yaml"] = yaml_list(drawn_categories)
    if drawn_tags:
        files["tags.yaml"] = yaml_list(drawn_tags)
    refer = {
        "categories": [category["slug"] for category in drawn_categories],
        "tags": [tag["slug"] for tag in drawn_tags],
        "organizers": [organizer["slug"] for organizer in drawn_organizers],
    }
    for number, listing in enumerate(draw(listings(refer))):
        files[f"listings/{number}.yaml"] = mapping(listing)
    for folder, entries in (
        ("organizers", drawn_organizers),
        ("pages", draw(distinct(pages, "slug"))),
        ("articles", draw(distinct(articles, "slug"))),
    ):
        for number, entry in enumerate(entries):
            files[f"{folder}/{number}.md"] = document(entry)
    return files


def document(entry: Mapping[str, Any]) -> str:
    """A Markdown file; `body` is the text under the front matter."""
    matter = {name: value for name, value in entry.items() if name != "body"}
    return f"---\n{mapping(matter)}---\n{entry.get('body', '')}\n"


def mapping(entry: Mapping[str, Any]) -> str:
    # JSON is YAML: each value on one line, quoted exactly.
    return "".join(f"{name}: {json.dumps(value, ensure_ascii=False)}\n" for name, value in entry.items()) or "{}\n"


def yaml_list(entries: list[dict[str, Any]]) -> str:
    return "".join(f"- {json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)


def write(files: Files, folder: Path) -> Path:
    """The folder on disk."""
    for path, text in files.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8", newline="")
    return folder
