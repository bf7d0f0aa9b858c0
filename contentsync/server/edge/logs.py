"""How log lines look: one record a line for people, or one JSON object a line for machines."""

import json
import logging
import re
import sys
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

from .log_writing import ByTurn
from .request_id import REQUEST_ID

LogFormat = Literal["text", "json"]
LogLevel = Literal["debug", "info", "warning", "error"]  # from which on lines are written


def configure_logs(format_: LogFormat, level: LogLevel) -> None:
    """Send the log lines of the server and of what it stands on to stderr."""
    handler = ByTurn(sys.stderr)
    handler.setFormatter(_Json() if format_ == "json" else _Text())
    for name, lowest in (("contentsync", logging.DEBUG), ("uvicorn", logging.ERROR)):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.propagate = False
        logger.setLevel(max(lowest, getattr(logging, level.upper())))


_PLAIN = re.compile(r"[!#-<>-~]*\Z")  # ASCII that shows, without the space, " and =


class _Text(logging.Formatter):
    """`time LEVEL message key=value ... id=...`; a traceback follows indented, so that no text can look like a line."""

    def format(self, record: logging.LogRecord) -> str:
        fields = {**_fields(record), "id": REQUEST_ID.get()}
        values = ["-" if value is None else str(value) for value in fields.values()]
        if not _PLAIN.match("".join(values)):
            values = [value if _PLAIN.match(value) else json.dumps(value) for value in values]
        words = [f"{name}={value}" for name, value in zip(fields, values, strict=True)]
        lines = [f"{_time(record)} {record.levelname} {_visible(record.getMessage())} {' '.join(words)}"]
        if record.exc_info:
            lines += [f"    {_visible(line)}" for line in self.formatException(record.exc_info).splitlines()]
        return "\n".join(lines)


class _Json(logging.Formatter):
    """An object with time, level, message, the fields, id and traceback; ASCII, so that nothing in it steers."""

    def format(self, record: logging.LogRecord) -> str:
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
    return f"{_second(second)}.{micro:06d}Z"


@lru_cache(maxsize=1)  # many lines are written in the same one
def _second(second: int) -> str:
    return datetime.fromtimestamp(second, UTC).strftime("%Y-%m-%dT%H:%M:%S")


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)
