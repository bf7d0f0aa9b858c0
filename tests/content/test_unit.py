"""contentsync.content.unit: which files are read together."""

from contentsync.content.files.scan import ContentFile
from contentsync.content.unit import Unit, units_of
from contentsync.model import Kind


def file(kind: Kind, path: str) -> ContentFile:
    return ContentFile(kind, path, path, path[path.rindex(".") :])


def paths(units: list[Unit]) -> list[tuple[list[str], bool]]:
    return [([file.path for file in unit.files], unit.orphaned) for unit in units]


def test_a_file_comes_with_its_translations() -> None:
    names = ["articles/a.fr.md", "articles/a.md", "articles/a.nl.md", "articles/b.md", "organizers/a.md"]
    files = [file(Kind.ORGANIZER if name.startswith("o") else Kind.ARTICLE, name) for name in names]
    assert paths(units_of(files, ("en", "fr", "nl"))) == [
        (["articles/a.md", "articles/a.fr.md", "articles/a.nl.md"], False),
        (["articles/b.md"], False),
        (["organizers/a.md"], False),
    ]


def test_translations_without_their_file_are_orphans() -> None:
    files = [file(Kind.ARTICLE, "articles/a.fr.md"), file(Kind.ARTICLE, "articles/sub/a.md")]
    assert paths(units_of(files, ("en", "fr"))) == [(["articles/sub/a.md"], False), (["articles/a.fr.md"], True)]


def test_the_default_language_and_other_words_belong_to_no_other_file() -> None:
    files = [file(Kind.ARTICLE, f"articles/{name}.md") for name in ("a", "a.en", "a.v2")]
    assert [len(unit.files) for unit in units_of(files, ("en", "fr"))] == [1, 1, 1]


def test_pages_and_listings_have_no_translations() -> None:
    files = [file(Kind.PAGE, "pages/a.fr.md"), file(Kind.LISTING, "listings/a.fr.md"), file(Kind.PAGE, "pages/a.md")]
    assert [len(unit.files) for unit in units_of(files, ("en", "fr"))] == [1, 1, 1]
