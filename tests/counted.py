"""The part of contentsync that writes files, imported a second time with its loops and its copies of texts counted.

Each turn of a loop counts one. An expression that C code evaluates item by item counts its characters or items: a
slice, a sum, `in`, a method of a text or a list, a text for a parser. So the counts are the same on every machine. A
profile counts calls of functions, but none of these.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from types import BuiltinFunctionType, CodeType, ModuleType
from typing import Any

COUNTED = ("authoring", "exchange.proposal", "exchange.spreadsheet", "sync.history", "file_writes")
SIZES: Counter[str] = Counter()  # by file and line

_ORIGINAL, _COPY = "contentsync", "counted_contentsync"
_COPIES = {list, tuple, dict, set, frozenset, sorted, sum, min, max, any, all}
_NOT_COUNTED = {"super", "len", "isinstance", "iter", "next", "zip", "map", "filter", "enumerate", "range", "cast"}
# Methods that go through few characters or items, through all of them, or through as many as there are in the result.
_SHORT = {"startswith", "endswith", "append", "pop", "get", "items", "keys", "values", "setdefault", "add", "group"}
_WHOLE = {"index", "count", "insert", "remove", "copy", "sort", "reverse"}
_MADE = {"join", "format", "strip", "lstrip", "rstrip", "removeprefix", "removesuffix"}


def import_counted(name: str) -> Any:
    """Return the counted copy of a module in COUNTED; `name` is its name in the package."""
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    return import_module(f"{_COPY}.{name}")


class _Finder(MetaPathFinder):
    """Finds counted copies, and of all other modules the originals: so both use the same classes of these."""

    def find_spec(self, fullname: str, path: object = None, target: object = None) -> ModuleSpec | None:
        top, _, name = fullname.partition(".")
        original = find_spec(f"{_ORIGINAL}.{name}" if name else _ORIGINAL) if top == _COPY else None
        if original is None or original.origin is None:
            return None
        is_around = not name or any(counted.startswith(f"{name}.") for counted in COUNTED)
        if is_around or any(f"{name}.".startswith(f"{counted}.") for counted in COUNTED):
            folders = original.submodule_search_locations
            loader = _CountingLoader(fullname, original.origin)
            return spec_from_file_location(fullname, loader=loader, submodule_search_locations=folders)
        return ModuleSpec(fullname, _OriginalLoader())


_FINDER = _Finder()


class _OriginalLoader(Loader):
    def exec_module(self, module: ModuleType) -> None:
        sys.modules[module.__name__] = import_module(module.__name__.replace(_COPY, _ORIGINAL, 1))


class _CountingLoader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        path = self.get_filename(fullname)
        tree = _Counting(path.rpartition(f"/{_ORIGINAL}/")[2]).visit(ast.parse(self.get_data(path)))
        return compile(ast.fix_missing_locations(tree), path, "exec", dont_inherit=True)

    def exec_module(self, module: ModuleType) -> None:
        vars(module).update({each.__name__: each for each in (_each, _turn, _made, _contains, _call)})
        super().exec_module(module)


class _Counting(ast.NodeTransformer):
    """Puts the functions below around the expressions inside functions; they get the file and the line first."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._depth = 0  # of functions

    def visit(self, node: ast.AST) -> Any:
        node = super().visit(node)  # what is inside first
        if not self._depth:
            return node
        match node:
            case ast.For() | ast.comprehension():
                node.iter = self._around(_each, node.iter, node.iter)
            case ast.While():
                node.test = ast.BoolOp(ast.And(), [self._around(_turn, node.test), node.test])
            case ast.Call(ast.Name(name)) if name in _NOT_COUNTED:
                pass
            case ast.Call():
                return self._around(_call, node, node.func, *node.args, keywords=node.keywords)
            case ast.Subscript(slice=ast.Slice(), ctx=ast.Load()) | ast.BinOp() | ast.JoinedStr():
                return self._around(_made, node, node)
            case ast.List(elements, ast.Load()) | ast.Tuple(elements, ast.Load()) | ast.Set(elements):
                return self._around(_made, node, node) if ast.Starred in map(type, elements) else node
            case ast.Dict(keys) if None in keys:
                return self._around(_made, node, node)
            case ast.Compare(left, [ast.In()], [right]):
                return self._around(_contains, node, left, right)
            case ast.Compare(left, [ast.NotIn()], [right]):
                return ast.copy_location(ast.UnaryOp(ast.Not(), self._around(_contains, node, left, right)), node)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        self._depth += 1
        node.body = [self.visit(statement) for statement in node.body]  # without annotations
        self._depth -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = self.visit(node.value) if node.value else None
        return node

    def _around(
        self, function: Callable[..., Any], node: ast.expr, *arguments: ast.expr, keywords: Sequence[ast.keyword] = ()
    ) -> ast.expr:
        line = ast.Constant(f"{self._file}:{node.lineno}")
        return ast.copy_location(
            ast.Call(ast.Name(function.__name__, ast.Load()), [line, *arguments], [*keywords]), node
        )


