"""contentsync.content.folder.index_cache: a cached result equals that of reading, or it is not used."""

import os
import shutil
import time
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import blake2b
from pathlib import Path

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.config.warning_levels import WarningSettings
from contentsync.content.files.cache_file import program_digest
from contentsync.content.files.content_folder import CACHE_FOLDER
from contentsync.content.files.index_file import INDEX_FILE, open_index, replacing_index
from contentsync.content.files.source_file import FolderView
from contentsync.content.files.validation_report import ValidationReport, load_cached_report
from contentsync.content.folder.entry_reader import EntryReader
from contentsync.content.folder.folder_reader import FolderReader
from contentsync.content.folder.index_cache import IndexCache
from contentsync.content.folder.index_use import PRESENT_INDEX, WHOLE_INDEX, IndexUse
from contentsync.content.folder.load import Content, load_content, validate_folder
from contentsync.content.folder.result_context import ResultContext
from contentsync.content.folder.scan import scan
from contentsync.content.folder.translations import Unit, group_files
from contentsync.content.folder.unit_cache import UnitCache
from contentsync.content.folder.unit_reader import read_documents
from contentsync.content.folder.unit_results import UnitResults
from contentsync.content.pictures.picture_cache import PictureCache
from contentsync.errors import Problem, Where
from contentsync.model import Entry, Kind

from ...indexed import store_index
from ...memory import memory_for
from ..conftest import write
from ..pictures.picture_bytes import png

COUNT = 20  # files: more than are read in one batch
CONFIG = '[site]\nname = "Cached"\nlocales = ["en"]\n'
FOLDERS = 59


def article(number: int, active: str = "true") -> str:
    return f"---\ntitle: Number {number:04d}\nactive: {active}\n---\n\nText.\n"


def make(root: Path) -> Path:
    """Create a folder with COUNT articles."""
    for number in range(COUNT):
        file = root / "articles" / f"{number % 3}" / f"a{number:04d}.md"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(article(number), encoding="utf-8")
    (root / "contentsync.toml").write_text(CONFIG, encoding="utf-8")
    return root


@pytest.fixture(scope="module")
def pool(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Path]]:
    """Yield folders that have not changed for longer than the margin; the wait is shared."""
    root = tmp_path_factory.mktemp("cached")
    folders = [make(root / str(number)) for number in range(FOLDERS)]
    below_another_folder(folders[0])
    half_translated(folders[1])
    without_its_picture(folders[2])
    with_pictures(folders[3])
    with_pictures_of_the_service(folders[4])
    with_a_picture_in_a_table(folders[5])
    time.sleep(3.2)
    yield folders
    shutil.rmtree(root)


def below_another_folder(root: Path) -> None:
    """Move the articles of the first folder three levels down."""
    (root / "a/b/src").mkdir(parents=True)
    (root / "articles").rename(root / "a/b/src/articles")
    (root / "contentsync.toml").write_text(CONFIG + '[content.articles]\npath = "a/b/src/articles"\n')


def half_translated(root: Path) -> None:
    """Translate most articles of the second folder into French."""
    for number in range(COUNT - 1):
        (root / f"articles/{number % 3}/a{number:04d}.fr.md").write_text("---\ntitle: Un\n---\n")
    (root / "contentsync.toml").write_text(CONFIG.replace('["en"]', '["en", "fr"]'))


def without_its_picture(root: Path) -> None:
    """Add a link to a missing file to the third folder."""
    (root / "articles/0/a0000.md").write_text("---\ntitle: Number 0\n---\n![x](../../img/a.png)\n")
    (root / "contentsync.toml").write_text(CONFIG + 'asset_base_url = "https://cdn.example.com/"\n')


def with_pictures(root: Path) -> None:
    """Add pictures beside the config and in a folder to an article of the fourth folder."""
    keys = "thumbnail_url: /img/a.png\nthumbnail_alt_text: A\nseo: {og_image: /b.png}\n"
    (root / "articles/0/a0000.md").write_text(f"---\ntitle: Number 0\n{keys}---\nText.\n")
    (root / "contentsync.toml").write_text(CONFIG + "[assets]\n")
    (root / "img").mkdir()
    for name in ("img/a.png", "b.png"):
        (root / name).write_bytes(png())


