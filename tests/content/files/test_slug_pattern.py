"""contentsync.content.files.slug_pattern: slugs from the parts of a file name and a date."""

from contentsync.content.files.file_names import FileName
from contentsync.content.files.slug_pattern import SlugSource


def test_a_one_digit_month_is_padded_in_a_slug() -> None:
    source = SlugSource(FileName("pages/a", "a", None, None), "2026-3-1 9:00")
    assert source.make("{year}{month}{day}-{name}") == "20260301-a"
