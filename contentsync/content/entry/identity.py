"""Set the keys of entries, and find entries with the same identity, or nearly the same URL (docs/content.md 2)."""

from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from ...errors import Problem, Where
from ...lazy_pattern import lazy_pattern
from ...model import RECORDS, Kind, PlainScalar, make_key
from ...model.slug import make_slug
from ...model.urls import near_url_key, url_fault, url_key
from ..config.unknown_keys import content_table
from ..files.content_folder import CONFIG
from ..files.file_names import FileName
from ..files.slug_pattern import DATE_PARTS, DEFAULT_PATTERN, SlugSource, fields_of_pattern, slug_of_fields
from ..formats.draft import Draft
from .invisible_characters import confusing_characters_in
from .near_duplicates import NearDuplicates

NAMED_BY_FILE = (Kind.PAGE, Kind.ARTICLE, Kind.ORGANIZER)  # kinds whose slugs may be made from the names of files
_UNREAD_DATE = lazy_pattern(r"(\d{4})-(\d{1,2})-(\d{1,2})[-._ ]+([^-._ ].*)")


def identify(draft: Draft, name: FileName | None = None, slug_pattern: str = DEFAULT_PATTERN) -> None:
    """Set the draft's key, and the fields that are made from the title, or from `name` if the file has one entry.

    A pattern of listings makes the slug of their fields, which must have their names already.
    """
    values = draft.values
    record = RECORDS[draft.kind]
    key_field = record.key_field
    if values.get(key_field) is None:  # an empty value counts as missing
        values.pop(key_field, None)
    if draft.kind is Kind.LISTING:
        _identify_listing(draft, slug_pattern)
        return
    if key_field not in values and key_field not in draft.failed_fields:
        if name:
            _set_slug(draft, SlugSource(name, values.get("published_at")), slug_pattern)
        elif made_key := _slug_or_name(draft):
            values[key_field] = made_key
    draft.key = _text(draft, key_field)
    if name and draft.kind is Kind.ARTICLE:
        if name.date:
            _set_date(draft, name.date)
        elif draft.slug_source or "published_at" not in values:  # the slug has the unread date, or the entry has none
            _warn_of_unread_date(draft, name)


def _set_date(draft: Draft, date_of_name: str) -> None:
    """Set `published_at` to the date in a file's name, unless the file sets it; report a date that does not exist."""
    if "published_at" in draft.values or "published_at" in draft.failed_fields:
        return
    try:
        date.fromisoformat(date_of_name)
    except ValueError:
        origin = "file name starts with" if f"/{date_of_name}-" in f"/{draft.path}" else "path contains"
        message = f"the {origin} {date_of_name}, a date that does not exist"
        draft.fail("published_at", "bad-date", message, draft.where(), "rename the file, or set published_at")
    else:
        draft.values["published_at"] = PlainScalar(date_of_name)


def _set_slug(draft: Draft, source: SlugSource, pattern: str) -> None:
    """Set the slug that is made from the file name, or report why none can be made."""
    slug = source.make(pattern)
    missing = "" if slug else source.missing(pattern)  # the first placeholder without a value, if there is one
    may_be_confusing = not draft.path.isascii()
    names = source.names_used_by(pattern) if may_be_confusing else ()
    confusing = next(filter(None, map(confusing_characters_in, names)), "")
    if confusing:
        message = f"no slug can be made from the file name: {confusing}"
        draft.fail("slug", "bad-slug", message, draft.where(), "set slug, or rename the file")
    elif slug:
        draft.values["slug"] = slug
        draft.slug_source = source
    elif missing == "parent":
        message = f"no slug can be made by the pattern {pattern}: the file is not in a subfolder of the collection"
        draft.fail("slug", "no-slug", message, draft.where(), "set slug, or move the file into a folder")
    elif missing in DATE_PARTS and "published_at" in draft.failed_fields:
        draft.failed_fields.add("slug")  # without an error of its own: that of the date is the reason
    elif missing in DATE_PARTS:
        message = f"no slug can be made by the pattern {pattern}: the entry has no date"
        hint = "set slug or published_at, or put the date into the file name"
        draft.fail("slug", "no-slug", message, draft.where(), hint)
    else:
        message = "no slug can be made from the file name"
        draft.fail("slug", "no-slug", message, draft.where(), "set slug, or rename the file")


def _warn_of_unread_date(draft: Draft, name: FileName) -> None:
    """Warn of a date at the start of a file name that has no leading zeros, or no hyphen behind it."""
    if parts := _UNREAD_DATE.match(name.stem):
        year, month, day, rest_of_name = parts.groups()
        read_form = f"{year}-{month:0>2}-{day:0>2}-"
        message = f"the file name starts with a date that is not read, because it is not written as {read_form}"
        draft.warn("unread-date", message, draft.where(), f"rename it to {read_form}{rest_of_name}")


