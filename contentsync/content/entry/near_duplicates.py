"""Find listings whose URLs are nearly equal, and the notes that silence such pairs (docs/content.md 2)."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from ...errors import Problem, Severity, Where
from ...model import Kind
from ...model.urls import near_url_key
from ..formats.draft import Draft


class _ComparedListing(NamedTuple):
    key: str
    names: frozenset[str]  # by which a note can name it: its URL, and the slug if the folder has one
    where: Where
    distinct: Mapping[str, Where]  # the names in its note `sync.distinct`


class NearDuplicates:
    """Collects listings, and compares those with nearly equal URLs with each other."""

    def __init__(self) -> None:
        self._groups: dict[str, list[_ComparedListing]] = {}  # by the near key of their URLs

    def add(self, draft: Draft) -> None:
        """Add an entry, unless it is no listing. One that duplicates an earlier one must not be added."""
        if draft.kind is not Kind.LISTING:
            return
        names = frozenset({draft.key, str(draft.values.get("slug") or draft.key)})
        distinct = {name: draft.where(f"sync.distinct.{index}") for index, name in enumerate(draft.notes.distinct)}
        listing = _ComparedListing(draft.key, names, draft.where("url"), distinct)
        self._groups.setdefault(near_url_key(draft.key), []).append(listing)

    def problems(self, *, all_known: bool) -> Iterator[Problem]:
        """Yield a warning for each listing whose URL is nearly that of an earlier one, unless a note names the pair.

        If `all_known`, no listing is missing, so also yield a warning for each name in a note that silences nothing.
        """
        for group in self._groups.values():
            names = frozenset[str]().union(*(listing.names for listing in group))
            for number, listing in enumerate(group):
                earlier = (other for other in islice(group, number) if not _is_noted(listing, other))
                if other := next(earlier, None):  # one warning for each listing is enough
                    yield _near_duplicate(listing, other)
                if all_known:
                    unused = (name for name in listing.distinct if name in listing.names or name not in names)
                    yield from (_unused(listing, name) for name in unused)


def _is_noted(one: _ComparedListing, other: _ComparedListing) -> bool:
    """Return whether a note of one of the listings names the other."""
    return not (other.names.isdisjoint(one.distinct) and one.names.isdisjoint(other.distinct))


def _near_duplicate(listing: _ComparedListing, other: _ComparedListing) -> Problem:
    message = f"another listing has nearly the same URL, '{other.key}': {other.where.path}, line {other.where.line}"
    hint = f"merge them, or if they are different listings, add '{other.key}' to sync.distinct"
    return _warning("near-duplicate", message, listing, listing.where, hint)


def _unused(listing: _ComparedListing, name: str) -> Problem:
    message = f"sync.distinct names '{name}', which is neither URL nor slug of another listing with nearly the same URL"
    return _warning("unused-distinct", message, listing, listing.distinct[name], "remove it, or correct it")


def _warning(code: str, message: str, listing: _ComparedListing, where: Where, hint: str) -> Problem:
    return Problem(code, message, where, hint, Severity.WARNING, kind=Kind.LISTING.value, key=listing.key or None)
