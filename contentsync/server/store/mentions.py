"""What listings show of the records that they are linked to, remembered while it is true."""

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
from sqlalchemy import Connection, Select, bindparam, select

from ...model import Kind
from .deferred import lost_at
from .links import MOST_PARAMETERS
from .records import json_text
from .schema import categories, organizers, tags
from .versions import Collection

MOST_DIRECTORIES = 64
MOST_MEMBERS = 5_000  # of a directory


class Mention(NamedTuple):
    """One kind of record as listings show it: rows of an id and some columns, made into the rest of an object."""

    kind: Kind
    query: Select[Any]
    fields: Callable[..., dict[str, Any]]


class _Known(NamedTuple):
    """What is known of one directory, in one state of what listings show."""

    versions: tuple[int, ...]
    texts: Mapping[str, dict[int, str]]  # by field and id
    members: dict[str, str]  # by the text of a listing's `links`
    lost: dict[str, str]  # when the last link was lost, in wire form, by the same text where one was

    def learn(self, connection: Connection, directory_id: int, links: Mapping[str, dict[str, list[int]]]) -> None:
        """Add the members for some texts of `links`, which come with what they say."""
        for field, texts in self.texts.items():
            ids = {other for each in links.values() for other in each[field]}
            _look_up(connection, directory_id, MENTIONS[field], [other for other in ids if other not in texts], texts)
        for text, ids_of in links.items():
            self.members[text] = ",".join(
                f'"{field}":[{",".join([texts[other] for other in ids_of[field] if other in texts])}]'
                for field, texts in self.texts.items()
            )
            lost = {
                (field, other) for field, texts in self.texts.items() for other in ids_of[field] if other not in texts
            }
            if lost:
                self.lost[text] = max(lost_at(connection, directory_id, lost).values())


class Mentions:
    """JSON texts of categories, tags and organizers; kept in memory, each server process for itself."""

    def __init__(self) -> None:
        self._directories: OrderedDict[int, _Known] = OrderedDict()

    def members(
        self, connection: Connection, directory_id: int, states: Mapping[Kind, Collection], links: Iterable[str]
    ) -> tuple[Mapping[str, str], Mapping[str, str]]:
        """Return the members of a listing's object by the text of its `links`, in the collections' present state.

        The second mapping says when a listing lost its last link by a delete, where it did: it has changed then.
        """
        versions = tuple([states[kind].version for kind in _KINDS])
        known = self._directories.pop(directory_id, None)
        if known is None or known.versions != versions or len(known.members) > MOST_MEMBERS:
            known = _Known(versions, {field: {} for field in MENTIONS}, {}, {})
        new = {text: orjson.loads(text) for text in set(links) if text not in known.members}
        if new:
            known.learn(connection, directory_id, new)
        self._directories[directory_id] = known
        if len(self._directories) > MOST_DIRECTORIES:
            self._directories.popitem(last=False)
        return known.members, known.lost


def _look_up(
    connection: Connection, directory_id: int, mention: Mention, ids: Sequence[int], texts: dict[int, str]
) -> None:
    for start in range(0, len(ids), MOST_PARAMETERS):
        some = {"directory": directory_id, "ids": ids[start : start + MOST_PARAMETERS]}
        for other, *columns in connection.execute(mention.query, some):
            texts[other] = json_text({"id": other, **mention.fields(*columns)})


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
MENTIONS: Mapping[str, Mention] = {  # docs/contract.md 14
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
_KINDS = tuple(mention.kind for mention in MENTIONS.values())
