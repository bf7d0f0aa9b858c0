"""The endpoints by operation, and those of operations that only some kinds have (docs/contract.md 4.2, 4.3, 13, 14)."""

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from ...model import BULK_SIZE, PER_PAGE, WIRE_FORM, Invalid, Kind, Violation, validate
from ...model.slug import is_slug
from ..access import READ
from ..paging import Paging
from ..store import Connection, accounts
from ..store.listing_store import LISTINGS
from ..store.record_kinds import ARTICLES, CATEGORIES, CUSTOM_FIELDS, ORGANIZERS, PAGES, TAGS, in_category
from .auth import ApiCall, authenticate_request, require_scope, service_of
from .etags import write
from .http import envelope, json_response, list_response, message_response, only_value, page_number
from .resources import Endpoint, Resource, list_page, resource_endpoints
from .serializers import (
    TRANSLATIONS,
    VISIBILITY,
    directory_brief,
    serialize_articles,
    serialize_categories,
    serialize_listings,
    serialize_organizers,
    serialize_pages,
    serialize_plain,
    serializer_context,
)

_ARTICLES = Resource(ARTICLES, serialize_articles, include=TRANSLATIONS)
_RESOURCES = (
    _ARTICLES,
    Resource(LISTINGS, serialize_listings, include=VISIBILITY),
    Resource(PAGES, serialize_pages),
    Resource(ORGANIZERS, serialize_organizers, include=TRANSLATIONS, slow=True),
    Resource(CATEGORIES, serialize_categories),
    Resource(TAGS, serialize_plain),
    Resource(CUSTOM_FIELDS, serialize_plain),
)


async def openapi(request: Request) -> Response:
    """Return the OpenAPI document; it needs no token, because it contains no data of any directory."""
    from .openapi.openapi_document import show_document  # most processes are never asked for it

    return await show_document(request)


async def user(request: Request) -> Response:
    """Return the user of the token, without the `data` envelope of other responses."""
    principal = await authenticate_request(request)
    require_scope(principal, READ)
    return json_response({"id": principal.user_id, "name": principal.name, "email": principal.email})


async def directories(request: Request) -> Response:
    """Return the directories that the token may access: all of them, or with `?page` one page."""
    principal = await authenticate_request(request)
    require_scope(principal, READ)
    service = service_of(request)
    visible = await service.database.read(accounts.directories_of, principal)
    paging: dict[str, Any] = {}
    if "page" in request.query_params:
        page = Paging(page_number(request), len(visible), PER_PAGE)
        paging = envelope(page, request, service.public_url)
        visible = visible[page.offset : page.offset + PER_PAGE]
    return json_response({"data": [directory_brief(each) for each in visible], **paging})


async def directory(call: ApiCall) -> Response:
    """Return one directory with its settings."""
    directory = call.access.directory
    settings = {
        "locales": directory.locales,
        "expired": directory.expired,
        "organizers": directory.organizers,
        "created_at": directory.created_at,
        "updated_at": directory.updated_at,
        "url": f"{call.access.site}/",
    }
    return json_response({"data": directory_brief(directory) | settings})


async def article_exists(call: ApiCall) -> Response:
    """Return 400 if an article has the slug in the body, else 200; the slug may be any text (docs/contract.md 14)."""
    slug = only_value(await call.body(), "slug")
    if not isinstance(slug, str):
        raise Invalid([Violation("not-text", ("slug",), "slug must be text")])
    if is_slug(slug) and await call.database.read(ARTICLES.by_key, call.access.directory.id, slug) is not None:
        return message_response("Article already exists in this directory", 400)
    return message_response("Article does not exist in this directory")


async def articles_in_category(call: ApiCall, category: str) -> Response:
    """Return one page of the articles in the category with exactly this name."""
    return await list_page(_ARTICLES, call, in_category(category))


async def listing_exists(call: ApiCall) -> Response:
    """Return 400 if a listing has the URL in the body or one with an equal `url_key`, else 200."""
    body = {"url": only_value(await call.body(), "url")}
    url = validate(Kind.LISTING, body, context=WIRE_FORM, stored={})["url"]  # an update, which needs no other field
    if url is None:  # an empty text
        raise Invalid([Violation("required", ("url",), "url is required")])
    if await call.database.read(LISTINGS.by_url, call.access.directory.id, url) is not None:
        return message_response("Listing already exists in this directory", 400)
    return message_response("Listing does not exist in this directory")


async def create_listings(call: ApiCall) -> Response:
    """Create listings independently of each other; return the created and the existing listings, and the errors."""
    items = _bulk_items(only_value(await call.body(), "listings"))
    return await write(call, Kind.LISTING, lambda connection: _create_listings(connection, call, items))


def _create_listings(connection: Connection, call: ApiCall, items: list[Any]) -> Response:
    """Create the valid listings; return them, the existing listings with the same URLs, and the errors of the rest."""
    results = LISTINGS.create_many(connection, call.access, items)
    errors = [
        {"index": index, "name": _name(items[index]), "error": str(result)}
        for index, result in enumerate(results)
        if isinstance(result, Invalid)
    ]
    successes = [result for result in results if not isinstance(result, Invalid)]
    rows = [row for row, _is_new in successes]
    documents = serialize_listings(connection, rows, serializer_context(call)) if rows else []
    created = sum(is_new for _row, is_new in successes)
    return list_response(documents, {"errors": errors, "total_created": created, "total_errors": len(errors)})


def _bulk_items(value: Any) -> list[Any]:
    """Return the list in a bulk create; raise Invalid unless it is a list of 1 to BULK_SIZE listings."""
    if not isinstance(value, list):
        raise Invalid([Violation("not-a-list", ("listings",), "listings must be a list")])
    if not 1 <= len(value) <= BULK_SIZE:
        message = f"listings must hold 1 to {BULK_SIZE} listings, has {len(value)}"
        raise Invalid([Violation("out-of-range", ("listings",), message)])
    return value


def _name(item: Any) -> str | None:
    name = item.get("name") if isinstance(item, dict) else None
    return name if isinstance(name, str) else None


ENDPOINTS: dict[str, Endpoint] = {  # by operation id; `edge` has the endpoints of the health checks
    "get_openapi": openapi,
    "get_user": user,
    "list_directories": directories,
    "get_directory": directory,
    "article_exists": article_exists,
    "list_articles_of_category": articles_in_category,
    "listing_exists": listing_exists,
    "create_listings": create_listings,
}
for _resource in _RESOURCES:
    ENDPOINTS |= resource_endpoints(_resource)
