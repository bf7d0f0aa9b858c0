"""Workbooks with few spare rows."""

import pytest


@pytest.fixture(autouse=True)
def few_spare_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Export 10 spare rows in place of 500, which take nine tenths of the time to write and read a workbook."""
    monkeypatch.setattr("contentsync.exchange.spreadsheet.workbook_file.SPARE_ROWS", 10)
