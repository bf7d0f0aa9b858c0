import asyncio
import ssl
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import httpx
import pytest

from contentsync.errors import (
    AmbiguousOutcome,
    Conflicting,
    ContentsyncError,
    Denied,
    Rejected,
    ServerError,
    Throttled,
    Unreachable,
)
from contentsync.model import Kind
from contentsync.remote.http_client import Service
from contentsync.remote.network_client import MAX_BODY
from contentsync.remote.pacing import WINDOW, Pacer
from contentsync.remote.retry import MAX_LIMITED_TRIES, MAX_TRIES, TimeLimits, WaitReports

from ..exit_codes import SERVER_ERROR
from .script import ask, in_turn, json_response
from .tcp import ask_tcp, say, whole

CREATED = {"data": {"id": 1}}
PATH = "/api/directories/42/pages"


def create(*answers: httpx.Response | Exception, **options: Any) -> int | None:
    return ask(in_turn(answers), lambda remote: remote.create(Kind.PAGE, {"title": "T"}), **options)[0].id


def read(*answers: httpx.Response | Exception) -> list[int | None]:
    return [entry.id for entry in ask(in_turn(answers), lambda remote: remote.fetch({Kind.TAG}))]


@pytest.mark.parametrize("status", [200, 201])
def test_a_successful_write_returns_the_entry(status: int) -> None:
    assert create(json_response(status, CREATED)) == 1


def test_a_request_carries_the_token_and_json() -> None:
    def handler(request: httpx.Request) -> httpx.Response:
        assert request.headers["Authorization"] == "Bearer secret"
        assert request.headers["Content-Type"] == "application/json"
        assert request.url.path == "/api/directories/42/pages"
        assert request.content == b'{"title":"T"}'
        return json_response(201, CREATED)

    assert ask(handler, lambda remote: remote.create(Kind.PAGE, {"title": "T"}), token="secret")[0].id == 1


REFUSED: list[tuple[httpx.Response, type[ContentsyncError]]] = [
    (httpx.Response(302, headers={"Location": "https://elsewhere.example"}), ServerError),
    (httpx.Response(304), ServerError),
    (json_response(400, {"message": "Bad"}), Rejected),
    (json_response(401, {"message": "Unauthenticated."}), Denied),
    (json_response(403, {"message": "You do not own this directory"}), Denied),
    (json_response(404, {"message": "Not found"}), Rejected),
    (httpx.Response(404, text="<html>"), ServerError),
    (json_response(409, {"message": "Changed"}), Conflicting),
    (httpx.Response(412), Conflicting),
    (httpx.Response(413, text="<html>"), Rejected),
    (httpx.Response(414), Rejected),
    (json_response(422, {"message": "Invalid", "errors": {"title": ["is required"]}}), Rejected),
    (httpx.Response(431), Rejected),
    (httpx.Response(501), ServerError),
]


@pytest.mark.parametrize(("answer", "error"), REFUSED, ids=lambda value: str(getattr(value, "status_code", "")))
def test_a_refused_request_raises_one_error_without_a_retry(
    answer: httpx.Response, error: type[ContentsyncError]
) -> None:
    """HT-14, HT-16, HT-17, HT-18"""
    for attempt in (create, read):
        with pytest.raises(error) as raised:
            attempt(answer)
        assert type(raised.value) is error
        assert raised.value.exit_code == SERVER_ERROR


UNCLEAR: list[httpx.Response | Exception] = [
    httpx.ReadTimeout("slow"),
    httpx.WriteTimeout("slow"),
    httpx.RemoteProtocolError("closed"),
    httpx.ReadError("reset"),
    httpx.WriteError("reset"),
    httpx.Response(200, text="<html>"),
    httpx.Response(200, text=""),
    json_response(200, None),
    json_response(200, []),
    httpx.Response(200, content=b'{"data": "\xff"}'),
    httpx.Response(202),
    httpx.Response(204),
    httpx.Response(206),
    httpx.Response(408),
    json_response(500, {"message": "Server Error"}),
    httpx.Response(502),
    httpx.Response(503),
    httpx.Response(504),
]


def named(value: object) -> str:
    return f"{value.status_code}" if isinstance(value, httpx.Response) else type(value).__name__


@pytest.mark.parametrize("answer", UNCLEAR, ids=named)
def test_a_write_without_a_clear_response_is_not_retried(answer: httpx.Response | Exception) -> None:
    """HT-02 to HT-07, HT-10, HT-13: an unclear result is never reported as failed."""
    with pytest.raises(AmbiguousOutcome):
        create(answer)


@pytest.mark.parametrize("answer", UNCLEAR, ids=named)
def test_a_read_without_a_clear_response_is_retried(answer: httpx.Response | Exception) -> None:
    """HT-02 to HT-07, HT-10, HT-13"""
    assert read(answer, json_response(200, {"data": [{"id": 7, "slug": "a"}]})) == [7]


