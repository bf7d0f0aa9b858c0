"""Propose a slug pattern for a collection in which several files have the same name (docs/content.md 2)."""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...errors import Problem
from ...model import Kind
from ..collection_settings import DocumentSettings
from ..config import Config
from ..entry_reader import EntryReader
from ..scan import ContentFile
from ..slug_pattern import DEFAULT_PATTERN, SlugSource
from ..source_file import ContentRoot
from ..translations import document_name
from ..unknown_keys import content_table
from .config_merge import ProposedSetting
from .questions import Ask, Question

_PATTERNS = ("{parent}-{name}", "{path}", "{year}-{name}", "{year}-{month}-{name}", "{year}-{month}-{day}-{name}")


def propose_slugs(
    folder: Path, config: Config, files: Iterable[ContentFile], problems: Iterable[Problem], ask: Ask
) -> Iterator[ProposedSetting]:
    """Yield, for each kind with equal slugs, the pattern that leaves the fewest and makes a slug for every entry."""
    kinds = {problem.kind for problem in problems if problem.code == "duplicate-identity"}
    for kind, collection in config.content.items():
        if kind not in kinds or not isinstance(collection, DocumentSettings) or collection.slug != DEFAULT_PATTERN:
            continue
        sources = [*_sources(folder, config, kind, files)]
        duplicates = _count_duplicates(sources, DEFAULT_PATTERN)
        # None for a pattern that makes no slug for some entry.
        counts = {pattern: _count_duplicates(sources, pattern) for pattern in _PATTERNS}
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
            if name is None or (name.locale and not layouts[kind].separate):
                continue
            for draft in reader.read_unvalidated(file, root):
                slug = draft.values.get("slug")
                yield slug if isinstance(slug, str) else SlugSource(name, draft.values.get("published_at"))


def _count_duplicates(sources: Iterable[SlugSource | str], pattern: str) -> int | None:
    """Return how many entries have the same slug as an earlier one; None if the pattern makes no slug for an entry."""
    slugs = Counter(source if isinstance(source, str) else source.make(pattern) for source in sources)
    return None if slugs[""] else slugs.total() - len(slugs)