def identities_of(draft: Draft) -> list[tuple[str, str]]:
    """Return the (name, value) of each identity of an entry. No other entry of the kind may have an equal one."""
    if draft.kind is not Kind.LISTING:
        return [(RECORDS[draft.kind].key_field, draft.key)] if draft.key else []
    key_without_url = _slug_or_name(draft)
    if draft.key != key_without_url:  # so it was made from the URL
        # A slug made by the service is not an identity: it appends a number to one that exists (docs/contract.md 14).
        identities = [("url", draft.key), ("slug", _text(draft, "slug"))]
    elif draft.values.get("url"):
        identities = []  # the URL is faulty: its key is known only when it is corrected
    else:
        identities = [("slug", draft.key)]
    return [(name, value) for name, value in identities if value]


def plain_identities(url: str | None, slug: str | None, name: str) -> tuple[str, list[tuple[str, str]]]:
    """Return the key of a listing whose values have no problem, and the (name, value) of each identity.

    `url` and `slug` are None if the listing has none. Without a URL, the list is empty: then the key, which is the
    slug, is the only identity. The key is "" if no slug can be made from the name, even with a URL.
    """
    slug_key = str(slug) if slug else make_slug(name)
    if not url or not slug_key:
        return slug_key, []
    key = url_key(str(url))
    identities = [("url", key), ("slug", slug_key)] if slug else [("url", key)]
    return key, identities


def _duplicate_problems(draft: Draft, first_locations: dict[tuple[Kind, str, str], Where]) -> list[Problem]:
    """Return a problem for each identity that is in `first_locations`; add the others, by kind, name and value.

    For an entry with another one's identity, one problem is enough. Without one, return a problem for each value that
    is not unique, though a house rule demands it.
    """
    kind = draft.kind.value.replace("_", " ")
    key = draft.key or None
    title = "" if draft.kind in NAMED_BY_FILE else RECORDS[draft.kind].title_field
    problems: list[Problem] = []
    for name, value in identities_of(draft):
        where = draft.where(name if name in draft.value_locations else title)  # an identity may be made from the title
        other = first_locations.setdefault((draft.kind, name, value), where)
        if other is not where:  # it was there before
            message = f"another {kind} already has the {name} '{value}': {other.path}, line {other.line}"
            hint = f"delete one of them, or give this one a different {name}"
            problems.append(Problem("duplicate-identity", message, where, hint, kind=draft.kind.value, key=key))
    not_unique: list[Problem] = []
    for unique in draft.unique_values:
        where = draft.where(unique.field)
        other = first_locations.setdefault((draft.kind, unique.name, unique.value), where)
        if other is not where:
            message = unique.problem.message or f"another {kind} already has the {unique.field} '{unique.value}'"
            place = f"{other.path}, line {other.line}"
            problem = replace(unique.problem, message=f"{message}: {place}", where=where)
            not_unique.append(replace(problem, kind=draft.kind.value, key=key))
    return problems[:1] or not_unique


def _identify_listing(draft: Draft, slug_pattern: str) -> None:
    """Set the key of a listing: that of its URL; without a valid URL its slug, which may be made from the name.

    With a pattern, also a listing with a URL gets a slug here, and not from the service.
    """
    url = _text(draft, "url")
    if url and url_fault(url) is None:
        draft.key = url_key(url)
        if slug_pattern != DEFAULT_PATTERN and (slug := _listing_slug(draft, slug_pattern)):
            draft.values["slug"] = slug
        return
    key = _listing_slug(draft, slug_pattern)
    draft.key = key
    # The service makes the slug of a listing with a URL, so do not set one if the author has only mistyped the URL.
    if key and not draft.values.get("url") and not {"url", "slug"} & draft.failed_fields:
        draft.values.setdefault("slug", key)


def _listing_slug(draft: Draft, slug_pattern: str) -> str:
    """Return the slug that the author has set, or the one that the pattern makes; "" if that is not possible."""
    if slug_pattern == DEFAULT_PATTERN or _text(draft, "slug"):
        return _slug_or_name(draft)
    needed = {"slug", *fields_of_pattern(slug_pattern)}
    return "" if draft.failed_fields & needed else slug_of_fields(slug_pattern, draft.values)


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


# Patterns that are proposed for equal slugs. With the first one, every entry has a value for each placeholder.
_PATTERNS = ("{path}", "{year}-{month}-{day}-{name}")
_PROPOSED = ('locales = "folder"', *(f'slug = "{pattern}"' for pattern in _PATTERNS))


