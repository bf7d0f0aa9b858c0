"""The extras, such as `contentsync[server]`: their modules, and the line that installs them."""

import tomllib
from collections.abc import Iterator
from importlib.metadata import distribution, packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from contentsync.errors import UsageError
from contentsync.extra import EXTRAS, SERVER, Extra

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra.name)
def test_the_modules_of_an_extra_come_from_the_packages_listed_for_it(extra: Extra) -> None:
    """An incomplete installation would end a command with a traceback."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {canonicalize_name(Requirement(line).name) for line in project["optional-dependencies"][extra.name]}
    found = packages_distributions()
    with_modules = {canonicalize_name(name) for module in extra.modules for name in found[module]}
    assert with_modules | {name for name in listed if extra.program in programs(name)} == listed
    assert with_modules or extra.program


def programs(package: str) -> Iterator[str]:
    """Return the names of the files that a package installs beside its modules."""
    return (path.stem for path in distribution(package).files or () if path.parent.name in ("bin", "Scripts"))


def test_an_extra_without_its_program_names_the_command_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    extra = Extra("links", (), "it is not installed", "a-program-that-nobody-has")
    with pytest.raises(UsageError, match="it is not installed") as raised:
        extra.require()
    assert raised.value.hint.endswith("'contentsync[links]'")
    program = tmp_path / "a-program-that-nobody-has"
    program.touch(mode=0o755)
    extra.require()
    assert extra.find_program() == str(program)


def test_the_install_command_uses_the_python_that_runs_contentsync() -> None:
    """pipx and uv install the command into its own environment, and uv installs no pip there."""
    python = "/my tools/bin/python"
    assert SERVER.install_command(python, has_pip=True) == "'/my tools/bin/python' -m pip install 'contentsync[server]'"
    assert SERVER.install_command(python, has_pip=False) == (
        "uv pip install --python '/my tools/bin/python' 'contentsync[server]'"
    )
