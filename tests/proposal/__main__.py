"""The long form: `python -m tests.proposal --histories 1000`; exit code 1 if a promise was broken.

`proposals.json` says what was done, from which seeds, and what was wrong.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from ..end_to_end.conftest import tenant
from ..serving import Serving, make_tenant, serving
from .histories import play


def main() -> int:
    """Play the histories; write the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.proposal", description=__doc__)
    parser.add_argument("--histories", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first history; default: the clock")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="begin no history later than this")
    parser.add_argument("--out", type=Path, default=Path(".hypothesis/torture"), help="where the report goes")
    options = parser.parse_args()
    began = time.monotonic()
    wrong = []
    played = 0
    with tempfile.TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/server.db"
        make_tenant(url)
        with serving(url, "--rate-limit", "0", "--log-level", "warning") as server:

            def one(seed: int) -> Sequence[str] | None:
                if time.monotonic() - began > options.seconds:
                    return None
                return _play((url, server), Path(folder), seed)

            # One more than there are cores, because each waits for other processes.
            with ThreadPoolExecutor(1 + (os.cpu_count() or 1)) as pool:
                waiting = {pool.submit(one, options.seed + number): number for number in range(options.histories)}
                for future in as_completed(waiting):
                    found = future.result()
                    played += found is not None
                    if found:
                        wrong.append({"seed": options.seed + waiting[future], "wrong": found})
                        print(options.seed + waiting[future], *found, sep="\n  ", flush=True)
            server.stop(signal.SIGTERM)
    report = {"seed": options.seed, "histories": played, "seconds": round(time.monotonic() - began, 1), "wrong": wrong}
    options.out.mkdir(parents=True, exist_ok=True)
    file = options.out / "proposals.json"
    file.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(f"{played} histories, {len(wrong)} wrong: {file}")
    return 1 if wrong else 0


def _play(running: tuple[str, Serving], folder: Path, seed: int) -> list[str]:
    with tenant(running) as served:
        try:
            return play(served, folder / f"site-{seed}", seed)
        except AssertionError as error:
            return [f"{type(error).__name__}: {error}"]


if __name__ == "__main__":
    sys.exit(main())
