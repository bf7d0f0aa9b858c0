"""Convert the server's values to the form in which an author writes them: fields, links and bodies."""

import posixpath
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from ...content.config.config import Config
from ...content.files.file_addresses import FileAddresses
from ...content.files.file_names import DOCUMENT_SUFFIXES, is_below
from ...content.files.file_text import normalize_newlines, unresolved_marker
from ...content.links.body_links import BodyLink, all_links, internal_links
from ...content.links.link_rewriting import asset_addresses, published_targets, replace_targets, rewrite_links
from ...content.links.parsed_body import ParsedBody
from ...content.pictures.asset_files import PublishedPaths
from ...content.pictures.picture_fields import candidates, file_address, is_picture_path
from ...lazy_pattern import lazy_pattern
from ...model import INSTANTS, RECORDS, Entry, Kind, PlainScalar
from ...model.custom_field import Definitions
from ...model.markdown_budget import TooIntricate

_BLANK_START = lazy_pattern(r"[ \t]*(?:\n|\Z)")
_EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {})


def trim_body(body: str) -> str:
    """Return the body in the form that `sync.equal` compares and readers return: without blank lines around it."""
    return normalize_newlines(body).strip("\n").rstrip()


def fits_below_front_matter(body: str, path: str) -> bool:
    """Return whether a trimmed body can be written below the front matter of a file and read back unchanged."""
    return not (body and _BLANK_START.match(body)) and not unresolved_marker(body, path)


@dataclass(frozen=True, slots=True)
class LinkRestorer:
    """Restores the links of the file `path` in texts from the server, as their author wrote them.

    Loading the folder replaces the targets of these links with addresses, so that the server has the addresses.
    `rewritten` maps each target in the file that leads to an entry to the entry's address. Targets of files in the
    content folder get their `addresses`, or those in the asset store (`published`). With an asset folder, pictures may
    begin with a slash, as for `collect_links`.
    """

    path: str
    folder: Path
    addresses: FileAddresses
    rewritten: Mapping[str, str]
    published: PublishedPaths | None

    def restore(self, text: str, before: str, *, html: bool) -> str:
        """Return the text with the author's targets in place of addresses; unchanged if a load would not reverse it.

        A link that is also in the old text (`before`) is written as it is there. Another one becomes relative if it
        leads to a file of the content folder.
        """
        may_have_published = self.published is not None and self.published.base in text
        if not (self.rewritten or may_have_published or self.addresses.may_be_in(text)):
            return text
        try:
            restored, store_addresses = self._with_targets(text, before, html=html)
            links = self._links(restored, html=html)
            reread = rewrite_links(restored, links, self._addresses(links, store_addresses))
        except TooIntricate:
            return text
        return restored if reread == text else text

    def _with_targets(self, text: str, before: str, *, html: bool) -> tuple[str, dict[str, str]]:
        """Return the text with the author's targets, and the address in the store of each target not in `before`."""
        old_targets = self._targets_by_address(before, html=html)
        published = self.published
        store_addresses: dict[str, str] = {}
        pieces: list[str] = []
        end = 0  # the offset up to which `pieces` replaces the text
        for link in sorted(all_links(ParsedBody(text), html=html), key=lambda link: link.offset):
            old_forms = old_targets.get(link.target)
            if old_forms:  # in the order of the old text; the last one is used for all further links to its address
                target = old_forms.pop(0) if len(old_forms) > 1 else old_forms[0]
            elif published and (in_store := published.target(link.target, self.path, from_asset_folder=link.embedded)):
                target = in_store
                store_addresses[target] = link.target
            elif found := _find_file(link.target, self.folder, self.addresses):
                target = _relative_link(*found, self.path)
            else:
                continue
            loaded = replace_targets(target, [(0, target, link.target)])  # of a wiki link: `[label](address)`
            start = link.offset - loaded.rfind(link.target)  # where this begins in `text`
            if start >= end and text.startswith(loaded, start):
                pieces += [text[end:start], target]
                end = start + len(loaded)
        return "".join((*pieces, text[end:])), store_addresses

    def _targets_by_address(self, text: str, *, html: bool) -> dict[str, list[str]]:
        """Return the targets of the links in a text, in their order, by the address that a load gives them."""
        links = self._links(text, html=html)
        # Files in the asset store get no address here: `_with_targets` finds their targets in `published`.
        address_by_target = self._addresses(links, store_addresses={})
        targets: dict[str, list[str]] = {}
        for link in sorted(links, key=lambda link: link.offset):
            targets.setdefault(address_by_target.get(link.target, link.target), []).append(link.target)
        return targets

    def _addresses(self, links: Sequence[BodyLink], store_addresses: Mapping[str, str]) -> dict[str, str]:
        """Return the address by which a load replaces each target; in the store, only those in `store_addresses`."""
        files = asset_addresses(links, self.path, self.addresses)
        if self.published:
            in_store = published_targets(links, self.path, self.addresses.asset_folder or "")
            files = {target: address for target, address in files.items() if target not in in_store}
            files |= {target: store_addresses[target] for target in in_store & store_addresses.keys()}
        return files | dict(self.rewritten)

    def _links(self, text: str, *, html: bool) -> list[BodyLink]:
        return internal_links(ParsedBody(text), html=html, root_pictures=self.addresses.asset_folder is not None)


