"""What else a folder and its server may meet: wrong answers, other clocks, versions, databases and processes."""

import os
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from threading import Timer

from contentsync.cli.plan_options import PlanOptions
from contentsync.content.files.content_folder import CACHE_FOLDER
from contentsync.content.files.index_file import open_index, replacing_index
from contentsync.model import Kind
from contentsync.sync.state.plan_cache import read_cached_plan, write_cached_plan
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.synced_entries import read_synced_entries, write_synced_entries

from ..forked import CONTEXT
from ..sync_faults.killable import watch_moments
from . import troubles
from .plan_changes import edit_a_file
from .plan_history import PlanHistory, make_plan
from .server import Server

YEARS_1970_AND_2100 = (0, 4_102_444_800)  # seconds
MOMENTS = 60  # of a plan that stores everything
SETTINGS = (
    ('"Tools"', '"Tools", locales = ["en", "fr"]'),
    ('former_addresses = ["aliases"]', 'exclude = ["jobs.md"]'),
    ("[content.pages]", '[content.listings]\nurl_scheme = "https"\n[content.pages]'),
    ("[targets.live]", '[targets.live]\non_drift = "overwrite"'),
    ("[targets.live]", "[targets.live]\nprune = true"),
)


# Keys and settings of the folder.


def rename_a_page(history: PlanHistory) -> None:
    """Give the file of a page another name, perhaps with a note of the former one."""
    pages = sorted((history.folder / "pages").glob("*.md"))
    pages = [page for page in pages if not page.is_symlink()]
    if pages:
        page = history.random.choice(pages)
        text = page.read_text(encoding="utf-8")
        note = f"---\nsync: {{previous: [{page.stem}]}}\n" if history.random.random() < 0.7 else "---\n"
        page.unlink()
        history.write(f"pages/renamed-{history.random.randrange(3)}.md", text.replace("---\n", note, 1))


def swap_keys_of_pages(history: PlanHistory) -> None:
    """Let two pages have the key of each other."""
    for name, slug in (("about", "jobs"), ("jobs", "about")):
        history.write(f"pages/{name}.md", f"---\ntitle: {name.title()}\nslug: {slug}\n---\nText.\n")


def swap_keys_of_rows(history: PlanHistory) -> None:
    """Let two rows of a table have the URL of each other."""
    url = re.compile(r"https://[^,\t\n]*")

    def swap(rows: list[str]) -> None:
        numbers = [number for number, row in enumerate(rows) if url.search(row)]
        if len(numbers) > 1:
            one, other = history.random.sample(numbers, 2)
            first, second = (url.findall(rows[number])[0] for number in (one, other))
            rows[one], rows[other] = rows[one].replace(first, second, 1), rows[other].replace(second, first, 1)

    history.change_rows(swap)


def repeat_a_key_in_another_file(history: PlanHistory) -> None:
    """Write a listing or a page whose key another file may have already."""
    url = f"https://{history.random.choice(['one', 'two', 'five'])}.example.org/"
    path, text = history.random.choice(
        [
            ("listings/again.csv", f"name,url\nAgain,{url}\n"),
            ("listings/again.md", f"---\nname: Again\nurl: {url}\n---\n"),
            ("listings/again.csv", "name,url,slug\nAgain,https://again.example.org/,second\n"),
            ("pages/again.md", "---\ntitle: Again\nslug: jobs\n---\n"),
        ]
    )
    history.write(path, text)


def change_a_setting(history: PlanHistory) -> None:
    """Change the config, or take the change back."""
    config = history.folder / "contentsync.toml"
    text = config.read_text(encoding="utf-8")
    before, after = history.random.choice(SETTINGS)
    text = text.replace(after, before, 1) if after in text else text.replace(before, after, 1)
    config.write_text(text, encoding="utf-8")


def translate_an_article(history: PlanHistory) -> None:
    """Translate an article; whether the folder has the language is up to its config."""
    history.write("articles/news.fr.md", f"---\ntitle: Nouvelles {history.random.randrange(2)}\n---\nTexte.\n")


# The server.


def translate_an_article_on_the_server(history: PlanHistory) -> None:
    articles = history.served.get("articles")["data"]
    if articles:
        article = history.random.choice(articles)
        texts = history.random.choice([{"title": "Nouvelles"}, None])
        fields = {"slug": article["slug"], "markdown": article["markdown"], "translations": {"fr": texts}}
        history.served.ask("PUT", f"articles/{article['id']}", fields)  # refused without the language


def change_the_languages_of_the_server(history: PlanHistory) -> None:
    _server(history).set_languages(history.random.choice([("en",), ("en", "fr"), ("en", "fr", "de")]))


def back_up_the_database(history: PlanHistory) -> None:
    _server(history).back_up()


def restore_the_database(history: PlanHistory) -> None:
    """Bring back an older database, in which the service may give the same ids again."""
    _server(history).restore()


def plan_with_a_wrong_answer(history: PlanHistory) -> None:
    """Plan while the service lies about a list, which the caches may believe until it says the truth."""
    with troubles.meeting(_server(history), troubles.of_a_list(history.random)):
        history.plan()


# Clocks.


