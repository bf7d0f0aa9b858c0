"""The extras, such as `contentsync[server]`: their modules, and the line that installs them."""

import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from contentsync.extra import EXTRAS, SERVER, Extra

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("extra", EXTRAS, ids=lambda extra: extra.name)
def test_the_modules_of_an_extra_come_from_the_packages_listed_for_it(extra: Extra) -> None:
    """An incomplete installation would end a command with a traceback."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    listed = {canonicalize_name(Requirement(line).name) for line in project["optional-dependencies"][extra.name]}
    found = packages_distributions()
    assert {canonicalize_name(name) for module in extra.modules for name in found[module]} == listed


def test_the_install_command_uses_the_python_that_runs_contentsync() -> None:
    """pipx and uv install the command into its own environment, and uv installs no pip there."""
    python = "/my tools/bin/python"
    assert SERVER.install_command(python, has_pip=True) == "'/my tools/bin/python' -m pip install 'contentsync[server]'"
    assert SERVER.install_command(python, has_pip=False) == (
        "uv pip install --python '/my tools/bin/python' 'contentsync[server]'"
    )