def _each(line: str, items: Iterable[Any]) -> Iterator[Any]:
    for item in items:
        SIZES[line] += 1
        yield item


def _turn(line: str) -> bool:
    SIZES[line] += 1
    return True


def _made(line: str, value: Any) -> Any:
    SIZES[line] += _length(value)
    return value


def _contains(line: str, item: Any, items: Any) -> bool:
    if isinstance(items, str | bytes | list | tuple):
        SIZES[line] += items.index(item) + 1 if item in items else len(items)
    return item in items


def _call(line: str, function: Any, /, *arguments: Any, **keywords: Any) -> Any:
    result = function(*arguments, **keywords)
    if isinstance(function, BuiltinFunctionType):
        SIZES[line] += _size_of_builtin(function, arguments, result)
    elif function.__module__ == "json.decoder":
        SIZES[line] += result[1] - arguments[1]  # of raw_decode
    elif function.__module__ == "builtins":
        SIZES[line] += _size_of_copy(arguments, result) if function in _COPIES else 0
    elif not function.__module__.startswith((_ORIGINAL, _COPY)):
        SIZES[line] += sum(map(len, (each for each in arguments if isinstance(each, str | bytes))))
    return result


def _size_of_builtin(function: Any, arguments: Sequence[Any], result: Any) -> int:
    owner, name = function.__self__, function.__name__
    if isinstance(owner, str | bytes):
        return _size_of_text_method(owner, name, arguments, result)
    if isinstance(owner, re.Pattern):
        return _size_of_match(name, arguments, result)
    if isinstance(owner, list | tuple | dict | set):
        return len(owner) if name in _WHOLE else 0 if name in _SHORT else sum(map(_length, arguments))
    return _size_of_copy(arguments, result) if function in _COPIES else 0


def _size_of_copy(arguments: Sequence[Any], result: Any) -> int:
    return max(map(_length, (result, *arguments)))


def _size_of_text_method(text: str | bytes, name: str, arguments: Sequence[Any], result: Any) -> int:
    if name in ("find", "index", "rfind", "rindex", "count"):
        start, end = _bounds(text, arguments[1:])
        if name.startswith("r"):
            start = max(start, result)
        elif name != "count" and result >= 0:
            end = result + 1
        return end - start
    if name in _SHORT:
        return 0
    return len(result) if name in _MADE else len(text)


def _size_of_match(name: str, arguments: Sequence[Any], result: Any) -> int:
    if name not in ("match", "fullmatch", "search", "finditer"):
        return sum(map(_length, arguments))
    text, *bounds = arguments
    start, end = _bounds(text, bounds)
    if (name == "search" and not result) or name == "finditer":
        return end - start
    return result.end() - start if result else 1


def _bounds(text: str | bytes, arguments: Sequence[Any]) -> tuple[int, int]:
    start, end, _step = slice(*[*arguments, None, None][:2]).indices(len(text))
    return start, end


def _length(value: Any) -> int:
    return len(value) if isinstance(value, str | bytes | list | tuple | dict | set | frozenset) else 0
