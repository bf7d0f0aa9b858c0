"""The benchmarks still run; their figures are not tested."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bench.content import COMMAND, PROGRAMS, Size, measure
from bench.measurement import Timed
from bench.profile import LINES, profile
from bench.results import PAGE, RATE, Result, put_between_markers, table
from bench.server.load import Sender
from bench.server.neighbours import P99_AIM, WORST_AIM
from bench.server.ours import Ours
from bench.server.rows import WAL_AIM, Bench
from bench.server.rows import Size as ServerSize
from bench.server.rows import measure as measure_server
from bench.server.visitors import ENGINES, FILTER_AIM, NEXT_PAGE_AIM, Engine
from bench.sync import Size as SyncSize
from bench.sync import measure as measure_sync
from bench.trees import articles

ROOT = Path(__file__).parent.parent


@pytest.mark.whole
@pytest.mark.skipif(not all(map(shutil.which, PROGRAMS)), reason=f"apt-get install {' '.join(PROGRAMS)}")
def test_every_row_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_DIR", str(tmp_path))
    results = list(measure(Size(small=20, large=600, runs=0, growth=2)))
    assert all(result.value > 0 for result in results)
    assert [(result.unit, result.aim) for result in results] == [
        ("times", 0.35),
        ("times", 1.3),
        ("MB", 300),
        ("times", 2),
        ("times", 1.2),
        ("times", 1.3),
        ("times", 12),
        ("MB", 64),
        ("times", 1.2),
        ("times", 1.2),
        *[("times", 2.4)] * 2,
    ]


SERVER_SIZE = ServerSize(
    bulks=2, writes=16, reads=16, pages=16, deep=2_000, runs=0, crowd=200, waits=20, apart=False, visited=200
)


@pytest.mark.whole
def test_every_row_of_the_server_without_a_foreign_program_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Datasette and Django are installed by `make bench-server` alone."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)  # PostgreSQL is another user's, and no one else may look into pytest's folders
        monkeypatch.setenv("BENCH_DIR", folder)
        results = list(measure_server(SERVER_SIZE, others={}))
    assert all(result.value > 0 for result in results if result.aim != 0)
    assert [result.aim for result in results] == [
        *(0.6, None, 0.7, None, 0.7, None, WAL_AIM),  # beside raw sqlite3, and uvicorn alone beside it
        *(0.33, 0.33, 0.5, 1, 0.8),  # beside a static answer
        *(3, None),  # SQLite
        *(3, None),  # PostgreSQL
        *(None, P99_AIM, WORST_AIM) * 2,  # beside a busy neighbour, on either
        *[aim for engine in ENGINES.values() for aim in visitor_aims(engine)],
    ]


def visitor_aims(engine: Engine) -> Iterator[float | None]:
    """Yield the aims of the rows of visitors on a database."""
    yield None  # bulk create
    yield from [engine.search_aim] * 3
    yield from (0, FILTER_AIM, FILTER_AIM, 0)  # 0: what is not found, not filtered or not counted
    yield engine.page_aim
    yield from [NEXT_PAGE_AIM] * 2
    yield from [None] * 5  # lists


def test_a_missed_aim_of_reading_is_explained_by_a_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_DIR", str(tmp_path))
    assert len(profile(articles(5))) == LINES


def test_a_missed_aim_of_the_server_is_explained_by_a_profile(tmp_path: Path) -> None:
    def work(ours: Ours) -> Timed:
        return lambda: sender.send(ours.port, [ours.page(0)]).each

    missed = Result("a page", "b", 9, "times", 1)
    with Sender() as sender:
        explained = Bench(replace(SERVER_SIZE, runs=1), sender, tmp_path).explained(missed, work)
    assert len(explained.profile) == LINES


@pytest.mark.skipif(not shutil.which("git"), reason="apt-get install git")
@pytest.mark.whole
def test_every_row_of_the_sync_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BENCH_DIR", str(tmp_path))
    monkeypatch.setenv("CONTENTSYNC_TOKEN", "")  # put back when the test ends
    results = list(measure_sync(SyncSize(listings=150, changes=5, pulled=20, runs=0)))
    assert all(result.value > 0 for result in results)
    assert [result.unit for result in results] == [
        *("times", "MB", "times", "times", "MB"),
        *("times", "MB", "times", "MB"),
        *["times"] * 3,
    ]


def test_a_missing_program_stops_the_benchmark_with_its_name() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "bench.content"],
        cwd=ROOT,
        env={**os.environ, "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "apt-get install hugo git" in ran.stderr


def test_a_value_beyond_its_aim_has_the_verdict_missed() -> None:
    assert [Result("a", "b", value, "times", 1.2).verdict for value in (1.1, 1.2, 1.3)] == ["met", "met", "MISSED"]
    assert [Result("a", "b", value, RATE, 0.6).verdict for value in (0.5, 0.6, 0.7)] == ["MISSED", "met", "met"]
    assert Result("a", "b", 9, "times").verdict == ""


def test_new_results_replace_the_old_ones_between_the_markers() -> None:
    page = PAGE.read_text(encoding="utf-8")
    once = put_between_markers(page, table([Result("first", "b", 1, "times")], {"date": "today"}), COMMAND)
    twice = put_between_markers(once, table([Result("second", "b", 2, "times")], {"date": "today"}), COMMAND)
    assert "| second |" in twice
    assert "| first |" not in twice
    assert put_between_markers(twice, "", COMMAND) == put_between_markers(page, "", COMMAND)


def test_a_page_without_markers_is_not_written() -> None:
    with pytest.raises(ValueError, match="no lines"):
        put_between_markers("# Something else\n", "text", COMMAND)
