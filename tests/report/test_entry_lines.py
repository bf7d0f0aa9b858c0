import pytest

from contentsync.report.entry_lines import diff_of_texts

LONG = (
    "This paragraph has many words before the one that differs, as paragraphs in Markdown often are on one line, and "
)


@pytest.mark.parametrize(
    ("before", "after", "lines"),
    [
        ("a\nWe open on Monday.\nb", "a\nWe open on Tuesday.\nb", [" a", "~We open on [-Monday-]{+Tuesday+}.", " b"]),
        ("We open on Monday.", "We open on Monday, too.", ["~We open on Monday{+, too+}."]),
        ("We open early, on Monday.", "We open on Monday.", ["~We open[- early,-] on Monday."]),
        ("a\nb", "a\nb\nNew line.", [" b", "+New line."]),
        ("a\nOld line.\nb", "a\nb", [" a", "-Old line.", " b"]),
        ("Something else", "Nothing like it at all!", ["-Something else", "+Nothing like it at all!"]),
        ("a b\nc d", "a b c\nc d e\nf", ["-a b", "-c d", "+a b c", "+c d e", "+f"]),
        ("same", "same", []),
        ("", "one\ntwo", ["+one", "+two"]),
    ],
)
def test_texts_are_compared_by_words(before: str, after: str, lines: list[str]) -> None:
    assert [*diff_of_texts(before, after)] == lines


def test_a_long_changed_line_is_shortened_around_the_changed_words() -> None:
    (line,) = diff_of_texts(f"{LONG}old {LONG}", f"{LONG}new {LONG}")
    assert line == "~… are on one line, and [-old-]{+new+} This paragraph has many words before…"


def test_two_changed_parts_of_a_text_have_a_gap_between_them() -> None:
    middle = "\n".join(f"line {number}" for number in range(9))
    lines = [*diff_of_texts(f"one\n{middle}\ntwo", f"1\n{middle}\n2")]
    assert lines == ["-one", "+1", " line 0", "…", " line 8", "-two", "+2"]


def test_control_characters_in_a_text_are_escaped() -> None:
    assert [*diff_of_texts("a b c d \x1b[31m", "a b c e \x1b[31m")] == ["~a b c [-d-]{+e+} \\x1b[31m"]


def test_very_long_lines_are_not_compared_by_words() -> None:
    assert len([*diff_of_texts("word " * 3_000 + "old", "word " * 3_000 + "new")]) == 2
