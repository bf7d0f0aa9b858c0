from pathlib import Path

import pytest

from contentsync.content.files.content_folder import find_folder
from contentsync.errors import UsageError


def test_the_content_folder_is_found_in_a_parent_folder(tmp_path: Path) -> None:
    inner = tmp_path / "pages" / "deep"
    inner.mkdir(parents=True)
    (tmp_path / "contentsync.toml").write_text("")
    assert find_folder(inner) == find_folder(tmp_path) == tmp_path


def test_a_missing_content_folder_is_a_usage_error_with_a_hint(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as raised:
        find_folder(tmp_path)
    assert "contentsync.toml" in raised.value.hint