@pytest.mark.parametrize("answer", UNCLEAR, ids=named)
def test_a_read_that_never_gets_a_clear_response_is_an_error(
    answer: httpx.Response | Exception,
) -> None:
    """HT-02 to HT-07, HT-10, HT-13"""
    with pytest.raises(ServerError):
        read(*[answer] * MAX_TRIES)


@pytest.mark.parametrize("document", [{}, {"data": None}, {"data": []}, {"data": {"title": "no id"}}])
def test_a_write_whose_response_lacks_the_record_is_ambiguous(document: Any) -> None:
    """HT-06"""
    with pytest.raises(AmbiguousOutcome):
        create(json_response(200, document))


@pytest.mark.parametrize("error", [httpx.ConnectError("refused"), httpx.ConnectTimeout("slow"), httpx.ProxyError("no")])
def test_a_request_that_never_left_is_sent_again(error: Exception) -> None:
    """HT-01"""
    assert create(error, error, json_response(201, CREATED)) == 1
    with pytest.raises(Unreachable):
        create(*[error] * MAX_TRIES)


def test_an_unknown_host_name_cannot_be_reached() -> None:
    """HT-01"""

    async def asked() -> None:
        async with Service("https://nobody.invalid", "secret", time_limits=TimeLimits(retries=0)) as service:
            await service.get(PATH)

    with pytest.raises(Unreachable, match=r"nobody\.invalid"):
        asyncio.run(asked())


def test_a_422_response_keeps_the_errors_of_each_field() -> None:
    """HT-15"""
    with pytest.raises(Rejected) as raised:
        create(json_response(422, {"message": "Invalid", "errors": {"seo.title": ["too long"], "order": "a number"}}))
    assert raised.value.status == 422
    assert raised.value.errors == {"seo.title": ["too long"], "order": ["a number"]}


def test_a_redirect_is_not_followed_and_its_target_is_reported() -> None:
    """HT-22"""
    with pytest.raises(ServerError, match=r"https://evil\.example/x"):
        create(httpx.Response(307, headers={"Location": "https://evil.example/x"}))


def waits_for(*answers: httpx.Response) -> list[float]:
    """Return how long a write waits until it succeeds."""
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    assert create(*answers, json_response(201, CREATED), sleep=sleep) == 1
    return waited


def limited(retry_after: str | None, **headers: str) -> httpx.Response:
    """Return a response of a server that refuses a request because of its rate limit."""
    return httpx.Response(429, headers=headers if retry_after is None else {"Retry-After": retry_after, **headers})


def test_a_rate_limited_write_is_retried_after_the_requested_wait() -> None:
    """HT-11"""
    assert waits_for(limited("7"), limited("0")) == [7, 1]


def test_a_retry_date_is_relative_to_the_clock_of_the_server() -> None:
    """HT-11, TM-04"""
    date = {"Date": "Fri, 31 Dec 2099 23:59:00 GMT"}
    assert waits_for(limited("Fri, 31 Dec 2099 23:59:59 GMT", **date)) == [59]


@pytest.mark.parametrize("text", [None, "abc", "-5", "", "٣"])
def test_a_rate_limit_without_a_time_waits_for_a_whole_window(text: str | None) -> None:
    """HT-11"""
    headers = httpx.Headers({} if text is None else {"Retry-After": text}, encoding="utf-8")
    assert waits_for(httpx.Response(429, headers=headers)) == [60]


@pytest.mark.parametrize("text", ["99999999999", "Fri, 31 Dec 2099 23:59:59 GMT"])
def test_a_server_that_requests_a_very_long_wait_is_an_error(text: str) -> None:
    """HT-11: the wait has a limit, and the error contains it."""
    with pytest.raises(Throttled, match=r"asks to wait [\d,]{13,} s"):
        create(limited(text, Date="Fri, 01 Jan 2016 00:00:00 GMT"))


def test_a_run_waits_for_the_rate_limit_up_to_a_total() -> None:
    """HT-08, HT-11"""
    transport = httpx.MockTransport(lambda request: limited("40"))
    waited: list[float] = []

    async def sleep(seconds: float) -> None:
        waited.append(seconds)

    async def asked() -> None:
        async with Service(
            "http://127.0.0.1:1", "t", transport=transport, sleep=sleep, time_limits=TimeLimits(retries=100)
        ) as service:
            await service.post(PATH, {})

    with pytest.raises(Throttled):
        asyncio.run(asked())
    assert waited == [40, 40]


def test_a_rate_limit_that_never_ends_is_an_error() -> None:
    with pytest.raises(Throttled):
        create(*[limited("1")] * MAX_LIMITED_TRIES)


