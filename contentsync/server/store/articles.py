"""Blog articles (docs/contract.md 4.2)."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from sqlalchemy import ColumnElement, Connection, delete, false, insert, select

from ...model import Kind, Violation
from ..access import Access
from .clock import now
from .drafts import Draft
from .records import Records
from .schema import article_categories, articles, users


class Articles(Records):
    """Articles: upserted by slug, the newest first."""

    kind: ClassVar = Kind.ARTICLE
    table: ClassVar = articles
    columns: ClassVar = ("published_at", "active")
    objects: ClassVar = ("seo", "translations")
    deferrable: ClassVar = ("data",)
    slug_follows_title: ClassVar = True
    dated_when_new: ClassVar = ("published_at",)

    def sorting(self) -> tuple[ColumnElement[Any], ...]:
        """The newest first; those without a date at the end."""
        return articles.c.published_at.desc().nulls_last(), articles.c.id

    def settle(self, connection: Connection, access: Access, draft: Draft) -> Iterator[Violation]:
        """Date a new article and its SEO, and note in which format its body was given last."""
        moment = now()
        if draft.row is None and draft.given.get("published_at") is None:
            draft.whole["published_at"] = moment
        seo = draft.whole["seo"]
        if seo != draft.before.get("seo"):
            seo |= {"created_at": seo.get("created_at", moment), "updated_at": moment}
        if {"markdown", "content"} & draft.given.keys():
            draft.whole["is_markdown"] = bool(draft.given.get("markdown"))
        yield from self.settle_key(connection, access.directory.id, draft)

    def born(self, access: Access) -> dict[str, Any]:
        """An article keeps its author."""
        return {"user_id": access.user_id}

    def link(self, connection: Connection, record_id: int, draft: Draft) -> None:
        """Index the categories by name."""
        names = dict.fromkeys(draft.whole["categories"])
        if list(names) != list(dict.fromkeys(draft.before.get("categories", []))):
            connection.execute(delete(article_categories).where(article_categories.c.article_id == record_id))
            if names:
                connection.execute(
                    insert(article_categories), [{"article_id": record_id, "name": name} for name in names]
                )


ARTICLES = Articles()


def in_category(name: str) -> ColumnElement[bool]:
    """The condition that an article stands in the category."""
    if "\0" in name:  # which no name has, and PostgreSQL does not take
        return false()
    return articles.c.id.in_(select(article_categories.c.article_id).where(article_categories.c.name == name))


def authors(connection: Connection, user_ids: Iterable[int]) -> dict[int, dict[str, Any]]:
    """The `user` objects of articles by id."""
    columns = (users.c.id, users.c.name, users.c.email, users.c.created_at, users.c.updated_at)
    query = select(*columns).where(users.c.id.in_(set(user_ids)))
    return {row.id: {str(name): value for name, value in row._mapping.items()} for row in connection.execute(query)}
