from contentsync.model import Kind
from contentsync.sync import UNKNOWN, Base, applied_of
from contentsync.sync.comparing.fingerprint import fingerprint

from ..entries import actual, desired


def test_a_line_remembers_each_field_under_its_dotted_name() -> None:
    article = desired(Kind.ARTICLE, "a", title="A", seo={"title": "S"}, translations={"fr": {"title": "T"}})
    assert applied_of(article).fields.keys() == {"title", "seo.title", "translations.fr.title"}


def test_a_field_that_the_server_keeps_otherwise_is_remembered_both_ways() -> None:
    line = applied_of(desired(Kind.PAGE, "a", title="Hello  World"), actual(Kind.PAGE, "a", 1, title="Hello World"))
    kept = line.kept("title")
    assert kept is not None
    assert kept.sent != kept.there


def test_a_field_that_means_the_same_there_is_remembered_once() -> None:
    line = applied_of(desired(Kind.PAGE, "a", title=" A "), actual(Kind.PAGE, "a", 1, title="A"))
    assert "/" not in line.fields["title"]


def test_no_value_stands_in_a_line() -> None:
    line = applied_of(desired(Kind.PAGE, "a", markdown="a secret", title="T"))
    assert "secret" not in repr(line)


def test_an_unknown_base_is_not_an_empty_one() -> None:
    assert not UNKNOWN.known
    assert Base.of([]).known


def test_a_base_with_something_recorded_is_known() -> None:
    assert UNKNOWN.changed([applied_of(desired(Kind.PAGE, "a"))]).known


def test_a_whole_number_is_one_number_however_it_is_written() -> None:
    line = applied_of(desired(Kind.LISTING, "a", latitude=5), actual(Kind.LISTING, "a", 1, latitude=5.0))
    assert line.fields["latitude"] == fingerprint(Kind.LISTING, "latitude", 5.0)
