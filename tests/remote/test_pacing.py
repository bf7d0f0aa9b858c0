import asyncio
import math
import multiprocessing
import random
from collections.abc import Callable
from itertools import product
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from contentsync.remote.http_client import Service
from contentsync.remote.pacing import MINUTE, WINDOW, Pacer, pacing_file

from ..sampling import sampled
from ..simulator import Manners, Simulator
from ..virtual_time import run_virtually
from .limits import LIMIT, Counting, EachMinute, Estimated, LastMinute, Limited, client, saturate


class Clock:
    """The seconds since the machine started, as reported."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def most_in_a_minute(times: list[float]) -> int:
    return max(sum(start <= moment < start + 60 for moment in times) for start in times)


def test_requests_up_to_the_limit_are_sent_at_once() -> None:
    clock = Clock()
    pacer = Pacer(3, clock=clock)
    assert [pacer.try_acquire().wait_seconds for _ in range(3)] == [0, 0, 0]
    clock.now += 10
    assert [pacer.try_acquire().wait_seconds for _ in range(4)] == [WINDOW - 10] * 4
    clock.now += WINDOW - 10
    assert [pacer.try_acquire().wait_seconds for _ in range(4)] == [0, 0, 0, WINDOW]


def test_no_minute_has_more_requests_than_the_limit() -> None:
    clock = Clock()
    pacer = Pacer(7, clock=clock)
    sent = []
    for number in range(100):
        clock.now += number % 5
        while wait := pacer.try_acquire().wait_seconds:
            clock.now += wait
        sent.append(clock.now)
    assert most_in_a_minute(sent) == 7


def test_two_processes_share_one_limit(tmp_path: Path) -> None:
    """HT-12"""
    clock = Clock()
    one, other = (Pacer(4, tmp_path / "pace.json", clock=clock) for _ in range(2))
    assert [
        one.try_acquire().wait_seconds,
        other.try_acquire().wait_seconds,
        one.try_acquire().wait_seconds,
        other.try_acquire().wait_seconds,
    ] == [0, 0, 0, 0]
    assert one.try_acquire().wait_seconds == other.try_acquire().wait_seconds == WINDOW


def take_many(path: Path, results: "multiprocessing.Queue[list[float]]") -> None:
    pacer = Pacer(20, path)
    slots = [pacer.try_acquire() for _ in range(50)]
    results.put([slot.at for slot in slots if not slot.wait_seconds])


def test_concurrent_processes_respect_the_limit_together(tmp_path: Path) -> None:
    """HT-12"""
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    processes = [context.Process(target=take_many, args=(tmp_path / "pace.json", results)) for _ in range(3)]
    for process in processes:
        process.start()
    slots = [slot for _ in processes for slot in results.get(timeout=30)]
    for process in processes:
        process.join()
    assert len(slots) == 20


def test_a_429_response_delays_all_processes(tmp_path: Path) -> None:
    """HT-11, HT-12"""
    clock = Clock()
    one, other = (Pacer(100, tmp_path / "pace.json", clock=clock) for _ in range(2))
    one.back_off(30)
    assert other.try_acquire().wait_seconds == 30
    clock.now += 31
    assert other.try_acquire().wait_seconds == 0


def test_a_lower_limit_of_the_server_applies() -> None:
    clock = Clock()
    pacer = Pacer(120, clock=clock)
    pacer.record_answer(clock(), {"x-ratelimit-limit": "2"})
    assert [pacer.try_acquire().wait_seconds for _ in range(3)] == [0, 0, WINDOW]


def test_a_higher_limit_of_the_server_does_not_apply() -> None:
    clock = Clock()
    pacer = Pacer(1, clock=clock)
    pacer.record_answer(clock(), {"x-ratelimit-limit": "1000", "x-ratelimit-remaining": "999"})
    assert [pacer.try_acquire().wait_seconds for _ in range(2)] == [0, WINDOW]


def test_the_server_determines_the_limit_without_a_setting() -> None:
    clock = Clock()
    pacer = Pacer(clock=clock)
    assert pacer.limit == 120  # what the contract allows
    for number in range(3):
        pacer.record_answer(
            pacer.try_acquire().at, {"x-ratelimit-limit": "500", "x-ratelimit-remaining": str(499 - number)}
        )
    assert pacer.limit == 500
    assert [pacer.try_acquire().wait_seconds for _ in range(497)] == [0] * 497
    assert pacer.try_acquire().wait_seconds > 0
    pacer.record_answer(clock(), {"x-ratelimit-limit": "60"})
    assert pacer.limit == 60


def test_a_server_without_a_rate_limit_is_not_paced(tmp_path: Path) -> None:
    path = tmp_path / "pace.json"
    pacer = Pacer(path=path, clock=Clock())
    pacer.record_answer(pacer.try_acquire().at, {"x-rate-limit": "none"})
    first = path.read_bytes()
    assert [pacer.try_acquire().wait_seconds for _ in range(5000)] == [0] * 5000
    assert pacer.limit is None
    assert path.read_bytes() == first  # nothing is counted


def test_a_server_that_introduces_a_rate_limit_is_paced() -> None:
    clock = Clock()
    pacer = Pacer(clock=clock)
    pacer.record_answer(pacer.try_acquire().at, {"x-rate-limit": "none"})
    pacer.record_answer(pacer.try_acquire().at, {"x-ratelimit-limit": "3", "x-ratelimit-remaining": "1"})
    assert pacer.try_acquire().wait_seconds == 0
    assert pacer.try_acquire().wait_seconds > 0


def test_a_429_response_of_a_server_without_a_limit_delays_too() -> None:
    clock = Clock()
    pacer = Pacer(clock=clock)
    pacer.record_answer(pacer.try_acquire().at, {"x-rate-limit": "none"})
    pacer.back_off(30)
    assert pacer.try_acquire() == (clock.now + 30, 30, True)


@pytest.mark.parametrize("headers", [{}, {"x-rate-limit": "some"}, {"x-ratelimit-limit": "many"}, {"etag": '"1"'}])
def test_the_limit_of_the_contract_applies_if_the_server_reports_none(headers: dict[str, str]) -> None:
    """The server may count requests without reporting it."""
    pacer = Pacer(clock=Clock())
    waits = []
    for _ in range(121):
        slot = pacer.try_acquire()
        waits.append(slot.wait_seconds)
        pacer.record_answer(slot.at, headers)
    assert waits == [0] * 120 + [WINDOW]


def test_a_configured_limit_applies_to_a_server_without_one() -> None:
    pacer = Pacer(2, clock=Clock())
    pacer.record_answer(pacer.try_acquire().at, {"x-rate-limit": "none"})
    assert [pacer.try_acquire().wait_seconds for _ in range(2)] == [0, WINDOW]


def test_requests_of_other_clients_are_seen_in_the_remaining_number() -> None:
    """HT-12"""
    clock = Clock()
    pacer = Pacer(10, clock=clock)
    pacer.record_answer(pacer.try_acquire().at, {"x-ratelimit-limit": "10", "x-ratelimit-remaining": "2"})
    assert [pacer.try_acquire().wait_seconds for _ in range(2)] == [0, 0]
    assert 0 < pacer.try_acquire().wait_seconds < WINDOW


@pytest.mark.parametrize("text", ["", "-1", "many", "1e3", "9" * 400, "٣"])
def test_headers_that_are_not_numbers_are_ignored(text: str) -> None:
    clock = Clock()
    pacer = Pacer(2, clock=clock)
    pacer.record_answer(clock(), {"x-ratelimit-limit": text, "x-ratelimit-remaining": text})
    assert [pacer.try_acquire().wait_seconds for _ in range(3)] == [0, 0, WINDOW]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"\xff", b'{"times": 1}', b'{"times": ["x"], "hold": 0}'])
def test_a_damaged_file_does_not_reset_the_requests_of_this_process(tmp_path: Path, damage: bytes) -> None:
    """FI-32"""
    path = tmp_path / "pace.json"
    pacer = Pacer(2, path, clock=Clock())
    pacer.try_acquire()
    path.write_bytes(damage)
    assert [pacer.try_acquire().wait_seconds, pacer.try_acquire().wait_seconds] == [0, WINDOW]


def test_requests_from_before_a_restart_of_the_machine_are_ignored(tmp_path: Path) -> None:
    """TM-05"""
    path = tmp_path / "pace.json"
    before = Pacer(1, path, clock=Clock(500_000))
    before.try_acquire()
    before.back_off(600)
    assert Pacer(1, path, clock=Clock(20)).try_acquire().wait_seconds == 0


def test_a_process_counts_alone_if_the_file_is_unwritable(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    pacer = Pacer(1, tmp_path / "file" / "pace.json", clock=Clock())
    assert [pacer.try_acquire().wait_seconds, pacer.try_acquire().wait_seconds] == [0, WINDOW]


def test_each_directory_of_each_server_has_its_own_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """CO-17"""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    one = pacing_file("https://a.example", 42)
    assert one is not None
    assert one == pacing_file("https://a.example/", 42)
    assert len({one, pacing_file("https://a.example", 43), pacing_file("https://b.example", 42)}) == 3
    assert one.parent.stat().st_mode & 0o777 == 0o700


def test_a_folder_that_other_users_can_write_to_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """FI-14: no one's link is followed."""
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    found = pacing_file("https://a.example", 42)
    assert found is not None
    found.parent.chmod(0o777)
    assert pacing_file("https://a.example", 42) is None
    found.parent.rmdir()
    found.parent.symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert pacing_file("https://a.example", 42) is None


