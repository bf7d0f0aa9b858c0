"""A folder whose plans are made with and without shortcuts."""

import io
import json
import os
import random
import re
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rich.console import Console

from contentsync.cli import run
from contentsync.cli.drift_command import show_drift
from contentsync.cli.find_plan import PlanFinder
from contentsync.cli.options import WITHOUT_SHORTCUTS, Format, PlanFormat
from contentsync.cli.plan_options import PlanOptions
from contentsync.cli.pull_command import find_nothing, pull
from contentsync.cli.status_command import show_status
from contentsync.content.folder.load import Content, load_content
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.errors import ContentError, ContentsyncError
from contentsync.report.plan_document import plan_document, plan_notes
from contentsync.report.plan_text import unmanaged_lines
from contentsync.sync.planning.drift_summary import DRIFT_POLICY
from contentsync.sync.state.folder_reading import LoadContent

from ..indexed import store_index
from ..served import Served
from .server import Server

TICK = 0.01  # seconds: longer than a tick of the file system's clock
MARGIN = int(TICK * 1e9)  # nanoseconds, in place of the seconds that users wait
CONFIG = """
site = {{ name = "Tools" }}
[content.pages]
former_addresses = ["aliases"]
[targets.live]
url = "{0}"
directory = {1}
requests_per_minute = 60000
[targets.other]
url = "{0}"
directory = {1}
requests_per_minute = 60000
prune = true
"""
FILES = {
    "pages/about.md": "---\ntitle: About\n---\nText.\n",
    "pages/jobs.md": "---\ntitle: Jobs\n---\nSee [about](/pages/about/).\n",
    "articles/news.md": "---\ntitle: News\n---\nText.\n",
    "listings/all.csv": """name,url,slug,description,tags
One,https://one.example.org/,,The first one,free
Two,https://two.example.org/,second,,free|paid
Three,https://three.example.org/a,,"A text
of two lines",
Four,,four,See [about](/pages/about/),
""",
    "listings/more.tsv": "name\turl\nFive\thttps://five.example.org/\nSix\thttps://six.example.org/\n",
    "tags.yaml": "- title: Free\n- title: Paid\n",
    "category.yaml": "- title: Misplaced\n",
}


class Planned(NamedTuple):
    """Everything that `plan` shows, or its error; and whether the cached plan and the index were of use."""

    shown: str
    recalled: bool = False
    indexed: bool = False


def noting_whole(whole: list[Content], options: PlanOptions) -> LoadContent:
    """Return the function that loads a folder as commands do, and notes its content if no row is left out."""

    def load(folder: Path, rows: SyncedRows | None) -> Content:
        content = load_content(folder, index=options.index, synced=rows, may_break_rules=True)
        if rows is None or not rows.found:
            whole.append(content)
        return content

    return load


def make_plan(folder: Path, options: PlanOptions) -> Planned:
    """Plan as the command does, and store the index of all files but those that changed just before."""

    def show(finder: PlanFinder) -> None:
        planned, session = finder.find()
        plan, destination = planned.plan, session.destination
        shown = [plan_document(plan, destination), plan_notes(plan, destination), [*unmanaged_lines(plan)]]
        print(json.dumps(shown)[1:-1], end="")

    found = _show(folder, options, show, form="[{}, {}]")
    if not os.environ.get(WITHOUT_SHORTCUTS):
        store_index(folder, MARGIN)
    return found


def _status(format_: Format, finder: PlanFinder) -> None:
    show_status(finder.for_report(), None, format_, verbose=True)


def _drift(format_: PlanFormat, finder: PlanFinder) -> None:
    print(show_drift(finder.for_report(DRIFT_POLICY), format_, full=True))


# What other commands report, in each of their formats.
REPORTS: Mapping[str, Callable[[PlanFinder], None]] = {
    **{f"status {each}": partial(_status, each) for each in Format},
    **{f"drift {each}": partial(_drift, each) for each in PlanFormat},
}


def make_pull(folder: Path, options: PlanOptions) -> str:
    """Pull as the command does: return what it says, and its exit code."""

    def show(finder: PlanFinder) -> None:
        print(pull(finder, yes=False, as_json=False, full=True, detailed_exitcode=True))

    return _show(folder, options, show).shown


