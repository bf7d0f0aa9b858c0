"""The directory equals the folder after every sync."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from contentsync.cli.target_connection import connect_embedded, directory_settings
from contentsync.content.folder.load import load_content
from contentsync.dev.mirror import MAX_SELECTED, Mirror, SyncSummary
from contentsync.dev.preview_database import open_database, open_state_dir
from contentsync.model import Kind
from contentsync.server.embedded import EmbeddedService

from ..content.conftest import write
from .mirrors import mirror_in

FILES = {
    "categories.yaml": "- slug: tools\n  title: Tools\n",
    "listings/all.csv": "name,url,categories\nSaw,https://saw.example,tools\nAxe,https://axe.example,tools\n",
    "articles/a.md": "---\ntitle: A\n---\n\nText of a.\n",
    "articles/a.fr.md": "---\ntitle: Un\n---\n\nTexte.\n",
    "articles/b.md": "---\ntitle: B\n---\n\nText of b.\n",
    "pages/about.md": "---\ntitle: About\n---\n",
}


class Workspace:
    """A folder, and the directory that mirrors it."""

    def __init__(self, folder: Path, embedded: EmbeddedService, mirror: Mirror) -> None:
        self.folder = folder
        self._embedded = embedded
        self._mirror = mirror

    async def sync(self) -> SyncSummary:
        return await self._mirror.sync(self._mirror.read())

    async def titles(self, kind: Kind, locale: str = "en") -> list[str]:
        transport = httpx.ASGITransport(app=self._embedded.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://embedded") as client:
            path = f"/api/directories/{self._embedded.directory_id}/{kind.collection}?locale={locale}"
            records = (await client.get(path)).json()["data"]
        return sorted(record.get("title") or record["name"] for record in records)

    async def location(self, path: str) -> str:
        """Return the address to which the site redirects from a path; "" if it does not."""
        transport = httpx.ASGITransport(app=self._embedded.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://embedded") as client:
            answer = await client.get(f"/sites/{self._embedded.slug}{path}")
        return str(answer.headers.get("Location", ""))

    @property
    def journals(self) -> list[str]:
        return sorted(file.name for file in (self.folder / ".contentsync/dev").rglob("*.jsonl"))


RunStory = Callable[[Callable[[Workspace], Awaitable[None]]], None]


@pytest.fixture
def run_story(tmp_path: Path) -> RunStory:
    """Run a story with a new mirror, as the command does when it starts."""
    folder = write(tmp_path, FILES)
    state_dir = open_state_dir(folder)

    async def run(story: Callable[[Workspace], Awaitable[None]]) -> None:
        embedded = open_database(
            state_dir, directory_settings(load_content(folder).config.site), "http://127.0.0.1:8300"
        )
        async with connect_embedded(embedded) as remote:
            await story(Workspace(folder, embedded, mirror_in(embedded, remote, folder, state_dir)))

    return lambda story: asyncio.run(run(story))


def test_the_first_sync_writes_everything_and_the_second_nothing(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        assert (await workspace.sync()).write_count == 6
        assert await workspace.titles(Kind.ARTICLE) == ["A", "B"]
        assert await workspace.titles(Kind.ARTICLE, "fr") == ["B", "Un"]
        assert await workspace.sync() == SyncSummary()
        assert workspace.journals == []

    run_story(story)


def test_a_sync_after_a_restart_writes_nothing(run_story: RunStory) -> None:
    async def first(workspace: Workspace) -> None:
        await workspace.sync()

    async def second(workspace: Workspace) -> None:
        assert await workspace.sync() == SyncSummary()

    run_story(first)
    run_story(second)


def test_a_sync_after_a_restart_applies_changes_deletes_and_renames(run_story: RunStory) -> None:
    async def first(workspace: Workspace) -> None:
        await workspace.sync()
        (workspace.folder / "articles/b.md").rename(workspace.folder / "articles/c.md")
        (workspace.folder / "pages/about.md").unlink()
        write(workspace.folder, {"articles/a.md": "---\ntitle: Again\n---\n\nText.\n"})

    async def second(workspace: Workspace) -> None:
        await workspace.sync()
        assert await workspace.titles(Kind.ARTICLE) == ["Again", "B"]
        assert await workspace.titles(Kind.PAGE) == []

    run_story(first)
    run_story(second)


def test_a_rename_updates_the_record_and_a_delete_removes_it(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        (workspace.folder / "articles/b.md").rename(workspace.folder / "articles/c.md")
        assert (await workspace.sync()).write_count == 1
        (workspace.folder / "articles/c.md").unlink()
        assert (await workspace.sync()).write_count == 1
        assert await workspace.titles(Kind.ARTICLE) == ["A"]

    run_story(story)


def test_a_folder_without_entries_empties_the_directory_without_consent(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        for path in FILES:
            (workspace.folder / path).unlink()
        assert (await workspace.sync()).problems == ()
        for kind in Kind:
            assert await workspace.titles(kind) == [], kind

    run_story(story)


def test_a_sync_applies_more_changes_than_one_partial_plan_takes(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        write(
            workspace.folder,
            {f"articles/n{number}.md": f"---\ntitle: N{number}\n---\n\nText.\n" for number in range(MAX_SELECTED + 5)},
        )
        assert (await workspace.sync()).write_count == MAX_SELECTED + 5
        for number in range(MAX_SELECTED + 5):
            (workspace.folder / f"articles/n{number}.md").unlink()
        assert (await workspace.sync()).write_count == MAX_SELECTED + 5
        assert await workspace.titles(Kind.ARTICLE) == ["A", "B"]

    run_story(story)


def test_entries_that_the_previous_sync_did_not_plan_can_be_deleted_and_renamed(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        write(workspace.folder, {"articles/a.md": FILES["articles/a.md"].replace("Text", "More text")})
        assert (await workspace.sync()).write_count == 1
        (workspace.folder / "articles/b.md").unlink()
        (workspace.folder / "pages/about.md").rename(workspace.folder / "pages/us.md")
        assert (await workspace.sync()).write_count == 2
        assert await workspace.titles(Kind.ARTICLE) == ["A"]
        assert await workspace.titles(Kind.PAGE) == ["About"]

    run_story(story)


def test_a_slug_that_the_server_gave_an_unchanged_listing_cannot_be_taken(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        table = "name,url,categories,slug\nSaw,https://saw.example,tools,axe\nAxe,https://axe.example,tools,\n"
        write(workspace.folder, {"listings/all.csv": table})
        summary = await workspace.sync()
        assert [problem.code for problem in summary.problems] == ["slug-taken"]
        assert await workspace.titles(Kind.LISTING) == ["Axe", "Saw"]

    run_story(story)


def test_a_renamed_category_keeps_its_listings(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        table = FILES["listings/all.csv"].replace("tools", "gear")
        write(workspace.folder, {"categories.yaml": "- slug: gear\n  title: Gear\n", "listings/all.csv": table})
        assert (await workspace.sync()).problems == ()
        assert await workspace.titles(Kind.CATEGORY) == ["Gear"]
        assert await workspace.sync() == SyncSummary()

    run_story(story)


def test_a_file_with_an_error_leaves_the_directory_unchanged_until_it_is_corrected(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        write(
            workspace.folder,
            {"articles/a.md": "---\ntitel: A\n---\n", "articles/b.md": "---\ntitle: Better\n---\n\nText.\n"},
        )
        summary = await workspace.sync()
        assert (summary.error_count, summary.write_count, summary.changed) == (len(summary.problems), 0, False)
        assert await workspace.titles(Kind.ARTICLE) == ["A", "B"]
        write(workspace.folder, {"articles/a.md": "---\ntitle: Another\n---\n\nText.\n"})
        assert (await workspace.sync()).error_count == 0
        assert await workspace.titles(Kind.ARTICLE) == ["Another", "Better"]

    run_story(story)


def test_a_new_site_name_is_a_change_without_writes(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        write(workspace.folder, {"contentsync.toml": '[site]\nname = "New"\nlocales = ["en", "fr", "de"]\n'})
        summary = await workspace.sync()
        assert (summary.changed, summary.write_count) == (True, 0)

    run_story(story)


@pytest.mark.parametrize("note", ["skip: true", "protect: true"])
def test_skipped_and_protected_entries_follow_the_folder(run_story: RunStory, note: str) -> None:
    noted = f"---\ntitle: B\nsync:\n  {note}\n---\n\nText of b.\n"

    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        write(workspace.folder, {"articles/b.md": noted})
        await workspace.sync()
        if note.startswith("protect"):
            assert await workspace.titles(Kind.ARTICLE) == ["A", "B"]
            (workspace.folder / "articles/b.md").unlink()
            await workspace.sync()
        assert await workspace.titles(Kind.ARTICLE) == ["A"]

    run_story(story)


def test_an_organizer_with_a_user_is_shown(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        write(workspace.folder, {"organizers/ada.md": "---\nname: Ada\nuser_id: ada@example.com\n---\n"})
        assert (await workspace.sync()).problems == ()
        assert await workspace.titles(Kind.ORGANIZER) == ["Ada"]

    run_story(story)


SAVES = [
    ("articles/b.md", "---\ntitle: Better\n---\n\nText.\n", "/blog/b/"),
    ("articles/a.fr.md", "---\ntitle: Deux\n---\n\nTexte.\n", "/blog/a/?locale=fr"),
    ("pages/about.md", "---\ntitle: Us\n---\n", "/pages/about/"),
    ("listings/all.csv", FILES["listings/all.csv"].replace("Saw", "Saws"), "/listings/saw/"),
    ("categories.yaml", "- slug: tools\n  title: Gear\n", "/categories/tools/"),
    ("organizers/ada.md", "---\nname: Ada\n---\n", "/organizers/ada/"),
    ("tags.yaml", "- slug: new\n  title: New\n", ""),
]


def test_the_summary_names_the_page_of_a_single_write(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        assert (await workspace.sync()).page == ""  # of several there is none
        for path, text, page in SAVES:
            (workspace.folder / path).parent.mkdir(exist_ok=True)
            (workspace.folder / path).write_text(text)
            assert (await workspace.sync()).page == page

    run_story(story)


def test_a_failed_write_is_reported_and_the_next_sync_repeats_it(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        journal_dir = workspace.folder / ".contentsync/dev/journal"
        journal_dir.parent.mkdir(exist_ok=True)
        with suppress(FileExistsError):
            journal_dir.write_text("in the way")
        summary = await workspace.sync()
        assert [problem.code for problem in summary.problems] == ["not-written"]
        journal_dir.unlink()
        assert (await workspace.sync()).problems == ()
        assert await workspace.titles(Kind.ARTICLE) == ["A", "B"]

    run_story(story)


def test_the_address_of_a_merged_category_redirects(run_story: RunStory) -> None:
    async def story(workspace: Workspace) -> None:
        await workspace.sync()
        assert await workspace.location("/categories/tools/") == ""
        write(workspace.folder, {"categories.yaml": "- {slug: kit, title: Kit, sync: {merged: [tools]}}\n"})
        write(workspace.folder, {"listings/all.csv": FILES["listings/all.csv"].replace(",tools", ",kit")})
        await workspace.sync()
        assert (await workspace.location("/categories/tools/")).endswith("/categories/kit/")

    run_story(story)
