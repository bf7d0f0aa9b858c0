"""Draws the README's pictures (`make picture`): ten mistakes in one folder, and a plan that keeps an edit."""

from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from rich.console import Console
from rich.text import Text

from contentsync.cli.plan_command import show_plan
from contentsync.cli.target_connection import EMBEDDED_TARGET, target_address
from contentsync.content.folder.load import load_content, validate_folder
from contentsync.model import Entry, Kind
from contentsync.report.document_parts import Destination
from contentsync.report.problems import validation_text
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.planning.plan_builder import make_plan
from tests.end_to_end.test_ten_mistakes import MISTAKES, SOUND

ROOT = Path(__file__).parent.parent

# What the server has instead.
BEFORE: dict[tuple[Kind, str], dict[str, Any]] = {
    (Kind.PAGE, "about"): {"title": "About us"},
    (Kind.LISTING, "https://attic-scan.example.org"): {"is_featured": True, "tags": ["archives"]},
    (Kind.ARTICLE, "time-capsule-2030"): {"published_at": "2029-01-15T08:00:00.000000Z"},
}

# rich's own frame names a font on the web; the picture asks nobody for anything.
FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>{styles}
.{unique_id}-matrix {{ font: {char_height}px/{line_height}px ui-monospace, Menlo, Consolas, monospace; }}</style>
<defs><clipPath id="{unique_id}-clip-terminal"><rect width="{terminal_width}" height="{terminal_height}"/></clipPath>
{lines}</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}<g class="{unique_id}-matrix">
{matrix}</g></g>
</svg>
"""


def on_the_server(entry: Entry, id_: int) -> Entry:
    return replace(entry, id=id_, fields={**entry.fields, **BEFORE.get((entry.kind, entry.key), {})})


def console(command: str) -> Console:
    """A terminal that remembers what it shows, from the command on."""
    terminal = Console(record=True, width=118, file=StringIO(), force_terminal=True, color_system="truecolor")
    terminal.print(Text(f"$ contentsync {command}", "bold"))
    return terminal


def save(terminal: Console, name: str) -> None:
    terminal.save_svg(str(ROOT / f"docs/{name}.svg"), title="contentsync", code_format=FRAME, unique_id=name)


def draw_problems() -> None:
    with TemporaryDirectory() as folder:
        for path, data in {**SOUND, **{path: mistake[0] for path, mistake in MISTAKES.items()}}.items():
            file = Path(folder, path)
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(data)
        terminal = console("validate")
        terminal.print(validation_text(validate_folder(Path(folder)), terminal.width), end="")
        save(terminal, "problems")


def draw_plan() -> None:
    entries = load_content(ROOT / "content-example").entries
    there = [on_the_server(entry, id_) for id_, entry in enumerate(entries, 1)]
    # The article was changed there, the others here.
    was = [here if here.kind is Kind.ARTICLE else record for here, record in zip(entries, there, strict=True)]
    base = Base.from_entries(applied_entry(entry, replace(entry, id=id_)) for id_, entry in enumerate(was, 1))
    plan = make_plan(entries, there, base=base)
    terminal = console("plan content-example")
    show_plan(terminal, plan, Destination("local", target_address(EMBEDDED_TARGET), None), full=False, verbose=False)
    save(terminal, "plan")


draw_problems()
draw_plan()
