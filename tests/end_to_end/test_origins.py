"""Records that another user created: adopted, listed, and deleted only with consent."""

from pathlib import Path

import pytest

from ..content.conftest import write
from ..exit_codes import REFUSED
from ..served import Served
from .conftest import Ran, contentsync

TABLE = "name,url\nOurs,https://ours.example/\n{}"
THEIRS = "Theirs,https://theirs.example/\n"


class Folder:
    def __init__(self, path: Path, served: Served) -> None:
        self._path, self._served = path, served

    def write(self, rows: str) -> None:
        write(self._path, {"listings/all.csv": TABLE.format(rows)})

    def run(self, *words: str) -> Ran:
        return contentsync(words[0], self._path, *words[1:], env=self._served.env)

    def sync(self, *words: str) -> Ran:
        return self.run("sync", "--yes", "--prune", *words)

    @property
    def names_there(self) -> list[str]:
        return sorted(each["name"] for each in self._served.get("projects")["data"])


@pytest.fixture
def folder(tmp_path: Path, served: Served) -> Folder:
    write(tmp_path, {"contentsync.toml": '[site]\nname = "T"\n'})
    return Folder(tmp_path, served)


def test_a_row_that_equals_the_listing_of_another_user_deletes_it_only_with_consent(
    folder: Folder, served: Served
) -> None:
    served.create("projects", {"name": "Theirs", "url": "https://theirs.example/"})
    folder.write(THEIRS)
    plan = folder.run("plan")
    assert '= listing https://theirs.example  "Theirs"  adopt, not created from this folder  created 20' in plan.out
    assert folder.sync().code == 0
    folder.write("")
    refused = folder.sync()
    assert (refused.code, folder.names_there) == (REFUSED, ["Ours", "Theirs"])
    assert "1 listing that this folder adopted, and did not create, would be deleted" in refused.out
    assert folder.sync("--allow-deletes", "1").code == 0
    assert folder.names_there == ["Ours"]


def test_a_listing_that_a_pull_wrote_is_deleted_without_consent(folder: Folder, served: Served, tmp_path: Path) -> None:
    folder.write("")
    assert folder.sync().code == 0
    served.create("projects", {"name": "Theirs", "url": "https://theirs.example/"})
    assert folder.run("pull").code == 0
    assert folder.sync().code == 0
    for table in tmp_path.glob("listings/*"):
        table.unlink()
    folder.write("")
    assert folder.sync().code == 0
    assert folder.names_there == ["Ours"]
