"""A folder with a site of its own, changed as people change it, and the commands as they are typed."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from contentsync.cli import run

from ...exit_codes import REFUSED


@dataclass(frozen=True)
class TypedSite:
    """A content folder and its embedded site."""

    folder: Path
    read_output: Callable[[], tuple[str, str]]

    def write(self, path: str, text: str) -> None:
        """Write a file of the folder."""
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def write_rows(self, columns: str, rows: Iterable[str]) -> None:
        """Write the table of listings."""
        self.write("listings/all.csv", "".join(f"{line}\n" for line in (columns, *rows)))

    def move(self, old: str, new: str) -> None:
        """Rename a file, as `contentsync mv` does."""
        assert run(["mv", str(self.folder / old), str(self.folder / new), str(self.folder), "--yes"]) == 0
        self.read_output()

    def run(self, command: str, *options: object) -> tuple[int, Any]:
        """Run a command; return its exit code and its JSON document."""
        code = run([command, str(self.folder), "--format", "json", *map(str, options)])
        out, err = self.read_output()
        assert out, err
        return code, json.loads(out)

    def sync(self, *options: object) -> None:
        """Sync without a refusal."""
        code, document = self.run("sync", "--yes", *options)
        assert code == 0, document

    def refusals(self, *options: object) -> list[tuple[str, str]]:
        """Return the code and the option of each refusal of the plan."""
        code, document = self.run("plan", *options)
        refused = [(refusal["code"], refusal["flag"]) for refusal in document["refused"]]
        assert code == (REFUSED if refused else 0), document
        return refused

    def messages(self, *options: object) -> list[str]:
        """Return the message of each refusal of the plan."""
        return [refusal["message"] for refusal in self.run("plan", *options)[1]["refused"]]


@pytest.fixture
def typed_site(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> TypedSite:
    site = TypedSite(tmp_path / "site", lambda: (lambda read: (read.out, read.err))(capsys.readouterr()))
    site.write("contentsync.toml", '[site]\nname = "Tools"\n')
    return site
