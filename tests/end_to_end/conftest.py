"""The command as users run it."""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from ..in_process import environment, run_command

EXAMPLE = Path(__file__).parent.parent.parent / "content-example"


@dataclass(frozen=True)
class Ran:
    """The exit code and the output of a finished command."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> Any:
        return json.loads(self.out)


def contentsync(*arguments: object, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> Ran:
    """Run the command, with nothing of this machine's CONTENTSYNC_* settings."""
    return Ran(*run_command([*map(str, arguments)], environment(env), cwd))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One page that is right."""
    (tmp_path / "pages").mkdir()
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "pages/about.md").write_text("---\ntitle: About\n---\n", encoding="utf-8")
    return tmp_path


# The target that CONTENTSYNC_URL stands in for: nobody waits a minute in a test.
UNHURRIED = '\n[targets.local]\nurl = "embedded:.contentsync/site.db"\nrequests_per_minute = 60000\n'


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of content-example, which may send as many requests as it likes."""
    folder: Path = shutil.copytree(EXAMPLE, tmp_path / "site", ignore=shutil.ignore_patterns(".contentsync"))
    with (folder / "contentsync.toml").open("a", encoding="utf-8") as config:
        config.write(UNHURRIED)
    return folder
