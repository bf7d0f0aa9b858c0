"""contentsync.cli.dev_session: the terminal output of dev."""

import re
from pathlib import Path

import pytest

from contentsync.cli.dev_session import DevLog
from contentsync.dev.mirror import SyncSummary
from contentsync.errors import Problem, Where

MISTAKE = Problem("unknown-key", "titel is not a known key", Where("articles/a.md", 2), "did you mean 'title'?")
ONCE = (r"articles/a\.md:2:1", "1 error: the site stays", r":\d\d fixed", r"1 change in 0\.10 s")

Captured = pytest.CaptureFixture[str]


def test_a_mistake_and_its_fix_are_each_reported_once(tmp_path: Path, capsys: Captured) -> None:
    log = DevLog(tmp_path)
    for news in (SyncSummary((MISTAKE,)), SyncSummary((MISTAKE,)), SyncSummary(write_count=1), SyncSummary()):
        log.log_update(news, 0.1)
    reported = capsys.readouterr().err
    assert [len(re.findall(words, reported)) for words in ONCE] == [1, 1, 1, 1]


def test_an_internal_error_is_reported_with_its_traceback(tmp_path: Path, capsys: Captured) -> None:
    DevLog(tmp_path).log_update(SyncSummary((MISTAKE,), changed=True, failure=ZeroDivisionError("unthought-of")), 0.1)
    assert "ZeroDivisionError: unthought-of" in capsys.readouterr().err
