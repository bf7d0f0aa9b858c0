"""Find the redirects that a folder declares: from the former addresses of entries to the present ones."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from urllib.parse import quote, unquote, urlsplit

from ..model import Entry, EntryKey, Kind
from ..model.slug import is_slug
from .address_index import AddressIndex, normal_address
from .config import SiteSettings
from .load import Content


class Redirect(NamedTuple):
    """A former address and the present one: paths of unreserved characters and percent-encoded bytes (RFC 3986)."""

    former: str
    present: str


class Redirects(NamedTuple):
    """The redirects of a folder, sorted by former address, and the former addresses that paths cannot express."""

    found: Sequence[Redirect]
    with_query: Sequence[str]


def find_redirects(content: Content) -> Redirects:
    """Return the redirects from `sync.previous`, from former addresses in files, and from permalink patterns.

    Each leads to a present address in one step. An address that an entry has now redirects nowhere, in upper or lower
    case, because some servers ignore case. A former address of several entries leads where links to it lead.
    """
    paths = {(entry.kind, entry.key): page_path(content.config.site, entry) for entry in content.entries}
    present = {entry_key: path for entry_key, path in paths.items() if path}
    owners = {normal_address(path): entry_key for entry_key, path in present.items()}
    present_paths = {_comparable(path) for path in present.values()}
    redirects: dict[str, Redirect] = {}
    with_query: dict[str, None] = {}  # addresses, each once and in order
    for entry_key, address in _former_addresses(content, present):
        parts = urlsplit(_below_root(address))
        former = quote(unquote(parts.path), safe="/")
        comparable = _comparable(former)
        present_owner = owners.get(normal_address(former), entry_key)
        is_former = comparable not in present_paths and present_owner == entry_key
        if parts.query:
            with_query[address] = None
        elif comparable and is_former:  # not the home page
            redirects.setdefault(comparable, Redirect(former, present[entry_key]))
    return Redirects(sorted(redirects.values()), list(with_query))


def _former_addresses(content: Content, present: Mapping[EntryKey, str]) -> Iterator[tuple[EntryKey, str]]:
    """Yield the former addresses of the entries that have a present one, those in `sync.previous` first."""
    for entry in content.entries:
        path = present.get((entry.kind, entry.key))
        if path is None:
            continue
        prefix = path.removesuffix("/").rpartition("/")[0]
        for old_key in entry.notes.previous:
            if is_slug(old_key):  # the former key of a listing may be a URL
                yield (entry.kind, entry.key), f"{prefix}/{old_key}/"
    index = AddressIndex(content.former_addresses)
    for entry_key, _path, permalinks, former_addresses in content.former_addresses:
        for address in (*permalinks, *(address for address, *_location in former_addresses)):
            if entry_key in present and index.find(address) == entry_key:
                yield entry_key, address


def page_path(site: SiteSettings, entry: Entry) -> str:
    """Return the path of an entry's page, or "" if it has none or only the service knows it."""
    prefixes = {Kind.PAGE: "/pages", Kind.ARTICLE: "/blog", Kind.LISTING: "/listings", Kind.CATEGORY: "/categories"}
    if site.organizers.enabled:
        prefixes[Kind.ORGANIZER] = site.organizers.prefix
    slug = entry.fields.get("slug") or entry.key
    is_known = entry.kind in prefixes and not entry.notes.skip and isinstance(slug, str) and is_slug(slug)
    return f"{prefixes[entry.kind]}/{slug}/" if is_known else ""


def _below_root(address: str) -> str:
    """Return an address with a slash at its start; two slashes would name a host."""
    return address if "://" in address[:8] else f"/{address.lstrip('/')}"


def _comparable(path: str) -> str:
    return unquote(path).strip("/").casefold()
