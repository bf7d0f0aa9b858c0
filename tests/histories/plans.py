"""Damage to a folder, its server, its state and its caches: each plan is made with and without shortcuts."""

import io
import json
import os
import random
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from rich.console import Console

from contentsync.cli import run
from contentsync.cli.find_plan import find_plan
from contentsync.cli.options import WITHOUT_SHORTCUTS
from contentsync.cli.plan_options import PlanOptions
from contentsync.cli.session import Session
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.errors import ContentError, ContentsyncError
from contentsync.report.plan_document import plan_document, plan_notes
from contentsync.report.plan_text import unmanaged_lines

from ..indexed import store_index
from ..served import Served
from .engine import History, Profile, Step

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


@dataclass
class PlanHistory:
    """A folder whose plans are made with shortcuts and without, and its server.

    `recalled` counts the plans that came, at least in part, from the cache, and `indexed` the plans of folders of which
    at least one file came from the index.
    """

    folder: Path
    served: Served
    random: random.Random
    recalled: int = 0
    indexed: int = 0
    options: PlanOptions = field(default_factory=lambda: PlanOptions("live"))
    backup: Path | None = None

    def begin(self) -> None:
        """Write the first folder, and sync it."""
        for path, text in FILES.items():
            self.write(path, text)
        self.write("contentsync.toml", CONFIG.format(self.served.recorder.url, self.served.directory))
        self.sync()

    def plan(self) -> str:
        """Return everything that `plan` shows, or its error."""
        warnings = io.StringIO()
        opened: list[Session] = []

        def open_session(folder: Path, options: PlanOptions, console: Console, rows: SyncedRows | None) -> Session:
            opened.append(Session.open(folder, options, console, rows))
            return opened[-1]

        try:
            plan, destination = find_plan(self.folder, self.options, Console(file=warnings), MARGIN, open_session)
        except ContentError as error:
            return str(error.problems)
        except ContentsyncError as error:
            return f"{type(error).__name__} {error}"
        self.recalled += not opened
        self.indexed += any(session.content.from_index for session in opened)
        if not os.environ.get(WITHOUT_SHORTCUTS):
            store_index(self.folder, MARGIN)
        shown = [plan_document(plan, destination), plan_notes(plan, destination), [*unmanaged_lines(plan)]]
        return json.dumps([*shown, "warning" in warnings.getvalue()])

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


def nothing(history: PlanHistory) -> None:
    """Change nothing."""


def sync(history: PlanHistory) -> None:
    history.sync(*history.random.choice([[], [], ["--on-conflict", "theirs"], ["--on-drift", "overwrite"]]))


def restore_files(history: PlanHistory) -> None:
    """Write the first texts again, which have other times then."""
    for path, text in FILES.items():
        history.write(path, text)


def edit_a_file(history: PlanHistory) -> None:
    with history.any_file().open("a", encoding="utf-8") as file:
        file.write(f"# {history.random.random()}\n")


def change_a_letter(history: PlanHistory) -> None:
    """Replace a letter, and set the times of the file back."""
    file = history.any_file()
    status, text = file.stat(), file.read_text(encoding="utf-8")
    file.write_text(text.replace("e", "a", 1), encoding="utf-8")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))


def delete_a_file(history: PlanHistory) -> None:
    file = history.any_file()
    if file.name != "contentsync.toml":
        file.unlink()


def edit_a_row(history: PlanHistory) -> None:
    def edit(rows: list[str]) -> None:
        number = history.random.randrange(len(rows))
        rows[number] = rows[number].replace("e", history.random.choice("aeio"), 1)

    history.change_rows(edit)


def delete_a_row(history: PlanHistory) -> None:
    history.change_rows(lambda rows: rows.pop(history.random.randrange(len(rows))))


def copy_a_row(history: PlanHistory) -> None:
    """Add a row again, which is a duplicate, or a row with another URL."""
    url = history.random.choice(["https://", "https://www.new."])
    history.change_rows(lambda rows: rows.append(history.random.choice(rows).replace("https://", url)))


def reorder_rows(history: PlanHistory) -> None:
    history.change_rows(history.random.shuffle)


def add_a_column(history: PlanHistory) -> None:
    file = history.folder / "listings/more.tsv"
    if file.exists():
        text = file.read_text(encoding="utf-8").rstrip("\n").replace("\n", "\ttext\n")
        file.write_text(text.replace("\ttext", "\tdescription", 1) + "\ttext\n", encoding="utf-8")


def add_a_table(history: PlanHistory) -> None:
    """Move the rows of a table into a new one, or add a listing of its own."""
    more = history.folder / "listings/more.tsv"
    if more.exists() and history.random.random() < 0.5:
        more.rename(history.folder / "listings/moved.tsv")
    else:
        history.write("listings/inner/new.csv", "name,url,slug\nNew,https://new.example.org/,second\n")


