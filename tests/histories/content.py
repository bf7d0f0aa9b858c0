"""The content folder of a history, which is read back from its files: a revert or a merge changes it, too."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import yaml12
from ..properties.file_formats import document, yaml_list

Entry = dict[str, Any]
Site = dict[str, list[Entry]]  # by folder; an entry of a document has the name of its file as FILE

FILE = "_file"
DOCUMENTS = ("organizers", "pages", "articles")
TABLES = {
    "categories": "categories.yaml",
    "tags": "tags.yaml",
    "custom_fields": "custom_fields.yaml",
    "listings": "listings/all.yaml",
}
KEY = {"custom_fields": "name"}  # the others are known by their slug
REFERENCES = {"categories": "categories", "tags": "tags", "organizers": "organizers"}  # of listings


def key_name(folder: str) -> str:
    """Return the field that holds the key of a folder's entries."""
    return KEY.get(folder, "slug")


def read(root: Path) -> Site:
    """Return what the files hold, which `write` has written."""
    site: Site = {folder: _rows(root / file) for folder, file in TABLES.items()}
    for folder in DOCUMENTS:
        site[folder] = read_documents(root / folder)
    return site


def read_documents(folder: Path) -> list[Entry]:
    """Return the documents of a folder, in the order of the names of their files."""
    return [_document(file) for file in sorted(folder.glob("*.md"))]


def write(site: Site, root: Path) -> None:
    """Make the files hold exactly this."""
    for folder, file in TABLES.items():
        path = root / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml_list(site[folder]), encoding="utf-8")
    for folder in DOCUMENTS:
        write_documents(site[folder], root / folder)


def write_documents(entries: Iterable[Entry], folder: Path) -> None:
    """Make a folder have exactly these documents."""
    folder.mkdir(exist_ok=True)
    for old in folder.glob("*.md"):
        old.unlink()
    for entry in entries:
        fields = {name: value for name, value in entry.items() if name != FILE}
        (folder / f"{entry[FILE]}.md").write_text(document(fields), encoding="utf-8")


def first() -> Site:
    """Return what every history begins with; of each kind the first entry is never deleted."""
    return {
        "categories": [{"slug": "tools", "title": "Tools", "parent_id": None}],
        "tags": [{"slug": "open", "title": "Open", "color": "#112233"}],
        "custom_fields": [{"name": "level", "label": "Level", "type": "text"}],
        "organizers": [{FILE: "guild", "slug": "guild", "name": "Guild", "body": "A guild."}],
        "listings": [_listing("saw", categories=["tools"], tags=["open"], organizers=["guild"], level="easy")],
        "pages": [{FILE: "about", "slug": "about", "title": "About", "body": "About us."}],
        "articles": [{FILE: "hello", **article("hello", "Hello.")}],
    }


def article(slug: str, body: str) -> Entry:
    """Return an article."""
    return {"slug": slug, "title": slug.title(), "published_at": "2026-01-01T09:00:00Z", "body": body}


def _listing(slug: str, **more: Any) -> Entry:
    return {"slug": slug, "name": slug.title(), "url": f"https://{slug}.example.org/", **more}


def _rows(file: Path) -> list[Entry]:
    lines = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    return [json.loads(line.removeprefix("- ")) for line in lines if line.startswith("- ")]


def _document(file: Path) -> Entry:
    _, matter, body = file.read_text(encoding="utf-8").split("---\n", 2)
    return {FILE: file.stem, **yaml12.read(matter), "body": body.rstrip("\n")}