def with_pictures_of_the_service(root: Path) -> None:
    """Name a picture by a path from the root in the fifth folder, which does not read pictures as files."""
    keys = "thumbnail_url: /img/a.png\nthumbnail_alt_text: A\n"
    (root / "articles/0/a0000.md").write_text(f"---\ntitle: Number 0\n{keys}---\nText.\n")


def with_a_picture_in_a_table(root: Path) -> None:
    """Name a picture in a table of the sixth folder, where an address is required."""
    (root / "img").mkdir()
    write(root, {"contentsync.toml": CONFIG, "listings/a.csv": "name,image_url\nA,/img/a.png\n"})


@pytest.fixture
def settled(pool: list[Path]) -> Path:
    """Return a folder whose report is in the cache."""
    folder = pool.pop()
    assert validate_folder(folder).problems == ()
    assert load_cached_report(folder) is not None
    return folder


def test_the_report_of_another_version_of_the_program_is_not_shown(
    settled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert load_cached_report(settled)
    monkeypatch.setattr("contentsync.content.files.cache_file.program_digest", lambda: "another version")
    assert load_cached_report(settled) is None


def test_the_version_of_the_program_depends_on_all_that_reads_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "reader.py").touch()
    version = program_digest.__wrapped__
    digests = [version()]
    parts = {"_PACKAGE": tmp_path, "_LIBRARIES": (), "_ZONES": (str(tmp_path),)}
    for name, value in parts.items():
        monkeypatch.setattr(f"contentsync.content.files.cache_file.{name}", value)
        digests.append(version())
    os.utime(tmp_path / "reader.py", (0, 0))
    digests.append(version())
    monkeypatch.setattr("sys.version", "another")
    assert len({*digests, version()}) == 3 + len(parts)


def codes(folder: Path) -> list[tuple[str, str]]:
    return [(problem.where.path, problem.code) for problem in validate_folder(folder).problems]


def test_the_cached_report_of_an_unchanged_folder_equals_a_new_one(settled: Path) -> None:
    recalled = load_cached_report(settled)
    assert recalled is not None
    assert (recalled.files, recalled.counts["article"], recalled.problems) == (COUNT, COUNT, ())
    first = validate_folder(settled)
    shutil.rmtree(settled / CACHE_FOLDER)
    assert validate_folder(settled) == first


@pytest.mark.parametrize("changed", ["en", "fr"])
def test_a_changed_translation_beside_an_unchanged_folder_is_read_again(tmp_path: Path, changed: str) -> None:
    config = CONFIG.replace('["en"]', '["en", "fr"]') + '[content.articles]\npath = "{locale}/posts"\n'
    articles = {f"{locale}/posts/{name}.md": article(1) for locale in ("en", "fr") for name in "ab"}
    folder = write(tmp_path, {"contentsync.toml": config, **articles})
    store_index(folder, margin=-(10**15))
    (folder / changed / "posts/a.md").write_text("---\ntitle: Another\n---\n\nText.\n", encoding="utf-8")
    content = load_content(folder, index=WHOLE_INDEX)
    assert [*content.entries] == [*load_content(folder).entries]
    assert content.from_index == {(Kind.ARTICLE, "en/posts/b.md")}


def test_a_load_with_values_stores_no_report(settled: Path) -> None:
    """It may leave out listings, whose problems and number a report has."""
    shutil.rmtree(settled / CACHE_FOLDER)
    assert len(load_content(settled, index=WHOLE_INDEX).entries) == COUNT
    assert open_index(settled)
    assert load_cached_report(settled) is None


def test_cached_results_stay_valid_if_other_warnings_are_ignored(settled: Path) -> None:
    config, _ = read_config(settled)
    ignoring = replace(config, warnings=WarningSettings(ignore=("broken-link", "relative-link")))
    first, second = (ResultContext.of(EntryReader(each), Kind.ARTICLE) for each in (config, ignoring))
    assert first.digest == second.digest


def test_git_ignores_the_cache(settled: Path) -> None:
    assert (settled / CACHE_FOLDER / ".gitignore").read_text() == "*\n"


