"""Docusaurus: https://docusaurus.io/docs."""

from collections.abc import Iterator

from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, scripts


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    yield ContentSource(site.path("docs"), Kind.PAGE)
    yield ContentSource(site.path("blog"), Kind.ARTICLE)


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    for path in files.documents():
        name = path.rpartition("/")[2]
        if name.startswith("_"):
            yield Hidden(path, "its name begins with _", name)


DOCUSAURUS = GeneratorRules(
    generator=Generator.DOCUSAURUS,
    configs=scripts("docusaurus.config"),
    sources=_sources,
    reads_other_folders=False,
    hidden=_hidden,
    asset_folders=("static",),
)