def test_a_wait_that_the_server_requests_delays_all_requests_and_is_reported() -> None:
    """HT-11, HT-12"""
    answers = in_turn([limited("20"), *[json_response(200, {"data": []})] * 3])
    reported: list[float] = []
    clock = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal clock
        clock += seconds

    async def asked() -> None:
        service = Service(
            "http://127.0.0.1:1",
            "t",
            transport=httpx.MockTransport(answers),
            pacer=Pacer(3, clock=lambda: clock),
            reports=WaitReports(reported.append, on_pacing=lambda: reported.append(0)),
            sleep=sleep,
        )
        async with service:
            for _ in range(3):
                await service.get(PATH)

    asyncio.run(asked())
    assert reported == [20, 0]  # as long as the server asks; then until the first of three is a minute old
    assert clock == WINDOW


def test_waiting_for_the_own_rate_limit_is_reported_once() -> None:
    reported: list[str] = []
    clock = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal clock
        clock += seconds

    async def asked() -> None:
        service = Service(
            "http://127.0.0.1:1",
            "t",
            transport=httpx.MockTransport(lambda request: json_response(200, {"data": []})),
            pacer=Pacer(2, clock=lambda: clock),
            reports=WaitReports(lambda seconds: reported.append("waiting"), lambda: reported.append("paced")),
            sleep=sleep,
        )
        async with service:
            for _ in range(7):
                await service.get(PATH)

    asyncio.run(asked())
    assert reported == ["paced"]
    assert clock == 3 * WINDOW


def test_the_wait_for_the_rate_limit_is_visible_only_while_it_lasts() -> None:
    clock = 0.0
    seen: list[bool] = []
    pacer = Pacer(2, clock=lambda: clock)

    async def asked() -> None:
        async def sleep(seconds: float) -> None:
            nonlocal clock
            clock += seconds
            seen.append(pacer.is_waiting)

        service = Service(
            "http://127.0.0.1:1",
            "t",
            transport=httpx.MockTransport(lambda request: json_response(200, {"data": []})),
            pacer=pacer,
            sleep=sleep,
        )
        async with service:
            for _ in range(3):
                assert not pacer.is_waiting
                await service.get(PATH)
            assert not pacer.is_waiting

    asyncio.run(asked())
    assert seen == [True]


def test_a_task_reserves_one_request_until_it_sends_it() -> None:
    """HT-12: a task that sends nothing takes no turn from others."""
    waits: list[float] = []
    clock = 0.0

    async def sleep(seconds: float) -> None:
        nonlocal clock
        clock += seconds
        waits.append(seconds)

    async def asked() -> None:
        transport = httpx.MockTransport(lambda request: json_response(200, {"data": []}))
        pacer = Pacer(1, clock=lambda: clock)
        async with Service("http://127.0.0.1:1", "t", transport=transport, pacer=pacer, sleep=sleep) as service:
            for _ in range(3):
                await service.acquire_slot(asyncio.Event())
            await service.get(PATH)
            assert waits == []
            await service.acquire_slot(asyncio.Event())
            assert waits == [WINDOW]
            await service.get(PATH)
            assert waits == [WINDOW]

    asyncio.run(asked())


def test_a_request_waiting_for_the_rate_limit_gives_up_when_the_run_ends() -> None:
    """CO-14"""

    async def asked() -> None:
        ending = asyncio.Event()
        pacer = Pacer(1)
        pacer.try_acquire()
        async with asyncio.timeout(30), Service("http://127.0.0.1:1", "t", pacer=pacer) as service:
            waiting = asyncio.create_task(service.acquire_slot(ending))
            await asyncio.sleep(0)
            ending.set()
            await waiting

    asyncio.run(asked())


@pytest.mark.parametrize(
    "host", ["directory.example.com", "127.0.0.1.example.com", "127.example.com", "localhost.example.com", "[::2]"]
)
def test_a_token_is_not_sent_unencrypted_to_another_machine(host: str) -> None:
    """HT-26"""
    with pytest.raises(Denied):
        Service(f"http://{host}", "secret")


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "127.1.2.3:8000", "[::1]:8000", "LOCALHOST"])
def test_a_token_can_be_sent_unencrypted_within_this_machine(host: str) -> None:
    """HT-26"""
    Service(f"http://{host}", "secret")


@pytest.mark.parametrize("token", ["", "sécret", "sec\nret", "sec ret", "secret\x00"])
def test_a_token_that_no_header_can_contain_is_refused_and_not_repeated(token: str) -> None:
    """AU-12"""
    with pytest.raises(Denied) as raised:
        Service("https://directory.example.com", token)
    assert "sec" not in raised.value.message + raised.value.hint