def set_another_time(history: PlanHistory) -> None:
    """Set the time of a file, as a machine with another clock does."""
    file, now = history.any_file(), int(time.time())
    seconds = history.random.choice([*YEARS_1970_AND_2100, now - 3600, now + 3600])
    os.utime(file, (seconds, seconds))


def set_another_time_of_the_caches(history: PlanHistory) -> None:
    """Set the times of all private files, as a restored backup has them."""
    seconds = history.random.choice([*YEARS_1970_AND_2100])
    for file in (history.private / "cache").rglob("*"):
        os.utime(file, (seconds, seconds))


def change_a_file_twice_at_once(history: PlanHistory) -> None:
    """Change a file, plan, and change it again within a tick, perhaps to an equal size and time."""
    file = history.any_file()
    status, text = file.stat(), file.read_text(encoding="utf-8")
    for letter in "ai":
        file.write_text(text.replace("e", letter, 1), encoding="utf-8")
        os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
        if letter == "a":
            history.plan()


def change_a_file_during_a_plan(history: PlanHistory) -> None:
    file = history.any_file()
    text = file.read_text(encoding="utf-8")
    timer = Timer(history.random.random() * 0.05, file.write_text, (text.replace("e", "a", 1), "utf-8"))
    timer.start()
    history.plan()
    timer.join()


# Other processes and other versions of the program.


def kill_a_plan(history: PlanHistory) -> None:
    """Kill a plan at a moment of its work, which may be in the middle of writing a cache."""
    _run(_plan_and_die, history, history.random.randint(1, MOMENTS))


def kill_a_sync(history: PlanHistory) -> None:
    """Kill a sync at one of its first writes."""
    server = _server(history)
    number, when = history.random.choice((1, 1, 2, 3)), history.random.choice(troubles.KILLED)
    with troubles.meeting(server, troubles.killed(number, when)):
        server.run_program("sync", str(history.folder), "--target", "live", "--yes", "--concurrency", "1")


def plan_in_two_processes(history: PlanHistory) -> None:
    """Plan in two processes at once, after a change of a file, so that both of them write the caches."""
    edit_a_file(history)
    time.sleep(0.02)
    _run(_plan, history, twice=True)


def plan_in_a_process(history: PlanHistory) -> None:
    """Plan in a process of its own."""
    _run(_plan, history)


def leave_caches_of_another_version(history: PlanHistory) -> None:
    """Let another version of the program have written and sealed all caches on this machine.

    Its results must not be used: the values of files and rows are those of others.
    """
    if index := open_index(history.folder):
        with replacing_index(history.folder, index) as new:
            rows = new.execute("SELECT id, data, checksum FROM unit_values ORDER BY id").fetchall()
            for (id_, *_), (_, data, checksum) in zip(rows, [*rows[1:], *rows[:1]], strict=True):
                new.execute("UPDATE unit_values SET data = ?, checksum = ? WHERE id = ?", (data, checksum, id_))
    state_dir = StateDir.for_target(history.folder, history.options.target or "live")
    if cached := read_cached_plan(state_dir):
        plan = replace(cached.plan, unchanged={Kind.PAGE: 99})
        write_cached_plan(state_dir, replace(cached, plan=plan))
    if stored := read_synced_entries(state_dir):
        keys = [row.key for row in stored.rows.values()]
        rows_of_others = {
            digest: row._replace(key=key)
            for (digest, row), key in zip(stored.rows.items(), [*keys[1:], *keys[:1]], strict=True)
        }
        write_synced_entries(state_dir, stored._replace(rows=rows_of_others))
    for seal in (history.folder / CACHE_FOLDER).rglob("*.seal"):
        stamp, _, _program = seal.read_bytes().rpartition(b" ")
        seal.write_bytes(stamp + b" another")


def _run(target: Callable[..., None], history: PlanHistory, *more: int, twice: bool = False) -> None:
    """Run a function in a process of its own, or in two at once."""
    arguments = history.folder, history.options, {**os.environ}, *more
    processes = [CONTEXT.Process(target=target, args=arguments) for _ in range(1 + twice)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()


def _plan(folder: Path, options: PlanOptions, environ: Mapping[str, str]) -> None:
    os.environ.update(environ)
    make_plan(folder, options)


def _plan_and_die(folder: Path, options: PlanOptions, environ: Mapping[str, str], moment: int) -> None:
    watch_moments(moment)
    _plan(folder, options, environ)


def _server(history: PlanHistory) -> Server:
    assert history.server
    return history.server


TROUBLES = (
    *(rename_a_page, swap_keys_of_pages, swap_keys_of_rows, repeat_a_key_in_another_file),
    *(change_a_setting, translate_an_article, translate_an_article_on_the_server, change_the_languages_of_the_server),
    *(back_up_the_database, restore_the_database),
    *(plan_with_a_wrong_answer, plan_with_a_wrong_answer, plan_with_a_wrong_answer),
    *(set_another_time, set_another_time_of_the_caches, change_a_file_twice_at_once, change_a_file_during_a_plan),
    *(kill_a_plan, kill_a_sync, plan_in_two_processes, leave_caches_of_another_version),
)
