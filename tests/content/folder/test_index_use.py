"""contentsync.content.folder.index_use: a doubted file is read although it is unchanged."""

from contentsync.content.folder.index_use import WHOLE_INDEX, IndexUse
from contentsync.content.folder.scan import ContentFile
from contentsync.content.folder.translations import Unit
from contentsync.model import Kind


def unit(kind: Kind, *paths: str) -> Unit:
    return Unit(kind, tuple(ContentFile.at(kind, path) for path in paths))


PAGE = unit(Kind.PAGE, "pages/a.md", "pages/a.fr.md")
ARTICLE = unit(Kind.ARTICLE, "pages/a.md")


def test_the_whole_index_doubts_nothing() -> None:
    assert not WHOLE_INDEX.doubts(PAGE)


def test_a_unit_is_doubted_by_its_kind_and_first_path() -> None:
    doubting = IndexUse(doubted_units={PAGE.ref})
    assert doubting.doubts(PAGE)
    assert not doubting.doubts(ARTICLE)
    assert not doubting.doubts(unit(Kind.PAGE, "pages/a.fr.md"))


def test_all_units_of_a_doubted_kind_are_doubted() -> None:
    doubting = IndexUse(doubted_kinds={Kind.PAGE})
    assert doubting.doubts(PAGE)
    assert not doubting.doubts(ARTICLE)
