"""Which test files are run for a module."""

import re
from functools import cache
from pathlib import Path

# Modules that are tested by what others do with them, apart from the tests of their own folder.
ALSO = {
    "content": ("test_cross_checks.py", "test_folder.py", "test_files_environment.py"),
    "sync": ("test_plan.py", "test_three_way.py", "test_undo.py", "applying/test_apply.py"),
    "model": ("test_rules.py", "test_limits.py"),
}


def covering_tests(module: str, root: Path) -> tuple[list[str], list[str]]:
    """Return the files of a module such as contentsync/sync/order.py, and others that use it.

    The first are the mirrored file and those that import the module, the others those beside the mirrored one, and a
    few of the room. Most changes are noticed by the first.
    """
    path = Path(module).relative_to("contentsync")
    folder = root / "tests" / path.parent
    near = [folder / f"test_{path.name}", *_importing(module, root)]
    far = [*sorted(folder.glob("test_*.py")), *(root / "tests" / path.parts[0] / name for name in ALSO[path.parts[0]])]
    files = [[str(file.relative_to(root)) for file in dict.fromkeys(some) if file.exists()] for some in (near, far)]
    return files[0], [file for file in files[1] if file not in files[0]]


def _importing(module: str, root: Path) -> list[Path]:
    name = module.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    pattern = re.compile(rf"^\s*from {re.escape(name)} import ", re.M)
    rooms = ("content", "sync", "model", "report", "remote")  # others start servers, and take long
    return [file for file, text in _tests(root) if file.relative_to(root).parts[1] in rooms and pattern.search(text)]


@cache
def _tests(root: Path) -> list[tuple[Path, str]]:
    return [(file, file.read_text(encoding="utf-8")) for file in sorted((root / "tests").rglob("test_*.py"))]
