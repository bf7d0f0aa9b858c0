"""The long form: `make mutation`, or `python -m tests.mutation --mutants 300 --seed 1`.

It draws changes of contentsync/sync, model and content, runs the tests of the changed module on each in a copy of the
repository, and writes what no test noticed into the report. The same seed draws the same changes of the same code.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from .covering import covering_tests
from .mutants import mutants
from .workplace import Workplace

ROOT = Path(__file__).parent.parent.parent
ROOMS = ("sync", "model", "content")


def main() -> int:
    """Draw, run and report. The exit code is 1 if the tests of a module fail without a change."""
    parser = argparse.ArgumentParser(prog="make mutation", description=__doc__)
    parser.add_argument("--mutants", type=int, default=300)
    parser.add_argument("--seed", type=int, default=int(time.time()), help="default: the clock")
    parser.add_argument("--only", default="contentsync/", metavar="PATH", help="modules whose path starts so")
    parser.add_argument("--timeout", type=float, default=300, help="seconds, after which a change counts as noticed")
    parser.add_argument("--out", type=Path, default=Path("test-output/mutation.json"), help="where the report goes")
    options = parser.parse_args()
    modules = [path for room in ROOMS for path in sorted((ROOT / "contentsync" / room).rglob("*.py"))]
    chosen = [path for path in modules if str(path.relative_to(ROOT)).startswith(options.only)]
    every = [mutant for module in chosen for mutant in mutants(module)]
    drawn = random.Random(options.seed).sample(every, min(options.mutants, len(every)))
    print(f"{len(drawn)} of {len(every)} changes, seed {options.seed}", flush=True)
    survivors, tried = [], Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        workplace = Workplace.make(ROOT, Path(folder, "copy"))
        for mutant in drawn:
            name = mutant.module.relative_to(ROOT).as_posix()
            near, far = covering_tests(name, ROOT)
            if not all(map(workplace.passes, (near, far))):
                print(f"{name}: its tests fail without a change", file=sys.stderr)
                return 1
            tried[name.split("/")[1]] += 1
            if all(not files or workplace.survives(mutant, files, options.timeout) for files in (near, far)):
                shown = {"module": name, "line": mutant.line, "before": mutant.before, "after": mutant.after}
                survivors.append(shown)
                print(f"{name}:{mutant.line}: {mutant.before!r} -> {mutant.after!r}", flush=True)
    facts = {"seed": options.seed, "changes": len(every), "tried": dict(tried), "survivors": survivors}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    print(f"{len(survivors)} of {len(drawn)} changes were not noticed: {options.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
