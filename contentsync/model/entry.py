"""An entry as a value: its kind, key and fields, from the folder or from the server."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from ..errors import UsageError, Where, pluralize
from .suggestion import did_you_mean
from .urls import url_fault, url_key


class Kind(StrEnum):
    """A kind of entry, in the order in which entries are applied: referenced kinds come first."""

    CATEGORY = "category"
    TAG = "tag"
    CUSTOM_FIELD = "custom_field"
    ORGANIZER = "organizer"
    LISTING = "listing"
    PAGE = "page"
    ARTICLE = "article"

    @property
    def collection(self) -> str:
        """The kind's segment in the API's paths, such as `custom-fields` (docs/contract.md 4, 10)."""
        return _COLLECTIONS[self]

    @property
    def plural(self) -> str:
        """The word for several entries of the kind in messages, such as `custom fields`."""
        return "listings" if self is Kind.LISTING else self.collection.replace("-", " ")

    def counted(self, number: int) -> str:
        """Return a number of entries in words, such as `1 custom field`."""
        return pluralize(number, self.replace("_", " "), self.plural)


# docs/contract.md 8, 10
PAGINATED = frozenset({Kind.PAGE, Kind.ARTICLE, Kind.LISTING})  # the lists of the other kinds have one page
PER_PAGE = 100  # records on a page of a paginated list
BULK_SIZE = 100  # listings in one bulk create

_COLLECTIONS = {
    Kind.CATEGORY: "categories",
    Kind.TAG: "tags",
    Kind.CUSTOM_FIELD: "custom-fields",
    Kind.ORGANIZER: "organizers",
    Kind.LISTING: "projects",
    Kind.PAGE: "pages",
    Kind.ARTICLE: "articles",
}

INSTANTS = frozenset({"published_at", "starts_at", "ends_at"})  # the fields of any kind that are a time

EntryKey = tuple[Kind, str]  # an entry's kind, and its key within the kind


_KIND_BY_NAME = {name.replace(" ", "_"): kind for kind in Kind for name in (kind.value, kind.plural)}


def find_kind(word: str) -> Kind | None:
    """Return the kind with the name `word`, singular or plural, such as `page` or `Custom-Fields`; None if unknown."""
    return _KIND_BY_NAME.get(word.casefold().replace("-", "_").replace(" ", "_"))


def parse_kind(word: str) -> Kind:
    """Return the kind with the name `word`, as `find_kind` does. Raise UsageError for an unknown name."""
    kind = find_kind(word)
    if kind is None:
        hint = did_you_mean(word, Kind) or f"the kinds are {', '.join(Kind)}"
        raise UsageError(f"there is no kind '{word}'", hint)
    return kind


def parse_entry_name(name: str) -> EntryKey:
    """Return the kind and the key of a name such as `page/about`. Raise UsageError for other texts.

    The URL of a listing is normalized, as that of an entry is.
    """
    word, _, key = name.partition("/")
    if not key:
        raise UsageError(f"'{name}' is not the name of an entry", "write its kind and key, such as page/about")
    kind = parse_kind(word)
    return kind, url_key(key) if kind is Kind.LISTING and not url_fault(key) else key


TextPosition = tuple[int, int]  # line and column, both from 1


class AuthoredForm(Protocol):
    """How the files of an entry write its values."""

    @property
    def emptied(self) -> Collection[str]:
        """The fields with an empty value, in place of which the entry may have the default."""

    @property
    def replaced_lines(self) -> Mapping[str, Collection[int]]:
        """By dotted name of a text: the lines, from 1, that differ from the file by `[[markdown.replace]]`."""


class _UnknownForm(NamedTuple):
    emptied: Collection[str] = ()
    replaced_lines: Mapping[str, Collection[int]] = MappingProxyType({})


_UNKNOWN_FORM = _UnknownForm()


@dataclass(frozen=True, slots=True)
class Source:
    """The location of an entry in the folder, and of each of its fields."""

    path: str
    line: int = 1
    locations: Mapping[str, tuple[str, TextPosition]] = field(default_factory=dict)  # dotted field name: path, position
    form: AuthoredForm = _UNKNOWN_FORM

    def where(self, name: str = "") -> Where:
        """Return the location of the field with a dotted name; else of the nearest field around it, or of the entry."""
        while name:
            if name in self.locations:
                path, (line, column) = self.locations[name]
                return Where(path, line, column)
            name = name.rpartition(".")[0]
        return Where(self.path, self.line)


class Reference(str):
    """The key of a referenced entry, with the `id` of its record if that is known.

    Only the key is compared, stored and printed.
    """

    __slots__ = ("id",)
    id: int | None

    def __new__(cls, key: str, id_: int | None) -> "Reference":
        reference = super().__new__(cls, key)
        reference.id = id_
        return reference

    def __getnewargs__(self) -> tuple[str, int | None]:  # type: ignore[override]  # copies keep the id
        return str(self), self.id


class Notes(NamedTuple):
    """The settings of an entry's `sync:` key (docs/content.md 9)."""

    skip: bool = False
    protect: bool = False
    previous: tuple[str, ...] = ()
    distinct: tuple[str, ...] = ()  # of a listing: the keys or slugs of others whose URLs are nearly equal
    merged: tuple[str, ...] = ()


NO_NOTES = Notes()


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry: its kind, its key in the directory, and its authored fields, in wire form.

    References (a listing's `categories`, `tags`, `organizers`, a category's `parent_id`) are keys of other entries, in
    the folder and on the server; the server's are `Reference`s, which also have the id. `translations` has one object
    for each language.
    """

    kind: Kind
    key: str  # slug; a custom field's name; a listing's url_key, else its slug
    fields: Mapping[str, Any]
    source: Source | None = None  # of the folder's entries
    notes: Notes = NO_NOTES
    id: int | None = None  # of the server's entries
    etag: str | None = None  # of the server's entries: for If-Match, if the service has ETags
    created: str | None = None  # of the server's entries: when it was created, if the service reports it
    # Of the server's entries: fields that the service does not return; dotted inside `seo`, a language as
    # `translations.fr`. One set for all entries of a list.
    unknown: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"

    def with_fields(self, fields: Mapping[str, Any]) -> "Entry":
        """Return the entry with other fields; `replace` takes three times as long."""
        return Entry(
            self.kind, self.key, fields, self.source, self.notes, self.id, self.etag, self.created, self.unknown
        )


def value_at(fields: Mapping[str, Any], name: str) -> Any:
    """Return the value under a dotted name; None if the fields do not have it."""
    if "." not in name:
        return fields.get(name)
    value: Any = fields
    for part in name.split("."):
        if not isinstance(value, Mapping):
            return None
        value = value.get(part)
    return value


def with_value(fields: Mapping[str, Any], name: str, value: Any) -> dict[str, Any]:
    """Return a copy of the fields with a value set under a dotted name."""
    first, _, rest = name.partition(".")
    if not rest:
        return {**fields, first: value}
    inner = fields.get(first)
    return {**fields, first: with_value(inner if isinstance(inner, Mapping) else {}, rest, value)}
