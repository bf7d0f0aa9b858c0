"""Expectations about answers (docs/contract.md 2, 4, 10, 11)."""

import re
from typing import Any

import httpx

TIMESTAMP = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z")


def is_timestamp(value: Any) -> bool:
    """Return whether it is an ISO 8601 UTC string with microseconds."""
    return isinstance(value, str) and TIMESTAMP.fullmatch(value) is not None


def data(response: httpx.Response, status: int = 200) -> Any:
    """Return the `data` of an answer; fail for another status."""
    assert response.status_code == status, response.text
    return response.json()["data"]


def require_message(response: httpx.Response, status: int) -> str:
    """Require that an answer has the status, and a JSON object with nothing but a `message`; return the message."""
    assert response.status_code == status, response.text
    assert response.headers["content-type"].startswith("application/json")
    body = response.json()
    assert isinstance(body["message"], str)
    assert body["message"]
    assert not body.keys() - {"message"}
    return str(body["message"])


def errors(response: httpx.Response) -> dict[str, list[str]]:
    """Return the `errors` of a 422; fail for another status and for another shape."""
    assert response.status_code == 422, response.text
    body = response.json()
    assert body.keys() == {"message", "errors"}
    assert body["message"] == "The given data was invalid."
    assert body["errors"]
    for texts in body["errors"].values():
        assert texts
        assert all(isinstance(text, str) and text for text in texts)
    found: dict[str, list[str]] = body["errors"]
    return found


def refused_fields(response: httpx.Response) -> set[str]:
    """Return the fields that a 422 names."""
    return set(errors(response))
