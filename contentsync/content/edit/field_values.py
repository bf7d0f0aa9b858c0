"""Convert the server's values to the form in which an author writes them: fields, links and bodies."""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from ...model import FIELDABLE, INSTANTS, RECORDS, Definition, Entry, Kind, PlainScalar
from ...model.markdown_budget import TooIntricate
from ..body_links import BodyLink, all_links, internal_links
from ..config import Config
from ..draft import BODY_FIELDS, is_html_field
from ..link_rewriting import asset_addresses, published_targets, replace_targets, rewrite_links
from ..pictures.picture_fields import candidates, file_address, is_picture_path
from ..pictures.published_paths import PublishedPaths
from ..scan import DOCUMENT_SUFFIXES
from ..source_file import normalize_newlines

_BLANK_START = re.compile(r"[ \t]*(?:\n|\Z)")
_NOT_BELOW = re.compile(r"^<<<<<<< ", re.MULTILINE)  # the start of a merge conflict, which readers refuse


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

    `rewritten` has the address of each target in the file `path` that a load rewrites to the address of an entry.
    A link that the file's old text (`before`) contains gets the same form. Another link below the site's asset address
    (`base`) becomes relative if it leads to a file of the content folder. With an `asset_folder`, pictures may begin
    with a slash, as for `collect_links`. So do the addresses of files that are `published`. If reading the result would
    not give the same text, return the text unchanged.
    """
    prefix = f"{base.rstrip('/')}/" if base else None
    if not rewritten and (prefix is None or prefix not in text) and (published is None or published.base not in text):
        return text
    in_store: dict[str, str] = {}
    addresses = _Addresses(path, base, asset_folder, rewritten, in_store if published else None)
    try:
        old_targets = _targets_by_address(before, addresses, html=html)
        pieces, done = list[str](), 0
        for link in sorted(all_links(text, html=html), key=lambda link: link.offset):
            old_forms = old_targets.get(link.target)
            if old_forms:
                target = old_forms.pop(0) if len(old_forms) > 1 else old_forms[0]
            elif published and (file_target := published.target(link.target, path, rooted=link.embedded)):
                target = file_target
                in_store[target] = link.target
            elif prefix and link.target.startswith(prefix):
                target = _relative(link.target.removeprefix(prefix), path, folder)
            else:
                continue
            replaced = replace_targets(target, [(0, target, link.target)])  # of a wiki link, with its label
            start = link.offset - replaced.rfind(link.target)
            if target and start >= done and text.startswith(replaced, start):
                pieces += [text[done:start], target]
                done = start + len(replaced)
        restored = "".join((*pieces, text[done:]))
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
    in_store: Mapping[str, str] | None  # of targets that the old text does not contain; None without a store

    def of(self, links: Sequence[BodyLink]) -> dict[str, str]:
        """Return the address of each target that a load replaces."""
        files = asset_addresses(links, self.path, self.base, self.asset_folder) if self.base else {}
        if self.in_store is not None:
            names = published_targets(links, self.path, self.asset_folder or "")
            files = {target: address for target, address in files.items() if target not in names}
            files |= {target: self.in_store[target] for target in names & self.in_store.keys()}
        return files | dict(self.rewritten)


def _targets_by_address(text: str, addresses: _Addresses, *, html: bool) -> dict[str, list[str]]:
    """Return the targets of the links in a text, in order, by their addresses after a load."""
    links = internal_links(text, html=html, root_pictures=addresses.asset_folder is not None)
    address_by_target = addresses.of(links)
    targets: dict[str, list[str]] = {}
    for link in sorted(links, key=lambda link: link.offset):
        targets.setdefault(address_by_target.get(link.target, link.target), []).append(link.target)
    return targets


def picture_as_written(value: Any, before: Any, path: str, base: str, folder: Path, asset_folder: str) -> Any:
    """Return the path of a picture in place of its address, or a list of both, for the file `path`.

    An address that the old value (`before`) contains as a path gets the same form. Another one becomes a path if it
    leads to a file of the content folder: with a slash at its start if the file is in the asset folder.
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
    inside = f"{prefix}{quote(asset_folder)}/" if asset_folder else prefix
    return f"/{value.removeprefix(inside)}" if relative and value.startswith(inside) else relative or value


