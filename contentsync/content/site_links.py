"""Check the links of entries, and rewrite relative ones to the asset address (docs/content.md 6)."""

import posixpath
import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import TYPE_CHECKING, Any
from unicodedata import normalize
from urllib.parse import quote, unquote

from ..errors import Problem, Severity, Where
from ..model import Kind, nearest
from ..model.markdown_budget import StepBudget, TooIntricate
from ..model.slug import make_slug
from .body_links import (
    HTML_TOKENS,
    BodyLink,
    LinkFault,
    html_links,
    internal_links,
    may_contain_relative_links,
    parse_markdown,
    path_fault,
    template_fault,
)
from .config import SiteSettings
from .content_folder import CONFIG
from .draft import BODY_FIELDS, Draft, LinkRow, is_html_field
from .scan import DOCUMENT_SUFFIXES

if TYPE_CHECKING:
    from markdown_it.token import Token


def rewrite_relative_links(
    text: str, links: list[BodyLink], path: str, base: str, *, html: bool = False, step_budget: StepBudget | None = None
) -> tuple[str, set[str]]:
    """Return the text with relative links rewritten to the asset address, and the rewritten targets.

    Links are relative to the file at `path`. Links that lead out of the content folder are not rewritten. If more
    than link targets would change, as in a text that shows the same link as an example, the text is returned
    unchanged. Raises TooIntricate for Markdown.
    """
    targets = {link.target: address for link in links if (address := _asset_address(link.target, path, base))}
    if html:
        return _with_targets(text, links, targets), set(targets)
    changed, step_budget = _with_targets(text, links, targets), step_budget or StepBudget()
    step_budget.add(text)
    is_sound = _structure(changed, {}, step_budget) == _structure(text, targets, StepBudget())
    return (changed, set(targets)) if is_sound else (text, set())


def resolve_target(target: str, path: str) -> tuple[str | None, str]:
    """Return the path in the content folder that a relative target leads to, and the target's query and fragment.

    The path is None if the target leads out of the folder.
    """
    path_part = target.partition("#")[0].partition("?")[0]
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(path_part)))
    return None if file == ".." or file.startswith(("/", "../")) else file, target[len(path_part) :]


def _asset_address(target: str, path: str, base: str) -> str | None:
    file, rest = resolve_target(target, path)
    if file is None:
        return None
    below = "" if file == "." else quote(file)
    slash = "/" if below and target[: len(target) - len(rest)].endswith("/") else ""
    return f"{base.rstrip('/')}/{below}{slash}{rest}"


def _structure(text: str, targets: Mapping[str, str], step_budget: StepBudget) -> Any:
    """Return the parsed text with targets replaced. Texts with equal results differ at most in link targets."""
    return [_token_structure(token, targets) for token in parse_markdown(text, step_budget)[0]]


def _token_structure(token: "Token", targets: Mapping[str, str]) -> Any:
    attributes = dict(token.attrs)
    for name in ("href", "src"):
        if name in attributes:
            attributes[name] = targets.get(str(attributes[name]), attributes[name])
    content = "" if token.children else token.content
    if token.type in HTML_TOKENS:
        content = _with_targets(content, html_links(content), targets)
    return token.type, attributes, content, [_token_structure(child, targets) for child in token.children or ()]


def _with_targets(text: str, links: Iterable[BodyLink], targets: Mapping[str, str]) -> str:
    """Return the text with the targets of `links` replaced by their addresses in `targets`."""
    parts, done = [], 0
    for offset, target in sorted({(link.offset, link.target) for link in links if link.target in targets}):
        if offset >= done and text.startswith(target, offset):
            parts += [text[done:offset], targets[target]]
            done = offset + len(target)
    return "".join((*parts, text[done:]))


def collect_links(draft: Draft, asset_base_url: str | None, step_budget: StepBudget) -> None:
    """Add the links in all bodies, also in translations, to `draft.links`. Rewrite relative links to `asset_base_url`.

    Templates, e-mail addresses and hosts are not rewritten. `step_budget` is the step budget of the file.
    """
    _collect(draft, draft.values, "", asset_base_url, step_budget)
    translations = draft.values.get("translations")
    if translations and isinstance(translations, dict):
        for locale, texts in translations.items():
            if isinstance(texts, dict):
                _collect(draft, texts, f"translations.{locale}.", asset_base_url, step_budget)


