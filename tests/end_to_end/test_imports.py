"""What a command must not import: most of the time of a short command is spent on imports."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from ..in_process import environment
from ..served import Served
from .conftest import contentsync

SETTLED = 3.2  # seconds after which a file is old enough to be recognised by its stamp (decision 37)
DATABASES = {"sqlalchemy", "alembic", "psycopg"}
PAGES = {"markdown_it", "nh3", "jinja2", "pygments"}  # what pages of the site, and bodies with links, need
NETWORK = {"httpx", "ssl", "asyncio", "filelock", "contentsync.remote", "contentsync.sync"}
SERVER = {"starlette", "contentsync.server"}
READERS = {"contentsync.content.folder.folder_reader", "contentsync.content.folder.entry_reader", "sqlite3"}
WRITERS = {"tomlkit", "contentsync.sync.applying", "contentsync.sync.undo", "contentsync.sync.history.entry_commits"}
FORMATS = {"yaml", "frontmatter", "contentsync.content.formats.front_matter", "contentsync.sync.state.git_revision"}
TERMINAL = {"rich.progress", "rich.status"}
OTHERS = {
    *("contentsync.cli.sync_command", "contentsync.report.status_report"),
    "contentsync.server.api.openapi.openapi_document",
}


def imported(*words: object, env: Mapping[str, str]) -> set[str]:
    """Return the names of the modules that a run has imported."""
    code = (
        "import sys; from contentsync.cli import run; code = run(sys.argv[1:]); print(*sys.modules, file=sys.stderr); "
        "sys.exit(code)"
    )
    command = [sys.executable, "-c", code, *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment(env), check=True)
    return {*done.stderr.splitlines()[-1].split()}


def test_the_help_of_a_command_imports_only_this_command() -> None:
    modules = imported("status", "--help", env={})
    assert [name for name in modules if name.endswith("_command")] == ["contentsync.cli.status_command"]
    assert not {"pydantic", "rich", *FORMATS, *NETWORK, *SERVER, *READERS} & modules


def change_a_file(folder: Path) -> None:
    os.utime(folder / "pages/about.md")


def remove_the_new_page(folder: Path) -> None:
    (folder / "pages/new.md").unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("before", "words", "others"),
    [
        (change_a_file, ["validate"], {"rich"}),
        (remove_the_new_page, ["new", "page", "new"], {"rich"}),
    ],
)
def test_a_command_without_a_target_imports_no_client_and_no_server(
    folder: Path, before: Callable[[Path], None], words: list[str], others: set[str]
) -> None:
    contentsync("validate", folder)
    before(folder)
    modules = imported(*words, folder, env={})
    assert not (DATABASES | PAGES | NETWORK | SERVER | WRITERS | others) & modules


def test_a_plan_of_unchanged_files_on_an_embedded_target_imports_only_what_compares(example: Path) -> None:
    """docs/decisions/0034-sql-is-text.md"""
    contentsync("sync", "--yes", example)
    time.sleep(SETTLED)
    contentsync("plan", example)
    modules = imported("plan", example, env={})
    assert modules >= SERVER
    unused = DATABASES | PAGES | WRITERS | FORMATS | TERMINAL | OTHERS | {"httpx", "filelock"}
    assert not unused & modules


def test_a_plan_towards_a_remote_target_does_not_import_the_server(example: Path, served: Served) -> None:
    modules = imported("plan", example, env=served.env)
    assert "contentsync.sync.planning.plan_builder" in modules
    assert not (DATABASES | SERVER) & modules


def test_a_recalled_plan_imports_neither_server_nor_comparison(folder: Path, served: Served) -> None:
    """docs/decisions/0018-an-empty-plan-is-recalled.md"""
    assert contentsync("sync", "--yes", folder, env=served.env).code == 0
    time.sleep(SETTLED)
    contentsync("plan", folder, env=served.env)
    modules = imported("plan", folder, env=served.env)
    assert "httpx" in modules
    compared = {"contentsync.sync.planning.plan_builder", "contentsync.sync.state.journal"}
    unused = DATABASES | (PAGES - {"pygments"}) | SERVER | READERS | WRITERS | FORMATS | OTHERS | compared
    assert not unused & modules
