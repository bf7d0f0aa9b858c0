"""Lines are written a turn of the event loop at a time, and none is lost."""

import asyncio
import io
import logging
import weakref
from typing import Self

import pytest

from contentsync.server.edge.logs import PIPE_BYTES, BatchingHandler


class Log(io.StringIO):
    """A stream that records its writes, and a logger for it; a context manager."""

    def __init__(self) -> None:
        super().__init__()
        self.writes: list[str] = []
        self.handler = BatchingHandler(self)
        self.logger = logging.Logger("test")
        self.logger.addHandler(self.handler)

    def __exit__(self, *_: object) -> None:
        self.handler.close()

    def __enter__(self) -> Self:
        return self

    def write(self, text: str) -> int:
        self.writes.append(text)
        return super().write(text)


def test_lines_of_one_loop_iteration_are_written_together_in_order() -> None:
    async def two_turns(log: Log) -> None:
        log.logger.info("one")
        log.logger.info("two")
        assert log.writes == []
        await asyncio.sleep(0)
        log.logger.info("three")
        await asyncio.sleep(0)

    with Log() as log:
        asyncio.run(two_turns(log))
        assert log.writes == ["one\ntwo\n", "three\n"]


@pytest.mark.parametrize("letter", ["x", "é"])
def test_a_batch_fits_into_a_pipe(letter: str) -> None:
    line = letter * ((PIPE_BYTES // 2 - 1) // len(letter.encode()))

    async def turn(log: Log) -> None:
        for _ in range(3):
            log.logger.info(line)
        await asyncio.sleep(0)

    with Log() as log:
        asyncio.run(turn(log))
        assert log.writes == [f"{line}\n{line}\n", f"{line}\n"]


def test_a_loop_that_ends_early_does_not_block_another() -> None:
    async def turn(log: Log) -> None:
        log.logger.info("line")
        await asyncio.sleep(0)

    with Log() as log:
        ending = asyncio.new_event_loop()
        ending.call_soon(log.logger.info, "early")
        ending.call_soon(ending.stop)
        ending.run_forever()
        ending.close()
        asyncio.run(turn(log))
        assert log.getvalue() == "early\nline\n"


@pytest.mark.parametrize("level", [logging.WARNING, logging.ERROR])
def test_warnings_are_written_at_once_after_waiting_lines(level: int) -> None:
    async def turn(log: Log) -> str:
        log.logger.info("before")
        log.logger.log(level, "wrong")
        return log.getvalue()

    with Log() as log:
        assert asyncio.run(turn(log)) == "before\nwrong\n"
        assert log.getvalue() == "before\nwrong\n"


def test_a_line_from_a_thread_flushes_waiting_lines() -> None:
    async def turn(log: Log) -> str:
        log.logger.info("waits")
        await asyncio.to_thread(log.logger.info, "from a thread")
        return log.getvalue()

    with Log() as log:
        assert asyncio.run(turn(log)) == "waits\nfrom a thread\n"


def test_waiting_lines_are_written_at_the_end_of_the_process() -> None:
    async def last(log: Log) -> None:
        log.logger.info("the last")
        assert log.getvalue() == ""
        logging.shutdown([weakref.ref(log.handler)])  # as at the end of every process
        assert log.getvalue() == "the last\n"

    with Log() as log:
        asyncio.run(last(log))


def test_a_broken_stream_raises_no_error(capsys: pytest.CaptureFixture[str]) -> None:
    async def turn(log: Log) -> None:
        log.close()
        log.logger.info("lost")
        log.logger.warning("lost")

    asyncio.run(turn(Log()))
    assert "ValueError" in capsys.readouterr().err
