"""Convert the server's values to the form in which an author writes them: fields, links and bodies."""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from ...model import FIELDABLE, INSTANTS, RECORDS, Definition, Entry, Kind, PlainScalar
from ...model.markdown_budget import TooIntricate
from ..body_links import BodyLink, all_links, internal_links
from ..config import Config
from ..link_rewriting import asset_addresses, published_targets, replace_targets, rewrite_links
from ..pictures.picture_fields import candidates, file_address, is_picture_path
from ..pictures.published_paths import PublishedPaths
from ..scan import DOCUMENT_SUFFIXES
from ..source_file import normalize_newlines

_BLANK_START = re.compile(r"[ \t]*(?:\n|\Z)")
_NOT_BELOW = re.compile(r"^<<<<<<< ", re.MULTILINE)  # the start of a merge conflict, which readers refuse
_EMPTY_VALUES: tuple[Any, ...] = (None, "", [], {})


def trim_body(body: str) -> str:
    """Return the body in the form that `sync.equal` compares and readers return: without blank lines around it."""
    return normalize_newlines(body).strip("\n").rstrip()


def fits_below(body: str) -> bool:
    """Return whether a trimmed body can be written below a front matter and read back unchanged."""
    return not (body and _BLANK_START.match(body)) and not _NOT_BELOW.search(body)


def restore_links(
    text: str,
    before: str,
    path: str,
    base: str | None,
    folder: Path,
    rewritten: Mapping[str, str],
    *,
    html: bool,
    asset_folder: str | None = None,
    published: PublishedPaths | None = None,
) -> str:
    """Return the text with the author's links in place of the addresses that a load replaces them with.

    The text is for the file `path`. `rewritten` has the address of each target in it that a load rewrites to the
    address of an entry. A link that is also in the file's old text (`before`) is written as it is there. Another link
    below the site's asset address (`base`), or to a file in the asset store (`published`), becomes relative if it
    leads to a file of the content folder. With an `asset_folder`, pictures may begin with a slash, as for
    `collect_links`. If a load of the result would not give the same text, return the text unchanged.
    """
    prefix = f"{base.rstrip('/')}/" if base else None
    may_have_assets = prefix is not None and prefix in text
    may_have_published = published is not None and published.base in text
    if not (rewritten or may_have_assets or may_have_published):
        return text
    store_addresses: dict[str, str] = {}  # by target
    addresses = _Addresses(path, base, asset_folder, rewritten, store_addresses if published else None)
    try:
        old_targets = _targets_by_address(before, addresses, html=html)
        pieces: list[str] = []
        end = 0  # the offset up to which `pieces` replaces the text
        for link in sorted(all_links(text, html=html), key=lambda link: link.offset):
            old_forms = old_targets.get(link.target)
            if old_forms:  # in the order of the old text; further links are written like the last one
                target = old_forms.pop(0) if len(old_forms) > 1 else old_forms[0]
            elif published and (file_target := published.target(link.target, path, rooted=link.embedded)):
                target = file_target
                store_addresses[target] = link.target
            elif prefix and link.target.startswith(prefix):
                target = _relative(link.target.removeprefix(prefix), path, folder)
            else:
                continue
            replaced = replace_targets(target, [(0, target, link.target)])  # of a wiki link, with its label
            start = link.offset - replaced.rfind(link.target)
            if target and start >= end and text.startswith(replaced, start):
                pieces += [text[end:start], target]
                end = start + len(replaced)
        restored = "".join((*pieces, text[end:]))
        links = internal_links(restored, html=html, root_pictures=asset_folder is not None)
        reread = rewrite_links(restored, links, addresses.of(links), html=html)
    except TooIntricate:
        return text
    return restored if reread == text else text


@dataclass(frozen=True, slots=True)
class _Addresses:
    """The addresses that a load gives the targets of links in the file `path`."""

    path: str
    base: str | None
    asset_folder: str | None
    rewritten: Mapping[str, str]
    in_store: Mapping[str, str] | None  # by target, for targets that are not in the old text; None without a store

    def of(self, links: Sequence[BodyLink]) -> dict[str, str]:
        """Return the address that replaces each target; of a file in the store, only if `in_store` has it."""
        files = asset_addresses(links, self.path, self.base, self.asset_folder) if self.base else {}
        if self.in_store is not None:
            names = published_targets(links, self.path, self.asset_folder or "")
            files = {target: address for target, address in files.items() if target not in names}
            files |= {target: self.in_store[target] for target in names & self.in_store.keys()}
        return files | dict(self.rewritten)


