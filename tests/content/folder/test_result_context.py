"""contentsync.content.folder.result_context: a change of what others name reads again only what depends on it."""

import random
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.config.config import Config, read_config
from contentsync.content.files.source_file import FolderView
from contentsync.content.folder.entry_reader import EntryReader
from contentsync.content.folder.index_use import WHOLE_INDEX
from contentsync.content.folder.load import Content, load_content
from contentsync.content.folder.result_context import ResultContext
from contentsync.content.folder.scan import scan
from contentsync.content.folder.translations import group_files
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.content.folder.unit_reader import read_documents
from contentsync.model import Entry, Kind

from ...indexed import store_index
from ...sampling import sampled
from ..conftest import write

CONFIG = '[site]\nname = "Shop"\nlocales = ["en", "fr"]\n[content.articles]\nurl_scheme = "https"\n'
CATEGORIES = "- {slug: tools, title: Tools}\n- {slug: toys, title: Toys}\n"
TAGS = "- {slug: free, title: Free}\n- {slug: paid, title: Paid}\n"
PRICE = "- {name: price, label: Price, type: number}\n"
MOOD = "- {name: mood, label: Mood, type: text, fieldable_type: article}\n"
FILES = {
    "contentsync.toml": CONFIG,
    "categories.yaml": CATEGORIES,
    "tags.yaml": TAGS,
    "custom_fields.yaml": PRICE + MOOD,
    "organizers/ann.md": "---\nname: Ann\n---\n",
    "listings/saw.md": "---\nname: Saw\ncategories: [tools]\ntags: [free]\norganizers: [Ann]\n---\n",
    "listings/axe.md": "---\nname: Axe\ncategories: [Tools]\n---\n",  # by the title
    "listings/bow.md": "---\nname: Bow\ntags: [fre]\n---\n",  # which no tag has
    "listings/kit.md": "---\nname: Kit\ntags: [antique]\n---\n",  # nor one that is similar
    "listings/few.yaml": "- {name: Cap, price: 5, tags: [paid]}\n- {name: Hat, price: 6}\n",
    "listings/all.csv": "name,price,categories\nPen,1,tools|toys\nInk,2,Toys\n",
    "articles/plain.md": "---\ntitle: Plain\nseo: {title: Plain, canonical: example.org}\n---\n\nText.\n",
    "articles/plain.fr.md": "---\ntitle: Simple\n---\n\nTexte.\n",
    "articles/happy.md": "---\ntitle: Happy\nmood: good\n---\n\nText.\n",
    "articles/typo.md": "---\ntitle: Typo\nmoot: good\n---\n\nText.\n",  # which no field has
    "pages/about.md": "---\ntitle: About\n---\n",
}
EXAMPLE = Path(__file__).parents[3] / "content-example"
ALWAYS_READ = {"categories.yaml", "tags.yaml", "custom_fields.yaml"}
EVERYTHING = {*FILES} - {"contentsync.toml"}
LISTINGS = {path for path in FILES if path.startswith("listings/")}
ARTICLES = {path for path in FILES if path.startswith("articles/")}

