"""Jekyll: https://jekyllrb.com/docs, with its rules for names of files, collections and defaults of front matter."""

import re
from collections.abc import Iterator, Mapping
from datetime import UTC
from fnmatch import fnmatchcase
from typing import Any

from ....content.formats.front_matter import find_front_matter
from ....lazy_pattern import lazy_pattern
from ....model import Kind
from ....model.scalar import parse_instant
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag

_POST = lazy_pattern(r"(?P<date>\d{2,4}-\d{1,2}-\d{1,2})-[^/]*\.[^./]+\Z", re.ASCII)
_SPECIAL = ("_", ".", "#", "~")  # names that begin so are no content, unless `include` or a collection says so
_DRAFTS = "_drafts"
_ENDING = ":title:output_ext"
# Jekyll's names for patterns; without a setting, it uses `date`.
_STYLES = {
    "": f"/:categories/:year/:month/:day/{_ENDING}",
    "date": f"/:categories/:year/:month/:day/{_ENDING}",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": f"/:categories/:year/:y_day/{_ENDING}",
    "weekdate": f"/:categories/:year/W:week/:short_day/{_ENDING}",
    "none": f"/:categories/{_ENDING}",
}
_POSTS = "_posts"


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    """Yield every `_posts`, and the collections of the site's config."""
    yield from (ContentSource(folder, Kind.ARTICLE) for folder in tree.folders_named(_POSTS, site.base))
    for name in ("pages", *_collections(site)):
        yield ContentSource(_collection_path(site, name), Kind.PAGE if name == "pages" else None)
    yield ContentSource(site.path("pages"), Kind.PAGE)


def _address(site: Site, kind: Kind, path: str) -> str:
    name = path.rpartition("/")[2]
    declared = _collections(site)
    if name.startswith("_") and name[1:] in declared:
        settings = declared[name[1:]]
        pattern = settings.get("permalink") if isinstance(settings, dict) else None
        return pattern if isinstance(pattern, str) else "/:collection/:path:output_ext"
    pattern = site.text("permalink")  # "": the default style
    if kind is Kind.ARTICLE:
        return _STYLES.get(pattern, pattern)
    ending = "/" if pattern == "pretty" or pattern.endswith("/") else ":output_ext"
    return f"/{path}/:path{ending}" if path else f"/:path{ending}"


def _collections(site: Site) -> Mapping[str, Any]:
    """Return the settings of the collections that the config declares, by their names."""
    declared = site.settings.get("collections")
    if isinstance(declared, dict):
        return declared
    names = declared if isinstance(declared, list) else []
    return {name: {} for name in names if isinstance(name, str)}


def _collection_path(site: Site, name: str) -> str:
    base = site.text("collections_dir")
    return site.path(f"{base}/_{name}" if base else f"_{name}")


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    site = files.site
    include, exclude = _texts(site, "include"), _texts(site, "exclude")
    collections = [_collection_path(site, name) for name in _collections(site)]
    for path in files.documents():
        inner = path.removeprefix(f"{site.base}/") if site.base else path
        hidden = _filtered(path, inner, include, exclude) or _unread(files, path, inner, collections, include)
        if hidden:
            yield hidden
        elif reason := _unpublished(files, path, inner, collections):
            yield reason


def _filtered(path: str, inner: str, include: list[str], exclude: list[str]) -> Hidden | None:
    """Return the file as hidden if `exclude` has it or its folder. Its texts are globs, and beginnings of paths."""
    parts = inner.split("/")
    for depth in range(1, len(parts) + 1):
        part = "/".join(parts[:depth])
        if _is_listed(part, include) or _is_listed(parts[depth - 1], include):
            continue
        for text in exclude:
            if text not in include and _matches(part, text):
                folder = path[: len(path) - len(inner)] + part if depth < len(parts) else ""
                return Hidden(path, f"exclude of Jekyll's config has {text}", folder)
    return None


def _is_listed(part: str, texts: list[str]) -> bool:
    return any(_matches(part, text) for text in texts)


