"""Every path of the service."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.convertors import Convertor, register_url_convertor

from ...model import Kind
from ...model.fields import MAX_INTEGER
from ..store.categories import CATEGORIES
from ..store.custom_fields import CUSTOM_FIELDS
from ..store.organizers import ORGANIZERS
from ..store.pages import PAGES
from ..store.tags import TAGS
from .account import add_account_routes
from .articles import add_article_routes
from .documents import bare, categories, organizers, pages
from .listings import add_listing_routes
from .openapi import show_document
from .resource import Resource, add_routes, add_toggle
from .view import TRANSLATIONS


class _Id(Convertor[int]):
    """An id in a path; one that no database holds becomes 0, which is nobody's."""

    regex = "0|[1-9][0-9]*"

    def convert(self, value: str) -> int:
        number = int(value) if len(value) <= 10 else 0
        return number if number <= MAX_INTEGER else 0

    def to_string(self, value: int) -> str:
        return str(value)


register_url_convertor("id", _Id())


class _Route(APIRoute):
    """A route that answers HEAD where it answers GET; the server leaves the body out."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.methods and "GET" in self.methods:
            self.methods.add("HEAD")

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Calls the endpoint with ids, request and what it depends on: all that ours ask for.

        FastAPI's own handler, which knows more, takes longer than to answer a page from memory.
        """
        dependant = self.dependant

        async def handle(request: Request) -> Response:
            response: Response = await _called(dependant, request)
            return response

        return handle


async def _called(dependant: Dependant, request: Request) -> Any:
    values: dict[str, Any] = {each.name: request.path_params[each.name] for each in dependant.path_params}
    if dependant.request_param_name is not None:
        values[dependant.request_param_name] = request
    for each in dependant.dependencies:
        values[str(each.name)] = await _called(each, request)
    return await dependant.call(**values)  # type: ignore[misc]  # an endpoint or dependency has one


def add_service_routes(router: APIRouter) -> None:
    """The whole of `/api` and its description, flat: each router inside another is matched twice by FastAPI."""
    router.route_class = _Route
    directory = "/api/directories/{directory_id:id}"

    def base(kind: Kind) -> str:
        return f"{directory}/{kind.collection}"

    pages_ = Resource(PAGES, pages, paginated=True)
    add_listing_routes(router, base(Kind.LISTING))
    add_article_routes(router, base(Kind.ARTICLE))
    add_routes(router, base(Kind.PAGE), pages_)
    add_toggle(router, base(Kind.PAGE), pages_, "is_published")
    add_routes(
        router,
        base(Kind.ORGANIZER),
        Resource(ORGANIZERS, organizers, (Kind.LISTING, Kind.CUSTOM_FIELD), include=TRANSLATIONS),
    )
    add_routes(router, base(Kind.CATEGORY), Resource(CATEGORIES, categories))
    add_routes(router, base(Kind.TAG), Resource(TAGS, bare))
    add_routes(router, base(Kind.CUSTOM_FIELD), Resource(CUSTOM_FIELDS, bare))
    add_account_routes(router, directory)
    router.get("/openapi.json")(show_document)