def test_a_change_with_the_same_size_and_time_is_detected(settled: Path) -> None:
    """FI-29: the result of `touch -r` or of a checkout."""
    file = settled / "articles/0/a0000.md"
    before = file.stat()
    file.write_text(article(0, "truw"), encoding="utf-8")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    after = file.stat()
    assert (after.st_size, after.st_mtime_ns, after.st_ino) == (before.st_size, before.st_mtime_ns, before.st_ino)
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]


def test_a_file_replaced_by_another_is_detected(settled: Path) -> None:
    """FI-29, with a rename."""
    file = settled / "articles/0/a0000.md"
    before = file.stat()
    other = settled / "other.md"
    other.write_text(article(0, "truw"), encoding="utf-8")
    os.utime(other, ns=(before.st_atime_ns, before.st_mtime_ns))
    other.replace(file)
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]


def test_a_report_on_very_new_files_is_not_cached(tmp_path: Path) -> None:
    """TM-10: no result for such new files is cached, so a second change is detected even with the same stamp."""
    folder = make(tmp_path / "fresh")
    assert validate_folder(folder).problems == ()
    assert load_cached_report(folder) is None
    (folder / "articles/0/a0000.md").write_text(article(0, "truw"), encoding="utf-8")
    assert codes(folder) == [("articles/0/a0000.md", "not-a-boolean")]


@pytest.mark.parametrize("year", [0, 4102444800])
def test_file_times_in_1970_or_2100_have_no_effect(settled: Path, year: int) -> None:
    """FI-30: 1970 and 2100."""
    file = settled / "articles/1/a0001.md"
    file.write_text(article(1, "fals"), encoding="utf-8")
    os.utime(file, (year, year))
    assert codes(settled) == [("articles/1/a0001.md", "not-a-boolean")]
    file.write_text(article(1, "true"), encoding="utf-8")
    os.utime(file, (year, year))
    assert codes(settled) == []


CHANGES: dict[str, tuple[Callable[[Path], object], list[tuple[str, str]]]] = {
    "a file that is new": (
        lambda root: (root / "articles/2/new.md").write_text("---\ntitel: New\n---\nText\n"),
        [("articles/2/new.md", "unknown-key")],
    ),
    "a file that has gone": (lambda root: (root / "articles/2/a0002.md").unlink(), []),
    "a file of the same slug": (
        lambda root: (root / "articles/2/A0000.md").write_text(article(0)),
        [("articles/2/A0000.md", "duplicate-identity")],
    ),
    "a folder that is new": (
        lambda root: write(root, {"pages/a.md": "---\nplacement: x\n---\n", "contentsync.toml": CONFIG}),
        [("pages/a.md", "not-a-choice"), ("pages/a.md", "required")],
    ),
    "a list that is new": (lambda root: (root / "tags.yml").write_text("- a\n"), [("tags.yml", "not-a-mapping")]),
    "another config": (
        lambda root: (root / "contentsync.toml").write_text(CONFIG + "[content.articles]\nrename = { active = 'x' }\n"),
        [("contentsync.toml", "unknown-field")],
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_each_kind_of_change_is_detected_beside_cached_files(settled: Path, name: str) -> None:
    change, expected = CHANGES[name]
    change(settled)
    found = codes(settled)
    assert set(expected) <= set(found)
    shutil.rmtree(settled / CACHE_FOLDER)
    assert codes(settled) == found


@pytest.mark.parametrize("file", ["survey.json", "index.db"])
@pytest.mark.parametrize("damage", ["truncated", "empty", "bit flipped", "newer version"])
def test_a_damaged_cache_is_not_used(settled: Path, file: str, damage: str) -> None:
    """FI-32"""
    cached = settled / CACHE_FOLDER / file
    data = cached.read_bytes()
    place = data.index(b"signatures" if file == "survey.json" else b"articles/0/a0000.md") + 1
    cached.write_bytes(
        {
            "truncated": data[:-20],
            "empty": b"",
            "bit flipped": data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :],
            "newer version": data.replace(b"cache 3", b"cache 4", 1).replace(b"format 3", b"format 4", 1),
        }[damage]
    )
    if file == "survey.json":
        assert load_cached_report(settled) is None
    (settled / "articles/0/a0000.md").write_text(article(0, "truw"), encoding="utf-8")
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]


