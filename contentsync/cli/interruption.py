"""What stops a command that is at work: Ctrl-C, and the signals that end processes."""

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_within: ContextVar[bool] = ContextVar("_within", default=False)


@contextmanager
def interruptible() -> Iterator[None]:
    """Cancel the task for each signal that asks to stop (docs/faults.md CO-14), unless it is ignored, as with `nohup`.

    Inside another one it changes nothing: the loop has one handler for a signal.
    """
    if _within.get():
        yield
        return
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    wanted = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    signals = [number for number in wanted if signal.getsignal(number) is not signal.SIG_IGN]
    for number in signals:
        loop.add_signal_handler(number, lambda: task and task.cancel())
    within = _within.set(True)
    try:
        yield
    finally:
        _within.reset(within)
        for number in signals:
            loop.remove_signal_handler(number)
