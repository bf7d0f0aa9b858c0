"""Log lines for people (text) and for programs (one JSON object per line)."""

import asyncio
import json
import logging
import select
import sys
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal, TextIO

from ...lazy_pattern import lazy_pattern
from .middleware import REQUEST_ID

# Bytes that processes can write to one pipe without mixing their lines; Windows documents no number.
PIPE_BYTES = getattr(select, "PIPE_BUF", 512)

LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]


def configure_logs(format_: LogFormat, level: LogLevel) -> None:
    """Write the logs of the server, and the errors of uvicorn, to stderr."""
    handler = BatchingHandler(sys.stderr)
    handler.setFormatter(_JsonFormatter() if format_ == "json" else _TextFormatter())
    for name, minimum in (("contentsync", logging.DEBUG), ("uvicorn", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(max(minimum, getattr(logging, level.upper())))


class BatchingHandler(logging.StreamHandler[TextIO]):
    """Writes the lines of one event loop iteration together: a write costs as much as all other work on a line.

    A batch of several lines has at most PIPE_BYTES bytes. Warnings, and lines without a running loop, are written at
    once, after the lines of the batch. `logging` calls `flush` at the end of the process.
    """

    def __init__(self, stream: TextIO) -> None:
        super().__init__(stream)
        self._lines: list[str] = []
        self._size = 0
        self._flushing_loop: asyncio.AbstractEventLoop | None = None

    def emit(self, record: logging.LogRecord) -> None:
        """Add the record to the next write; write at once if it is a warning, or if no event loop runs."""
        try:
            line = self.format(record) + self.terminator
            size = len(line.encode(errors="backslashreplace"))
            if self._size + size > PIPE_BYTES:
                self.flush()
            self._lines.append(line)
            self._size += size
            loop = _running_loop()
            if loop is None or record.levelno >= logging.WARNING:
                self.flush()
            elif loop is not self._flushing_loop:  # no call of `flush` is scheduled in it
                self._flushing_loop = loop
                loop.call_soon(self.flush)
        except Exception:  # noqa: BLE001 - like every logging handler
            self.handleError(record)

    def flush(self) -> None:
        """Write all lines of the batch in one call."""
        self.acquire()
        try:
            text = "".join(self._lines)
            self._lines = []
            self._size = 0
            self._flushing_loop = None
            if text:
                self.stream.write(text)
                super().flush()
        finally:
            self.release()


def _running_loop() -> asyncio.AbstractEventLoop | None:
    """Return the event loop of this thread; None if none runs."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


_NEEDS_NO_QUOTES = lazy_pattern(r"[!#-<>-~]*\Z")  # visible ASCII without the space, " and =


class _TextFormatter(logging.Formatter):
    """Formats `time LEVEL message key=value ... id=...`; tracebacks are indented and never look like a log line."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line, `time LEVEL message name=value ...`, and its traceback as more lines."""
        fields = {**_fields(record), "id": REQUEST_ID.get()}
        values = ["-" if value is None else str(value) for value in fields.values()]
        if not _NEEDS_NO_QUOTES.match("".join(values)):  # for speed: in most lines no value needs them
            values = [value if _NEEDS_NO_QUOTES.match(value) else json.dumps(value) for value in values]
        pairs = [f"{name}={value}" for name, value in zip(fields, values, strict=True)]
        lines = [f"{_time(record)} {record.levelname} {_escape_unprintable(record.getMessage())} {' '.join(pairs)}"]
        if record.exc_info:
            lines += [f"    {_escape_unprintable(line)}" for line in self.formatException(record.exc_info).splitlines()]
        return "\n".join(lines)


class _JsonFormatter(logging.Formatter):
    """Formats an object with time, level, message, fields, id and traceback, in ASCII without control characters."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as one line of JSON."""
        document = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "message": record.getMessage(),
            **_fields(record),
            "id": REQUEST_ID.get(),
        }
        if record.exc_info:
            document["traceback"] = self.formatException(record.exc_info)
        return json.dumps(document)


def _fields(record: logging.LogRecord) -> dict[str, Any]:
    fields: dict[str, Any] = getattr(record, "fields", {})
    return fields


def _time(record: logging.LogRecord) -> str:
    second, micro = divmod(round(record.created * 1_000_000), 1_000_000)
    return f"{_utc_text(second)}.{micro:06d}Z"


@lru_cache(maxsize=1)  # many lines share a second
def _utc_text(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _escape_unprintable(text: str) -> str:
    """Return the text with an escape for each character that cannot be printed."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
