"""Find the entries of a folder by their former addresses, and the redirects from these (docs/content.md 6)."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from ...errors import Problem, Severity, Where
from ...lazy_pattern import lazy_pattern
from ...model import Entry, EntryKey, Kind
from ...model.slug import is_slug, normal_name
from ..config.config_tables import SiteSettings
from ..formats.draft import FormerAddress

# An entry, the path of its file, its addresses by a pattern (only the first is certain), and those of the front matter.
EntryAddresses = tuple[EntryKey, str, Sequence[str], Sequence[FormerAddress]]

# A normal form with slashes around it, such as `/blog/uber-uns/`.
_NORMAL = lazy_pattern(r"(?:/[a-z0-9]++(?:-[a-z0-9]++)*+)*+/?+\Z")
_START = lazy_pattern(r"(?:\.{0,2}/)*+")
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


def former_addresses_of(entry: EntryAddresses) -> Iterator[str]:
    """Yield all former addresses of an entry, those by a pattern first."""
    _entry, _path, permalinks, former_addresses = entry
    yield from permalinks
    yield from (address for address, *_location in former_addresses)


class _AddressOwner(NamedTuple):
    """An entry that had an address, and where the address is written. The smallest owner is the one that links mean."""

    is_uncertain: bool  # by a permalink pattern that may also mean a more probable address; it is never reported
    path: str
    line: int
    column: int
    entry: EntryKey


class AddressIndex:
    """The former addresses of entries. Of several entries with the same address, the first by path has it."""

    def __init__(self, entries: Iterable[EntryAddresses] = ()) -> None:
        self._owners: dict[str, _AddressOwner] = {}  # by normal form
        self._others: list[tuple[str, _AddressOwner]] = []  # further owners, by normal form: `problems` reports them
        for entry, path, permalinks, former_addresses in entries:
            for index, address in enumerate(permalinks):  # the most probable one first; they are not in the file
                owner = _AddressOwner(is_uncertain=index > 0, path=path, line=1, column=1, entry=entry)
                self._add(normal_address(address), owner)
            for address, written_in, line, column in former_addresses:
                owner = _AddressOwner(is_uncertain=False, path=written_in, line=line, column=column, entry=entry)
                self._add(normal_address(address), owner)

    def _add(self, normal: str, owner: _AddressOwner) -> None:
        """Record an owner of an address in normal form. Only the smallest one has it, in any order of the calls.

        The others are recorded too, because `problems` reports them.
        """
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
            if first.entry != owner.entry and not owner.is_uncertain:
                message = f"the former address /{normal}/ is also that of {first.path}, line {first.line}"
                hint = "links to it lead to that entry; correct one of them, or make the permalink more specific"
                yield _problem(owner, message, hint)
        for normal, owner in self._owners.items():
            entry, path = present(f"/{normal}") or (owner.entry, "")  # no other entry has it
            if entry != owner.entry and not owner.is_uncertain:
                message = f"the former address /{normal}/ is the present address of {path}"
                hint = "links to it lead to that entry; remove the former address, or change a slug"
                yield _problem(owner, message, hint)


def _problem(owner: _AddressOwner, message: str, hint: str) -> Problem:
    where, (kind, key) = Where(owner.path, owner.line, owner.column), owner.entry
    return Problem("same-address", message, where, hint, Severity.WARNING, kind.value, key)


class Redirect(NamedTuple):
    """A former address and the present one: paths of unreserved characters and percent-encoded bytes (RFC 3986)."""

    former: str
    present: str


class Redirects(NamedTuple):
    """The redirects of a folder, sorted by former address, and the former addresses that paths cannot express."""

    found: Sequence[Redirect]
    with_query: Sequence[str]


def find_redirects(site: SiteSettings, entries: Sequence[Entry], addresses: Sequence[EntryAddresses]) -> Redirects:
    """Return the redirects from notes to the sync, and from `addresses`: those in files, and of permalink patterns.

    Each leads to a present address in one step. An address that an entry has now redirects nowhere, in upper or lower
    case, because some servers ignore case. If several entries had an address, it leads to the same one as links to it.
    """
    paths = {(entry.kind, entry.key): page_path(site, entry) for entry in entries}
    present = {entry_key: path for entry_key, path in paths.items() if path}
    owners = {normal_address(path): entry_key for entry_key, path in present.items()}
    present_paths = {_caseless(path) for path in present.values()}
    redirects: dict[str, Redirect] = {}
    with_query: dict[str, None] = {}  # addresses, each once and in order
    for entry_key, address in _former_addresses(entries, addresses, present):
        parts = urlsplit(_below_root(address))
        former = quote(unquote(parts.path), safe="/")
        caseless = _caseless(former)
        present_owner = owners.get(normal_address(former))
        is_of_other_entry = present_owner is not None and present_owner != entry_key
        is_home_page = caseless == ""
        if parts.query:
            with_query[address] = None
        elif not (is_home_page or is_of_other_entry or caseless in present_paths):
            redirects.setdefault(caseless, Redirect(former, present[entry_key]))
    return Redirects(sorted(redirects.values()), list(with_query))


def _former_addresses(
    entries: Iterable[Entry], addresses: Sequence[EntryAddresses], present: Mapping[EntryKey, str]
) -> Iterator[tuple[EntryKey, str]]:
    """Yield the former addresses of the entries that have a present one, those in notes first."""
    for entry in entries:
        path = present.get((entry.kind, entry.key))
        if path is None:
            continue
        prefix = path.removesuffix("/").rpartition("/")[0]
        for old_key in (*entry.notes.previous, *entry.notes.merged):
            if is_slug(old_key):  # the former key of a listing may be a URL
                yield (entry.kind, entry.key), f"{prefix}/{old_key}/"
    index = AddressIndex(addresses)
    for each in addresses:
        entry_key = each[0]
        for address in former_addresses_of(each):
            if entry_key in present and index.find(address) == entry_key:
                yield entry_key, address


def merged_slugs(entries: Iterable[Entry]) -> Iterator[tuple[Kind, str, str]]:
    """Yield each slug in `sync.merged` with the kind and the slug of the entry, as `find_redirects` uses them."""
    for entry in entries:
        slug = entry.fields.get("slug") or entry.key
        for old in entry.notes.merged:
            if is_slug(old) and is_slug(slug) and not entry.notes.skip:
                yield entry.kind, old, slug


def page_path(site: SiteSettings, entry: Entry) -> str:
    """Return the path of an entry's page, or "" if it has none or only the service knows it."""
    prefixes = {Kind.PAGE: "/pages", Kind.ARTICLE: "/blog", Kind.LISTING: "/listings", Kind.CATEGORY: "/categories"}
    if site.organizers.enabled:
        prefixes[Kind.ORGANIZER] = site.organizers.prefix
    slug = entry.fields.get("slug") or entry.key
    is_known = entry.kind in prefixes and not entry.notes.skip and isinstance(slug, str) and is_slug(slug)
    return f"{prefixes[entry.kind]}/{slug}/" if is_known else ""


def _below_root(address: str) -> str:
    """Return an address with one slash at its start: two would name a host, and `../old/` is relative in Hugo."""
    return address if "://" in address[:8] else _START.sub("/", address, count=1)


def _caseless(path: str) -> str:
    return unquote(path).strip("/").casefold()
