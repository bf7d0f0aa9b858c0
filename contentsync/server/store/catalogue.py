"""The data that every page of a site needs (categories, tags, custom fields, menus), cached until it changes."""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import chain, islice
from typing import Any

import orjson

from ...model import Definition, Kind
from ...model.custom_field import WITH_OPTIONS
from .caching import DirectoryCache
from .public_records import pages_in_menus
from .record_kinds import CATEGORIES, CUSTOM_FIELDS, TAGS
from .search_documents import link_choice
from .sql import Connection, Row
from .versions import collection_states
from .words import QueryWord, words

MAX_DIRECTORIES = 64
NEVER_SHOWN = frozenset({"html", "javascript"})  # types of custom fields whose values would run (docs/faults.md XS-12)
NUMBERS = ("number", "rating")  # types of custom fields by whose values visitors filter with a lowest and a highest one
MAX_MATCHES = 500  # categories, and as many tags, that one word of a search finds; databases limit the ids in a query
MAX_FIELD_FILTERS = 6  # on a page of a list
MAX_FIELD_OPTIONS = 50  # of one filter; a page with more of them would be long

_KINDS = (Kind.CATEGORY, Kind.TAG, Kind.CUSTOM_FIELD, Kind.PAGE)
_MENU_FIELDS = ("title", "slug", "is_external", "external_url", "new_tab")

CatalogueRecord = Mapping[str, Any]  # fields, id and updated_at; in menus only _MENU_FIELDS


@dataclass(frozen=True, eq=False)
class Catalogue:
    """Active categories and tags by id, visible custom fields by kind, and the pages of the menus.

    Tags are sorted by title, all others by `order`. Requests share a catalogue and must not change it.
    """

    categories: Mapping[int, CatalogueRecord]
    tags: Mapping[int, CatalogueRecord]
    fields: Mapping[Kind, Sequence[Definition]]
    menus: Mapping[str, Sequence[CatalogueRecord]]  # by placement

    @cached_property
    def children(self) -> Mapping[int | None, Sequence[CatalogueRecord]]:
        """Return the subcategories by the parent's id; None: the top categories."""
        children: dict[int | None, list[CatalogueRecord]] = {}
        for category in self.categories.values():
            parent = category["parent_id"]
            children.setdefault(parent if parent in self.categories else None, []).append(category)
        return children

    @property
    def top_categories(self) -> Sequence[CatalogueRecord]:
        """Return the categories without an active parent."""
        return self.children.get(None, ())

    @cached_property
    def tree(self) -> Sequence[tuple[CatalogueRecord, int]]:
        """Return all categories with their level (0: top), each before its subcategories."""
        tree: list[tuple[CatalogueRecord, int]] = []
        stack = [(each, 0) for each in reversed(self.top_categories)]  # the last item is visited next
        while stack:
            category, level = stack.pop()
            tree.append((category, level))
            stack += [(each, level + 1) for each in reversed(self.children.get(category["id"], ()))]
        return tree

    def category(self, slug: str) -> CatalogueRecord | None:
        """Return the active category with the slug, or None."""
        return next((each for each in self.categories.values() if each["slug"] == slug), None)

    def tag(self, slug: str) -> CatalogueRecord | None:
        """Return the active tag with the slug, or None."""
        return next((each for each in self.tags.values() if each["slug"] == slug), None)

    @cached_property
    def field_filters(self) -> Mapping[str, Definition]:
        """Return, by name, those of the first fields with a filter that have choices: checkboxes and options."""
        return {each["name"]: each for each in self._filters if each["type"] not in NUMBERS}

    @cached_property
    def number_filters(self) -> Mapping[str, Definition]:
        """Return, by name, those of the first fields with a filter whose values are numbers."""
        return {each["name"]: each for each in self._filters if each["type"] in NUMBERS}

    def searched_fields(self, kind: Kind) -> Sequence[Definition]:
        """Return the custom fields of a kind whose words a search finds: those whose values visitors see."""
        return [each for each in self.fields.get(kind, ()) if each["type"] not in NEVER_SHOWN]

    @cached_property
    def _filters(self) -> Sequence[Definition]:
        """Return the first fields by which visitors can filter."""
        fields = (each for each in self.fields[Kind.LISTING] if each["filterable"])
        can_filter = (each for each in fields if each["type"] in ("checkbox", *NUMBERS) or _has_options(each))
        return [*islice(can_filter, MAX_FIELD_FILTERS)]

    @cached_property
    def _choices_by_word(self) -> Sequence[tuple[str, str, int]]:
        """Return the words in titles, sorted, each with the field that links to its record and the record's id."""
        records = (("categories", self.categories), ("tags", self.tags))
        return sorted(
            (word, field, id_)
            for field, titles in records
            for id_, record in titles.items()
            for word in set(words(record["title"]))
        )

    def choices_of(self, word: QueryWord) -> tuple[str, ...]:
        """Return the choices of categories, with their subcategories, and of tags that have the word in their title.

        There are at most MAX_MATCHES of each.
        """
        spellings = [self._linked(spelling, is_prefix=word.is_prefix) for spelling in word.spellings]
        found = sorted(set().union(*spellings))
        categories = [id_ for field, id_ in found if field == "categories"]
        branches = dict.fromkeys(chain.from_iterable(map(self.branch_ids, categories[:MAX_MATCHES])))
        tags = [id_ for field, id_ in found if field == "tags"]
        return (
            *(link_choice("categories", id_) for id_ in islice(branches, MAX_MATCHES)),
            *(link_choice("tags", id_) for id_ in tags[:MAX_MATCHES]),
        )

    def _linked(self, spelling: Sequence[str], *, is_prefix: bool) -> set[tuple[str, int]]:
        """Return the fields and ids of the records whose title has all words of a spelling."""
        found = []
        for number, part in enumerate(spelling, 1):
            may_go_on = is_prefix and number == len(spelling)
            some = set()
            for word, field, id_ in islice(self._choices_by_word, bisect_left(self._choices_by_word, (part,)), None):
                if not word.startswith(part):
                    break
                if word == part or may_go_on:
                    some.add((field, id_))
            found.append(some)
        return set.intersection(*found)

    def branch_ids(self, category_id: int) -> Iterator[int]:
        """Yield the ids of a category and of all its subcategories, at every level."""
        stack = [category_id]
        while stack:
            current = stack.pop()
            yield current
            stack += [child["id"] for child in self.children.get(current, ())]

    def path_to(self, category_id: int) -> list[CatalogueRecord]:
        """Return the categories from the top category to this one; empty if this one is not active."""
        path: list[CatalogueRecord] = []
        current = self.categories.get(category_id)
        while current is not None:
            path.append(current)
            current = self.categories.get(current["parent_id"])
        return path[::-1]