def report_after(folder: Path, change: Callable[[], None]) -> ValidationReport:
    """Validate a folder that `change` changes once the articles have been read."""

    class Changing(FolderReader):
        def _read_units(self, units: Sequence[Unit]) -> None:
            super()._read_units(units)
            if any(unit.kind is Kind.ARTICLE for unit in units):
                change()

    return Changing(FolderView(folder), with_values=False, index=WHOLE_INDEX).read().report()


def test_a_config_change_during_the_run_is_detected_by_the_next_run(settled: Path) -> None:
    (settled / "articles/0/new.md").write_text(article(-1), encoding="utf-8")
    changing = settled / "contentsync.toml"

    def save_config() -> None:
        changing.write_text(CONFIG + "[content.articles]\nrename = { active = 'x' }\n")

    (settled / "articles/0/new.md").unlink()
    assert report_after(settled, save_config).problems == ()
    assert ("contentsync.toml", "unknown-field") in codes(settled)


def test_a_config_behind_a_link_is_always_read(settled: Path) -> None:
    (settled / "contentsync.toml").rename(settled / "other.toml")
    (settled / "contentsync.toml").symlink_to("other.toml")
    (settled / "articles/0/a0000.md").write_text(article(0))
    assert codes(settled) == []
    (settled / "other.toml").write_text(CONFIG + "[content.articles]\nrename = { active = 'x' }\n")
    assert ("contentsync.toml", "unknown-field") in codes(settled)


def test_a_folder_that_appears_after_the_scan_is_detected_by_the_next_run(settled: Path, pool: list[Path]) -> None:
    late = pool.pop() / "articles/0"  # its files are old enough to be believed

    class Moving(FolderReader):
        """A folder that is moved to its path after the scan."""

        def _open_cache(self, watched: Sequence[str], elapsed: int) -> UnitCache | None:
            late.rename(settled / "articles/late")
            return super()._open_cache(watched, elapsed)

    shutil.rmtree(settled / CACHE_FOLDER)
    assert Moving(FolderView(settled), with_values=False, index=WHOLE_INDEX).read().report().problems == ()
    assert load_cached_report(settled) is None
    assert {code for _, code in codes(settled)} == {"duplicate-identity"}


@pytest.mark.parametrize("place", [".contentsync", ".contentsync/cache"])
def test_a_cache_behind_a_link_is_neither_read_nor_written(settled: Path, tmp_path: Path, place: str) -> None:
    """A checkout can contain such a link, which would lead out of the folder."""
    outside = tmp_path / "outside"
    shutil.copytree(settled / place, outside)
    before = {file: file.stat().st_mtime_ns for file in outside.rglob("*")}
    shutil.rmtree(settled / place)
    (settled / place).symlink_to(outside)
    (settled / "articles/0/a0000.md").write_text(article(0, "truw"), encoding="utf-8")
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]
    assert {file: file.stat().st_mtime_ns for file in outside.rglob("*")} == before


def test_a_cache_file_is_not_written_through_a_link(settled: Path, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for name in (".gitignore", "survey.json", "index.db"):
        (settled / CACHE_FOLDER / name).unlink()
        (settled / CACHE_FOLDER / name).symlink_to(victim)
    (settled / "articles/0/a0000.md").write_text(article(0), encoding="utf-8")
    assert codes(settled) == []
    assert victim.read_text() == "precious"


@pytest.mark.parametrize("place", [f"{CACHE_FOLDER}/survey.json", f"{CACHE_FOLDER}/index.db", "contentsync.toml"])
def test_a_pipe_in_place_of_a_cache_file_never_blocks(settled: Path, place: str) -> None:
    """FI-16"""
    (settled / place).unlink()
    os.mkfifo(settled / place)
    assert validate_folder(settled).files == (0 if place == "contentsync.toml" else COUNT)


@pytest.mark.parametrize(
    "forged",
    [
        b"[]",
        b'"x"',
        b"{no JSON",
        b'{"signatures": {}, "survey": 5}',
        b'{"signatures": {}, "survey": {"problems": []}}',
        b'{"signatures": ["articles"], "survey": 5}',
    ],
)
def test_a_forged_cache_is_not_used(settled: Path, forged: bytes) -> None:
    head = b"contentsync cache 3 " + blake2b(forged, digest_size=16).hexdigest().encode()
    for name in ("survey.json", "index.db"):
        (settled / CACHE_FOLDER / name).write_bytes(head + b"\n" + forged)
    (settled / "articles/0/a0000.md").write_text(article(0, "truw"), encoding="utf-8")
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]