def test_clients_that_respect_the_limit_are_never_refused(tmp_path: Path) -> None:
    """HT-12"""
    clock = Clock()

    async def document(request: Request) -> Response:
        return JSONResponse({"openapi": "3.1.0"})

    app = Simulator(Starlette(routes=[Route("/openapi.json", document)]), Manners(per_minute=5), clock)

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


def latency(rng: random.Random, name: str) -> float:
    """Return latencies from 5 ms to 3 s, constant or mostly short."""
    fixed = {"5 ms": 0.005, "3 s": 3.0}
    return fixed[name] if name in fixed else 0.005 * math.exp(rng.uniform(0, math.log(600)))


COUNTING: dict[str, Callable[[], Counting]] = {
    "the last minute": LastMinute,
    "the last minute, without a word": lambda: LastMinute(reports=False),
    "minutes of the clock": lambda: EachMinute(by_the_clock=True),
    "minutes from a first request": lambda: EachMinute(by_the_clock=False),
    "the built-in server": lambda: Estimated(58, 0),
    "the built-in server, begun 40 s earlier": lambda: Estimated(58, 40),
}


# The sample has each kind of limit, by turns with each latency, set and learned.
@pytest.mark.parametrize(
    ("counting", "taking", "limit"),
    sampled(product(COUNTING, ["5 ms", "mostly short", "3 s"], [LIMIT, None]), every=5),
)
def test_a_single_client_is_never_refused_by_any_kind_of_limit(counting: str, taking: str, limit: int | None) -> None:
    """HT-12"""
    rng = random.Random(f"{counting} {taking}")
    service = Limited(COUNTING[counting](), lambda: latency(rng, taking), rng)
    run_virtually(saturate(service, 5 * LIMIT, tasks=8, limit=limit))
    assert (len(service.accepted), len(service.refused)) == (5 * LIMIT, 0)


