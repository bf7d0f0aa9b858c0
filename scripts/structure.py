"""Count the structure of the package from its source. `make structure` prints it, a test checks it."""

import ast
import json
import re
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

PACKAGE = Path(__file__).parent.parent / "contentsync"
MODULES = sorted(PACKAGE.rglob("*.py"))
TESTS = PACKAGE.parent / "tests"
MAX_PARAMETERS = 8  # of a function whose signature is not long
MAX_ATTRIBUTES = 15  # of a class
MAX_COMPLEXITY = 20  # of a function: beyond it, radon rates it D

_NO_CODE = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
_COMPLEXITY = re.compile(r"`(.+)` is too complex \((\d+) > 0\)")


class Names(NamedTuple):
    """The names in a file, at the top and inside functions."""

    imports: tuple[str, ...]  # absolute, such as `contentsync.git.run`
    classes: tuple[str, ...]


@cache
def names(module: Path) -> Names:
    """Return the names of a file; it is parsed once for all of them."""
    found = [*statements(ast.parse(module.read_text(encoding="utf-8")))]
    return Names(tuple(_imports(module, found)), tuple(node.name for node in found if isinstance(node, ast.ClassDef)))


def imports(module: Path) -> tuple[str, ...]:
    """Return the absolute names that a file imports."""
    return names(module).imports


def statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a tree, its statements, and the handlers and cases between them; its expressions are many more."""
    yield node
    for block in ("body", "handlers", "orelse", "finalbody", "cases"):
        for child in getattr(node, block, ()):
            yield from statements(child)


def _imports(module: Path, nodes: list[ast.AST]) -> Iterator[str]:
    package = ["contentsync", *module.relative_to(PACKAGE).parts[:-1]]
    for node in nodes:
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


def code_lines(path: Path) -> int:
    """Return the number of lines with code: without comments, docstrings, imports and empty lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    left_out: list[ast.stmt] = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            left_out += [node.body[0]] if ast.get_docstring(node, clean=False) is not None else []
    with path.open("rb") as file:
        tokens = [token for token in tokenize.tokenize(file.readline) if token.type not in _NO_CODE]
    counted = {line for token in tokens[1:] for line in range(token.start[0], token.end[0] + 1)}  # [0]: the encoding
    for node in left_out:
        counted -= {*range(node.lineno, (node.end_lineno or node.lineno) + 1)}
    return len(counted)


def floors(package: str) -> int:
    """Return the number of members in the longest chain of imports inside a package, which has no circle."""
    imported: dict[str, set[str]] = {name: set() for name in members(package)}
    for name, target in arrows(package):
        imported[name].add(target)
    floor: dict[str, int] = {}
    for name in TopologicalSorter(imported).static_order():
        floor[name] = 1 + max((floor[target] for target in imported[name]), default=0)
    return max(floor.values(), default=0)


def complexities() -> dict[str, int]:
    """Return the cyclomatic complexity of each function, as ruff counts it, by `path:line name`."""
    options = ("--isolated", "--select=C901", "--config=lint.mccabe.max-complexity=0", "--output-format=json", "-q")
    command = [sys.executable, "-m", "ruff", "check", *options, str(PACKAGE)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603  # 1: it finds all of them
    found = {}
    for each in json.loads(ran.stdout):
        if match := _COMPLEXITY.match(each["message"]):
            path = Path(each["filename"]).relative_to(PACKAGE).as_posix()
            found[f"{path}:{each['location']['row']} {match[1]}"] = int(match[2])
    return found


def large_classes() -> list[str]:
    """Return the classes with more than MAX_ATTRIBUTES attributes that are set in `__init__`, as `path: name (number)`.

    The fields of an entry or a table are data, and no attributes in this sense.
    """
    found = []
    for module in MODULES:
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            methods = node.body if isinstance(node, ast.ClassDef) else []
            names = {
                target.attr
                for method in methods
                if isinstance(method, ast.FunctionDef) and method.name == "__init__"
                for target in ast.walk(method)
                if isinstance(target, ast.Attribute) and isinstance(target.ctx, ast.Store)
            }
            if isinstance(node, ast.ClassDef) and len(names) > MAX_ATTRIBUTES:
                found.append(f"{module.relative_to(PACKAGE).as_posix()}: {node.name} ({len(names)})")
    return found


def report() -> Iterator[str]:
    """Yield the lines of the report: totals, then a row for each package, then what is long, large or complex."""
    sizes = sorted(lines([module]) for module in MODULES if module.name != "__init__.py")
    totals = f"{lines(MODULES):,} lines, {sum(map(code_lines, MODULES)):,} of code, in {len(MODULES)} files"
    yield f"{totals}; a module has {sizes[len(sizes) // 2]} lines (median)"
    tests = [path for path in TESTS.rglob("*.py") if not path.name.startswith("test_")]
    yield f"{lines(tests):,} lines of helpers in the tests"
    yield f"{'package':<28}{'lines':>8}{'files':>7}{'members':>9}{'arrows':>8}{'floors':>8}  circle"
    for package in packages():
        files = sorted((PACKAGE / package).rglob("*.py"))
        counts = f"{lines(files):>8,}{len(files):>7}{len(members(package)):>9}{len(arrows(package)):>8}"
        found = circle(package)
        yield f"{package:<28}{counts}{'-' if found else floors(package):>8}  {' -> '.join(found) or '-'}"
    complexity = complexities()
    yield f"the mean complexity of {len(complexity):,} functions is {sum(complexity.values()) / len(complexity):.2f}"
    complex_ = [f"{name} ({number})" for name, number in complexity.items() if number > MAX_COMPLEXITY]
    for title, found in (
        (f"functions have a complexity above {MAX_COMPLEXITY}", complex_),
        (f"functions have more than {MAX_PARAMETERS} parameters", long_signatures()),
        (f"classes set more than {MAX_ATTRIBUTES} attributes", large_classes()),
    ):
        yield f"{len(found)} {title}"
        yield from (f"  {name}" for name in found)


if __name__ == "__main__":
    print("\n".join(report()))
