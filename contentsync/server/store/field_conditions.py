"""SQL conditions on the values of listings' custom fields."""

from typing import Literal, NamedTuple

from sqlalchemy import Connection, TextClause, bindparam, text

from .statements import is_sqlite

Shape = Literal["text", "flag", "list"]


class FieldChoice(NamedTuple):
    """A value that a custom field must have, or that must be in its list; a flag is "true" or "false"."""

    field_id: int
    shape: Shape
    value: str


# A row stores the names of its fields when it was written, by id (`deferred_changes`): a renamed field is found too.
_SQLITE = (
    "EXISTS (SELECT 1 FROM json_each(listings.field_ids) AS f JOIN json_each(listings.data) AS d ON d.key = f.key"
    " WHERE f.value = :{field} AND {match})"
)
_POSTGRESQL = (
    "EXISTS (SELECT 1 FROM json_each_text(CAST(listings.field_ids AS json)) AS f"
    " JOIN json_each(CAST(listings.data AS json)) AS d ON d.key = f.key"
    " WHERE f.value = CAST(:{field} AS text) AND {match})"
)
_SQLITE_MATCHES: dict[Shape, str] = {
    "text": "d.type = 'text' AND d.value = :{value}",
    "flag": "d.type = :{value}",
    "list": "EXISTS (SELECT 1 FROM json_each(CASE d.type WHEN 'array' THEN d.value ELSE '[]' END) AS e"
    " WHERE e.value = :{value})",
}
_POSTGRESQL_MATCHES: dict[Shape, str] = {
    "text": "json_typeof(d.value) = 'string' AND d.value #>> '{{}}' = :{value}",
    "flag": "json_typeof(d.value) = 'boolean' AND CAST(d.value AS text) = :{value}",
    "list": "EXISTS (SELECT 1 FROM json_array_elements_text("
    "CASE json_typeof(d.value) WHEN 'array' THEN d.value ELSE CAST('[]' AS json) END) AS e WHERE e = :{value})",
}


def has_value(connection: Connection, choice: FieldChoice, number: int) -> TextClause:
    """Return the SQL condition that a listing has the value.

    The names of its parameters end with `number`, which must be another one for each condition of a query.
    """
    field_name, value_name = f"field_{number}", f"value_{number}"
    field_id: int | str = choice.field_id
    condition, matches = _SQLITE, _SQLITE_MATCHES
    if not is_sqlite(connection):
        field_id = str(field_id)  # PostgreSQL compares the text of the JSON number
        condition, matches = _POSTGRESQL, _POSTGRESQL_MATCHES
    match = matches[choice.shape].format(value=value_name)
    sql = text(condition.format(field=field_name, match=match))
    return sql.bindparams(bindparam(field_name, field_id), bindparam(value_name, choice.value))
