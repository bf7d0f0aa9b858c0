"""When the client of a request has closed the connection."""

import asyncio

from starlette.types import Receive


async def client_left(receive: Receive) -> None:
    """Return when the client has closed the connection; what is left of the body is dropped."""
    is_body_complete = False
    while (message := await receive())["type"] != "http.disconnect":
        if is_body_complete:  # a client in this process repeats its body, and always waits for the answer
            await asyncio.Event().wait()
        is_body_complete = not message.get("more_body", False)
