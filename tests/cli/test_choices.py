from pathlib import Path

import pytest

from contentsync.cli.choices import absolute_folder, content_folder


def test_a_folder_that_is_to_last_is_named_from_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert content_folder(Path()) == Path()
    assert [absolute_folder(path) for path in (Path(), Path("site"), tmp_path)] == [
        tmp_path,
        tmp_path / "site",
        tmp_path,
    ]
