"""Collect the links of entries, and replace their targets in texts (docs/content.md 6)."""

import posixpath
from bisect import bisect_right
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import unquote

from ...lazy_pattern import lazy_pattern
from ...model.markdown_budget import TooIntricate
from ..files.file_addresses import FileAddresses
from ..files.file_names import DOCUMENT_SUFFIXES, PUBLISHED_TYPES, suffix_of
from ..formats.draft import Body, Draft, Link, PicturePath, is_html_field
from .body_links import (
    BodyLink,
    all_links,
    internal_links,
    may_contain_relative_links,
    path_fault,
    template_fault,
)
from .link_forms import escaped, parse_form, split_target, unescaped
from .parsed_body import ParsedBody

Addresses = Mapping[str, str]  # the replacement of each target

_MASK = "#"  # in place of the target of each link
_MAY_HAVE_LINKS = lazy_pattern(r"\]\(|\]:|<")


class LinkReplacement(NamedTuple):
    """A link in the file `path` whose target, at an offset of a body field, is replaced by an address."""

    target: str
    path: str
    field: str
    offset: int
    address: str


def rewrite_links(text: str, links: Iterable[BodyLink], addresses: Addresses) -> str:
    """Return the text with the targets in `addresses` replaced. A wiki link becomes a link with its label.

    Links without a certain offset stay.
    """
    replaced = (link for link in links if link.has_certain_offset and link.target in addresses)
    return replace_targets(text, ((link.offset, link.target, addresses[link.target]) for link in replaced))


def replace_targets(text: str, replacements: Iterable[tuple[int, str, str]]) -> str:
    """Return the text with each target at an offset replaced by an address; an empty address replaces nothing."""
    parts, done = [], 0  # `done`: the end of the last target
    for offset, target, address in sorted(set(replacements)):
        if address and offset >= done and text.startswith(target, offset):
            parts += [text[done:offset], _replacement(target, address)]
            done = offset + len(target)
    return "".join((*parts, text[done:]))


def without_targets(text: str, *, html: bool) -> str:
    """Return a text with the same target in each link; the text itself if it is too intricate to find them."""
    if not _MAY_HAVE_LINKS.search(text):  # parsing takes long
        return text
    try:
        links = [link for link in all_links(ParsedBody(text), html=html) if link.has_certain_offset]
    except TooIntricate:
        return text
    return replace_targets(text, ((link.offset, link.target, _MASK) for link in links))


def _replacement(target: str, address: str) -> str:
    label = _wiki_label(target)
    return f"[{label}]({address})" if label else address


def _wiki_label(target: str) -> str:
    """Return the label of a wiki link, or the name in it if it has none; "" for any other target.

    The target of a wiki link is the whole link: `[[page|label]]`.
    """
    form = parse_form(target) if target.startswith("[[") else None
    return form.label if form else ""


def asset_addresses(links: Sequence[BodyLink], path: str, files: FileAddresses) -> dict[str, str]:
    """Return the asset address of each target that leads to a file or folder with an address (`file_targets`)."""
    if not files:
        return {}
    addresses = {target: asset_address(target, path, files) for target in file_targets(links, files.asset_folder)}
    return {target: address for target, address in addresses.items() if address}


def file_targets(links: Sequence[BodyLink], asset_folder: str | None) -> list[str]:
    """Return the relative targets of links that may be paths. Templates, e-mail addresses and hosts are not.

    With an `asset_folder`, the targets of pictures that begin with a slash are paths in it.
    """
    rooted = set[str]() if asset_folder is None else root_pictures(links)
    return [
        link.target for link in links if link.target in rooted or (link.is_relative and not path_fault(link.target))
    ]


def published_targets(links: Sequence[BodyLink], path: str, asset_folder: str) -> set[str]:
    """Return the targets in the file `path` that lead to files of a type that is published in the asset store."""
    files = ((target, resolve_asset(target, path, asset_folder)[0]) for target in file_targets(links, asset_folder))
    return {target for target, file in files if file and suffix_of(file) in PUBLISHED_TYPES}


