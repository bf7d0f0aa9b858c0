"""What the kinds have in common: records are found, judged, written and removed the same way."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Self

import orjson
from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    Select,
    Table,
    Update,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.sql.dml import ReturningInsert

from ...model import RECORDS, Invalid, Kind, Record, Values, Violation, check, make_key
from ...model.slug import numbered
from ..access import Access
from ..errors import Forbidden, Missing, label
from .anchors import Anchors
from .clock import later, now
from .context import context_for, extra_fields
from .texts import merge_seo, merge_translations
from .upsert import judge_upsert
from .versions import Collection, moved

STEM = 200  # characters of a slug that its number leaves as they are


@dataclass(frozen=True, slots=True)
class Written:
    """What became of a create."""

    id: int
    created: bool  # False: there was one already
    row: Row[Any] | None = None  # as it is stored, where that is known


@dataclass(frozen=True, slots=True)
class Statements:
    """The statements of one kind, which cost more to build than to run."""

    count: Select[Any]
    all: Select[Any]
    by_id: Select[Any]
    by_key: Select[Any]
    keys: Select[Any]
    insert: ReturningInsert[Any]

    @classmethod
    def of(cls, table: Table, key: ColumnElement[str], sorting: Sequence[ColumnElement[Any]]) -> Self:
        """The statements of a table."""
        here = table.c.directory_id == bindparam("directory")
        return cls(
            count=select(func.count()).select_from(table).where(here),
            all=select(table).where(here).order_by(*sorting),
            by_id=select(table).where(here, table.c.id == bindparam("record")),
            by_key=select(table).where(here, key == bindparam("key")),
            keys=select(key).where(
                here, table.c.id != bindparam("record"), key >= bindparam("low"), key < bindparam("high")
            ),
            insert=insert(table).returning(table.c.id),
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """A record on its way into its table."""

    given: Values  # what the body names, judged by the model
    whole: Values  # every field: given over stored, or over the defaults
    before: Values  # the stored fields; empty on a create
    row: Row[Any] | None = None  # the stored row; None on a create


class Records:
    """The records of one kind in all directories; a record is only ever reached through its directory."""

    kind: ClassVar[Kind]
    table: ClassVar[Table]
    columns: ClassVar[tuple[str, ...]] = ()  # fields that have a column, besides the key
    apart: ClassVar[frozenset[str]] = frozenset()  # fields that `data` does not hold
    slug_follows_title: ClassVar[bool] = False  # on update, when no slug is given

    @property
    def model(self) -> type[Record]:
        """The rules of the kind."""
        return RECORDS[self.kind]

    def sorting(self) -> tuple[ColumnElement[Any], ...]:
        """The order of lists; ids break ties."""
        columns = self.table.c
        return (columns.order, columns.id) if "order" in columns else (columns.id,)

    # Reading

    def count(self, connection: Connection, directory_id: int, *where: ColumnElement[bool]) -> int:
        """How many records the directory has under a condition; how many in all, their collection knows."""
        query = self._statements.count.where(*where)
        count: int = connection.execute(query, {"directory": directory_id}).scalar_one()
        return count

    def rows(
        self,
        connection: Connection,
        directory_id: int,
        *where: ColumnElement[bool],
        limit: int | None = None,
        offset: int | None = None,
    ) -> Sequence[Row[Any]]:
        """Records of the directory, in order."""
        query = self._statements.all.where(*where).limit(limit).offset(offset)
        return connection.execute(query, {"directory": directory_id}).all()

    def page(
        self, connection: Connection, directory_id: int, anchors: Anchors, state: Collection, *, limit: int, offset: int
    ) -> Sequence[Row[Any]]:
        """The records from an offset on, which is below the total."""
        return self.rows(connection, directory_id, limit=limit, offset=offset)

    def row(self, connection: Connection, directory_id: int, record_id: int) -> Row[Any]:
        """One record; raises Missing, also for a record of another directory."""
        row = connection.execute(self._statements.by_id, {"directory": directory_id, "record": record_id}).first()
        if row is None:
            raise Missing(self.kind)
        return row

    def some(self, connection: Connection, directory_id: int, ids: Sequence[int]) -> Sequence[Row[Any]]:
        """The records with these ids, at most some hundred."""
        return self.rows(connection, directory_id, self.table.c.id.in_(ids))

    def by_key(self, connection: Connection, directory_id: int, key: str) -> Row[Any] | None:
        """The record with the slug (of a custom field: the name)."""
        if "\0" in key:  # which no key has, and PostgreSQL does not take
            return None
        return connection.execute(self._statements.by_key, {"directory": directory_id, "key": key}).first()

    def values(self, row: Row[Any]) -> Values:
        """The fields of a stored record."""
        values: Values = orjson.loads(row.data)
        for name in ("seo", "translations"):
            if name in self.table.c:
                values[name] = orjson.loads(row._mapping[name])
        return values

    # Writing

    def authorise(self, access: Access, row: Row[Any] | None) -> None:
        """Raise Forbidden unless the user may change the record (None: make one)."""
        if not access.is_owner:
            raise Forbidden

    def create(self, connection: Connection, access: Access, body: Mapping[str, Any]) -> Written:
        """A new record, or the one with its key, updated (resolved.md, Transport); raises Invalid."""
        context = context_for(connection, access.directory, self.kind)
        row = self._same_key(connection, access.directory.id, body)
        self.authorise(access, row)
        if row is None:
            values = check(self.kind, body, context)
            record_id = self.add(connection, access, values, extra_fields(context, self.kind))
            moved(connection, access.directory.id, self.kind, added=1)
            return Written(record_id, created=True)
        stored = self.values(row)
        body = self.named(access, body, stored)
        self.change(connection, access, row, stored, judge_upsert(self.kind, body, context, stored))
        return Written(row.id, created=False)

    def update(self, connection: Connection, access: Access, record_id: int, body: Mapping[str, Any]) -> None:
        """Change the given fields; raises Missing, Forbidden or Invalid."""
        row = self.row(connection, access.directory.id, record_id)
        self.authorise(access, row)
        stored = self.values(row)
        body = self.named(access, body, stored)
        context = context_for(connection, access.directory, self.kind)
        self.change(connection, access, row, stored, check(self.kind, body, context, stored=stored))

    def toggle(self, connection: Connection, access: Access, record_id: int, flag: str) -> None:
        """Turn a boolean field round."""
        row = self.row(connection, access.directory.id, record_id)
        self.authorise(access, row)
        stored = self.values(row)
        self.change(connection, access, row, stored, {flag: not stored[flag]})

    def delete(self, connection: Connection, access: Access, record_id: int) -> None:
        """Remove the record and what refers to it."""
        row = self.row(connection, access.directory.id, record_id)
        if not access.is_owner:
            raise Forbidden
        self.detach(connection, row)
        connection.execute(delete(self.table).where(self.table.c.id == record_id))
        moved(connection, access.directory.id, self.kind, added=-1)

    def add(self, connection: Connection, access: Access, given: Values, extra: Iterable[str]) -> int:
        """Store a new record of judged values and of custom fields, null where not given; its id.

        That the collection has moved, the caller notes: once for any number of records.
        """
        draft = Draft(dict(given), self._merged(self._defaults | dict.fromkeys(extra), given), {})
        self._settle(connection, access, draft)
        moment = now()
        row = self.stored(draft.whole) | self.born(access)
        row |= {"directory_id": access.directory.id, "created_at": moment, "updated_at": moment}
        record_id: int = connection.execute(self._statements.insert, row).scalar_one()
        self.link(connection, record_id, draft)
        return record_id

    def change(self, connection: Connection, access: Access, row: Row[Any], before: Values, given: Values) -> None:
        """Store judged values over a record; `updated_at` moves only when something differs."""
        draft = Draft(dict(given), self._merged(before, given), before, row)
        self._settle(connection, access, draft)
        changed = {name: value for name, value in self.stored(draft.whole).items() if row._mapping[name] != value}
        if self.link(connection, row.id, draft) or changed:
            changed["updated_at"] = later(row.updated_at)
            connection.execute(_update(self.table, tuple(changed)), {**changed, "record": row.id})
            moved(connection, access.directory.id, self.kind)

    # What a kind may do in its own way

    def named(self, access: Access, body: Mapping[str, Any], stored: Values) -> Mapping[str, Any]:
        """What the body names, without what only echoes the record as it was shown."""
        return body

    def settle(self, connection: Connection, access: Access, draft: Draft) -> Iterator[Violation]:
        """Complete the draft with what follows from its fields; the broken rules that only the store can see."""
        yield from self.settle_key(connection, access.directory.id, draft)

    def born(self, access: Access) -> dict[str, Any]:
        """Columns that a record gets once, when it is made."""
        return {}

    def link(self, connection: Connection, record_id: int, draft: Draft) -> bool:
        """Write what stands in other tables; whether anything differed."""
        return False

    def detach(self, connection: Connection, row: Row[Any]) -> None:
        """Take back what refers to a record that is about to go."""

    def stored(self, whole: Values) -> dict[str, Any]:
        """The columns that hold the fields."""
        columns = {name: whole[name] for name in (self.model.key_field, *self.columns)}
        for name in ("seo", "translations"):
            if name in self.table.c:
                columns[name] = json_text(whole[name])
        aside = self.apart | columns.keys() & {"seo", "translations"}
        return columns | {"data": json_text({name: value for name, value in whole.items() if name not in aside})}

    # Keys

    def settle_key(self, connection: Connection, directory_id: int, draft: Draft) -> Iterator[Violation]:
        """Make the slug where none is given, and hold it unique."""
        key, title = self.model.key_field, self.model.title_field
        row_id = None if draft.row is None else draft.row.id
        if key in draft.given:
            if self._taken(connection, directory_id, draft.given[key], row_id):
                yield Violation("taken", (key,), f"{key} is already that of another {label(self.kind).lower()}")
        elif draft.row is None or (self.slug_follows_title and draft.whole[title] != draft.before[title]):
            made = make_key(self.kind, {title: draft.whole[title]})
            if not made:
                yield Violation(f"no-{key}", (key,), f"no {key} can be made of the {title}", f"give a {key}")
            draft.whole[key] = self._free(connection, directory_id, made, row_id)

    def _same_key(self, connection: Connection, directory_id: int, body: Mapping[str, Any]) -> Row[Any] | None:
        fields = (self.model.key_field, self.model.title_field)
        key = make_key(self.kind, {name: body[name] for name in fields if isinstance(body.get(name), str)})
        return self.by_key(connection, directory_id, key) if key else None

    def _taken(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> bool:
        row = self.by_key(connection, directory_id, key)
        return row is not None and row.id != row_id

    def _keys_around(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> set[str]:
        """The key, if another record has it, and all that look like it with a number."""
        low, high = key, f"{key}-:"  # all its numbers: the colon comes after the digits
        if len(key) > STEM:
            # Cut short to make room for the number, so the end is open: the brace comes after the letters.
            low, high = key[:STEM], key[:STEM] + "{"
        bounds = {"directory": directory_id, "record": row_id or 0, "low": low, "high": high}
        return set(connection.execute(self._statements.keys, bounds).scalars())

    def _free(self, connection: Connection, directory_id: int, key: str, row_id: int | None) -> str:
        taken = self._keys_around(connection, directory_id, key, row_id)
        if key not in taken:
            return key
        number = 2
        while numbered(key, number) in taken:
            number += 1
        return numbered(key, number)

    @property
    def _key(self) -> Any:
        return self.table.c[self.model.key_field]

    @cached_property
    def _statements(self) -> "Statements":
        return Statements.of(self.table, self._key, self.sorting())

    @cached_property
    def _defaults(self) -> Values:
        return {name: rule.default for name, rule in self.model.rules().items()}

    def _merged(self, before: Values, given: Values) -> Values:
        whole = {**before, **given}
        if "seo" in self.table.c:
            whole["seo"] = merge_seo(self.kind, before["seo"], given.get("seo", {}))
        if "translations" in self.table.c:
            whole["translations"] = merge_translations(before["translations"], given.get("translations", {}))
        return whole

    def _settle(self, connection: Connection, access: Access, draft: Draft) -> None:
        violations = list(self.settle(connection, access, draft))
        if violations:
            raise Invalid(violations)


@lru_cache(maxsize=1024)
def _update(table: Table, columns: tuple[str, ...]) -> Update:
    """The statement that changes these columns of a record; to build one takes longer than to run it."""
    values: dict[str, Any] = {name: bindparam(name) for name in columns}
    return update(table).where(table.c.id == bindparam("record")).values(values)


def touch(connection: Connection, table: Table, *where: ColumnElement[bool]) -> None:
    """Move `updated_at` of records that change because another one does."""
    rows = connection.execute(select(table.c.id, table.c.updated_at).where(*where)).all()
    if rows:
        statement = update(table).where(table.c.id == bindparam("touched"))
        connection.execute(statement, [{"touched": row.id, "updated_at": later(row.updated_at)} for row in rows])


def json_text(value: Any) -> str:
    """The value as JSON without spaces, as it leaves the service."""
    return orjson.dumps(value).decode()
