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


def covering_tests(module: str, root: Path) -> tuple[list[str], list[str]]:
    """Return the files of a module such as contentsync/sync/planning/order.py, and others that use it.

    The first are the mirrored file, others of its name, and those that import the module. The others are those beside
    the mirrored file, and a few more. Most changes are noticed by the first.
    """
    path = Path(module).relative_to("contentsync")
    folder = root / "tests" / path.parent
    same_name = sorted((root / "tests").rglob(f"test_{path.name}"))
    near = [folder / f"test_{path.name}", *same_name, *_importing(module, root)]
    far = [*sorted(folder.glob("test_*.py")), *(root / "tests" / name for name in ALSO[path.parts[0]])]
    files = [[str(file.relative_to(root)) for file in dict.fromkeys(some) if file.exists()] for some in (near, far)]
    return files[0], [file for file in files[1] if file not in files[0]]


def _importing(module: str, root: Path) -> list[Path]:
    name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    pattern = re.compile(rf"^\s*from {re.escape(name)} import ", re.M)
    rooms = ("content", "authoring", "sync", "model", "report", "remote")  # others start servers, and take long
    return [file for file, text in _tests(root) if file.relative_to(root).parts[1] in rooms and pattern.search(text)]


@cache
def _tests(root: Path) -> list[tuple[Path, str]]:
    return [(file, file.read_text(encoding="utf-8")) for file in sorted((root / "tests").rglob("test_*.py"))]
