"""Find the Chromium of the tests; `python -m tests.browser.chromium` prints it, or exits with 1 if there is none."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MISSING = "no Chromium: run `make browser`, or name one in CONTENTSYNC_CHROMIUM (README.md, Development)"


def find(playwright: Playwright) -> str | None:
    """Return the path in CONTENTSYNC_CHROMIUM, or a program on the PATH, or that of Playwright."""
    named = os.environ.get("CONTENTSYNC_CHROMIUM")
    if named:
        return named if starts(named) else None
    installed = [path for path in map(shutil.which, NAMES) if path]
    own = playwright.chromium.executable_path
    return next((path for path in (*installed, own) if starts(path)), None)


def starts(path: str) -> bool:
    """Return whether the program prints a version: the `chromium` of some systems only prints how to install one."""
    if not Path(path).exists():
        return False
    try:
        return subprocess.run([path, "--version"], capture_output=True, timeout=30).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def main() -> int:
    """Print the path."""
    with sync_playwright() as playwright:
        path = find(playwright)
    print(path or MISSING)
    return 0 if path else 1


if __name__ == "__main__":
    sys.exit(main())
