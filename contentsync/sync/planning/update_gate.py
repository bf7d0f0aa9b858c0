"""The gate against mass updates: sorted columns, most of a kind replaced, moved addresses, lost letters.

docs/sync.md, Gates; docs/decisions/0029-gates-for-updates.md
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ...content.pictures.picture_fields import PICTURE_NAMES
from ...errors import pluralize
from ...lazy_pattern import lazy_pattern
from ...model import Entry, Kind
from .consents import NeededConsent
from .gates import check_consent
from .plan import Limits, Refusal
from .replaced_values import Update, is_moved_address

MIN_SORTED = 5  # from this number of exchanged values, a column may be sorted alone
MIN_MOVED = 5  # from this number of moved addresses, they need consent
MIN_LOST = 3  # from this number of entries with lost letters, they need consent

_MAX_EXAMPLES = 3
_EXAMPLE_LENGTH = 40  # of a value in an example
_DISTINCT = 4 / 5  # of the values of a column
_MAX_RANK = 6  # characters of a text without letters; longer ones may be phone numbers
_LETTER = lazy_pattern(r"[^\W\d_]")
_DATE = lazy_pattern(r"\d{4}-\d\d-\d\d")  # the start of a value; a time may follow

_WORD = lazy_pattern(r"[^\W\d_]{3,}")
_MAX_WORDS = 200  # of a text; later ones are not compared
_REPLACEMENT = "\ufffd"  # for bytes that are no letter
# Encodings in which programs misread UTF-8.
_MISREAD_IN = ("cp1252", "latin-1", "mac_roman", "cp850", "cp1251")


class _Value(NamedTuple):
    entry: Entry
    old: Any
    new: Any


def update_gate(
    updates: Sequence[Update],
    managed: Mapping[Kind, int],
    limits: Limits,
    source_limits: Mapping[str, Limits],
    allowed: int | None,
) -> Iterator[Refusal]:
    """Yield every reason to refuse the values that authors have replaced.

    `managed` counts the managed entries by kind. `source_limits` are the limits of the files that `fetch` writes.
    `allowed` is the number of entries with such values that the user consented to: exactly that many pass.
    """
    columns: dict[tuple[Kind, str], list[_Value]] = defaultdict(list)
    damaged: dict[str, str] = {}  # an example by entry
    for entry, replaced in updates:
        for name, (old, new) in replaced.items():
            value = _Value(entry, old, new)
            columns[entry.kind, name].append(value)
            if isinstance(old, str) and isinstance(new, str) and has_lost_letters(old, new):
                damaged.setdefault(str(entry), _example(name, value))
    messages = []
    counted: set[str] = set()  # the entries whose values need consent
    for (kind, name), values in columns.items():
        message, suspicious = _judge(kind, name, values, managed.get(kind, 0), limits, source_limits)
        if message:
            messages.append(message)
            counted.update(str(value.entry) for value in suspicious)
    if len(damaged) >= MIN_LOST:
        number = f"texts of {len(damaged)} entries would lose letters"
        messages.append(f"{number}, as if saved in another encoding: {_first([*damaged.values()])}")
        counted |= damaged.keys()
    if counted and allowed is not None:
        fact = f"values that need consent would be replaced in {pluralize(len(counted), 'entry', 'entries')}"
        yield from check_consent("updates", allowed, len(counted), fact)
        return
    yield from (Refusal("updates", message, NeededConsent("updates", len(counted))) for message in messages)


def _judge(
    kind: Kind,
    name: str,
    values: Sequence[_Value],
    managed: int,
    limits: Limits,
    source_limits: Mapping[str, Limits],
) -> tuple[str, Sequence[_Value]]:
    """Return why replaced values of a field need consent, and these values; "" if none does."""
    if _is_sorted_alone(values):
        number = f"{name} of {len(values)} {kind.plural}"
        return f"{number} would be exchanged, as if only this column was sorted: {_examples(name, values)}", values
    if is_moved_address(kind, name):
        moved = f"{name} of {len(values)} {kind.plural} would change, which moves their addresses"
        return (f"{moved}: {_examples(name, values)}", values) if len(values) >= MIN_MOVED else ("", ())
    for group, limit in _groups(values, limits, source_limits):
        count = _count(name, group)
        if count > limit.count and count * 100 > limit.percent * managed:
            share = f"{100 * count / managed:.0f} %; the limits are {limit.percent} % and {limit.count}"
            number = f"{name} of {count} of {managed} managed {kind.plural}"
            return f"{number} would be replaced ({share}): {_examples(name, group)}", group
    return "", ()


def _groups(
    values: Sequence[_Value], limits: Limits, source_limits: Mapping[str, Limits]
) -> Iterator[tuple[Sequence[_Value], Limits]]:
    """Yield the values of each file that `fetch` writes, and of all others, with their limits."""
    by_file: dict[str, list[_Value]] = defaultdict(list)
    for value in values:
        path = value.entry.source.path if value.entry.source else ""
        by_file[path if path in source_limits else ""].append(value)
    for path, group in by_file.items():
        yield group, source_limits.get(path, limits)


def _count(name: str, values: Sequence[_Value]) -> int:
    """Return the number of values; a picture that many entries show counts once, because it may have another name."""
    is_picture = name.rpartition(".")[2] in PICTURE_NAMES
    return len({(str(value.old), str(value.new)) for value in values}) if is_picture else len(values)


def _is_sorted_alone(values: Sequence[_Value]) -> bool:
    """Return whether most values are texts that other entries had before, as after one column was sorted."""
    texts = [value for value in values if _is_text(value.old) and _is_text(value.new)]
    old, new = ({value.old for value in texts}, {value.new for value in texts})
    exchanged = sum(value.new in old for value in texts)
    has_distinct_values = min(len(old), len(new)) >= _DISTINCT * len(texts)
    return exchanged >= max(MIN_SORTED, _DISTINCT * len(values)) and has_distinct_values


def _is_text(value: Any) -> bool:
    """Return whether a value is a text, but not a rank or a date: authors exchange those between entries on purpose."""
    if not isinstance(value, str):
        return False
    is_rank = len(value) <= _MAX_RANK and _LETTER.search(value) is None
    return not is_rank and _DATE.match(value) is None


def _examples(name: str, values: Sequence[_Value]) -> str:
    return _first([_example(name, value) for value in values[:_MAX_EXAMPLES]])


def _first(examples: Sequence[str]) -> str:
    return "; ".join(examples[:_MAX_EXAMPLES])


def _example(name: str, value: _Value) -> str:
    """Return an example such as `page about (title): 'Old' → 'New'`; long values begin at their difference."""
    old, new = str(value.old), str(value.new)
    same = next((place for place, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), 0)
    start = max(0, same - _EXAMPLE_LENGTH // 2) if max(len(old), len(new)) > _EXAMPLE_LENGTH else 0
    return f"{value.entry} ({name}): {_excerpt(old, start)} → {_excerpt(new, start)}"


def _excerpt(text: str, start: int) -> str:
    part = " ".join(text[start : start + _EXAMPLE_LENGTH].split())
    return f"'{'…' if start else ''}{part}{'…' if start + _EXAMPLE_LENGTH < len(text) else ''}'"


def has_lost_letters(old: str, new: str) -> bool:
    """Return whether a word of the old text has `?`, U+FFFD or mojibake in the new one in place of its letters."""
    if old.isascii():
        return False
    words = {word for word in _WORD.findall(old) if not word.isascii()}
    lost = [word for word in sorted(words)[:_MAX_WORDS] if word not in new]
    return any(re.search(_damaged(word), new) for word in lost)


def _damaged(word: str) -> str:
    """Return an expression for a word in which every letter outside ASCII is damaged."""
    letters = "".join(letter if letter.isascii() else f"(?:{_damage(letter)})" for letter in word)
    return rf"(?<![^\W_]){letters}(?![^\W_])"


@cache
def _damage(letter: str) -> str:
    """Return an expression for what programs make of a letter outside ASCII."""
    marks = "|".join(map(re.escape, ("?", *_misread(_REPLACEMENT), _REPLACEMENT)))
    return "|".join([f"(?:{marks}){{1,{len(letter.encode())}}}", *map(re.escape, _misread(letter))])


def _misread(letter: str) -> list[str]:
    """Return what programs read that take the UTF-8 of a letter for another encoding."""
    return sorted({letter.encode().decode(encoding, errors="replace") for encoding in _MISREAD_IN})
