"""Propose patterns for the slugs of entries of which several have the same name (docs/content.md 2)."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from typing import Any

from pydantic_core import PydanticCustomError

from ...content.config.collection_settings import DocumentSettings
from ...content.config.unknown_keys import content_table
from ...content.files.slug_pattern import DEFAULT_PATTERN, SlugSource, check_field_pattern, slug_of_fields
from ...content.folder.scan import ContentFile
from ...content.folder.translations import document_name
from ...model import RECORDS, Kind
from .adopted_folder import AdoptedFolder, Trial
from .key_evidence import is_short_text
from .proposed_settings import ProposedSetting, Question

_FILE_PATTERNS = ("{parent}-{name}", "{path}", "{year}-{name}", "{year}-{month}-{name}", "{year}-{month}-{day}-{name}")
_MIN_FILLED = 0.9  # of the listings: so many must have a value of a field in the pattern
_MAX_CHOICES = 3  # fields of listings

Values = Mapping[str, Any]
Count = Callable[[str], int | None]  # from a pattern: how many slugs are equal to an earlier one; None if one is empty


def propose_slugs(adopted: AdoptedFolder, trial: Trial) -> Iterator[ProposedSetting]:
    """Yield, for each kind with equal slugs, the pattern that leaves the fewest and makes a slug for every entry."""
    kinds = {problem.kind for problem in trial.report.problems if problem.code == "duplicate-identity"}
    for kind, collection in adopted.config.content.items():
        if kind not in kinds or collection.slug_pattern != DEFAULT_PATTERN:
            continue
        if isinstance(collection, DocumentSettings):
            patterns: Sequence[str] = _FILE_PATTERNS
            count = _counter_of_documents(adopted, kind)
        elif kind is Kind.LISTING:
            listings = [draft.values for draft in adopted.drafts(kind)]
            fields = _fields(listings, {*RECORDS[kind].rules(), *trial.definitions.get(kind, ())})
            patterns = [f"{{name}}-{{{field}}}" for field in fields]
            count = _counter_of_listings(listings)
        else:
            continue
        yield from _chosen(adopted, kind, patterns, count)


def _chosen(adopted: AdoptedFolder, kind: Kind, patterns: Sequence[str], count: Count) -> Iterator[ProposedSetting]:
    """Yield the pattern with the fewest equal slugs that the user chooses, the first one by default."""
    duplicates = count(DEFAULT_PATTERN)
    counts = {pattern: number for pattern in patterns if (number := count(pattern)) is not None}
    fewest = min(counts.values(), default=None)
    if duplicates is None or fewest is None or fewest >= duplicates:
        return
    best = [pattern for pattern, number in counts.items() if number == fewest]
    choices = best[:_MAX_CHOICES] if kind is Kind.LISTING else best
    verb = "has" if duplicates == 1 else "have"
    text = f"{kind.counted(duplicates)} {verb} the name of another one. What are their addresses made of?"
    answer = adopted.ask(Question(text, (*choices, DEFAULT_PATTERN), choices[0]))
    if answer != DEFAULT_PATTERN:
        yield ProposedSetting(content_table(kind), "slug", answer)


def _counter_of_documents(adopted: AdoptedFolder, kind: Kind) -> Count:
    """Return the function that counts the equal slugs of documents, which are made of the paths of their files."""
    layouts = adopted.config.layouts()
    sources: list[SlugSource | str] = []  # a text is a slug that an author wrote
    for draft in adopted.drafts(kind):
        name = document_name(ContentFile.at(kind, draft.path), layouts)
        if name and (not name.locale or layouts[kind].reads_orphans_as_entries):
            slug = draft.values.get("slug")
            sources.append(slug if isinstance(slug, str) else SlugSource(name, draft.values.get("published_at")))

    def count(pattern: str) -> int | None:
        slugs = Counter(source if isinstance(source, str) else source.make(pattern) for source in sources)
        return None if slugs[""] else slugs.total() - len(slugs)

    return count


def _counter_of_listings(listings: Collection[Values]) -> Count:
    """Return the function that counts the equal slugs of listings.

    Without a pattern, the service makes the slugs of listings with a URL, which all differ.
    """

    def count(pattern: str) -> int:
        slugs: Counter[str] = Counter()
        for values in listings:
            slug = values.get("slug")
            if isinstance(slug, str) and slug:
                slugs[slug] += 1
            elif pattern != DEFAULT_PATTERN or not values.get("url"):
                slugs[slug_of_fields(pattern, values)] += 1
        del slugs[""]
        return slugs.total() - len(slugs)

    return count


def _fields(listings: Collection[Values], known: Set[str]) -> list[str]:
    """Return the fields that a slug may be made of, those with the fewest different values first, such as a city."""
    values: dict[str, Counter[str]] = {}
    for listing in listings:
        for name in (listing.keys() & known) - {"name"}:
            value = listing[name]
            first = next(iter(value), None) if isinstance(value, list) else value
            if isinstance(first, str) and first.strip():
                values.setdefault(name, Counter())[first.strip()] += 1
    found = [name for name, texts in values.items() if _may_be_in_slug(name, texts, len(listings))]
    return sorted(found, key=lambda name: (len(values[name]), name))


def _may_be_in_slug(name: str, texts: Counter[str], listings: int) -> bool:
    return texts.total() >= _MIN_FILLED * listings and all(map(is_short_text, texts)) and _is_allowed(name)


def _is_allowed(field: str) -> bool:
    try:
        check_field_pattern(f"{{name}}-{{{field}}}")
    except PydanticCustomError:
        return False
    return True
