"""When log lines are written."""

import asyncio
import logging
from typing import TextIO


class ByTurn(logging.StreamHandler[TextIO]):
    """Writes the lines of one turn of the event loop together: to write takes as long as all else of a line.

    Warnings, and lines from where no loop runs, are written at once, after those that wait. At the end of the process
    `logging` flushes.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._waiting: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        try:
            self._waiting.append(self.format(record) + self.terminator)
            loop = _running_loop()
            if loop is None or record.levelno >= logging.WARNING:
                self.flush()
            elif len(self._waiting) == 1:
                loop.call_soon(self.flush)
        except Exception:  # noqa: BLE001 - as every handler does
            self.handleError(record)

    def flush(self) -> None:
        self.acquire()
        try:
            text, self._waiting = "".join(self._waiting), []
            self.stream.write(text)
            super().flush()
        finally:
            self.release()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
