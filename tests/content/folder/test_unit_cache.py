"""contentsync.content.folder.unit_cache: a cached result equals that of reading, or it is not used."""

import os
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from contentsync.content.files.source_file import FolderView
from contentsync.content.folder.entry_reader import EntryReader
from contentsync.content.folder.folder_reader import FolderReader
from contentsync.content.folder.load import Content, load_content
from contentsync.content.folder.unit_cache import InMemoryCache, UnitCache
from contentsync.content.formats.table_rows import SyncedRows
from contentsync.model import Entry

from ...sampling import sampled
from ..conftest import write

FILES = {
    "categories.yaml": "- slug: tools\n  title: Tools\n",
    "listings/all.csv": "name,url,categories\nSaw,https://saw.example,tools\nAxe,https://axe.example,Tools\n",
    "articles/a.md": "---\ntitle: A\n---\n\nText of a.\n",
    "articles/a.fr.md": "---\ntitle: Un\n---\n\nTexte.\n",
    "articles/b.md": "---\ntitle: B\n---\n\nText of b.\n",
    "pages/about.md": "---\ntitle: About\n---\n",
}


@pytest.fixture
def cache() -> InMemoryCache:
    """Return a cache without the margin for a coarse clock, because the files of tests are new."""
    return InMemoryCache(margin=0)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that collects the files that are read from now on."""
    paths: list[str] = []
    read = EntryReader.read_entries

    def noted(reader: EntryReader, unit: object, *rest: object, **options: object) -> object:
        paths.extend(file.path for file in unit.files)  # type: ignore[attr-defined]  # a Unit
        return read(reader, unit, *rest, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(EntryReader, "read_entries", noted)
    return paths


def plain(content: Content) -> object:
    """Return all that a caller can read from the content."""
    return content.problems, content.files, content.counts, [seen(entry) for entry in content.entries]


def seen(entry: Entry) -> object:
    source = entry.source
    assert source is not None
    return entry, source.path, source.line, {name: source.where(name) for name in ("", *entry.fields)}


def test_a_second_load_reads_only_the_changed_file(tmp_path: Path, cache: InMemoryCache, opened: list[str]) -> None:
    folder = write(tmp_path, FILES)
    load_content(folder, cache)
    (folder / "articles/b.md").write_text("---\ntitle: Better\n---\n")
    opened.clear()
    content = load_content(folder, cache)
    assert opened == ["categories.yaml", "articles/b.md"]  # what others are named by is always read
    assert plain(content) == plain(load_content(folder))


def test_kinds_that_depend_on_the_same_share_no_results(
    tmp_path: Path, cache: InMemoryCache, opened: list[str]
) -> None:
    organizer = "---\nname: Acme\n---\n"
    folder = write(tmp_path, {"organizers/acme.md": organizer, "pages/about.md": FILES["pages/about.md"]})
    load_content(folder, cache)
    opened.clear()
    content = load_content(folder, cache)
    assert opened == []
    assert plain(content) == plain(load_content(folder))


def test_a_changed_translation_is_read_again_with_its_entry(
    tmp_path: Path, cache: InMemoryCache, opened: list[str]
) -> None:
    folder = write(tmp_path, FILES)
    load_content(folder, cache)
    (folder / "articles/a.fr.md").write_text("---\ntitle: Deux\n---\n\nTexte.\n")
    opened.clear()
    content = load_content(folder, cache)
    assert opened == ["categories.yaml", "articles/a.md", "articles/a.fr.md"]
    assert plain(content) == plain(load_content(folder))


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("contentsync.toml", "[content.articles]\nrename = { heading = 'title' }\n"),
        ("custom_fields.yaml", "- {name: colour, label: Colour, type: text}\n"),
        ("custom_fields.yaml", "- {name: colour, label: Colour, type: paint}\n"),
        ("custom_fields.yaml", "- {\n"),
        ("categories.yaml", "- slug: tools\n  title: Tools\n- 5\n"),
    ],
    ids=["a setting", "a custom field", "a wrong custom field", "a mistake in the fields", "a mistake in a category"],
)
def test_unchanged_files_are_read_again_if_their_results_depend_on_a_change(
    tmp_path: Path, cache: InMemoryCache, path: str, text: str
) -> None:
    table = "name,url,categories,colour\nSaw,https://saw.example,unknown,red\n"
    folder = write(tmp_path, FILES | {"articles/c.md": "---\nheading: C\n---\n", "listings/other.csv": table})
    load_content(folder, cache)
    write(folder, {path: text})
    assert plain(load_content(folder, cache)) == plain(load_content(folder))


@pytest.mark.parametrize("report", [None, {}], ids=["temporary problem", "nothing loaded"])
def test_a_run_leaves_no_results_of_an_earlier_one(
    tmp_path: Path, cache: InMemoryCache, opened: list[str], report: dict[str, object] | None
) -> None:
    folder = write(tmp_path, FILES)
    load_content(folder, cache)
    cache.begin(folder).save(report)
    opened.clear()
    load_content(folder, cache)
    assert {"articles/a.md", "articles/b.md"} <= {*opened}


def test_a_run_with_a_temporary_problem_leaves_no_results(
    tmp_path: Path, cache: InMemoryCache, opened: list[str]
) -> None:
    folder = write(tmp_path, FILES)
    load_content(folder, cache)
    cache.save(None)
    opened.clear()
    load_content(folder, cache)
    assert {"articles/a.md", "articles/b.md"} <= {*opened}


def test_a_mistake_in_a_table_causes_no_article_to_be_read_again(
    tmp_path: Path, cache: InMemoryCache, opened: list[str]
) -> None:
    folder = write(tmp_path, FILES)
    load_content(folder, cache)
    (folder / "listings/all.csv").write_text('name,url\nSaw,"https://saw.example\n')
    opened.clear()
    content = load_content(folder, cache)
    assert [problem.code for problem in content.errors] == ["unclosed-quote"]
    assert set(opened) == {"categories.yaml", "listings/all.csv"}


def test_a_table_without_its_skipped_rows_is_not_cached(tmp_path: Path, cache: InMemoryCache) -> None:
    """Its listings would look deleted."""
    folder = write(tmp_path, FILES)
    rows = SyncedRows()
    listings = load_content(folder, cache, synced=rows).counts["listing"]
    skipping = load_content(folder, cache, synced=SyncedRows({*rows.others.values()}))
    whole = load_content(folder, cache, synced=SyncedRows())
    assert (skipping.counts["listing"], whole.counts["listing"]) == (0, listings)


def test_a_file_saved_shortly_before_is_read_again(tmp_path: Path, opened: list[str]) -> None:
    """Another save within one tick of the file system's clock would leave the same stamp."""
    folder, cache = write(tmp_path, FILES), InMemoryCache()
    load_content(folder, cache)
    opened.clear()
    load_content(folder, cache)
    assert "articles/b.md" in opened