CHANGES: dict[str, tuple[str, str, Collection[str]]] = {
    "a new tag": ("tags.yaml", TAGS + "- {slug: new, title: New}\n", ()),
    "a new tag that is suggested": ("tags.yaml", TAGS + "- {slug: fret, title: Fret}\n", {"listings/bow.md"}),
    "a new tag with a used title": (
        "tags.yaml",
        TAGS + "- {slug: fre, title: paid}\n",
        {"listings/bow.md"},
    ),
    "a removed tag": ("tags.yaml", "- {slug: free, title: Free}\n", {"listings/few.yaml"}),
    "no tags": ("tags.yaml", "", LISTINGS - {"listings/axe.md", "listings/all.csv"}),
    "a renamed tag": (
        "tags.yaml",
        TAGS.replace("slug: free", "slug: gratis, sync: {previous: [free]}"),
        {"listings/saw.md", "listings/bow.md"},
    ),
    "a former name that is used": (
        "tags.yaml",
        TAGS.replace("slug: paid", "slug: paid, sync: {previous: [fre]}"),
        {"listings/bow.md"},
    ),
    "another description of a category": ("categories.yaml", CATEGORIES.replace("}", ", description: D}", 1), ()),
    "another title of a category": (
        "categories.yaml",
        CATEGORIES.replace("Tools", "All tools"),
        {"listings/axe.md"},
    ),
    "a second category with a used title": (
        "categories.yaml",
        CATEGORIES + "- {slug: more, title: Toys}\n",
        {"listings/all.csv"},
    ),
    "a category that cannot be read": ("categories.yaml", CATEGORIES + "- 5\n", LISTINGS),
    "another name of an organizer": (
        "organizers/ann.md",
        "---\nname: Anna\nslug: ann\n---\n",
        {"organizers/ann.md", "listings/saw.md"},
    ),
    "a new field": (
        "custom_fields.yaml",
        PRICE + MOOD + "- {name: size, label: Size, type: text}\n",
        {"articles/typo.md"},
    ),
    "a new field that was an unknown key": (
        "custom_fields.yaml",
        PRICE + MOOD + MOOD.replace("mood", "moot"),
        {"articles/typo.md"},
    ),
    "a new field that must be set": (
        "custom_fields.yaml",
        PRICE + MOOD + "- {name: size, label: Size, type: text, is_required: true, fieldable_type: article}\n",
        ARTICLES,
    ),
    "a new field with the name of a key in an object": (
        "custom_fields.yaml",
        PRICE + MOOD + "- {name: canonical, label: C, type: url, fieldable_type: article}\n",
        {"articles/plain.md", "articles/plain.fr.md", "articles/typo.md"},
    ),
    "a removed field": ("custom_fields.yaml", PRICE, {"articles/happy.md", "articles/typo.md"}),
    "a field of another type": (
        "custom_fields.yaml",
        PRICE.replace("number", "date") + MOOD,
        {"listings/few.yaml", "listings/all.csv"},
    ),
    "a field of another kind": (
        "custom_fields.yaml",
        PRICE + MOOD.replace("article", "organizer"),
        {"articles/happy.md", "articles/typo.md"},
    ),
    "a wrong field": (
        "custom_fields.yaml",
        PRICE.replace("number", "paint") + MOOD,
        LISTINGS | {"articles/typo.md"},
    ),
    "fields in another order": ("custom_fields.yaml", MOOD + PRICE, ()),
    "fields that cannot be read": ("custom_fields.yaml", "- {\n", EVERYTHING),
    "a target": ("contentsync.toml", CONFIG + '[targets.a]\nurl = "embedded:.contentsync/a.db"\n', ()),
    "a comment": ("contentsync.toml", "# The shop\n" + CONFIG, ()),
    "another name of the site": ("contentsync.toml", CONFIG.replace("Shop", "Store"), ()),
    "an ignored warning": ("contentsync.toml", CONFIG + '[warnings]\nignore = ["relative-link"]\n', ()),
    "a file that is no content": ("contentsync.toml", CONFIG + 'exclude = ["happy.md"]\n', ()),
    "a setting of articles": ("contentsync.toml", CONFIG + 'rename = { moot = "mood" }\n', ARTICLES),
    "former addresses of pages": (
        "contentsync.toml",
        CONFIG + '[content.pages]\nformer_addresses = ["aliases"]\n',
        EVERYTHING,
    ),
    "a replacement": (
        "contentsync.toml",
        CONFIG + '[markdown]\nreplace = [{ find = "{{< text >}}", replace = "Words" }]\n',
        EVERYTHING,
    ),
    "an address of files": (
        "contentsync.toml",
        CONFIG.replace("[content", 'asset_base_url = "https://cdn.example.com/"\n[content'),
        EVERYTHING,
    ),
    "pictures": ("contentsync.toml", CONFIG + "[assets]\nmax_bytes = 1000\n", EVERYTHING),
    "a house rule": ("contentsync.toml", CONFIG + "[rules.article]\nmax = { title = 9 }\n", ARTICLES),
    "a new language": ("contentsync.toml", CONFIG.replace('"fr"', '"fr", "nl"'), EVERYTHING),
    "a language less": ("contentsync.toml", CONFIG.replace(', "fr"', ""), EVERYTHING),
    "a time zone": (
        "contentsync.toml",
        CONFIG.replace("[content", 'timezone = "Europe/Berlin"\n[content'),
        EVERYTHING,
    ),
}


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Return a set that collects the files that are read from now on."""
    paths: set[str] = set()
    read = EntryReader.read_entries

    def noted(reader: EntryReader, unit: Any, *rest: Any, **options: Any) -> Any:
        paths.update(file.path for file in unit.files)
        return read(reader, unit, *rest, **options)

    monkeypatch.setattr(EntryReader, "read_entries", noted)
    return paths


def plain(content: Content) -> object:
    """Return all that a caller can read from the content."""
    return content.problems, content.files, content.counts, [*map(seen, content.entries)], content.rewritten_links


def seen(entry: Entry) -> object:
    source = entry.source
    assert source is not None
    locations = {name: source.where(name) for name in ("", *entry.fields)}
    return entry.kind, entry.key, [*entry.fields.items()], entry.notes, source.path, source.line, locations


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_reads_again_only_what_depends_on_it(tmp_path: Path, opened: set[str], name: str) -> None:
    path, text, expected = CHANGES[name]
    folder, cache = write(tmp_path, FILES), InMemoryCache(margin=0)
    load_content(folder, cache)
    (folder / path).write_text(text)
    opened.clear()
    content = load_content(folder, cache, single_process=True)
    assert opened == ALWAYS_READ | {*expected}
    assert plain(content) == plain(load_content(folder))


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_takes_the_other_files_from_the_index(tmp_path: Path, name: str) -> None:
    path, text, expected = CHANGES[name]
    folder = write(tmp_path, FILES)
    time.sleep(0.02)  # longer than a tick of the file system's clock
    store_index(folder, margin=0)
    (folder / path).write_text(text)
    content, whole = load_content(folder, index=WHOLE_INDEX), load_content(folder)
    config, _ = read_config(folder)
    units = {unit.ref: unit for unit in group_files(scan(folder, config).files, config)}
    unread = {ref for ref, unit in units.items() if ALWAYS_READ.isdisjoint(file.path for file in unit.files)}
    again = {ref for ref in unread if not {file.path for file in units[ref].files}.isdisjoint(expected)}
    tables = {ref for ref in unread if ref[1].endswith(".csv")}  # which are read for the digests of their rows
    assert content.from_index == unread - again - tables
    assert plain(content) == plain(whole)


def _edits(rng: random.Random) -> Iterator[tuple[str, str]]:
    """Yield changes of the files that others refer to, and of those that refer to them."""
    slugs = ("free", "fre", "paid", "gratis", "Free", "tools", "Tools")
    types = ("text", "number", "date", "url", "paint", "multi_select")
    while True:
        slug, title, name, type_ = rng.choice(slugs), rng.choice(slugs), rng.choice(("price", "mood", "moot")), "text"
        path, text = rng.choice([*FILES.items()])
        type_, kind, required = rng.choice(types), rng.choice(("listing", "article")), rng.choice(("true", "false"))
        own = f"name: {name}, label: L, type: {type_}, options: [a, b], fieldable_type: {kind}, is_required: {required}"
        note = rng.choice(("", f", sync: {{previous: [{title}]}}"))
        yield rng.choice(
            [
                (path, text),
                ("tags.yaml", f"- {{title: {title}}}\n- {{slug: {slug.lower()}-a, title: {slug}{note}}}\n"),
                ("categories.yaml", f"- {{slug: tools, title: {title}}}\n- {{slug: {slug.lower()}, title: T{note}}}\n"),
                ("custom_fields.yaml", f"- {{{own}}}\n{rng.choice((PRICE, MOOD, ''))}"),
                ("listings/saw.md", f"---\nname: Saw\ntags: [{slug}, {title}]\n{name}: 5\n---\n"),
                ("articles/happy.md", f"---\ntitle: Happy\n{name}: good\nseo: {{{name}: example.org}}\n---\n\nText.\n"),
                ("articles/plain.fr.md", f"---\ntitle: Simple\n{name}: bon\n---\n\nTexte.\n"),
            ]
        )


@pytest.mark.parametrize("seed", sampled(range(6), every=6))
def test_a_load_with_a_cache_equals_one_without_after_random_changes(tmp_path: Path, seed: int) -> None:
    folder, cache = write(tmp_path, FILES), InMemoryCache(margin=0)
    for _, (path, text) in zip(range(30), _edits(random.Random(seed)), strict=False):
        (folder / path).write_text(text)
        assert plain(load_content(folder, cache)) == plain(load_content(folder))


class Only:
    """A value of which nothing but these attributes may be read."""

    def __init__(self, value: object, *names: str, **others: object) -> None:
        vars(self).update({name: getattr(value, name) for name in names}, **others)


def only_of_kind(config: Config, kind: Kind) -> Any:
    """Return the settings that the context of a kind contains, with what follows from them."""
    return Only(
        config,
        *("replacements", "file_addresses", "publishes", "store_base", "has_former_addresses"),
        assets=config.assets is not None,
        rules={each: rules for each, rules in config.rules.items() if each is kind},
        site=Only(config.site, "locales", "timezone", "zone"),
        content={kind: config.content[kind]},
        layouts=lambda: {each: layout for each, layout in config.layouts().items() if each is kind},
    )


@pytest.mark.parametrize("kind", [Kind.ORGANIZER, Kind.LISTING, Kind.PAGE, Kind.ARTICLE])
def test_reading_uses_no_setting_that_the_context_lacks(kind: Kind) -> None:
    config, _ = read_config(EXAMPLE)
    units = [unit for unit in group_files(scan(EXAMPLE, config).files, config) if unit.kind is kind]
    readers = (EntryReader(each, folder=EXAMPLE) for each in (config, only_of_kind(config, kind)))
    usual, narrow = ([*read_documents(FolderView(EXAMPLE), each, units, with_values=True)] for each in readers)
    assert narrow == usual


@pytest.mark.parametrize(
    ("first", "second", "is_same"),
    [
        ("max_bytes = 1000", "max_bytes = 2000", True),
        ("max_bytes = 1000", 'path = "img"', False),
        ('store = "../a"\nstore_url = "https://a.example/"', 'store = "../b"\nstore_url = "https://a.example/"', True),
        ('store = "../a"\nstore_url = "https://a.example/"', 'store = "../a"\nstore_url = "https://b.example/"', False),
        ('base_url = "https://a.example/"', 'store = "../a"\nstore_url = "https://a.example/"', False),
    ],
)
def test_results_depend_on_the_addresses_of_pictures(tmp_path: Path, first: str, second: str, *, is_same: bool) -> None:
    digests = set()
    for settings in (first, second):
        (tmp_path / "contentsync.toml").write_text(f"[assets]\n{settings}\n")
        config, problems = read_config(tmp_path)
        assert problems == []
        digests.add(ResultContext.of(EntryReader(config), Kind.PAGE).digest)
    assert (len(digests) == 1) == is_same


def test_results_depend_on_the_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another version may replace the index between the check of its seal and its opening."""
    reader = EntryReader(load_content(write(tmp_path, FILES)).config)
    digest = ResultContext.of(reader, Kind.PAGE).digest
    monkeypatch.setattr("contentsync.content.folder.result_context.program_digest", lambda: "another version")
    assert ResultContext.of(reader, Kind.PAGE).digest != digest


def test_results_of_articles_depend_on_the_dates_of_their_first_commits(tmp_path: Path) -> None:
    config = load_content(write(tmp_path, FILES)).config
    dated, undated = EntryReader(config, dates={"articles/plain.md": "2026-01-01"}), EntryReader(config)
    digests = {kind: [ResultContext.of(each, kind).digest for each in (dated, undated)] for kind in Kind}
    assert [kind for kind, (first, second) in digests.items() if first != second] == [Kind.ARTICLE]
