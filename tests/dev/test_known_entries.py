"""What `dev` knows of its database: a save and the next start look only at what has changed, and show nothing stale."""

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import cast
from urllib.parse import urlsplit

import pytest
from starlette.applications import Starlette
from starlette.types import Receive, Scope, Send

from contentsync.cli.target_connection import connect_embedded, directory_settings
from contentsync.content.config.config import read_local_config
from contentsync.dev.known_entries import is_same, read_known
from contentsync.dev.mirror import Mirror, SyncSummary
from contentsync.dev.preview_database import open_database, open_state_dir
from contentsync.errors import Severity
from contentsync.model import Entry, Kind, Notes
from contentsync.sync.comparing.fingerprint import digest_entry
from contentsync.sync.state.folder_reading import Reading

from ..content.conftest import write
from .dev_process import READY, start_dev
from .mirrors import mirror_in

ADDRESS = "http://127.0.0.1:8300"
HEADER = "name,url,slug,categories,description\n"
ROWS = [f"L{n},https://{n}.example/,l{n},tools,text {n}\n" for n in range(8)]
LINKED = 'Linked,https://linked.example/,linked,tools,"see [a](https://example.org/)"\n'
FILES = {
    "categories.yaml": "- slug: tools\n  title: Tools\n",
    "listings/all.csv": HEADER + "".join(ROWS) + LINKED,
    "articles/a.md": "---\ntitle: A\npublished_at: 2026-01-01\n---\n\nText of a.\n",
}


class Preview:
    """A running preview of a folder."""

    def __init__(self, folder: Path, mirror: Mirror, requests: list[str]) -> None:
        self.folder = folder
        self.requests = requests  # the paths of those that its server got
        self._mirror = mirror
        self.reading: Reading | None = None  # of the last sync

    async def sync(self) -> SyncSummary:
        self.reading = self._mirror.read()
        return await self._mirror.sync(self.reading)

    @property
    def read_listings(self) -> list[str]:
        """The names of the listings that the last sync has read."""
        assert self.reading
        return [str(entry.fields["name"]) for entry in self.reading.content.entries if entry.kind is Kind.LISTING]


Story = Callable[[Preview], Awaitable[None]]


def show(folder: Path, story: Story) -> None:
    """Run a story from the start of a preview to its end, as the command does."""
    state_dir = open_state_dir(folder)
    known = read_known(state_dir)
    config, _problems = read_local_config(folder)

    async def run() -> None:
        embedded = open_database(state_dir, directory_settings(config.site), ADDRESS)
        requests: list[str] = []

        async def app(scope: Scope, receive: Receive, send: Send) -> None:
            requests.append(scope["path"])
            await embedded.app(scope, receive, send)

        try:
            async with connect_embedded(replace(embedded, app=cast(Starlette, app))) as remote:
                mirror = mirror_in(embedded, remote, folder, state_dir, known)
                await story(Preview(folder, mirror, requests))
        finally:
            mirror.save_known()

    asyncio.run(run())


def records(folder: Path) -> set[str]:
    """Return all records of a preview, without the ids and times that a new database assigns."""
    state_dir = open_state_dir(folder)
    config, _problems = read_local_config(folder)
    found: set[str] = set()

    async def read() -> None:
        embedded = open_database(state_dir, directory_settings(config.site), ADDRESS)
        async with connect_embedded(embedded) as remote:
            for entry in await remote.fetch([*Kind]):
                found.add(f"{entry.kind} {entry.key} {sorted(entry.fields.items())}")

    asyncio.run(read())
    return found


async def sync_once(preview: Preview) -> None:
    assert (await preview.sync()).problems == ()


def test_a_save_reads_only_the_row_that_has_changed(tmp_path: Path) -> None:
    async def story(preview: Preview) -> None:
        await sync_once(preview)
        write(preview.folder, {"listings/all.csv": FILES["listings/all.csv"].replace("text 3", "new")})
        summary = await preview.sync()
        assert (summary.write_count, summary.page) == (1, "/listings/l3/")
        assert preview.read_listings == ["L3", "Linked"]

    show(write(tmp_path / "site", FILES), story)


def test_a_start_after_a_stop_reads_no_row_and_sends_nothing(tmp_path: Path) -> None:
    async def again(preview: Preview) -> None:
        assert await preview.sync() == SyncSummary()
        assert (preview.read_listings, preview.requests) == (["Linked"], [])

    folder = write(tmp_path / "site", FILES)
    show(folder, sync_once)
    show(folder, again)


