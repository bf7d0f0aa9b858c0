"""contentsync.remote.response: each answer that is not the service's has its own next step."""

import pytest

from contentsync.remote.response import FailedTry, Response, interpret_response

HTML = {"content-type": "text/html; charset=utf-8"}


@pytest.mark.parametrize(
    ("response", "url", "request_name", "message", "hint"),
    [
        (Response(200, HTML, b"<html>"), "", "GET /x", "answered with a web page", "is the URL right?"),
        (Response(200, {}, b"[]"), "", "GET /x", "something that is not a JSON object", "is the URL right?"),
        (Response(404, HTML, b"<html>"), "", "GET /x", "a 404 that is not the service's", "is the URL right?"),
        (
            Response(404, HTML, b""),
            "https://x.org/api/",
            "GET /x",
            "not the service's",
            "leave out the /api at the end",
        ),
        (Response(404, {}, b'{"message": "No"}'), "https://x.org/api", "GET /x", "404", "leave out the /api"),
        (Response(502, HTML, b""), "", "GET /x", "failed on the server: 502", "run again in a minute"),
        (Response(503, {}, b""), "", "POST /x", "failed on the server: 503", "run again in a minute"),
        (Response(500, {}, b""), "", "GET /x", "failed on the server: 500", ""),
        (Response(403, {}, b""), "", "GET /x", "refused access", "is the directory's number right"),
        (Response(403, {}, b""), "", "PUT /x", "refused access", "use a token that may write"),
        (Response(400, HTML, b"sent to HTTPS port"), "", "GET /x", "without TLS to a port with TLS", "write https://"),
    ],
)
def test_each_wrong_response_has_its_own_next_step(
    response: Response, url: str, request_name: str, message: str, hint: str
) -> None:
    failed = interpret_response(response, request_name, is_conditional=False, base_url=url)
    assert isinstance(failed, FailedTry)
    assert message in failed.error.message
    assert hint in failed.error.hint
    assert bool(failed.error.hint) is bool(hint)
