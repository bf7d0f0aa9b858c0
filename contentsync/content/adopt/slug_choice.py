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
    """Yield the pattern that makes the most equal slugs of a kind differ, of those with a value for every entry."""
    equal = Counter(problem.kind for problem in problems if problem.code == "duplicate-identity")
    for kind, collection in config.content.items():
        if equal[kind.value] and isinstance(collection, DocumentSettings) and collection.slug == DEFAULT_PATTERN:
            sources = [*_sources(folder, config, kind, files)]
            left = {pattern: _equal(sources, pattern) for pattern in _PATTERNS}
            now = _equal(sources, DEFAULT_PATTERN)
            fewest = min((count for count in left.values() if count is not None), default=now)
            fitting = tuple(pattern for pattern, count in left.items() if count == fewest)
            if fewest is not None and now is not None and fewest < now:
                verb = "has" if now == 1 else "have"
                text = f"{kind.counted(now)} {verb} the name of another one. What are their addresses made of?"
                answer = ask(Question(text, (*fitting, DEFAULT_PATTERN), fitting[0])) if fitting else DEFAULT_PATTERN
                if answer != DEFAULT_PATTERN:
                    yield ProposedSetting(content_table(kind), "slug", answer)


def _sources(folder: Path, config: Config, kind: Kind, files: Iterable[ContentFile]) -> Iterator[SlugSource | str]:
    """Yield what the slug of each entry is made from, or the slug that its author wrote."""
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


def _equal(sources: Iterable[SlugSource | str], pattern: str) -> int | None:
    """Return how many entries have a slug that an entry before them has; None if an entry has no slug."""
    slugs = Counter(source if isinstance(source, str) else source.make(pattern) for source in sources)
    return None if slugs[""] else slugs.total() - len(slugs)