def delete_all_files(history: PlanHistory) -> None:
    for path in ("pages", "articles", "tags.yaml", "listings/all.csv", "listings/more.tsv"):
        history.delete(path)


def add_a_page(history: PlanHistory) -> None:
    history.write(f"pages/new-{history.random.randrange(3)}.md", "---\ntitle: New\n---\n")


def add_a_misplaced_file(history: PlanHistory) -> None:
    history.write(history.random.choice(["posts/a.md", "listings.csv", "category.yaml", "notes.txt"]), "title: A\n")


def swap_two_files(history: PlanHistory) -> None:
    first, second, aside = (history.folder / f"pages/{name}" for name in ("about.md", "jobs.md", "aside"))
    if first.exists() and second.exists():
        first.rename(aside)
        second.rename(first)
        aside.rename(second)


def link_a_file(history: PlanHistory) -> None:
    file = history.folder / "pages/linked.md"
    if file.parent.is_dir() and not file.is_symlink():
        file.symlink_to("about.md")


def move_a_row_into_a_document(history: PlanHistory) -> None:
    """Write a listing into a document, perhaps under a new URL, with a note of the former key or of another one."""
    urls = [f"https://{name}.example.org" for name in ("five", "six")]
    url, noted = history.random.choice([*urls, "https://new.example.org"]), history.random.choice(["", *urls])
    note = f"sync: {{previous: ['{noted}']}}\n" if noted else ""
    history.write("listings/five.md", f"---\nname: Five\nurl: {url}/\n{note}---\nSee [it](/listings/second/).\n")
    file = history.folder / "listings/more.tsv"
    if file.exists():
        rows = file.read_text(encoding="utf-8").splitlines(keepends=True)
        file.write_text("".join(row for row in rows if not row.startswith("Five")), encoding="utf-8")


def note_a_former_address(history: PlanHistory) -> None:
    """Let a page have had the address of a listing, to which another page has a link."""
    slug = history.random.choice(["second", "five", "none"])
    history.write("pages/former.md", f"---\ntitle: Former\naliases: [/listings/{slug}/]\n---\n")
    history.write("pages/linking.md", f"---\ntitle: Linking\n---\nSee [it](/listings/{slug}/).\n")


def rename_a_tag(history: PlanHistory) -> None:
    slug = history.random.choice(["paid", "costly", "free"])
    history.write("tags.yaml", f"- title: Free\n- {{title: Paid, slug: {slug}, sync: {{previous: [paid]}}}}\n")


def end_lines_as_windows_does(history: PlanHistory) -> None:
    file = history.any_file()
    file.write_bytes(file.read_bytes().replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))


def replace_a_text_by_a_link(history: PlanHistory) -> None:
    """Let the config write links in place of a text in a row, to a page whose slug changes."""
    slug = history.random.choice(["jobs", "work"])
    history.write("pages/jobs.md", f"---\ntitle: Jobs\nslug: {slug}\n---\nText.\n")
    history.write("listings/linked.csv", "name,url,content\nSeven,https://seven.example.org/,See ((jobs)).\n")
    config = history.folder / "contentsync.toml"
    if "((jobs))" not in config.read_text(encoding="utf-8"):
        with config.open("a", encoding="utf-8") as file:
            file.write('[[markdown.replace]]\nfind = "((jobs))"\nreplace = "[jobs](../pages/jobs.md)"\n')


