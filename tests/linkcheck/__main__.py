"""The long form: `make simulate-links`, or `python -m tests.linkcheck --hosts 1000`: 14 days of simulated hosts.

It writes a JSON report with the seed; the exit code is 1 if a live host was called dead on any day, or if less than
95 % of the dead ones were found.
"""

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from .simulated_hosts import BEHAVIOURS, DAYS
from .simulation import simulate

MIN_RECALL = 0.95


def main() -> int:
    """Simulate, and write the report."""
    parser = argparse.ArgumentParser(prog="python -m tests.linkcheck", description=__doc__)
    parser.add_argument("--hosts", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the clock")
    parser.add_argument("--out", type=Path, default=Path("test-output/links.json"), help="where the report goes")
    options = parser.parse_args()
    for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
        del os.environ[name]
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SSL_CERT_FILE"] = str(Path(folder, "authority.pem"))
        verdicts = simulate(Path(folder), options.hosts, options.seed)
    sizes = {"hosts": options.hosts, "behaviours": len(BEHAVIOURS), "days": DAYS, "seed": options.seed}
    report = {**sizes, **verdicts.document()}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")
    print(json.dumps(report, indent=2))
    return 1 if verdicts.wrong or verdicts.recall < MIN_RECALL else 0


if __name__ == "__main__":
    sys.exit(main())
