"""content.folder.translations: translations that seem to be missing, and suffixes that seem to be languages."""

from pathlib import PurePosixPath

import pytest

from contentsync.content.folder.misplaced import unknown_locale_problems
from contentsync.content.folder.scan import ContentFile
from contentsync.content.folder.translations import TranslationCoverage
from contentsync.errors import Problem, Severity, Where
from contentsync.model import Kind

LOCALES = ("en", "fr", "pt-BR")


def missing(translated: int, others: int, locales: tuple[str, ...] = LOCALES) -> list[Problem]:
    """Return the problems of a folder with these numbers of articles with and without French."""
    coverage = TranslationCoverage(locales)
    for number in range(translated):
        coverage.add(Kind.ARTICLE, f"articles/{number}.md", ["fr"])
    for number in range(others):
        coverage.add(Kind.ARTICLE, f"articles/x{number}.md", [])
    return list(coverage.problems())


def file(kind: Kind, path: str) -> ContentFile:
    return ContentFile(kind, path, path, PurePosixPath(path).suffix)


def suffixes(*paths: str, kind: Kind = Kind.ARTICLE, locales: tuple[str, ...] = LOCALES) -> list[Problem]:
    return list(unknown_locale_problems([file(kind, path) for path in paths], locales))


def test_missing_translations_are_one_warning_per_language() -> None:
    (problem,) = missing(9, 5)
    assert (problem.code, problem.severity, problem.kind) == ("missing-translation", Severity.WARNING, "article")
    assert problem.where == Where("articles/x0.md")
    assert problem.message == (
        "5 of 14 articles have no translation into 'fr': articles/x0.md, articles/x1.md, articles/x2.md and 2 more"
    )


def test_one_missing_translation_is_reported_in_the_singular() -> None:
    assert missing(2, 1)[0].message == "1 of 3 articles has no translation into 'fr': articles/x0.md"


@pytest.mark.parametrize(("translated", "others"), [(0, 5), (1, 1), (3, 3), (4, 0)])
def test_missing_translations_are_not_reported_unless_most_entries_have_one(translated: int, others: int) -> None:
    assert missing(translated, others) == []


def test_a_site_with_one_language_has_no_missing_translations() -> None:
    assert missing(9, 5, ("en",)) == []


def test_each_kind_and_language_is_counted_separately() -> None:
    coverage = TranslationCoverage(LOCALES)
    for name in "abc":
        coverage.add(Kind.ARTICLE, f"articles/{name}.md", ["fr"])
        coverage.add(Kind.ORGANIZER, f"organizers/{name}.md", ["fr", "pt-BR"] if name != "b" else ["fr"])
        coverage.add(Kind.PAGE, f"pages/{name}.md", ["fr"] if name != "b" else [])
    (problem,) = coverage.problems()
    assert problem.message == "1 of 3 organizers has no translation into 'pt-BR': organizers/b.md"


@pytest.mark.parametrize(
    ("suffix", "expected"),
    [("fe", "fr"), ("rf", "fr"), ("pt_BR", "pt-BR")],
)
def test_a_suffix_like_a_language_of_the_site_is_a_warning(suffix: str, expected: str) -> None:
    (problem,) = suffixes("articles/hello.md", f"articles/hello.{suffix}.md")
    assert (problem.code, problem.severity, problem.kind) == ("unknown-locale-suffix", Severity.WARNING, "article")
    assert problem.where == Where(f"articles/hello.{suffix}.md")
    assert "articles/hello.md" in problem.message
    assert problem.hint == f"did you mean '{expected}'?"


@pytest.mark.parametrize(("suffix", "locales"), [("de", LOCALES), ("de-AT", LOCALES), ("fr", ("en",))])
def test_a_suffix_like_a_new_language_suggests_to_add_the_language(suffix: str, locales: tuple[str, ...]) -> None:
    (problem,) = suffixes("articles/hello.html", f"articles/hello.{suffix}.md", locales=locales)
    assert problem.hint.startswith(f"add '{suffix}' to site.locales in contentsync.toml")


@pytest.mark.parametrize(
    "name",
    ["hello.fr", "hello.v1", "hello.js", "hello.old", "hello.fr.v2", "hello", "hello.2", "other.de", "hello.", ".de"],
)
def test_other_suffixes_are_part_of_the_name(name: str) -> None:
    assert suffixes("articles/hello.md", f"articles/{name}.md") == []


def test_suffixes_of_untranslated_kinds_are_not_checked() -> None:
    assert suffixes("pages/hello.md", "pages/hello.fe.md", kind=Kind.PAGE) == []
    assert suffixes("listings/a.yaml", "listings/a.fe.yaml", kind=Kind.LISTING) == []
