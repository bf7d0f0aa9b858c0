"""Lists as the client's own writes leave them, where the service tells what each write made of their ETags.

e0 ──(a page is changed)──► e1 ──(two are made)──► e2        whoever has the list of e0, or of e1, has that of e2
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from ..model import RECORDS, Kind
from .answer import Answer
from .wire import id_of

Records = Mapping[int, bytes | None]  # as JSON, by id; None for one that is gone


@dataclass(frozen=True, slots=True)
class Way:
    """What has become of a list since it had some ETag."""

    etag: str
    records: Records


@dataclass(frozen=True, slots=True)
class _Move:
    """One write: the ETag of a list after it, and what it changed there."""

    after: str
    records: Records = field(default_factory=dict)
    translated: frozenset[bool] = frozenset()  # whether the records hold their translations, where they can


class Carried:
    """The writes of a client, in the order that the ETags of each list give them."""

    def __init__(self) -> None:
        self._moves: dict[Kind, dict[str, _Move]] = {kind: {} for kind in Kind}

    def wrote(self, kind: Kind, answer: Answer, records: Iterable[Mapping[str, Any]]) -> None:
        """Note a write that the service answered with these records."""
        held = {identity: record for record in records if (identity := id_of(record)) is not None}
        translated = {"translations" in record for record in held.values()} if RECORDS[kind].translated else set()
        lines = {identity: orjson.dumps(record) for identity, record in held.items()}
        self._note(answer, kind, lines, frozenset(translated))

    def deleted(self, kind: Kind, answer: Answer, identity: int) -> None:
        """Note a delete."""
        self._note(answer, kind, {identity: None}, frozenset())

    def since(self, kind: Kind, etag: str, translated: bool) -> Way:
        """What the noted writes made of the list that had the ETag, as far as nobody else wrote in between.

        `translated`: whether the list's records hold their translations; it ends before a write whose record does not.
        """
        moves = dict(self._moves[kind])
        records: dict[int, bytes | None] = {}
        while (move := moves.pop(etag.removeprefix("W/"), None)) and not move.translated - {translated}:
            etag = move.after
            records |= move.records
        return Way(etag, records)

    def _note(self, answer: Answer, written: Kind, records: Records, translated: frozenset[bool]) -> None:
        for kind in Kind:
            before, after = answer.moved.get(kind.collection, ("", ""))
            if before != after:
                move = _Move(after, records, translated) if kind is written else _Move(after)
                self._moves[kind][before] = move
