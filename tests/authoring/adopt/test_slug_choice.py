"""contentsync.authoring.adopt.slug_choice: a pattern for the slugs of entries of equal names."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.adopted_folder import AdoptedFolder
from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.proposed_settings import Ask, DefaultAnswers
from contentsync.authoring.adopt.repository_tree import MAX_FILES
from contentsync.authoring.adopt.slug_choice import propose_slugs

from .repositories import NOW, Files, write


def table(*rows: str) -> str:
    return "\n".join(rows) + "\n"


def proposed_pattern(folder: Path, files: Files, ask: Ask | None = None) -> str:
    adoption = propose_adoption(write(folder, files), ask or DefaultAnswers(), NOW)
    return next((str(it.value) for it in adoption.settings if (it.table, it.name) == ("content.listings", "slug")), "")


CITIES = table("name,city,code", "Cafe,Berlin,a1", "Cafe,Paris,b2", "Bar,Berlin,c3", "Inn,Paris,d4")


def test_the_field_with_the_fewest_values_makes_equal_names_differ(tmp_path: Path) -> None:
    assert proposed_pattern(tmp_path, {"listings/a.csv": CITIES}) == "{name}-{city}"


def test_the_proposal_leaves_no_equal_slugs(tmp_path: Path) -> None:
    adoption = propose_adoption(write(tmp_path, {"listings/a.csv": CITIES}), DefaultAnswers(), NOW)
    assert adoption.trial.report.errors == []


def test_the_user_chooses_between_the_fields(tmp_path: Path) -> None:
    answers = DefaultAnswers()
    proposed_pattern(tmp_path, {"listings/a.csv": CITIES}, answers)
    question = "1 listing has the name of another one. What are their addresses made of? {name}-{city}"
    assert question in answers.guesses
    last_but_one = lambda question: question.choices[-2] if "addresses" in question.text else question.default  # noqa: E731
    assert proposed_pattern(tmp_path, {"listings/a.csv": CITIES}, last_but_one) == "{name}-{code}"


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(table("name,city", "Cafe,Berlin", "Bar,Paris", "Inn,Paris"), id="names differ"),
        pytest.param(table("name,city", "Cafe,Berlin", "Cafe,Berlin", "Inn,Paris"), id="the city is equal too"),
        pytest.param(table("name,city", "Cafe,", "Cafe,Paris", "Inn,"), id="few have a city"),
        pytest.param(table("name,email", "Cafe,a@example.org", "Cafe,b@example.org"), id="addresses of mail"),
        pytest.param(table("name,text", f"Cafe,{'a' * 90}", f"Cafe,{'b' * 90}"), id="long texts"),
        pytest.param(table("name,slug", "Cafe,a", "Cafe,b"), id="slugs of their own"),
        pytest.param(
            table("name,city,url", "Cafe,Rome,https://a.example.org", "Cafe,Oslo,https://b.example.org"), id="URLs"
        ),
    ],
)
def test_no_pattern_is_proposed_without_a_field_that_helps(rows: str, tmp_path: Path) -> None:
    assert proposed_pattern(tmp_path, {"listings/a.csv": rows}) == ""


def test_a_pattern_of_the_config_stays_unchanged(tmp_path: Path) -> None:
    config = '[content.listings]\nslug = "{name}-{email}"\n'
    assert proposed_pattern(tmp_path, {"listings/a.csv": CITIES, "contentsync.toml": config}) == ""


UNDATED = "---\ntitle: A\n---\nText\n"


def proposed_patterns(folder: Path, paths: list[str], config: str = "", ask: Ask | None = None) -> list[str]:
    write(folder, {"contentsync.toml": config, **{f"articles/{path}": UNDATED for path in paths}})
    adopted = AdoptedFolder(folder, ask or DefaultAnswers(), NOW, MAX_FILES)
    found = propose_slugs(adopted, adopted.try_out())
    return [str(it.value) for it in found]


@pytest.mark.parametrize(
    ("paths", "pattern"),
    [
        (["a/x.md", "b/x.md"], "{parent}-{name}"),
        (["a/x.md", "b/x.md", "y.md"], "{path}"),
        (["a/b/x.md", "c/b/x.md"], "{path}"),
        (["2024-01-01-x.md", "2025-01-01-x.md"], "{year}-{name}"),
        (["2024-01-01-x.md", "2024-02-01-x.md"], "{year}-{month}-{name}"),
        (["2024-01-01-x.md", "2024-01-02-x.md"], "{year}-{month}-{day}-{name}"),
        (["x.md", "x.markdown"], ""),
        (["x.md", "y.md"], ""),
        (["a/x.md", "b/x.md", "x.md", "x.mdx"], "{path}"),  # which solves the most
    ],
)
def test_the_proposed_slug_pattern_makes_equal_file_names_differ(
    paths: list[str], pattern: str, tmp_path: Path
) -> None:
    assert proposed_patterns(tmp_path, paths) == ([pattern] if pattern else [])


def test_the_user_chooses_between_several_slug_patterns(tmp_path: Path) -> None:
    paths = ["a/2024-01-01-x.md", "b/2025-01-01-x.md"]
    answers = DefaultAnswers()
    assert proposed_patterns(tmp_path, paths, ask=answers) == ["{parent}-{name}"]
    assert answers.guesses == [
        "1 article has the name of another one. What are their addresses made of? {parent}-{name}"
    ]
    assert proposed_patterns(tmp_path, paths, ask=lambda question: question.choices[2]) == ["{year}-{name}"]
    assert proposed_patterns(tmp_path, paths, ask=lambda question: "{name}") == []


def test_a_pattern_of_the_config_for_documents_stays_unchanged(tmp_path: Path) -> None:
    config = '[content.articles]\nslug = "{year}-{name}"\n'
    assert proposed_patterns(tmp_path, ["2024-01-01-x.md", "2024-01-02-x.md"], config) == []
