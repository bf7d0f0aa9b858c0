"""Resolve links: find the entries and files that they lead to, and report broken links (docs/content.md 6)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple
from urllib.parse import unquote

from ...errors import Fix, Problem, Severity
from ...model import EntryKey, Kind, nearest
from ...model.slug import heading_id, make_slug
from ...model.suggestion import certain_word, did_you_mean_text
from ..config.config_tables import SiteSettings
from ..files.content_folder import CONFIG
from ..files.file_addresses import FileAddresses
from ..files.file_names import spelled_locale
from ..formats.draft import Link
from .body_links import LinkFault, path_fault, template_fault
from .former_addresses import AddressIndex, normal_address
from .fragments import LEAST, ids_by_form, missing_part, names_part, similar_form
from .link_forms import EntryFiles, LinkForm, escaped, parse_form, split_target, unescaped
from .link_rewriting import asset_address, resolve_target

MAX_COMPARISONS = 50_000  # of slugs, for all hints together: a search for similar slugs takes longer than reading

Slugs = Callable[[Kind], Collection[str] | None]
PageIds = Callable[[EntryKey, Link], Mapping[str, frozenset[str]]]
Exists = Callable[[str], bool]

_ADDRESSED = (Kind.PAGE, Kind.ARTICLE, Kind.ORGANIZER)  # the kinds whose addresses are known
_OTHER_PAGES = "/tags"  # perhaps of the site; pages of entries have the prefix of their kind
_PAGE_SUFFIXES = (".html", ".htm", ".md", ".markdown")  # of addresses of pages; those with another one are files


class LinkTarget(NamedTuple):
    """What a link leads to: the entry, if it is one, and the address that replaces the target, if it must.

    The entry of a listing has its slug, which need not be its key. A `code` and a `fault` say why the link does not
    work. Without a fault, it works or was not checked.
    """

    entry: EntryKey | None = None
    address: str = ""
    code: str = ""
    fault: LinkFault | None = None


_WORKS = LinkTarget()


def _spelling_fault(target: str, locale: str, new_target: str) -> LinkFault | None:
    """Return why the target of a page is not its address, although the page is known; None if it is its address."""
    if locale:
        return LinkFault.with_target("is broken: addresses do not begin with a language", new_target)
    if "//" in unquote(split_target(target)[0]):
        return LinkFault.with_target("is broken: the address has a slash too many", new_target)
    return None


_NO_PAGE_LIST = LinkFault("is broken: the site has no list of all pages", "write the address of a page")
_NO_LISTING_LIST = LinkFault("is broken: the site has no page here", "write /, where the site lists all listings")
_NO_ORGANIZERS = LinkFault(
    "is broken: the site does not show organizers", f"enable them in {CONFIG}, or remove the link"
)


class LinkResolver:
    """Finds what links lead to: entries by their present or former addresses, and files.

    `slugs` returns all slugs of a kind, or None if some are unknown: a file could not be read, or the service makes
    the slugs. Links to a kind without slugs are not checked. `has_listing` returns whether a listing certainly has a
    slug; other slugs of listings may exist. `exists` returns whether the content folder has a file or
    folder at a path. `page_ids` returns the ids on the page to which a link to an entry leads, by each language that
    shows the link, that of its text first; no language if the ids are unknown. The functions are called only if a link
    needs them. `renamed` has the present slug of each entry that notes a former one (`sync.previous`).
    """

    def __init__(
        self,
        site: SiteSettings,
        slugs: Slugs,
        files: EntryFiles,
        exists: Exists,
        addresses: AddressIndex | None = None,
        page_ids: PageIds = lambda entry, link: {},
        file_addresses: FileAddresses | None = None,
        has_listing: Callable[[str], bool] = lambda slug: False,
        renamed: Mapping[EntryKey, str] = MappingProxyType({}),
    ) -> None:
        self._site = site
        self._file_addresses = file_addresses or FileAddresses(site.asset_base_url)
        self._exists = cache(exists)
        self._slugs = cache(slugs)
        self._page_ids = page_ids
        self._has_listing = has_listing
        self._renamed = renamed
        self._files = files
        self._addresses = addresses or AddressIndex()
        self._kinds_by_prefix = {
            "/pages": [Kind.PAGE],
            "/blog": [Kind.ARTICLE],
            "/listings": [Kind.LISTING],
            "/categories": [Kind.CATEGORY],
        }
        self._kinds_by_prefix.setdefault(site.organizers.prefix, []).append(Kind.ORGANIZER)  # may share the prefix
        self._indexes = ("/blog", "/categories", site.organizers.prefix)  # pages that list the entries of a kind
        self._similar: dict[tuple[str, str], str | None] = {}  # by name of the known slugs, and by slug
        self._comparisons_left = self._checks_left = MAX_COMPARISONS

    def problems(self, links: Iterable[Link]) -> Iterator[Problem]:
        """Yield a warning for each link that is broken, or that leads to a file instead of an address."""
        # The order is fixed, so that the same links get suggestions in every run, even if the comparisons run out.
        for link in sorted(links, key=attrgetter("path", "line", "column", "target")):
            entry, address, code, fault = self.target_of(link)
            if entry and not fault:
                code, fault = "broken-fragment", self._fragment_fault(entry, link, address or link.target)
            if fault:
                is_form = parse_form(unescaped(link.target)) is not None  # whose address is not written like another
                message = f"the link to '{link.target}' {fault.reason}"
                meant = escaped(fault.meant, link.target)
                fixes = (Fix(link.where, link.target, meant),) if meant and not is_form else ()
                yield Problem(code, message, link.where, fault.hint, Severity.WARNING, fixes=fixes)

    def target_of(self, link: Link) -> LinkTarget:
        """Return what a link leads to, and the address that replaces it, or its fault; see `LinkTarget`."""
        target = unescaped(link.target)
        rewritable = bool(link.field)
        if form := parse_form(target):
            link_target = self._form_target(form, link.path)
        elif target.startswith("/"):
            link_target = self._site_target(target, rewritable=rewritable)
        else:
            link_target = self._file_target(target, link.path, rewritten=link.is_rewritten, rewritable=rewritable)
        if link_target.address and not rewritable and not link_target.fault:
            reason = "cannot be rewritten, because the text has characters of a private area"
            fault = LinkFault.with_target(reason, link_target.address)
            return link_target._replace(code="broken-link", fault=fault)
        return link_target._replace(address=escaped(link_target.address, link.target))

    def _form_target(self, form: LinkForm, path: str) -> LinkTarget:
        """Return what a template or wiki link in the file `path` leads to."""
        if form.kind == "path":
            return self._template_target(form)
        entries = self._files.find(form, path)
        if len(entries) > 1:
            shown = " and ".join(f"{kind} {key}" for kind, key in sorted(entries)[:2])
            hint = "write the path of the file, or the address of the entry"
            return LinkTarget(code="broken-link", fault=LinkFault(f"is ambiguous: it names {shown}", hint))
        if not entries:
            return LinkTarget(code="broken-link", fault=self._name_fault(form.argument))
        query_and_fragment = form.query_and_fragment
        if form.kind == "wiki" and query_and_fragment.startswith("#"):  # such as `[[page#A heading]]`
            query_and_fragment = f"#{heading_id(query_and_fragment[1:])}"
        address = self.address(entries[0])
        if address is None:  # of the entries in documents, only organizers can have no address
            return LinkTarget(code="broken-link", fault=_NO_ORGANIZERS)
        return LinkTarget(entries[0], address + query_and_fragment)

    def _template_target(self, form: LinkForm) -> LinkTarget:
        """Return what `{{ site.baseurl }}/path/` leads to. Anything but an entry or the index of a kind is a fault."""
        if form.argument.startswith("/"):
            target = form.argument + form.query_and_fragment  # such as `/path/#part`
            site_target = self._site_target(target, rewritable=True)
            is_index = form.argument.rstrip("/").lower() in self._indexes
            if site_target.entry or is_index:
                # Without an address to replace it, the path itself is right, and only the template is removed.
                address = site_target.address or target
                return LinkTarget(site_target.entry, address)
        # As written, the link begins with the template and not with a slash, so it counts as a relative one.
        return LinkTarget(code="relative-link", fault=template_fault("{{"))

    def _name_fault(self, name: str) -> LinkFault | None:
        """Return the fault of a link with the name or path of a file that no entry has; None if some are unknown."""
        if any(self._slugs(kind) is None for kind in _ADDRESSED):
            return None
        names = self._files.names
        file_name = name.rpartition("/")[2].removesuffix(".md")
        similar = self._nearest(make_slug(file_name), [names], cached_as="file names")
        hint = did_you_mean_text(names[similar]) if similar else "correct the link, or add the file"
        return LinkFault(f"is broken: the folder has no entry '{name}'", hint)

    def _file_target(self, target: str, path: str, *, rewritten: bool, rewritable: bool) -> LinkTarget:
        """Return what a relative link in the file `path` leads to.

        `target` is as the author wrote it. If it is `rewritten`, the text already has an asset address in its place;
        if it is `rewritable`, an address may still replace it.
        """
        if fault := path_fault(target):
            return LinkTarget(code="relative-link", fault=fault)
        file, query_and_fragment = resolve_target(target, path)
        entry = self._files.at(file) or self._files.in_folder(file) if file else None
        address = self.address(entry) if entry else None
        if address:
            new_target = address + query_and_fragment
            fault = LinkFault.with_target("is relative, but the service does not store files", new_target)
            return LinkTarget(entry, new_target, code="relative-link", fault=None if rewritable else fault)
        asset = (asset_address(target, path, self._file_addresses) or "") if rewritable else ""
        # Without `file`, the target is outside of the content folder. A folder of entries is not published.
        if file and (self._files.has_folder(file) or not self._exists(file)):
            hint = "correct the path, or write the full address"
            fault = LinkFault("does not match a file in the folder", hint)
            return LinkTarget(address=asset, code="relative-link", fault=fault)
        if rewritten:
            return _WORKS
        if asset:
            return LinkTarget(address=asset)
        hint = "write the full address" + ("" if self._file_addresses.base else f", or set asset_base_url in {CONFIG}")
        fault = LinkFault("is relative, but the service does not store files", hint)
        return LinkTarget(code="relative-link", fault=fault)

    def _site_target(self, target: str, *, rewritable: bool) -> LinkTarget:
        """Return what an absolute path leads to: an entry by its present address, its file, or a former address."""
        if template := template_fault(target):
            return LinkTarget(code="broken-link", fault=template)
        file, query_and_fragment = resolve_target(target.lstrip("/"), path="")  # relative to the content folder
        if file is None or file == ".":  # `/../x`, which is not checked, or the home page
            return _WORKS
        # The first segment may be a language. Each pair is a language and the address without it.
        first, _, below = file.partition("/")
        readings = [("", f"/{file}")]
        if language := spelled_locale(first, self._site.locales):
            readings.append((language, f"/{below}"))

        def page(locale: str, address: str, entry: EntryKey | None = None) -> LinkTarget:
            """Return the target that is a page of the site. If it is not written as its address, it is replaced."""
            new_target = self._in_language(locale, address + query_and_fragment)
            if fault := _spelling_fault(target, locale, new_target):
                return LinkTarget(entry, new_target, code="broken-link", fault=None if rewritable else fault)
            return LinkTarget(entry)

        for locale, address_path in readings:
            if entry := self.present_entry(address_path):
                return page(locale, f"{address_path}/", entry)
        if (entry := self._files.at(file)) and (address := self.address(entry)):
            new_target = address + query_and_fragment
            fault = LinkFault.with_target("names a file, but the site does not serve files", new_target)
            return LinkTarget(entry, new_target, code="broken-link", fault=None if rewritable else fault)
        for locale, address_path in readings:
            if (entry := self._addresses.find(address_path)) and (address := self.address(entry)):
                return LinkTarget(entry, self._in_language(locale, address + query_and_fragment))
        for locale, address_path in readings:
            if known_fault := self._address_fault(address_path, locale, query_and_fragment):
                return LinkTarget(code="broken-link", fault=known_fault)
        for locale, address_path in readings:
            if self._may_be_page(address_path):
                return page(locale, f"{address_path.rstrip('/')}/")
        locale, address_path = readings[-1]  # without the language, if there may be one
        unknown_fault = self._unknown_address_fault(address_path, locale, query_and_fragment)
        return LinkTarget(code="broken-link", fault=unknown_fault)

    def _may_be_page(self, address_path: str) -> bool:
        """Return whether an address has the form of a page of the site (server/site/site_app.py, ROUTES)."""
        folder, _, name = address_path.rpartition("/")
        return address_path in ("/", *self._indexes) or (folder in self._kinds_by_prefix and "." not in name)

    def _in_language(self, locale: str, target: str) -> str:
        """Return the target with a language in its query, as the site has it; "" is the reader's language."""
        if locale in ("", self._site.locales[0]):
            return target
        # Imported here, because few folders need it, and it comes with the packages for Markdown.
        from ...model.markup import LinkBase

        return LinkBase(locale=locale).link(target)

    def present_entry(self, address_path: str) -> EntryKey | None:
        """Return the kind and slug of the entry that has an address now, else None; no slash ends the address."""
        prefix, _, slug = address_path.rpartition("/")
        kinds = self._kinds_by_prefix.get(prefix, ())
        for kind in kinds:
            is_known = self._has_listing(slug) if kind is Kind.LISTING else slug in (self._slugs(kind) or ())
            if is_known and self._is_shown(kind):
                return kind, slug
        return None

    def _unknown_address_fault(self, address_path: str, locale: str, query_and_fragment: str) -> LinkFault | None:
        """Return the fault of an address if certainly no entry has or had it; None if that is not certain.

        Call it after `_address_fault`, which checks the addresses in the folders of kinds. An address is not certain if
        former addresses or slugs are unknown, or if it may be another page or a file of the site.
        """
        folder, _, name = address_path.lower().rpartition("/")
        site_folders = (*self._kinds_by_prefix, _OTHER_PAGES)
        is_in_site_folder = folder in site_folders or address_path.lower() in site_folders
        is_page = name.endswith(_PAGE_SUFFIXES) or "." not in name
        has_former_addresses = bool(self._addresses)  # without any, the former site is not known
        if not has_former_addresses or is_in_site_folder or not is_page:
            return None
        if any(self._slugs(kind) is None for kind in _ADDRESSED):
            return None
        addresses = self._addresses.by_last_segment
        last_segment = normal_address(address_path).rpartition("/")[2]
        similar = self._nearest(last_segment, [addresses], cached_as="former addresses")
        reason = "is broken: no entry of the folder has or had this address"
        if not similar:
            return LinkFault(reason, "correct the link, or add the entry")
        address = f"/{locale}{addresses[similar]}" if locale else addresses[similar]
        is_certain = normal_address(address_path).removesuffix(last_segment) + similar == addresses[similar].strip("/")
        is_certain = is_certain and self._is_certain(last_segment, similar, [addresses])
        return LinkFault(reason, did_you_mean_text(address), address + query_and_fragment if is_certain else "")

    def _fragment_fault(self, entry: EntryKey, link: Link, target: str) -> LinkFault | None:
        """Return why the fragment of a link to an entry is broken; None if there is none, or this is unknown."""
        ids_by_locale = {} if names_part(target, ()) else self._page_ids(entry, link)
        for number, (locale, ids) in enumerate(ids_by_locale.items()):
            if names_part(target, ids):
                continue
            reason = f"leads to a part that the {entry[0]} '{entry[1]}' does not have"
            if number:
                hint = "translate this text, or give a heading of the translation the same id, as in ## Title {#id}"
                return LinkFault(f"{reason} in '{locale}', where this text is shown too", hint)
            forms = ids_by_form(ids)
            similar = self._nearest(similar_form(target), [forms], cached_as=f"ids of {entry}")
            return missing_part(reason, link.target, similar, forms)
        return None

    def _address_fault(self, address_path: str, locale: str, query_and_fragment: str) -> LinkFault | None:
        """Return why an address in the folder of a kind is broken; None if it leads to an entry, or this is unknown.

        The address of such a folder itself, such as `/blog`, is that of an index page, if the kind has one.
        """
        folder, _, slug = address_path.rpartition("/")
        lower_folder = folder.lower()
        is_index = address_path.lower() in self._kinds_by_prefix
        kinds = self._kinds_by_prefix.get(address_path.lower() if is_index else lower_folder, [])
        if is_index and address_path.lower() not in self._indexes:
            return _NO_PAGE_LIST if kinds == [Kind.PAGE] else _NO_LISTING_LIST
        if kinds == [Kind.ORGANIZER] and not self._is_shown(Kind.ORGANIZER):
            return _NO_ORGANIZERS
        shown = [kind for kind in kinds if self._is_shown(kind)]
        known = [slugs for slugs in map(self._slugs, shown) if slugs]
        # Links to a kind are not checked if it has no slugs, or unknown ones.
        if is_index or not shown or len(known) < len(shown):
            return None
        if any(slug in slugs for slugs in known):
            if folder == lower_folder:
                return None
            lower_address = self._in_language(locale, f"{lower_folder}/{slug}/")
            meant = self._in_language(locale, f"{lower_folder}/{slug}/{query_and_fragment}")
            return LinkFault("is broken: addresses are in lower case", f"write {lower_address}", meant)
        name, dot, _ = slug.partition(".")
        normalized = make_slug(name)
        if dot and not any(normalized in slugs for slugs in known):
            return None  # a file of the site itself, such as feed.xml
        nouns = " or ".join(shown)
        reason = f"is broken: the folder has no {nouns} '{slug}'"
        renamed = next(filter(None, (self._renamed.get((kind, slug)) for kind in shown)), "")
        similar = renamed or self._nearest(normalized, known, cached_as=lower_folder)
        if not similar:
            return LinkFault(reason, f"correct the link, or add the {nouns}")
        address = f"{lower_folder}/{similar}/"
        is_certain = renamed or self._is_certain(normalized, similar, known)
        meant = self._in_language(locale, address + query_and_fragment) if is_certain else ""
        address = self._in_language(locale, address)
        return LinkFault(reason, f"it was renamed: write {address}" if renamed else did_you_mean_text(address), meant)

    def _nearest(self, slug: str, known: Sequence[Collection[str]], *, cached_as: str) -> str | None:
        """Return the most similar of the known slugs, or None; cache it by `slug` and a name of the known slugs."""
        if any(slug in slugs for slugs in known):
            return slug
        if (cached_as, slug) not in self._similar:
            self._similar[cached_as, slug] = self._compare(slug, [candidate for slugs in known for candidate in slugs])
        return self._similar[cached_as, slug]

    def _is_certain(self, slug: str, similar: str, known: Sequence[Collection[str]]) -> bool:
        """Return whether a slug is a misspelling of a known one, and of no other."""
        if slug == similar or not certain_word(slug, [similar], LEAST):
            return slug == similar
        self._checks_left -= sum(map(len, known))
        return self._checks_left >= 0 and certain_word(slug, chain(*known), LEAST) == similar

    def _compare(self, slug: str, slugs: Sequence[str]) -> str | None:
        """Return the most similar slug, first among those with the same start or end; None if none is similar."""
        if not self._spend(len(slugs) // 10):  # the search for the same start or end is about ten times as fast
            return None
        same_affix = [other for other in slugs if other.startswith(slug[:3]) or other.endswith(slug[-3:])]
        for candidates in (same_affix, slugs):
            similar = nearest(slug, candidates) if self._spend(len(candidates)) else None
            if similar:
                return similar
        return None

    def _spend(self, comparisons: int) -> bool:
        """Return whether this many comparisons may still be made, and subtract them if so."""
        if comparisons > self._comparisons_left:
            return False
        self._comparisons_left -= comparisons
        return True

    def address(self, entry: EntryKey) -> str | None:
        """Return the address of an entry, or None if the site does not show it."""
        kind, slug = entry
        if not slug or not self._is_shown(kind):
            return None
        return next((f"{prefix}/{slug}/" for prefix, kinds in self._kinds_by_prefix.items() if kind in kinds), None)

    def _is_shown(self, kind: Kind) -> bool:
        return kind is not Kind.ORGANIZER or self._site.organizers.enabled
