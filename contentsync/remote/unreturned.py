"""What a service never returns: the keys of the contract that no record of a whole list has."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from ..model import RECORDS, Kind
from ..model.kinds import ArticleSeo, PageSeo

_SEO = {Kind.PAGE: PageSeo, Kind.ARTICLE: ArticleSeo}
_WRITTEN_ONLY = {"category_id"}  # by the contract


def unreturned(kind: Kind, records: Sequence[Mapping[str, Any]], custom: Collection[str]) -> frozenset[str]:
    """Return the fields (dotted inside of `seo`) of which the list says nothing; `custom` are its custom fields.

    A single record without a key says that it is empty there. So does one without a custom field, where any record
    has any: services leave out those without a value. An empty list says nothing about keys.
    """
    if not records:
        return frozenset()
    missing = _missing(RECORDS[kind].rules().keys() - _WRITTEN_ONLY, records)
    if all(record.keys().isdisjoint(custom) for record in records):
        missing |= set(custom)
    seo = [record["seo"] for record in records if isinstance(record.get("seo"), Mapping)] if kind in _SEO else []
    if seo:
        names = _missing(_SEO[kind].rules().keys(), seo)
        names -= {name for alias, name in _SEO[kind].aliases.items() if not _missing({alias}, seo)}
        missing |= {f"seo.{name}" for name in names}
    return frozenset(missing)


def _missing(names: Collection[str], objects: Iterable[Mapping[str, Any]]) -> set[str]:
    """Return the names that no object has; most lists have all of them in the first one."""
    missing = set(names)
    for found in objects:
        if not missing:
            break
        missing = {name for name in missing if name not in found}
    return missing