def ignore_a_warning(history: PlanHistory) -> None:
    text = (history.folder / "contentsync.toml").read_text(encoding="utf-8")
    with (history.folder / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write('[warnings]\nignore = ["misplaced"]\n' if "[warnings]" not in text else "")


def change_the_options(history: PlanHistory) -> None:
    choices: list[dict[str, Any]] = [{"target": "other"}, {"prune": True}, {"adopt": True}, {"only": ("page",)}]
    history.options = replace(PlanOptions("live"), **history.random.choice([{}, *choices]))


def write_on_the_server(history: PlanHistory) -> None:
    """Create a page as another user, or update it."""
    number = history.random.randrange(3)
    history.served.create("pages", {"slug": f"theirs-{number}", "title": f"Theirs {history.random.random()}"})


def write_a_listing_on_the_server(history: PlanHistory) -> None:
    """Create a listing as another user, or change one of ours."""
    listings = history.served.get("projects")["data"]
    if listings and history.random.random() < 0.5:
        slug = f"theirs-{history.random.random()}".replace(".", "-")
        changed = history.random.choice([{"description": "Theirs"}, {"slug": slug}])
        history.served.update(f"projects/{history.random.choice(listings)['id']}", changed)
    else:
        number = history.random.randrange(3)
        history.served.create("projects", {"name": f"Theirs {number}", "url": f"https://theirs-{number}.example.org/"})


def delete_a_listing_on_the_server(history: PlanHistory) -> None:
    if listings := history.served.get("projects")["data"]:
        history.served.delete(f"projects/{history.random.choice(listings)['id']}")


def swap_urls_on_the_server(history: PlanHistory) -> None:
    """Give a listing the URL that another one had, which is its key."""
    listings = history.served.get("projects")["data"]
    if len(listings) > 1:
        first, second = history.random.sample(listings, 2)
        if first["url"] and second["url"]:
            url = f"https://new-{history.random.random()}.example.org/"
            history.served.update(f"projects/{first['id']}", {"url": url})
            history.served.update(f"projects/{second['id']}", {"url": first["url"]})


def change_our_page_on_the_server(history: PlanHistory) -> None:
    history.served.create("pages", {"slug": "about", "title": f"About {history.random.randrange(2)}"})


def delete_the_state(history: PlanHistory) -> None:
    shutil.rmtree(history.private / "state", ignore_errors=True)


def delete_the_cache(history: PlanHistory) -> None:
    shutil.rmtree(history.private / "cache", ignore_errors=True)


def cut_a_private_file(history: PlanHistory) -> None:
    files = sorted(file for file in (history.private / "cache").rglob("*") if file.is_file() and file.name[0] != ".")
    if files:
        file = history.random.choice(files)
        data = file.read_bytes()
        file.write_bytes(data[: history.random.randrange(len(data) or 1)])


def back_up_the_private_folder(history: PlanHistory) -> None:
    history.backup = history.folder.parent / f"{history.folder.name} backup"
    shutil.rmtree(history.backup, ignore_errors=True)
    shutil.copytree(history.private, history.backup)


def restore_the_private_folder(history: PlanHistory) -> None:
    """Bring back an older state, snapshot and cached plan, as a checkout or a CI cache does."""
    if history.backup and history.private.exists():
        shutil.rmtree(history.private)
        shutil.copytree(history.backup, history.private)


def forge_the_cached_plan(history: PlanHistory) -> None:
    """Let the cached plan of one target stand for the other one."""
    plans = history.private / "cache/plan"
    for suffix in (".json", ".seal"):
        if (plans / f"live{suffix}").exists():
            (plans / f"other{suffix}").write_bytes((plans / f"live{suffix}").read_bytes())


CHANGES = (
    nothing,
    sync,
    sync,
    restore_files,
    edit_a_file,
    change_a_letter,
    delete_a_file,
    delete_all_files,
    *(edit_a_row, edit_a_row, delete_a_row, copy_a_row, reorder_rows, add_a_column, add_a_table),
    add_a_page,
    add_a_misplaced_file,
    swap_two_files,
    link_a_file,
    *(move_a_row_into_a_document, note_a_former_address, rename_a_tag),
    *(end_lines_as_windows_does, replace_a_text_by_a_link),
    ignore_a_warning,
    change_the_options,
    write_on_the_server,
    *(write_a_listing_on_the_server, write_a_listing_on_the_server, delete_a_listing_on_the_server),
    swap_urls_on_the_server,
    change_our_page_on_the_server,
    delete_the_state,
    delete_the_cache,
    cut_a_private_file,
    back_up_the_private_folder,
    restore_the_private_folder,
    forge_the_cached_plan,
)


def _taking(change: Callable[[PlanHistory], None]) -> Step:
    def take(history: History) -> str:
        change(history.notes["planned"])
        return change.__name__.replace("_", " ")

    return take


def _begin(history: History) -> str:
    served = history.server.served
    history.cleanup.enter_context(environment("CONTENTSYNC_TOKEN", served.token))
    history.notes["planned"] = planned = PlanHistory(history.folder, served, history.dice)
    planned.begin()
    return "begin"


def plans_are_equal(history: History) -> Iterator[str]:
    """A plan is the same with and without shortcuts."""
    planned: PlanHistory = history.notes["planned"]
    time.sleep(TICK * 2)
    shown = [planned.plan(), planned.plan()]  # the first one caches what the second one recalls
    history.counts["recalled"] = planned.recalled
    history.counts["indexed"] = planned.indexed
    with environment(WITHOUT_SHORTCUTS, "1"):
        made = planned.plan()
    if shown != [made, made]:
        yield f"another plan: {shown} instead of {made}"


PLANS = Profile(
    begin=_begin,
    steps={_taking(change): CHANGES.count(change) for change in dict.fromkeys(CHANGES)},
    oracles=(plans_are_equal,),
    length=(6, 6),
    seeds=2_000,
)


@contextmanager
def environment(name: str, value: str) -> Iterator[None]:
    """Set an environment variable of this process."""
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
