"""contentsync.cli.wait_messages: the rate limit of a run, and where it comes from."""

import io

import pytest
from rich.console import Console

from contentsync.cli.wait_messages import wait_messages
from contentsync.content.config.config_tables import Target
from contentsync.remote import Pacer


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ([], "the default, until the server reports its limit"),
        ([{"content-type": "application/json"}], "the default, as the server reports no limit"),
        ([{"x-ratelimit-limit": "60"}], "the limit that the server reports"),
    ],
)
def test_a_missing_rate_limit_is_reported_only_after_a_response(headers: list[dict[str, str]], words: str) -> None:
    console = Console(file=io.StringIO(), width=200)
    pacer = Pacer()
    for each in headers:
        pacer.record_answer(pacer.try_acquire().at, each)
    wait_messages(Target(name="x", url="https://example.org", directory=1), pacer, console).on_pacing()
    assert isinstance(console.file, io.StringIO)
    assert words in console.file.getvalue()
