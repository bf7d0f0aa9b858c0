"""Text where a value was expected (docs/content.md 3; docs/faults.md YA-08 to YA-14, CS-23, CS-24)."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contentsync.model.scalar import PlainScalar, parse_flag, parse_integer, parse_number, resolve_plain_scalar


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("42", 42), ("-7", -7), ("+4412", 4412), ("007", 7)])
def test_decimal_digits_are_an_integer(text: str, number: int) -> None:
    assert parse_integer(text) == number


@pytest.mark.parametrize("text", ["", "1.0", "1_000", "0x1F", "1e3", "12:30", " 1", "1\n", "٣", "one", "9" * 19, "--1"])
def test_another_text_is_not_an_integer(text: str) -> None:
    assert parse_integer(text) is None


@pytest.mark.parametrize(
    ("text", "number"), [("1", 1), ("1.5", 1.5), ("-0.25", -0.25), (".5", 0.5), ("1.", 1.0), ("1e3", 1000.0)]
)
def test_decimal_fractions_and_exponents_are_numbers(text: str, number: float) -> None:
    assert parse_number(text) == number


@pytest.mark.parametrize("text", ["0123456789012345678", "-1234567890123456789", "9" * 99])
def test_a_long_number_keeps_all_its_digits(text: str) -> None:
    assert parse_number(text) == int(text)


@pytest.mark.parametrize(
    "text", ["", ".", "40,7128", "1_0.5", "nan", ".nan", "inf", ".inf", "1e999", "0x1p3", "1e", "5%"]
)
def test_another_text_is_not_a_number(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize("text", ["true", "True", "TRUE", "yes", "Yes", "on", "1"])
def test_words_for_true(text: str) -> None:
    assert parse_flag(text) is True


@pytest.mark.parametrize("text", ["false", "FALSE", "no", "No", "off", "0"])
def test_words_for_false(text: str) -> None:
    assert parse_flag(text) is False


@pytest.mark.parametrize("text", ["", "x", "ja", "oui", "2", "y", "n", " true", "-1"])
def test_the_list_of_flag_words_is_closed(text: str) -> None:
    assert parse_flag(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", None),
        ("~", None),
        ("null", None),
        ("true", True),
        ("False", False),
        ("3", 3),
        ("1.5", 1.5),
        ("no", "no"),
        ("on", "on"),
        ("12:30", "12:30"),
        ("01234", "01234"),
        ("1_000", "1_000"),
        ("2026-01-01", "2026-01-01"),
        ("MIT", "MIT"),
        ("0", 0),
        ("-0", 0),
        ("0.5", 0.5),
        ("00", "00"),
        ("1e-1000", 0.0),
        ("nan", "nan"),
        ("Infinity", "Infinity"),
        (".iNf", ".iNf"),
    ],
)
def test_a_plain_scalar_of_a_json_field_follows_the_core_schema(text: str, value: object) -> None:
    resolved = resolve_plain_scalar(PlainScalar(text))
    assert resolved == value
    assert type(resolved) is type(value)


@pytest.mark.parametrize(
    "text",
    [".inf", "-.Inf", "+.INF", ".nan", ".NaN", ".NAN"],
)
def test_infinity_and_nan_are_not_read_as_text(text: str) -> None:
    """YA-13"""
    resolved = resolve_plain_scalar(PlainScalar(text))
    assert isinstance(resolved, float)
    assert not math.isfinite(resolved)


@pytest.mark.parametrize("text", ["1e999", "-1e1000", "9" * 400, "9" * 5000, "1" * 400 + ".5"])
def test_a_too_large_number_is_not_read_as_text(text: str) -> None:
    """YA-14"""
    with pytest.raises(OverflowError):
        resolve_plain_scalar(PlainScalar(text))


@given(st.integers(-(10**17), 10**17))
def test_every_integer_is_read_back(number: int) -> None:
    assert parse_integer(str(number)) == number
    assert parse_number(str(number)) == number
    assert resolve_plain_scalar(PlainScalar(number)) == number


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_every_finite_float_is_read_back(number: float) -> None:
    assert parse_number(repr(number)) == number


@given(st.text())
def test_resolving_any_text_gives_a_json_scalar(text: str) -> None:
    try:
        resolved = resolve_plain_scalar(PlainScalar(text))
    except OverflowError:
        return
    assert isinstance(resolved, str | int | float | bool | None)
