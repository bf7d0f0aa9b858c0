"""The record stores of all kinds but listings: pages, tags, categories, custom fields, articles and organizers."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar
from urllib.parse import quote

from ...model import Kind, Values, Violation
from ...model.field_types import MAX_INTEGER
from ..access import Access
from ..service_errors import Forbidden
from .accounts import is_member
from .caching import cached_until_commit
from .deferred_changes import defer_field_change
from .listing_links import existing_ids, remove_links_to
from .record_drafts import RecordDraft
from .record_store import RecordCondition, RecordStore
from .sql import Connection, Row
from .tables import articles, categories, custom_fields, organizers, pages, tags
from .versions import also_changed_kinds, later_timestamp, now

IMAGES = {"logo": "logo_url", "cover_image": "cover_image_url"}  # uploaded images, and the fields of their URLs


class PageStore(RecordStore):
    """Pages: upserted by slug, sorted by `order` (docs/contract.md 4.1)."""

    kind: ClassVar = Kind.PAGE
    table: ClassVar = pages
    columns: ClassVar = ("order", "is_published", "placement")
    json_columns: ClassVar = ("seo",)
    slug_follows_title: ClassVar = True


class TagStore(RecordStore):
    """Tags: upserted by slug (docs/contract.md 15)."""

    kind: ClassVar = Kind.TAG
    table: ClassVar = tags

    def before_delete(self, connection: Connection, row: Row) -> None:
        """Remove the links of listings to the tag."""
        remove_links_to(connection, row.directory_id, "tags", row.id)


class CategoryStore(RecordStore):
    """Categories, in a tree: upserted by slug; a parent belongs to the same directory (docs/contract.md 15)."""

    kind: ClassVar = Kind.CATEGORY
    table: ClassVar = categories
    columns: ClassVar = ("title", "parent_id", "order")
    not_in_data: ClassVar = frozenset({"parent_id"})

    def values(self, row: Row) -> Values:
        """Return the fields of a stored category, with `parent_id`."""
        return super().values(row) | {"parent_id": row.parent_id}

    def complete_draft(self, connection: Connection, access: Access, draft: RecordDraft) -> Iterator[Violation]:
        """Yield a violation for a taken slug, a parent that is not in the directory, and a cycle."""
        yield from self.assign_key(connection, access.directory.id, draft)
        parent = draft.body.get("parent_id")
        if parent is None:
            return
        if parent not in existing_ids(connection, "categories", access.directory.id, [parent]):
            yield Violation("unknown-reference", ("parent_id",), f"parent_id {parent} is no category of this directory")
        elif draft.row is not None and draft.row.id in _self_and_ancestors(connection, parent):
            yield Violation("cycle", ("parent_id",), "parent_id must not be the category itself or one below it")

    def before_delete(self, connection: Connection, row: Row) -> None:
        """Move the subcategories to the category's parent, and remove the links of listings to the category."""
        for below in connection.all("SELECT id, updated_at FROM categories WHERE parent_id = :id", {"id": row.id}):
            also_changed_kinds(connection).add(Kind.CATEGORY)
            changed = {"parent_id": row.parent_id, "updated_at": later_timestamp(below.updated_at)}
            connection.update("categories", below.id, changed)
        remove_links_to(connection, row.directory_id, "categories", row.id)


def _self_and_ancestors(connection: Connection, category_id: int | None) -> Iterator[int]:
    """Yield the ids of the category and of its ancestors, none for None; the stored tree has no cycles."""
    while category_id is not None:
        yield category_id
        category_id = connection.one("SELECT parent_id FROM categories WHERE id = :id", {"id": category_id})[0]