def root_pictures(links: Iterable[BodyLink]) -> set[str]:
    """Return the targets of pictures that begin with a slash and may name a file in the asset folder."""
    return {link.target for link in links if link.is_root_picture and is_asset_path(link.target)}


def is_asset_path(target: str) -> bool:
    """Return whether a target may name a file of the folder, and not an upload of the service, or a template."""
    if target.startswith("/"):
        return not target.startswith("/storage/") and not template_fault(target)
    return not path_fault(target)


def asset_address(target: str, path: str, files: FileAddresses) -> str | None:
    """Return the asset address of a target in the file `path`; None without one, as outside of the content folder."""
    file, query_and_fragment = resolve_asset(target, path, files.asset_folder or "")
    address = None if file is None else files.address(file)
    if address is None:
        return None
    target, written = unescaped(target), target
    is_folder = target.removesuffix(query_and_fragment).endswith("/")
    slash = "/" if is_folder and not address.endswith("/") else ""
    return escaped(f"{address}{slash}{query_and_fragment}", written)


def resolve_target(target: str, path: str) -> tuple[str | None, str]:
    """Return the path in the content folder that a relative target leads to, and the target's query and fragment.

    The path is "." for the folder itself, and None if the target leads out of it.
    """
    path_part, query_and_fragment = split_target(unescaped(target))
    file = posixpath.normpath(posixpath.join(posixpath.dirname(path), unquote(path_part)))
    is_outside = file == ".." or file.startswith(("/", "../"))
    return (None if is_outside else file), query_and_fragment


def resolve_asset(target: str, path: str, asset_folder: str) -> tuple[str | None, str]:
    """Return the same as `resolve_target`; a target that begins with a slash starts at the asset folder."""
    if target.startswith("/"):
        return resolve_target(target.lstrip("/"), f"{asset_folder}/" if asset_folder else "")
    return resolve_target(target, path)


def collect_links(
    draft: Draft,
    bodies: Iterable[tuple[Body, ParsedBody]],
    files: FileAddresses,
    *,
    may_be_former: bool = False,
    published: bool = False,
) -> None:
    """Add the links in the bodies of an entry to `draft.links`. Rewrite links to files to their addresses.

    Rewrite none to files without an address. Links that may lead to entries are rewritten later, when all entries are
    known. With `may_be_former`, these include all links to the site, because their targets may be former addresses of
    entries. With an asset folder, pictures whose targets begin with a slash are files in it, and rewritten pictures are
    added to `draft.pictures`. If files are `published`, the links to them are added to `draft.pictures` too, and
    rewritten later.
    """
    collector = _LinkCollector(draft, files, may_be_former, published)
    for (name, values, field), body in bodies:
        if "[" in body.text or "<" in body.text:  # fast, and false for most bodies
            values[field] = collector.collect(name, body, html=is_html_field(draft.kind, field))


