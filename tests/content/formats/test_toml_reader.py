"""contentsync.content.formats.toml_reader."""

import pytest

from contentsync.content.files.file_text import UnreadableFile
from contentsync.content.formats.toml_reader import as_draft_values, read_toml
from contentsync.errors import Problem
from contentsync.model import PlainScalar


def refusal(text: str) -> Problem:
    with pytest.raises(UnreadableFile) as raised:
        read_toml(text, "a.md", 11)
    (problem,) = raised.value.problems
    return problem


def place(problem: Problem) -> tuple[int, int, str]:
    return problem.where.line - 10, problem.where.column, problem.code


def test_toml_keys_and_values_have_locations() -> None:
    toml = read_toml('title = "A"\n\n[seo]\n  "og" = 1\na.b = 2\n[[menu]]\nname = "x"\n', "a.md")
    assert {name: mark for name, (_, mark) in toml.value_locations.items()} == {
        "title": (1, 9),
        "seo": (3, 2),
        "seo.og": (4, 10),
        "seo.a": (5, 1),
        "seo.a.b": (5, 7),
        "menu": (6, 3),
        "menu.0": (6, 3),
        "menu.0.name": (7, 8),
    }
    assert toml.key_locations["seo.og"] == ("a.md", (4, 3))


def test_items_of_toml_arrays_have_locations() -> None:
    text = """a = ["]", 'b', # c, "d"\n  12, [1, 2], {e = "f, g"},\n  \"\"\"h\ni\"\"\", 'j']\n[[k]]\nl = ['m',]\n"""
    locations = read_toml(text, "a.md").value_locations
    items = {name: text.split("\n")[line - 1][column - 1 :][:3] for name, (_, (line, column)) in locations.items()}
    assert {name: start for name, start in items.items() if name[-1].isdigit() and name != "k.0"} == {
        "a.0": '"]"',
        "a.1": "'b'",
        "a.2": "12,",
        "a.3": "[1,",
        "a.4": "{e ",
        "a.5": '"""',
        "a.6": "'j'",
        "k.0.l.0": "'m'",
    }


def test_toml_values_become_the_same_text_as_in_yaml() -> None:
    """FI-11"""
    text = "a = 'x'\nb = 16\nc = 1.10\nd = true\ne = 2026-03-01T10:00:00Z\nf = 2026-03-01\n"
    text += "g = 09:30:00\nh = [1, {i = 'y'}]\n"
    values = as_draft_values(read_toml(text, "a.md").values)
    assert values == {
        "a": "x",
        "b": "16",
        "c": "1.10",
        "d": "true",
        "e": "2026-03-01T10:00:00+00:00",
        "f": "2026-03-01",
        "g": "09:30:00",
        "h": ["1", {"i": "y"}],
    }
    assert [type(values[name]) for name in "abcd"] == [str, PlainScalar, PlainScalar, PlainScalar]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a = 1\nb = Hello world", 2, 5),
        ("a = 1\nb = ", 2, 5),
        ("a: 1", 1, 2),
        ("a = 'it's'", 1, 9),
        ("a = 1\nb = 'x", 2, 7),
        ('a = "\\ud800"', 1, 12),
    ],
)
def test_a_toml_syntax_error_is_reported_at_its_location(text: str, line: int, column: int) -> None:
    problem = refusal(text)
    assert place(problem) == (line, column, "toml-syntax")
    assert problem.hint


@pytest.mark.parametrize("text", ["a = “b”", "a = 1\nb = [‘c’]"])
def test_typographic_quotes_are_reported(text: str) -> None:
    assert "straight quotes" in refusal(text).hint


@pytest.mark.parametrize(
    ("text", "line", "column", "first"),
    [
        ("a = 1\nb = 2\na = 3\n", 3, 1, 11),
        ("a=1\na=2", 2, 1, 11),
        ('a = "x"\n  a = """\ny\n"""\nb = 1', 2, 3, 11),
        ("[a]\nb = 1\n[a]\nc = 1", 3, 2, 11),
        ("a = 1\n[a]\nb = 1", 2, 2, 11),
        ("[[a]]\nb = 1\n[[a]]\nb = 2\nb = 3", 5, 1, 14),
    ],
)
def test_a_duplicate_toml_key_is_reported_with_both_lines(text: str, line: int, column: int, first: int) -> None:
    """YA-06"""
    problem = refusal(text)
    assert place(problem) == (line, column, "duplicate-key")
    assert problem.message.endswith(f"here and in line {first}")


@pytest.mark.parametrize("text", ["a = 1\na.b = 2", '"\\u0061" = 1\na = 2', '"a\\"b" = 1\n"a\\"b" = 2'])
def test_a_toml_key_that_is_set_in_two_forms_is_an_error(text: str) -> None:
    """YA-06"""
    assert refusal(text).code == "toml-syntax"


def test_infinity_and_not_a_number_are_spelled_as_in_yaml() -> None:
    """YA-13"""
    values = read_toml("a = inf\nb = -inf\nc = nan\nd = 1e3", "a.md").values
    assert values == {"a": ".inf", "b": "-.inf", "c": ".nan", "d": "1e3"}


def test_a_toml_number_of_5000_digits_is_an_error_at_its_location() -> None:
    """YA-14"""
    assert place(refusal(f"a = 1\nb = {'9' * 5_000}\nc = 2")) == (2, 5, "toml-syntax")


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("a = 1\nb = " + "[" * 20_000, 2, 5),
        ("a = 1\nb = " + "[" * 40 + "]" * 40, 2, 5),
        ("b = " + "{a = " * 40 + "1" + "}" * 40, 1, 5),
        ("a = 1\n" + ".".join("a" * 30_000) + " = 1", 2, 1),
        ("a = 1\n[" + " . ".join("a" * 40) + "]", 2, 1),
        ("x = {" + ".".join("a" * 40) + " = 1}", 1, 1),
    ],
)
def test_deep_toml_nesting_is_an_error(text: str, line: int, column: int) -> None:
    """YA-04"""
    assert place(refusal(text)) == (line, column, "too-deep")


def test_ordinary_toml_nesting_is_read() -> None:
    assert read_toml("a = " + "[" * 30 + "]" * 30 + "\n" + ".".join("b" * 30) + " = 1", "a.md").values.keys() == {
        "a",
        "b",
    }


def test_toml_array_tables_are_numbered_despite_similar_lines_in_texts() -> None:
    text = """\
[[a]]
text = \'\'\'
[[a]]
b = 1\'\'\'
list = [
  [1], # [[a]]
  ["c = 1"],
]
[[a.b]]
c = 1
[a.b.d]
e = \"\"\"x = "" \"\"\"\"
[[a]]
[[a.b]]
c = 2
"""
    toml = read_toml(text, "a.toml")
    assert {name: mark for name, (_, mark) in toml.key_locations.items()} == {
        "a": (1, 3),
        "a.0": (1, 3),
        "a.0.text": (2, 1),
        "a.0.list": (5, 1),
        "a.0.b": (9, 3),
        "a.0.b.0": (9, 3),
        "a.0.b.0.c": (10, 1),
        "a.0.b.0.d": (11, 2),
        "a.0.b.0.d.e": (12, 1),
        "a.1": (13, 3),
        "a.1.b": (14, 3),
        "a.1.b.0": (14, 3),
        "a.1.b.0.c": (15, 1),
    }
