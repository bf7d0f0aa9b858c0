"""Complete addresses without a scheme, such as `//example.org` and `www.example.org`, if the config says so."""

from collections.abc import Iterator, Mapping, Set
from typing import Any, NamedTuple

from ...model import RECORDS, Definition, Kind
from ...model.custom_field import URL_TYPES
from ...model.suggestion import without_scheme
from ..formats.draft import Draft

_OBJECTS = frozenset({"seo", "translations"})  # that contain fields with addresses
_NAMES = frozenset({"url", "video_url", "website_url", "external_url", "social_links"})  # besides pictures
_SURE_BEGINNINGS = ("//", "www.")  # of an address, and not of the path of a picture


class UrlNames(NamedTuple):
    """The names of the fields of a kind with addresses, also of those inside `seo`."""

    links: Set[str]
    pictures: Set[str]  # whose values may be paths of files


def url_names(kind: Kind, definitions: Mapping[str, Definition], pictures: Set[str]) -> UrlNames:
    """Return the names of the fields with addresses, and of custom fields; `pictures` are the names of all kinds."""
    own = RECORDS[kind].rules().keys()
    custom = {name for name, definition in definitions.items() if definition["type"] in URL_TYPES}
    has_seo = "seo" in own
    return UrlNames((_NAMES & own) | custom | ({"canonical"} if has_seo else set()), pictures)


def add_schemes(draft: Draft, scheme: str, names: UrlNames) -> None:
    """Give the addresses of a draft that have no scheme this one; the file keeps them as its author wrote them.

    Call this before `identify`, because the address identifies a listing, and before pictures are collected.
    """
    for address in _addresses(draft.values, names):
        if (rest := address.rest) is not None:
            address.container[address.key] = f"{scheme}://{rest}"


def count_without_scheme(values: Mapping[str, Any], names: UrlNames) -> tuple[int, int]:
    """Return how many addresses in the values of an entry have no scheme, and how many addresses there are."""
    addresses = [*_addresses(values, names)]
    return sum(address.rest is not None for address in addresses), len(addresses)


class _Address(NamedTuple):
    """A text that is or should be an address, with its place."""

    container: Any  # the object or the list that contains it
    key: str | int
    may_be_path: bool  # of the file of a picture

    @property
    def rest(self) -> str | None:
        """The address behind its missing scheme; None if it has one, or is no address."""
        text = self.container[self.key]
        is_path = self.may_be_path and not text.strip().startswith(_SURE_BEGINNINGS)
        return None if is_path else without_scheme(text)


def _addresses(values: Any, names: UrlNames, *, is_inside: bool = False) -> Iterator[_Address]:
    """Yield each text of the fields in `names`, also in lists, in `seo` and in translations."""
    for name, value in values.items():
        if name in names.links or name in names.pictures:
            yield from _texts(values, name, may_be_path=name in names.pictures)
        elif isinstance(value, dict) and (is_inside or name in _OBJECTS):
            yield from _addresses(value, names, is_inside=True)


def _texts(container: Any, key: str | int, *, may_be_path: bool) -> Iterator[_Address]:
    """Yield a text, or those of a list or an object."""
    value = container[key]
    if isinstance(value, str) and value.strip():
        yield _Address(container, key, may_be_path)
    elif isinstance(value, dict | list):
        for inner in value if isinstance(value, dict) else range(len(value)):
            if isinstance(value[inner], str):
                yield from _texts(value, inner, may_be_path=may_be_path)
