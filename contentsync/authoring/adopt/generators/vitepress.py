"""VitePress: https://vitepress.dev/reference/site-config."""

import posixpath
from collections.abc import Iterator

from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, scripts, with_path
from .globs import exclude_pattern, first_ignoring
from .script_texts import first_text, is_plain, texts, texts_or_default, values, without_comments

_FOLDER = ".vitepress"


def _source(site: Site) -> str:
    """Return the folder of the pages; "" for the repository itself."""
    folder = first_text(without_comments(site.config_text), "srcDir")
    return posixpath.normpath(posixpath.join(site.base, folder)).removeprefix(".")


def _root_folders(site: Site) -> Iterator[str]:
    yield posixpath.join(_source(site), "public")


def _root_address(site: Site) -> str:
    """Return the host of the sitemap, to which the documentation says to append `base`; "" if it is not there."""
    script = without_comments(site.config_text)
    base = next(iter(texts_or_default(script, "base", "/")), None)
    hosts = (first_text(sitemap, "hostname") for sitemap in values(script, "sitemap"))
    return "" if base is None else with_path(next(hosts, ""), base)


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    if source := _source(site):
        yield ContentSource(source, Kind.PAGE)


def _excluded(site: Site) -> list[str]:
    return [glob for value in values(without_comments(site.config_text), "srcExclude") for glob in texts(value)]


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    source, globs = _source(files.site), _excluded(files.site)
    for path in files.documents():
        inner = path.removeprefix(f"{source}/") if source else path
        if source and inner == path:
            yield Hidden(path, f"it is not in {source}, which srcDir names")
        elif not path.endswith(".md"):
            yield Hidden(path, "only files that end with .md are pages")
        elif glob := first_ignoring(inner, globs):
            reason = f"{glob} in srcExclude of {files.site.evidence}"
            yield Hidden(path, reason, exclude_pattern(glob, source))
        elif "[" in inner and "]" in inner:
            yield Hidden(path, "a program fills a file with [ ] in its name")


def _notes(files: SiteFiles) -> Iterator[str]:
    script = without_comments(files.site.config_text)
    if not all(is_plain(value) for value in values(script, "srcExclude")):
        yield f"srcExclude in {files.site.evidence} is partly code, so adopt cannot know which pages it leaves out"


VITEPRESS = GeneratorRules(
    generator=Generator.VITEPRESS,
    configs=(*scripts(f"{_FOLDER}/config"), *scripts(f"{_FOLDER}/config/index")),
    sources=_sources,
    has_top_pages=True,
    hidden=_hidden,
    notes=_notes,
    asset_folders=("public",),
    nested_keys={"hero.name": "title"},
    root_folders=_root_folders,
    root_address=_root_address,
)
