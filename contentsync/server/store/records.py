"""What the kinds have in common: records are found, judged, written and removed the same way."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, ClassVar

import orjson
from sqlalchemy import ColumnElement, Connection, Row, Table, bindparam, select, update

from ...model import FIELDABLE, RECORDS, Invalid, Kind, Record, Values, Violation, check, first_of, make_key
from ..access import Access
from ..errors import Forbidden, Missing, Taken, label
from .anchors import Anchors
from .carried import carried, count_values
from .clock import later, now
from .context import context_for, extra_fields
from .deferred import up_to_date
from .drafts import Draft, Written
from .keys import Keys
from .record_statements import Statements, update_of
from .texts import merge_seo, merge_translations
from .upsert import judge_upsert
from .versions import Collection, moved

Condition = Callable[[Row[Any]], None]  # raises when a record is not as somebody takes it to be


class Records:
    """The records of one kind in all directories; a record is only ever reached through its directory."""

    kind: ClassVar[Kind]
    table: ClassVar[Table]
    columns: ClassVar[tuple[str, ...]] = ()  # fields that have a column, besides the key
    objects: ClassVar[tuple[str, ...]] = ()  # fields that have a column of JSON
    apart: ClassVar[frozenset[str]] = frozenset()  # other fields that `data` does not hold
    deferrable: ClassVar[tuple[str, ...]] = ()  # columns to which changes are applied on reading
    slug_follows_title: ClassVar[bool] = False  # on update, when no slug is given
    dated_when_new: ClassVar[tuple[str, ...]] = ()  # null in a create: the current time, or the date that there is
    told: int | None = None  # how many broken rules are told of a record; None: all

    @cached_property
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
        return self.up_to_date(connection, directory_id, connection.execute(query, {"directory": directory_id}).all())

    def page(
        self, connection: Connection, directory_id: int, anchors: Anchors, state: Collection, *, limit: int, offset: int
    ) -> Sequence[Any]:
        """The records from an offset on, which is below the total."""
        return self.rows(connection, directory_id, limit=limit, offset=offset)

    def row(self, connection: Connection, directory_id: int, record_id: int) -> Row[Any]:
        """One record; raises Missing, also for a record of another directory."""
        row = self._statements.by_id.first(connection, {"directory": directory_id, "record": record_id})
        if row is None:
            raise Missing(self.kind)
        return self.up_to_date(connection, directory_id, [row])[0]

    def some(self, connection: Connection, directory_id: int, ids: Sequence[int]) -> Sequence[Row[Any]]:
        """The records with these ids, at most some hundred."""
        return self.rows(connection, directory_id, self.table.c.id.in_(ids))

    def by_key(self, connection: Connection, directory_id: int, key: str) -> Row[Any] | None:
        """The record with the slug (of a custom field: the name)."""
        row = self.keys.record(connection, directory_id, key)
        return None if row is None else self.up_to_date(connection, directory_id, [row])[0]

    def up_to_date(self, connection: Connection, directory_id: int, rows: Sequence[Row[Any]]) -> Sequence[Row[Any]]:
        """Return the rows as they are now: the changes that are applied on reading are in them."""
        return up_to_date(connection, directory_id, self.kind, rows) if self.kind in FIELDABLE else rows

    def values(self, row: Row[Any]) -> Values:
        """The fields of a stored record."""
        values: Values = orjson.loads(row.data)
        return values | {name: orjson.loads(getattr(row, name)) for name in self.objects}

    # Writing

    def authorise(self, access: Access, row: Row[Any] | None) -> None:
        """Raise Forbidden unless the user may change the record (None: make one)."""
        if not access.is_owner:
            raise Forbidden

    def authorise_delete(self, access: Access, row: Row[Any]) -> None:
        """Raise Forbidden unless the user may delete the record."""
        if not access.is_owner:
            raise Forbidden

    def create(
        self, connection: Connection, access: Access, body: Mapping[str, Any], *, new_only: bool = False
    ) -> Written:
        """A new record, or the one with its key, updated (docs/contract.md 10); raises Invalid.

        With `new_only`, raise Taken where a record has the key.
        """
        context = context_for(connection, access.directory, self.kind)
        row = self._same_key(connection, access.directory.id, body)
        self.authorise(access, row)
        if row is not None and new_only:
            raise Taken
        if row is None:
            values = check(self.kind, body, context)
            made = self._add(connection, access, values, extra_fields(context, self.kind))
            moved(connection, access.directory.id, self.kind, added=1)
            return Written(made.id, created=True, row=made)
        stored = self.values(row)
        body = self.named(access, body, stored)
        body = {name: value for name, value in body.items() if value is not None or name not in self.dated_when_new}
        values = judge_upsert(self.kind, body, context, stored)
        return Written(row.id, created=False, row=self._change(connection, access, row, stored, values))

    def update(
        self,
        connection: Connection,
        access: Access,
        record_id: int,
        body: Mapping[str, Any],
        condition: Condition | None = None,
    ) -> Row[Any]:
        """Change the given fields; raises Missing, Forbidden, what the condition raises, or Invalid."""
        row = self._at_hand(connection, access, record_id, condition)
        stored = self.values(row)
        body = self.named(access, body, stored)
        context = context_for(connection, access.directory, self.kind)
        return self._change(connection, access, row, stored, check(self.kind, body, context, stored=stored))

    def toggle(
        self, connection: Connection, access: Access, record_id: int, flag: str, condition: Condition | None = None
    ) -> Row[Any]:
        """Turn a boolean field round; raises as `update` does."""
        row = self._at_hand(connection, access, record_id, condition)
        stored = self.values(row)
        return self._change(connection, access, row, stored, {flag: not stored[flag]})

    def delete(
        self, connection: Connection, access: Access, record_id: int, condition: Condition | None = None
    ) -> None:
        """Remove the record and what refers to it; raises as `update` does."""
        row = self.row(connection, access.directory.id, record_id)
        self.authorise_delete(access, row)
        if condition is not None:
            condition(row)
        self.detach(connection, row)
        fields = carried(connection, access.directory.id, self.kind)
        if fields.ids:
            count_values(connection, fields, before=[self.values(row)], after=[])
        self._statements.delete.run(connection, {"record": record_id})
        moved(connection, access.directory.id, self.kind, added=-1)

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

    def link(self, connection: Connection, record_id: int, draft: Draft) -> None:
        """Write what stands in other tables besides; it is in the row, too, which says whether anything differs."""

    def detach(self, connection: Connection, row: Row[Any]) -> None:
        """Take back what refers to a record that is about to go."""

    def stored(self, whole: Values) -> dict[str, Any]:
        """The columns that hold the fields."""
        columns = {name: whole[name] for name in (self.model.key_field, *self.columns)}
        data = dict(whole)
        for name in self.objects:
            columns[name] = json_text(data.pop(name))
        for name in self.apart:
            data.pop(name, None)
        columns["data"] = json_text(data)
        return columns

    def settle_key(self, connection: Connection, directory_id: int, draft: Draft) -> Iterator[Violation]:
        """Make the slug where none is given, and hold it unique."""
        key, title = self.model.key_field, self.model.title_field
        row_id = None if draft.row is None else draft.row.id
        if key in draft.given:
            if self.keys.is_taken(connection, directory_id, draft.given[key], row_id):
                yield Violation("taken", (key,), f"{key} is already that of another {label(self.kind).lower()}")
        elif draft.row is None or (self.slug_follows_title and draft.whole[title] != draft.before[title]):
            made = self.keys.made(draft.whole[title])
            if not made:
                yield Violation(f"no-{key}", (key,), f"no {key} can be made from the {title}", f"set {key}")
            draft.whole[key] = self.keys.free(connection, directory_id, made, row_id)

    # How it is done

    def _at_hand(self, connection: Connection, access: Access, record_id: int, condition: Condition | None) -> Row[Any]:
        """The record, which the user may change and which is as the condition says."""
        row = self.row(connection, access.directory.id, record_id)
        self.authorise(access, row)
        if condition is not None:
            condition(row)
        return row

    def _same_key(self, connection: Connection, directory_id: int, body: Mapping[str, Any]) -> Row[Any] | None:
        fields = (self.model.key_field, self.model.title_field)
        key = make_key(self.kind, {name: body[name] for name in fields if isinstance(body.get(name), str)})
        return self.by_key(connection, directory_id, key) if key else None

    def _add(self, connection: Connection, access: Access, given: Values, extra: Iterable[str]) -> Row[Any]:
        """Store a new record of judged values and of custom fields, null where not given."""
        draft = Draft(dict(given), self._merged(self._defaults | dict.fromkeys(extra), given), {})
        self._settle(connection, access, draft)
        moment = now()
        row = self.stored(draft.whole) | self.born(access)
        row |= {"directory_id": access.directory.id, "created_at": moment, "updated_at": moment}
        row |= self._note_fields(connection, access.directory.id, [], [draft.whole])
        row["id"] = self._statements.insert.scalar(connection, row)
        self.link(connection, row["id"], draft)
        return self._statements.columns.row(row)

    def _change(self, connection: Connection, access: Access, row: Row[Any], before: Values, given: Values) -> Row[Any]:
        """Store judged values over a record; `updated_at` moves only when something differs."""
        draft = Draft(dict(given), self._merged(before, given), before, row)
        self._settle(connection, access, draft)
        old = self._statements.columns.values(row)
        stored = self.stored(draft.whole)
        changed = {name: value for name, value in stored.items() if old[name] != value}
        if not changed:
            return row
        self.link(connection, row.id, draft)
        # What was applied on reading is written now, together with what says so.
        changed |= {name: stored[name] for name in self.deferrable}
        changed |= self._note_fields(connection, access.directory.id, [before], [draft.whole])
        changed["updated_at"] = later(row.updated_at)
        update_of(self.table, tuple(changed)).run(connection, {**changed, "record": row.id})
        moved(connection, access.directory.id, self.kind)
        return self._statements.columns.row(old | changed)

    def _note_fields(
        self, connection: Connection, directory_id: int, before: Sequence[Values], after: Sequence[Values]
    ) -> dict[str, str]:
        """Count the values of custom fields that a write changes; the column that notes the fields."""
        if self.kind not in FIELDABLE:
            return {}
        fields = carried(connection, directory_id, self.kind)
        if fields.ids:
            count_values(connection, fields, before, after)
        return {"field_ids": fields.text}

    @cached_property
    def keys(self) -> Keys:
        """The slugs of the kind, in all directories."""
        return Keys(self.kind, self.table)

    @cached_property
    def _statements(self) -> "Statements":
        return Statements.of(self.table, self.sorting())

    @property
    def _defaults(self) -> Values:
        return _defaults(self.model)

    def _merged(self, before: Values, given: Values) -> Values:
        whole = {**before, **given}
        if "seo" in self.objects:
            whole["seo"] = merge_seo(self.kind, before["seo"], given.get("seo", {}))
        if "translations" in self.objects:
            whole["translations"] = merge_translations(before["translations"], given.get("translations", {}))
        return whole

    def _settle(self, connection: Connection, access: Access, draft: Draft) -> None:
        violations = first_of(self.settle(connection, access, draft), self.told)
        if violations:
            raise Invalid(violations)


@cache
def _defaults(model: type[Record]) -> Values:
    return {name: rule.default for name, rule in model.rules().items()}


def touch(connection: Connection, table: Table, *where: ColumnElement[bool]) -> bool:
    """Move `updated_at` of records that change because another one does; whether there are any."""
    rows = connection.execute(select(table.c.id, table.c.updated_at).where(*where)).all()
    if rows:
        statement = update(table).where(table.c.id == bindparam("touched"))
        connection.execute(statement, [{"touched": row.id, "updated_at": later(row.updated_at)} for row in rows])
    return bool(rows)


def json_text(value: Any) -> str:
    """The value as JSON without spaces, as it leaves the service."""
    return orjson.dumps(value).decode()
