"""Propose to read a title or an order from inside an object, such as `eleventyNavigation.key`."""

from collections import Counter
from collections.abc import Iterator, Mapping

from ...content.config.unknown_keys import content_table
from ...content.files.file_names import DOCUMENT_SUFFIXES, suffix_of
from ...content.formats.draft import Draft, value_at
from ...model import RECORDS, Kind
from .adopted_folder import AdoptedFolder
from .proposed_settings import ProposedSetting
from .recognise import rules_of

_MIN_FILES = 2


def propose_nested_keys(adopted: AdoptedFolder) -> Iterator[ProposedSetting]:
    """Yield a rename for each path of keys whose field no file with it has, of those that the generator has.

    A file with both would have two values for one field, which is an error.
    """
    nested_keys = rules_of(adopted.site.generator).nested_keys
    counts: Counter[tuple[Kind, str]] = Counter()
    with_both: set[tuple[Kind, str]] = set()
    for draft in adopted.drafts(*Kind) if nested_keys else ():
        found: set[str] = set()  # the fields that the file has by an earlier path
        for path, field in _paths_in(draft, nested_keys) if suffix_of(draft.path) in DOCUMENT_SUFFIXES else ():
            counts[draft.kind, path] += 1
            if field in draft.values or field in found:
                with_both.add((draft.kind, path))
            found.add(field)
    for (kind, path), count in counts.items():
        if count >= _MIN_FILES and (kind, path) not in with_both:
            field = _field(kind, nested_keys[path])
            yield ProposedSetting(content_table(kind), "rename", field, path, f"{kind.counted(count)}")


def _paths_in(draft: Draft, nested_keys: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the paths with a text or a list in an entry, and the field of its kind that each means."""
    for path, meaning in nested_keys.items():
        field = _field(draft.kind, meaning)
        value = value_at(draft.values, path.split("."))
        if field in RECORDS[draft.kind].rules() and isinstance(value, str | list) and value:
            yield path, field


def _field(kind: Kind, meaning: str) -> str:
    """Return the field of a kind: its own title field for a title."""
    return RECORDS[kind].title_field if meaning == "title" else meaning
