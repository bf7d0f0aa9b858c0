"""What every benchmark with rows does: run them, print them, and write them into the page."""

import argparse
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from .results import PAGE, Result, document, machine, put_between_markers, table


def run(
    command: str, about: str | None, measure: Callable[[bool], Iterable[Result]], programs: Sequence[str] = ()
) -> int:
    """Measures, prints, and writes the results into the page; 1 if a yardstick is not installed.

    `measure` gives the rows, of the small version if it is given True, which leaves the page as it is.
    """
    parser = argparse.ArgumentParser(prog=command, description=about)
    parser.add_argument("--quick", action="store_true", help="a small version; the page stays as it is")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the results as JSON")
    options = parser.parse_args()
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        print(f"the yardsticks are missing: apt-get install {' '.join(missing)}", file=sys.stderr)
        return 1
    results = []
    for result in measure(options.quick):
        print(result.line(), flush=True)
        results.append(result)
    facts = machine(programs)
    if options.json:
        options.json.write_text(json.dumps(document(results, facts), indent=2) + "\n", encoding="utf-8")
    if not options.quick:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(put_between_markers(page, table(results, facts), command), encoding="utf-8")
    return 0
