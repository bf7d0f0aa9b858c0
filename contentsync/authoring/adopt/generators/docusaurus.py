"""Docusaurus: https://docusaurus.io/docs/api/plugins."""

import posixpath
from collections.abc import Iterator
from typing import NamedTuple

from ....lazy_pattern import lazy_pattern
from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag, scripts
from .globs import exclude_pattern, first_ignoring, first_match
from .script_texts import first_text, is_plain, texts, texts_or_default, value_at, values, without_comments

_DEFAULT_EXCLUDES = ("**/_*.{md,mdx}", "**/_*/**", "**/__tests__/**")
_KINDS = {"docs": Kind.PAGE, "blog": Kind.ARTICLE, "pages": Kind.PAGE}
_DEFAULT_FOLDERS = {"docs": "docs", "blog": "blog", "pages": "src/pages"}
_PLUGIN = lazy_pattern(r"@docusaurus/plugin-content-(docs|blog|pages)['\"`]\s*,\s*(?=\{)")


class _PluginFolder(NamedTuple):
    """A folder of documents, with the options of the plugin that reads it."""

    folder: str  # its path in the repository
    kind: Kind
    is_collection: bool  # False: it has single pages, most of which are programs
    excluded: tuple[str, ...]  # globs of paths in the folder
    included: tuple[str, ...] = ("**/*.{md,mdx}",)


def _sections(site: Site) -> Iterator[_PluginFolder]:
    script = without_comments(site.config_text)
    for name in _KINDS:
        options = [*values(script, name)]
        if "false" not in options:
            # The theme has options of the same names, which have no path.
            with_path = [value for value in options if first_text(value, "path")]
            with_rules = [value for value in options if _has_rules(value)]
            yield from _section(site, name, (with_path or with_rules or [""])[0])
    for plugin in _PLUGIN.finditer(script):
        yield from _section(site, plugin[1], value_at(script, plugin.end()))


def _has_rules(options: str) -> bool:
    return any(True for name in ("exclude", "include") for _value in values(options, name))


def _section(site: Site, name: str, options: str) -> Iterator[_PluginFolder]:
    """Yield the section of the options of a plugin, unless it is outside of the repository."""
    path = first_text(options, "path") or _DEFAULT_FOLDERS[name]
    folder = posixpath.normpath(posixpath.join(site.base, path))
    if not folder.startswith(("..", "/")) and folder != ".":
        section = _PluginFolder(folder, _KINDS[name], name != "pages", _DEFAULT_EXCLUDES)
        for value in values(options, "include"):
            section = section._replace(included=(*texts(value),))
        for value in values(options, "exclude"):
            # The config may repeat the default by its name.
            excluded = texts(value) if is_plain(value) else [*texts(value), *_DEFAULT_EXCLUDES]
            section = section._replace(excluded=(*excluded,))
        yield section


def _root_folders(site: Site) -> Iterator[str]:
    return map(site.path, texts_or_default(without_comments(site.config_text), "staticDirectories", "static"))


def _root_address(site: Site) -> str:
    return site.address if site.text("baseUrl") else ""  # which every site has; here it may be code


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    return (ContentSource(section.folder, section.kind) for section in _sections(site) if section.is_collection)


def _address(site: Site, kind: Kind, path: str) -> str:
    if kind is Kind.ARTICLE:
        return "/blog/:year/:month/:day/:slug/"
    single_pages = {section.folder for section in _sections(site) if not section.is_collection}
    return "/:path/" if path in single_pages else f"/{path.rpartition('/')[2]}/:path/"


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    for section in _sections(files.site):
        for path in files.documents_in(section.folder):
            yield from _rule(files, section, path)


def _rule(files: SiteFiles, section: _PluginFolder, path: str) -> Iterator[Hidden]:
    inner = path.removeprefix(f"{section.folder}/")
    front_matter = files.front_matter(path)
    if not first_match(inner, section.included):
        yield Hidden(path, f"only files that match {' or '.join(section.included)} are pages")
    elif glob := first_ignoring(inner, section.excluded):
        if section.excluded == _DEFAULT_EXCLUDES:
            yield Hidden(path, "a name in its path begins with _", "_*")
        else:
            yield Hidden(path, f"{glob} in exclude of {files.site.evidence}", exclude_pattern(glob, section.folder))
    elif flag(front_matter.get("draft")):
        yield Hidden(path, "draft: true", key="draft")
    elif flag(front_matter.get("unlisted")):
        yield Hidden(path, "unlisted: true (it has a page, but is in no list)")


DOCUSAURUS = GeneratorRules(
    generator=Generator.DOCUSAURUS,
    configs=scripts("docusaurus.config"),
    sources=_sources,
    reads_other_folders=False,
    hidden=_hidden,
    address=_address,
    asset_folders=("static",),
    root_folders=_root_folders,
    root_address=_root_address,
)
