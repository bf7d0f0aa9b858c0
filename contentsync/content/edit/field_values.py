"""The server's values as an author would write them: fields, links and bodies."""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from ...model import FIELDABLE, INSTANTS, RECORDS, Definition, Entry, Kind, Plain
from ...model.markdown_budget import TooIntricate
from ..body_links import all_links, internal_links
from ..config import Config
from ..draft import BODY_FIELDS, is_html_field
from ..site_links import resolve_target, rewrite_relative_links
from ..source_file import normalize_newlines

_BLANK_START = re.compile(r"[ \t]*(?:\n|\Z)")
_NOT_BELOW = re.compile(r"^<<<<<<< ", re.MULTILINE)  # of a merge conflict


def trim_body(body: str) -> str:
    """Return the body as `sync.equal` and the readers of files see it."""
    return normalize_newlines(body).strip("\n").rstrip()


def fits_below(body: str) -> bool:
    """Return whether a trimmed body is read back unchanged below a front matter."""
    return not (body and _BLANK_START.match(body)) and not _NOT_BELOW.search(body)


def restore_relative_links(text: str, before: str, path: str, base: str, folder: Path, *, html: bool) -> str:
    """Return the text with relative links instead of links below the site's asset address.

    Links that the text in the file already had keep their form; others become relative if they lead to a file of
    the content folder. Reading turns them back into addresses. A text that would be read differently stays as it
    is.
    """
    start = f"{base.rstrip('/')}/"
    if start not in text:
        return text
    try:
        known = {address: target for target, address in _known_addresses(before, path, base, html=html)}
        changed = text
        for link in sorted(all_links(text, html=html), key=lambda link: link.offset, reverse=True):
            target = link.target.startswith(start) and (
                known.get(link.target) or _relative(link.target.removeprefix(start), path, folder)
            )
            if target and changed.startswith(link.target, link.offset):
                changed = changed[: link.offset] + target + changed[link.offset + len(link.target) :]
        relative = [link for link in internal_links(changed, html=html) if link.is_relative]
        back, _ = rewrite_relative_links(changed, relative, path, base, html=html)
    except TooIntricate:
        return text
    return changed if back == text else text


def _known_addresses(text: str, path: str, base: str, *, html: bool) -> Iterator[tuple[str, str]]:
    """Yield the relative targets of a text in a file, and their addresses."""
    for link in internal_links(text, html=html):
        if link.is_relative:
            file, rest = resolve_target(link.target, path)
            if file:
                yield link.target, f"{base.rstrip('/')}/{quote(file)}{rest}"


def _relative(target: str, path: str, folder: Path) -> str:
    """Return the relative path from a file to another file of the folder, or "" if there is no such file."""
    place = target.partition("#")[0].partition("?")[0]
    file = posixpath.normpath(unquote(place))
    if file.startswith(("/", "..")) or not (folder / file).is_file():
        return ""
    return quote(posixpath.relpath(file, posixpath.dirname(path))) + target[len(place) :]


Definitions = Mapping[Kind, Mapping[str, Definition]]  # custom fields by kind and name


def definitions_of(*entries: Collection[Entry]) -> Definitions:
    """Return the custom fields among entries; the first one of a name wins."""
    found: dict[Kind, dict[str, Definition]] = {kind: {} for kind in FIELDABLE}
    for entry in (entry for some in entries for entry in some):
        if entry.kind is Kind.CUSTOM_FIELD:
            kind = Kind(entry.fields.get("fieldable_type", Kind.LISTING))
            found[kind].setdefault(entry.key, entry.fields)
    return found


def as_written(name: str, value: Any) -> Any:
    """Return the value of a field as it is written in a file; `name` is the last part of its dotted name."""
    if name in INSTANTS and isinstance(value, str):
        return Plain(value.replace(".000000Z", "Z"))
    return value


def new_values(entry: Entry, config: Config, definitions: Definitions) -> dict[str, Any]:
    """Return the fields of a new entry in the model's order, without null, empty and default values.

    Of an article's two texts, only the one that the service shows: with both, it might show the other one.
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
    """Return whether the service shows an article's Markdown; else it shows the HTML."""
    is_markdown = entry.fields.get("is_markdown")
    return is_markdown if isinstance(is_markdown, bool) else bool(entry.fields.get("markdown"))


def _authored_fields(entry: Entry, rules: Mapping[str, Any], config: Config) -> Iterator[tuple[str, Any]]:
    for name, rule in rules.items():
        value = entry.fields.get(name)
        if name == "translations":
            locales = config.site.locales[1:]
            translations = value if isinstance(value, Mapping) else {}
            yield name, {locale: texts for locale in locales if (texts := _without_nulls(translations.get(locale)))}
        elif name == "seo":
            yield name, _without_nulls(value)
        elif rule.default is None or value != rule.default or type(value) is not type(rule.default):
            yield name, as_written(name, value)


def _without_nulls(value: Any) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        return {}
    nested = {name: _without_nulls(inner) if name == "seo" else inner for name, inner in value.items()}
    return {name: inner for name, inner in nested.items() if inner not in (None, "", {}, [])}
