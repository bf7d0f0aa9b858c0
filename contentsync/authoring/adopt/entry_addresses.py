"""Propose settings for the addresses of entries: those that they had on the other site, and patterns of slugs."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from urllib.parse import urlsplit

from pydantic_core import PydanticCustomError

from ...content.config.collection_settings import DocumentSettings
from ...content.config.permalinks import FORMER_ADDRESS_KEYS, OWN_PERMALINK_KEYS, addresses_in, check_permalink
from ...content.config.unknown_keys import content_table
from ...content.files.file_names import is_below
from ...content.folder.scan import ContentFile
from ...errors import pluralize
from ...lazy_pattern import lazy_pattern
from ...model import Kind
from .adopted_folder import AdoptedFolder
from .generators.generated_site import Site
from .key_survey import KeyUse, Survey
from .proposed_settings import ProposedSetting
from .recognise import rules_of

_MIN_SHARE = 0.5  # of the values of a key: so many are addresses, or the key has none
_LIKE_ADDRESS = lazy_pattern(r"/|\.html?\Z")  # Obsidian has other names of a note in `aliases`


def propose_addresses(adopted: AdoptedFolder, surveys: Mapping[Kind, Survey]) -> Iterator[ProposedSetting]:
    """Yield the pattern of the addresses that articles and pages had, and the keys whose values are former addresses.

    A collection whose config has one of these settings gets neither.
    """
    site, config = adopted.site, adopted.config
    for kind, survey in surveys.items():
        collection = config.content[kind]
        if not isinstance(collection, DocumentSettings) or collection.address_keys or collection.permalink:
            continue
        pattern = _pattern(site, kind, collection.paths, adopted.scanned.files)
        if pattern and _is_allowed(pattern):
            yield ProposedSetting(content_table(kind), "permalink", pattern)
        known = [key for key in (*OWN_PERMALINK_KEYS, *FORMER_ADDRESS_KEYS) if key in survey.keys]
        keys = [key for key in known if _has_addresses(key, survey.keys[key], site)]
        if pattern and not keys and not survey.keys.keys().isdisjoint(FORMER_ADDRESS_KEYS):
            # With a permalink, these keys would be read although their values are no addresses.
            yield ProposedSetting(content_table(kind), "former_addresses", [])
        for key in keys:
            comment = pluralize(len(survey.keys[key].entries), "file")
            yield ProposedSetting(content_table(kind), "former_addresses", key, comment=comment, is_item=True)


def _has_addresses(key: str, use: KeyUse, site: Site) -> bool:
    """Return whether at least half of a key's values are addresses of the site, and not links or other names."""
    host = _host(site.address)
    count = 0
    for value, uses in use.values.items():
        addresses = addresses_in(key, value) or []
        is_of_other_site = host is not None and any(_host(address) not in (None, host) for address in addresses)
        count += uses * (not is_of_other_site and any(map(_LIKE_ADDRESS.search, addresses)))
    return count > 0 and count >= _MIN_SHARE * use.values.total()


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def _pattern(site: Site, kind: Kind, paths: Sequence[str], files: Sequence[ContentFile]) -> str:
    """Return the pattern of the addresses that the generator gives the files in these folders; "" if unknown.

    Patterns that begin with the names of the folders are one pattern. Of several, take the one of the most files.
    """
    if kind not in (Kind.ARTICLE, Kind.PAGE):
        return ""
    patterns = [rules_of(site.generator).address(site, kind, path) for path in paths]
    patterns = [f"/{pattern.lstrip('/')}" if pattern else "" for pattern in patterns]  # generators allow `:year/:title`
    if len({*patterns}) > 1:
        names = (path.rpartition("/")[2] for path in paths)
        patterns = [
            pattern.replace(f"/{name}/", "/:collection/", 1) for pattern, name in zip(patterns, names, strict=True)
        ]
    counts: Counter[str] = Counter()
    for pattern, path in zip(patterns, paths, strict=True):
        counts[pattern] += sum(is_below(file.path, path) for file in files)
    return counts.most_common(1)[0][0]


def _is_allowed(pattern: str) -> bool:
    """Return whether a pattern of another generator is one that the setting for permalinks accepts."""
    try:
        check_permalink(pattern)
    except PydanticCustomError:
        return False
    return True
