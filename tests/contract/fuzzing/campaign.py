"""One run of schemathesis against a running server."""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .target import Target, fuzzed

ROOT = Path(__file__).parents[3]
REPLACED = ("positive_data_acceptance", "negative_data_rejection")  # by those of hooks.py


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a campaign."""

    code: int
    said: str
    report: dict[str, Any]

    @property
    def cases(self) -> int:
        """Return how many requests were sent and checked."""
        return int(self.report["test_cases"]["generated"])


def run(folder: Path, seconds: int, seed: int) -> Outcome:
    """All checks for so many seconds against a new server; the folder, an absolute path, gets what it leaves."""
    folder.mkdir(parents=True, exist_ok=True)
    with fuzzed(folder) as target:
        return _fuzz(target, folder, seconds=seconds, seed=seed)


def _fuzz(target: Target, folder: Path, *, seconds: int, seed: int) -> Outcome:
    """The folder gets the document and the report."""
    document, report, config = (folder / name for name in ("openapi.json", "report.json", "schemathesis.toml"))
    document.write_text(json.dumps(target.document), encoding="utf-8")
    config.write_text(
        f'hooks = "{(Path(__file__).parent / "hooks.py").as_posix()}"\n'
        f'[auth.openapi.token]\nbearer = "{target.token}"\n',
        encoding="utf-8",
    )
    options = {
        "--url": target.address,
        "--checks": "all",
        "--exclude-checks": ",".join(REPLACED),
        "--max-time": seconds,
        "--seed": seed,
        "--workers": 1,  # two threads that generate break the parser of Python 3.11, and one repeats itself
        "--generation-database": "none",
        "--report": "json",
        "--report-json-path": report,
    }
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", config, "--no-color", "run", document]
    ran = subprocess.run(
        [*map(str, command), *(str(word) for option in options.items() for word in option), "--continue-on-failure"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    said = ran.stdout + ran.stderr
    assert report.is_file(), said
    return Outcome(ran.returncode, said, json.loads(report.read_text(encoding="utf-8")))