def _targets_by_address(text: str, addresses: _Addresses, *, html: bool) -> dict[str, list[str]]:
    """Return the targets of the links in a text, in the order of the links, by the address that a load gives them."""
    links = internal_links(text, html=html, root_pictures=addresses.asset_folder is not None)
    address_by_target = addresses.of(links)
    targets: dict[str, list[str]] = {}
    for link in sorted(links, key=lambda link: link.offset):
        targets.setdefault(address_by_target.get(link.target, link.target), []).append(link.target)
    return targets


def picture_as_written(value: Any, before: Any, path: str, base: str, folder: Path, asset_folder: str) -> Any:
    """Return the value of a picture field, an address or a list of them, as the file `path` contains it.

    An address becomes the same path as in the old value (`before`), if there is one for it. Another address becomes a
    path if it leads to a file of the content folder: with a slash at its start if the file is in the asset folder.
    """
    if isinstance(value, list):
        return [picture_as_written(item, before, path, base, folder, asset_folder) for item in value]
    prefix = f"{base.rstrip('/')}/"
    if not isinstance(value, str) or not value.startswith(prefix):
        return value
    for target in before if isinstance(before, list) else [before]:
        if isinstance(target, str) and is_picture_path(target):
            files = candidates(target, path, asset_folder)
            if value in (file_address(target, file, base) for file in files if (folder / file).is_file()):
                return target
    relative = _relative(value.removeprefix(prefix), path, folder)
    if not relative:
        return value
    asset_prefix = f"{prefix}{quote(asset_folder)}/" if asset_folder else prefix
    return f"/{value.removeprefix(asset_prefix)}" if value.startswith(asset_prefix) else relative


def _relative(target: str, path: str, folder: Path) -> str:
    """Return a link from the file `path` to a target in the content folder; "" if it is no file, or a document."""
    address_path = target.partition("#")[0].partition("?")[0]
    file = posixpath.normpath(unquote(address_path))
    if file.startswith(("/", "..")) or file.lower().endswith(DOCUMENT_SUFFIXES) or not (folder / file).is_file():
        return ""  # a relative link to a document would lead to its entry
    return quote(posixpath.relpath(file, posixpath.dirname(path))) + target[len(address_path) :]


Definitions = Mapping[Kind, Mapping[str, Definition]]  # custom fields by kind and name


def definitions_of(*groups: Collection[Entry]) -> Definitions:
    """Return the custom fields among the entries; of several with the same kind and name, the first one."""
    definitions: dict[Kind, dict[str, Definition]] = {kind: {} for kind in FIELDABLE}
    for entry in chain(*groups):
        if entry.kind is Kind.CUSTOM_FIELD:
            kind = Kind(entry.fields.get("fieldable_type", Kind.LISTING))
            definitions[kind].setdefault(entry.key, entry.fields)
    return definitions


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
    """Yield the name and value of each field in `rules` that is not its default, as an author writes it."""
    for name, rule in rules.items():
        value = entry.fields.get(name)
        if name == "translations":
            locales = config.site.locales[1:]  # the first is the default language
            translations = value if isinstance(value, Mapping) else {}
            texts_by_locale = {locale: _without_empty(translations.get(locale)) for locale in locales}
            yield name, {locale: texts for locale, texts in texts_by_locale.items() if texts}
        elif name == "seo":
            yield name, _without_empty(value)
        elif rule.default is None or value != rule.default or type(value) is not type(rule.default):  # 0 == False
            yield name, as_written(name, value)


def _without_empty(value: Any) -> dict[str, Any]:
    """Return the texts of a translation or of `seo` without empty values, also inside `seo`; {} for another value."""
    if not isinstance(value, Mapping):
        return {}
    texts = {name: _without_empty(inner) if name == "seo" else inner for name, inner in value.items()}
    return {name: text for name, text in texts.items() if text not in _EMPTY_VALUES}