def _matches(part: str, text: str) -> bool:
    text = text.lstrip("/")
    return bool(text) and (fnmatchcase(part, text) or part.startswith(text) or f"{part}/" == text)


def _unread(files: SiteFiles, path: str, inner: str, collections: list[str], include: list[str]) -> Hidden | None:
    """Return a file that Jekyll does not read because of its name or place."""
    *folders, name = inner.split("/")
    if _DRAFTS in folders:
        return Hidden(path, "it is in _drafts", _DRAFTS)
    if _POSTS in folders:
        match = _POST.match(name)
        return None if match else Hidden(path, "its name in _posts does not begin with a date, such as 2024-03-01-")
    collection = next((folder for folder in collections if path.startswith(f"{folder}/")), "")
    if collection:
        if find_front_matter(files.read(path)) is None:
            return Hidden(path, "files of a collection need front matter")
        folders = path.removeprefix(f"{collection}/").split("/")[:-1]
    for part in (*folders, name):
        if part.startswith(_SPECIAL) and not _is_listed(part, include) and not _is_listed(inner, include):
            return Hidden(path, f"{part} begins with {part[0]}", part)
    return None


def _unpublished(files: SiteFiles, path: str, inner: str, collections: list[str]) -> Hidden | None:
    """Return a document whose front matter, or the defaults of the config, do not publish it."""
    values = files.front_matter(path)
    if flag(values.get("published")) is False:
        return Hidden(path, "published: false", key="published")
    is_post = _POSTS in inner.split("/")
    is_page = not is_post and not any(path.startswith(f"{folder}/") for folder in collections)
    # Jekyll applies this default to posts and collections, and not to pages.
    if not is_page and "published" not in values and flag(_default(files.site, inner, "published")) is False:
        return Hidden(path, "published: false in the defaults of Jekyll's config")
    if is_page:
        return None
    match = _POST.match(inner.rpartition("/")[2]) if is_post else None
    date = str(values.get("date") or (match["date"] if match else ""))
    if date and not flag(files.site.settings.get("future")) and _is_future(files, date):
        return Hidden(path, "its date is in the future, and future is off", key="date")
    return None


def _is_future(files: SiteFiles, date: str) -> bool:
    try:
        return parse_instant(date, UTC) > files.now
    except ValueError:
        return False


def _default(site: Site, inner: str, key: str) -> Any:
    """Return the value that `defaults` give to a key of a file; of several, that of the longest path and of a type."""
    best: tuple[tuple[int, bool], Any] = ((-1, False), None)
    defaults = site.settings.get("defaults")
    for item in defaults if isinstance(defaults, list) else []:
        if not isinstance(item, dict) or not isinstance(values := item.get("values"), dict) or key not in values:
            continue
        found = item.get("scope")
        scope = found if isinstance(found, dict) else {}
        scope_path, scope_type = str(scope.get("path") or "").strip("/"), str(scope.get("type") or "")
        kind = "posts" if _POSTS in inner.split("/") else inner.partition("/")[0].removeprefix("_")
        fits = fnmatchcase(inner, scope_path) if "*" in scope_path else inner.startswith(scope_path)
        if fits and scope_type in ("", kind) and (len(scope_path), bool(scope_type)) >= best[0]:
            best = (len(scope_path), bool(scope_type)), values[key]
    return best[1]


def _texts(site: Site, name: str) -> list[str]:
    value = site.settings.get(name)
    return [text for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _notes(files: SiteFiles) -> Iterator[str]:
    for name, settings in _collections(files.site).items():
        folder = _collection_path(files.site, name)
        if (
            name != "posts"
            and files.tree.has_folder(folder)
            and not (isinstance(settings, dict) and flag(settings.get("output")))
        ):
            yield f"{folder} has no pages on the site, because its output is not true: exclude it if it is no content"


JEKYLL = GeneratorRules(
    generator=Generator.JEKYLL,
    configs=("_config.yml", "_config.yaml"),
    sources=_sources,
    has_top_pages=True,
    hidden=_hidden,
    address=_address,
    notes=_notes,
    asset_folders=("",),
    serves_files_at_their_paths=True,
)
