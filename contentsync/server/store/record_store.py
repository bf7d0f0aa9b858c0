"""Find, create, update and delete records of any kind."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from typing import Any, ClassVar, NamedTuple

import orjson

from ...model import (
    FIELDABLE,
    RECORDS,
    Context,
    Invalid,
    Kind,
    Record,
    Values,
    Violation,
    key_of_title,
    limit_violations,
    make_key,
    validate,
)
from ..access import Access
from ..service_errors import Forbidden, KeyTaken, RecordNotFound, kind_label
from .deferred_changes import apply_deferred_changes, custom_field_ids, update_filled_counts
from .page_cursors import PageCursors
from .record_drafts import CreatedRecord, RecordDraft, context_for, merge_seo, merge_translations, validate_upsert
from .record_keys import KeyIndex, delete_redirect, record_move
from .search_documents import index_record
from .sql import Columns, Connection, Parameters, Row
from .table_definition import DatabaseTable
from .versions import CollectionState, bump_version, later_timestamp, now

Condition = Callable[[Row], None]  # raises if the record is not in the state that the client expects


class RecordCondition(NamedTuple):
    """A condition in SQL on the records of a kind."""

    text: str
    parameters: Parameters


_EVERY = RecordCondition("TRUE", {})


class RecordStore:
    """The records of one kind in all directories; a record is found only through its directory."""

    kind: ClassVar[Kind]
    table: ClassVar[DatabaseTable]
    columns: ClassVar[tuple[str, ...]] = ()  # fields that have a column, besides the key
    json_columns: ClassVar[tuple[str, ...]] = ()  # fields that have a column of JSON
    not_in_data: ClassVar[frozenset[str]] = frozenset()  # other fields that are not in `data`
    deferred_columns: ClassVar[tuple[str, ...]] = ()  # columns that `apply_deferred_changes` changes
    slug_follows_title: ClassVar[bool] = False  # on update, unless the body has a slug
    null_keeps_value: ClassVar[tuple[str, ...]] = ()  # fields whose stored value an upsert with null keeps
    max_violations: int | None = None  # the most violations that are reported of a record; None: all

    @cached_property
    def model(self) -> type[Record]:
        """Return the model class with the rules of the kind."""
        return RECORDS[self.kind]

    @cached_property
    def keys(self) -> KeyIndex:
        """Return the index of the kind's keys."""
        return KeyIndex(self.kind, self.table)

    @cached_property
    def _columns(self) -> Columns:
        return Columns(self.table.columns)

    @property
    def order_by(self) -> str:
        """Return the columns by which lists are sorted, in SQL; the id is the last one."""
        return '"order", id' if "order" in self.table.columns else "id"

    # Reading

    def count(self, connection: Connection, directory_id: int, where: RecordCondition | None = None) -> int:
        """Count the records that meet the condition; for all records, use `CollectionState.total`."""
        condition, parameters = where or _EVERY
        query = f"SELECT count(*) FROM {self.table.name} WHERE directory_id = :directory AND {condition}"
        count: int = connection.scalar(query, {**parameters, "directory": directory_id})
        return count

    def rows(
        self,
        connection: Connection,
        directory_id: int,
        where: RecordCondition | None = None,
        *,
        limit: int | None = None,
        offset: int = 0,
    ) -> Sequence[Row]:
        """Return the directory's records that meet the condition, in the order of lists."""
        condition, parameters = where or _EVERY
        query = f"{self.table.select} WHERE directory_id = :directory AND {condition} ORDER BY {self.order_by}"
        parameters = {**parameters, "directory": directory_id}
        if limit is not None:
            query, parameters = f"{query} LIMIT :limit OFFSET :offset", {**parameters, "limit": limit, "offset": offset}
        rows = connection.all(query, parameters)
        return self.apply_deferred_changes(connection, directory_id, rows)

    def page(
        self,
        connection: Connection,
        directory_id: int,
        cursors: PageCursors,
        state: CollectionState,
        *,
        limit: int,
        offset: int,
    ) -> Sequence[Any]:
        """Return at most `limit` records from the offset, which must be below the total."""
        return self.rows(connection, directory_id, limit=limit, offset=offset)

    def row(self, connection: Connection, directory_id: int, record_id: int) -> Row:
        """Return the record with the id; raise RecordNotFound if the directory does not have it."""
        by_id = f"{self.table.select} WHERE directory_id = :directory AND id = :record"
        row = connection.first(by_id, {"directory": directory_id, "record": record_id})
        if row is None:
            raise RecordNotFound(self.kind)
        return self.apply_deferred_changes(connection, directory_id, [row])[0]

    def by_key(self, connection: Connection, directory_id: int, key: str) -> Row | None:
        """Return the record with the slug (of a custom field: the name), or None."""
        row = self.keys.record(connection, directory_id, key)
        return None if row is None else self.apply_deferred_changes(connection, directory_id, [row])[0]

    def apply_deferred_changes(self, connection: Connection, directory_id: int, rows: Sequence[Row]) -> Sequence[Row]:
        """Return the rows with all deferred changes applied."""
        return apply_deferred_changes(connection, directory_id, self.kind, rows) if self.kind in FIELDABLE else rows

    def values(self, row: Row) -> Values:
        """Return the fields of a stored record."""
        values: Values = orjson.loads(row.data)
        return values | {name: orjson.loads(getattr(row, name)) for name in self.json_columns}

    # Writing

    def authorise(self, access: Access, row: Row | None) -> None:
        """Raise Forbidden unless the user may change the record, or with `row=None`, create a record."""
        if not access.is_owner:
            raise Forbidden

    def authorise_delete(self, access: Access, row: Row) -> None:
        """Raise Forbidden unless the user may delete the record."""
        if not access.is_owner:
            raise Forbidden

    def create(
        self, connection: Connection, access: Access, body: Mapping[str, Any], *, new_only: bool = False
    ) -> CreatedRecord:
        """Create a record, or update the one that has the same key; return it, and whether it is new.

        Raise Invalid or Forbidden, and with `new_only` KeyTaken if a record has the key (docs/contract.md 10).
        """
        context = context_for(connection, access.directory, self.kind)
        row = self._record_with_key(connection, access.directory.id, body)
        self.authorise(access, row)
        if row is not None and new_only:
            raise KeyTaken
        if row is None:
            new = self._insert(connection, access, validate(self.kind, body, context), context)
            bump_version(connection, access.directory.id, self.kind, added=1)
            return new, True
        stored = self.values(row)
        body = self.without_uploaded_image_urls(body, stored, access.site)
        ignored = {name for name in self.null_keeps_value if body.get(name) is None}
        body = {name: value for name, value in body.items() if name not in ignored}
        values = validate_upsert(self.kind, body, context, stored)
        return self._update(connection, access, row, stored, values), False

    def update(
        self,
        connection: Connection,
        access: Access,
        record_id: int,
        body: Mapping[str, Any],
        condition: Condition | None = None,
    ) -> Row:
        """Write the fields of the body; raise RecordNotFound, Forbidden, Invalid or the error of the condition."""
        row = self._authorised_row(connection, access, record_id, condition)
        stored = self.values(row)
        body = self.without_uploaded_image_urls(body, stored, access.site)
        context = context_for(connection, access.directory, self.kind)
        return self._update(connection, access, row, stored, validate(self.kind, body, context, stored=stored))

    def toggle(
        self, connection: Connection, access: Access, record_id: int, flag: str, condition: Condition | None = None
    ) -> Row:
        """Invert a boolean field; raise the same errors as `update`, also those of `condition`."""
        row = self._authorised_row(connection, access, record_id, condition)
        stored = self.values(row)
        return self._update(connection, access, row, stored, {flag: not stored[flag]})

    def delete(
        self, connection: Connection, access: Access, record_id: int, condition: Condition | None = None
    ) -> None:
        """Delete the record and the references to it; raise the same errors as `update`, also those of `condition`."""
        row = self.row(connection, access.directory.id, record_id)
        self.authorise_delete(access, row)
        if condition is not None:
            condition(row)
        self.before_delete(connection, row)
        fields = custom_field_ids(connection, access.directory.id, self.kind)
        if fields.ids:
            update_filled_counts(connection, fields, before=[self.values(row)], after=[])
        connection.run(f"DELETE FROM {self.table.name} WHERE id = :record", {"record": record_id})
        index_record(connection, access.directory.id, self.kind, record_id, self.values(row), None, {})
        delete_redirect(connection, access.directory.id, self.kind, getattr(row, self.model.key_field))
        bump_version(connection, access.directory.id, self.kind, added=-1)

    # Methods that a kind may override

    def without_uploaded_image_urls(self, body: Mapping[str, Any], stored: Values, site: str) -> Mapping[str, Any]:
        """Return the body without URLs that only repeat the address of an image that was uploaded to the record."""
        return body

    def complete_draft(self, connection: Connection, access: Access, draft: RecordDraft) -> Iterator[Violation]:
        """Set the values that are derived from other values; yield violations of rules that need the database."""
        yield from self.assign_key(connection, access.directory.id, draft)

    def immutable_columns(self, access: Access) -> dict[str, Any]:
        """Return the columns that are set when a record is created and never change."""
        return {}

    def write_links(self, connection: Connection, record_id: int, draft: RecordDraft) -> None:
        """Write the record's rows in other tables; only called if a column of the record's own row changes."""

    def before_delete(self, connection: Connection, row: Row) -> None:
        """Delete the references to a record; called before the record is deleted."""

    def to_columns(self, values: Values) -> dict[str, Any]:
        """Return the fields as columns: `data` has all of them as JSON, except `json_columns` and `not_in_data`.

        The key and `columns` have a column in addition, and each of `json_columns` has one with its own JSON.
        """
        columns = {name: values[name] for name in (self.model.key_field, *self.columns)}
        data = dict(values)
        for name in self.json_columns:
            columns[name] = json_text(data.pop(name))
        for name in self.not_in_data:
            data.pop(name, None)
        columns["data"] = json_text(data)
        return columns

    def assign_key(self, connection: Connection, directory_id: int, draft: RecordDraft) -> Iterator[Violation]:
        """Make the key from the title unless the body has a key; yield a violation if the key is taken or empty."""
        key, title = self.model.key_field, self.model.title_field
        row_id = None if draft.row is None else draft.row.id
        if key in draft.body:
            if self.keys.is_taken(connection, directory_id, draft.body[key], row_id):
                yield Violation("taken", (key,), f"{key} is already that of another {kind_label(self.kind).lower()}")
        elif draft.row is None or (self.slug_follows_title and draft.values[title] != draft.before[title]):
            from_title = key_of_title(self.kind, draft.values[title])
            if from_title:
                draft.values[key] = self.keys.first_free(connection, directory_id, from_title, row_id)
            else:
                yield Violation(f"no-{key}", (key,), f"no {key} can be made from the {title}", f"set {key}")

    # Steps

    def _authorised_row(
        self, connection: Connection, access: Access, record_id: int, condition: Condition | None
    ) -> Row:
        """Return a record that the user may change and that meets the condition."""
        row = self.row(connection, access.directory.id, record_id)
        self.authorise(access, row)
        if condition is not None:
            condition(row)
        return row

    def _record_with_key(self, connection: Connection, directory_id: int, body: Mapping[str, Any]) -> Row | None:
        """Return the record with the body's key, or with the key that is made from its title, or None."""
        fields = (self.model.key_field, self.model.title_field)
        key = make_key(self.kind, {name: body[name] for name in fields if isinstance(body.get(name), str)})
        return self.by_key(connection, directory_id, key) if key else None

    def _insert(self, connection: Connection, access: Access, body: Values, context: Context) -> Row:
        """Insert a record with the fields of a validated body."""
        values = self._merge(default_values(self.kind, context), body)
        draft = RecordDraft(body=body, values=values, before={})
        self._complete_values(connection, access, draft)
        created_at = now()
        row = self.to_columns(draft.values) | self.immutable_columns(access)
        row |= {"directory_id": access.directory.id, "created_at": created_at, "updated_at": created_at}
        row |= self._field_columns(connection, access.directory.id, before=[], after=[draft.values])
        row["id"] = connection.insert_returning_id(self.table.name, row)
        self.write_links(connection, row["id"], draft)
        self._index(connection, access.directory.id, row["id"], None, draft.values)
        return self._columns.row(row)

    def _update(self, connection: Connection, access: Access, row: Row, before: Values, body: Values) -> Row:
        """Write the fields of a validated body; if none differs from the stored value, write nothing."""
        draft = RecordDraft(body=body, values=self._merge(before, body), before=before, row=row)
        self._complete_values(connection, access, draft)
        old = self._columns.values(row)
        new = self.to_columns(draft.values)
        changed = {name: value for name, value in new.items() if old[name] != value}
        if not changed:
            return row
        self.write_links(connection, row.id, draft)
        # `row` already has the deferred changes, the database does not: store them with the new `field_ids`.
        changed |= {name: new[name] for name in self.deferred_columns}
        changed |= self._field_columns(connection, access.directory.id, before=[before], after=[draft.values])
        changed["updated_at"] = later_timestamp(row.updated_at)
        connection.update(self.table.name, row.id, changed)
        self._index(connection, access.directory.id, row.id, before, draft.values)
        key = self.model.key_field
        if key in changed:
            record_move(connection, access.directory.id, self.kind, old[key], changed[key])
        bump_version(connection, access.directory.id, self.kind)
        return self._columns.row(old | changed)

    def _field_columns(
        self, connection: Connection, directory_id: int, before: Sequence[Values], after: Sequence[Values]
    ) -> dict[str, str]:
        """Update the counts of custom field values; return the column `field_ids`, or {} for a kind without fields."""
        if self.kind not in FIELDABLE:
            return {}
        fields = custom_field_ids(connection, directory_id, self.kind)
        if fields.ids:
            update_filled_counts(connection, fields, before, after)
        return {"field_ids": fields.text}

    def _index(
        self, connection: Connection, directory_id: int, record_id: int, before: Values | None, after: Values
    ) -> None:
        field_ids = custom_field_ids(connection, directory_id, self.kind).ids
        index_record(connection, directory_id, self.kind, record_id, before, after, field_ids)

    def _merge(self, before: Values, body: Values) -> Values:
        """Return the fields of the body over those before; the objects `seo` and `translations` are merged too."""
        values = {**before, **body}
        if "seo" in self.json_columns:
            values["seo"] = merge_seo(self.kind, before["seo"], body.get("seo", {}))
        if "translations" in self.json_columns:
            values["translations"] = merge_translations(before["translations"], body.get("translations", {}))
        return values

    def _complete_values(self, connection: Connection, access: Access, draft: RecordDraft) -> None:
        violations = limit_violations(self.complete_draft(connection, access, draft), self.max_violations)
        if violations:
            raise Invalid(violations)


def default_values(kind: Kind, context: Context) -> Values:
    """Return the values of a new record of which no field is set; custom fields are null."""
    return _defaults(kind) | dict.fromkeys(context.custom_fields.get(kind, ()))


@cache
def _defaults(kind: Kind) -> Values:
    return {name: rule.default for name, rule in RECORDS[kind].rules().items()}


def json_text(value: Any) -> str:
    """Return the value as compact JSON, the form in which it is stored and sent."""
    return orjson.dumps(value).decode()
