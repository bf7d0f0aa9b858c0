"""Propose the addresses that entries had: the permalink pattern of the generator, and the keys with addresses."""

from collections.abc import Iterator, Mapping

from pydantic_core import PydanticCustomError

from ...errors import pluralize
from ...model import Kind
from ..collection_settings import DocumentSettings
from ..config import Config
from ..permalinks import FORMER_ADDRESS_KEYS, OWN_PERMALINK_KEYS, check_permalink
from ..unknown_keys import content_table
from .config_merge import ProposedSetting
from .key_survey import Survey
from .recognise import Generator, Site

_ENDING = ":title:output_ext"
# Jekyll's names for patterns; without a setting, it uses `date`.
_JEKYLL_STYLES = {
    "": f"/:categories/:year/:month/:day/{_ENDING}",
    "date": f"/:categories/:year/:month/:day/{_ENDING}",
    "pretty": "/:categories/:year/:month/:day/:title/",
    "ordinal": f"/:categories/:year/:y_day/{_ENDING}",
    "weekdate": f"/:categories/:year/W:week/:short_day/{_ENDING}",
    "none": f"/:categories/{_ENDING}",
}


def propose_addresses(site: Site, config: Config, surveys: Mapping[Kind, Survey]) -> Iterator[ProposedSetting]:
    """Yield the pattern of the addresses of articles and pages, and the keys whose values are former addresses.

    A collection whose config has one of these settings gets neither.
    """
    for kind, survey in surveys.items():
        collection = config.content[kind]
        if not isinstance(collection, DocumentSettings) or collection.address_keys or collection.permalink:
            continue
        pattern = _pattern(site, kind, collection.path)
        if pattern and _is_allowed(pattern):
            yield ProposedSetting(content_table(kind), "permalink", pattern)
        keys = [key for key in (*OWN_PERMALINK_KEYS, *FORMER_ADDRESS_KEYS) if key in survey.keys]
        for key in keys:
            comment = pluralize(len(survey.keys[key].entries), "file")
            yield ProposedSetting(content_table(kind), "former_addresses", key, comment=comment, is_item=True)


def _pattern(site: Site, kind: Kind, path: str) -> str:
    """Return the pattern of the addresses that the generator gives the files in a folder (`path`); "" if unknown."""
    if kind not in (Kind.ARTICLE, Kind.PAGE):
        return ""
    if site.generator is Generator.JEKYLL and kind is Kind.ARTICLE:
        pattern = site.text("permalink")
        return _JEKYLL_STYLES.get(pattern, pattern)
    if site.generator is Generator.HUGO:
        return _hugo_pattern(site, path.rpartition("/")[2])
    if site.generator is Generator.ELEVENTY and "{" not in path:
        folder = path.removeprefix(f"{site.text('input').strip('./') or 'src'}/")
        return f"/{folder}/:path/"
    if site.generator is Generator.DOCUSAURUS:
        return "/blog/:year/:month/:day/:slug/" if kind is Kind.ARTICLE else "/docs/:path/"
    return ""


def _hugo_pattern(site: Site, section: str) -> str:
    patterns = site.settings.get("permalinks")
    if isinstance(patterns, dict) and isinstance(patterns.get("page"), dict):
        patterns = patterns["page"]  # as in newer releases of Hugo
    pattern = patterns.get(section) if isinstance(patterns, dict) else None
    return pattern if isinstance(pattern, str) else "/:sections/:slugorfilename/"


def _is_allowed(pattern: str) -> bool:
    try:
        check_permalink(pattern)
    except PydanticCustomError:
        return False
    return True
