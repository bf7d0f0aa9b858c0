"""Recognise the generator of a repository by its config file, also in a folder such as `website`."""

import os
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import Path

from pydantic import ValidationError

from ...content.config.config_tables import SiteSettings
from .generators.astro import ASTRO, STARLIGHT
from .generators.docusaurus import DOCUSAURUS
from .generators.eleventy import ELEVENTY
from .generators.generated_site import Generator, Site, read_site
from .generators.generator_rules import PLAIN, GeneratorRules
from .generators.hexo import HEXO
from .generators.hugo import HUGO
from .generators.jekyll import JEKYLL
from .generators.lektor import LEKTOR
from .generators.obsidian import OBSIDIAN
from .generators.pelican import PELICAN
from .generators.vitepress import VITEPRESS
from .generators.zola import ZOLA
from .proposed_settings import ProposedSetting
from .repository_tree import RepositoryTree

# A generator whose config others have too is after them, unless `applies` tells them apart.
_GENERATORS = (
    *(DOCUSAURUS, STARLIGHT, ASTRO, VITEPRESS, ELEVENTY, ZOLA),
    *(HUGO, PELICAN, LEKTOR, HEXO, JEKYLL, OBSIDIAN),
)
_RULES: Mapping[Generator, GeneratorRules] = {rules.generator: rules for rules in (*_GENERATORS, PLAIN)}
_SITE_FOLDERS = ("", "website", "docs", "site")  # of a repository: those that often contain the site
_PACKAGES = "packages"  # a folder of folders with a site each


def rules_of(generator: Generator) -> GeneratorRules:
    """Return what is known of a generator."""
    return _RULES.get(generator, PLAIN)


def recognise(root: Path, tree: RepositoryTree) -> Site:
    """Return the generator of a repository; `Generator.PLAIN` if there is none that is known."""
    for base in (*_SITE_FOLDERS, *(f"{_PACKAGES}/{name}" for name in tree.folders_in(_PACKAGES))):
        for rules in _GENERATORS:
            for path in _configs(root, tree, rules, base):
                site = read_site(root, rules.generator, path, base)
                if rules.applies(site, tree):
                    return site
    if any("/_posts/" in f"/{file}" for file in tree.files):
        return Site(Generator.JEKYLL, "_posts")
    return Site(Generator.PLAIN)


def _configs(root: Path, tree: RepositoryTree, rules: GeneratorRules, base: str) -> Iterator[str]:
    """Yield the paths in a folder that may show a generator, the most reliable one first."""
    for name in rules.configs:
        path = f"{base}/{name}" if base else name
        if "*" in name:
            yield from (
                file for file in tree.files_in(base) if file.count("/") == path.count("/") and fnmatchcase(file, path)
            )
        elif os.path.lexists(root / path):
            yield path


def propose_site(site: Site, default_name: str) -> Iterator[ProposedSetting]:
    """Yield the name and the time zone that the generator's config says, if they are allowed."""
    name, timezone = site.title or default_name, site.text("timezone", "timeZone")
    # A site without a name is not valid.
    for key, settings in (("name", {"name": name}), ("timezone", {"name": default_name, "timezone": timezone})):
        try:
            SiteSettings.from_values(settings)
        except ValidationError:
            continue
        yield ProposedSetting("site", key, settings[key])
