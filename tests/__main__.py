"""Every case of every test outside the browser: `make test-whole`, or `python -m tests`; exit code 1 if one fails.

`test-output/whole.json` lists the duration of each test, and the failures.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from .measured import Report

FILE = Path("test-output/whole.json")


def main() -> int:
    """Run the tests in several processes, then write the report."""
    parser = argparse.ArgumentParser(prog="make test-whole", description=__doc__)
    parser.add_argument("--processes", type=int, default=3)
    options = parser.parse_args()
    report, began = Report(), time.monotonic()
    words = ["-m", "", "-n", str(options.processes), "--dist", "worksteal", "--ignore", "tests/browser"]
    code = pytest.main(words, plugins=[report])
    document = {
        "seconds": round(time.monotonic() - began, 1),
        "outcomes": Counter(test["outcome"] for test in report.tests.values()),
        "tests": dict(sorted(report.tests.items())),
    }
    FILE.parent.mkdir(exist_ok=True)
    FILE.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print(f"{len(report.tests)} tests, {document['seconds']} s: {FILE}")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