@pytest.mark.parametrize("sealed", [True, False])
def test_a_report_from_a_checkout_is_not_used(settled: Path, sealed: bool) -> None:
    """A checkout can contain the same bytes, but not the time at which the cache was written on this machine."""
    report, seal = settled / CACHE_FOLDER / "survey.json", settled / CACHE_FOLDER / "survey.seal"
    for file in (report, seal) if sealed else (report,):
        file.write_bytes(file.read_bytes())
    assert load_cached_report(settled) is None


def test_a_link_in_place_of_a_parent_folder_is_detected(pool: list[Path], tmp_path: Path) -> None:
    folder = pool[0]
    assert validate_folder(folder).problems == ()
    assert load_cached_report(folder) is not None
    (folder / "a/b/src").rename(tmp_path / "src")
    (folder / "a/b/src").symlink_to(tmp_path / "src")
    assert [code for _, code in codes(folder)] == ["bad-link"]


def test_reports_do_not_depend_on_the_state_of_the_cache(pool: list[Path]) -> None:
    folder = pool[1]
    validate_folder(folder)
    os.utime(folder / "articles/1/a0013.md")
    warm = validate_folder(folder)
    shutil.rmtree(folder / CACHE_FOLDER)
    assert warm == validate_folder(folder)
    assert [problem.code for problem in warm.problems] == ["missing-translation"]


def test_a_linked_file_that_appears_or_disappears_is_detected(pool: list[Path]) -> None:
    folder = pool[2]
    assert [code for _, code in codes(folder)] == ["relative-link"]
    assert load_cached_report(folder) is not None
    (folder / "img").mkdir()
    (folder / "img/a.png").write_bytes(b"")
    assert codes(folder) == []
    (folder / "img/a.png").unlink()
    assert [code for _, code in codes(folder)] == ["relative-link"]


def test_a_changed_picture_is_detected_without_opening_the_others(pool: list[Path]) -> None:
    folder = pool[3]
    assert codes(folder) == []
    assert load_cached_report(folder) is not None
    (folder / "img/a.png").write_bytes(b"<html/>")
    assert codes(folder) == [("articles/0/a0000.md", "not-an-image")]
    cache = PictureCache(folder, time.monotonic_ns())
    cache.facts("b.png", "b.png")
    assert cache.read_count == 0
    (folder / "img/a.png").write_bytes(png())
    (folder / "b.png").write_bytes(b"")
    assert codes(folder) == [("articles/0/a0000.md", "not-an-image")]
    (folder / "b.png").unlink()
    assert codes(folder) == [("articles/0/a0000.md", "missing-asset")]


def test_a_folder_with_links_is_always_read(settled: Path) -> None:
    (settled / "articles/link.md").symlink_to("0/a0000.md")
    validate_folder(settled)
    assert load_cached_report(settled) is None


def test_a_folder_without_a_place_for_the_cache_is_read(tmp_path: Path) -> None:
    """FI-25"""
    folder = make(tmp_path / "site")
    (folder / ".contentsync").write_text("not a folder")
    assert validate_folder(folder).files == COUNT


def test_a_folder_without_entries_has_a_cache_too(tmp_path: Path) -> None:
    (tmp_path / "contentsync.toml").write_text(CONFIG)
    validate_folder(tmp_path)
    names = {file.name for file in (tmp_path / CACHE_FOLDER).iterdir()}
    assert names == {".gitignore", "index.db", "index.seal", "names"}


AGES = -(10**15)  # nanoseconds ago: a run that began in the future finds that everything has been left alone


