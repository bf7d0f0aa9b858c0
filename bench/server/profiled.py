"""The `contentsync` command, whose server is profiled while it serves, into the file BENCH_PROFILE."""

import cProfile
import os
import sys
from typing import Any

from starlette.types import ASGIApp, Receive, Scope, Send

from contentsync.__main__ import main
from contentsync.server.edge import process
from contentsync.server.edge.process import make_application


def make_profiled(*arguments: Any, **options: Any) -> ASGIApp:
    """The application, which looks at the whole of its thread for as long as its lifespan."""
    app = make_application(*arguments, **options)
    profiler = cProfile.Profile()

    async def profiled(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            profiler.enable()
        await app(scope, receive, send)
        if scope["type"] == "lifespan":
            profiler.dump_stats(os.environ["BENCH_PROFILE"])

    return profiled


if __name__ == "__main__":
    setattr(process, "make_application", make_profiled)  # noqa: B010  # the server calls it by this name
    sys.exit(main())
