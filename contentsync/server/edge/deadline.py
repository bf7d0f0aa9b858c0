"""How long a body may take."""

import asyncio

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ...errors import Unavailable
from ..service_errors import BodyTimeout

WHOLE = "contentsync.whole"  # in the state of a request whose body has come to its end


class Deadline:
    """Raises BodyTimeout inside the service when a request has not come whole `seconds` after it began.

    It bounds the whole, so that a byte now and then buys no time. A request that is cancelled while it still comes
    raises Unavailable: nothing was done.
    """

    def __init__(self, app: ASGIApp, seconds: float) -> None:
        self._app = app
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        until = asyncio.get_running_loop().time() + self._seconds
        state = scope.get("state", {})

        async def receive_in_time() -> Message:
            if state.get(WHOLE):  # there is nothing to wait for but that the client goes
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise BodyTimeout from None
            except asyncio.CancelledError:  # the time is over that a server that stops leaves to its requests
                raise Unavailable("The server is stopping") from None
            state[WHOLE] = not message.get("more_body", False)
            return message

        await self._app(scope, receive_in_time, send)
