"""Zola: https://www.getzola.org/documentation, with its rules for drafts, `render` and ignored files."""

from collections.abc import Iterator
from fnmatch import fnmatchcase

from ....lazy_pattern import lazy_pattern
from ....model import Kind
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag, with_path

_CONTENT = "content"
_SECTION = "_index."
_CHOICE = lazy_pattern(r"\{([^{}]*)\}")


def _applies(site: Site, tree: RepositoryTree) -> bool:
    # Hugo's config may have the same name; it spells this key `baseURL`.
    return "base_url" in site.settings and tree.has_folder(site.path(_CONTENT))


def _root_folders(site: Site) -> Iterator[str]:
    yield site.path("static")


def _root_address(site: Site) -> str:
    return with_path(site.text("base_url"), "")


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    yield ContentSource(site.path(_CONTENT), Kind.PAGE, has_sections=True)


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    documents = [*files.documents(_CONTENT)]
    sections = [path for path in documents if path.rpartition("/")[2].startswith(_SECTION)]
    drafts = [path.rpartition("/")[0] for path in sections if flag(files.front_matter(path).get("draft"))]
    listed = files.site.settings.get("ignored_content")
    ignored = [text for text in listed if isinstance(text, str)] if isinstance(listed, list) else []
    for path in documents:
        name = path.rpartition("/")[2]
        section = next((folder for folder in drafts if path.startswith(f"{folder}/")), "")
        pattern = next((text for text in ignored if _matches(f"/{path}", text)), "")
        values = files.front_matter(path)
        if section:
            yield Hidden(path, f"draft = true in the section {section}", section)
        elif name.startswith(_SECTION):
            yield Hidden(path, "it is the page of a section, which lists its entries", name)
        elif pattern:
            yield Hidden(path, f"ignored_content has {pattern}")
        elif flag(values.get("draft")):
            yield Hidden(path, "draft = true", key="draft")
        elif flag(values.get("render")) is False:
            yield Hidden(path, "render = false")


def _matches(path: str, pattern: str) -> bool:
    """Return whether a glob matches the path; `*` also matches slashes, and `{a,b}` is one of its texts."""
    choice = _CHOICE.search(pattern)
    if choice is None:
        return fnmatchcase(path, pattern)
    before, after = pattern[: choice.start()], pattern[choice.end() :]
    return any(_matches(path, f"{before}{text}{after}") for text in choice[1].split(","))


ZOLA = GeneratorRules(
    generator=Generator.ZOLA,
    configs=("zola.toml", "config.toml"),
    applies=_applies,
    sources=_sources,
    reads_other_folders=False,
    hidden=_hidden,
    asset_folders=("static",),
    nested_keys={"taxonomies.categories": "categories", "taxonomies.tags": "categories"},
    root_folders=_root_folders,
    root_address=_root_address,
)