@pytest.mark.parametrize(
    ("name", "value"),
    [("SSL_CERT_FILE", "/nonexistent"), ("HTTPS_PROXY", "ftp://proxy.example"), ("HTTPS_PROXY", "socks5://x:1")],
)
def test_an_environment_that_prevents_connections_is_reported(
    name: str, value: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HT-26"""
    monkeypatch.setenv(name, value)
    with pytest.raises(Unreachable):
        Service("https://directory.example.com", "secret")


def test_an_unencrypted_token_is_not_sent_to_a_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """HT-26"""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    assert ask_tcp(say(whole(b'{"ok": 1}')), lambda service: service.get(PATH)).document == {"ok": 1}


def test_a_very_slow_response_is_given_up_at_the_deadline() -> None:
    """HT-08"""

    async def drip(writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n")
        while True:
            writer.write(b" ")
            await writer.drain()
            await asyncio.sleep(0.02)

    with pytest.raises(AmbiguousOutcome):  # without the deadline it would not end
        ask_tcp(drip, lambda service: service.post(PATH, {}), time_limits=TimeLimits(one_try=0.2))


def test_a_compressed_response_over_the_limit_is_refused() -> None:
    """HT-09: half a megabyte that expands to twice the limit."""
    packer = zlib.compressobj(1, wbits=31)
    bomb = b"".join(packer.compress(bytes(1 << 20)) for _ in range(2 * MAX_BODY >> 20)) + packer.flush()
    answer = say(whole(bomb, "Content-Encoding: gzip"))
    tracemalloc.start()
    try:
        with pytest.raises(AmbiguousOutcome, match="larger than 64 MiB"):
            ask_tcp(answer, lambda service: service.post(PATH, {}))
        assert tracemalloc.get_traced_memory()[1] < 3.5 * MAX_BODY
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("coding", ["gzip, gzip", "br", "zstd", "deflate, gzip", "aes128gcm"])
def test_a_response_in_an_unrequested_encoding_is_refused(coding: str) -> None:
    """HT-09, HT-10"""
    with pytest.raises(AmbiguousOutcome, match="encoding"):
        ask_tcp(say(whole(b"{}", f"Content-Encoding: {coding}")), lambda service: service.post(PATH, {}))


@pytest.mark.parametrize(
    "answer",
    [
        whole(b"{}", "Content-Encoding: gzip"),
        whole(zlib.compress(b'{"data": {}}', wbits=31)[:-12], "Content-Encoding: gzip"),
        whole(b'{"data": "\xff\xfe"}'),
        whole('{"data": 1}'.encode("utf-16"), "Content-Type: application/json; charset=utf-16"),
        b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{}",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfive\r\n{}",
        b'HTTP/1.1 200 OK\r\n\r\n{"data": {"id"',
        b"SSH-2.0-OpenSSH\r\n",
        b"",
        whole(b"{}", "X-Long: " + "x" * (2 << 20)),
    ],
    ids=[
        "no-gzip",
        "cut-gzip",
        "bytes",
        "utf-16",
        "short",
        "cut-chunk",
        "bad-chunk",
        "no-length",
        "ssh",
        "none",
        "2MB",
    ],
)
def test_an_unreadable_response_is_always_the_same_error(answer: bytes) -> None:
    """HT-02, HT-04, HT-05, HT-10, HT-27"""
    with pytest.raises(AmbiguousOutcome):
        ask_tcp(say(answer), lambda service: service.post(PATH, {}))


def test_two_thousand_interim_responses_are_skipped() -> None:
    """HT-27"""
    answer = b"HTTP/1.1 102 Processing\r\n\r\n" * 2000 + whole(b'{"ok": 1}')
    assert ask_tcp(say(answer), lambda service: service.post(PATH, {})).document == {"ok": 1}


def test_a_certificate_that_is_not_yet_valid_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """HT-01, HT-29"""
    certificate = Path(__file__).parent / "certificates" / "not_yet_valid.pem"
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(certificate)
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
    monkeypatch.setenv("NO_PROXY", "*")
    with pytest.raises(Unreachable, match="not yet valid") as raised:
        ask_tcp(say(), lambda service: service.get(PATH), tls=tls)
    assert "clock" in raised.value.hint


def test_a_date_header_far_in_the_future_is_harmless() -> None:
    """HT-29"""
    assert create(json_response(201, CREATED, {"Date": "Mon, 01 Jan 1900 00:00:00 GMT"})) == 1


def test_many_concurrent_requests_get_their_own_responses() -> None:
    async def echo(writer: asyncio.StreamWriter) -> None:
        port = writer.get_extra_info("peername")[1]
        writer.write(whole(b'{"port": %d}' % port))
        await writer.drain()

    async def asked(service: Service) -> int:
        answers = await asyncio.gather(*(service.get(PATH) for _ in range(50)))
        return len({answer.document["port"] for answer in answers})

    assert ask_tcp(echo, asked) == 50
