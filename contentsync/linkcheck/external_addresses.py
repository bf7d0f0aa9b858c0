"""Find the addresses on other hosts that a folder contains: in the fields of entries, and as links of their bodies."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple
from urllib.parse import urldefrag

from ..content.config.config import Config
from ..content.folder.load import Content
from ..content.formats.draft import BODY_FIELDS, is_html_field
from ..content.links.body_links import BodyLink, all_links
from ..content.links.link_forms import unescaped
from ..content.links.parsed_body import ParsedBody
from ..model import Entry
from ..model.markdown_budget import TooIntricate
from ..model.urls import LOCAL_FILES, url_fault

_OBJECTS = ("seo", "translations")  # their values are fields of their own, with dotted names
_NO_ADDRESSES = ("schema", "json_ld", "head_html")  # their addresses are names, or for machines


class AddressUse(NamedTuple):
    """A place with an address: a field of an entry, by its dotted name, or a link in a body.

    `field` is the name by which an edit changes the value. `written` is the text there, which may have a fragment.
    """

    entry: Entry
    field: str
    written: str
    link: BodyLink | None = None  # in a body


def find_addresses(content: Content) -> dict[str, list[AddressUse]]:
    """Return each address, without its fragment, with all of its places.

    Addresses that `exclude` of the config matches are left out, and those of the folder's own files.
    """
    exclude, own = content.config.links.exclude, _own_addresses(content.config)
    found: dict[str, list[AddressUse]] = defaultdict(list)
    for entry in content.entries:
        for use in _uses(entry, "", entry.fields):
            address = urldefrag(_with_scheme(use.written)).url
            is_external = address.lower().startswith(("http://", "https://")) and not address.startswith(own)
            if is_external and not url_fault(address) and not _matches(address, exclude):
                found[address].append(use)
    return dict(found)


def _own_addresses(config: Config) -> tuple[str, ...]:
    """Return the starts of the addresses of files, which the folder has itself."""
    files = config.file_addresses
    return tuple(filter(None, (LOCAL_FILES, files.base, files.asset_base, config.store_base)))


def _matches(address: str, patterns: Collection[str]) -> bool:
    return any(fnmatchcase(address, pattern) for pattern in patterns)


def _with_scheme(text: str) -> str:
    return f"https:{text}" if text.startswith("//") else text


def _uses(entry: Entry, prefix: str, fields: Mapping[str, Any]) -> Iterator[AddressUse]:
    """Yield every link of a body, and every value that is nothing but an address; `prefix` ends with a dot."""
    for name, value in fields.items():
        field = f"{prefix}{name}"
        if name in BODY_FIELDS:
            if isinstance(value, str):
                yield from _links(entry, field, value, html=is_html_field(entry.kind, name))
        elif isinstance(value, Mapping) and (name in _OBJECTS or prefix == "translations."):
            yield from _uses(entry, f"{field}.", value)
        elif name not in _NO_ADDRESSES:
            yield from (AddressUse(entry, field, text) for text in _texts(value) if "://" in text and " " not in text)


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts of a value: itself, or those of a list or an object such as `social_links`."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | Mapping):
        for inner in value.values() if isinstance(value, Mapping) else value:
            yield from _texts(inner)


def _links(entry: Entry, field: str, text: str, *, html: bool) -> Iterator[AddressUse]:
    if "//" not in text:
        return
    try:
        links = [*all_links(ParsedBody(text), html=html)]
    except TooIntricate:  # a warning of `validate` names the body
        return
    yield from (AddressUse(entry, field, unescaped(link.target), link) for link in links)
