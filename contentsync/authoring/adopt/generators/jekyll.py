"""Jekyll: https://jekyllrb.com/docs."""

from collections.abc import Iterator

from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, in_folders


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    """Yield every `_posts`, and the collections of the site's config."""
    yield from (ContentSource(folder, Kind.ARTICLE) for folder in tree.folders_named("_posts", site.base))
    declared = site.settings.get("collections")
    names = [name for name in declared if isinstance(name, str)] if isinstance(declared, list | dict) else []
    base = site.text("collections_dir")
    for name in ("pages", *names):
        folder = f"{base}/_{name}" if base else f"_{name}"
        yield ContentSource(site.path(folder), Kind.PAGE if name == "pages" else None)
    yield ContentSource(site.path("pages"), Kind.PAGE)


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    yield from in_folders(files, "_drafts", "_includes", "_layouts", "_sass")


JEKYLL = GeneratorRules(
    generator=Generator.JEKYLL,
    configs=("_config.yml", "_config.yaml"),
    sources=_sources,
    has_top_pages=True,
    hidden=_hidden,
    asset_folders=("",),
)