@pytest.mark.parametrize("counting", ["the last minute", "the built-in server"])
def test_three_processes_are_never_refused(tmp_path: Path, counting: str) -> None:
    """HT-12"""
    rng = random.Random(counting)
    service = Limited(COUNTING[counting](), lambda: latency(rng, "mostly short"), rng)
    run_virtually(saturate(service, 2 * LIMIT, path=tmp_path / "pace.json", processes=3, tasks=4))
    assert (len(service.accepted), len(service.refused)) == (2 * LIMIT, 0)


@pytest.mark.parametrize("counting", sampled(["the last minute", "the built-in server"], every=2))
def test_half_an_hour_at_the_limit_takes_at_most_two_percent_longer(counting: str) -> None:
    """3,600 requests in simulated time, which is the same on each machine."""
    rng = random.Random(counting)
    service = Limited(COUNTING[counting](), lambda: 0.5, rng)
    duration = run_virtually(saturate(service, 30 * LIMIT))
    assert not service.refused
    assert duration <= 1.02 * 30 * 60


def test_the_waiting_time_is_computed_from_the_requests_over_the_limit() -> None:
    clock = Clock()
    pacer = Pacer(clock=clock)
    assert pacer.seconds_for(120) == 0
    for _ in range(100):
        pacer.try_acquire()
    assert (pacer.taken, pacer.seconds_for(20), pacer.seconds_for(140)) == (100, 0, 60)
    clock.now += WINDOW + 1
    assert pacer.seconds_for(120) == 0
    pacer.record_answer(clock(), {"x-rate-limit": "none"})
    assert pacer.seconds_for(5_000) == 0


def test_a_real_client_is_never_refused() -> None:
    """HT-12"""
    rng = random.Random(1)
    service = Limited(Estimated(58, 40), lambda: latency(rng, "mostly short"), rng)
    run_virtually(saturate(service, 3 * LIMIT, connect=client))
    assert (len(service.accepted), len(service.refused)) == (3 * LIMIT, 0)


def test_the_full_limit_is_available_after_a_pause() -> None:
    clock = Clock()
    pacer = Pacer(100, clock=clock)
    for number in range(100):
        pacer.record_answer(pacer.try_acquire().at, {"x-ratelimit-remaining": str(99 - number)})
    clock.now += WINDOW + 0.5
    first = pacer.try_acquire()
    assert (first.wait_seconds, pacer.try_acquire().wait_seconds > 0) == (
        0,
        True,
    )  # what remains is not known again yet
    pacer.record_answer(first.at, {"x-ratelimit-remaining": "99"})
    assert [pacer.try_acquire().wait_seconds for _ in range(99)] == [0] * 99


def test_a_late_response_counts_from_its_arrival() -> None:
    clock = Clock()
    pacer = Pacer(1, clock=clock)
    slot = pacer.try_acquire()
    clock.now += 20
    pacer.record_answer(slot.at, headers={})
    clock.now += MINUTE - 1
    assert pacer.try_acquire().wait_seconds == 1
    clock.now += 1
    assert pacer.try_acquire().wait_seconds == 0


def test_a_slot_that_is_used_late_counts_from_its_use() -> None:
    clock = Clock()
    pacer = Pacer(1, clock=clock)
    slot = pacer.try_acquire()
    assert pacer.renew(slot.at) == slot.at
    clock.now += 30
    renewed = pacer.renew(slot.at)
    assert renewed == clock.now - 0.5
    clock.now += 59
    assert pacer.try_acquire().wait_seconds == 1
    clock.now += 1
    assert pacer.renew(renewed) is None


def test_a_file_of_the_last_release_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pace.json"
    path.write_bytes(b'{"times": [990.0, 995.0], "hold": 0.0}')
    assert Pacer(2, path, clock=Clock()).try_acquire().wait_seconds == 50.5
