"""Find the entries of a folder by addresses that they have, or had on another site (docs/content.md 6)."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..errors import Problem, Severity, Where
from ..model import EntryKey
from ..model.slug import normal_name
from .draft import FormerAddress

# An entry, the path of its file, its addresses by a pattern (only the first is certain), and those of the front matter.
EntryAddresses = tuple[EntryKey, str, Sequence[str], Sequence[FormerAddress]]

# A normal form with slashes around it, such as `/blog/uber-uns/`.
_NORMAL = re.compile(r"(?:/[a-z0-9]++(?:-[a-z0-9]++)*+)*+/?+\Z")
_PAGE_SUFFIXES = (".html", ".htm", ".md", ".markdown", ".php")


def normal_address(address: str) -> str:
    """Return the normal form of an address; two addresses lead to the same page if their normal forms are equal.

    It has no host, query, fragment or suffix, and each segment is a slug: `/Blog/Über%20uns.html` becomes
    `blog/uber-uns`. The home page is "", and so is an address that cannot be parsed.
    """
    if _NORMAL.match(address):
        return address.strip("/")
    if "://" in address[:8]:  # http:// or https://
        try:
            address = urlsplit(address).path
        except ValueError:
            return ""
    path = unquote(address.partition("#")[0].partition("?")[0])
    suffix = next((suffix for suffix in _PAGE_SUFFIXES if path.lower().endswith(suffix)), "")
    segments = [*map(normal_name, path[: len(path) - len(suffix)].split("/"))]
    if suffix and segments[-1] == "index":
        segments.pop()
    return "/".join(filter(None, segments))


class _Owner(NamedTuple):
    """An entry that had an address, and where the address is written. The smallest owner is the one that links mean."""

    is_possible: bool  # one of several addresses that a permalink may mean; it is never reported
    path: str
    line: int
    column: int
    entry: EntryKey


class AddressIndex:
    """The former addresses of entries. Of several entries with the same address, the first by path has it."""

    def __init__(self, entries: Iterable[EntryAddresses] = ()) -> None:
        self._owners: dict[str, _Owner] = {}  # by normal form
        self._others: list[tuple[str, _Owner]] = []  # normal forms, and further owners of them
        for entry, path, permalinks, former_addresses in entries:
            for index, address in enumerate(permalinks):  # not written in the file; the first one is the most probable
                owner = _Owner(is_possible=index > 0, path=path, line=1, column=1, entry=entry)
                self._add(normal_address(address), owner)
            for address, written_in, line, column in former_addresses:
                owner = _Owner(is_possible=False, path=written_in, line=line, column=column, entry=entry)
                self._add(normal_address(address), owner)

    def _add(self, normal: str, owner: _Owner) -> None:
        """Record an owner of an address in normal form. Only the smallest one has it, in any order of the calls."""
        present = self._owners.setdefault(normal, owner)
        if present is not owner:
            self._owners[normal], other = sorted((present, owner))
            self._others.append((normal, other))

    def __bool__(self) -> bool:
        return bool(self._owners)

    def find(self, address: str) -> EntryKey | None:
        """Return the entry that had an address, in any spelling."""
        owner = self._owners.get(normal_address(address))
        return owner.entry if owner else None

    @cached_property
    def by_last_segment(self) -> Mapping[str, str]:
        """An address by its last segment."""
        return {normal.rpartition("/")[2]: f"/{normal}/" for normal in sorted(self._owners) if normal}

    def problems(self, present: Callable[[str], tuple[EntryKey, str] | None]) -> Iterator[Problem]:
        """Yield a warning for each former address that two entries had, or that another entry has now.

        `present` returns the entry that has an address now, with the path of its file; None if no entry has it.
        """
        for normal, owner in self._others:
            first = self._owners[normal]
            if first.entry != owner.entry and not owner.is_possible:
                message = f"the former address /{normal}/ is also that of {first.path}, line {first.line}"
                hint = "links to it lead to that entry; correct one of them, or make the permalink more specific"
                yield _problem(owner, message, hint)
        for normal, owner in self._owners.items():
            entry, path = present(f"/{normal}") or (owner.entry, "")  # no other entry has it
            if entry != owner.entry and not owner.is_possible:
                message = f"the former address /{normal}/ is the present address of {path}"
                hint = "links to it lead to that entry; remove the former address, or change a slug"
                yield _problem(owner, message, hint)


def _problem(owner: _Owner, message: str, hint: str) -> Problem:
    where, (kind, key) = Where(owner.path, owner.line, owner.column), owner.entry
    return Problem("same-address", message, where, hint, Severity.WARNING, kind.value, key)
