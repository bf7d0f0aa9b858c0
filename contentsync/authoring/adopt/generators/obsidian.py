"""Obsidian: https://help.obsidian.md, a folder of notes; `publish: false` and excluded folders are not published."""

import json
from collections.abc import Iterator

from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag, matches_regex, unread_regexes

_FOLDER = ".obsidian"
_FILTERS = "userIgnoreFilters"  # beginnings of paths, and regular expressions between slashes


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    return (ContentSource(site.path(name)) for name in tree.folders_in(site.base))


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    filters = _filters(files)
    for path in files.documents():
        inner = path.removeprefix(f"{files.site.base}/") if files.site.base else path
        found = next((text for text in filters if _is_left_out(inner, text)), "")
        if found:
            folder = files.site.path(found) if found.endswith("/") and not found.startswith("/") else ""
            yield Hidden(path, f"excluded files of Obsidian have {found}", folder)
        elif flag(files.front_matter(path).get("publish")) is False:
            yield Hidden(path, "publish: false", key="publish")


def _filters(files: SiteFiles) -> list[str]:
    try:
        settings = json.loads(files.read(files.site.path(f"{_FOLDER}/app.json")) or "{}")
    except (ValueError, RecursionError):
        return []
    filters = settings.get(_FILTERS) if isinstance(settings, dict) else None
    return [text for text in filters if isinstance(text, str) and text] if isinstance(filters, list) else []


def _is_regex(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _is_left_out(inner: str, text: str) -> bool:
    return matches_regex(text[1:-1], inner) if _is_regex(text) else inner.lower().startswith(text.lower())


def _notes(files: SiteFiles) -> Iterator[str]:
    yield "which notes Obsidian Publish shows is not in the folder: adopt knows publish: false and excluded files only"
    yield from unread_regexes((text[1:-1] for text in _filters(files) if _is_regex(text)), _FILTERS)


OBSIDIAN = GeneratorRules(
    generator=Generator.OBSIDIAN,
    configs=(_FOLDER,),
    sources=_sources,
    reads_other_folders=False,
    has_top_pages=True,
    hidden=_hidden,
    notes=_notes,
)
