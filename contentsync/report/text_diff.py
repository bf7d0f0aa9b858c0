"""The difference of two texts, for people: lines that are new or gone, and the words that differ in the others.

The form is that of `git diff --word-diff`: `We open on [-Monday-]{+Tuesday+}`.
"""

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

from ..value_text import WIDTH, printable, value_pair

if TYPE_CHECKING:
    from ..sync import FieldChange

CHANGED = "~"  # begins a line of which some words differ
GAP = "…"

_CONTEXT = 12  # words, spaces and signs that are shown before and after different words
_MAX_WORDS = 2_000  # of a line whose words are compared
_MIN_SIMILARITY = 0.5  # of lines whose words are compared
_WORD = re.compile(r"\s+|\w+|[^\w\s]")


def diff_of_texts(before: str, after: str) -> Iterator[str]:
    """Yield the lines of the difference, each after its sign: `+`, `-`, CHANGED, or a space for an equal one.

    Between two places of the text, yield GAP.
    """
    old, new = before.splitlines(), after.splitlines()
    for number, group in enumerate(SequenceMatcher(None, old, new).get_grouped_opcodes(1)):
        if number:
            yield GAP
        for tag, old_start, old_end, new_start, new_end in group:
            if tag == "equal":
                yield from (f" {printable(line)}" for line in old[old_start:old_end])
            else:
                yield from _replaced(old[old_start:old_end], new[new_start:new_end])


def _replaced(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    """Yield the lines of a part that differs. Lines are compared word by word if there are as many on both sides."""
    pairs = [*zip(old, new, strict=True)] if len(old) == len(new) else []
    words = [_changed_words(*pair) for pair in pairs]
    if words and all(words):
        yield from (f"{CHANGED}{printable(line)}" for line in words)
        return
    yield from (f"-{printable(line)}" for line in old)
    yield from (f"+{printable(line)}" for line in new)


def _changed_words(before: str, after: str) -> str:
    """Return a line with the words that are gone and new; "" if the lines are not similar."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    if max(len(old), len(new)) > _MAX_WORDS:
        return ""
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    if matcher.ratio() < _MIN_SIMILARITY:
        return ""
    codes = matcher.get_opcodes()
    parts = []
    for number, (tag, old_start, old_end, new_start, new_end) in enumerate(codes):
        gone, added = "".join(old[old_start:old_end]), "".join(new[new_start:new_end])
        if tag == "equal":
            parts.append(_shortened(old[old_start:old_end], is_first=not number, is_last=number == len(codes) - 1))
        else:
            parts.append((f"[-{gone}-]" if gone else "") + (f"{{+{added}+}}" if added else ""))
    return "".join(parts)


def _shortened(words: Sequence[str], *, is_first: bool, is_last: bool) -> str:
    """Return equal words; if they are many, only those beside the different ones."""
    head = 0 if is_first else _CONTEXT
    tail = 0 if is_last else _CONTEXT
    if len(words) <= head + tail + 1:
        return "".join(words)
    return f"{''.join(words[:head])}…{''.join(words[len(words) - tail :])}"


def is_long(field: "FieldChange") -> bool:
    """Return whether a field has a text of several lines, which is shown as a diff."""
    if not all(value is None or isinstance(value, str) for value in field):
        return False
    return any("\n" in (value or "").strip() for value in field)


def field_lines(field: "FieldChange", width: int | None = WIDTH) -> list[str]:
    """Return the lines of a field: `diff_of_texts` of a long text, else the old and the new value, as `value_pair`."""
    if is_long(field):
        return [*diff_of_texts(*((value or "").strip() for value in field))]
    before, after = value_pair(field, width)
    return [f"- {before}", f"+ {after}"]
