"""The changes that can be made to a module: a comparison, a condition, a constant or a result at a time."""

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


@dataclass(frozen=True)
class Mutant:
    """One change: the bytes of a module from `start` to `end` become `after`."""

    module: Path
    line: int
    start: int
    end: int
    before: str
    after: str

    def source(self) -> bytes:
        """Return the module with the change."""
        text = self.module.read_bytes()
        return text[: self.start] + self.after.encode() + text[self.end :]


def mutants(module: Path) -> list[Mutant]:
    """Return every change of a module, in the order of the text.

    Annotations, decorators and texts are left alone: no test should notice most changes of them.
    """
    text = module.read_bytes()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def made(node: ast.expr | ast.stmt, changed: ast.AST) -> Mutant:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = starts[node.lineno - 1] + node.col_offset
        end = starts[node.end_lineno - 1] + node.end_col_offset
        after = ast.unparse(changed)
        return Mutant(
            module,
            node.lineno,
            start,
            end,
            text[start:end].decode(),
            after if isinstance(node, ast.stmt) else f"({after})",
        )

    found = [made(node, changed) for node, changed in _changes(ast.parse(text))]
    return sorted(found, key=lambda mutant: (mutant.start, mutant.end, mutant.after))


def has_mutants(module: Path) -> bool:
    """Return whether there is any change of a module."""
    return any(True for _ in _changes(ast.parse(module.read_bytes())))


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.AST]]:
    for node in _code(tree):
        if isinstance(node, ast.Compare):
            for place, operator in enumerate(node.ops):
                changed = copy.deepcopy(node)
                changed.ops[place] = _OPPOSITE[type(operator)]()
                yield node, changed
        elif isinstance(node, ast.BoolOp):
            changed_bool = copy.deepcopy(node)
            changed_bool.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield node, changed_bool
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            yield node, node.operand
        elif isinstance(node, ast.Constant) and isinstance(node.value, int):
            yield node, ast.Constant(not node.value if isinstance(node.value, bool) else node.value + 1)
        elif isinstance(node, ast.Return) and node.value is not None and not isinstance(node.value, ast.Constant):
            yield node, ast.Return(ast.Constant(None))
        if isinstance(node, ast.If | ast.While | ast.IfExp) and isinstance(
            node.test, ast.Name | ast.Call | ast.Attribute
        ):
            yield node.test, ast.UnaryOp(ast.Not(), node.test)


def _code(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node and its descendants, without annotations, decorators, code for type checkers and f-strings."""
    if isinstance(node, ast.JoinedStr) or (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _code(child)