def _collect(draft: Draft, values: dict[str, Any], prefix: str, base: str | None, step_budget: StepBudget) -> None:
    for name in BODY_FIELDS:
        body = values.get(name)
        if not isinstance(body, str) or not ("[" in body or "<" in body):  # fast, and true for most bodies
            continue
        html = is_html_field(draft.kind, name)
        rewritten: set[str] = set()
        try:
            links = internal_links(body, html=html, step_budget=step_budget)
            paths = [link for link in links if link.is_relative and not path_fault(link.target)] if base else []
            if base and paths:
                path = draft.where(prefix + name).path
                values[name], rewritten = rewrite_relative_links(
                    body, paths, path, base, html=html, step_budget=step_budget
                )
        except TooIntricate:
            _add_too_intricate(draft, prefix + name, needs_rewriting=bool(base) and may_contain_relative_links(body))
        else:
            _add_links(draft, prefix + name, body, links, rewritten)


def _add_too_intricate(draft: Draft, name: str, *, needs_rewriting: bool) -> None:
    where, fault = draft.where(name), f"{name} is too complex to parse"
    hint = "remove long rows of brackets or quote marks, or split the text"
    if needs_rewriting:
        message = f"{fault}, so its relative links cannot be rewritten to asset_base_url"
        draft.error("links-unwritten", message, where, f"write full addresses, {hint}")
    else:
        draft.warn("links-unchecked", f"{name} is too complex to parse, so its links are not checked", where, hint)


def _add_links(draft: Draft, name: str, body: str, links: list[BodyLink], rewritten: set[str]) -> None:
    starts = [0, *(line.end() for line in re.finditer(r"\n", body))]
    for link in links:
        line = bisect_right(starts, link.offset)
        where = draft.where_in(name, (line, link.offset - starts[line - 1] + 1))
        draft.links.append((link.target, where.path, where.line, where.column, link.target in rewritten))


MAX_COMPARISONS = 50_000  # of slugs, for all hints together: a search for similar slugs takes longer than reading

Slugs = Callable[[Kind], Collection[str] | None]
EntryAt = Callable[[str], tuple[Kind, str] | None]
Exists = Callable[[str], bool]


