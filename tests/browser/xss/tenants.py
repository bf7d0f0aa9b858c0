"""Directories in which every text of every record is a payload, as an older version may have stored it."""

import json
import secrets
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from contentsync.server.store import accounts, connect_database
from contentsync.server.store.migration import no_progress
from contentsync.server.store.search_rebuild import rebuild_index

from ..sites import Site

MARKDOWN = "Readable before.\n\nPAYLOAD\n\nReadable after.\n"
HTML = "<p>Readable before.</p>PAYLOAD"
LOCALES = ("en", "fr")

# What no text stands in: names of things, choices, moments.
_KEPT = frozenset({"slug", "type", "fieldable_type", "placement", "placement_on_card"})
_MOMENTS = frozenset({"starts_at", "ends_at", "published_at", "created_at", "updated_at"})
_TABLES: Mapping[str, Sequence[str]] = {  # in the order of what refers to what, with their columns of text
    "categories": ("title",),
    "tags": (),
    "custom_fields": (),
    "organizers": ("name",),
    "listings": ("name",),
    "pages": (),
    "articles": (),
}
_JSON = ("data", "seo", "translations")
_LINKS = {"categories": "category", "tags": "tag", "organizers": "organizer"}  # of listings

VALUES: Mapping[str, Any] = {  # of a custom field of each type
    "text": "text",
    "textarea": "text",
    "markdown": MARKDOWN,
    "rich_editor": HTML,
    "url": "https://example.com/",
    "button": "https://example.com/",
    "email": "ada@example.com",
    "file_upload": "files/report.pdf",
    "select": "one",
    "multi_select": ["one", "two"],
    "list": ["one", "two"],
    "html": "<p>text</p>",
    "javascript": "text()",
    "date": "2026-01-01",
    "number": 7,
    "rating": 4,
    "checkbox": True,
}
_URL = "https://example.com/a"
_SEO = ("title", "description", "keywords", "og_title", "og_description", "og_image")
_CARD = ("card_title", "card_description", "card_image", "canonical")


def fill(site: Site) -> None:
    """Create a record of each kind with every text that it can have."""
    for fieldable in ("listing", "organizer", "article"):
        for type_ in VALUES:
            site.make("custom-fields", **_definition(type_, fieldable))
    translated = {"name": "text", "description": "text", "content": HTML, "address": "text"}
    social = {"mastodon": "https://example.com/@a"}
    seo = {name: _URL if "image" in name or name == "canonical" else "text" for name in (*_SEO, *_CARD)}
    category = site.make(
        "categories", title="text", slug="c", description="text", content=HTML, icon="text",
        custom_icon_url=_URL, seo_title="text", seo_description="text", head_html="<b>text</b>",
    )  # fmt: skip
    tag = site.make("tags", title="text", slug="t", color="#fff", text_color="#000", icon="text", heroicon="text")
    organizer = site.make(
        "organizers", name="text", slug="o", description="text", content=MARKDOWN, logo="logo.png",
        cover_image="cover.png", email="ada@example.com", phone="1", address="text", website_url=_URL,
        social_links=social, translations={"fr": translated}, **_values("organizer"),
    )  # fmt: skip
    site.make(
        "projects", name="text", slug="l", description="text", content=HTML, url=_URL, image_url=_URL, logo_url=_URL,
        image_alt_text="text", logo_alt_text="text", video_url=_URL, video_thumbnail_url=_URL,
        additional_image_urls=[_URL], phone_number="1", email="ada@example.com", address="text", latitude=1,
        longitude=1, social_links=social, seo_title="text", seo_description="text",
        schema={"@type": "text", "name": ["text"]},
        head_html="<b>text</b>", is_featured=True, ends_at="2099-01-01", categories=[category["id"]], tags=[tag["id"]],
        organizers=[organizer["id"]], **_values("listing"),
    )  # fmt: skip
    for slug, body in (("markdown", {"markdown": MARKDOWN}), ("html", {"content": HTML})):
        french = {"title": "text", **body, "thumbnail_alt_text": "text"}
        site.make(
            "articles", title="text", slug=slug, **body, thumbnail_url=_URL, thumbnail_alt_text="text",
            categories=["text"], seo=seo, translations={"fr": {**french, "seo": seo}}, **_values("article"),
        )  # fmt: skip
    for placement in ("navbar", "sidebar", "footer"):
        site.make("pages", title="text", slug=placement, markdown=MARKDOWN, placement=placement,
                  seo={"title": "text", "description": "text"})  # fmt: skip
    site.make("pages", title="text", slug="out", is_external=True, external_url=_URL, new_tab=True, placement="footer")


def _values(fieldable: str) -> dict[str, Any]:
    return {f"{fieldable}_in_{type_}": value for type_, value in VALUES.items()}