@dataclass(frozen=True, slots=True)
class _LinkCollector:
    """Collects the links in the bodies of one draft; the fields are the parameters of `collect_links`."""

    _draft: Draft
    _files: FileAddresses
    _may_be_former: bool
    _published: bool

    @property
    def _with_pictures(self) -> bool:
        return self._files.asset_folder is not None

    def collect(self, name: str, body: ParsedBody, *, html: bool) -> str:
        """Add the links of a body to the draft, and return the body with links to files rewritten."""
        try:
            links = internal_links(body, html=html, root_pictures=self._with_pictures)
            links = [link for link in links if not _is_template_image(link, body.text)]
            return self._add(name, body, links) if links else body.text
        except TooIntricate:
            self._report_intricate(name, is_error=bool(self._files) and may_contain_relative_links(body.text))
            return body.text

    def _add(self, name: str, body: ParsedBody, links: list[BodyLink]) -> str:
        """Add links to the draft, each with its offset after the rewrite, and return the rewritten body."""
        path = self._draft.where(name).path
        rooted = root_pictures(links)
        asset_folder = self._files.asset_folder or ""
        published = published_targets(links, path, asset_folder) if self._published else set[str]()
        entry_links = [link for link in links if link.target not in rooted and self._may_lead_to_entry(link)]
        # The targets that are replaced later, by addresses of entries or of published files, which are unknown now.
        later = {*published, *(link.target for link in entry_links)}
        # The targets that are replaced now, by addresses of files.
        addresses = asset_addresses(links, path, self._files)
        now = {target: address for target, address in addresses.items() if target not in later}
        rewritten = rewrite_links(body.text, links, now)
        self._add_links(name, body, links, now, later, published)
        return rewritten

    def _add_links(
        self,
        name: str,
        body: ParsedBody,
        links: list[BodyLink],
        now: Addresses,
        later: Container[str],
        published: Container[str],
    ) -> None:
        """Add each link in the body `name` to the draft, with its offset in the rewritten body.

        `body` is the text as written. In the rewritten body, the targets of `now` are replaced by longer or shorter
        addresses. The targets in `later` will be replaced: those that are also in `published` by addresses of files,
        the others by addresses of entries.
        """
        starts = body.line_starts
        growth = 0  # how much longer the rewritten body is before the link
        replaced_to = 0  # the end of the last target that is replaced
        for link in sorted(links, key=lambda link: link.offset):
            line = bisect_right(starts, link.offset)
            where = self._draft.where_in(name, (line, link.offset - starts[line - 1] + 1))
            location = link.target, where.path, where.line, where.column
            is_now = link.has_certain_offset and link.target in now
            is_later = link.has_certain_offset and link.target in later
            if is_later and link.target in published:
                self._draft.pictures.append(PicturePath(*location, body=name, offset=link.offset + growth))
            elif self._with_pictures and is_now and (link.embedded or not link.is_relative):
                self._draft.pictures.append(PicturePath(*location))  # it will not be replaced again
            elif not link.is_root_picture:
                field, offset = (name, link.offset + growth) if is_later else ("", 0)
                self._draft.links.append(Link(*location, is_now, field, offset))
            if is_now and link.offset >= replaced_to:
                growth += len(now[link.target]) - len(link.target)
                replaced_to = link.offset + len(link.target)

    def _may_lead_to_entry(self, link: BodyLink) -> bool:
        """Return whether a link may be to an entry: by a form, a path of a document or folder, or a former address."""
        if parse_form(link.target):
            return True
        if path_fault(link.target):
            return False
        path = split_target(unescaped(link.target))[0]
        is_folder = link.is_relative and not link.embedded and "." not in path.rstrip("/.").rpartition("/")[2]
        return path.lower().endswith(DOCUMENT_SUFFIXES) or is_folder or (self._may_be_former and not link.is_relative)

    def _report_intricate(self, name: str, *, is_error: bool) -> None:
        """Report a body that cannot be parsed: as an error if it may contain links that must be rewritten."""
        where = self._draft.where(name)
        fault = f"{name} is too complex to parse"
        hint = "remove long rows of brackets or quote marks, or split the text"
        if is_error:
            message = f"{fault}, so its relative links cannot be rewritten to asset_base_url"
            self._draft.error("links-unwritten", message, where, f"write full addresses, {hint}")
        else:
            self._draft.warn("links-unchecked", f"{fault}, so its links are not checked", where, hint)


def _is_template_image(link: BodyLink, body: str) -> bool:
    """Return whether a link is an image in Markdown with spaces in its template, which a page shows as text."""
    is_markdown = body[link.offset - 1] == "("  # not the value of an attribute
    return link.embedded and is_markdown and link.target.startswith("{") and " " in link.target
