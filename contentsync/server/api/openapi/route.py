"""Where the document is shown."""

from functools import cache

import orjson
from fastapi import Response

from ..answers import JSON
from .document import document


async def show_document() -> Response:
    """The document, for everybody: it tells nothing of any directory."""
    return Response(_text(), media_type=JSON)


@cache
def _text() -> bytes:
    return orjson.dumps(document())
