"""The built files: a source distribution and a wheel, for a user with nothing but Python and uv."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import PathDistribution
from pathlib import Path
from typing import NamedTuple

import pytest

import contentsync

ROOT = Path(__file__).parent.parent
UV = [sys.executable, "-m", "uv", "--quiet", "--no-config", "--offline"]


class Built(NamedTuple):
    """The two files of a release, as `make dist` makes them."""

    sdist: Path
    wheel: Path

    @property
    def metadata(self) -> PathDistribution:
        return PathDistribution(zipfile.Path(self.wheel, f"contentsync-{contentsync.__version__}.dist-info/"))


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return the wheel that uv builds from the source distribution, not from this folder."""
    folder = tmp_path_factory.mktemp("dist")
    command = [*UV, "build", "--no-build-isolation", "--python", sys.executable, "--out-dir", str(folder), str(ROOT)]
    subprocess.run(command, check=True)
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return Built(sdist, wheel)


def test_the_wheel_contains_exactly_the_files_of_the_package(built: Built) -> None:
    package = ROOT / "contentsync"
    files = {file.relative_to(ROOT).as_posix() for file in package.rglob("*") if file.is_file()}
    with zipfile.ZipFile(built.wheel) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    assert names == {file for file in files if "__pycache__" not in file}
    assert "contentsync/py.typed" in names


def test_the_wheel_from_the_source_distribution_equals_the_wheel_from_the_folder(built: Built, tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)], cwd=ROOT, check=True
    )
    (wheel,) = tmp_path.iterdir()
    assert wheel.name == built.wheel.name
    assert wheel.read_bytes() == built.wheel.read_bytes()


def test_the_source_distribution_contains_the_documents_and_no_tests(built: Built) -> None:
    with tarfile.open(built.sdist) as sdist:
        names = {name.partition("/")[2] for name in sdist.getnames()}
    docs = {file.relative_to(ROOT).as_posix() for file in (ROOT / "docs").rglob("*") if file.is_file()}
    assert {name for name in names if not name.startswith("contentsync/")} - docs == {
        ".gitignore",
        "CHANGELOG.md",
        "LICENSE",
        "PKG-INFO",
        "README.md",
        "pyproject.toml",
    }
    assert docs <= names


def test_the_metadata_of_the_wheel_equals_that_of_the_project(built: Built) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    metadata = built.metadata.metadata
    assert metadata["Version"] == contentsync.__version__
    assert metadata["Requires-Python"] == project["requires-python"]
    assert metadata["License-Expression"] == "MIT"
    assert sorted(metadata.get_all("Classifier") or ()) == sorted(project["classifiers"])
    assert metadata["Description-Content-Type"] == "text/markdown"
    assert metadata["Description"] == (ROOT / "README.md").read_text(encoding="utf-8")
    assert [(point.name, point.value) for point in built.metadata.entry_points] == [
        ("contentsync", "contentsync.__main__:main")
    ]


def test_the_changelog_has_a_chapter_for_the_version(built: Built) -> None:
    version = built.metadata.metadata["Version"]
    assert f"\n## {version} " in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
