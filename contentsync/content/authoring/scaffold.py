"""The texts of new files: an example folder, and an entry of each kind with the keys that it may have."""

import re
from collections.abc import Iterable, Mapping
from importlib.resources import files
from importlib.resources.abc import Traversable
from string import Template

import yaml

from ...model import Definition, Kind
from ...model.scalar import parse_flag
from ..config import Folder

# What stands in the front matter: the first key is the title. Of what holds a text to be written nothing is shown yet.
_FIELDS: Mapping[Kind, str] = {
    Kind.PAGE: """\
title: $title
# Not shown yet: delete the next line when the page is ready.
is_published: false
# placement: navbar
# order: 10
# seo: {title: For search engines, description: One or two sentences.}
# For a page that is only a link:
# is_external: true
# external_url: https://example.com/
# new_tab: true
""",
    Kind.ARTICLE: """\
title: $title
# A draft: delete the next line when the article is ready.
active: false
# Without a date, it is that of the first sync:
# published_at: 2026-03-01 09:00
# categories: [News]
# thumbnail_url: https://example.com/picture.jpg
# thumbnail_alt_text: What the picture shows
# seo: {title: For search engines, description: One or two sentences.}
""",
    Kind.ORGANIZER: """\
name: $title
# Not shown yet: delete the next line when the profile is ready.
is_active: false
# description: One or two sentences.
# logo_url: https://example.com/logo.png
# cover_image_url: https://example.com/cover.jpg
# website_url: https://example.com/
# email: hello@example.com
# phone: +44 20 7946 0000
# address: 1 High Street, London
# social_links: {mastodon: https://example.com/@name}
# order: 10
""",
    Kind.LISTING: """\
name: $title
slug: $slug
# Not shown yet: delete the next line when the listing is ready.
is_active: false
# With a url, that is what the listing is known by.
# url: https://example.com/
# description: One or two sentences.
# categories: [slug-of-a-category]
# tags: [slug-of-a-tag]
# organizers: [slug-of-an-organizer]
# image_url: https://example.com/picture.jpg
# logo_url: https://example.com/logo.png
# email: hello@example.com
# address: 1 High Street, London
# latitude: 51.5
# longitude: -0.12
# starts_at: 2026-03-01
# ends_at: 2026-12-31
# is_featured: true
""",
    Kind.CATEGORY: """\
title: $title
slug: $slug
# description: One or two sentences.
# parent_id: slug-of-another-category
# icon: name-of-an-icon
# order: 10
# show_on_sidebar: false
""",
    Kind.TAG: """\
title: $title
slug: $slug
# color: "#00aa77"
# text_color: "#ffffff"
# heroicon: name-of-an-icon
""",
    Kind.CUSTOM_FIELD: """\
label: $title
name: $slug
# text, textarea, markdown, rich_editor, html, number, rating, checkbox, date, url, email, file_upload, button,
# javascript, or with options: select, multi_select, list
type: text
# options: [One, Two]
# organizer, article or listing:
# fieldable_type: listing
# description: For those who fill it in.
# is_required: true
# filterable: true
# show_on_card: true
""",
}

_TEXTS: Mapping[Kind, str] = {
    Kind.PAGE: "Write the page here, in Markdown.\n",
    Kind.ARTICLE: "Write the article here, in Markdown.\n",
    Kind.ORGANIZER: "Write the profile here, in Markdown.\n",
    Kind.LISTING: "Write more about it here, in Markdown.\n",
}

# A value of a required custom field, by type; any text will do for the others.
_PLACEHOLDERS = {
    "number": "0",
    "rating": "0",
    "checkbox": "false",
    "date": "2026-03-01",
    "url": "https://example.com/",
    "button": "https://example.com/",
    "email": "hello@example.com",
    "list": "[to be written]",
    "multi_select": "[to be written]",
}

_KEY = re.compile(r"(?P<comment># )?(?P<key>[a-z_]+): (?P<value>.*)")


def starter() -> dict[str, bytes]:
    """The files of a new content folder, by path: the config and an example of each kind."""
    found: dict[str, bytes] = {".gitignore": b".contentsync/\n"}
    _collect(files(__package__) / "starter", "", found)
    return found


def fields(
    kind: Kind, slug: str, folder: Folder, definitions: Iterable[Definition], *, with_slug: bool = False
) -> list[str]:
    """The lines of a new entry in YAML, its keys called as in the folder; other useful ones stand in comments.

    `definitions` are the custom fields of the kind: required ones get a value to be replaced. `with_slug` gives the
    slug where the file's name would say another one.
    """
    title = slug.replace("_", "-").strip("-").replace("-", " ")
    text = Template(_FIELDS[kind]).substitute(title=_scalar(title[:1].upper() + title[1:]), slug=_scalar(slug))
    lines = text.splitlines()
    if with_slug:
        lines.insert(1, f"slug: {_scalar(slug)}")
    for definition in definitions:
        if definition.get("is_required"):
            lines.append(f"{definition['name']}: {_placeholder(definition)}")
    return [_respelled(line, folder.rename) for line in lines]


def document(kind: Kind, lines: Iterable[str]) -> str:
    """A Markdown file with these lines as front matter."""
    return "\n".join(["---", *lines, "---", _TEXTS[kind]])


def item(lines: Iterable[str], indent: str = "") -> str:
    """An item of a YAML list with these lines."""
    first, *others = lines
    return "\n".join([f"{indent}- {first}", *(f"{indent}  {line}" for line in others), ""])


def _collect(folder: Traversable, path: str, found: dict[str, bytes]) -> None:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.is_dir():
            _collect(entry, f"{path}{entry.name}/", found)
        else:
            found[path + entry.name] = entry.read_bytes()


def _respelled(line: str, rename: Mapping[str, str]) -> str:
    """The line with the key that `rename` reads as its field, and the opposite value where that is negated."""
    match = _KEY.fullmatch(line)
    if match is None:
        return line
    for key, target in rename.items():
        if target == match["key"]:
            return f"{match['comment'] or ''}{_scalar(key)}: {match['value']}"
        if target == f"!{match['key']}":
            value = "false" if parse_flag(match["value"]) else "true"
            return f"{match['comment'] or ''}{_scalar(key)}: {value}"
    return line


def _placeholder(definition: Definition) -> str:
    options = definition.get("options")
    if definition["type"] in ("list", "multi_select") and options:
        return f"[{_scalar(options[0])}]"
    if options and definition["type"] == "select":
        return _scalar(options[0])
    return _PLACEHOLDERS.get(definition["type"], "to be written")


def _scalar(text: str) -> str:
    """The text as YAML writes it, in quotes where it needs them."""
    return yaml.safe_dump(text, allow_unicode=True, width=2**20).removesuffix("...\n").strip()
