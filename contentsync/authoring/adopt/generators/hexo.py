"""Hexo: https://hexo.io/docs/configuration."""

import json
from collections.abc import Iterator
from datetime import UTC
from typing import Any

from ....model import Kind
from ....model.scalar import parse_instant
from ..repository_tree import RepositoryTree
from .generated_site import Generator, Site
from .generator_rules import ContentSource, GeneratorRules, Hidden, SiteFiles, flag, with_path
from .globs import exclude_pattern, first_match

_POSTS, _DRAFTS = "_posts/", "_drafts/"


def _applies(site: Site, tree: RepositoryTree) -> bool:
    """Return whether Hexo is one of the packages of the site: Jekyll's config has the same name."""
    try:
        package = json.loads(site.read("package.json"))
    except (ValueError, RecursionError):
        return False
    lists = [package.get(name) for name in ("dependencies", "devDependencies")] if isinstance(package, dict) else []
    return tree.has_folder(_source(site)) and any(
        "hexo" in packages for packages in lists if isinstance(packages, dict)
    )


def _source(site: Site) -> str:
    return site.path(site.text("source_dir") or "source")


def _root_folders(site: Site) -> Iterator[str]:
    if not flag(site.settings.get("post_asset_folder")):  # with it, pictures are beside their posts, at their addresses
        yield _source(site)


def _root_address(site: Site) -> str:
    return with_path(site.text("url"), site.text("root"))


def _sources(site: Site, tree: RepositoryTree) -> Iterator[ContentSource]:
    yield ContentSource(f"{_source(site)}/_posts", Kind.ARTICLE)
    yield ContentSource(_source(site), Kind.PAGE)


def _address(site: Site, kind: Kind, path: str) -> str:
    pattern = site.text("permalink").lstrip("/") or ":year/:month/:day/:title/"
    return pattern if kind is Kind.ARTICLE else ""


def _hidden(files: SiteFiles) -> Iterator[Hidden]:
    source = _source(files.site)
    for path in files.documents_in(source):
        inner = path.removeprefix(f"{source}/")
        hidden = _rule_of_config(files.site, path, inner)
        if hidden:
            yield hidden
        elif flag(files.site.settings.get("future")) is False and _is_future(files, path):
            yield Hidden(path, f"its date is in the future, and future is false in {files.site.evidence}", key="date")
        elif inner.startswith(_POSTS) and flag(files.front_matter(path).get("published")) is False:
            yield Hidden(path, "published: false", key="published")


def _rule_of_config(site: Site, path: str, inner: str) -> Hidden | None:
    """Return the rule for the path of a document, which is `inner` in the folder of the sources."""
    settings, source = site.settings, _source(site)
    if inner.startswith(_DRAFTS):
        are_rendered = flag(settings.get("render_drafts"))
        return None if are_rendered else Hidden(path, "it is a draft", f"{source}/_drafts")
    is_post = inner.startswith(_POSTS)
    included = _globs(settings.get("include"))
    name = next((name for name in inner.removeprefix(_POSTS).split("/") if name.startswith("_")), "")
    if name and (is_post or not first_match(inner, included)):
        return Hidden(path, f"{name} begins with _", "" if included and not is_post else "_*")
    for setting in ("skip_render",) if is_post else ("exclude", "skip_render"):
        if glob := first_match(inner, _globs(settings.get(setting))):
            return Hidden(path, f"{glob} in {setting} of {site.evidence}", exclude_pattern(glob, source))
    if glob := first_match(f"/{path}", _globs(settings.get("ignore"))):
        return Hidden(path, f"{glob} in ignore of {site.evidence}")
    return None


def _globs(value: Any) -> list[str]:
    """Return the globs of a setting, which is a text or a list."""
    return [glob for glob in (value if isinstance(value, list) else [value]) if isinstance(glob, str) and glob]


def _is_future(files: SiteFiles, path: str) -> bool:
    try:
        return parse_instant(str(files.front_matter(path).get("date")), UTC) > files.now
    except ValueError:  # without a date, Hexo takes that of the file
        return False


HEXO = GeneratorRules(
    generator=Generator.HEXO,
    configs=("_config.yml", "_config.yaml"),
    applies=_applies,
    sources=_sources,
    reads_other_folders=False,
    hidden=_hidden,
    address=_address,
    asset_folders=("source",),
    root_folders=_root_folders,
    root_address=_root_address,
)
