"""Whether the client of a request is still there."""

import asyncio

from starlette.types import Message

from contentsync.server.client_disconnect import client_left

BODY = {"type": "http.request", "body": b"x", "more_body": False}
PART = {"type": "http.request", "body": b"x", "more_body": True}
LEFT = {"type": "http.disconnect"}


def has_left(*messages: Message) -> bool:
    """Return whether the client has left, according to the messages of the server, of which the last is repeated."""
    coming = iter(messages)

    async def receive() -> Message:
        return next(coming, messages[-1])

    async def watch() -> bool:
        try:
            await asyncio.wait_for(client_left(receive), 0.05)
        except TimeoutError:
            return False
        return True

    return asyncio.run(watch())


def test_a_disconnect_after_the_body_is_noticed() -> None:
    assert has_left(PART, BODY, LEFT)
    assert has_left(LEFT)


def test_a_client_in_process_that_repeats_its_body_has_not_left() -> None:
    assert not has_left(BODY)
