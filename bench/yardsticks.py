"""The programs of others that are compared with ours, installed from `bench/requirements.lock` into their own venv."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from .measurement import bench_dir

LOCK = Path(__file__).parent / "requirements.lock"


def yardstick_python() -> str:
    """Return the Python of the venv; make the venv if it is not there."""
    folder = bench_dir() / f"yardsticks-{hashlib.sha256(LOCK.read_bytes()).hexdigest()[:8]}"
    if not folder.exists():
        unfinished = folder.with_suffix(".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", str(unfinished)], check=True)
        options = ["--quiet", "--require-hashes", "--only-binary", ":all:", "--requirement", str(LOCK)]
        pip = [str(unfinished / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input"]
        subprocess.run([*pip, "install", *options], check=True)
        unfinished.rename(folder)
    return str(folder / "bin" / "python")
