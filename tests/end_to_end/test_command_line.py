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
