"""Count the structure of the package from its source. `make structure` prints it, a test checks it."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "contentsync"
MODULES = sorted(PACKAGE.rglob("*.py"))
MAX_PARAMETERS = 8  # of a function whose signature is not long


@cache
def imports(module: Path) -> tuple[str, ...]:
    """Return the absolute names that a file imports, at the top and inside functions, such as `contentsync.git.run`."""
    return tuple(_imports(module))


def _imports(module: Path) -> Iterator[str]:
    package = ["contentsync", *module.relative_to(PACKAGE).parts[:-1]]
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else []
            stem = ".".join([*base, *([node.module] if node.module else [])])
            yield from (f"{stem}.{alias.name}" for alias in node.names)


def packages() -> list[str]:
    """Return the packages inside contentsync, as paths such as `content/files`."""
    found = (path.parent.relative_to(PACKAGE).as_posix() for path in MODULES if path.name == "__init__.py")
    return sorted(name for name in found if name != ".")


def members(package: str) -> dict[str, list[Path]]:
    """Return what is directly in a package: each module, and each folder with all modules in it."""
    folder = PACKAGE / package
    found = {path.stem: [path] for path in folder.glob("*.py") if path.stem != "__init__"}
    return found | {path.name: sorted(path.rglob("*.py")) for path in folder.iterdir() if any(path.glob("*.py"))}


def arrows(package: str) -> set[tuple[str, str]]:
    """Return which members of a package import which other members of it; a folder is one member."""
    prefix, names = f"contentsync.{package.replace('/', '.')}.", members(package)
    return {
        (name, target)
        for name, modules in names.items()
        for module in modules
        for imported in imports(module)
        if imported.startswith(prefix) and (target := imported.removeprefix(prefix).split(".")[0]) in names
        if target != name
    }


def circle(package: str) -> list[str]:
    """Return the members of a package that import each other in a circle, in its order; [] if there is no circle."""
    sorter = TopologicalSorter[str]()
    for name, target in arrows(package):
        sorter.add(name, target)
    try:
        sorter.prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def long_signatures() -> list[str]:
    """Return the functions with more than MAX_PARAMETERS parameters, `self` not counted, as `path: name (number)`."""
    found = []
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                names = [it.arg for it in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]
                count = len([name for name in names if name not in ("self", "cls")])
                if count > MAX_PARAMETERS:
                    found.append(f"{module.relative_to(PACKAGE).as_posix()}: {node.name} ({count})")
    return found


def lines(paths: list[Path]) -> int:
    """Return the number of lines of some files."""
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in paths)


def report() -> Iterator[str]:
    """Yield the lines of the report: totals, then a row for each package, then the long signatures."""
    sizes = sorted(lines([module]) for module in MODULES if module.name != "__init__.py")
    yield f"{lines(MODULES):,} lines in {len(MODULES)} files; a module has {sizes[len(sizes) // 2]} lines (median)"
    yield f"{'package':<28}{'lines':>8}{'files':>7}{'members':>9}{'arrows':>8}  circle"
    for package in packages():
        files = sorted((PACKAGE / package).rglob("*.py"))
        counts = f"{lines(files):>8,}{len(files):>7}{len(members(package)):>9}{len(arrows(package)):>8}"
        yield f"{package:<28}{counts}  {' -> '.join(circle(package)) or '-'}"
    long = long_signatures()
    yield f"{len(long)} functions have more than {MAX_PARAMETERS} parameters"
    yield from (f"  {signature}" for signature in long)


if __name__ == "__main__":
    print("\n".join(report()))
