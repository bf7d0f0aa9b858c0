"""contentsync.sync.planning.confirmed_files: a wrong index, with a valid seal, causes no change on a real server."""

import json
import shutil
import zlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.files.index_file import open_index, replacing_index
from contentsync.content.folder.confirmation import IndexDiffers, confirm_entries
from contentsync.content.folder.index_use import WHOLE_INDEX
from contentsync.content.folder.load import Content, load_content
from contentsync.content.pictures.published_names import PublishedFile, published_name
from contentsync.model import Entry, Kind, Source
from contentsync.sync.planning.confirmed_files import confirm_plan
from contentsync.sync.planning.plan import Plan

from ..exit_codes import REFUSED
from ..indexed import store_index
from ..sampling import sampled
from ..served import Served
from .conftest import Ran, contentsync

MARGIN = -(10**15)  # nanoseconds: no file is too new
FILES = {
    "pages/about.md": "---\ntitle: About\norder: 1\n---\n\nText.\n",
    "pages/team.md": "---\ntitle: Team\norder: 2\n---\n\nText.\n",
    "articles/news.md": "---\ntitle: News\npublished_at: 2026-01-01\n---\n\nText.\n",
}


@dataclass(frozen=True)
class Site:
    """A folder whose index has all of its files, and its directory on the server."""

    folder: Path
    served: Served

    def write(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def run(self, command: str, *words: str) -> Ran:
        return contentsync(command, self.folder, *words, env=self.served.env)

    def store(self) -> None:
        """Write the index of all files."""
        store_index(self.folder, MARGIN)
        assert len(load_content(self.folder, index=WHOLE_INDEX).from_index) == len(FILES)

    def forge(self, path: str, result: object, values: object) -> None:
        """Change what the index has of a file; the seal stays valid."""
        with replacing_index(self.folder, open_index(self.folder)) as index:
            (id_,) = index.execute("SELECT id FROM units WHERE name = ?", (path,)).fetchone()
            for table, column, value in (("units", "result", [result, None]), ("unit_values", "data", values)):
                data = json.dumps(value).encode()
                row = (data, zlib.crc32(data), id_)
                index.execute(f"UPDATE {table} SET {column} = ?, checksum = ? WHERE id = ?", row)

    def pages(self) -> dict[str, Any]:
        """Return the titles of the pages on the server, by slug."""
        return {page["slug"]: page["title"] for page in self.served.get("pages")["data"]}

    def page_ids(self) -> dict[str, int]:
        """Return the ids of the pages on the server, by slug."""
        return {page["slug"]: page["id"] for page in self.served.get("pages")["data"]}

    def entry(self, key: str) -> dict[str, Any]:
        """Return the values of a page of the folder."""
        return dict(next(entry.fields for entry in load_content(self.folder).entries if entry.key == key))


@pytest.fixture
def site(tmp_path: Path, served: Served) -> Site:
    """Return a site that is synced."""
    site = Site(tmp_path, served)
    config = f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n'
    site.write("contentsync.toml", config + "requests_per_minute = 60000\nprune = true\n")
    for path, text in FILES.items():
        site.write(path, text)
    assert site.run("sync", "--yes").code == 0
    site.store()
    served.recorder.requests.clear()
    return site


def another_value(site: Site) -> None:
    site.forge("pages/about.md", "about", [[1, {**site.entry("about"), "title": "Forged"}]])


def no_entry(site: Site) -> None:
    site.forge("pages/about.md", [[], [], False], [])


def another_key(site: Site) -> None:
    site.forge("pages/about.md", "forged", [[1, {**site.entry("about"), "slug": "forged"}]])


def former_key(site: Site) -> None:
    """The page is about to get the key of another one, which becomes its former key."""
    record = ["forged", 1, [], None, [], [], [], None, [False, False, ["about"]]]
    site.forge("pages/about.md", [[record], [], False], [[1, {**site.entry("about"), "slug": "forged"}]])


FORGERIES = [another_value, no_entry, another_key, former_key]


@pytest.mark.parametrize("forge", FORGERIES)
def test_a_forged_entry_changes_nothing_on_the_server(site: Site, forge: Callable[[Site], None]) -> None:
    forge(site)
    assert json.loads(site.run("plan", "--format", "json").out)["summary"]["unchanged"] == len(FILES) - 1
    synced = site.run("sync", "--yes", "--allow-deletes", "1")
    assert synced.code == 0, synced.err
    assert site.served.recorder.writes == []
    assert site.pages() == {"about": "About", "team": "Team"}
    assert site.run("plan", "--detailed-exitcode").code == 0  # the index was deleted


@pytest.mark.parametrize("forge", FORGERIES)
def test_the_right_changes_are_written_beside_a_forged_entry(site: Site, forge: Callable[[Site], None]) -> None:
    forge(site)
    site.write("pages/team.md", FILES["pages/team.md"].replace("Team", "Our team"))
    synced = site.run("sync", "--yes", "--allow-deletes", "1", "--format", "json")
    assert synced.code == 0, synced.err
    assert [(each["action"], each["key"]) for each in synced.document["results"]] == [("update", "team")]
    assert site.pages() == {"about": "About", "team": "Our team"}


def test_a_forged_entry_is_created_as_the_file_has_it(site: Site) -> None:
    another_value(site)
    site.served.delete(f"pages/{site.page_ids()['about']}")
    synced = site.run("sync", "--yes", "--allow-recreate", "1")
    assert synced.code == 0, synced.err
    assert site.pages() == {"about": "About", "team": "Team"}


def test_a_page_that_the_index_lacks_keeps_its_record(site: Site) -> None:
    """The other page of the kind is really deleted."""
    no_entry(site)
    (site.folder / "pages/team.md").unlink()
    synced = site.run("sync", "--yes", "--allow-deletes", "2")
    assert synced.code == REFUSED  # the consent is for two deletes
    synced = site.run("sync", "--yes", "--allow-deletes", "1")
    assert synced.code == 0, synced.err
    assert site.pages() == {"about": "About"}


def test_a_page_that_the_index_lacks_gives_its_record_to_no_other_page(site: Site) -> None:
    """The new page names its key as a former one, as a renamed page does."""
    no_entry(site)
    site.write("pages/new.md", "---\ntitle: New\nsync: {previous: [about]}\n---\n\nText.\n")
    record = site.page_ids()["about"]
    assert json.loads(site.run("plan", "--format", "json").out)["summary"]["update"] == 1
    site.run("sync", "--yes")
    assert site.served.get(f"pages/{record}")["data"]["slug"] == "about"


def test_a_pull_does_not_overwrite_a_change_that_the_index_lacks(site: Site) -> None:
    values = [[1, site.entry("about")]]
    changed = FILES["pages/about.md"].replace("order: 1", "order: 5")
    site.write("pages/about.md", changed)
    site.store()
    site.forge("pages/about.md", "about", values)
    site.served.update(f"pages/{site.page_ids()['about']}", {"order": 9})
    pulled = site.run("pull")
    assert pulled.code == REFUSED
    assert "changed here and on the server: left alone" in pulled.err
    assert (site.folder / "pages/about.md").read_text() == changed


def files_of(folder: Path) -> dict[str, bytes]:
    files = (file for file in folder.rglob("*.*") if file.is_file() and ".contentsync" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}


EDITS = [
    ("set", "page", "--where", "title = Forged", "order=5"),
    ("set", "page", "--where", "order < 9", "order=5"),
    ("set", "page", "--where", "title != About", "order=5"),
    ("mv", "pages/about.md", "pages/us.md"),
    ("mv", "page/team", "us"),
    ("links", "--no-check", "--fix"),
]


# The sample has each edit and each forgery.
@pytest.mark.parametrize(("words", "forge"), sampled(product(EDITS, FORGERIES), every=3))
def test_an_edit_writes_what_it_would_write_without_the_index(
    site: Site, words: tuple[str, ...], forge: Callable[[Site], None], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Except that it leaves a page alone that the index lacks: the next command edits it."""
    copy, before = Path(shutil.copytree(site.folder, tmp_path_factory.mktemp("copy") / "site")), files_of(site.folder)
    without = contentsync(*words, copy, "--yes", "--no-index", env=site.served.env)
    forge(site)
    ran = contentsync(*words, site.folder, "--yes", env=site.served.env)
    written, expected = files_of(site.folder), files_of(copy)
    if forge is no_entry:
        assert all(written.get(path) in (before.get(path), expected.get(path)) for path in before | expected)
    else:
        assert (ran.code, ran.out.replace(str(site.folder), "")) == (without.code, without.out.replace(str(copy), ""))
        assert written == expected


@pytest.mark.parametrize("command", [("sync", "--yes"), ("pull",)], ids=" ".join)
def test_the_state_forgets_no_page_that_only_the_index_lacks(site: Site, command: tuple[str, ...]) -> None:
    """Another user has deleted the page on the server: if the state forgot it, the next sync would create it again."""
    site.served.delete(f"pages/{site.page_ids()['about']}")
    no_entry(site)
    for words in (command, ("sync", "--yes")):
        assert "page about  deleted" in site.run(*words).out
    assert site.pages() == {"team": "Team"}


@pytest.mark.parametrize("command", [("sync", "--yes"), ("pull",)], ids=" ".join)
def test_an_edit_on_the_server_that_only_the_index_has_too_is_drift(site: Site, command: tuple[str, ...]) -> None:
    """If the base took the value as applied, the next sync would overwrite the edit of the other user."""
    site.served.update(f"pages/{site.page_ids()['about']}", {"title": "Theirs", "slug": "about"})
    site.forge("pages/about.md", "about", [[1, {**site.entry("about"), "title": "Theirs"}]])
    site.run(*command)
    site.run("sync", "--yes", "--no-index")
    assert site.pages()["about"] == "Theirs"
    assert ("title: Theirs" in (site.folder / "pages/about.md").read_text()) == (command[0] == "pull")


def test_a_pull_records_no_value_that_only_the_index_has(site: Site) -> None:
    """The edit of the first page is undone, and both are pulled from the files."""
    site.served.update(f"pages/{site.page_ids()['about']}", {"title": "Theirs", "slug": "about"})
    site.served.update(f"pages/{site.page_ids()['team']}", {"title": "Team", "slug": "team", "order": 7})
    site.forge("pages/about.md", "about", [[1, {**site.entry("about"), "title": "Theirs"}]])
    pulled = site.run("pull")
    assert (pulled.code, "2 changed ones pulled" in pulled.out) == (0, True), pulled.err
    assert (site.entry("about")["title"], site.entry("team")["order"]) == ("Theirs", 7)
    assert site.run("plan", "--detailed-exitcode").code == 0


def test_no_index_reads_every_file(site: Site) -> None:
    no_entry(site)
    for command in ("plan", "status", "validate"):
        taken, read = (site.run(command, "--format", "json", *words).document for words in ((), ("--no-index",)))
        assert (command, taken) != (command, read)
    logged = [contentsync("log", "page/about", site.folder, *words).out for words in ((), ("--no-index",))]
    assert logged[0] != logged[1]
    assert site.run("plan", "--no-index", "--detailed-exitcode").code == 0


def test_only_files_of_the_index_are_read_again(site: Site) -> None:
    """The files that this run has read are gone, and the plan is as good as before."""
    read, taken = load_content(site.folder), load_content(site.folder, index=WHOLE_INDEX)
    keys, kinds = {(entry.kind, entry.key) for entry in read.entries}, {entry.kind for entry in read.entries}
    confirm_entries(taken, keys, kinds)
    for path in FILES:
        (site.folder / path).unlink()
    confirm_entries(read, keys, kinds)
    confirm_entries(taken, (), ())
    with pytest.raises(IndexDiffers):
        confirm_entries(taken, keys, ())
    assert open_index(site.folder) is None


def test_an_entry_that_its_file_skips_is_not_created(site: Site) -> None:
    """The forged entry has the values of the file, but not its setting."""
    site.write("pages/about.md", FILES["pages/about.md"].replace("order: 1", "order: 1\nsync: {skip: true}"))
    site.store()
    site.forge("pages/about.md", "about", [[1, site.entry("about")]])
    with pytest.raises(IndexDiffers):
        confirm_entries(load_content(site.folder, index=WHOLE_INDEX), {(Kind.PAGE, "about")}, ())


def test_an_entry_whose_file_cannot_be_parsed_is_not_deleted(site: Site) -> None:
    """The index has neither the entry nor the error."""
    site.write("pages/about.md", "---\ntitle: [\n---\n")
    site.store()
    no_entry(site)
    with pytest.raises(IndexDiffers):
        confirm_entries(load_content(site.folder, index=WHOLE_INDEX), (), {Kind.PAGE})


def test_a_file_that_only_a_forged_entry_names_is_not_uploaded(site: Site) -> None:
    """The plan need not change the entry: the server may have the same forged text."""
    config, store_url = (site.folder / "contentsync.toml").read_text(), "https://cdn.example.org/"
    site.write("contentsync.toml", f'{config}[assets]\nstore = "s3://bucket"\nstore_url = "{store_url}"\n')
    site.store()
    name = published_name("secret.png", "0" * 64)
    site.forge("pages/about.md", "about", [[1, {**site.entry("about"), "content": f"{store_url}{name}"}]])
    plan = Plan((), (), {}, (), uploads=(PublishedFile(name, "secret.png", "secret.png", 1),))
    with pytest.raises(IndexDiffers):
        confirm_plan(load_content(site.folder, index=WHOLE_INDEX), plan)


def in_another_file(entry: Entry) -> Entry:
    return replace(entry, source=Source("pages/other.md"))


@pytest.mark.parametrize(
    "change",
    [
        lambda content: {"entries": tuple(replace(entry, key="other") for entry in content.entries)},
        lambda content: {"entries": tuple(map(in_another_file, content.entries))},
        lambda content: {"config": replace(content.config, replacements=("other",))},
        lambda content: {"published": {"a.png": PublishedFile("a.png", "a.png", "a.png", 1)}},
    ],
    ids=["key", "file", "config", "published file"],
)
def test_all_that_a_plan_is_made_from_is_confirmed(tmp_path: Path, change: Callable[[Content], dict[str, Any]]) -> None:
    (tmp_path / "pages").mkdir()
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "pages/about.md").write_text(FILES["pages/about.md"], encoding="utf-8")
    store_index(tmp_path, MARGIN)
    content = load_content(tmp_path, index=WHOLE_INDEX)
    assert content.from_index
    confirm_entries(content, (), [Kind.PAGE])
    other = replace(content, **change(content))
    confirm_entries(other, (), [Kind.ARTICLE])  # of which the index has none
    with pytest.raises(IndexDiffers):
        confirm_entries(other, (), [Kind.PAGE])
