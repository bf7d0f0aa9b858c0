"""Where the document is shown."""

from functools import cache

import orjson
from fastapi import Response

from ..answers import ready
from .document import document


async def show_document() -> Response:
    """The document, for everybody: it tells nothing of any directory."""
    return ready(_text())


@cache
def _text() -> bytes:
    return orjson.dumps(document())