def _show(folder: Path, options: PlanOptions, show: Callable[[PlanFinder], None], form: str = "{}{}") -> Planned:
    """Return what a function prints, with the number of warnings that it shows in this form, or its error."""
    warnings, shown = io.StringIO(), io.StringIO()
    whole: list[Content] = []
    console, load = Console(file=warnings), noting_whole(whole, options)
    try:
        with redirect_stdout(shown):
            show(PlanFinder.open(folder, options, console, MARGIN, load))
    except ContentError as error:
        return Planned(str(error.problems))
    except ContentsyncError as error:
        return Planned(f"{type(error).__name__} {error}")
    document = form.format(shown.getvalue(), _count_warnings(warnings.getvalue()))
    return Planned(document, not whole, any(content.from_index for content in whole))


def _count_warnings(text: str) -> int:
    """Return the number of problems that a command has shown, or has counted because the last one showed them."""
    counted = re.search(r"(\d+) warnings? as before", text)
    shown = re.findall(r"(?m)(?:^|: )(?:warning: |rule-)", text)  # of errors, only broken rules do not end a report
    return len(shown) + (int(counted[1]) if counted else 0)


@dataclass
class PlanHistory:
    """A folder whose plans are made with shortcuts and without, and its server.

    `recalled` counts the plans that came, at least in part, from the cache, and `indexed` the plans of folders of which
    at least one file came from the index. With `server`, requests pass its proxy, which some steps let lie.
    """

    folder: Path
    served: Served
    random: random.Random
    server: Server | None = None
    recalled: int = 0
    indexed: int = 0
    reduced: Counter[str] = field(default_factory=Counter)  # the reports for which not everything was read
    options: PlanOptions = field(default_factory=lambda: PlanOptions("live"))
    backup: Path | None = None

    def begin(self) -> None:
        """Write the first folder, and sync it."""
        for path, text in FILES.items():
            self.write(path, text)
        url = self.server.url if self.server else self.served.recorder.url
        self.write("contentsync.toml", CONFIG.format(url, self.served.directory))
        self.sync()

    def plan(self) -> str:
        """Return everything that `plan` shows, or its error."""
        planned = make_plan(self.folder, self.options)
        self.recalled += planned.recalled
        self.indexed += planned.indexed
        return planned.shown

    def report(self, name: str) -> str:
        """Return everything that one of the `REPORTS` shows, or its error."""
        options = PlanOptions(self.options.target, only=self.options.only if name.startswith("drift") else ())
        reported = _show(self.folder, options, REPORTS[name])
        self.reduced[name.split()[0]] += reported.recalled
        return reported.shown

    def pull_without_writes(self) -> str | None:
        """Pull if it has nothing to write by the shortcuts; return what it says, else None."""
        options = PlanOptions(self.options.target)
        finder = PlanFinder.open(self.folder, options, Console(file=io.StringIO()), MARGIN)
        try:
            return make_pull(self.folder, options) if find_nothing(finder, yes=False) else None
        except ContentsyncError:
            return None  # as without shortcuts: `make_pull` says it then

    def write(self, path: str, text: str) -> None:
        file = self.folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def sync(self, *options: str) -> None:
        time.sleep(TICK * 2)
        target = ["--target", self.options.target or "live"]
        deletes = ["--prune", "--allow-deletes", "9"]
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            run(["sync", str(self.folder), *target, "--yes", "--quiet", *deletes, *options])

    def delete(self, path: str) -> None:
        """Delete a file or a folder, if it is there."""
        place = self.folder / path
        if place.is_dir():
            shutil.rmtree(place)
        else:
            place.unlink(missing_ok=True)

    def change_rows(self, change: Callable[[list[str]], object]) -> None:
        """Change the lines below the header of a table."""
        file = self.folder / self.random.choice(["listings/all.csv", "listings/all.csv", "listings/more.tsv"])
        if file.exists():
            header, *rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
            if rows:
                change(rows)
            file.write_text("".join([header, *rows]), encoding="utf-8")

    def any_file(self) -> Path:
        files = [path for path in FILES if (self.folder / path).exists()]
        return self.folder / self.random.choice(files or ["contentsync.toml"])

    @property
    def private(self) -> Path:
        return self.folder / ".contentsync"


@contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """Set an environment variable of this process."""
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]


@contextmanager
def without_caches(private: Path) -> Iterator[None]:
    """Let a private folder have no caches in the block; afterwards it has the same files again."""
    cache, aside = private / "cache", private / "cache aside"
    if cache.exists():
        cache.rename(aside)
    try:
        yield
    finally:
        shutil.rmtree(cache, ignore_errors=True)
        if aside.exists():
            aside.rename(cache)
