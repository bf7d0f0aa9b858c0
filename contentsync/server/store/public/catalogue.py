"""What every page of a site shows or judges by: categories, tags, custom fields and menus, remembered while true."""

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import orjson
from sqlalchemy import Connection, Row

from ....model import Definition, Kind
from ..categories import CATEGORIES
from ..custom_fields import CUSTOM_FIELDS
from ..tags import TAGS
from ..versions import States, states
from .pages import placed

MOST_DIRECTORIES = 64

_SHOWN = (Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD, Kind.PAGE)

Values = Mapping[str, Any]  # the fields of a record, with its id, and updated_at where it has a page of its own


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Active categories and tags by id, visible custom fields by what carries them, and the pages of the menus.

    All are in their order, which of tags is that of their titles. Nobody may change what is in it.
    """

    categories: Mapping[int, Values]
    tags: Mapping[int, Values]
    fields: Mapping[Kind, Sequence[Definition]]
    menus: Mapping[str, Sequence[Values]]  # by placement

    @cached_property
    def children(self) -> Mapping[int | None, Sequence[Values]]:
        """The categories below each; one whose parent is not active stands at the top."""
        below: dict[int | None, list[Values]] = {}
        for category in self.categories.values():
            parent = category["parent_id"]
            below.setdefault(parent if parent in self.categories else None, []).append(category)
        return below

    @cached_property
    def tree(self) -> Sequence[tuple[Values, int]]:
        """All categories, each before those below it, with the number of those above it."""
        flat: list[tuple[Values, int]] = []
        left = [(each, 0) for each in reversed(self.children.get(None, ()))]
        while left:
            category, level = left.pop()
            flat.append((category, level))
            left += [(each, level + 1) for each in reversed(self.children.get(category["id"], ()))]
        return flat

    def category(self, slug: str) -> Values | None:
        """The active category with the slug."""
        return next((each for each in self.categories.values() if each["slug"] == slug), None)

    def tag(self, slug: str) -> Values | None:
        """The active tag with the slug."""
        return next((each for each in self.tags.values() if each["slug"] == slug), None)

    def branch(self, category_id: int) -> Iterator[int]:
        """The ids of a category and of all that are shown below it."""
        left = [category_id]
        while left:
            at = left.pop()
            yield at
            left += [child["id"] for child in self.children.get(at, ())]

    def way_to(self, category_id: int) -> list[Values]:
        """The category after all that it is shown below."""
        way: list[Values] = []
        at = self.categories.get(category_id)
        while at is not None:
            way.append(at)
            at = self.categories.get(at["parent_id"])
        return way[::-1]


class Catalogues:
    """The catalogues of directories, each kept under the versions of its collections; one for a server process."""

    def __init__(self) -> None:
        self._known: OrderedDict[int, tuple[tuple[int, ...], Catalogue]] = OrderedDict()

    def of(self, connection: Connection, directory_id: int) -> Catalogue:
        """The catalogue as the transaction sees it."""
        versions = _versions(states(connection, directory_id))
        known = self._known.pop(directory_id, None)
        if known is None or known[0] != versions:
            known = versions, _read(connection, directory_id)
        self._known[directory_id] = known
        if len(self._known) > MOST_DIRECTORIES:
            self._known.popitem(last=False)
        return known[1]


def _versions(collections: States) -> tuple[int, ...]:
    return tuple(collections[kind].version for kind in _SHOWN)


def _read(connection: Connection, directory_id: int) -> Catalogue:
    categories = [_values(row) | {"parent_id": row.parent_id} for row in CATEGORIES.rows(connection, directory_id)]
    tags = sorted(map(_values, TAGS.rows(connection, directory_id)), key=lambda tag: tag["title"].casefold())
    fields: dict[Kind, list[Definition]] = {kind: [] for kind in (Kind.LISTING, Kind.ORGANIZER, Kind.ARTICLE)}
    for definition in map(_values, CUSTOM_FIELDS.rows(connection, directory_id)):
        if definition["is_visible"]:
            fields[Kind(definition["fieldable_type"])].append(definition)
    menus: dict[str, list[Values]] = {"navbar": [], "sidebar": [], "footer": []}
    for page in map(_values, placed(connection, directory_id)):
        menus[page["placement"]].append({name: page[name] for name in _LINK})
    return Catalogue(
        categories={each["id"]: each for each in categories if each["is_active"]},
        tags={each["id"]: each for each in tags if each["is_active"]},
        fields=fields,
        menus=menus,
    )


_LINK = ("title", "slug", "is_external", "external_url", "new_tab")


def _values(row: Row[Any]) -> dict[str, Any]:
    return {**orjson.loads(row.data), "id": row.id, "updated_at": row.updated_at}
