import asyncio
import multiprocessing
import time
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from contentsync.remote import Service
from contentsync.remote.pacing import WINDOW, Pacer, pacing_file

from ..simulator import Manners, Simulator


class Clock:
    """The seconds since the machine started, as told."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def most_in_a_minute(times: list[float]) -> int:
    return max(sum(start <= moment < start + 60 for moment in times) for start in times)


def test_as_many_as_the_limit_go_at_once_and_the_next_when_the_first_is_a_minute_old() -> None:
    clock = Clock()
    pacer = Pacer(3, clock=clock)
    assert [pacer.reserve() for _ in range(3)] == [0, 0, 0]
    clock.now += 10
    assert [pacer.reserve() for _ in range(4)] == [WINDOW - 10] * 3 + [2 * WINDOW - 10]


def test_no_minute_has_more_requests_than_the_limit() -> None:
    clock = Clock()
    pacer = Pacer(7, clock=clock)
    sent = []
    for number in range(100):
        clock.now += number % 5
        clock.now += pacer.reserve()
        sent.append(clock.now)
    assert most_in_a_minute(sent) == 7


def test_two_processes_share_one_limit(tmp_path: Path) -> None:
    """HT-12"""
    clock = Clock()
    one, other = (Pacer(4, tmp_path / "pace.json", clock=clock) for _ in range(2))
    assert [one.reserve(), other.reserve(), one.reserve(), other.reserve()] == [0, 0, 0, 0]
    assert one.reserve() == other.reserve() == WINDOW


def reserve_many(path: Path, results: "multiprocessing.Queue[list[float]]") -> None:
    pacer = Pacer(20, path)
    turns = []
    for _ in range(50):
        wait = pacer.reserve()
        turns.append(time.monotonic() + wait)
    results.put(turns)


def test_processes_that_run_at_the_same_time_keep_to_the_limit_together(tmp_path: Path) -> None:
    """HT-12"""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    processes = [context.Process(target=reserve_many, args=(tmp_path / "pace.json", results)) for _ in range(3)]
    for process in processes:
        process.start()
    turns = [turn for _ in processes for turn in results.get(timeout=30)]
    for process in processes:
        process.join()
    assert len(turns) == 150
    assert most_in_a_minute(turns) == 20


def test_a_refusal_holds_everybody_back(tmp_path: Path) -> None:
    """HT-11, HT-12"""
    clock = Clock()
    one, other = (Pacer(100, tmp_path / "pace.json", clock=clock) for _ in range(2))
    one.hold(30)
    assert other.reserve() == 30
    clock.now += 31
    assert other.reserve() == 0


def test_a_lower_limit_of_the_server_counts() -> None:
    pacer = Pacer(120, clock=Clock())
    pacer.learn({"x-ratelimit-limit": "2"})
    assert [pacer.reserve() for _ in range(3)] == [0, 0, WINDOW]


def test_a_higher_limit_of_the_server_does_not() -> None:
    pacer = Pacer(1, clock=Clock())
    pacer.learn({"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999"})
    assert [pacer.reserve() for _ in range(2)] == [0, WINDOW]


def test_requests_that_others_have_sent_are_seen_in_what_remains() -> None:
    """HT-12"""
    pacer = Pacer(10, clock=Clock())
    pacer.reserve()
    pacer.learn({"x-ratelimit-limit": "10", "x-ratelimit-remaining": "2"})
    waits = [pacer.reserve() for _ in range(4)]
    assert waits[:2] == [0, 0]
    assert 0 < waits[2] < waits[3] < WINDOW


@pytest.mark.parametrize("text", ["", "-1", "many", "1e3", "9" * 400, "٣"])
def test_headers_that_are_no_numbers_say_nothing(text: str) -> None:
    pacer = Pacer(2, clock=Clock())
    pacer.learn({"x-ratelimit-limit": text, "x-ratelimit-remaining": text})
    assert [pacer.reserve() for _ in range(3)] == [0, 0, WINDOW]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff", b'{"times": 1}', b'{"times": ["x"], "hold": 0}'])
def test_a_damaged_file_does_not_make_a_process_forget_its_own_requests(tmp_path: Path, damage: bytes) -> None:
    """FI-32"""
    path = tmp_path / "pace.json"
    pacer = Pacer(2, path, clock=Clock())
    pacer.reserve()
    path.write_bytes(damage)
    assert [pacer.reserve(), pacer.reserve()] == [0, WINDOW]


def test_turns_from_before_the_machine_started_again_are_forgotten(tmp_path: Path) -> None:
    """TM-05"""
    path = tmp_path / "pace.json"
    before = Pacer(1, path, clock=Clock(500_000))
    before.reserve()
    before.hold(600)
    assert Pacer(1, path, clock=Clock(20)).reserve() == 0


def test_where_nothing_can_be_written_a_process_counts_alone(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    pacer = Pacer(1, tmp_path / "file" / "pace.json", clock=Clock())
    assert [pacer.reserve(), pacer.reserve()] == [0, WINDOW]


def test_each_directory_of_each_server_has_a_file_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CO-17"""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one = pacing_file("https://a.example", 42)
    assert one is not None
    assert one == pacing_file("https://a.example/", 42)
    assert len({one, pacing_file("https://a.example", 43), pacing_file("https://b.example", 42)}) == 3
    assert one.parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_others_may_write_into_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FI-14: nobody's link is followed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = pacing_file("https://a.example", 42)
    assert found is not None
    found.parent.chmod(0o777)
    assert pacing_file("https://a.example", 42) is None
    found.parent.rmdir()
    found.parent.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert pacing_file("https://a.example", 42) is None


def test_clients_that_keep_to_the_limit_are_never_refused(tmp_path: Path) -> None:
    """HT-12"""
    clock = Clock()
    app = Simulator(FastAPI(), Manners(per_minute=5), clock)

    async def sleep(seconds: float) -> None:
        clock.now += seconds

    def client() -> Service:
        pacer = Pacer(5, tmp_path / "pace.json", clock=clock)
        return Service("http://service", transport=httpx.ASGITransport(app=app), pacer=pacer, sleep=sleep)

    async def asked() -> None:
        async with client() as one, client() as other:
            for _ in range(12):
                await one.get("/openapi.json")
                await other.get("/openapi.json")

    asyncio.run(asked())
    assert len(app.requests) == 24  # none was sent twice
    assert clock.now == 1000 + 4 * WINDOW