def opened(folder: Path, *, with_values: bool = False) -> IndexCache:
    """Return the index of a folder whose run began long after its files were written."""
    return IndexCache(folder, ["articles"], files=COUNT, elapsed=AGES, with_values=with_values)


def units(folder: Path) -> dict[str, Unit]:
    config, _ = read_config(folder)
    return {unit.name: unit for unit in group_files(scan(folder, config).files, config)}


def batch_of(folder: Path, names: Iterable[str], *, with_values: bool = False) -> UnitResults:
    """Return the contents of some units."""
    chosen, batch = units(folder), UnitResults.empty()
    reader = EntryReader(read_config(folder)[0])
    for part in read_documents(FolderView(folder), reader, [chosen[name] for name in names], with_values=with_values):
        batch.extend(part)
    return batch


@pytest.mark.parametrize("with_values", [False, True])
def test_a_small_file_takes_little_memory_until_it_is_stored(tmp_path: Path, with_values: bool) -> None:
    folder = make(tmp_path)
    batch = batch_of(folder, units(folder), with_values=with_values)
    cache = opened(folder, with_values=with_values)
    assert memory_for(lambda: cache.store(KNOWN, batch)) < 3000 * COUNT


def context(digest: str, answer: str = "") -> ResultContext:
    """Return a context in which all lookups have the same answer."""
    return ResultContext(digest, lambda _lookups: answer)


KNOWN = context("known")


def cached_results(folder: Path, known: ResultContext = KNOWN) -> list[UnitResults]:
    return [it for it in opened(folder).load(known, units(folder)) if it.names]


def test_units_that_are_read_together_are_cached_together(tmp_path: Path) -> None:
    batch = batch_of(make(tmp_path), units(tmp_path))
    cache = opened(tmp_path)
    cache.store(KNOWN, batch)
    cache.save({})
    assert cached_results(tmp_path) == [batch._replace(changed=[0] * COUNT)]  # which only `store` needs
    assert cached_results(tmp_path, context("knowing something else")) == []
    assert cached_results(tmp_path, context("known", "another answer")) == []


def test_a_damaged_lookup_is_not_used(tmp_path: Path) -> None:
    """FI-32: it would depend on another name, although its answer may be the same."""
    folder = write(make(tmp_path), {"articles/0/a0000.md": "---\ntitle: A\nseo: {canonical: https://a.example}\n---\n"})
    cache = opened(folder)
    articles = ResultContext.of(EntryReader(read_config(folder)[0]), Kind.ARTICLE)
    cache.store(articles, batch_of(folder, units(folder)))
    cache.save({})
    assert sum(len(it.names) for it in cached_results(folder, articles)) == COUNT
    with replacing_index(folder, open_index(folder)) as index:
        index.execute("UPDATE units SET lookups = replace(lookups, 'canonical', 'canonicak')")
    assert sum(len(it.names) for it in cached_results(folder, articles)) == COUNT - 1


def test_a_changed_unit_keeps_the_rest_of_its_batch_cached(tmp_path: Path) -> None:
    make(tmp_path)
    before = list(units(tmp_path))
    batch = batch_of(tmp_path, before)
    cache = opened(tmp_path)
    cache.store(KNOWN, batch)
    cache.save({})
    changed, deleted, *others = before
    (tmp_path / changed).write_text(article(0, "false"), encoding="utf-8")
    (tmp_path / deleted).unlink()
    cache = opened(tmp_path)
    found = [name for it in cache.load(KNOWN, units(tmp_path)) for name in it.names]
    assert found == others
    cache.store(KNOWN, batch_of(tmp_path, [changed]))
    cache.save({})
    assert sorted(name for it in cached_results(tmp_path) for name in it.names) == sorted([changed, *others])


def test_no_units_are_cached_without_a_report(tmp_path: Path) -> None:
    batch = batch_of(make(tmp_path), units(tmp_path))
    cache = opened(tmp_path)
    cache.store(KNOWN, batch)
    cache.save(None)
    assert cached_results(tmp_path) == []


