"""The filters of a visitor, and the SQL conditions of the listings that meet them."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, TextClause, bindparam, or_, select, text

from .listing_rules import like_pattern
from .statements import is_sqlite
from .tables import listing_categories, listing_organizers, listing_tags, listings

Shape = Literal["text", "flag", "list"]


class FieldChoice(NamedTuple):
    """A value that a custom field must have, or that must be in its list; a flag is "true" or "false"."""

    field_id: int
    shape: Shape
    value: str


class SearchTerm(NamedTuple):
    """A word of a search: in a listing's name or description, or in the title of one of its categories or tags."""

    word: str  # normalised
    categories: tuple[int, ...] = ()  # ids of categories whose title contains the word
    tags: tuple[int, ...] = ()


class ListingFilter(NamedTuple):
    """The filters of a visitor; a listing must meet all of them."""

    categories: tuple[int, ...] = ()  # ids; a listing must be in one of them; (): no filter
    tag: int | None = None
    organizer: int | None = None
    terms: tuple[SearchTerm, ...] = ()
    fields: tuple[FieldChoice, ...] = ()


def filter_conditions(connection: Connection, wanted: ListingFilter) -> Iterator[ColumnElement[bool] | TextClause]:
    """Yield the SQL conditions of the listings that meet the whole filter."""
    for links in _links(wanted):
        yield listings.c.id.in_(links)
    for term in wanted.terms:
        matches: list[ColumnElement[bool]] = [listings.c.words.like(like_pattern(term.word), escape="\\")]
        if term.categories:
            matches.append(listings.c.id.in_(_in_categories(term.categories)))
        if term.tags:
            matches.append(listings.c.id.in_(_with_tags(term.tags)))
        yield or_(*matches)
    for number, choice in enumerate(wanted.fields):
        yield _has_value(connection, choice, parameter_suffix=f"_{number}")


def has_more_links(connection: Connection, wanted: ListingFilter, number: int) -> bool:
    """Return whether more than `number` listings are in the filter's categories, or have its tag or organizer."""
    return any(
        connection.execute(links.offset(number).limit(1)).first() is not None  # reads an index only
        for links in _links(wanted)
    )


def _links(wanted: ListingFilter) -> Iterator[Select[tuple[int]]]:
    """Yield a query for the ids of the listings in the filter's categories, and of those with its tag and organizer."""
    if wanted.categories:
        yield _in_categories(wanted.categories)
    if wanted.tag is not None:
        yield _with_tags((wanted.tag,))
    if wanted.organizer is not None:
        table = listing_organizers.c
        yield select(table.listing_id).where(table.organizer_id == wanted.organizer)


def _in_categories(categories: tuple[int, ...]) -> Select[tuple[int]]:
    return select(listing_categories.c.listing_id).where(listing_categories.c.category_id.in_(categories))


def _with_tags(tags: tuple[int, ...]) -> Select[tuple[int]]:
    return select(listing_tags.c.listing_id).where(listing_tags.c.tag_id.in_(tags))


# A row stores the names of its fields when it was written, by id (`deferred_changes`): a renamed field is found too.
_SQLITE = (
    "EXISTS (SELECT 1 FROM json_each(listings.field_ids) AS f JOIN json_each(listings.data) AS d ON d.key = f.key"
    " WHERE f.value = :{field} AND {value_condition})"
)
_POSTGRESQL = (
    "EXISTS (SELECT 1 FROM json_each_text(CAST(listings.field_ids AS json)) AS f"
    " JOIN json_each(CAST(listings.data AS json)) AS d ON d.key = f.key"
    " WHERE f.value = CAST(:{field} AS text) AND {value_condition})"
)
_SQLITE_VALUES: dict[Shape, str] = {
    "text": "d.type = 'text' AND d.value = :{value}",
    "flag": "d.type = :{value}",
    "list": "EXISTS (SELECT 1 FROM json_each(CASE d.type WHEN 'array' THEN d.value ELSE '[]' END) AS e"
    " WHERE e.value = :{value})",
}
_POSTGRESQL_VALUES: dict[Shape, str] = {
    "text": "json_typeof(d.value) = 'string' AND d.value #>> '{{}}' = :{value}",
    "flag": "json_typeof(d.value) = 'boolean' AND CAST(d.value AS text) = :{value}",
    "list": "EXISTS (SELECT 1 FROM json_array_elements_text("
    "CASE json_typeof(d.value) WHEN 'array' THEN d.value ELSE CAST('[]' AS json) END) AS e WHERE e = :{value})",
}


def _has_value(connection: Connection, choice: FieldChoice, *, parameter_suffix: str) -> TextClause:
    """Return the SQL condition that a listing has the value; each condition of a query needs its own suffix."""
    field_name, value_name = f"field{parameter_suffix}", f"value{parameter_suffix}"
    field_id: int | str = choice.field_id
    field_template, value_templates = _SQLITE, _SQLITE_VALUES
    if not is_sqlite(connection):
        field_id = str(field_id)  # PostgreSQL compares the text of the JSON number
        field_template, value_templates = _POSTGRESQL, _POSTGRESQL_VALUES
    value_condition = value_templates[choice.shape].format(value=value_name)
    sql = text(field_template.format(field=field_name, value_condition=value_condition))
    return sql.bindparams(bindparam(field_name, field_id), bindparam(value_name, choice.value))
