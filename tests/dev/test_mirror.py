"""contentsync.dev.mirror: whatever becomes of the folder, the directory is what it says."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path

import httpx
import pytest

from contentsync.cli.targets import settings_of, within
from contentsync.content.load import load
from contentsync.content.unit_cache import InMemoryCache
from contentsync.dev.database import opened, place_in
from contentsync.dev.mirror import FEW, Mirror
from contentsync.dev.news import News
from contentsync.model import Kind
from contentsync.server.embedded import Embedded

from ..content.conftest import write

FILES = {
    "categories.yaml": "- slug: tools\n  title: Tools\n",
    "listings/all.csv": "name,url,categories\nSaw,https://saw.example,tools\nAxe,https://axe.example,tools\n",
    "articles/a.md": "---\ntitle: A\n---\n\nText of a.\n",
    "articles/a.fr.md": "---\ntitle: Un\n---\n\nTexte.\n",
    "articles/b.md": "---\ntitle: B\n---\n\nText of b.\n",
    "pages/about.md": "---\ntitle: About\n---\n",
}


class Desk:
    """A folder, and the directory that mirrors it."""

    def __init__(self, folder: Path, embedded: Embedded, mirror: Mirror) -> None:
        self.folder = folder
        self._embedded = embedded
        self._mirror = mirror

    async def look(self) -> News:
        return await self._mirror.show(self._mirror.read())

    async def titles(self, kind: Kind, locale: str = "en") -> list[str]:
        transport = httpx.ASGITransport(app=self._embedded.app)
        async with httpx.AsyncClient(transport=transport, base_url="http://embedded") as client:
            path = f"/api/directories/{self._embedded.directory_id}/{kind.collection}?locale={locale}"
            records = (await client.get(path)).json()["data"]
        return sorted(record.get("title") or record["name"] for record in records)

    @property
    def left_behind(self) -> list[str]:
        return sorted(file.name for file in (self.folder / ".contentsync/dev").rglob("*.jsonl"))


Use = Callable[[Callable[[Desk], Awaitable[None]]], None]


@pytest.fixture
def use(tmp_path: Path) -> Use:
    """Run a story at a desk; each time as the command does when it is started."""
    folder = write(tmp_path, FILES)
    place = place_in(folder)

    async def used(story: Callable[[Desk], Awaitable[None]]) -> None:
        embedded = opened(place, settings_of(load(folder).config.site), "http://127.0.0.1:8300")
        async with within(embedded) as remote:
            mirror = Mirror(folder, remote, place, InMemoryCache(), lambda site: embedded.settle(**settings_of(site)))
            await story(Desk(folder, embedded, mirror))

    return lambda story: asyncio.run(used(story))


def test_the_first_look_writes_all_and_the_next_one_nothing(use: Use) -> None:
    async def story(desk: Desk) -> None:
        assert (await desk.look()).writes == 6
        assert await desk.titles(Kind.ARTICLE) == ["A", "B"]
        assert await desk.titles(Kind.ARTICLE, "fr") == ["B", "Un"]
        assert await desk.look() == News()
        assert desk.left_behind == []

    use(story)


def test_started_again_it_finds_that_nothing_has_changed(use: Use) -> None:
    async def first(desk: Desk) -> None:
        await desk.look()

    async def second(desk: Desk) -> None:
        assert await desk.look() == News()

    use(first)
    use(second)


def test_what_was_changed_while_it_was_not_running_follows_with_deletes_and_renames(use: Use) -> None:
    async def first(desk: Desk) -> None:
        await desk.look()
        (desk.folder / "articles/b.md").rename(desk.folder / "articles/c.md")
        (desk.folder / "pages/about.md").unlink()
        write(desk.folder, {"articles/a.md": "---\ntitle: Anew\n---\n\nText.\n"})

    async def second(desk: Desk) -> None:
        await desk.look()
        assert await desk.titles(Kind.ARTICLE) == ["Anew", "B"]
        assert await desk.titles(Kind.PAGE) == []

    use(first)
    use(second)


def test_a_rename_keeps_the_record_and_a_delete_takes_it(use: Use) -> None:
    async def story(desk: Desk) -> None:
        await desk.look()
        (desk.folder / "articles/b.md").rename(desk.folder / "articles/c.md")
        assert (await desk.look()).writes == 1
        (desk.folder / "articles/c.md").unlink()
        assert (await desk.look()).writes == 1
        assert await desk.titles(Kind.ARTICLE) == ["A"]

    use(story)


def test_no_gate_holds_up_that_the_last_entry_of_each_kind_goes(use: Use) -> None:
    async def story(desk: Desk) -> None:
        await desk.look()
        for path in FILES:
            (desk.folder / path).unlink()
        assert (await desk.look()).problems == ()
        assert [await desk.titles(kind) for kind in Kind if kind is not Kind.CUSTOM_FIELD] == [[]] * 6

    use(story)


def test_more_changes_than_are_planned_for_alone_are_all_shown(use: Use) -> None:
    async def story(desk: Desk) -> None:
        await desk.look()
        write(
            desk.folder,
            {f"articles/n{number}.md": f"---\ntitle: N{number}\n---\n\nText.\n" for number in range(FEW + 5)},
        )
        assert (await desk.look()).writes == FEW + 5
        for number in range(FEW + 5):
            (desk.folder / f"articles/n{number}.md").unlink()
        assert (await desk.look()).writes == FEW + 5
        assert await desk.titles(Kind.ARTICLE) == ["A", "B"]

    use(story)


def test_a_renamed_category_takes_its_listings_along(use: Use) -> None:
    async def story(desk: Desk) -> None:
        await desk.look()
        table = FILES["listings/all.csv"].replace("tools", "gear")
        write(desk.folder, {"categories.yaml": "- slug: gear\n  title: Gear\n", "listings/all.csv": table})
        assert (await desk.look()).problems == ()
        assert await desk.titles(Kind.CATEGORY) == ["Gear"]
        assert await desk.look() == News()

    use(story)


def test_a_mistake_leaves_the_directory_as_it_was_until_it_is_mended(use: Use) -> None:
    async def story(desk: Desk) -> None:
        await desk.look()
        write(
            desk.folder,
            {"articles/a.md": "---\ntitel: A\n---\n", "articles/b.md": "---\ntitle: Better\n---\n\nText.\n"},
        )
        news = await desk.look()
        assert (news.errors, news.writes, news.changed) == (len(news.problems), 0, False)
        assert await desk.titles(Kind.ARTICLE) == ["A", "B"]
        write(desk.folder, {"articles/a.md": "---\ntitle: Another\n---\n\nText.\n"})
        assert (await desk.look()).errors == 0
        assert await desk.titles(Kind.ARTICLE) == ["Another", "Better"]

    use(story)


def test_a_new_name_of_the_site_is_a_change_though_no_entry_is_written(use: Use) -> None:
    async def story(desk: Desk) -> None:
        await desk.look()
        write(desk.folder, {"contentsync.toml": '[site]\nname = "New"\nlocales = ["en", "fr", "de"]\n'})
        news = await desk.look()
        assert (news.changed, news.writes) == (True, 0)

    use(story)


@pytest.mark.parametrize("note", ["skip: true", "protect: true"])
def test_what_is_shown_depends_on_the_folder_and_not_on_what_was_shown_before(use: Use, note: str) -> None:
    noted = f"---\ntitle: B\nsync:\n  {note}\n---\n\nText of b.\n"

    async def story(desk: Desk) -> None:
        await desk.look()
        write(desk.folder, {"articles/b.md": noted})
        await desk.look()
        if note.startswith("protect"):
            assert await desk.titles(Kind.ARTICLE) == ["A", "B"]
            (desk.folder / "articles/b.md").unlink()
            await desk.look()
        assert await desk.titles(Kind.ARTICLE) == ["A"]

    use(story)


def test_an_organizer_is_shown_whoever_manages_it_elsewhere(use: Use) -> None:
    async def story(desk: Desk) -> None:
        write(desk.folder, {"organizers/ada.md": "---\nname: Ada\nuser_id: ada@example.com\n---\n"})
        assert (await desk.look()).problems == ()
        assert await desk.titles(Kind.ORGANIZER) == ["Ada"]

    use(story)


SAVES = [
    ("articles/b.md", "---\ntitle: Better\n---\n\nText.\n", "/blog/b/"),
    ("articles/a.fr.md", "---\ntitle: Deux\n---\n\nTexte.\n", "/blog/a/?locale=fr"),
    ("pages/about.md", "---\ntitle: Us\n---\n", "/pages/about/"),
    ("listings/all.csv", FILES["listings/all.csv"].replace("Saw", "Saws"), "/listings/saw/"),
    ("categories.yaml", "- slug: tools\n  title: Gear\n", "/categories/tools/"),
    ("organizers/ada.md", "---\nname: Ada\n---\n", "/organizers/ada/"),
    ("tags.yaml", "- slug: new\n  title: New\n", ""),
]


def test_the_page_of_the_one_entry_that_was_written_is_told(use: Use) -> None:
    async def story(desk: Desk) -> None:
        assert (await desk.look()).page == ""  # of several there is none
        for path, text, page in SAVES:
            (desk.folder / path).parent.mkdir(exist_ok=True)
            (desk.folder / path).write_text(text)
            assert (await desk.look()).page == page

    use(story)


def test_a_database_that_fails_is_told_and_the_next_look_makes_up_for_it(use: Use) -> None:
    async def story(desk: Desk) -> None:
        journals = desk.folder / ".contentsync/dev/journal"
        journals.parent.mkdir(exist_ok=True)
        with suppress(FileExistsError):
            journals.write_text("in the way")
        news = await desk.look()
        assert [problem.code for problem in news.problems] == ["not-written"]
        journals.unlink()
        assert (await desk.look()).problems == ()
        assert await desk.titles(Kind.ARTICLE) == ["A", "B"]

    use(story)
