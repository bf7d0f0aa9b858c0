"""docs/faults.md lists every fault once and names the test that shows it."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from .situations.situations import SITUATIONS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "faults.md").read_text(encoding="utf-8")
ROW = re.compile(
    r"^\| (?P<id>[A-Z]{2}-\d\d) \| .* \| (?P<result>.+) \| (?:`(?P<file>[\w/.]+)::(?P<test>\w+)` )?\|$", re.M
)
SECTIONS = {"FI": 32, "YA": 24, "CS": 25, "SL": 16, "TM": 12, "AU": 20, "DB": 8, "HT": 29, "CO": 19, "PL": 24, "XS": 21}
UNUSED_IDS = {"SL-06", "AU-16"}
# The result starts with "cannot apply: " or "later: ".
WITHOUT_TEST = {"SL-13", "AU-07"}

ROWS = [match.groupdict() for match in ROW.finditer(PAGE)]


def test_every_fault_is_listed_exactly_once() -> None:
    ids = {f"{section}-{number:02d}" for section, last in SECTIONS.items() for number in range(1, last + 1)}
    expected = ids - UNUSED_IDS
    assert Counter(re.findall(r"^\| ([A-Z]{2}-\d\d) ", PAGE, re.M)) == Counter(expected)
    assert len(ROWS) == len(expected)


def test_the_test_of_each_fault_exists_and_contains_its_id() -> None:
    for row in ROWS:
        if row["id"] in WITHOUT_TEST:
            assert row["test"] is None
            assert re.match(r"later: |cannot apply: ", str(row["result"]))
        else:
            tests = _docstrings(str(row["file"]))
            assert row["test"] in tests
            assert row["id"] in _ids(tests[str(row["test"])])


@cache
def _docstrings(file: str) -> dict[str, str]:
    """Return the docstring of each test of a module, or the docstring of the module for a test without one."""
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    tests = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    return {test.name: ast.get_docstring(test) or ast.get_docstring(tree) or "" for test in tests}


def _ids(docstring: str) -> set[str]:
    """Return the ids in a docstring; `TM-01 to TM-03` are three ids."""
    ids = set(re.findall(r"[A-Z]{2}-\d\d", docstring))
    for section, first, last in re.findall(r"([A-Z]{2})-(\d\d) to \1-(\d\d)", docstring):
        ids |= {f"{section}-{number:02d}" for number in range(int(first), int(last) + 1)}
    return ids


def test_every_situation_is_listed_on_the_page() -> None:
    table = PAGE.partition("\n## People\n")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (.+?) \| (.+?) \| (.*?) ?\|$", table, re.M)[1:]
    expected = [
        (case.name, case.outcome.value, f"`{re.sub(r'[0-9]+$', 'N', ' '.join(case.options))}`" if case.options else "")
        for case in SITUATIONS
    ]
    assert rows == expected
