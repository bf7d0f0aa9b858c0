"""Pelican: https://docs.getpelican.com, with its `Status`, and metadata lines without fences, which are not read."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from fnmatch import fnmatchcase
from typing import Any

from ....content.formats.front_matter import find_front_matter
from ....errors import pluralize
from ....lazy_pattern import lazy_pattern
from ....model import Kind
from ....model.scalar import parse_instant
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag

_LINE = lazy_pattern(r"(?P<key>[A-Za-z][\w-]{0,40})[ \t]*:[ \t]*(?P<value>[^\n]{0,1000})(?:\n|\Z)")
_NAME_DATE = lazy_pattern(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_HIDING = ("draft", "hidden", "skip")


def _content(site: Site) -> str:
    return site.path(site.text("PATH").strip("./") or "content")


def _folders(site: Site, name: str, default: list[str]) -> list[str]:
    """Return the paths of the folders in a setting, which are relative to the content folder."""
    listed = site.settings.get(name, default)
    names = [folder for folder in listed if isinstance(folder, str)] if isinstance(listed, list | tuple) else default
    return [f"{_content(site)}/{folder}".rstrip("/") for folder in names]


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    yield from (ContentSource(folder, Kind.PAGE) for folder in _folders(site, "PAGE_PATHS", ["pages"]))
    yield from (ContentSource(folder, Kind.ARTICLE) for folder in _folders(site, "ARTICLE_PATHS", [""]))


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    site = files.site
    pages = _folders(site, "PAGE_PATHS", ["pages"])
    left_out = [*_folders(site, "ARTICLE_EXCLUDES", []), *_folders(site, "PAGE_EXCLUDES", [])]
    defaults = site.settings.get("DEFAULT_METADATA")
    patterns = site.settings.get("IGNORE_FILES")
    ignored = [text for text in patterns if isinstance(text, str)] if isinstance(patterns, list | tuple) else []
    for path in _documents(files):
        values = {**_lower(defaults if isinstance(defaults, dict) else {}), **_metadata(files, path)}
        status = str(values.get("status", "")).strip().lower()
        is_page = any(path.startswith(f"{folder}/") for folder in pages)
        folder = next((folder for folder in left_out if path.startswith(f"{folder}/")), "")
        pattern = next((text for text in ignored if fnmatchcase(path.rpartition("/")[2], text)), "")
        if folder:
            yield Hidden(path, "ARTICLE_EXCLUDES or PAGE_EXCLUDES has its folder", folder)
        elif pattern:
            yield Hidden(path, f"IGNORE_FILES has {pattern}", pattern)
        elif status in _HIDING:
            yield Hidden(path, f"Status: {status}")
        elif not is_page and _has_no_date(files, path, values):
            yield Hidden(path, "it has no date")
        elif not is_page and flag(site.settings.get("WITH_FUTURE_DATES")) is False and _is_future(files, values):
            yield Hidden(path, "its date is in the future, and WITH_FUTURE_DATES is False", key="date")


def _has_no_date(files: SiteFiles, path: str, values: Mapping[str, Any]) -> bool:
    settings = files.site.settings
    if values.get("date") or settings.get("DEFAULT_DATE") or "FILENAME_METADATA" in settings:
        return False
    return not _NAME_DATE.match(path.rpartition("/")[2])


def _is_future(files: SiteFiles, values: Mapping[str, Any]) -> bool:
    try:
        return parse_instant(str(values.get("date")), UTC) > files.now
    except ValueError:
        return False


def _documents(files: SiteFiles) -> Iterator[str]:
    content = _content(files.site)
    return (path for path in files.documents() if path.startswith(f"{content}/"))


def _metadata(files: SiteFiles, path: str) -> Mapping[str, Any]:
    """Return the metadata of a file, with keys in lower case: its front matter, or the lines at its start."""
    return _lower(files.front_matter(path)) or dict(_metadata_lines(files.read(path)))


def _lower(values: Mapping[str, Any]) -> dict[str, Any]:
    return {str(key).lower(): value for key, value in values.items()}


def _metadata_lines(text: str) -> Iterator[tuple[str, str]]:
    """Yield the keys and values of the lines such as `Status: draft` at the start of a text."""
    position = 0
    while match := _LINE.match(text, position):
        yield match["key"].lower(), match["value"]
        position = match.end()


def _notes(files: SiteFiles) -> Iterator[str]:
    bare = [path for path in _documents(files) if _has_bare_metadata(files.read(path))]
    if bare:
        subject = f"{bare[0]} and {pluralize(len(bare) - 1, 'more file')} have" if len(bare) > 1 else f"{bare[0]} has"
        yield f"{subject} metadata lines without fences, which are read as text: write a line --- above and below them"


def _has_bare_metadata(text: str) -> bool:
    return find_front_matter(text) is None and bool(_LINE.match(text))


PELICAN = GeneratorRules(
    generator=Generator.PELICAN,
    configs=("pelicanconf.py",),
    sources=_sources,
    reads_other_folders=False,
    hidden=_hidden,
    notes=_notes,
    asset_folders=("content",),
)
