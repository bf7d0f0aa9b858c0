"""Processor time of short commands beside the interpreter's own: `make bench-startup`."""

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from .measurement import CONTENTSYNC, compare, processor_seconds
from .server.load import HOST
from .server.ours import prepare, serving

RUNS = 31
YARDSTICK = [sys.executable, "-c", "pass"]
EXAMPLE = Path(__file__).parent.parent / "content-example"
TAB = ["env", "_CONTENTSYNC_COMPLETE=complete_bash"]
# In which folder each command runs, what it is, and how many times the processor time of the yardstick it may take.
COMMANDS = {
    "--version": ("example", [CONTENTSYNC, "--version"], 3),
    "--help": ("example", [CONTENTSYNC, "--help"], 12),
    "plan --help": ("example", [CONTENTSYNC, "plan", "--help"], 8),
    "plan": ("example", [CONTENTSYNC, "plan"], 20),
    "plan, HTTP": ("remote", [CONTENTSYNC, "plan"], 20),  # 16 pages, nothing changed
    "validate": ("small", [CONTENTSYNC, "validate"], 12),  # 7 files, nothing changed
    "validate, changed": ("small", ["sh", "-c", f"touch pages/page-1.md; exec {CONTENTSYNC} validate"], 12),
    "new": ("small", ["sh", "-c", f"rm -f pages/new.md; exec {CONTENTSYNC} new page new"], 12),
    "Tab, entry": ("example", [*TAB, "COMP_WORDS=contentsync log page/", "COMP_CWORD=2", CONTENTSYNC], 8),
    "Tab, command": ("example", [*TAB, "COMP_WORDS=contentsync va", "COMP_CWORD=1", CONTENTSYNC], 8),
}
_SETTLED = 3.2  # seconds after which a file is old enough for the cached report (decision 37)
_TARGET = '[targets.bench]\nurl = "http://{host}:{port}"\ndirectory = 1\n'


def main() -> None:
    """Prints the ratio of each command."""
    with _folders() as root:
        for name, (place, command, aim) in COMMANDS.items():
            folder = root / place
            found = compare(partial(processor_seconds, command, folder), partial(processor_seconds, YARDSTICK), RUNS)
            verdict = "met" if found.ratio <= aim else "MISSED"
            times = f"{found.ours * 1000:6.1f} ms, python -c pass {found.yardstick * 1000:5.1f} ms"
            print(f"{name:18} {times}: {found.ratio:4.1f} times (aim {aim}: {verdict})")


@contextmanager
def _folders() -> Iterator[Path]:
    """Yield a folder with three content folders: the synced example, a small one, and one that a server has."""
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        shutil.copytree(EXAMPLE, root / "example", ignore=shutil.ignore_patterns(".contentsync"))
        url = f"sqlite:///{root / 'site.db'}"
        os.environ["CONTENTSYNC_TOKEN"] = token = prepare(url)
        with serving(url, token, root / "server.log") as server:
            _make(root / "small", 6, "")
            _make(root / "remote", 16, _TARGET.format(host=HOST, port=server.port))
            for place in ("example", "remote"):
                processor_seconds([CONTENTSYNC, "sync", "--yes", "--quiet"], root / place)
            time.sleep(_SETTLED)
            yield root


def _make(folder: Path, pages: int, config: str) -> None:
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").write_text(config)
    for number in range(pages):
        (folder / f"pages/page-{number}.md").write_text(f"---\ntitle: Page {number}\n---\n\nText.\n")


if __name__ == "__main__":
    main()
