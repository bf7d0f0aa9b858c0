"""contentsync.content.batch: what many units hold, in columns."""

from contentsync.content.batch import Batch, Held
from contentsync.content.files.scan import ContentFile
from contentsync.content.files.source_file import Stamp
from contentsync.content.reading import Found
from contentsync.content.survey import problem_row
from contentsync.content.unit import Unit
from contentsync.errors import Problem, Where
from contentsync.model import Kind

STAMP = Stamp(10, 30, 20, 7)


def unit(*paths: str) -> Unit:
    return Unit(Kind.ARTICLE, tuple(ContentFile(Kind.ARTICLE, path, path, ".md") for path in paths))


def batch() -> Batch:
    """A document with nothing to say, one with a language, and one that could not be opened."""
    made = Batch.empty()
    made.add(unit("a.md"), [["a", 1]], Found(stamps=[STAMP]))
    made.add(unit("b.md", "b.fr.md"), [["b", 1, [], None, ["fr"]]], Found(stamps=[STAMP, Stamp(1, 2, 40, 8)]))
    made.add(unit("c.md"), [], Found([Problem("gone", "has gone", Where("c.md"))], incomplete=True))
    return made


def test_a_document_with_nothing_to_say_is_its_key() -> None:
    assert batch().held[0] == "a"


def test_what_has_more_to_say_keeps_its_rows_and_problems() -> None:
    _, translated, gone = (held if isinstance(held, str) else Held(*held) for held in batch().held)
    assert translated == Held([["b", 1, [], None, ["fr"]]], [], False)
    assert gone == Held([], [problem_row(Problem("gone", "has gone", Where("c.md")))], True)


def test_an_entry_without_a_key_is_not_taken_for_one_with_nothing_to_say() -> None:
    made = Batch.empty()
    made.add(unit("a.md"), [["", 1]], Found(stamps=[STAMP]))
    assert Held(*made.held[0]).rows == [["", 1]]


def test_a_warning_of_the_file_is_not_lost() -> None:
    made = Batch.empty()
    made.add(unit("a.md"), [["a", 1]], Found([Problem("odd", "is odd", Where("a.md"))], stamps=[STAMP]))
    assert Held(*made.held[0]).problems[0][0] == "odd"


def test_stamps_are_of_all_files_or_none() -> None:
    assert batch().names == ["a.md", "b.md\nb.fr.md", "c.md"]
    assert batch().stamps == ["10 30 20 7", "10 30 20 7\n1 2 40 8", ""]
    assert batch().changed == [30, 40, 0]


def test_json_brings_it_back_in_one_line() -> None:
    data = batch().dumps()
    assert b"\n" not in data
    assert Batch.of(data) == batch()


def test_a_choice_of_all_units_is_the_batch_itself() -> None:
    made = batch()
    assert made.only([True, True, True]) is made
    assert made.only([False, True, False]).names == ["b.md\nb.fr.md"]


def test_parts_together_are_the_whole() -> None:
    together = Batch.empty()
    for part in batch().parts(2):
        assert len(part.names) <= 2
        together.extend(part)
    assert together == batch()
