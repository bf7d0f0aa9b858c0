"""The long form: `make mutation`, or `python -m tests.mutation --mutants 300 --seed 1`.

It draws changes of contentsync/sync, model, content and authoring, runs the tests of the changed module on each in a
copy of the repository, and writes the changes that no test noticed into the report. The same seed draws the same
changes of the same code.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from .covering import covering_tests
from .mutants import Mutant, mutants
from .workplace import Workplace

ROOT = Path(__file__).parent.parent.parent
ROOMS = ("sync", "model", "content", "authoring")


def main() -> int:
    """Draw, run and report."""
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
    survivors: list[dict[str, Any]] = []
    tried = Counter[str]()
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        workplace = Workplace.make(ROOT, Path(folder, "copy"))
        for number, mutant in enumerate(drawn, 1):
            name = mutant.module.relative_to(ROOT).as_posix()
            tried[name.split("/")[1]] += 1
            if survives(workplace, mutant, options.timeout):
                shown = {"module": name, "line": mutant.line, "before": mutant.before, "after": mutant.after}
                survivors.append(shown)
                print(f"{number}: {name}:{mutant.line}: {mutant.before!r} -> {mutant.after!r}", flush=True)
            # After each, as a long run may be stopped.
            facts = {"seed": options.seed, "changes": len(every), "tried": dict(tried), "survivors": survivors}
            options.out.write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")
    print(f"{len(survivors)} of {len(drawn)} changes were not noticed: {options.out}")
    return 0


def survives(workplace: Workplace, mutant: Mutant, timeout: float) -> bool:
    """Return whether no test notices the change. Exit if the tests of the module fail without it."""
    name = mutant.module.relative_to(ROOT).as_posix()
    for files in filter(None, covering_tests(name, ROOT)):
        if not workplace.passes(files):
            raise SystemExit(f"{name}: its tests fail without a change")
        if not workplace.survives(mutant, files, timeout):
            return False
    return True


if __name__ == "__main__":
    sys.exit(main())