class CustomFieldStore(RecordStore):
    """Custom fields: upserted by name; every record of their kind has a value, by default null."""

    kind: ClassVar = Kind.CUSTOM_FIELD
    table: ClassVar = custom_fields
    columns: ClassVar = ("fieldable_type", "order")

    def immutable_columns(self, access: Access) -> dict[str, Any]:
        """Return the column `filled` of a new field: no record has a value yet."""
        return {"filled": 0}

    def complete_draft(self, connection: Connection, access: Access, draft: RecordDraft) -> Iterator[Violation]:
        """Yield violations of the name and for lost values; without any, defer the change of the kind's records."""
        violations = [*self.assign_key(connection, access.directory.id, draft), *_lost_values(draft)]
        if not violations:  # the field is written after this method
            for kind in _changed_kinds(draft):
                defer_field_change(connection, access.directory.id, kind)
        yield from violations

    def before_delete(self, connection: Connection, row: Row) -> None:
        """Defer the removal of the field's values from all records of its kind."""
        defer_field_change(connection, row.directory_id, Kind(row.fieldable_type))


def _lost_values(draft: RecordDraft) -> Iterator[Violation]:
    """Yield a violation if a field with values moves to another kind, which would delete them.

    A change of type or options is not checked: field and values are changed by separate requests, and in either order a
    check would refuse the first request. A value is validated when it is written.
    """
    row = draft.row
    if row is None or row.fieldable_type == draft.values["fieldable_type"]:
        return
    if row.filled:
        holders = f"{row.filled} {row.fieldable_type}{' has' if row.filled == 1 else 's have'}"
        message = f"fieldable_type cannot change: {holders} a value of the field"
        yield Violation("values-in-use", ("fieldable_type",), message, "clear these values first")


def _changed_kinds(draft: RecordDraft) -> Iterator[Kind]:
    """Yield the kinds whose records gain, lose or rename the field."""
    row = draft.row
    kind = draft.values["fieldable_type"]
    if row is None or (row.fieldable_type, row.name) != (kind, draft.values["name"]):
        yield Kind(kind)
    if row is not None and row.fieldable_type != kind:
        yield Kind(row.fieldable_type)


class ArticleStore(RecordStore):
    """Articles: upserted by slug, the newest first (docs/contract.md 4.2)."""

    kind: ClassVar = Kind.ARTICLE
    table: ClassVar = articles
    columns: ClassVar = ("published_at", "active")
    json_columns: ClassVar = ("seo", "translations")
    deferred_columns: ClassVar = ("data",)
    slug_follows_title: ClassVar = True
    null_keeps_value: ClassVar = ("published_at",)

    @property
    def order_by(self) -> str:
        """Return the columns to sort by: the newest articles first, articles without a date last."""
        return "published_at DESC NULLS LAST, id"

    def complete_draft(self, connection: Connection, access: Access, draft: RecordDraft) -> Iterator[Violation]:
        """Set the dates of a new article and of changed SEO, and the format of the body; yield slug violations."""
        current = now()
        if draft.row is None and draft.body.get("published_at") is None:
            draft.values["published_at"] = current
        seo = draft.values["seo"]  # its dates are the stored ones: a body cannot set them
        if seo != draft.before.get("seo"):
            draft.values["seo"] = {**seo, "created_at": seo.get("created_at", current), "updated_at": current}
        if {"markdown", "content"} & draft.body.keys():
            draft.values["is_markdown"] = bool(draft.body.get("markdown"))
        yield from self.assign_key(connection, access.directory.id, draft)

    def immutable_columns(self, access: Access) -> dict[str, Any]:
        """Return the user who creates the article, as a column."""
        return {"user_id": access.user_id}

    def write_links(self, connection: Connection, record_id: int, draft: RecordDraft) -> None:
        """Write the article's categories into the table by which `in_category` finds articles."""
        before = [*dict.fromkeys(draft.before.get("categories", []))]  # without duplicates
        names = [*dict.fromkeys(draft.values.get("categories", []))]
        if names == before:
            return
        if before:
            connection.run("DELETE FROM article_categories WHERE article_id = :id", {"id": record_id})
        if names:
            connection.insert_many("article_categories", ("article_id", "name"), [(record_id, name) for name in names])


