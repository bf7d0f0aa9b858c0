"""Propose a pattern for the slugs of listings of which several have the same name, such as `{name}-{city}`."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from pydantic_core import PydanticCustomError

from ...content.config.config import Config
from ...content.config.unknown_keys import content_table
from ...content.files.slug_pattern import DEFAULT_PATTERN, check_field_pattern, slug_of_fields
from ...content.files.source_file import ContentRoot
from ...content.folder.entry_reader import EntryReader
from ...content.folder.scan import ContentFile
from ...errors import Problem
from ...model import RECORDS, Kind
from .key_evidence import is_short_text
from .proposed_settings import Ask, ProposedSetting, Question

_MIN_FILLED = 0.9  # of the listings: so many must have a value of the field
_MAX_CHOICES = 3

Values = Mapping[str, Any]


def propose_listing_slug(
    folder: Path,
    config: Config,
    files: Iterable[ContentFile],
    problems: Iterable[Problem],
    custom_fields: Collection[str],
    ask: Ask,
) -> Iterator[ProposedSetting]:
    """Yield the pattern that leaves the fewest equal slugs, if several listings without a URL have the same name.

    Of the fields with the fewest, the best one has the fewest different values, such as a country or a city.
    """
    has_duplicates = any(it.code == "duplicate-identity" and it.kind == Kind.LISTING for it in problems)
    if not has_duplicates or config.content[Kind.LISTING].slug_pattern != DEFAULT_PATTERN:
        return
    listings = [*_listings(folder, config, files)]
    duplicates = _count_duplicates(listings, DEFAULT_PATTERN)
    fields = _fields(listings, {*RECORDS[Kind.LISTING].rules(), *custom_fields})
    patterns = (f"{{name}}-{{{field}}}" for field in fields)
    counts = {pattern: _count_duplicates(listings, pattern) for pattern in patterns}
    fewest = min(counts.values(), default=duplicates)
    if fewest >= duplicates:
        return
    best = [pattern for pattern, count in counts.items() if count == fewest][:_MAX_CHOICES]
    verb = "has" if duplicates == 1 else "have"
    text = f"{Kind.LISTING.counted(duplicates)} {verb} the name of another one. What are their addresses made of?"
    answer = ask(Question(text, (*best, DEFAULT_PATTERN), best[0]))
    if answer != DEFAULT_PATTERN:
        yield ProposedSetting(content_table(Kind.LISTING), "slug", answer)


def _listings(folder: Path, config: Config, files: Iterable[ContentFile]) -> Iterator[Values]:
    """Yield the values of each listing, with the names of fields."""
    reader = EntryReader(config)
    with ContentRoot(folder) as root:
        for file in files:
            if file.kind is Kind.LISTING:
                yield from (draft.values for draft in reader.read_unvalidated(file, root))


def _fields(listings: Sequence[Values], known: Set[str]) -> list[str]:
    """Return the fields that a slug may be made of, those with the fewest different values first."""
    values: dict[str, Counter[str]] = {}
    for listing in listings:
        for name in (listing.keys() & known) - {"name"}:
            value = listing[name]
            first = next(iter(value), None) if isinstance(value, list) else value
            if isinstance(first, str) and first.strip():
                values.setdefault(name, Counter())[first.strip()] += 1
    found = [
        name
        for name, texts in values.items()
        if texts.total() >= _MIN_FILLED * len(listings) and all(map(is_short_text, texts)) and _is_allowed(name)
    ]
    return sorted(found, key=lambda name: (len(values[name]), name))


def _is_allowed(field: str) -> bool:
    try:
        check_field_pattern(f"{{name}}-{{{field}}}")
    except PydanticCustomError:
        return False
    return True


def _count_duplicates(listings: Iterable[Values], pattern: str) -> int:
    """Return how many listings have the same slug as an earlier one.

    Without a pattern, the service makes the slugs of listings with a URL, which all differ.
    """
    slugs: Counter[str] = Counter()
    for values in listings:
        slug = values.get("slug")
        if isinstance(slug, str) and slug:
            slugs[slug] += 1
        elif pattern != DEFAULT_PATTERN or not values.get("url"):
            slugs[slug_of_fields(pattern, values)] += 1
    del slugs[""]
    return slugs.total() - len(slugs)