@pytest.mark.parametrize("code", ["unreadable", "file-changed", "missing-submodule"])
def test_a_report_with_a_problem_that_may_be_temporary_is_not_cached(settled: Path, code: str) -> None:
    """No stamp may show that it has gone."""

    class Failing(FolderReader):
        def _read_units(self, units: Sequence[Unit]) -> None:
            super()._read_units(units)
            self.checks.problems.append(Problem(code, "a disk error", Where("articles/0/a0000.md")))

    shutil.rmtree(settled / CACHE_FOLDER)
    assert Failing(FolderView(settled), with_values=False, index=WHOLE_INDEX).read().report().problems
    assert load_cached_report(settled) is None
    assert codes(settled) == []


def test_a_change_during_the_reading_is_not_cached(settled: Path) -> None:
    """TM-10: the stamps are compared during the reading, before the change or after it."""
    folder = settled / "articles/2"
    file = folder / "a0002.md"
    shutil.rmtree(settled / CACHE_FOLDER)

    def save_with_old_time() -> None:
        before = file.stat()
        file.write_text(article(2, "truw"), encoding="utf-8")
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))

    assert report_after(settled, save_with_old_time).problems == ()
    assert codes(settled) == [("articles/2/a0002.md", "not-a-boolean")]


def test_a_unit_with_an_unreadable_file_is_not_cached(tmp_path: Path) -> None:
    make(tmp_path)
    names = list(units(tmp_path))
    batch = batch_of(tmp_path, names)
    batch.stamps[0] = ""
    cache = opened(tmp_path)
    cache.store(KNOWN, batch)
    cache.save({})
    assert [name for it in cached_results(tmp_path) for name in it.names] == names[1:]


def test_only_a_file_whose_result_depends_on_another_one_is_read_again(pool: list[Path]) -> None:
    with_and_without(pool[4])
    assert len(with_and_without(pool[4]).from_index) == COUNT - 1
    assert load_cached_report(pool[4]) is None


def test_a_picture_that_appears_where_none_are_read_is_detected(pool: list[Path]) -> None:
    folder = pool[4]
    assert codes(folder) == codes(folder) == []
    (folder / "img").mkdir()
    (folder / "img/a.png").write_bytes(png())
    assert codes(folder) == [("articles/0/a0000.md", "bad-url")]
    (folder / "img/a.png").unlink()
    assert codes(folder) == []


def test_the_hint_for_a_picture_in_a_table_depends_on_the_picture(pool: list[Path]) -> None:
    folder = pool[5]
    (before,) = validate_folder(folder).problems
    (folder / "img/a.png").write_bytes(png())
    (after,) = validate_folder(folder).problems
    assert "[assets]" not in before.hint
    assert "[assets]" in after.hint


def with_and_without(folder: Path) -> Content:
    """Load a folder from its index, and check that the result is that of reading all files."""
    content, whole = load_content(folder, index=WHOLE_INDEX), load_content(folder)
    assert (content.problems, content.files, content.counts) == (whole.problems, whole.files, whole.counts)
    assert [*map(seen, content.entries)] == [*map(seen, whole.entries)]
    assert content.rewritten_links == whole.rewritten_links
    return content


def seen(entry: Entry) -> object:
    source = entry.source
    assert source is not None
    locations = {name: source.where(name) for name in ("", *entry.fields)}
    return entry.kind, entry.key, entry.fields, entry.notes, source.path, locations


def test_an_unchanged_file_is_read_once_for_its_values(settled: Path) -> None:
    assert with_and_without(settled).from_index == set()  # `validate` has stored no values
    assert len(with_and_without(settled).from_index) == COUNT


def test_validate_uses_the_results_of_a_plan(settled: Path) -> None:
    with_and_without(settled)
    (settled / "articles/0/a0000.md").write_text(article(0, "truw"), encoding="utf-8")
    (settled / "articles/0/a0003.md").unlink()
    reader = FolderReader(FolderView(settled), with_values=False, index=WHOLE_INDEX).read()
    assert len(reader.from_index) == COUNT - 2
    assert codes(settled) == [("articles/0/a0000.md", "not-a-boolean")]
    assert len(with_and_without(settled).from_index) == COUNT - 2  # the changed file is too new


