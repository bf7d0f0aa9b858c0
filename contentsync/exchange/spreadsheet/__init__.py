"""Listings as a spreadsheet: written by `export`, and read back by `import` (docs/spreadsheets.md)."""
