"""What listings show of the records that they are linked to, remembered while it is true."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Select, bindparam, select

from ...model import Kind
from .links import MOST_PARAMETERS
from .records import json_text
from .schema import categories, organizers, tags
from .versions import Collection

MOST_DIRECTORIES = 64


class Mention(NamedTuple):
    """One kind of record as listings show it: rows of an id and some columns, made into the rest of an object."""

    kind: Kind
    query: Select[Any]
    fields: Callable[..., dict[str, Any]]


class Mentions:
    """JSON texts of categories, tags and organizers; kept in memory, each server process for itself."""

    def __init__(self) -> None:
        # By directory and field: the version of the collection, and its texts by id.
        self._known: OrderedDict[tuple[int, str], tuple[int, dict[int, str]]] = OrderedDict()

    def texts(
        self,
        connection: Connection,
        directory_id: int,
        field: str,
        states: Mapping[Kind, Collection],
        ids: Iterable[int],
    ) -> Mapping[int, str]:
        """The texts of the ids, and of others, in the collections' present state."""
        mention = MENTIONS[field]
        version = states[mention.kind].version
        known_version, known = self._known.pop((directory_id, field), (version, {}))
        if known_version != version:
            known = {}
        new = [other for other in dict.fromkeys(ids) if other not in known]
        for start in range(0, len(new), MOST_PARAMETERS):
            some = {"directory": directory_id, "ids": new[start : start + MOST_PARAMETERS]}
            for other, *columns in connection.execute(mention.query, some):
                known[other] = json_text({"id": other, **mention.fields(*columns)})
        self._known[directory_id, field] = version, known
        if len(self._known) > MOST_DIRECTORIES * len(MENTIONS):
            self._known.popitem(last=False)
        return known


def _category(title: str, parent_title: str | None) -> dict[str, Any]:
    return {"title": title, "parent_title": parent_title}


def _tag(data: str) -> dict[str, Any]:
    values = orjson.loads(data)
    return {name: values[name] for name in ("title", "slug", "color", "text_color", "is_active")}


def _organizer(name: str, slug: str) -> dict[str, Any]:
    return {"name": name, "slug": slug}


_parents = categories.alias("parent")
_OF = {
    table: (table.c.directory_id == bindparam("directory")) & table.c.id.in_(bindparam("ids", expanding=True))
    for table in (categories, tags, organizers)
}
MENTIONS: Mapping[str, Mention] = {  # resolved.md, Listings
    "categories": Mention(
        Kind.CATEGORY,
        select(categories.c.id, categories.c.title, _parents.c.title)
        .join(_parents, _parents.c.id == categories.c.parent_id, isouter=True)
        .where(_OF[categories]),
        _category,
    ),
    "tags": Mention(Kind.TAG, select(tags.c.id, tags.c.data).where(_OF[tags]), _tag),
    "organizers": Mention(
        Kind.ORGANIZER, select(organizers.c.id, organizers.c.name, organizers.c.slug).where(_OF[organizers]), _organizer
    ),
}
