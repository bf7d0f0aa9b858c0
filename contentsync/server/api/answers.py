"""Answers out, as ready bytes: stored JSON is joined, not made again."""

import json
from collections.abc import Sequence
from typing import Any

import orjson
from fastapi import Response

JSON = "application/json"


def answer(value: Any, status: int = 200) -> Response:
    """A value that is small enough to be encoded on the spot."""
    return Response(orjson.dumps(value), status, media_type=JSON)


def message(text: str, status: int = 200) -> Response:
    """A sentence."""
    return answer({"message": text}, status)


def one(document: str, tag: str, status: int = 200) -> Response:
    """One record with its ETag."""
    return Response(f'{{"data":{document}}}'.encode(), status, {"ETag": tag}, media_type=JSON)


def many(documents: Sequence[str], envelope: dict[str, Any] | None = None, tag: str | None = None) -> Response:
    """Records, with `links` and `meta` where they come in pages, and the ETag of a list."""
    rest = f",{_text(envelope)[1:-1]}" if envelope else ""
    return ready(f'{{"data":[{",".join(documents)}]{rest}}}'.encode(), tag)


def ready(body: bytes, tag: str | None = None) -> Response:
    """A list as it left the service before."""
    return Response(body, headers={"ETag": tag} if tag else None, media_type=JSON)


def unchanged(tag: str) -> Response:
    """That the client's copy of a list is still true."""
    return Response(status_code=304, headers={"ETag": tag})


def _text(value: dict[str, Any]) -> str:
    try:
        return orjson.dumps(value).decode()
    except TypeError:  # a page number may have more digits than 64 bits
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
