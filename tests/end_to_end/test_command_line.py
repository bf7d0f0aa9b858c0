import subprocess
import sys
from pathlib import Path

from contentsync import __version__

from ..exit_codes import WRONG_USAGE
from .conftest import contentsync


def test_the_version_is_printed_before_anything_is_imported() -> None:
    program = (
        "import sys; sys.argv[1:] = ['--version']; from contentsync.__main__ import main; main(); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    version, modules = done.stdout.splitlines()
    assert version == f"contentsync {__version__}"
    assert not {"typer", "pydantic", "contentsync.cli"} & set(modules.split())


def test_the_help_of_a_command_imports_only_this_command() -> None:
    program = (
        "import sys; from contentsync.cli import run; run(['status', '--help']); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = done.stderr.split()
    assert [name for name in modules if name.endswith("_command")] == ["contentsync.cli.status_command"]
    assert not {"pydantic", "rich", "yaml", "asyncio"} & set(modules)


def test_validate_imports_neither_server_nor_client(example: Path) -> None:
    program = (
        "import sys; from contentsync.cli import run; code = run(['validate', sys.argv[1]]); "
        "print(code, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(example)], capture_output=True, text=True, check=True)
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stdout
    assert not {"starlette", "sqlalchemy", "httpx"} & set(modules)


def test_a_plan_towards_a_remote_target_does_not_import_the_server(example: Path) -> None:
    program = (
        "import sys; from contentsync.cli import run; run(['plan', sys.argv[1]]); print(*sys.modules, file=sys.stderr)"
    )
    env = {"CONTENTSYNC_URL": "http://127.0.0.1:1", "CONTENTSYNC_DIRECTORY": "1", "CONTENTSYNC_TOKEN": "t"}
    done = subprocess.run(
        [sys.executable, "-c", program, str(example)], capture_output=True, text=True, env=env, check=True
    )
    assert not {"starlette", "sqlalchemy"} & set(done.stderr.splitlines()[-1].split())


def test_an_embedded_plan_needs_neither_sqlalchemy_nor_httpx(example: Path) -> None:
    """docs/decisions/0034-sql-is-text.md"""
    program = (
        "import sys; from contentsync.cli import run; code = run(['plan', sys.argv[1]]); "
        "print(code, *sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(example)], capture_output=True, text=True, check=True)
    code, *modules = done.stderr.splitlines()[-1].split()
    assert code == "0", done.stdout
    assert "starlette" in modules
    assert not {"sqlalchemy", "alembic", "httpx"} & set(modules)


def test_a_plan_imports_nothing_for_a_terminal_a_lock_or_an_undo(example: Path) -> None:
    program = (
        "import sys; from contentsync.cli import run; run(['plan', sys.argv[1]]); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, str(example)], capture_output=True, text=True, check=True)
    modules = {*done.stderr.splitlines()[-1].split()}
    assert not {"rich.progress", "rich.status", "filelock"} & modules
    unused = ("cli.sync_command", "sync.undo.undo_plan", "sync.history.entry_commits", "report.status_report")
    assert not {f"contentsync.{name}" for name in (*unused, "server.api.openapi.openapi_document")} & modules


def test_a_usage_error_exits_with_64(tmp_path: Path) -> None:
    assert contentsync("plan", "--no-such-option").code == WRONG_USAGE
    assert contentsync("no-such-command").code == WRONG_USAGE
    ran = contentsync("validate", cwd=tmp_path)
    assert ran.code == WRONG_USAGE
    assert "contentsync.toml" in ran.err


def test_a_missing_folder_is_a_usage_error(tmp_path: Path) -> None:
    """FI-26"""
    ran = contentsync("validate", tmp_path / "nowhere")
    assert ran.code == WRONG_USAGE
    assert "Traceback" not in ran.err


def test_help_names_every_command() -> None:
    ran = contentsync("--help")
    assert ran.code == 0
    for command in ("validate", "plan", "sync", "status", "serve", "admin"):
        assert f"  {command} " in ran.out
