"""contentsync.authoring.adopt.generators.script_texts: texts in a program that is never run."""

import pytest

from contentsync.authoring.adopt.generators.script_texts import (
    calls,
    first_text,
    is_plain,
    texts,
    values,
    without_comments,
)


def test_a_comment_is_no_setting_and_an_address_is_no_comment() -> None:
    script = "// path: 'a'\nurl: 'https://b.example.org', /* path:\n'c' */ path: \"d\" // 'e'\n"
    assert without_comments(script).split() == ["url:", "'https://b.example.org',", "path:", '"d"']


@pytest.mark.parametrize(
    ("script", "arguments"),
    [
        ("glob({ base: 'a)' })", ["{ base: 'a)' }"]),
        ("glob(f(1), [2]); myglob(3); glob (4)", ["f(1), [2]", "4"]),
        ("config.glob('a')", ["'a'"]),
        ("glob({ base: 'a'", ["{ base: 'a"]),
        ("glob", []),
    ],
)
def test_the_arguments_of_a_call_end_at_its_own_bracket(script: str, arguments: list[str]) -> None:
    assert [*calls(script, "glob")] == arguments


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("{ path: 'a', other: 'b' }", ["'a'"]),
        ("{ 'path' : ['a', \"b\"], subpath: 'c' }", ["['a', \"b\"]"]),
        ("{ path: { a: { b: 1 } }, path: false }", ["{ a: { b: 1 } }", "false"]),
        ("{ path: join('a', 'b') }", ["join('a'"]),
        ("{ a: 'path: 1' }", []),
    ],
)
def test_the_value_of_a_property_is_found_as_it_is_written(script: str, found: list[str]) -> None:
    assert [*values(script, "path")] == found


@pytest.mark.parametrize(
    ("value", "found", "is_all"),
    [
        ("'a'", ["a"], True),
        ("[\n  'a',\n  `b`,\n]", ["a", "b"], True),
        (r"'it\'s'", ["it's"], True),
        ("[...defaults, 'a']", ["a"], False),
        ("`a/${b}`", [], False),
        ("new URL('./a', base)", ["./a"], False),
    ],
)
def test_texts_with_expressions_are_not_plain(value: str, found: list[str], is_all: bool) -> None:
    assert texts(value) == found
    assert is_plain(value) is is_all


def test_the_first_text_of_a_name_is_found_behind_its_other_values() -> None:
    assert first_text("{ path: f('a'), in: { path: 'b' } }", "path") == "b"
    assert first_text("{}", "path") == ""


@pytest.mark.parametrize("text", ["glob(", "/*", "'\\'", "`", "path: [", "'", "path:\n", '{[("'])
def test_a_script_of_repeated_beginnings_is_read_at_once(text: str) -> None:
    script = without_comments(text * (256 * 1024 // len(text)))
    assert len([*calls(script, "glob")]) <= 200
    assert len([*values(script, "path")]) <= 200
    first_text(script, "path")