def test_a_file_that_disappears_after_the_scan_is_not_taken_from_the_cache(
    tmp_path: Path, cache: InMemoryCache
) -> None:
    folder = write(tmp_path, FILES)
    load_content(folder, cache)

    class Deleting(FolderReader):
        def _open_cache(self, watched: Sequence[str], elapsed: int) -> UnitCache | None:
            (folder / "articles/b.md").unlink()
            return super()._open_cache(watched, elapsed)

    report = Deleting(FolderView(folder), with_values=True, cache=cache).read().report()
    assert [(problem.where.path, problem.code) for problem in report.problems] == [("articles/b.md", "file-changed")]


def test_a_changed_file_with_unchanged_time_and_size_is_read_again(tmp_path: Path, cache: InMemoryCache) -> None:
    folder = write(tmp_path, FILES)
    load_content(folder, cache)
    file = folder / "articles/b.md"
    before = file.stat()
    file.write_text("---\ntitle: C\n---\n\nText of b.\n")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert "C" in {entry.fields.get("title") for entry in load_content(folder, cache).entries}


def test_a_folder_with_symbolic_links_is_read_completely(
    tmp_path: Path, cache: InMemoryCache, opened: list[str]
) -> None:
    folder = write(tmp_path, FILES)
    (folder / "articles/c.md").symlink_to("b.md")
    load_content(folder, cache)
    opened.clear()
    load_content(folder, cache)
    assert "pages/about.md" in opened


def test_a_folder_without_a_writable_state_folder_is_read_completely(tmp_path: Path, cache: InMemoryCache) -> None:
    folder = write(tmp_path, FILES)
    (folder / ".contentsync").write_text("in the way")
    assert plain(load_content(folder, cache)) == plain(load_content(folder))


def _edit(number: int) -> Callable[[Path], object]:
    article, other = f"articles/{'abc'[number % 3]}.md", f"articles/{'bca'[number % 3]}.md"
    return (
        lambda folder: write(folder, {article: f"---\ntitle: Title {number}\n---\n\nText.\n"}),
        lambda folder: (folder / article).unlink(missing_ok=True),
        lambda folder: (folder / article).exists() and (folder / article).replace(folder / other),
        lambda folder: write(folder, {article: f"---\ntitel: {number}\n---\n"}),
        lambda folder: write(folder, {"categories.yaml": f"- slug: {('tools', 'toys')[number % 2]}\n  title: T\n"}),
        lambda folder: write(folder, {"custom_fields.yaml": f"- name: f{number % 2}\n  label: F\n  type: text\n"}),
        lambda folder: write(folder, {"articles/a.fr.md": f"---\ntitle: Un {number}\n---\n"}),
        lambda folder: write(folder, {"contentsync.toml": f'[site]\nname = "{number}"\nlocales = ["en", "fr"]\n'}),
        lambda folder: write(
            folder, {"listings/all.csv": f"name,url,categories\nSaw,https://{number}.example,tools\n"}
        ),
    )[number % 9]


@pytest.mark.parametrize("seed", sampled(range(4), every=2))
def test_a_load_with_a_cache_equals_one_without_after_random_edits(
    tmp_path: Path, cache: InMemoryCache, seed: int
) -> None:
    folder, rng = write(tmp_path, FILES), random.Random(seed)
    for _ in range(25):
        _edit(rng.randrange(1000))(folder)
        assert plain(load_content(folder, cache)) == plain(load_content(folder))
