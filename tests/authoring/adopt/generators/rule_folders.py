"""A small folder for each rule of a generator, in a text file, and the entries that the generator shows.

A line such as `=== pages/a.md` begins a file. MARK in a file becomes a word that only this file has.
"""

import json
import re
from functools import cache
from pathlib import Path

from ..repositories import Files

FOLDER = Path(__file__).parent
EXPECTED = FOLDER / "expected.json"  # by rule: the entries that are shown, and what said so
RULES = tuple(sorted(f"{path.parent.name}/{path.stem}" for path in FOLDER.glob("*/*.txt")))


def mark(path: str) -> str:
    """Return the word that stands for a file in what a generator builds."""
    return "mark" + re.sub(r"[^a-z0-9]", lambda match: f"x{ord(match[0])}x", path.lower())


def files_of(rule: str) -> Files:
    """Return the files of a rule's folder, with their marks."""
    _, *parts = re.split(r"^=== (.+)\n", (FOLDER / f"{rule}.txt").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {path: text.replace("MARK", mark(path)) for path, text in zip(parts[::2], parts[1::2], strict=True)}


@cache
def shown(rule: str) -> frozenset[str]:
    """Return the paths of the entries that the generator shows."""
    return frozenset(json.loads(EXPECTED.read_text(encoding="utf-8"))[rule]["shown"])
