"""A folder in which everything happens at once, watched: in the end the server is as the folder is (CO-13)."""

import random
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ..served import Served
from ..watch.test_git_activity import git
from .conftest import UNHURRIED
from .watching import until, watch

BURSTS = 8
PAGES = 12
CONFIG = f'[site]\nname = "Site"\n{UNHURRIED}max_deletes = {{ percent = 100, count = 1000 }}\n'


class Author:
    """Does what people, their editors and git do to a folder, in bursts, and does not wait."""

    def __init__(self, site: Path, seed: int) -> None:
        self._pages = site / "pages"
        self._site = site
        self._random = random.Random(seed)
        self._count = 0
        self._branches = ["main", "other"]

    def begin(self) -> None:
        """The pages, on two branches."""
        self._pages.mkdir(parents=True)
        (self._site / "contentsync.toml").write_text(CONFIG, encoding="utf-8")
        (self._site / ".gitignore").write_text(".contentsync\n", encoding="utf-8")
        for _ in range(PAGES):
            self._create()
        git(self._site, "init", "--quiet", "--initial-branch=main")
        self._commit()
        git(self._site, "branch", "other")

    def burst(self) -> None:
        """A few things, one after the other."""
        for _ in range(self._random.randint(1, 6)):
            deeds: list[Callable[[], None]] = [self._create, self._save, self._save_atomically, self._rename]
            deeds += [self._delete, self._save_in_pieces, self._break_and_fix, self._switch]
            self._random.choice(deeds)()

    def on_disk(self) -> dict[str, str]:
        """The titles by slug."""
        return {page.stem: page.read_text(encoding="utf-8").split("\n")[1][7:] for page in self._pages.glob("*.md")}

    def _any(self) -> Path:
        return self._random.choice(sorted(self._pages.glob("*.md")))

    def _text(self) -> str:
        self._count += 1
        return f"---\ntitle: Title {self._count}\n---\nText {self._count}\n"

    def _create(self) -> None:
        (self._pages / f"page-{self._random.randrange(1000)}.md").write_text(self._text(), encoding="utf-8")

    def _save(self) -> None:
        self._any().write_text(self._text(), encoding="utf-8")

    def _save_atomically(self) -> None:
        page = self._any()
        beside = page.with_name(f".{page.name}.new")
        beside.write_text(self._text(), encoding="utf-8")
        beside.replace(page)

    def _save_in_pieces(self) -> None:
        with self._any().open("w", encoding="utf-8") as file:
            for line in self._text().splitlines(keepends=True):
                file.write(line)
                file.flush()
                time.sleep(0.01)

    def _break_and_fix(self) -> None:
        page = self._any()
        page.write_text("---\ntitle: [\n", encoding="utf-8")
        time.sleep(self._random.choice((0, 0.15)))
        page.write_text(self._text(), encoding="utf-8")

    def _rename(self) -> None:
        self._any().rename(self._pages / f"page-{self._random.randrange(1000)}.md")

    def _delete(self) -> None:
        if len(list(self._pages.glob("*.md"))) > PAGES // 2:
            self._any().unlink()

    def _switch(self) -> None:
        self._commit()
        self._branches.reverse()
        git(self._site, "switch", "--quiet", self._branches[0])

    def _commit(self) -> None:
        git(self._site, "add", "--all")
        git(self._site, "commit", "--quiet", "--allow-empty", "--message=work")


@pytest.mark.parametrize("prune", [True, False], ids=["CO-13 with prune", "CO-13 without"])
def test_the_server_matches_the_folder_after_bursts_of_edits(tmp_path: Path, served: Served, prune: bool) -> None:
    author = Author(tmp_path / "site", seed=13)
    author.begin()

    def on_server() -> dict[str, str]:
        return {page["slug"]: page["title"] for page in served.get("pages?per_page=100")["data"]}

    with watch(tmp_path / "site", served.env, *(["--prune"] if prune else [])) as watching:
        watching.line(1)
        for _ in range(BURSTS):
            author.burst()
            time.sleep(0.05)
        disk = author.on_disk()
        if prune:
            until(lambda: on_server() == disk, lambda: f"{watching.lines}\n{watching.stderr_text}")
        else:
            until(lambda: on_server().items() >= disk.items(), lambda: f"{watching.lines}\n{watching.stderr_text}")
            assert not [request for request in served.recorder.writes if request[0] == "DELETE"]
            assert on_server().keys() > disk.keys()
