"""contentsync.content.single_values: `categories: news` is a list of one."""

import pytest

from contentsync.content.folder import Content
from contentsync.errors import Severity

from .conftest import Load, spots

ARTICLE = "---\ntitle: A\ncategories: {}\n---\nText\n"


def article(read: Load, value: str, config: str = "") -> Content:
    return read({"contentsync.toml": config, "articles/a.md": ARTICLE.format(value)})


@pytest.mark.parametrize(
    ("value", "meant"), [("releases", "releases"), ("News Events", "News Events"), ("2026", "2026"), ("true", "true")]
)
def test_a_single_category_is_read_as_a_list_of_one_with_a_warning(value: str, meant: str, read: Load) -> None:
    content = article(read, value)
    assert [entry.fields["categories"] for entry in content.entries] == [[meant]]
    (problem,) = content.problems
    assert (problem.code, problem.severity) == ("single-value", Severity.WARNING)
    assert (problem.where.line, problem.where.column) == (3, 13)
    assert f'write ["{meant}"]' in problem.hint


def test_the_hint_of_a_text_with_commas_shows_the_list_of_its_parts(read: Load) -> None:
    (problem,) = article(read, "a, b").problems
    assert problem.hint.startswith('write ["a", "b"], or set ignore = ["single-value"] under [warnings]')


def test_what_the_hint_says_silences_the_warning_and_no_other(read: Load) -> None:
    content = article(read, "[a]\nseo: {title: Soft\u00adhyphen}", '[warnings]\nignore = ["single-value"]\n')
    assert [it.code for it in content.problems] == ["invisible-character"]
    content = article(read, "releases", '[warnings]\nignore = ["single-value"]\n')
    assert (content.problems, len(content.entries)) == ((), 1)


def test_an_error_is_not_silenced(read: Load) -> None:
    content = article(read, "[a]\ntitel: B", '[warnings]\nignore = ["unknown-key"]\n')
    assert [it.code for it in content.problems] == ["unknown-key"]


def test_a_single_name_of_another_entry_is_resolved(read: Load) -> None:
    content = read({"tags.yaml": "- title: Free\n", "listings/a.yaml": "name: A\ntags: Free\n"})
    assert [it.code for it in content.problems] == ["single-value"]
    assert content.entries[-1].fields["tags"] == ["free"]
    wrong = read({"tags.yaml": "- title: Free\n", "listings/a.yaml": "name: A\ntags: Fre\n"})
    assert spots(wrong)[1:] == [("listings/a.yaml", 2, 7, "unknown-reference")]


def test_a_renamed_key_is_a_list_too(read: Load) -> None:
    config = '[content.articles]\nrename = { tags = "categories" }\n'
    content = read({"contentsync.toml": config, "articles/a.md": "---\ntitle: A\ntags: a\n---\nText\n"})
    assert [entry.fields["categories"] for entry in content.entries] == [["a"]]


def test_an_object_and_an_empty_value_are_no_lists_of_one(read: Load) -> None:
    assert [it.code for it in article(read, "{a: b}").problems] == ["not-a-list"]
    content = article(read, "")
    assert [entry.fields["categories"] for entry in content.entries] == [[]]