def test_a_list_is_taken_from_the_index_unless_it_is_very_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(IndexCache, "max_entries", 50)
    for name, count in {"short": IndexCache.max_entries, "long": IndexCache.max_entries + 1}.items():
        entries = "".join(f"- {{name: N {number}, slug: {name}-{number}}}\n" for number in range(count))
        write(tmp_path, {f"listings/{name}.yaml": entries})
    time.sleep(0.02)  # longer than a tick of the file system's clock
    store_index(tmp_path, margin=0)
    assert with_and_without(tmp_path).from_index == {(Kind.LISTING, "listings/short.yaml")}


@pytest.mark.parametrize("number", [1, 2, 3])  # of a folder with translations, a broken link, or pictures
def test_entries_of_the_index_equal_those_of_the_files(pool: list[Path], number: int) -> None:
    with_and_without(pool[number])
    with_and_without(pool[number])
    assert with_and_without(pool[number]).from_index


def test_a_doubted_file_is_read_and_stored_again(settled: Path) -> None:
    with_and_without(settled)
    ref = (Kind.ARTICLE, "articles/0/a0000.md")
    content = load_content(settled, index=IndexUse(doubted_units={ref}))
    assert len(content.from_index) == COUNT - 1
    assert ref not in content.from_index
    assert len(with_and_without(settled).from_index) == COUNT


def test_proposed_files_are_read_beside_the_index_which_stays(settled: Path) -> None:
    load_content(settled, index=WHOLE_INDEX)
    index = (settled / INDEX_FILE).read_bytes()
    paths = [file.relative_to(settled).as_posix() for file in sorted((settled / "articles").rglob("*.md"))]
    proposed = {paths[0]: article(0, "false").encode(), paths[1]: None, "articles/new.md": article(100).encode()}
    view = FolderView(settled, proposed)
    taken = load_content(view, index=WHOLE_INDEX)
    assert taken == load_content(view)
    assert {path for _kind, path in taken.from_index} == {*paths[2:]}
    assert (settled / INDEX_FILE).read_bytes() == index


def test_an_article_whose_translation_is_proposed_is_read(tmp_path: Path) -> None:
    config = CONFIG.replace('["en"]', '["en", "fr"]') + '[content.articles]\npath = "{locale}/posts"\n'
    articles = {f"{locale}/posts/{name}.md": article(1) for locale in ("en", "fr") for name in "ab"}
    store_index(write(tmp_path, {"contentsync.toml": config, **articles}), -(10**15))
    for data in (article(2).encode(), None):
        view = FolderView(tmp_path, {"fr/posts/a.md": data})
        taken = load_content(view, index=WHOLE_INDEX)
        assert taken == load_content(view)
        assert taken.from_index == {(Kind.ARTICLE, "en/posts/b.md")}


def test_reading_with_a_present_index_creates_none(tmp_path: Path) -> None:
    folder = make(tmp_path)
    load_content(folder, index=PRESENT_INDEX)
    assert not (folder / ".contentsync").exists()


def test_the_index_has_no_bytes_of_a_deleted_text(settled: Path) -> None:
    with_and_without(settled)
    file = settled / "articles/0/a0000.md"
    title = b'"Number 0000"'
    assert title in (settled / INDEX_FILE).read_bytes()
    file.unlink()
    validate_folder(settled)
    assert title not in (settled / INDEX_FILE).read_bytes()


def test_a_damaged_result_is_read_from_its_file(settled: Path) -> None:
    """A power failure may leave a page that SQLite does not recognize as damaged, in a sealed file."""
    with_and_without(settled)
    with replacing_index(settled, open_index(settled)) as index:
        index.execute("UPDATE unit_values SET data = CAST(replace(data, '0012', '9999') AS BLOB)")
    assert len(with_and_without(settled).from_index) < COUNT
    assert len(with_and_without(settled).from_index) == COUNT


def test_a_result_with_the_values_of_fewer_entries_is_read_from_its_file(settled: Path) -> None:
    with_and_without(settled)
    with replacing_index(settled, open_index(settled)) as index:
        index.execute("UPDATE unit_values SET data = ?, checksum = ? WHERE id = 1", (b"[]", zlib.crc32(b"[]")))
    assert len(with_and_without(settled).from_index) < COUNT
    assert len(with_and_without(settled).from_index) == COUNT
