"""The seven kinds of entries that a directory holds."""

from enum import StrEnum

from ..errors import UsageError
from .violation import did_you_mean


class Kind(StrEnum):
    """A kind of entry, in the order in which entries are applied: what is referred to comes first."""

    CATEGORY = "category"
    TAG = "tag"
    CUSTOM_FIELD = "custom_field"
    ORGANIZER = "organizer"
    LISTING = "listing"
    PAGE = "page"
    ARTICLE = "article"

    @property
    def collection(self) -> str:
        """The path segment of the kind under a directory (docs/contract.md 4, 10)."""
        return _COLLECTIONS[self]

    @property
    def plural(self) -> str:
        """The word for several entries of the kind, for people."""
        return _PLURALS[self]


_COLLECTIONS = {
    Kind.CATEGORY: "categories",
    Kind.TAG: "tags",
    Kind.CUSTOM_FIELD: "custom-fields",
    Kind.ORGANIZER: "organizers",
    Kind.LISTING: "projects",
    Kind.PAGE: "pages",
    Kind.ARTICLE: "articles",
}

_PLURALS = {
    Kind.CATEGORY: "categories",
    Kind.TAG: "tags",
    Kind.CUSTOM_FIELD: "custom fields",
    Kind.ORGANIZER: "organizers",
    Kind.LISTING: "listings",
    Kind.PAGE: "pages",
    Kind.ARTICLE: "articles",
}


def kind_named(word: str) -> Kind:
    """The kind that somebody typed. Raises UsageError for a word that is none."""
    if word not in set(Kind):
        hint = did_you_mean(word, Kind) or f"the kinds are {', '.join(Kind)}"
        raise UsageError(f"there is no kind '{word}'", hint)
    return Kind(word)
