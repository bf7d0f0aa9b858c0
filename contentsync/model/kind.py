"""The seven kinds of entries that a directory holds."""

from enum import StrEnum


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
        """The path segment of the kind under a directory (service-api.md 4, resolved.md)."""
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