def picture_as_written(value: Any, before: Any, path: str, addresses: FileAddresses, folder: Path) -> Any:
    """Return the value of a picture field, an address or a list of them, as the file `path` contains it.

    An address becomes the same path as in the old value (`before`), if there is one for it. Another address becomes a
    path if it leads to a file of the content folder: with a slash at its start if the file is in the asset folder.
    """
    if isinstance(value, list):
        return [picture_as_written(item, before, path, addresses, folder) for item in value]
    if not isinstance(value, str) or not addresses.may_be_in(value):
        return value
    asset_folder = addresses.asset_folder or ""
    for target in before if isinstance(before, list) else [before]:
        if isinstance(target, str) and is_picture_path(target):
            files = candidates(target, path, asset_folder)
            if value in (file_address(target, file, addresses) for file in files if (folder / file).is_file()):
                return target
    found = _find_file(value, folder, addresses)
    if found is None:
        return value
    asset_prefix = f"{(addresses.address(asset_folder or '.') or '').rstrip('/')}/"
    if is_below(found[0], asset_folder) and value.startswith(asset_prefix):
        return f"/{value.removeprefix(asset_prefix)}"
    return _relative_link(*found, path)


def _find_file(address: str, folder: Path, addresses: FileAddresses) -> tuple[str, str] | None:
    """Return what `FileAddresses.find` returns for a file of the folder; None for a document.

    A relative link to a document would lead to its entry.
    """
    found = addresses.find(address, exists=lambda file: (folder / file).is_file())
    return None if found is None or found[0].lower().endswith(DOCUMENT_SUFFIXES) else found


def _relative_link(file: str, query_and_fragment: str, path: str) -> str:
    """Return the link from the file `path` to another file."""
    return quote(posixpath.relpath(file, posixpath.dirname(path))) + query_and_fragment


def as_written(name: str, value: Any) -> Any:
    """Return the value of a field as it is written in a file; `name` is the last part of its dotted name."""
    if name in INSTANTS and isinstance(value, str):
        return PlainScalar(value.replace(".000000Z", "Z"))  # without quotes, and without zero microseconds
    return value


def new_values(entry: Entry, config: Config, definitions: Definitions) -> dict[str, Any]:
    """Return the fields of a new entry in the model's order, without null, empty and default values.

    Of an article's Markdown and HTML, return only the text that the service shows: with both, it might show the other.
    """
    rules = RECORDS[entry.kind].rules()
    values = dict(_authored_fields(entry, rules, config))
    values |= {name: entry.fields.get(name) for name in definitions.get(entry.kind, ())}
    values = {name: value for name, value in values.items() if value not in _EMPTY_VALUES}
    if entry.kind is Kind.ARTICLE and "markdown" in values and "content" in values:
        del values["content" if shows_markdown(entry) else "markdown"]
    return values


def shows_markdown(entry: Entry) -> bool:
    """Return whether the service shows the Markdown of an article, and not its HTML."""
    is_markdown = entry.fields.get("is_markdown")
    return is_markdown if isinstance(is_markdown, bool) else bool(entry.fields.get("markdown"))


def _authored_fields(entry: Entry, rules: Mapping[str, Any], config: Config) -> Iterator[tuple[str, Any]]:
    """Yield the name of each field in `rules` whose value is not the default, and the value as an author writes it."""
    for name, rule in rules.items():
        value = entry.fields.get(name)
        if name == "translations":
            locales = config.site.locales[1:]  # the first is the default language
            translations = value if isinstance(value, Mapping) else {}
            texts_by_locale = {locale: _without_empty(translations.get(locale)) for locale in locales}
            yield name, {locale: texts for locale, texts in texts_by_locale.items() if texts}
        elif name == "seo":
            yield name, _without_empty(value)
        elif value != rule.default or type(value) is not type(rule.default):  # 0 == False
            yield name, as_written(name, value)


def _without_empty(value: Any) -> dict[str, Any]:
    """Return the texts of a translation or of `seo` without empty values, also inside `seo`; {} for another value."""
    if not isinstance(value, Mapping):
        return {}
    texts = {name: _without_empty(inner) if name == "seo" else inner for name, inner in value.items()}
    return {name: text for name, text in texts.items() if text not in _EMPTY_VALUES}
