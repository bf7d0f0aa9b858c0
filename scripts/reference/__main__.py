"""Writes docs/reference/ anew: `make reference`."""

from . import FOLDER
from .pages import PAGES

FOLDER.mkdir(exist_ok=True)
for name, make in PAGES.items():
    (FOLDER / name).write_text(make(), encoding="utf-8")
