import asyncio

import httpx
import pytest

from contentsync.errors import ContentsyncError, Denied, Malfunction, Rejected, Unclear, Unreachable
from contentsync.model import Kind
from contentsync.remote import Service

from .script import ask, json_response

CREATED = {"data": {"id": 1}}


def create(response: httpx.Response | Exception) -> int:
    def handler(request: httpx.Request) -> httpx.Response:
        if isinstance(response, Exception):
            raise response
        return response

    return ask(handler, lambda remote: remote.create(Kind.PAGE, {"title": "T"}))


def waits_for(*retry_after: str | None) -> tuple[list[float], int]:
    """How long a write waits that is refused so often, with these headers; and its outcome, an id or a status."""
    refusals = [httpx.Response(429, headers={} if text is None else {"Retry-After": text}) for text in retry_after]
    answers = iter([*refusals, json_response(201, CREATED)])
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def post() -> int:
        transport = httpx.MockTransport(lambda request: next(answers))
        async with Service("http://127.0.0.1:1", "t", transport=transport, sleep=sleep) as service:
            try:
                return int((await service.post("/api/directories/42/pages", {"title": "T"}))["data"]["id"])
            except Rejected as rejected:
                return rejected.status

    return waited, asyncio.run(post())


def test_a_write_over_the_rate_limit_is_sent_again_when_its_time_has_come() -> None:
    assert waits_for("7", "0") == ([7, 1], 1)


@pytest.mark.parametrize("text", [None, "abc", "-5", "99999999999", "Fri, 31 Dec 2099 23:59:59 GMT"])
def test_no_server_makes_the_client_wait_longer_than_a_minute(text: str | None) -> None:
    """HT-11"""
    assert waits_for(text) == ([60], 1)


def test_a_limit_that_never_ends_is_told() -> None:
    assert waits_for(*["1"] * 5) == ([1, 1, 1, 1], 429)


@pytest.mark.parametrize("status", [200, 201])
def test_a_write_that_succeeds_gives_the_id(status: int) -> None:
    assert create(json_response(status, CREATED)) == 1


def test_a_request_carries_the_token_and_json() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        assert request.headers["Authorization"] == "Bearer secret"
        assert request.headers["Content-Type"] == "application/json"
        assert request.url.path == "/api/directories/42/pages"
        assert request.content == b'{"title":"T"}'
        return json_response(201, CREATED)

    assert ask(handler, lambda remote: remote.create(Kind.PAGE, {"title": "T"}), token="secret") == 1


@pytest.mark.parametrize(
    ("response", "error"),
    [
        (httpx.ConnectError("refused"), Unreachable),
        (httpx.ConnectTimeout("slow"), Unreachable),
        (httpx.ReadTimeout("slow"), Unclear),
        (httpx.RemoteProtocolError("closed"), Unclear),
        (httpx.ReadError("reset"), Unclear),
        (httpx.Response(200, text="<html>"), Unclear),
        (httpx.Response(200, text=""), Unclear),
        (json_response(200, None), Unclear),
        (json_response(200, []), Unclear),
        (json_response(200, {}), Malfunction),
        (json_response(200, {"data": None}), Malfunction),
        (json_response(200, {"data": {"title": "no id"}}), Malfunction),
        (httpx.Response(204), Unclear),
        (httpx.Response(302, headers={"Location": "https://elsewhere.example"}), Malfunction),
        (json_response(400, {"message": "Bad"}), Rejected),
        (json_response(401, {"message": "Unauthenticated."}), Denied),
        (json_response(403, {"message": "You do not own this directory"}), Denied),
        (json_response(404, {"message": "Not found"}), Rejected),
        (json_response(422, {"message": "Invalid", "errors": {"title": ["is required"]}}), Rejected),
        (json_response(500, {"message": "Server Error"}), Malfunction),
        (httpx.Response(502), Unclear),
        (httpx.Response(504), Unclear),
    ],
)
def test_every_failure_becomes_one_error_of_ours(
    response: httpx.Response | Exception, error: type[ContentsyncError]
) -> None:
    """HT-01 to HT-07, HT-13, HT-14: what is unclear is never called failed."""
    with pytest.raises(error) as raised:
        create(response)
    assert type(raised.value) is error
    assert raised.value.exit_code == 4


def test_a_422_keeps_what_is_wrong_with_each_field() -> None:
    with pytest.raises(Rejected) as raised:
        create(json_response(422, {"message": "Invalid", "errors": {"seo.title": ["too long"], "order": "a number"}}))
    assert raised.value.status == 422
    assert raised.value.errors == {"seo.title": ["too long"], "order": ["a number"]}


def test_a_token_does_not_travel_unencrypted_to_another_machine() -> None:
    with pytest.raises(Denied):
        Service("http://directory.example.com", "secret")


@pytest.mark.parametrize("token", ["", "sécret", "sec\nret", "sec ret", "secret\x00"])
def test_a_token_that_no_header_can_hold_is_refused_and_not_repeated(token: str) -> None:
    """AU-12"""
    with pytest.raises(Denied) as raised:
        Service("https://directory.example.com", token)
    assert "sec" not in raised.value.message + raised.value.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [("SSL_CERT_FILE", "/nonexistent"), ("HTTPS_PROXY", "ftp://proxy.example"), ("HTTPS_PROXY", "socks5://x:1")],
)
def test_an_environment_that_allows_no_connection_is_told(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HT-26"""
    monkeypatch.setenv(name, value)
    with pytest.raises(Unreachable):
        Service("https://directory.example.com", "secret")
