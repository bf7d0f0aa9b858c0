"""Records that many tests begin with."""

from typing import Any

from ..conftest import Api

# Something of every kind that another directory has.
SECRETS: dict[str, dict[str, Any]] = {
    "pages": {"title": "Secret", "markdown": "Hush"},
    "articles": {"title": "Secret", "markdown": "Hush"},
    "projects": {"name": "Secret", "url": "https://secret.example"},
    "organizers": {"name": "Secret"},
    "categories": {"title": "Secret"},
    "tags": {"title": "Secret"},
    "custom-fields": {"label": "Secret", "type": "text"},
}

# Every list and every lookup that needs no record.
READS = [
    "/pages",
    "/articles",
    "/articles/category/A",
    "/projects",
    "/organizers",
    "/categories",
    "/tags",
    "/custom-fields",
    "",
]


def lathe(api: Api, **fields: Any) -> dict[str, Any]:
    """Return a new listing."""
    return api.make("projects", **{"name": "Lathe", **fields})


def news(api: Api, title: str = "News", **fields: Any) -> dict[str, Any]:
    """Return a new article."""
    return api.make("articles", title=title, **{"markdown": "Text", **fields})


def ids(records: list[dict[str, Any]]) -> list[int]:
    """Return the ids of records, in their order."""
    return [record["id"] for record in records]
