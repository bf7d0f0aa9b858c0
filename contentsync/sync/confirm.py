"""Read what the server has, and confirm that what a list lacks is gone (docs/evidence.md 1).

One wrong answer must not delete, double or overwrite anything: an entry that the base knows and a list lacks is asked
for by its id before it counts as gone.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from ..errors import ServerError
from ..model import RECORDS, Entry, Kind
from ..remote import ProgressCallback, Remote, with_referred_kinds
from .comparing.base import Applied, Base
from .comparing.referring import renamed

SAMPLE = 20  # entries of a kind that are asked for by id; where more are missing, as many of them

# What a service may leave out of its lists although it has it.
_SHOWN = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}


async def read_confirmed(
    remote: Remote,
    kinds: Collection[Kind],
    locales: Sequence[str],
    on_progress: ProgressCallback,
    base: Callable[[Sequence[Entry]], Base],
) -> tuple[list[Entry], Base]:
    """Return every entry of the kinds and of those they refer to, and the base that `base` makes of them.

    Raise ServerError where a list lacks entries that the server has, and does so again when it is read once more.
    """
    doubted: set[Kind] = set()
    while True:
        actual = await remote.fetch(kinds, locales, on_progress)
        applied = base(actual)
        missing = _missing(applied.values(), actual, with_referred_kinds(kinds))
        hidden: list[Entry] = []
        wrong: dict[Kind, Entry] = {}
        for kind, lines in missing.items():
            found = await _answering(remote, [line for line in lines if line.id is not None])
            if found and not any(_is_shown(entry) for entry in found):
                found = [_without_texts(entry, locales) for entry in found]
                remote.reveal(kind, found)
                hidden += found
            elif found:
                wrong[kind] = found[0]
            elif kind not in doubted and any(line.id is None for line in lines):
                wrong[kind] = Entry(kind, lines[0].key, {})  # a commit knows no ids: only a second list can confirm it
        if not wrong:
            if hidden:
                actual = _with_hidden(actual, hidden)
                applied = base(actual)
            return actual, applied
        for kind, entry in wrong.items():
            if kind in doubted:
                message = f"the server's list of {kind.plural} lacks {entry.key}, which the server has"
                raise ServerError(message, "nothing was written: run again later, or ask whoever runs the server")
            remote.distrust(kind)
        doubted |= wrong.keys()


def _missing(
    lines: Collection[Applied], actual: Sequence[Entry], kinds: Collection[Kind]
) -> Mapping[Kind, list[Applied]]:
    """Return what was applied and no list shows, by kind."""
    ids = {(entry.kind, entry.id) for entry in actual}
    without_id = [line for line in lines if line.id is None]
    keys = {(entry.kind, entry.key) for entry in actual} if without_id else set()
    missing: dict[Kind, list[Applied]] = defaultdict(list)
    for line in lines:
        is_there = line.identity in keys if line.id is None else (line.kind, line.id) in ids
        if line.kind in kinds and not is_there:
            missing[line.kind].append(line)
    return missing


async def _answering(remote: Remote, lines: Sequence[Applied]) -> list[Entry]:
    """Return the entries that answer by id, of a sample where many are missing.

    Where each of the sample is hidden from lists, all that are missing are asked for: those that answer are not gone.
    """
    count = min(SAMPLE, len(lines))
    sample = [lines[place * len(lines) // count] for place in range(count)]
    found = await _asked(remote, sample)
    if found and len(sample) < len(lines) and not any(_is_shown(entry) for entry in found):
        rest = {line.id: line for line in lines}.keys() - {line.id for line in sample}
        found += await _asked(remote, [line for line in lines if line.id in rest])
    return found


async def _asked(remote: Remote, lines: Iterable[Applied]) -> list[Entry]:
    answers = [await remote.get(line.kind, line.id) for line in lines if line.id is not None]
    return [entry for entry in answers if entry is not None]


def _without_texts(entry: Entry, locales: Sequence[str]) -> Entry:
    """Return an entry that was read alone: unless the service includes its translations, nothing is known of them."""
    if "translations" in entry.fields or not RECORDS[entry.kind].translated:
        return entry
    return replace(entry, unknown=entry.unknown | {f"translations.{locale}" for locale in locales})


def _is_shown(entry: Entry) -> bool:
    return bool(entry.fields.get(_SHOWN.get(entry.kind, "is_active"), True))


def _with_hidden(actual: list[Entry], hidden: Sequence[Entry]) -> list[Entry]:
    """Return all entries; what refers to a hidden one names it by its key, and not by an id that no list explains."""
    called = {(entry.kind, f"#{entry.id}"): entry.key for entry in hidden}
    return [*(renamed(entry, called) for entry in actual), *hidden]