class CatalogueCache:
    """The catalogues of directories; one cache for each server process."""

    def __init__(self) -> None:
        self._directories = DirectoryCache[Catalogue](MAX_DIRECTORIES)

    def get(self, connection: Connection, directory_id: int) -> Catalogue:
        """Return the directory's catalogue as the transaction sees it."""
        states = collection_states(connection, directory_id)
        versions = tuple(states[kind].version for kind in _KINDS)
        return self._directories.get(directory_id, versions, partial(_read_catalogue, connection, directory_id))


def _read_catalogue(connection: Connection, directory_id: int) -> Catalogue:
    """Read the catalogue; records that visitors do not see are left out."""
    categories = [_record(row) | {"parent_id": row.parent_id} for row in CATEGORIES.rows(connection, directory_id)]
    tags = sorted(map(_record, TAGS.rows(connection, directory_id)), key=lambda tag: tag["title"].casefold())
    fields: dict[Kind, list[Definition]] = {kind: [] for kind in (Kind.LISTING, Kind.ORGANIZER, Kind.ARTICLE)}
    for definition in map(_record, CUSTOM_FIELDS.rows(connection, directory_id)):
        if definition["is_visible"]:
            fields[Kind(definition["fieldable_type"])].append(definition)
    menus: dict[str, list[CatalogueRecord]] = {"navbar": [], "sidebar": [], "footer": []}
    for page in map(_record, pages_in_menus(connection, directory_id)):
        menus[page["placement"]].append({name: page[name] for name in _MENU_FIELDS})
    return Catalogue(
        categories={each["id"]: each for each in categories if each["is_active"]},
        tags={each["id"]: each for each in tags if each["is_active"]},
        fields=fields,
        menus=menus,
    )


def _has_options(definition: Definition) -> bool:
    return definition["type"] in WITH_OPTIONS and 0 < len(definition["options"] or ()) <= MAX_FIELD_OPTIONS


def _record(row: Row) -> dict[str, Any]:
    return {**orjson.loads(row.data), "id": row.id, "updated_at": row.updated_at}
