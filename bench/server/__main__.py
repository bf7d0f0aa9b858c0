"""Runs every row: `make bench-server`."""

import argparse
import json
import sys
from pathlib import Path

from ..results import PAGE, document, machine, put_between_markers, table
from .rows import FULL, QUICK, measure

COMMAND = "make bench-server"


def main() -> int:
    """Measures, prints, and writes the results into the page."""
    parser = argparse.ArgumentParser(prog=COMMAND, description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer requests; the page stays as it is")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results as JSON")
    options = parser.parse_args()
    results = []
    for result in measure(QUICK if options.quick else FULL):
        print(result.line(), flush=True)
        results.append(result)
    facts = machine(())
    if options.json:
        options.json.write_text(json.dumps(document(results, facts), indent=2) + "\n", encoding="utf-8")
    if not options.quick:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(put_between_markers(page, table(results, facts), COMMAND), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
