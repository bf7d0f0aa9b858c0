"""The changes that `make mutation` makes, and the tests that it runs for them."""

import ast
from pathlib import Path

import pytest

from .covering import ALSO, covering_tests
from .mutants import has_mutants, mutants

ROOT = Path(__file__).parent.parent.parent
MODULE = '''"""Text."""
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    a = 1 < 2

@decorated(slots=True)
def find(é: int = 3, *, b: Literal[4]) -> Literal[5]:
    """Text."""
    if é and not b:
        return f"{1 < 2}"
    while open(b):
        return None
    return ["ü", True, b is None]
'''


def test_each_mutant_changes_one_place_that_runs(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text(MODULE, encoding="utf-8")
    found = mutants(module)
    assert [(one.line, one.before, one.after) for one in found] == [
        (7, "3", "(4)"),
        (9, "é and not b", "(é or not b)"),
        (9, "not b", "(b)"),
        (10, 'return f"{1 < 2}"', "return None"),
        (11, "open(b)", "(not open(b))"),
        (13, 'return ["ü", True, b is None]', "return None"),
        (13, "True", "(False)"),
        (13, "b is None", "(b is not None)"),
    ]
    for one in found:
        assert one.source() != module.read_bytes()
        ast.parse(one.source())
    assert has_mutants(module)
    module.write_text('"""Text."""\n', encoding="utf-8")
    assert not has_mutants(module)


@pytest.mark.parametrize("room", ["sync", "model", "content", "authoring"])
def test_each_module_with_mutants_has_covering_tests(room: str) -> None:
    for module in (ROOT / "contentsync" / room).rglob("*.py"):
        if has_mutants(module):
            near, far = covering_tests(module.relative_to(ROOT).as_posix(), ROOT)
            assert near or far
            assert all((ROOT / file).is_file() for file in (*near, *far))


def test_each_test_file_that_is_always_run_exists() -> None:
    assert [name for names in ALSO.values() for name in names if not (ROOT / "tests" / name).is_file()] == []
