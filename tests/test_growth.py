"""The work of commands that write files grows evenly with the entries: by counts, and never by durations.

An entry of a list must not cost a look at all others, nor a copy of the whole text, nor another read of its file.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.load import Content, load_content
from contentsync.model import Entry, Kind
from contentsync.model.assignments import parse_assignments
from contentsync.model.named_fields import FieldNames
from contentsync.sync.comparing.base import UNKNOWN_BASE
from contentsync.sync.planning.plan import Selection
from contentsync.sync.planning.pull import PullPlan, plan_pull

from .content.conftest import Files, write
from .counted import import_counted
from .growth import uneven_work
from .hooks.repositories import Tree

FEW, MANY = (8, 52), (100, 1_000, 5_000)  # the least that shows half of a square, beside PER_ENTRY of growth.py
SHARED = {
    "contentsync.toml": '[site]\nname = "Test"\n\n[[markdown.replace]]\nfind = "@@"\nreplace = "at"\n',
    "categories.yaml": "- {title: Tools, slug: tools}\n- {title: More, slug: more}\n",
    "tags.yaml": "- {title: Older, slug: old}\n",
    "articles/a.md": "---\ntitle: A\n---\nText.\n",
}

FAULTY = 4  # of so many listings, one cannot be written

Row = Mapping[str, Any]


def rows(size: int) -> list[dict[str, Any]]:
    """Return listings whose first category is to be replaced by several, in a key of another name."""
    return [
        {
            "name": f"Listing {number}",
            "slug": f"listing-{number}",
            "url": f"https://example.org/{number}",
            "description": f"Old words {number}",
            "category_id": "tools",
            "tags": ["old"],
            "content": "See [a](../articles/a.md).",
        }
        for number in range(size)
    ]


def lines(row: Row, equals: str) -> list[str]:
    return [f"{name}{equals}{json.dumps(value)}  # {name}\n" for name, value in row.items()]


def items(row: Row, indent: str) -> str:
    first, *others = lines(row, ": ")
    return f"{indent}- {first}" + "".join(f"{indent}  {line}" for line in others)


def table(rows: list[dict[str, Any]], category: str) -> Files:
    header = ",".join(rows[0]).replace("category_id", category)
    cells = (",".join(value[0] if isinstance(value, list) else value for value in row.values()) for row in rows)
    return {"listings/a.csv": "\n".join([header, *cells, ""])}


def documents(fence: str, equals: str) -> Callable[[list[dict[str, Any]]], Files]:
    def files(rows: list[dict[str, Any]]) -> Files:
        bodies = [row.pop("content") for row in rows]
        return {
            f"listings/{row['slug']}.md": f"{fence}\n{''.join(lines(row, equals))}{fence}\n\n{body}\n"
            for row, body in zip(rows, bodies, strict=True)
        }

    return files


NEW_COLUMN = "CSV with a new column"
FORMATS: Mapping[str, Callable[[list[dict[str, Any]]], Files]] = {
    "CSV": lambda rows: table(rows, category="categories"),
    NEW_COLUMN: lambda rows: table(rows, category="category_id"),
    "JSON": lambda rows: {"listings/a.json": json.dumps(rows, indent=2)},
    "JSON on one line": lambda rows: {"listings/a.json": json.dumps(rows)},
    "YAML": lambda rows: {"listings/a.yaml": "".join(items(row, "") for row in rows)},
    "YAML on one line": lambda rows: {"listings/a.yaml": json.dumps(rows)},
    "indented YAML": lambda rows: {"listings/a.yaml": "".join(items(row, "  ") for row in rows)},
    "TOML": lambda rows: {"listings/a.toml": "".join("\n[[listings]]\n" + "".join(lines(row, " = ")) for row in rows)},
    "YAML front matter": documents("---", ": "),
    "TOML front matter": documents("+++", " = "),
}


class Sites:
    """Content folders of any size in one format."""

    def __init__(self, home: Path, format_: str) -> None:
        self._home = home
        self._format = format_
        self._count = 0

    def folder(self, size: int) -> Path:
        self._count += 1
        return write(self._home / f"{self._count}/site", {**SHARED, **FORMATS[self._format](rows(size))})

    def content(self, size: int) -> Content:
        content = load_content(self.folder(size), single_process=True)
        assert not content.errors, content.errors[:3]
        return content


@pytest.fixture
def sites(tmp_path: Path, format_: str) -> Sites:
    return Sites(tmp_path, format_)


def pull_plan(content: Content, faults: Sequence[Row] = ({},), *more: Entry) -> PullPlan:
    """Return the plan of a pull that changes two values of each listing, and adds one of the faults to some of them.

    A text of a fault gets the number of the listing. The server also has the entries `more`.
    """
    there: list[Entry] = []
    listings = count()
    for entry in content.entries:
        fields = dict(entry.fields)
        if entry.kind is Kind.LISTING:
            number = next(listings)
            fields |= {"description": f"New longer words {number}", "categories": ["tools", "more"]}
            fault = {} if number % FAULTY else faults[number // FAULTY % len(faults)]
            fields |= {name: f"{value}{number}" if isinstance(value, str) else value for name, value in fault.items()}
        there.append(Entry(entry.kind, entry.key, fields, id=len(there)))
    return plan_pull(content.entries, [*there, *more], UNKNOWN_BASE, Selection(), locales=())


def of_each_format(*sample: str) -> pytest.MarkDecorator:
    """Run a test with few listings in the sampled formats, and with many in all formats (`make test-whole`)."""
    few = [pytest.param(format_, FEW, id=f"few in {format_}") for format_ in sample]
    many = [pytest.param(format_, MANY, id=f"many in {format_}", marks=pytest.mark.whole) for format_ in FORMATS]
    return pytest.mark.parametrize(("format_", "sizes"), [*few, *many])


@of_each_format(*FORMATS)
def test_the_work_of_a_pull_grows_evenly(sites: Sites, sizes: tuple[int, ...]) -> None:
    pull_edits = import_counted("authoring.edit.pull_edits")

    def prepare(size: int) -> Callable[[], object]:
        content = sites.content(size)

        def pull() -> None:
            edits = pull_edits.plan_edits(content, pull_plan(content).incoming)
            assert sum(edit.after.count(b"New longer") for edit in edits) == size
            pull_edits.apply_edits(content.folder, edits)

        return pull

    assert uneven_work(prepare, sizes) == {}


@of_each_format("CSV")
def test_the_work_of_a_pull_of_a_changed_key_grows_evenly_with_its_references(
    sites: Sites, sizes: tuple[int, ...]
) -> None:
    pull_edits = import_counted("authoring.edit.pull_edits")
    tag = (Kind.TAG, "old")

    def prepare(size: int) -> Callable[[], object]:
        content = sites.content(size)
        changes = pull_plan(content).incoming
        records = {**changes.server_entries, tag: replace(changes.server_entries[tag], key="fresh")}
        with_tag = replace(changes, changes={tag: {"slug": "fresh"}, **changes.changes}, server_entries=records)

        def pull() -> None:
            edits = pull_edits.plan_edits(content, with_tag)
            assert sum(edit.after.count(b"fresh") for edit in edits) == size + 1

        return pull

    assert uneven_work(prepare, sizes) == {}


@of_each_format(*FORMATS)
def test_the_work_of_removing_entries_grows_evenly(sites: Sites, sizes: tuple[int, ...]) -> None:
    pull_edits = import_counted("authoring.edit.pull_edits")

    def prepare(size: int) -> Callable[[], object]:
        content = sites.content(size)
        deleted = [(Kind.LISTING, f"https://example.org/{number}") for number in range(0, size, 2)]

        def remove() -> None:
            edits = pull_edits.plan_edits(content, replace(pull_plan(content).incoming, changes={}, deleted=deleted))
            assert sum((edit.after or b"").count(b"Old words") - edit.before.count(b"Old words") for edit in edits) == (
                -len(deleted)
            )
            pull_edits.apply_edits(content.folder, edits)

        return remove

    assert uneven_work(prepare, sizes) == {}


@of_each_format("CSV", "JSON", "YAML", "TOML")
def test_the_work_of_an_import_grows_evenly(sites: Sites, sizes: tuple[int, ...]) -> None:
    sheets = import_counted("exchange.spreadsheet.sheet")
    imports = import_counted("exchange.spreadsheet.import_plan")
    pull_edits = import_counted("authoring.edit.pull_edits")

    def prepare(size: int) -> Callable[[], object]:
        content = sites.content(size)

        def import_() -> None:
            present, types = sheets.make_sheet(content), sheets.column_types(content)
            changed = [row._replace(cells={**row.cells, "description": "New longer words"}) for row in present.rows]
            changes = imports.compare_sheet(present._replace(rows=changed), present, types, "x.csv")
            plan = imports.plan_import(content, changes, present, "x.csv")
            assert len(plan.changes) == size
            pull_edits.apply_edits(content.folder, plan.edits)

        return import_

    assert uneven_work(prepare, sizes) == {}


@of_each_format("CSV", "JSON", "YAML", "TOML")
def test_the_work_of_a_set_grows_evenly(sites: Sites, sizes: tuple[int, ...]) -> None:
    set_plans = import_counted("authoring.edit.set_plan")

    def prepare(size: int) -> Callable[[], object]:
        content = sites.content(size)
        found = [entry for entry in content.entries if entry.kind is Kind.LISTING]
        assignments = parse_assignments(["description=New longer words"], (), FieldNames(Kind.LISTING))

        def set_() -> None:
            assert len(set_plans.plan_set(content, Kind.LISTING, found, assignments).changes) == size

        return set_

    assert uneven_work(prepare, sizes) == {}


@of_each_format("CSV", "JSON", "YAML", "TOML")
def test_the_work_of_a_proposal_grows_evenly(sites: Sites, sizes: tuple[int, ...]) -> None:
    entry_writer = import_counted("exchange.entry_writer")

    def prepare(size: int) -> Callable[[], object]:
        content = sites.content(size)
        changes = pull_plan(content).incoming

        def write_entries() -> None:
            assert entry_writer.write_entries(content, changes).left_out == ()

        return write_entries

    assert uneven_work(prepare, sizes) == {}


@of_each_format("CSV", NEW_COLUMN, "YAML", "YAML front matter")
def test_the_work_of_a_proposal_grows_evenly_with_its_left_out_entries(
    sites: Sites, format_: str, sizes: tuple[int, ...]
) -> None:
    entry_writer = import_counted("exchange.entry_writer")
    in_table = {"name": "=1+"} if "CSV" in format_ else {}
    faults: list[Row] = [{"email": "no address ", **in_table}, {"content": "@@"}, {"url": "no address "}]
    if format_ != NEW_COLUMN:  # which gets the category of each row, also of one that is left out
        faults += [{"categories": ["faulty"]}, {"categories": ["unknown"]}]
    category = Entry(Kind.CATEGORY, "faulty", {"slug": "faulty", "title": ""}, id=1_000_000)

    def prepare(size: int) -> Callable[[], object]:
        content = sites.content(size)
        changes = pull_plan(content, faults, category).incoming

        def write_entries() -> None:
            written = entry_writer.write_entries(content, changes)
            assert len(written.left_out) == len([*range(0, size, FAULTY), category])
            assert sum("New longer" in str(entry.fields) for entry in written.content.entries) == size * 3 // 4

        return write_entries

    assert uneven_work(prepare, sizes) == {}


@of_each_format("CSV", "JSON", "YAML", "TOML")
def test_the_work_of_a_rename_grows_evenly_with_its_references(sites: Sites, sizes: tuple[int, ...]) -> None:
    check_rename(sites, sizes, "tag/old")


@of_each_format("YAML", "YAML front matter")
def test_the_work_of_a_rename_grows_evenly_with_its_links(sites: Sites, sizes: tuple[int, ...]) -> None:
    check_rename(sites, sizes, "article/a")


def check_rename(sites: Sites, sizes: tuple[int, ...], name: str) -> None:
    rename_plan = import_counted("authoring.rename.rename_plan")

    def prepare(size: int) -> Callable[[], object]:
        folder = sites.folder(size)

        def rename() -> None:
            plan = rename_plan.plan_rename(folder, name, "fresh", folder)
            assert sum(changed.links + changed.references for changed in plan.changed) >= size
            rename_plan.apply_rename(plan)

        return rename

    assert uneven_work(prepare, sizes) == {}


@of_each_format("YAML")
def test_the_work_of_finding_contested_fields_grows_evenly(sites: Sites, sizes: tuple[int, ...]) -> None:
    check_contested_fields(sites, sizes, lambda tree: None)


@pytest.mark.parametrize("format_", ["YAML", "YAML front matter"])
def test_the_work_of_finding_contested_fields_grows_evenly_after_a_move(sites: Sites) -> None:
    """A few listings, because git runs several times for each document."""
    check_contested_fields(sites, (3, 30), move_listings)


def move_listings(tree: Tree) -> None:
    """Move all files of listings, which changes their URLs."""
    for file in sorted(tree.path.glob("listings/*")):
        moved = tree.write(f"listings/moved/{file.name}", file.read_text().replace("https://", "https://www."))
        assert moved.stat().st_size > file.stat().st_size
        file.unlink()
    tree.git("add", "--all")
    assert tree.commit().returncode == 0


def check_contested_fields(sites: Sites, sizes: tuple[int, ...], change: Callable[[Tree], None]) -> None:
    proposal = import_counted("exchange.proposal.proposal")

    def prepare(size: int) -> Callable[[], object]:
        folder = sites.folder(size)
        tree = Tree(folder)
        tree.git("init", "--quiet")
        tree.git("add", ".")
        assert tree.commit().returncode == 0
        change(tree)
        content = load_content(folder, single_process=True)
        changes = pull_plan(content).incoming.changes
        assert len(changes) >= size
        return lambda: proposal.contested_fields(folder, content.config, content.entries, changes)

    assert uneven_work(prepare, sizes) == {}
