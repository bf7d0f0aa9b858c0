"""contentsync.cli.option_types: what is said about a value that cannot be read."""

import pytest

from contentsync.cli import run


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("plan --on-drift nope", "--on-drift: 'nope' is not one of 'overwrite', 'keep', 'fail'"),
        ("plan --allow-deletes few", "--allow-deletes must be a whole number, not 'few'"),
        ("sync --concurrency 0", "--concurrency must be at least 1, not '0'"),
        ("serve --port 70000", "--port must be at most 65535, not '70000'"),
        ("validate a\0b", "PATH: embedded null byte"),
        ("new", "Missing argument 'KIND'."),
        ("plan --nope", "No such option: --nope"),
    ],
)
def test_a_usage_error_says_what_was_expected(words: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words.split(" ")) == 64
    assert capsys.readouterr().err.startswith(f"contentsync: {message}")


@pytest.mark.parametrize(
    ("words", "command"),
    [("plan --nope", "contentsync plan"), ("admin user create", "contentsync admin user create"), ("x", "contentsync")],
)
def test_a_usage_error_names_the_help_of_the_command(
    words: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words.split(" ")) == 64
    assert capsys.readouterr().err.endswith(f"\n  see {command} --help\n")
