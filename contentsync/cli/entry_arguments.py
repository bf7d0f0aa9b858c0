"""The arguments of a command that name an entry: a path, KIND/KEY, or a kind and a key as two words."""

from collections.abc import Sequence
from pathlib import Path

from ..errors import UsageError


def split_entry(words: Sequence[str], usage: str, *, others: int = 0) -> tuple[str, list[str], Path | None]:
    """Return the name of an entry, exactly `others` words, and the content folder if it is named.

    After a kind, such as `page`, the next word is the key; the name is then `page/about`. A file with the name of a
    kind is a file. Raise UsageError, with the right usage, for too few or too many words.
    """
    # Imported here, because `--help` does not need the rules of all kinds.
    from ..model.entry import find_kind, parse_kind

    first, *rest = words
    if rest and find_kind(first) and not Path(first).is_file():
        first, rest = f"{first}/{rest[0]}", rest[1:]
    if len(rest) > others + 1 and not any(mark in first for mark in "/."):
        parse_kind(first)
    if not others <= len(rest) <= others + 1:
        problem = "there are too many words" if len(rest) > others else "a word is missing"
        raise UsageError(problem, f"write contentsync {usage}")
    return first, rest[:others], Path(rest[others]) if rest[others:] else None