class LinkChecker:
    """Checks links against the addresses of pages, articles, listings and organizers.

    `slugs` returns all slugs of a kind, or None if some are unknown: a file could not be read, or the service makes
    the slugs. Links to a kind without slugs are not checked. `entry_at` returns kind and slug of the one entry in a
    file, or None. `exists` returns whether the content folder has a file or folder at a path. The functions are
    called only if a link needs them.
    """

    def __init__(self, site: SiteSettings, slugs: Slugs, entry_at: EntryAt, exists: Exists) -> None:
        self._site = site
        self._exists = cache(exists)
        self._slugs = cache(slugs)
        self._entry_at = entry_at
        self._kinds_by_prefix = {"/pages": [Kind.PAGE], "/blog": [Kind.ARTICLE], "/listings": [Kind.LISTING]}
        self._kinds_by_prefix.setdefault(site.organizers.prefix, []).append(Kind.ORGANIZER)
        self._similar_slugs: dict[tuple[str, str], str | None] = {}
        self._comparisons_left = MAX_COMPARISONS

    def problems(self, links: Iterable[LinkRow]) -> Iterator[Problem]:
        """Yield a warning for each link that is broken, or that leads to a file instead of an address."""
        # The order is fixed, so that the same links get suggestions in every run, even if the comparisons run out.
        for target, path, line, column, rewritten in sorted(links, key=itemgetter(1, 2, 3, 0)):
            if target.startswith("/"):
                code, fault = "broken-link", self._site_fault(target)
            else:
                code, fault = "relative-link", self._file_fault(target, path, rewritten)
            if fault:
                message = f"the link to '{target}' {fault.reason}"
                yield Problem(code, message, Where(path, line, column), fault.hint, Severity.WARNING)

    def _file_fault(self, target: str, path: str, rewritten: bool) -> LinkFault | None:
        if fault := path_fault(target):
            return fault
        file, rest = resolve_target(target, path)
        address = self._address(file)
        if file and not address and not self._exists(file):
            return LinkFault("does not match a file in the folder", "correct the path, or write the full address")
        if rewritten:
            reason = "is rewritten to asset_base_url, but it names an entry of the folder"
            return LinkFault(reason, f"write {address}{rest}") if address else None
        if address:
            hint = f"write {address}{rest}"
        elif self._site.asset_base_url:
            hint = "write the full address"
        else:
            hint = f"write the full address, or set asset_base_url in {CONFIG}"
        return LinkFault("is relative, but the service does not store files", hint)

    def _site_fault(self, target: str) -> LinkFault | None:
        if template := template_fault(target):
            return template
        file, rest = resolve_target(target.lstrip("/"), "")
        if not file:
            return None
        if address := self._address(file):
            return LinkFault("names a file, but the site does not serve files", f"write {address}{rest}")
        language, _, below = file.partition("/")
        fault = self._address_fault(f"/{file}", "")
        if not fault and language in self._site.locales:
            return self._address_fault(f"/{below}", f"/{language}")
        return fault

    def _address_fault(self, address_path: str, language: str) -> LinkFault | None:
        """Return why an address is broken, or None if it leads to an entry, or if that is unknown."""
        prefix, _, slug = address_path.rpartition("/")
        is_index = address_path.lower() in self._kinds_by_prefix
        kinds = self._kinds_by_prefix.get(address_path.lower() if is_index else prefix.lower(), [])
        shown = [kind for kind in kinds if self._is_shown(kind)]
        if kinds and not shown:
            return LinkFault(
                "is broken: the site does not show organizers", f"enable them in {CONFIG}, or remove the link"
            )
        known = [self._slugs(kind) or () for kind in shown]
        if is_index or not known or not all(known):
            return None
        address = f"{language}{prefix.lower()}/{{}}/".format
        if any(slug in slugs for slugs in known):
            fault = LinkFault("is broken: addresses are in lower case", f"write {address(slug)}")
            return None if prefix == prefix.lower() else fault
        name, dot, _ = slug.partition(".")
        normalized = make_slug(name)
        if dot and not any(normalized in slugs for slugs in known):
            return None  # a file of the site itself, such as feed.xml
        similar = self._nearest(prefix.lower(), normalized, known)
        nouns = " or ".join(shown)
        hint = f"did you mean '{address(similar)}'?" if similar else f"correct the link, or add the {nouns}"
        return LinkFault(f"is broken: the folder has no {nouns} '{slug}'", hint)

    def _nearest(self, prefix: str, slug: str, known: Sequence[Collection[str]]) -> str | None:
        """Return the most similar of the known slugs, or None. The result for a slug is cached."""
        if any(slug in slugs for slugs in known):
            return slug
        if (prefix, slug) not in self._similar_slugs:
            self._similar_slugs[prefix, slug] = self._compare(slug, [each for slugs in known for each in slugs])
        return self._similar_slugs[prefix, slug]

    def _compare(self, slug: str, slugs: Sequence[str]) -> str | None:
        """Return the most similar slug, first among those with the same start or end; None if none is similar."""
        if not self._spend(len(slugs) // 10):
            return None
        alike = [candidate for candidate in slugs if candidate.startswith(slug[:3]) or candidate.endswith(slug[-3:])]
        for candidates in (alike, slugs):
            if self._spend(len(candidates)) and (found := nearest(slug, candidates)):
                return found
        return None

    def _spend(self, comparisons: int) -> bool:
        if comparisons > self._comparisons_left:
            return False
        self._comparisons_left -= comparisons
        return True

    def _address(self, file: str | None) -> str | None:
        """Return the address of the one entry in a file, or None."""
        if not file or not file.lower().endswith(DOCUMENT_SUFFIXES):
            return None
        kind, slug = self._entry_at(normalize("NFC", file)) or (None, "")
        if kind is None or not self._is_shown(kind):
            return None
        return next((f"{prefix}/{slug}/" for prefix, kinds in self._kinds_by_prefix.items() if kind in kinds), None)

    def _is_shown(self, kind: Kind) -> bool:
        return kind is not Kind.ORGANIZER or self._site.organizers.enabled
