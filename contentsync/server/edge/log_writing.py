"""When log lines are written."""

import asyncio
import logging
import select
from typing import TextIO

# Bytes that processes can write into one pipe without tearing each other's lines; Windows names no number.
PIPE = getattr(select, "PIPE_BUF", 512)


class ByTurn(logging.StreamHandler[TextIO]):
    """Writes the lines of one turn of the event loop together: to write takes as long as all else of a line.

    No more of them than a pipe takes whole. Warnings, and lines from where no loop runs, are written at once, after
    those that wait. At the end of the process `logging` flushes.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._waiting: list[str] = []
        self._size = 0
        self._turn_of: asyncio.AbstractEventLoop | None = None  # which will flush

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = self.format(record) + self.terminator
            if self._size + len(line) > PIPE:
                self.flush()
            self._waiting.append(line)
            self._size += len(line)
            loop = _running_loop()
            if loop is None or record.levelno >= logging.WARNING:
                self.flush()
            elif loop is not self._turn_of:
                self._turn_of = loop
                loop.call_soon(self.flush)
        except Exception:  # noqa: BLE001 - as every handler does
            self.handleError(record)

    def flush(self) -> None:
        self.acquire()
        try:
            text, self._waiting, self._size, self._turn_of = "".join(self._waiting), [], 0, None
            if text:
                self.stream.write(text)
                super().flush()
        finally:
            self.release()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