class OrganizerStore(RecordStore):
    """Organizers: upserted by slug; a user manages at most one organizer of a directory."""

    kind: ClassVar = Kind.ORGANIZER
    table: ClassVar = organizers
    columns: ClassVar = ("name", "user_id", "order", "is_active")
    json_columns: ClassVar = ("translations",)
    deferred_columns: ClassVar = ("data",)

    def authorise(self, access: Access, row: Row | None) -> None:
        """Raise Forbidden unless the user owns the directory or manages the organizer.

        `row` is None for a new organizer: a submitter may create one.
        """
        if not access.is_owner and row is not None and row.user_id != access.user_id:
            raise Forbidden

    def without_uploaded_image_urls(self, body: Mapping[str, Any], stored: Values, site: str) -> Mapping[str, Any]:
        """Return the body without URLs that only repeat the address of an image that was uploaded to the organizer."""
        uploaded = uploaded_image_urls(stored, site)
        return {name: value for name, value in body.items() if name not in uploaded or value != uploaded[name]}

    def complete_draft(self, connection: Connection, access: Access, draft: RecordDraft) -> Iterator[Violation]:
        """Set the user of a submitter's organizer; yield violations, or raise Forbidden (docs/contract.md 13)."""
        yield from self.assign_key(connection, access.directory.id, draft)
        if not access.is_owner:
            draft.values["user_id"] = draft.values["user_id"] or access.user_id
            if draft.row is not None and draft.values["slug"] != draft.before["slug"]:
                yield owner_only_violation("slug")  # the address belongs to the directory
        user_id = draft.values["user_id"]
        if user_id is None or (draft.row is not None and draft.row.user_id == user_id):  # no user, or the same one
            return
        if not access.is_owner and user_id != access.user_id:
            raise Forbidden
        directory_id = access.directory.id
        is_storable = 0 < user_id <= MAX_INTEGER
        if not is_storable or not is_member(connection, directory_id=directory_id, user_id=user_id):
            yield Violation("unknown-reference", ("user_id",), f"user_id {user_id} is no user of this directory")
        elif managed_organizer(connection, directory_id, user_id) is not None:
            yield Violation("taken", ("user_id",), f"user_id {user_id} manages another organizer of this directory")

    def before_delete(self, connection: Connection, row: Row) -> None:
        """Remove the links of listings to the organizer."""
        remove_links_to(connection, row.directory_id, "organizers", row.id)


@cached_until_commit
def managed_organizer(connection: Connection, directory_id: int, user_id: int) -> int | None:
    """Return the id of the organizer that the user manages in the directory, or None."""
    managed = "SELECT id FROM organizers WHERE directory_id = :directory AND user_id = :user"
    organizer_id: int | None = connection.scalar(managed, {"directory": directory_id, "user": user_id})
    return organizer_id


def uploaded_image_urls(values: Values, site: str) -> dict[str, str]:
    """Return the URLs of uploaded images by URL field, for the URL fields that are empty (docs/contract.md 16)."""
    return {
        url_field: f"{site}/storage/{quote(values[image])}"
        for image, url_field in IMAGES.items()
        if values[image] and not values[url_field]
    }


def owner_only_violation(name: str) -> Violation:
    """Return a violation for a field that only the owner of the directory may change."""
    return Violation("not-allowed", (name,), f"{name} can be changed only by the owner of the directory")


PAGES = PageStore()
TAGS = TagStore()
CATEGORIES = CategoryStore()
CUSTOM_FIELDS = CustomFieldStore()
ARTICLES = ArticleStore()

ORGANIZERS = OrganizerStore()


def category_titles(connection: Connection, directory_id: int) -> dict[int, str]:
    """Return the titles of the directory's categories by id."""
    query = "SELECT id, title FROM categories WHERE directory_id = :directory"
    return dict(connection.tuples(query, {"directory": directory_id}))


def in_category(name: str) -> RecordCondition:
    """Return the condition that an article is in the category with this name."""
    if "\0" in name:  # never in a name, and PostgreSQL refuses it
        return RecordCondition("FALSE", {})
    return RecordCondition(
        "id IN (SELECT article_id FROM article_categories WHERE name = :category)", {"category": name}
    )


def article_authors(connection: Connection, user_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """Return the `user` objects of articles, by user id."""
    query = "SELECT id, name, email, created_at, updated_at FROM users WHERE id IN :ids"
    return {row.id: row._asdict() for row in connection.all(query, {"ids": [*set(user_ids)]})}
