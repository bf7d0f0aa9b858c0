"""Which test files are run for a module."""

import re
from functools import cache
from pathlib import Path

# Most modules are also tested by what others do with them.
ALSO = {
    "content": ("content/folder/test_cross_checks.py", "content/folder/test_files_environment.py"),
    "authoring": ("authoring/edit/test_collection_edits.py", "authoring/rename/test_rename_plan.py"),
    "sync": (
        *("sync/planning/test_plan.py", "sync/planning/test_three_way.py", "sync/undo/test_undo_plan.py"),
        *("sync/applying/test_apply.py", "sync_faults/test_manners.py"),
    ),
    "model": ("model/test_rules.py", "model/test_limits.py", "remote/test_wire.py", "content/folder/test_load.py"),
}

_IMPORT = re.compile(r"^[^\S\n]*from (\S+) import ", re.M)


def covering_tests(module: str, root: Path) -> tuple[list[str], list[str]]:
    """Return the files of a module such as contentsync/sync/planning/order.py, and others that use it.

    The first are the mirrored file, others of its name, and those that import the module. The others are those beside
    the mirrored file, and a few more. Most changes are noticed by the first.
    """
    path = Path(module).relative_to("contentsync")
    folder = root / "tests" / path.parent
    same_name = [file for file in _tests(root) if file.name == f"test_{path.name}"]
    near = [folder / f"test_{path.name}", *same_name, *_importing(module, root)]
    far = [*sorted(folder.glob("test_*.py")), *(root / "tests" / name for name in ALSO[path.parts[0]])]
    files = [[str(file.relative_to(root)) for file in dict.fromkeys(some) if file.exists()] for some in (near, far)]
    return files[0], [file for file in files[1] if file not in files[0]]


def _importing(module: str, root: Path) -> list[Path]:
    return _by_import(root).get(module.removesuffix(".py").removesuffix("/__init__").replace("/", "."), [])


@cache
def _tests(root: Path) -> list[Path]:
    return sorted((root / "tests").rglob("test_*.py"))


@cache
def _by_import(root: Path) -> dict[str, list[Path]]:
    """Return the test files by the module that they import from."""
    rooms = ("content", "authoring", "sync", "model", "report", "remote")  # others start servers, and take long
    found: dict[str, list[Path]] = {}
    for file in _tests(root):
        if file.relative_to(root).parts[1] in rooms:
            for name in {*_IMPORT.findall(file.read_text(encoding="utf-8"))}:
                found.setdefault(name, []).append(file)
    return found