def test_a_start_after_a_stop_compares_no_article_of_a_folder_without_tables(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", {"articles/a.md": FILES["articles/a.md"]})
    show(folder, sync_once)

    async def again(preview: Preview) -> None:
        assert await preview.sync() == SyncSummary()
        assert preview.requests == []

    show(folder, again)


def test_rows_and_files_that_change_while_it_is_stopped_are_shown(tmp_path: Path) -> None:
    async def again(preview: Preview) -> None:
        summary = await preview.sync()
        assert (summary.problems, summary.write_count) == ((), 4)

    folder = write(tmp_path / "site", FILES)
    show(folder, sync_once)
    table = HEADER + "".join(ROWS[1:]).replace("text 3", "new") + "New,https://new.example/,new,tools,\n"
    write(
        folder,
        {
            "listings/all.csv": table + LINKED,
            "articles/a.md": "---\ntitle: B\npublished_at: 2026-01-01\n---\n\nText.\n",
        },
    )
    show(folder, again)
    assert records(folder) == records_of_new_preview(folder)


def test_a_database_that_was_restored_is_compared_as_a_whole(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", FILES)
    show(folder, sync_once)
    backup = (folder / ".contentsync/dev/site.db").read_bytes()
    write(folder, {"listings/all.csv": FILES["listings/all.csv"].replace("text 3", "new")})
    show(folder, sync_once)
    (folder / ".contentsync/dev/site.db").write_bytes(backup)

    async def again(preview: Preview) -> None:
        assert (await preview.sync()).write_count == 1
        assert len(preview.read_listings) == len(ROWS) + 1

    show(folder, again)
    assert records(folder) == records_of_new_preview(folder)


def test_a_killed_run_leaves_nothing_that_the_next_one_believes(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", FILES)
    show(folder, sync_once)
    with start_dev(folder) as dev:
        dev.wait_for_output(READY)
        write(folder, {"listings/all.csv": FILES["listings/all.csv"].replace("text 3", "never seen")})
        dev.wait_for_output("1 change")
        assert dev.process.pid
        os.kill(dev.process.pid, signal.SIGKILL)
        dev.process.join()
    assert read_known(open_state_dir(folder)) is None
    write(folder, FILES)  # as when the row was stored
    with start_dev(folder) as dev:
        dev.wait_for_output(READY)
        home = dev.ask("/")[1].partition('rel="canonical" href="')[2].partition('"')[0]
        assert "text 3" in dev.ask(f"{urlsplit(home).path}listings/l3/")[1]
        dev.stop()
    assert read_known(open_state_dir(folder)) is not None


def test_a_row_whose_category_has_another_title_is_read_again(tmp_path: Path) -> None:
    async def story(preview: Preview) -> None:
        await sync_once(preview)
        write(preview.folder, {"categories.yaml": "- slug: tools\n  title: Toys\n"})
        assert {problem.code for problem in (await preview.sync()).problems} == {"unknown-reference"}

    titled = {"categories.yaml": "- slug: tools\n  title: All tools\n"}
    titled |= {"listings/all.csv": HEADER + "".join(ROWS).replace(",tools,", ",All tools,") + LINKED}
    show(write(tmp_path / "site", FILES | titled), story)


def test_a_row_gets_the_other_category_if_two_swap_their_titles(tmp_path: Path) -> None:
    titles = "- slug: one\n  title: {}\n- slug: two\n  title: {}\n"
    table = HEADER + "".join(ROWS).replace(",tools,", ",First,")
    folder = write(tmp_path / "site", {"categories.yaml": titles.format("First", "Second"), "listings/all.csv": table})
    show(folder, sync_once)
    warned = "name,url,image_url\nNew,https://new.example/,https://https://new.example/a.png\n"
    # With a new warning, all rows are read.
    write(folder, {"categories.yaml": titles.format("Second", "First"), "listings/warned.csv": warned})

    async def again(preview: Preview) -> None:
        assert {problem.severity for problem in (await preview.sync()).problems} == {Severity.WARNING}

    show(folder, again)
    [row] = [record for record in records(folder) if "https://0.example" in record]
    assert "'two'" in row


PAGE = Entry(Kind.PAGE, "a", {"title": "A"}, id=1)


@pytest.mark.parametrize(
    ("other", "is_known"),
    [
        (replace(PAGE, id=2), True),
        (replace(PAGE, fields={"title": "B"}), False),
        (replace(PAGE, notes=Notes(previous=("b",))), False),
    ],
    ids=["the same", "another value", "another note"],
)
def test_an_entry_is_known_with_its_values_and_notes(other: Entry, is_known: bool) -> None:
    assert is_same(PAGE, other) == is_same(digest_entry(PAGE), other) == is_known


def test_a_database_that_was_not_closed_is_not_known(tmp_path: Path) -> None:
    """It may have the writes of another program, although its file is as it was."""
    folder = write(tmp_path / "site", FILES)
    show(folder, sync_once)
    state_dir = open_state_dir(folder)
    journal = state_dir.root / "site.db-wal"
    assert read_known(state_dir)
    journal.touch()
    assert read_known(state_dir) is None
    journal.unlink()
    assert read_known(state_dir)
    state_dir.synced_rows.unlink()
    assert read_known(state_dir) is None


def test_a_config_that_changes_while_it_is_stopped_is_applied_to_all_rows(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", FILES)
    show(folder, sync_once)
    write(folder, {"contentsync.toml": '[content.listings]\nrename = { description = "address" }\n'})

    async def again(preview: Preview) -> None:
        assert (await preview.sync()).write_count == len(ROWS) + 1

    show(folder, again)


def test_a_replacement_that_is_new_is_made_in_all_rows(tmp_path: Path) -> None:
    table = FILES["listings/all.csv"].replace("description", "content")
    folder = write(tmp_path / "site", FILES | {"listings/all.csv": table})
    show(folder, sync_once)
    write(folder, {"contentsync.toml": '[[markdown.replace]]\nfind = "text"\nreplace = "words"\n'})

    async def again(preview: Preview) -> None:
        assert (await preview.sync()).write_count == len(ROWS)

    show(folder, again)


def test_rows_that_another_version_of_the_program_read_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write(tmp_path / "site", FILES)
    show(folder, sync_once)
    assert read_known(open_state_dir(folder))
    monkeypatch.setattr("contentsync.content.files.cache_file.program_digest", lambda: "another version")
    assert read_known(open_state_dir(folder)) is None


def test_a_value_that_must_be_unique_is_compared_with_all_rows(tmp_path: Path) -> None:
    async def story(preview: Preview) -> None:
        await sync_once(preview)
        more = {"listings/more.csv": "name,url\nL3,https://more.example/\n"}
        write(preview.folder, {"contentsync.toml": config, **more})
        assert {problem.code for problem in (await preview.sync()).problems} == {"rule-unique"}

    config = '[rules.listing]\nunique = ["name"]\n'
    show(write(tmp_path / "site", FILES | {"contentsync.toml": config}), story)


@pytest.mark.parametrize("seed", range(6))
def test_a_preview_of_random_edits_and_starts_equals_a_new_one(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    folder = write(tmp_path / "site", FILES)
    rows = [*ROWS, LINKED]
    tags = ["tools"]

    def edit() -> None:
        """Change something, as an author does."""
        number = draw.randrange(len(rows))
        what = draw.randrange(10)
        cells = rows[number].split(",")
        if what == 0 and len(rows) > 3:
            del rows[number]
        elif what == 1:
            new = draw.randrange(1000)
            rows.append(f"N{new},https://n{new}.example/,n{new},{draw.choice(tags)},\n")
        elif what == 2:
            cells[1] = f"https://moved{draw.randrange(1000)}.example/"
        elif what == 3:
            cells[2] = f"slug{draw.randrange(1000)}"
        elif what == 4:
            draw.shuffle(rows)
        elif what == 5:
            tags.append(f"t{draw.randrange(1000)}")
        elif what == 6:
            write(
                folder, {"articles/a.md": FILES["articles/a.md"].replace("title: A", f"title: A{draw.randrange(1000)}")}
            )
        elif what == 7 and len(tags) > 1:
            old, tags[-1] = tags[-1], f"r{draw.randrange(1000)}"
            rows[:] = [row.replace(f",{old},", f",{tags[-1]},") for row in rows]
        else:
            cells[0] = f"Name {draw.randrange(1000)}"
        if what in (2, 3, 8, 9):
            rows[number] = ",".join(cells)
        categories = "".join(f"- slug: {tag}\n  title: {tag.title()}\n" for tag in tags)
        write(folder, {"listings/all.csv": HEADER + "".join(rows), "categories.yaml": categories})

    async def story(preview: Preview) -> None:
        for _ in range(draw.randrange(4)):
            edit()
            assert (await preview.sync()).problems == ()
        if draw.randrange(2):
            edit()  # which nothing reads until the next start

    show(folder, sync_once)
    for _ in range(4):
        show(folder, story)
    show(folder, sync_once)
    assert records(folder) == records_of_new_preview(folder)


def records_of_new_preview(folder: Path) -> set[str]:
    copy = folder.with_name(f"{folder.name}-copy")
    for file in folder.rglob("*"):
        if file.is_file() and ".contentsync" not in file.parts:
            (copy / file.relative_to(folder)).parent.mkdir(parents=True, exist_ok=True)
            (copy / file.relative_to(folder)).write_bytes(file.read_bytes())
    show(copy, sync_once)
    return records(copy)
