"""Hugo: https://gohugo.io/documentation."""

from collections.abc import Iterator

from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles

CONFIGS = ("hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json")
# Other programs have configs of these names too, so Hugo's content folder must exist.
_AMBIGUOUS = ("config.toml", "config.yaml", "config.yml", "config.json")
_FOLDER = "config/_default"


def _applies(site: Site, tree: RepositoryTree) -> bool:
    return site.evidence.rpartition("/")[2] in CONFIGS or tree.has_folder(_content(site))


def _content(site: Site) -> str:
    return site.path(site.text("contentDir") or "content")


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    yield ContentSource(_content(site), Kind.PAGE, has_sections=True)


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    for path in files.tree.files_in(_content(files.site)):
        name = path.rpartition("/")[2]
        if name.partition(".")[0] == "_index":
            yield Hidden(path, "it is the page of a section, which lists its entries", name)


HUGO = GeneratorRules(
    generator=Generator.HUGO,
    configs=(*CONFIGS, *_AMBIGUOUS, *(f"{_FOLDER}/{name}" for name in (*CONFIGS, *_AMBIGUOUS))),
    applies=_applies,
    sources=_sources,
    reads_other_folders=False,
    hidden=_hidden,
    asset_folders=("static", "assets"),
)
