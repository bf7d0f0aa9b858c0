"""Set the keys of entries, and find entries with the same identity (docs/content.md 2)."""

import re
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from typing import NamedTuple

from ..errors import Problem, Where
from ..model import RECORDS, Kind, PlainScalar, make_key
from ..model.slug import make_slug
from ..model.urls import url_fault, url_key
from .draft import Draft
from .file_names import FileName
from .invisible_characters import confusing_characters_in

_BY_FILE_NAME = (Kind.PAGE, Kind.ARTICLE, Kind.ORGANIZER)
_UNPADDED = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})-(.+)")


def identify(draft: Draft, name: FileName | None = None) -> None:
    """Set the draft's key, and the fields that are made from the title or `name`, the name of a file with one entry."""
    values, record = draft.values, RECORDS[draft.kind]
    key_field = record.key_field
    if values.get(key_field) is None:
        values.pop(key_field, None)
    if draft.kind is Kind.LISTING:
        _identify_listing(draft)
        return
    if key_field not in values and key_field not in draft.failed_fields:
        made_key = make_slug(name.stem) if name else _slug_or_name(draft)
        if name and (confusing := confusing_characters_in(name.stem)):
            message = f"no slug can be made from the file name: {confusing}"
            draft.fail(key_field, "bad-slug", message, draft.where(), "set slug, or rename the file")
        elif made_key:
            values[key_field] = made_key
            if name and draft.kind is Kind.ARTICLE and not name.date:
                _warn_of_unpadded_date(draft, name)
        elif name:
            message = "no slug can be made from the file name"
            draft.error("no-slug", message, draft.where(), "set slug, or rename the file")
    draft.key = _text(draft, key_field)
    if name and name.date and draft.kind is Kind.ARTICLE and "published_at" not in values.keys() | draft.failed_fields:
        try:
            date.fromisoformat(name.date)
        except ValueError:
            message = f"the file name starts with {name.date}, a date that does not exist"
            draft.fail("published_at", "bad-date", message, draft.where(), "rename the file, or set published_at")
        else:
            values["published_at"] = PlainScalar(name.date)


def _warn_of_unpadded_date(draft: Draft, name: FileName) -> None:
    """Warn of a date without leading zeros at the start of a file name, which Jekyll would read as a date."""
    if parts := _UNPADDED.match(name.stem):
        year, month, day, rest = parts.groups()
        message = "the file name starts with a date without leading zeros, which is read as part of the slug"
        hint = f"rename it to {year}-{month:0>2}-{day:0>2}-{rest}"
        draft.warn("unpadded-date", message, draft.where(), hint)


def identities_of(draft: Draft) -> list[tuple[str, str]]:
    """Return the (name, value) of each identity of an entry. No other entry of the kind may have an equal one."""
    if draft.kind is not Kind.LISTING:
        return [(RECORDS[draft.kind].key_field, draft.key)] if draft.key else []
    if draft.key == _slug_or_name(draft):
        identities = [("slug", "" if draft.values.get("url") else draft.key)]
    else:
        # A slug made by the service is not an identity: it appends a number to one that exists (docs/contract.md 14).
        identities = [("url", draft.key), ("slug", _text(draft, "slug"))]
    return [(name, value) for name, value in identities if value]


def _duplicate_problems(draft: Draft, first: dict[tuple[Kind, str, str], Where]) -> list[Problem]:
    """Return a problem for each identity of an entry that is in `first`; add the other ones with their locations."""
    problems: list[Problem] = []
    title = "" if draft.kind in _BY_FILE_NAME else RECORDS[draft.kind].title_field
    for name, value in identities_of(draft):
        where = draft.where(name if name in draft.value_locations else title)  # an identity may be made from the title
        other = first.setdefault((draft.kind, name, value), where)
        if other is not where:
            kind = draft.kind.value.replace("_", " ")
            message = f"another {kind} already has the {name} '{value}': {other.path}, line {other.line}"
            hint = f"delete one of them, or give this one a different {name}"
            problems.append(
                Problem("duplicate-identity", message, where, hint, kind=draft.kind.value, key=draft.key or None)
            )
    return problems


def _identify_listing(draft: Draft) -> None:
    url = _text(draft, "url")
    if url and url_fault(url) is None:
        draft.key = url_key(url)
        return
    key = _slug_or_name(draft)
    draft.key = key
    if key and not draft.values.get("url") and not {"url", "slug"} & draft.failed_fields:
        draft.values.setdefault("slug", key)


def _slug_or_name(draft: Draft) -> str:
    """Return the slug or name that the author has set, or one made from the title; "" if that is not possible."""
    record = RECORDS[draft.kind]
    texts = {name: _text(draft, name) for name in (record.key_field, record.title_field)}
    return "" if draft.failed_fields & texts.keys() else make_key(draft.kind, texts)


def _text(draft: Draft, name: str) -> str:
    value = draft.values.get(name)
    return str(value) if isinstance(value, str) else ""


_BUCKETS = 64
_ENTRIES = 1 << 32  # more than a unit can contain


class EntryRef(NamedTuple):
    """A reference to an entry: the number of its unit, and the number of the entry in the unit, both from 0."""

    unit: int
    entry: int


class IdentityIndex:
    """Finds duplicate identities. It stores only hashes; entries with equal hashes, which are rare, are read again.

    Storing 100,000 identities as objects would use more memory than a table of a million rows may.
    """

    def __init__(self) -> None:
        self._hashes = [array("q") for _ in range(_BUCKETS)]
        self._refs = [array("Q") for _ in range(_BUCKETS)]

    def add(self, kind: Kind, name: str, value: str, ref: EntryRef) -> None:
        """Add an identity of an entry."""
        digest = hash((kind, name, value))
        self._hashes[digest % _BUCKETS].append(digest)
        self._refs[digest % _BUCKETS].append(ref.unit * _ENTRIES + ref.entry)

    def add_documents(self, kind: Kind, name: str, values: Mapping[int, str]) -> None:
        """Add an identity of the only entry of each unit, by unit number. Faster than calling `add` for each."""
        hashes, refs = self._hashes, self._refs
        for unit, value in values.items():
            digest = hash((kind, name, value))
            hashes[digest % _BUCKETS].append(digest)
            refs[digest % _BUCKETS].append(unit * _ENTRIES)

    def find_duplicates(self, read: Callable[[int], Iterable[Draft]]) -> Iterator[tuple[EntryRef, Problem]]:
        """Yield each entry with the same identity as an earlier entry, and the problem, in the order of their files.

        `read` reads the entries of a unit (a file with its translations) again.
        """
        suspects = set(self._entries_with_equal_hashes())
        first: dict[tuple[Kind, str, str], Where] = {}
        for unit in sorted({unit for unit, _ in suspects}):
            for number, draft in enumerate(read(unit)):
                problems = _duplicate_problems(draft, first) if (unit, number) in suspects else []
                if problems:
                    yield EntryRef(unit, number), problems[0]

    def _entries_with_equal_hashes(self) -> Iterator[tuple[int, int]]:
        for hashes, refs in zip(self._hashes, self._refs, strict=True):
            if len(set(hashes)) == len(hashes):
                continue
            repeated = {digest for digest, times in Counter(hashes).items() if times > 1}
            for digest, ref in zip(hashes, refs, strict=True):
                if digest in repeated:
                    yield divmod(ref, _ENTRIES)
