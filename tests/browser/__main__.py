"""Run all browser tests: `make test-browser`, or `python -m tests.browser`; exit code 1 when one fails.

The exit code is also 1 if there is no browser. `test-output/browser.json` lists the duration of each test, its
measurements (`record_property`) and the failures; `test-output/screenshots/` has the pages.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ..measured import Report
from . import chromium

OUT = Path("test-output")
SUMMED = ("pairs", "executions", "foreign requests", "policy reports")  # of the payloads


def main() -> int:
    """Run every browser test in two processes, then write the report."""
    parser = argparse.ArgumentParser(prog="make test-browser", description=__doc__)
    parser.add_argument("--processes", type=int, default=2, help="each with a browser")
    options = parser.parse_args()
    if chromium.main() != 0:
        return 1
    report, began = Report(), time.monotonic()
    code = pytest.main(["tests/browser", "-m", "", "-n", str(options.processes)], plugins=[report])
    document: dict[str, Any] = {
        "seconds": round(time.monotonic() - began, 1),
        "outcomes": Counter(test["outcome"] for test in report.tests.values()),
        "payloads": {name: sum(test.get(name, 0) for test in report.tests.values()) for name in SUMMED},
        "tests": dict(sorted(report.tests.items())),
    }
    OUT.mkdir(exist_ok=True)
    (OUT / "browser.json").write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    print("payloads in fields:", ", ".join(f"{number} {name}" for name, number in document["payloads"].items()))
    print(f"{len(report.tests)} tests, {document['seconds']} s: {OUT}/browser.json")
    return int(code)


if __name__ == "__main__":
    sys.exit(main())
