"""Decide which new listings need no slug in a table: the server makes the same one from the name."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from ...model import Entry
from ...model.slug import make_slug


class ImpliedSlugs:
    """The slugs that listings have without a value for `slug`; `listings` are all of the folder and of the server."""

    def __init__(self, listings: Iterable[Entry]) -> None:
        """Store the listings; one of the folder and its record, with the same key, count as one."""
        self._listings = listings

    def is_implied(self, listing: Entry) -> bool:
        """Return whether a listing without its slug would get the same one, also on an empty server.

        Return False if another listing could get the slug first.
        """
        slug = listing.fields.get("slug")
        return slug == _made_slug(listing) and self._claims[slug] <= 1

    @cached_property
    def _claims(self) -> Counter[str]:
        """How many listings have a slug, or would get it from their name."""
        claims = {
            (slug, listing.key)
            for listing in self._listings
            for slug in (str(listing.fields.get("slug") or ""), _made_slug(listing))
        }
        return Counter(slug for slug, _key in claims)


def _made_slug(listing: Entry) -> str:
    return make_slug(str(listing.fields.get("name") or ""))
