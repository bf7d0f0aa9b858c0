"""Moments as generators write them, read from each format: model/scalar.py decides, and no reader before it."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.content.entry.validation import validate_draft
from contentsync.content.formats.draft import Draft
from contentsync.content.formats.front_matter import read_document
from contentsync.content.formats.table_reader import read_table
from contentsync.content.formats.table_rows import TableFormat
from contentsync.content.formats.yaml_reader import read_mappings
from contentsync.model import Context, Kind
from contentsync.model.scalar import instant_text

from ..conftest import Load, only


class Written(NamedTuple):
    """A timestamp as text in a file, and its moment."""

    text: str
    moment: datetime


@st.composite
def timestamps(draw: st.DrawFn) -> Written:
    """Return every form of YAML 1.1 with a time, and those of Ruby, Go and JavaScript."""
    at = draw(st.datetimes(datetime(1971, 1, 3), datetime(2099, 12, 29)))
    day = draw(st.sampled_from([f"{at:%Y-%m-%d}", f"{at.year}-{at.month}-{at.day}"]))
    hour = draw(st.sampled_from([f"{at:%H}", str(at.hour)]))
    digits = draw(st.integers(0, 9))
    fraction = f"{at.microsecond:06}{draw(st.integers(0, 999)):03}"[:digits]
    at = at.replace(microsecond=int(f"{fraction:0<6}"[:6]))
    between = draw(st.sampled_from(["T", "t", " ", "  "]))
    clock = f"{hour}:{at:%M:%S}{'.' if fraction else ''}{fraction}"
    minutes = draw(st.integers(-14 * 60, 14 * 60))
    zone, written = draw(st.sampled_from(list(zones(minutes))))
    blank = draw(st.sampled_from(["", " ", "  "])) if written else ""
    return Written(f"{day}{between}{clock}{blank}{written}", at.replace(tzinfo=zone))


def zones(minutes: int) -> Iterator[tuple[timezone, str]]:
    """Yield the forms of an offset, each with its zone."""
    yield from ((UTC, name) for name in ("", "Z", "z", "UTC", "+00:00", "+0000", "-00:00", "+0"))
    sign, (hours, rest) = "-" if minutes < 0 else "+", divmod(abs(minutes), 60)
    zone = timezone(timedelta(minutes=minutes))
    yield from ((zone, f"{sign}{form}") for form in (f"{hours:02}:{rest:02}", f"{hours:02}{rest:02}"))
    whole = timezone(timedelta(hours=-hours if minutes < 0 else hours))
    yield from ((whole, f"{sign}{form}") for form in (str(hours), f"{hours:02}"))


def front_matter(text: str) -> Draft:
    return read_document(f"---\ntitle: A\npublished_at: {text}\nmarkdown: Text\n---\n", Kind.ARTICLE, "a.md")


def slow_front_matter(text: str) -> Draft:
    """Read by libyaml, as the text over two lines is not plain."""
    document = f"---\ntitle: A\npublished_at: {text}\nmarkdown: >\n  More\n  text\n---\n"
    return read_document(document, Kind.ARTICLE, "a.md")


def toml_text(text: str) -> Draft:
    document = f'+++\ntitle = "A"\npublished_at = "{text}"\nmarkdown = "Text"\n+++\n'
    return read_document(document, Kind.ARTICLE, "a.md")


def listed(text: str) -> Draft:
    return first(read_mappings(f"- name: A\n  starts_at: {text}\n", Kind.LISTING, "a.yaml"))


def cell(text: str) -> Draft:
    return first(read_table([f"name,starts_at\nA,{text}\n"], Kind.LISTING, "a.csv", TableFormat(delimiter=",")))


def first(found: Iterator[object]) -> Draft:
    draft = next(found)
    assert isinstance(draft, Draft)
    return draft


READERS = [front_matter, slow_front_matter, toml_text, listed, cell]


@given(timestamps())
def test_a_timestamp_of_any_generator_is_the_same_in_each_format(written: Written) -> None:
    for read in READERS:
        draft = read(written.text)
        validate_draft(draft, Context(authored=True), fields_known=True)
        name = "published_at" if draft.kind is Kind.ARTICLE else "starts_at"
        assert (draft.problems, draft.values.get(name)) == ([], instant_text(written.moment)), read


@given(st.datetimes(datetime(1971, 1, 1), datetime(2099, 12, 29), timezones=st.just(UTC)))
def test_a_native_toml_date_equals_its_text(moment: datetime) -> None:
    for text in (moment.isoformat(), moment.isoformat(" ")):
        document = f'+++\ntitle = "A"\npublished_at = {text}\nmarkdown = "Text"\n+++\n'
        draft = read_document(document, Kind.ARTICLE, "a.md")
        validate_draft(draft, Context(authored=True), fields_known=True)
        assert draft.values["published_at"] == instant_text(moment)


@pytest.mark.parametrize(
    "text",
    [
        "2012-05-12 22:42:13.123456789 -04:00",  # Ruby's to_yaml
        "2015-02-01 08:17:10 UTC",  # Ruby's to_s
        "2013-09-29 9:05:00 -0400",  # Octopress, by hand
        "2016-02-14T16:11:58+0100",  # strftime
    ],
)
def test_dates_of_real_folders_are_valid(text: str, read: Load) -> None:
    assert only(read({"articles/a.md": f"---\ntitle: A\npublished_at: {text}\n---\nText\n"}))
