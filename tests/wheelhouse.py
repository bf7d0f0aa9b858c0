"""The wheels that another wheel needs, packed from the packages that are installed here, without downloads.

The folder contains nothing else, so an installation from it has exactly its requirements.
"""

import base64
import hashlib
import zipfile
from collections.abc import Iterable
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

MADE_BY_THE_INSTALLER = {"RECORD", "INSTALLER", "REQUESTED", "direct_url.json"}


def fill(folder: Path, wheel: Path, extra: str = "") -> None:
    """Put a wheel of each requirement of `wheel` and of its extra into the folder, including indirect ones."""
    name, version, *_ = wheel.name.split("-")
    for needed in _needed(PathDistribution(zipfile.Path(wheel, f"{name}-{version}.dist-info/")), extra):
        _pack(needed, folder)


def pack(name: str, folder: Path) -> None:
    """Put a wheel of one package into the folder."""
    _pack(distribution(name), folder)


def _needed(first: Distribution, extra: str) -> Iterable[Distribution]:
    found: dict[str, Distribution] = {}
    wanted = [(first, extra)]
    seen: set[tuple[str, str]] = set()
    for one, extra in wanted:  # which grows meanwhile
        for requirement in map(Requirement, one.requires or ()):
            if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
                continue
            name = canonicalize_name(requirement.name)
            found[name] = distribution(name)
            new = {(name, extra) for extra in ("", *requirement.extras)} - seen
            wanted += [(found[name], extra) for _, extra in new]
            seen |= new
    return found.values()


def _pack(installed: Distribution, folder: Path) -> None:
    site = Path(str(installed.locate_file("")))
    files = [site / file for file in installed.files or () if ".." not in file.parts and file.suffix != ".pyc"]
    (head,) = (file.parent for file in files if file.name == "METADATA" and file.parent.suffix == ".dist-info")
    record = [f"{head.name}/RECORD,,\n"]
    with zipfile.ZipFile(folder / f"{head.stem}-{_tag(head / 'WHEEL')}.whl", "w") as wheel:
        for file in files:
            if file.parent == head and file.name in MADE_BY_THE_INSTALLER:
                continue
            data = file.read_bytes()
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
            path = file.relative_to(site).as_posix()
            wheel.writestr(path, data)
            record.append(f"{path},sha256={digest},{len(data)}\n")
        wheel.writestr(f"{head.name}/RECORD", "".join(record))


def _tag(wheel: Path) -> str:
    """Return the end of a wheel's name: the tags of its WHEEL file, joined."""
    lines = wheel.read_text(encoding="utf-8").splitlines()
    tags = (line.removeprefix("Tag: ").split("-") for line in lines if line.startswith("Tag: "))
    return "-".join(".".join(sorted({*part})) for part in zip(*tags, strict=True))
