"""The content folder of a history as entries, read back from its files: a revert, a merge and `mv` change them, too."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from .. import yaml12
from ..properties import file_formats
from ..properties.file_formats import document, yaml_list

Entry = dict[str, Any]
Site = dict[str, list[Entry]]  # by folder; a listing has its file as FILE, a document the name of its file

FILE = "_file"
FOLDERS = ("categories", "tags", "custom_fields", "organizers", "listings", "pages", "articles")  # refer backwards only
LANGUAGE = ".fr"  # ends the name of a file with translations
HTML = ".html"  # ends the name of a file that is not Markdown
DOCUMENTS = ("organizers", "pages", "articles")
LISTS = {name: f"{name}.yaml" for name in ("categories", "tags", "custom_fields")}
TABLE, LIST = "listings/tools.csv", "listings/places.yaml"
REFERENCES = ("categories", "tags", "organizers")  # of listings, in columns with several values


def key_name(folder: str) -> str:
    """Return the field that has the key of a folder's entries."""
    return "name" if folder == "custom_fields" else "slug"


def key_of(entry: Entry, folder: str) -> str:
    """Return the key of an entry; a document without a slug has that of its file."""
    return str(entry.get(key_name(folder)) or entry[FILE])


def originals(site: Site, folder: str) -> list[Entry]:
    """Return the entries of a folder without the translations."""
    return [entry for entry in site[folder] if not entry.get(FILE, "").endswith(LANGUAGE)]


def translations(site: Site, folder: str, entry: Entry) -> list[Entry]:
    """Return the translations of an entry of a document."""
    return [other for other in site[folder] if other[FILE] == entry[FILE] + LANGUAGE]


def rows(site: Site, file: str) -> list[Entry]:
    """Return the listings of a file."""
    return [entry for entry in site["listings"] if entry[FILE] == file]


def table(entries: list[Entry]) -> str:
    """Return a table with a column for each field."""
    return file_formats.TABLES["commas.csv"]([_without_file(entry) for entry in entries])


def refer(site: Site, folder: str, old: str, new: str | None) -> None:
    """Change every mention of an entry, as authors do who rename without `mv`, or remove it."""
    if folder == "pages" and new:
        for page in site["pages"]:
            page["body"] = page["body"].replace(f"(/pages/{old}/)", f"(/pages/{new}/)")
    for listing in site["listings"]:
        if folder in REFERENCES and folder in listing:
            names = [new if name == old else name for name in listing[folder]]
            listing[folder] = [name for name in names if name is not None]
        elif folder == "custom_fields" and old in listing:
            value = listing.pop(old)
            if new:
                listing[new] = value
    if folder == "categories":
        for category in site["categories"]:
            if category.get("parent_id") == old:
                category["parent_id"] = new


def read(root: Path) -> Site:
    """Return the entries of the files that `write` has written."""
    site: Site = {name: yaml12.read(_text(root / file)) or [] for name, file in LISTS.items()}
    lines = csv.DictReader(io.StringIO(_text(root / TABLE)))
    site["listings"] = [{FILE: TABLE, **{name: _cell(name, text) for name, text in row.items()}} for row in lines]
    site["listings"] += [{FILE: LIST, **row} for row in yaml12.read(_text(root / LIST)) or []]
    return site | {folder: [_document(file) for file in _files(root / folder)] for folder in DOCUMENTS}


def write(site: Site, root: Path) -> None:
    """Make the authors' files contain exactly this."""
    texts = {file: yaml_list(site[name]) or "[]\n" for name, file in LISTS.items()}
    texts[TABLE], texts[LIST] = table(rows(site, TABLE)), yaml_list(map(_without_file, rows(site, LIST)))
    for file, text in texts.items():
        (root / file).parent.mkdir(exist_ok=True)
        (root / file).write_text(text, encoding="utf-8")
    if not rows(site, TABLE):
        (root / TABLE).unlink()
    for folder in DOCUMENTS:
        _write_documents(site[folder], root / folder)


def _write_documents(entries: Iterable[Entry], folder: Path) -> None:
    folder.mkdir(exist_ok=True)
    for old in _files(folder):
        old.unlink()
    for entry in entries:
        name = entry[FILE] if entry[FILE].endswith(HTML) else f"{entry[FILE]}.md"
        (folder / name).write_text(document(_without_file(entry)), encoding="utf-8")


def _files(folder: Path) -> list[Path]:
    return sorted(file for file in folder.glob("*") if file.suffix in (".md", HTML))


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _document(file: Path) -> Entry:
    _, matter, body = file.read_text(encoding="utf-8").split("---\n", 2)
    return {FILE: file.name.removesuffix(".md"), **yaml12.read(matter), "body": body.rstrip("\n")}


def _cell(name: str, text: str) -> Any:
    if name in REFERENCES:
        return text.split("|") if text else []
    return {"true": True, "false": False}.get(text, text)


def _without_file(entry: Entry) -> Entry:
    return {name: value for name, value in entry.items() if name != FILE}
