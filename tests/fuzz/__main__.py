"""The long form: `make fuzz`, or `python -m tests.fuzz --seconds 600`; exit code 1 when a promise was broken.

`report.json` says what was run, and `failures/` holds each broken example as files that can go into `seeds/`.
"""

import argparse
import json
import multiprocessing
import os
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

from .campaign import Failure, Record, work
from .promises import write


def main() -> int:
    """Runs the processes, then writes the report."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first round; default: the clock")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/fuzz"), help="where the report goes")
    options = parser.parse_args()
    print(f"{options.seconds:.0f} seconds, {options.processes} processes, from seed {options.seed}", flush=True)
    shutil.rmtree(options.out, ignore_errors=True)
    options.out.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as workplace:
        records = _run(options, Path(workplace))
    report = _report(records, options.out)
    facts = {"seconds": options.seconds, "processes": options.processes, "first_seed": options.seed}
    (options.out / "report.json").write_text(json.dumps(facts | report, indent=2) + "\n", encoding="utf-8")
    for failure in report["failures"]:
        print(f"{failure['files']} (seed {failure['seed']}):\n{failure['error']}")
    print(
        f"{sum(report['examples'].values()):,} examples, {len(report['failures'])} failures: {options.out}/report.json"
    )
    return 1 if report["failures"] else 0


def _run(options: argparse.Namespace, workplace: Path) -> list[Record]:
    """A record a process; one that died has only its last example."""
    records: list[Record] = []
    spawn = multiprocessing.get_context("spawn")
    # A pool a process: one that dies must not take the others along.
    pools = [ProcessPoolExecutor(1, mp_context=spawn) for _ in range(options.processes)]
    started = {
        pool.submit(work, workplace / str(place), options.seconds, options.seed + place, options.processes): place
        for place, pool in enumerate(pools)
    }
    for ended in as_completed(started):
        folder = workplace / str(started[ended])
        try:
            records.append(ended.result())
        except BrokenProcessPool:
            stack = (folder / "stack.txt").read_text(encoding="utf-8") + "the process died"
            files = {
                str(file.relative_to(folder / "content")): file.read_bytes()
                for file in (folder / "content").rglob("*")
                if file.is_file()
            }
            records.append(Record(failures=[Failure("dead", -1, stack, files)]))
    for pool in pools:
        pool.shutdown()
    return records


def _report(records: list[Record], out: Path) -> dict[str, Any]:
    failures = {_summary(failure.error): failure for record in records for failure in record.failures}
    reported = []
    for number, failure in enumerate(failures.values(), 1):
        folder = out / "failures" / f"{number}-{failure.strategy.replace(' ', '-')}"
        folder.mkdir(parents=True)
        write(failure.files, folder)
        reported.append(
            {"strategy": failure.strategy, "seed": failure.seed, "error": failure.error, "files": str(folder)}
        )
    slowest = sorted((slow for record in records for slow in record.slowest), key=lambda slow: -slow[0])[:5]
    return {
        "examples": _total(record.examples for record in records),
        "without_errors": _total(record.sound for record in records),
        "seeds": sorted(number for record in records for number in record.seeds),
        "slowest": [
            {"seconds": round(seconds, 3), "strategy": strategy, "files": _shown(files)}
            for seconds, strategy, files in slowest
        ],
        "megabytes": round(max((record.megabytes for record in records), default=0.0), 1),
        "failures": reported,
        "failed_again": _total(record.again for record in records),
    }


def _summary(error: str) -> str:
    return error.rstrip().splitlines()[-1]


def _total(counters: Any) -> dict[str, int]:
    return dict(sum(counters, Counter()))


def _shown(files: Mapping[str, bytes]) -> dict[str, str]:
    return {path: data.decode("utf-8", "backslashreplace") for path, data in files.items()}


if __name__ == "__main__":
    sys.exit(main())
