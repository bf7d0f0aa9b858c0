"""Propose settings for the addresses of entries: those that they had on the other site, and patterns of slugs."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit

from pydantic_core import PydanticCustomError

from ...content.config.collection_settings import DocumentSettings
from ...content.config.config import Config
from ...content.config.permalinks import FORMER_ADDRESS_KEYS, OWN_PERMALINK_KEYS, addresses_in, check_permalink
from ...content.config.unknown_keys import content_table
from ...content.files.slug_pattern import DEFAULT_PATTERN, SlugSource
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import ContentFile
from ...content.folder.translations import document_name
from ...errors import Problem, pluralize
from ...model import Kind
from .generators.generated_site import Site
from .key_survey import KeyUse, Survey
from .proposed_settings import Ask, ProposedSetting, Question
from .recognise import rules_of

_SLUG_PATTERNS = ("{parent}-{name}", "{path}", "{year}-{name}", "{year}-{month}-{name}", "{year}-{month}-{day}-{name}")
_MIN_SHARE = 0.5  # of the values of a key: so many are addresses, or the key has none
_LIKE_ADDRESS = re.compile(r"/|\.html?\Z")  # Obsidian has other names of a note in `aliases`


def propose_addresses(site: Site, config: Config, surveys: Mapping[Kind, Survey]) -> Iterator[ProposedSetting]:
    """Yield the pattern of the addresses that articles and pages had, and the keys whose values are former addresses.

    A collection whose config has one of these settings gets neither.
    """
    for kind, survey in surveys.items():
        collection = config.content[kind]
        if not isinstance(collection, DocumentSettings) or collection.address_keys or collection.permalink:
            continue
        pattern = _pattern(site, kind, collection.paths)
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


def _pattern(site: Site, kind: Kind, paths: Sequence[str]) -> str:
    """Return the pattern of the addresses that the generator gives the files in these folders; "" if unknown.

    Patterns that begin with the names of the folders are one pattern. Of several, take the one of the most folders.
    """
    if kind not in (Kind.ARTICLE, Kind.PAGE):
        return ""
    patterns = [rules_of(site.generator).address(site, kind, path) for path in paths]
    if len({*patterns}) > 1:
        names = (path.rpartition("/")[2] for path in paths)
        patterns = [
            pattern.replace(f"/{name}/", "/:collection/", 1) for pattern, name in zip(patterns, names, strict=True)
        ]
    return Counter(patterns).most_common(1)[0][0]


def _is_allowed(pattern: str) -> bool:
    """Return whether a pattern of another generator is one that the setting for permalinks accepts."""
    try:
        check_permalink(pattern)
    except PydanticCustomError:
        return False
    return True


def propose_slugs(
    folder: Path, config: Config, files: Iterable[ContentFile], problems: Iterable[Problem], ask: Ask
) -> Iterator[ProposedSetting]:
    """Yield, for each kind with equal slugs, the pattern that leaves the fewest and makes a slug for every entry.

    Several files of such a kind have the same name (docs/content.md 2).
    """
    kinds = {problem.kind for problem in problems if problem.code == "duplicate-identity"}
    for kind, collection in config.content.items():
        if kind not in kinds or not isinstance(collection, DocumentSettings) or collection.slug != DEFAULT_PATTERN:
            continue
        sources = [*_sources(folder, config, kind, files)]
        duplicates = _count_duplicates(sources, DEFAULT_PATTERN)
        # None for a pattern that makes no slug for some entry.
        counts = {pattern: _count_duplicates(sources, pattern) for pattern in _SLUG_PATTERNS}
        fewest = min((count for count in counts.values() if count is not None), default=None)
        if duplicates is None or fewest is None or fewest >= duplicates:
            continue
        best = tuple(pattern for pattern, count in counts.items() if count == fewest)
        verb = "has" if duplicates == 1 else "have"
        text = f"{kind.counted(duplicates)} {verb} the name of another one. What are their addresses made of?"
        answer = ask(Question(text, (*best, DEFAULT_PATTERN), best[0]))
        if answer != DEFAULT_PATTERN:
            yield ProposedSetting(content_table(kind), "slug", answer)


def _sources(folder: Path, config: Config, kind: Kind, files: Iterable[ContentFile]) -> Iterator[SlugSource | str]:
    """Yield the source of the slug of each entry; the slug itself (a text) if its author wrote one."""
    layouts = config.layouts()
    reader = EntryReader(config)
    with ContentRoot(folder) as root:
        for file in files:
            name = document_name(file, layouts) if file.kind is kind else None
            if name is None or (name.locale and not layouts[kind].reads_orphans_as_entries):
                continue
            for draft in reader.read_unvalidated(file, root):
                slug = draft.values.get("slug")
                yield slug if isinstance(slug, str) else SlugSource(name, draft.values.get("published_at"))


def _count_duplicates(sources: Iterable[SlugSource | str], pattern: str) -> int | None:
    """Return how many entries have the same slug as an earlier one; None if the pattern makes no slug for an entry."""
    slugs = Counter(source if isinstance(source, str) else source.make(pattern) for source in sources)
    return None if slugs[""] else slugs.total() - len(slugs)
