"""The reference of docs/reference/, made from the code; tests/test_reference.py holds the files to it."""

from collections.abc import Iterable, Sequence
from pathlib import Path

FOLDER = Path(__file__).parent.parent.parent / "docs/reference"

MADE = "<!-- Made from the code by `make reference`: change it there. -->"


def page(title: str, *paragraphs: str) -> str:
    """A whole page in Markdown."""
    return "\n\n".join([f"# {title}", MADE, *paragraphs]) + "\n"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table in Markdown; `|` in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
