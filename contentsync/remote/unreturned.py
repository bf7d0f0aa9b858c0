"""What a service never returns: the keys of the contract that no record of a whole list has."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from ..model import RECORDS, Kind
from ..model.seo import ArticleSeo, PageSeo

_SEO = {Kind.PAGE: PageSeo, Kind.ARTICLE: ArticleSeo}


def unreturned(kind: Kind, records: Sequence[Mapping[str, Any]], custom: Collection[str]) -> frozenset[str]:
    """Return the fields (dotted inside of `seo`) of which the list says nothing; `custom` are its custom fields.

    A single record without a key says that it is empty there. So does one without a custom field, where any record
    has any: services leave out those without a value. An empty list says nothing about keys.
    """
    if not records:
        return frozenset()
    returned = set[str]().union(*records)
    missing = RECORDS[kind].rules().keys() - returned
    if returned.isdisjoint(custom):
        missing |= set(custom)
    seo = [record["seo"] for record in records if isinstance(record.get("seo"), Mapping)]
    if seo and kind in _SEO:
        inside = {_SEO[kind].aliases.get(name, name) for name in set[str]().union(*seo)}
        missing |= {f"seo.{name}" for name in _SEO[kind].rules().keys() - inside}
    return frozenset(missing)
