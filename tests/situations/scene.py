"""A small directory that has been synced, and what people do to its folder and to its server."""

import csv
import io
import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..end_to_end.conftest import contentsync
from ..hooks.repositories import Tree
from ..served import Served

TARGET = "live"
LISTINGS, PAGES = 40, 12
COLUMNS = ("name", "slug", "url", "description", "tags", "is_active", "starts_at")
TABLE = "listings/tools.csv"
_WORDS = "saw plane lathe chisel vise clamp drill bench rasp gauge mallet awl brace spade tongs anvil".split()  # noqa: SIM905

Row = dict[str, str]


@dataclass(frozen=True)
class Scene:
    """The author's working tree, whose files were synced, and the server.

    Of the 40 listings six are inactive and six begin in the far future; of the 12 pages five are not published.
    """

    tree: Tree
    served: Served
    theirs: list[tuple[str, str]] = field(default_factory=list)  # the writes of other users
    seconds: float = 0.0  # between two files

    @classmethod
    def new(cls, home: Path, served: Served) -> "Scene":
        """Write the files, and commit them."""
        Tree.new(home / "clone")
        scene = cls.at(home, served)
        scene.write(
            "contentsync.toml",
            f'[targets.{TARGET}]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n'
            "prune = true\nrequests_per_minute = 60000\n",
        )
        scene.write(".gitignore", ".contentsync/\n")
        scene.write("tags.yaml", "- title: Wood\n- title: Metal\n")
        scene.write_rows([_row(number) for number in range(LISTINGS)])
        for number in range(PAGES):
            scene.write_page(number, f"Page {number}", is_published=number < PAGES - 5)
        scene.commit("Start")
        return scene

    @classmethod
    def at(cls, home: Path, served: Served) -> "Scene":
        """Return the scene whose files are there."""
        return cls(Tree(home / "clone"), served)

    @property
    def path(self) -> Path:
        """The content folder."""
        return self.tree.path

    @property
    def state(self) -> Path:
        """The file of what was synced last from here."""
        return self.path / f".contentsync/state/{TARGET}.jsonl"

    def colleague(self) -> "Scene":
        """Return the scene as a colleague sees it, in a clone with a copy of the state."""
        clone = self.path.parent / "colleague"
        self.tree.git("clone", "--quiet", str(self.path), str(clone))
        shutil.copytree(self.path / ".contentsync", clone / ".contentsync")
        return Scene(Tree(clone), self.served, self.theirs)

    def sync(self) -> None:
        """Deploy the files from this clone; what that writes is not counted as ours."""
        before = Counter(self.served.recorder.writes)
        ran = contentsync("sync", self.path, "--yes", "--allow-deletes", "2", env=self.served.env)
        assert ran.code == 0, ran
        self.theirs.extend((Counter(self.served.recorder.writes) - before).elements())

    def pause(self) -> None:
        """Wait as long as a slow program between two files."""
        time.sleep(self.seconds)

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        self.tree.write(path, text)

    def delete(self, *paths: str) -> None:
        """Delete files."""
        for path in paths:
            (self.path / path).unlink()

    def commit(self, message: str) -> None:
        """Commit all files."""
        self.tree.git("add", "--all", ".")
        self.tree.git("commit", "--quiet", "--allow-empty", "--message", message)

    def rows(self) -> list[Row]:
        """Return the rows of the table of listings."""
        return list(csv.DictReader(io.StringIO((self.path / TABLE).read_text(encoding="utf-8"))))

    def write_rows(self, rows: Iterable[Row], columns: Iterable[str] = COLUMNS) -> None:
        """Write the table, with these columns."""
        text = io.StringIO()
        table = csv.DictWriter(text, [*columns], extrasaction="ignore", lineterminator="\n")
        table.writeheader()
        table.writerows(rows)
        self.write(TABLE, text.getvalue())

    def edit_rows(self, edit: Callable[[int, Row], Row]) -> None:
        """Change each row, whose number is counted from 0, by the values that `edit` returns."""
        self.write_rows([{**row, **edit(number, row)} for number, row in enumerate(self.rows())])

    def sort_column(self, column: str) -> None:
        """Sort the values of one column, and leave the other columns as they are."""
        values = sorted(row[column] for row in self.rows())
        self.edit_rows(lambda number, _row: {column: values[number]})

    def drop_column(self, column: str) -> None:
        """Delete a column of the table."""
        self.write_rows(self.rows(), [name for name in COLUMNS if name != column])

    def write_page(self, number: int, title: str, *, is_published: bool | None = True, slug: str = "") -> None:
        """Write the file of a page; None: it does not say whether it is published."""
        published = "" if is_published is None else f"is_published: {str(is_published).lower()}\n"
        text = f"---\ntitle: {title}\nslug: {slug or f'p{number}'}\n{published}---\n\nAbout the {_words(number)}.\n"
        self.write(f"pages/p{number}.md", text)

    def record(self, path: str, slug: str) -> Any:
        """Return the record of a slug as the server has it."""
        (record,) = (each for each in self.served.get(f"{path}?per_page=100")["data"] if each["slug"] == slug)
        return record

    def edit_there(self, path: str, old_slug: str, **fields: object) -> None:
        """Change a record in the dashboard."""
        record = self.record(path, old_slug)
        kept = {name: record[name] for name in ("name", "title", "url", "slug") if name in record}
        self.served.update(self._recorded("PUT", f"{path}/{record['id']}"), {**kept, **fields})

    def create_there(self, path: str, **fields: object) -> None:
        """Create a record in the dashboard."""
        self.served.create(self._recorded("POST", path), fields)

    def delete_there(self, path: str, *slugs: str) -> None:
        """Delete records in the dashboard."""
        for slug in slugs:
            self.served.delete(self._recorded("DELETE", f"{path}/{self.record(path, slug)['id']}"))

    @property
    def our_writes(self) -> list[tuple[str, str]]:
        """Return the requests that changed something, without those of the dashboard."""
        writes = Counter(self.served.recorder.writes)
        return [*(writes - Counter(self.theirs)).elements()]

    def _recorded(self, method: str, path: str) -> str:
        self.theirs.append((method, f"/api/directories/{self.served.directory}/{path}"))
        return path


def _row(number: int) -> Row:
    hidden, later = number >= LISTINGS - 6, LISTINGS - 12 <= number < LISTINGS - 6
    return {
        "name": f"{_WORDS[number % 16].title()} {number}",
        "slug": f"tool-{(number * 7) % LISTINGS:02}",
        "url": f"http://tool-{(number * 11) % LISTINGS:02}.example.org/",
        "description": f"A {_words(number)} für Straße {number}.",
        "tags": "Wood" if number % 2 else "Metal",
        "is_active": str(not hidden).lower(),
        "starts_at": "2099-01-01T00:00:00Z" if later else "",
    }


def _words(number: int) -> str:
    return f"{_WORDS[(number * 5) % 16]} and {_WORDS[(number * 3 + 1) % 16]} number {number}"
