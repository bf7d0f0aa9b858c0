"""contentsync.content.workers: many units over several processes give what one process gives."""

import gc
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from contentsync.content import load, survey
from contentsync.content.config import read_config
from contentsync.content.files.scan import scan
from contentsync.content.outline import Rest
from contentsync.content.reading import Reader
from contentsync.content.unit import Unit, units_of
from contentsync.content.workers import PAYS_FROM, read_units, without_collector
from contentsync.model import Kind

from .conftest import write

COUNT = PAYS_FROM + 50


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Enough files for several processes, one of them with a mistake, two of them the same."""
    files = {f"articles/a{number:04d}.md": f"---\ntitle: A {number}\n---\nText\n" for number in range(COUNT)}
    files["articles/a0007.md"] = "---\ntitel: A\n---\nText\n"
    files["articles/a0300.md"] = "---\ntitle: B\nslug: a0001\n---\nText\n"
    files["articles/a0301.fr.md"] = "---\ntitle: Un\n---\nTexte\n"
    return write(tmp_path / "site", files)


def units(folder: Path) -> tuple[Reader, Sequence[Unit]]:
    config, _ = read_config(folder)
    return Reader(config), units_of(scan(folder, config).files, config.site.locales)


def test_processes_give_what_one_process_gives_in_the_same_order(folder: Path) -> None:
    reader, all_units = units(folder)
    assert len(all_units) >= PAYS_FROM
    several = list(read_units(folder, reader, all_units, whole=True))
    alone: list[object] = []
    for place, unit in enumerate(all_units):
        alone += [(place, item) for _, item in read_units(folder, reader, [unit], whole=True)]
    assert several == alone


def test_a_table_is_read_while_its_rows_are_taken(folder: Path) -> None:
    """CS-22: beside any number of documents it is never in memory as a whole."""
    write(folder, {"listings/a.csv": "name\n" + "".join(f"Number {number}\n" for number in range(100_000))})
    reader, all_units = units(folder)
    table = next(place for place, unit in enumerate(all_units) if unit.kind is Kind.LISTING)
    items = (item for place, item in read_units(folder, reader, all_units, whole=False) if place == table)
    assert not isinstance(next(items), Rest)
    os.truncate(folder / "listings/a.csv", 500_000)
    rest = list(items)[-1]
    assert isinstance(rest, Rest)
    assert rest.problems[0][0] == "file-changed"


def test_a_large_folder_is_judged_as_a_whole(folder: Path) -> None:
    """FI-13"""
    content = load(folder)
    assert [(it.where.path, it.code) for it in content.problems] == [
        ("articles/a0007.md", "unknown-key"),
        ("articles/a0300.md", "duplicate-identity"),
    ]
    assert content.problems == survey(folder).problems
    assert content.counts == survey(folder).counts
    assert len(content.entries) == COUNT - 2
    entry = next(entry for entry in content.entries if entry.key == "a0301")
    assert entry.fields["translations"]["fr"]["title"] == "Un"
    assert entry.source is not None
    assert entry.source.where("translations.fr.title").path == "articles/a0301.fr.md"


def test_a_worker_that_is_killed_costs_only_time(folder: Path) -> None:
    reader, all_units = units(folder)
    expected = list(read_units(folder, reader, all_units, whole=False))
    killing = Killing(reader.config, killer=os.getpid())
    assert list(read_units(folder, killing, all_units, whole=False)) == expected


class Killing(Reader):
    """A reader that ends the process it is in, unless that is the one that made it."""

    __slots__ = ("killer",)

    def __init__(self, config: object, killer: int) -> None:
        super().__init__(config)  # type: ignore[arg-type]  # a config, from another reader
        self.killer = killer

    def drafts(self, *arguments: object) -> object:  # type: ignore[override]  # only passed on
        if os.getpid() != self.killer:
            os._exit(9)
        return super().drafts(*arguments)  # type: ignore[arg-type]  # as they came


def test_a_rest_says_what_could_not_be_read(tmp_path: Path) -> None:
    folder = write(tmp_path / "site", {"pages/a.md": "---\ntitle: A\n"})
    reader, all_units = units(folder)
    ((_, rest),) = read_units(folder, reader, all_units, whole=False)
    assert isinstance(rest, Rest)
    assert rest.incomplete
    assert rest.problems[0][0] == "unclosed-front-matter"


def test_the_collector_is_as_it_was_afterwards() -> None:
    assert gc.isenabled()
    with without_collector():
        assert not gc.isenabled()
    assert gc.isenabled()
