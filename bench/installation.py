"""What the two installations take, and the step of the action that installs: `make bench-installation`.

They are made in environments of their own, from the lock and the package index that pip knows.
"""

import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from .command import run
from .measurement import bench_dir
from .results import Result

COMMAND = "make bench-installation"
ROOT = Path(__file__).parent.parent
SCRIPT = ROOT / "scripts" / "action" / "install.sh"
LIGHT_MB = 30  # at most
WARM_SECONDS = 10  # at most
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-input", "--quiet", "--no-cache-dir"]


class Seconds(NamedTuple):
    """How long it took by the clock, and by the processor: on a busy machine the first is longer."""

    clock: float
    busy: float  # processor time

    @property
    def detail(self) -> str:
        return f"{self.busy:.1f} s of processor time"


def measure(quick: bool) -> Iterator[Result]:
    """The sizes; then the action's step with and without cached wheels, which the small version leaves out."""
    folder = bench_dir() / "installation"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    _call([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)])
    [wheel] = folder.glob("*.whl")
    yield _size("pip install contentsync", f"contentsync @ {wheel.as_uri()}", folder, LIGHT_MB)
    yield _size("pip install contentsync[server]", f"contentsync[server] @ {wheel.as_uri()}", folder, None)
    if not quick:
        fetched, restored = _action(folder / "runner")
        yield Result("the action installs, the wheels fetched", "", fetched.clock, "s", detail=fetched.detail)
        what = "the action installs, the wheels from its cache"
        yield Result(what, "", restored.clock, "s", WARM_SECONDS, restored.detail)


def _size(what: str, requirement: str, folder: Path, aim: float | None) -> Result:
    """Install it into an environment without pip, and count the files as they are in the wheels.

    pip compiles all modules as well, uv none; what these take is in the detail.
    """
    environment = folder / "environment"
    _call([sys.executable, "-m", "venv", "--clear", "--without-pip", str(environment)])
    pinned = re.sub(r" *\\?\n    --hash\S+", "", (ROOT / "requirements.lock").read_text(encoding="utf-8"))
    (folder / "constraints.txt").write_text(pinned, encoding="utf-8")
    install = ["--python", str(environment), "install", "--constraint", str(folder / "constraints.txt")]
    _call([*PIP, *install, "--only-binary", ":all:", requirement])
    [packages] = environment.glob("lib/python*/site-packages")
    sizes = {file: file.stat().st_size / 1_000_000 for file in packages.rglob("*") if file.is_file()}
    compiled = sum(size for file, size in sizes.items() if file.suffix == ".pyc")
    number = len(list(packages.glob("*.dist-info")))
    detail = f"{number} packages, and {compiled:.0f} MB if all modules are compiled"
    return Result(f"`{what}`", "", sum(sizes.values()) - compiled, "MB", aim, detail)


def _action(temporary: Path) -> tuple[Seconds, Seconds]:
    """The step on a fresh machine, and on the next one, which gets the wheels of the first.

    The second has no network that pip could use.
    """
    temporary.mkdir()
    environ = {**os.environ, "RUNNER_TEMP": str(temporary), "PIP_NO_CACHE_DIR": "1"}
    fetched = _timed(environ)
    shutil.rmtree(temporary / "contentsync")
    return fetched, _timed({**environ, "PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_CONFIG_FILE": os.devnull})


def _timed(environ: dict[str, str]) -> Seconds:
    began, busy = time.perf_counter(), _children()
    _call(["sh", str(SCRIPT)], environ)
    seconds = Seconds(time.perf_counter() - began, _children() - busy)
    program = Path(environ["RUNNER_TEMP"], "contentsync/bin/contentsync")
    _call([str(program), "validate", str(ROOT / "content-example")], environ)
    return seconds


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _call(command: list[str], environ: dict[str, str] | None = None) -> None:
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} fails:\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    sys.exit(run(COMMAND, __doc__, measure))
