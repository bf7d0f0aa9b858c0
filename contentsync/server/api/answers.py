"""Answers out, as ready bytes: stored JSON is joined, not made again."""

import json
from collections.abc import Sequence
from typing import Any

import orjson
from fastapi import Response

JSON = "application/json"
TOTAL = "X-Total-Count"  # how many records the list has
_TYPE = (b"content-type", JSON.encode())


class _Answer(Response):
    """JSON, with headers as they are sent: Starlette would encode them anew for each."""

    def __init__(self, body: bytes, status: int = 200, tag: str | None = None) -> None:
        self.body, self.status_code, self.background = body, status, None
        self.raw_headers = [(b"content-length", b"%d" % len(body)), _TYPE]
        if tag is not None:
            self.raw_headers.insert(0, (b"etag", tag.encode()))


def answer(value: Any, status: int = 200) -> Response:
    """A value that is small enough to be encoded on the spot."""
    return _Answer(orjson.dumps(value), status)


def message(text: str, status: int = 200) -> Response:
    """A sentence."""
    return answer({"message": text}, status)


def one(document: str, tag: str, status: int = 200) -> Response:
    """One record with its ETag."""
    return _Answer(f'{{"data":{document}}}'.encode(), status, tag)


def many(documents: Sequence[str], envelope: dict[str, Any] | None = None, tag: str | None = None) -> Response:
    """Records, with `links` and `meta` where they come in pages, and the ETag of a list."""
    rest = f",{_text(envelope)[1:-1]}" if envelope else ""
    return ready(f'{{"data":[{",".join(documents)}]{rest}}}'.encode(), tag)


def ready(body: bytes, tag: str | None = None) -> Response:
    """A list as it left the service before."""
    return _Answer(body, tag=tag)


def unchanged(tag: str, total: int | None = None) -> Response:
    """Return the 304 that vouches for a client's copy of a list; `total` lets the client check that it is whole."""
    headers = {"ETag": tag} if total is None else {"ETag": tag, TOTAL: str(total)}
    return Response(status_code=304, headers=headers)


def _text(value: dict[str, Any]) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a page number may have more digits than 64 bits
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