def _relative(target: str, path: str, folder: Path) -> str:
    """Turn a path in the content folder into a link from the file `path`; return "" if there is no file."""
    address_path = target.partition("#")[0].partition("?")[0]
    file = posixpath.normpath(unquote(address_path))
    if file.startswith(("/", "..")) or file.lower().endswith(DOCUMENT_SUFFIXES) or not (folder / file).is_file():
        return ""  # a relative link to a document would lead to its entry
    return quote(posixpath.relpath(file, posixpath.dirname(path))) + target[len(address_path) :]


Definitions = Mapping[Kind, Mapping[str, Definition]]  # custom fields by kind and name


def definitions_of(*entries: Collection[Entry]) -> Definitions:
    """Return the custom fields among the entries; of several with the same kind and name, the first one."""
    definitions: dict[Kind, dict[str, Definition]] = {kind: {} for kind in FIELDABLE}
    for entry in (entry for group in entries for entry in group):
        if entry.kind is Kind.CUSTOM_FIELD:
            kind = Kind(entry.fields.get("fieldable_type", Kind.LISTING))
            definitions[kind].setdefault(entry.key, entry.fields)
    return definitions


def as_written(name: str, value: Any) -> Any:
    """Return the value of a field as it is written in a file; `name` is the last part of its dotted name."""
    if name in INSTANTS and isinstance(value, str):
        return PlainScalar(value.replace(".000000Z", "Z"))
    return value


def new_values(entry: Entry, config: Config, definitions: Definitions) -> dict[str, Any]:
    """Return the fields of a new entry in the model's order, without null, empty and default values.

    Of an article's Markdown and HTML, return only the text that the service shows: with both, it might show the other.
    """
    rules = RECORDS[entry.kind].rules()
    values = {name: value for name, value in _authored_fields(entry, rules, config) if value not in (None, "", [], {})}
    values |= {
        name: entry.fields[name]
        for name in definitions.get(entry.kind, ())
        if entry.fields.get(name) not in (None, "", [], {})
    }
    if entry.kind is Kind.ARTICLE and values.keys() >= {*BODY_FIELDS}:
        hidden = next(name for name in BODY_FIELDS if is_html_field(entry.kind, name) == shows_markdown(entry))
        del values[hidden]
    return values


def shows_markdown(entry: Entry) -> bool:
    """Return whether the service shows the Markdown of an article, and not its HTML."""
    is_markdown = entry.fields.get("is_markdown")
    return is_markdown if isinstance(is_markdown, bool) else bool(entry.fields.get("markdown"))


def _authored_fields(entry: Entry, rules: Mapping[str, Any], config: Config) -> Iterator[tuple[str, Any]]:
    """Yield the name and the value of each field of the model as an author would write it, without defaults."""
    for name, rule in rules.items():
        value = entry.fields.get(name)
        if name == "translations":
            locales = config.site.locales[1:]
            translations = value if isinstance(value, Mapping) else {}
            texts_by_locale = {locale: _without_empty(translations.get(locale)) for locale in locales}
            yield name, {locale: texts for locale, texts in texts_by_locale.items() if texts}
        elif name == "seo":
            yield name, _without_empty(value)
        elif rule.default is None or value != rule.default or type(value) is not type(rule.default):
            yield name, as_written(name, value)


def _without_empty(value: Any) -> dict[str, Any]:
    """Return the texts of a translation or of `seo` without empty values, also inside `seo`; {} for another value."""
    if not isinstance(value, Mapping):
        return {}
    nested = {name: _without_empty(inner) if name == "seo" else inner for name, inner in value.items()}
    return {name: inner for name, inner in nested.items() if inner not in (None, "", {}, [])}
