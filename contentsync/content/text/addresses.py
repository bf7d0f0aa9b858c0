"""The public addresses of the folder's entries, and links that lead to none (docs/content.md 6)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from operator import itemgetter
from typing import NamedTuple
from unicodedata import normalize

from ...errors import Problem, Severity, Where
from ...model import Kind, nearest
from ...model.slug import make_slug
from ..config import Site
from ..config_file import CONFIG
from ..draft import Reference
from ..unit import DOCUMENTS
from .assets import resolved
from .targets import no_path, template_in

MAX_COMPARISONS = 50_000  # of slugs, for all hints: looking for what was meant takes longer than reading

Slugs = Callable[[Kind], Collection[str] | None]
EntryAt = Callable[[str], tuple[Kind, str] | None]
Exists = Callable[[str], bool]


class _Told(NamedTuple):
    code: str
    message: str
    hint: str


class Addresses:
    """Where the site shows pages, articles, listings and organizers.

    `slugs` gives the slugs of a kind, or None where the folder does not say all of them, because something could not
    be read or the service makes them; where a kind has none at all, nothing is known either. `entry_at` gives kind and
    slug of the one entry of a file, or None; `exists` says whether the folder has a file or folder of that path. They
    are asked only when a link needs the answer.
    """

    def __init__(self, site: Site, slugs: Slugs, entry_at: EntryAt, exists: Exists) -> None:
        self._site = site
        self._exists = cache(exists)
        self._slugs = slugs
        self._entry_at = entry_at
        self._spaces = {"/pages": [Kind.PAGE], "/blog": [Kind.ARTICLE], "/listings": [Kind.LISTING]}
        self._spaces.setdefault(site.organizers.prefix, []).append(Kind.ORGANIZER)
        self._known: dict[Kind, Collection[str]] = {}  # empty where nothing is known
        self._meant: dict[tuple[str, str], str | None] = {}
        self._left = MAX_COMPARISONS

    def problems(self, links: Iterable[Reference]) -> Iterator[Problem]:
        """A warning for each link that leads nowhere, or to a file where the site has an address."""
        # In one order: it decides for which of very many something is compared.
        for target, path, line, column, rewritten in sorted(links, key=itemgetter(1, 2, 3, 0)):
            told = self._to_site(target) if target.startswith("/") else self._to_file(target, path, rewritten)
            if told:
                yield Problem(told.code, told.message, Where(path, line, column), told.hint, Severity.WARNING)

    def _to_file(self, target: str, path: str, rewritten: bool) -> _Told | None:
        if wrong := no_path(target):
            return _Told("relative-link", f"the link to '{target}' {wrong.reason}", wrong.hint)
        file, rest = resolved(target, path)
        address = self._address(file)
        if file and not address and not self._exists(file):
            message = f"the link to '{target}' does not match a file in the folder"
            return _Told("relative-link", message, "correct the path, or write the full address")
        if rewritten:
            message = f"the link to '{target}' is rewritten to asset_base_url, but it names an entry of the folder"
            return _Told("relative-link", message, f"write {address}{rest}") if address else None
        if address:
            hint = f"write {address}{rest}"
        elif self._site.asset_base_url:
            hint = "write the full address"
        else:
            hint = f"write the full address, or set asset_base_url in {CONFIG}"
        return _Told("relative-link", f"the link to '{target}' is relative, but the service does not store files", hint)

    def _to_site(self, target: str) -> _Told | None:
        if template := template_in(target):
            return _Told("broken-link", f"the link to '{target}' {template.reason}", template.hint)
        file, rest = resolved(target.lstrip("/"), "")
        if not file:
            return None
        if address := self._address(file):
            message = f"the link to '{target}' names a file, but the site does not serve files"
            return _Told("broken-link", message, f"write {address}{rest}")
        language, _, below = file.partition("/")
        broken = self._broken(f"/{file}", "")
        if not broken and language in self._site.locales:
            broken = self._broken(f"/{below}", f"/{language}")
        return _Told("broken-link", f"the link to '{target}' is broken: {broken[0]}", broken[1]) if broken else None

    def _broken(self, way: str, language: str) -> tuple[str, str] | None:
        """Why an address leads nowhere, and a hint; None where it leads to an entry, or nobody can know."""
        space, _, slug = way.rpartition("/")
        is_index = way.lower() in self._spaces
        kinds = self._spaces.get(way.lower() if is_index else space.lower(), [])
        shown = [kind for kind in kinds if self._is_shown(kind)]
        if kinds and not shown:
            return "the site does not show organizers", f"enable them in {CONFIG}, or remove the link"
        known = [self._slugs_of(kind) for kind in shown]
        if is_index or not known or not all(known):
            return None
        address = f"{language}{space.lower()}/{{}}/".format
        if any(slug in slugs for slugs in known):
            is_served = space == space.lower()
            return None if is_served else ("addresses are in lower case", f"write {address(slug)}")
        name, dot, _ = slug.partition(".")
        made = make_slug(name)
        if dot and not any(made in slugs for slugs in known):
            return None  # a file that the site makes, such as feed.xml
        meant = self._nearest(space.lower(), made, known)
        nouns = " or ".join(shown)
        hint = f"did you mean '{address(meant)}'?" if meant else f"correct the link, or add the {nouns}"
        return f"the folder has no {nouns} '{slug}'", hint

    def _nearest(self, space: str, slug: str, known: Sequence[Collection[str]]) -> str | None:
        """The slug that somebody most likely meant; the same for the same slug."""
        if any(slug in slugs for slugs in known):
            return slug
        if (space, slug) not in self._meant:
            self._meant[space, slug] = self._compare(slug, [each for slugs in known for each in slugs])
        return self._meant[space, slug]

    def _compare(self, slug: str, slugs: Sequence[str]) -> str | None:
        """The nearest slug, looked for where most mistakes leave an end of the word right, and then everywhere."""
        if not self._afford(len(slugs) // 10):
            return None
        alike = [each for each in slugs if each.startswith(slug[:3]) or each.endswith(slug[-3:])]
        for candidates in (alike, slugs):
            if self._afford(len(candidates)) and (found := nearest(slug, candidates)):
                return found
        return None

    def _afford(self, comparisons: int) -> bool:
        if comparisons > self._left:
            return False
        self._left -= comparisons
        return True

    def _address(self, file: str | None) -> str | None:
        """Where the site shows the entry of a file."""
        if not file or not file.lower().endswith(DOCUMENTS):
            return None
        kind, slug = self._entry_at(normalize("NFC", file)) or (None, "")
        if kind is None or not self._is_shown(kind):
            return None
        return next((f"{space}/{slug}/" for space, kinds in self._spaces.items() if kind in kinds), None)

    def _is_shown(self, kind: Kind) -> bool:
        return kind is not Kind.ORGANIZER or self._site.organizers.enabled

    def _slugs_of(self, kind: Kind) -> Collection[str]:
        if kind not in self._known:
            self._known[kind] = self._slugs(kind) or ()
        return self._known[kind]