def _definition(type_: str, fieldable: str) -> dict[str, Any]:
    options = {"options": ["one", "two"]} if type_ in ("select", "multi_select", "list") else {}
    is_filter = fieldable == "listing" and (type_ in ("checkbox", "number") or bool(options))
    return {
        "label": "text",
        "name": f"{fieldable}_in_{type_}",
        "type": type_,
        "fieldable_type": fieldable,
        "placeholder": "text",
        "description": "text",
        "value_prefix": "text",
        "value_suffix": "text",
        "icon": "text",
        "heroicon": "text",
        "show_label": True,
        "show_icon": True,
        "show_on_card": True,
        "show_icon_on_card": True,
        "filterable": is_filter,
        **options,
    }


@dataclass(frozen=True)
class Tenant:
    """A directory full of payloads."""

    slug: str
    payloads: Sequence[str]
    fields: int  # that hold one


def poisoned(database_url: str, template: Site, mixtures: Iterable[Sequence[str]]) -> list[Tenant]:
    """Return a copy of the template for each mixture of payloads, which take turns in its texts, without validation."""
    tenants = []
    database = connect_database(database_url)
    with closing(database), closing(sqlite3.connect(database_url.removeprefix("sqlite:///"), timeout=30)) as rows:
        rows.row_factory = sqlite3.Row
        [owner] = rows.execute("SELECT owner_id FROM directories WHERE id = ?", [template.number]).fetchone()
        for payloads in mixtures:
            slug = f"poisoned-{secrets.token_hex(4)}"
            made = database.run_write(accounts.create_directory, name="x", slug=slug, owner_id=owner, locales=LOCALES)
            copy = _Copy(rows, template.number, made, payloads)
            with rows:
                copy.write()
            tenants.append(Tenant(slug, payloads, copy.fields))
        database.run_write(rebuild_index, no_progress)  # once, because it reads all directories
    return tenants


class _Copy:
    """The records of one directory, as those of another, with a payload for every text."""

    def __init__(self, rows: sqlite3.Connection, template: int, directory: int, payloads: Sequence[str]) -> None:
        self.fields = 0
        self._rows = rows
        self._template = template
        self._directory = directory
        self._payloads = cycle(payloads)
        self._ids: dict[tuple[str, int], int] = {}

    @property
    def _payload(self) -> str:
        """Return the next payload."""
        self.fields += 1
        return next(self._payloads)

    def write(self) -> None:
        """Write the whole directory; afterwards `fields` is the number of its texts."""
        names = "UPDATE directories SET name = ?, organizers_label = ? WHERE id = ?"
        self._rows.execute(names, [self._payload, self._payload, self._directory])
        for table, texts in _TABLES.items():
            query = f"SELECT * FROM {table} WHERE directory_id = ? ORDER BY id"
            for row in self._rows.execute(query, [self._template]).fetchall():
                self._insert(table, dict(row), texts)
        for table, one in _LINKS.items():
            self._link(f"listing_{table}", table, f"{one}_id")
        self._name_categories()

    def _insert(self, table: str, row: dict[str, Any], texts: Sequence[str]) -> None:
        old = row.pop("id")
        row["directory_id"] = self._directory
        for column in texts:
            row[column] = self._payload
        for column in _JSON:
            if row.get(column):
                unchanged = _KEPT | {"name"} if table == "custom_fields" else _KEPT
                row[column] = json.dumps(self._poisoned(json.loads(row[column]), unchanged))
        if table == "listings":
            links = json.loads(row["links"])
            row["links"] = json.dumps({other: [self._ids[other, each] for each in links[other]] for other in links})
        columns = ", ".join(f'"{name}"' for name in row)
        marks = ", ".join("?" * len(row))
        done = self._rows.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", list(row.values()))
        assert done.lastrowid is not None
        self._ids[table, old] = done.lastrowid

    def _poisoned(self, value: Any, unchanged: frozenset[str], key: str = "") -> Any:
        if isinstance(value, dict):
            poisoned = {name: self._poisoned(each, unchanged, name) for name, each in value.items()}
            if key in ("schema", "social_links"):  # whose keys are texts too
                poisoned[self._payload] = next(iter(poisoned.values()), None)
            return poisoned
        if isinstance(value, list):
            return [self._poisoned(each, unchanged, key) for each in value]
        if not isinstance(value, str) or key in unchanged or key in _MOMENTS or key.endswith("_date"):
            return value
        return value.replace("PAYLOAD", self._payload) if "PAYLOAD" in value else self._payload

    def _link(self, table: str, other: str, column: str) -> None:
        query = f"SELECT * FROM {table} WHERE listing_id IN (SELECT id FROM listings WHERE directory_id = ?)"
        for row in self._rows.execute(query, [self._template]).fetchall():
            ids = self._ids["listings", row["listing_id"]], self._ids[other, row[column]]
            insert = f"INSERT INTO {table} (listing_id, {column}, position) VALUES (?, ?, ?)"
            self._rows.execute(insert, [*ids, row["position"]])

    def _name_categories(self) -> None:
        for (table, _), made in self._ids.items():
            if table == "articles":
                self._rows.execute(
                    "INSERT INTO article_categories (article_id, name) VALUES (?, ?)", [made, self._payload]
                )
