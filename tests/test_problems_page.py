"""docs/problems.md explains every problem code, and each example causes the problem of its section."""

import ast
import re
import subprocess
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from contentsync.content.folder.load import validate_folder
from contentsync.errors import Problem
from contentsync.model import RECORDS
from contentsync.model.violation import _CODE_AND_MESSAGE
from scripts.structure import statements

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs/problems.md").read_text(encoding="utf-8")
# The server responds with messages, never with codes.
MODULES = [module for module in (ROOT / "contentsync").rglob("*.py") if "server" not in module.relative_to(ROOT).parts]

CODE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*\Z")
SECTION = re.compile(r"^### (\S+)\n(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"^`([^`\n]+)`\n\n```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
COMMANDS = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

SECTIONS: Mapping[str, str] = dict(SECTION.findall(PAGE))
# A folder alone cannot cause these: they need a missing permission, another program, a full disk or a server.
WITHOUT_EXAMPLE = {"file-changed", "holds-token", "no-tzdata", "slug-taken", "unknown-user", "unreadable"}
WITHOUT_EXAMPLE |= {"ambiguous-previous"}  # only after a sync
WITHOUT_EXAMPLE |= {
    "conflict",
    "drift",
    "adopted",
    "adoption",
    "deletes",
    "emptied",
    "empty-folder",
    "empty-server",
    "clears",
    "publish",
    "updates",
    "recreate",
}
WITHOUT_EXAMPLE |= {"formula-cell"}  # only after a pull
WITHOUT_EXAMPLE |= {"missing-file"}  # refuses a plan
WITHOUT_EXAMPLE |= {"bad-spreadsheet"}  # a file that is not in the folder
WITHOUT_EXAMPLE |= {"default-language", "language"}
WITHOUT_EXAMPLE |= {"ignored-files", "sparse-checkout", "unknown-base"}  # only with git and a server
WITHOUT_EXAMPLE |= {"unused-asset"}  # only with an option
WITHOUT_EXAMPLE |= {"not-written", "failed"}


@cache
def codes() -> frozenset[str]:
    """Return every literal that the program passes for a parameter or a field named `code`."""
    trees = [ast.parse(module.read_text(encoding="utf-8")) for module in MODULES]
    positions = [code_positions(tree) for tree in trees]
    everywhere = {name: position for each in positions for name, position in each.items() if name[0] != "_"}
    found: set[str] = {code for code, _ in _CODE_AND_MESSAGE.values()}
    for tree, own in zip(trees, positions, strict=True):
        known = everywhere | own
        for node in ast.walk(tree):
            if isinstance(node, ast.Call):
                found.update(code for argument in code_arguments(node, known) for code in literals(argument))
            elif isinstance(node, ast.Assign):
                found.update(assigned_codes(node))
    return frozenset(found)


def code_positions(tree: ast.Module) -> dict[str, int]:
    """Return the functions and classes with a parameter or field named `code`, and its position."""
    found = {}
    for node in statements(tree):
        if isinstance(node, ast.FunctionDef):
            names = [argument.arg for argument in node.args.args if argument.arg not in ("self", "cls")]
        elif isinstance(node, ast.ClassDef):
            fields = [line.target for line in node.body if isinstance(line, ast.AnnAssign)]
            names = [field.id for field in fields if isinstance(field, ast.Name)]
        else:
            continue
        if "code" in names:
            found[node.name] = names.index("code")
    return found


def code_arguments(call: ast.Call, known: Mapping[str, int]) -> Iterator[ast.expr]:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if name in known:
        yield from (keyword.value for keyword in call.keywords if keyword.arg == "code")
        yield from call.args[known[name] : known[name] + 1]


def assigned_codes(node: ast.Assign) -> Iterator[str]:
    """Yield the literals of `code = ...` and `code, words = ..., ...`."""
    for target in node.targets:
        names, values = [target], [node.value]
        if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
            names, values = target.elts, node.value.elts
        for name, value in zip(names, values, strict=True):
            if isinstance(name, ast.Name) and name.id == "code":
                yield from literals(value)


def literals(expression: ast.expr) -> Iterator[str]:
    if isinstance(expression, ast.Constant) and isinstance(expression.value, str) and CODE.match(expression.value):
        yield expression.value
    elif isinstance(expression, ast.IfExp):
        yield from literals(expression.body)
        yield from literals(expression.orelse)
    elif isinstance(expression, ast.JoinedStr):  # f"no-{model.key_field}"
        assert ast.unparse(expression) == "f'no-{model.key_field}'"
        yield from (f"no-{model.key_field}" for model in RECORDS.values())


def test_the_collector_finds_every_form_in_which_code_is_passed() -> None:
    for code in ("no-config", "unclosed-quote", "yaml-alias", "bad-url", "ends-before-start", "not-text", "no-name"):
        assert code in codes()
    assert {"too-many", "given-twice"} <= codes()  # assigned
    assert len(codes()) > 90


def test_the_page_explains_exactly_the_codes_of_the_program() -> None:
    assert {code for code in codes() if code not in SECTIONS} == set(), "not in docs/problems.md"
    assert {code for code in SECTIONS if code not in codes()} == set(), "in docs/problems.md, but not in the program"


def test_each_code_is_explained_once() -> None:
    names = [name for name, _ in SECTION.findall(PAGE)]
    assert sorted(names) == sorted(SECTIONS)


def test_each_section_says_how_to_fix_the_problem() -> None:
    assert [code for code, text in SECTIONS.items() if not re.search(r"^\*\*Fix:\*\* \S", text, re.MULTILINE)] == []


def example(code: str, folder: Path) -> list[Problem]:
    """Return the problems of the example of a section; the config is empty unless the example has one."""
    (folder / "contentsync.toml").touch()
    for path, text in FILE.findall(SECTIONS[code]):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")
    for commands in COMMANDS.findall(SECTIONS[code]):
        subprocess.run(["sh", "-e", "-c", commands], cwd=folder, check=True)
    return list(validate_folder(folder).problems)


@pytest.mark.parametrize("code", [code for code in SECTIONS if code not in WITHOUT_EXAMPLE])
def test_each_example_causes_the_problem_of_its_section(code: str, tmp_path: Path) -> None:
    problems = [problem for problem in example(code, tmp_path) if problem.code == code]
    assert problems
    warns = SECTIONS[code].startswith("\n*A warning")
    assert [problem.is_error for problem in problems] == [not warns] * len(problems)


def test_a_problem_without_an_example_cannot_be_caused_by_a_folder() -> None:
    assert [code for code in sorted(WITHOUT_EXAMPLE) if FILE.search(SECTIONS[code])] == []