class SlugComparison:
    """Finds a setting that would make equal slugs differ: a slug pattern, or folders of languages."""

    def __init__(self, locales: Collection[str]) -> None:
        self._locales = locales
        self._entries: dict[Kind, list[tuple[str, tuple[str, ...]]]] = {}  # key, and key by each proposed setting

    def add(self, draft: Draft) -> None:
        """Add an entry of a kind with one entry per file. A slug that its author wrote is the same with any pattern."""
        if draft.kind in NAMED_BY_FILE:
            self._entries.setdefault(draft.kind, []).append((draft.key, self._keys(draft)))

    def _keys(self, draft: Draft) -> tuple[str, ...]:
        """Return the slug of an entry as each setting would make it: with language folders, then by each pattern."""
        source = draft.slug_source
        if source is None:
            return f"/{draft.key}", *(draft.key for _ in _PATTERNS)
        folder = next(iter(source.name.folders), "")
        language = folder if folder in self._locales else ""
        return f"{language}/{draft.key}", *(source.make(pattern) for pattern in _PATTERNS)

    def propose_setting(self, problem: Problem) -> Problem:
        """Return a problem of equal slugs; its hint names a setting if one makes all equal slugs of the kind differ."""
        setting = self._settings.get(problem.kind or "")
        if problem.kind is None or setting is None or problem.code != "duplicate-identity":
            return problem
        action = f"set {setting} under [{content_table(Kind(problem.kind))}] in {CONFIG}"
        return replace(problem, hint=f"delete one of them, give this one a different slug, or {action}")

    @cached_property
    def _settings(self) -> dict[str, str]:
        """The setting to propose for each kind: the first that gives all entries with equal slugs different ones."""
        settings: dict[str, str] = {}
        for kind, entries in self._entries.items():
            times = Counter(key for key, _ in entries)
            equal = [keys_by_setting for key, keys_by_setting in entries if times[key] > 1]
            for index, setting in enumerate(_PROPOSED):
                new_keys = [keys_by_setting[index] for keys_by_setting in equal]
                if new_keys and all(new_keys) and len(set(new_keys)) == len(new_keys):
                    settings.setdefault(kind, setting)
        return settings


class IdentityIndex:
    """Finds duplicate identities. It stores only hashes; entries with equal hashes, which are rare, are read again.

    Storing 100,000 identities as objects would use more memory than a table of a million rows may. The hash of a URL is
    that of its near key, so it also finds URLs that are nearly equal.
    """

    def __init__(self) -> None:
        self._hashes = [array("q") for _ in range(_BUCKETS)]
        self._refs = [array("Q") for _ in range(_BUCKETS)]
        self._noted: list[EntryRef] = []
        self.near_duplicates = NearDuplicates()

    def add_noted(self, ref: EntryRef) -> None:
        """Add an entry that names others with nearly the same URL."""
        self._noted.append(ref)

    def add(self, kind: Kind, name: str, value: str, ref: EntryRef) -> None:
        """Add an identity of an entry."""
        digest = hash((kind, name, near_url_key(value) if name == "url" else value))
        bucket = digest % _BUCKETS
        self._hashes[bucket].append(digest)
        self._refs[bucket].append(ref.unit * _ENTRIES + ref.entry)

    def add_documents(self, kind: Kind, name: str, values: Mapping[int, str]) -> None:
        """Add an identity of the only entry of each unit, by unit number. Faster than calling `add` for each."""
        hashes, refs = self._hashes, self._refs
        for unit, value in values.items():
            digest = hash((kind, name, value))
            hashes[digest % _BUCKETS].append(digest)
            refs[digest % _BUCKETS].append(unit * _ENTRIES)  # the reference of the unit's entry 0

    def unit_of(self, kind: Kind, name: str, value: str) -> int | None:
        """Return the number of the first unit with an entry that has an identity that is no URL, else None.

        An equal hash is taken for an equal value. Call it seldom: it compares a part of all hashes.
        """
        digest = hash((kind, name, value))
        try:
            index = self._hashes[digest % _BUCKETS].index(digest)
        except ValueError:
            return None
        return self._refs[digest % _BUCKETS][index] // _ENTRIES

    def find_duplicates(
        self, read: Callable[[int, Collection[int]], Iterable[Draft]], locales: Collection[str] = ()
    ) -> Iterator[tuple[EntryRef, Problem]]:
        """Yield each entry with an identity or a unique value of an earlier entry, and the problem, in their order.

        `read` gets the number of a unit (a file with its translations), and reads its entries with some numbers again.
        Add the listings among them without such a problem to `near_duplicates`.
        """
        suspects: dict[int, set[int]] = defaultdict(set)  # the numbers of entries by that of their unit
        for unit, number in chain(self._entries_with_equal_hashes(), self._noted):
            suspects[unit].add(number)
        first_locations: dict[tuple[Kind, str, str], Where] = {}
        duplicates: list[tuple[EntryRef, Problem]] = []
        slugs = SlugComparison(locales)
        for unit, numbers in sorted(suspects.items()):
            in_order = sorted(numbers)
            for number, draft in zip(in_order, read(unit, in_order), strict=False):  # the file may be shorter now
                slugs.add(draft)
                problems = _duplicate_problems(draft, first_locations)
                duplicates += ((EntryRef(unit, number), problem) for problem in problems)
                if all(problem.code != "duplicate-identity" for problem in problems):
                    self.near_duplicates.add(draft)
        yield from ((ref, slugs.propose_setting(problem)) for ref, problem in duplicates)

    def _entries_with_equal_hashes(self) -> Iterator[tuple[int, int]]:
        """Yield the unit number and the number in the unit of each entry whose hash another entry has too."""
        for hashes, refs in zip(self._hashes, self._refs, strict=True):
            if len(set(hashes)) == len(hashes):
                continue
            repeated = {digest for digest, times in Counter(hashes).items() if times > 1}
            for digest, ref in zip(hashes, refs, strict=True):
                if digest in repeated:
                    yield divmod(ref, _ENTRIES)
