"""contentsync.content.folder.scan: which files are content."""

import json
import os
import random
import unicodedata
from pathlib import Path, PurePosixPath

import pytest

from contentsync.content.config.config import read_config
from contentsync.content.files.file_names import is_below
from contentsync.content.folder.load import load_content
from contentsync.content.folder.scan import ScanResult, scan
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.errors import Severity
from contentsync.model import Kind

from ..conftest import CONFIG, Load, spots, write

TITLE = "---\ntitle: A\n---\nText\n"


def keys(root: Path) -> list[str]:
    return [entry.key for entry in load_content(root).entries]


def found(root: Path) -> ScanResult:
    return scan(root, read_config(root)[0])


def test_folders_are_read_at_any_depth(read: Load) -> None:
    """FI-13"""
    content = read({f"pages/{'a/' * 200}deep.md": TITLE, "articles/2026/x/a.md": TITLE, "articles/b.HTML": TITLE})
    assert [entry.key for entry in content.entries] == ["deep", "a", "b"]
    assert content.files == 3


def test_many_files_in_one_folder_are_all_read(read: Load) -> None:
    """FI-13"""
    count = 1_000
    content = read({f"pages/page-{number}.md": f"---\ntitle: Page {number}\n---\nText\n" for number in range(count)})
    assert (content.files, len(content.entries), content.problems) == (count, count, ())


@pytest.mark.parametrize(
    "name", ["4913", ".#x.md", "x.md~", ".x.md.swp", ".git/x.md", "node_modules/x.md", ".hidden/a/x.md"]
)
def test_hidden_and_backup_files_are_not_content(read: Load, name: str) -> None:
    """FI-28"""
    content = read({f"pages/{name}": TITLE})
    assert (content.entries, content.problems) == ((), ())


def test_files_outside_of_the_collections_are_ignored(read: Load) -> None:
    content = read({"README.md": "x", "assets/a.png": b"\x00", ".contentsync/site.db": b"\x00"})
    assert (content.files, content.problems) == (0, ())


@pytest.mark.parametrize("folder", ["pages", "articles"])
def test_the_suffix_markdown_is_read_too(read: Load, folder: str) -> None:
    content = read({f"{folder}/a.markdown": TITLE})
    assert content.problems == ()
    assert [(entry.key, entry.fields["markdown"]) for entry in content.entries] == [("a", "Text")]


def test_a_translation_can_have_another_markdown_suffix(read: Load) -> None:
    (entry,) = read({"articles/a.md": TITLE, "articles/a.fr.markdown": "Texte\n"}).entries
    assert entry.fields["translations"] == {"fr": {"markdown": "Texte"}}


@pytest.mark.parametrize("folder", ["articles", "pages", "organizers", "listings"])
def test_mdx_is_read_as_markdown(read: Load, folder: str) -> None:
    title = "title" if folder in ("articles", "pages") else "name"
    text = "markdown" if folder in ("articles", "pages") else "content"
    (entry,) = read({f"{folder}/a.mdx": f"---\n{title}: A\n---\nText\n"}).entries
    assert (entry.key, entry.fields[text]) == ("a", "Text")


def test_a_file_of_another_type_in_a_collection_is_a_warning(read: Load) -> None:
    content = read({"pages/photo.jpg": b"\xff", "listings/a.html": "x"})
    assert spots(content) == [("listings/a.html", 1, 1, "ignored-file"), ("pages/photo.jpg", 1, 1, "ignored-file")]
    assert {problem.severity for problem in content.problems} == {Severity.WARNING}


def test_a_spreadsheet_file_suggests_to_save_it_as_csv(read: Load) -> None:
    listings, pages = read({"listings/tools.xlsx": b"PK", "pages/tools.xlsx": b"PK"}).problems
    assert listings.hint.startswith("save it as CSV in the spreadsheet program")
    assert pages.hint.startswith("change the ending")


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        ("/etc/hostname", "outside of"),
        ("../../elsewhere.md", "outside of"),
        ("missing.md", "to nothing"),
        ("a.md", "to nothing"),
        ("../.git/a.md", "hidden"),
    ],
)
def test_a_link_out_of_the_content_is_an_error(tmp_path: Path, target: str, reason: str) -> None:
    """FI-14"""
    root = write(tmp_path / "site", {"pages/b.md": TITLE, ".git/a.md": TITLE})
    (tmp_path / "elsewhere.md").write_text(TITLE)
    (root / "pages/a.md").symlink_to(target)
    content = load_content(root)
    assert spots(content) == [("pages/a.md", 1, 1, "bad-link")]
    assert reason in content.problems[0].message
    assert [entry.key for entry in content.entries] == ["b"]


@pytest.mark.parametrize("target", [".", "..", "../pages"])
def test_a_link_to_a_parent_folder_never_hangs(tmp_path: Path, target: str) -> None:
    """FI-14"""
    root = write(tmp_path, {"pages/b.md": TITLE})
    (root / "pages/loop").symlink_to(target)
    assert spots(load_content(root)) == [("pages/loop", 1, 1, "bad-link")]


def test_a_link_to_a_file_inside_the_folder_is_followed(tmp_path: Path) -> None:
    root = write(tmp_path, {"shared/a.md": TITLE, "shared/tags.yaml": "- title: T\n"})
    (root / "pages").mkdir()
    (root / "pages/linked.md").symlink_to("../shared/a.md")
    (root / "tags.yaml").symlink_to("shared/tags.yaml")
    (root / "data").symlink_to("shared")
    assert keys(root) == ["t", "linked"]
    (root / "contentsync.toml").write_text(CONFIG + '[content.tags]\npath = "data/tags.yaml"\n')
    assert keys(root) == ["t", "linked"]


@pytest.mark.parametrize(("link", "path"), [("pages/more", ""), ("pages", ""), ("data", "data/x")])
def test_a_link_to_a_folder_is_an_error(tmp_path: Path, link: str, path: str) -> None:
    """FI-14"""
    config = CONFIG + (f'[content.pages]\npath = "{path}"\n' if path else "")
    root = write(tmp_path, {"contentsync.toml": config, "shared/x/b.md": TITLE})
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(root / "shared")
    content = load_content(root)
    assert spots(content) == [(path or link, 1, 1, "bad-link")]
    assert ("points to a folder" in content.problems[0].message, content.entries) == (True, ())


def test_a_path_in_the_config_is_not_followed_through_a_link(tmp_path: Path) -> None:
    """FI-14"""
    config = CONFIG + '[content.pages]\npath = "out/pages"\n[content.tags]\npath = "out/tags.yaml"\n'
    root = write(tmp_path / "site", {"contentsync.toml": config})
    write(tmp_path / "elsewhere", {"pages/a.md": TITLE, "tags.yaml": "- title: T\n"})
    (root / "out").symlink_to("../elsewhere")
    content = load_content(root)
    assert spots(content) == [("out/pages", 1, 1, "bad-link"), ("out/tags.yaml", 1, 1, "bad-link")]
    assert content.entries == ()


def test_a_pipe_is_an_error_and_never_opened(tmp_path: Path) -> None:
    """FI-16"""
    root = write(tmp_path, {"pages/b.md": TITLE})
    os.mkfifo(root / "pages/a.md")
    assert spots(load_content(root)) == [("pages/a.md", 1, 1, "special-file")]
    assert keys(root) == ["b"]


def test_a_folder_named_like_a_file_is_an_error(read: Load) -> None:
    """FI-16"""
    assert spots(read({"pages/x.md/a.md": TITLE})) == [("pages/x.md", 1, 1, "not-a-file")]


def test_a_file_name_that_is_not_utf8_is_reported_with_escapes(tmp_path: Path) -> None:
    """FI-21"""
    root = write(tmp_path, {"pages/b.md": TITLE})
    with open(os.fsencode(root) + b"/pages/caf\xe9.md", "wb") as file:  # noqa: PTH123  # a Path cannot name it
        file.write(TITLE.encode())
    assert spots(load_content(root)) == [("pages/caf\\xe9.md", 1, 1, "bad-file-name")]


@pytest.mark.parametrize("name", ["con.md", "AUX.fr.md", "nul/a.md", "LPT1.md", "a.md ", "a./b.md"])
def test_a_file_name_that_windows_reserves_is_an_error_on_every_system(read: Load, name: str) -> None:
    """FI-22"""
    content = read({f"pages/{name}": TITLE, "pages/b.md": TITLE, ".con/x": ""})
    bad = f"pages/{name.partition('/')[0]}"
    assert spots(content) == [(bad, 1, 1, "bad-file-name")]
    assert ("Windows" in content.problems[0].message, content.problems[0].hint) == (True, "rename it")
    assert [entry.key for entry in content.entries] == ["b"]


def test_a_reserved_name_in_the_config_is_an_error_too(read: Load) -> None:
    """FI-22"""
    config = CONFIG + '[content.pages]\npath = "aux/pages"\n'
    assert spots(read({"contentsync.toml": config, "aux/pages/a.md": TITLE})) == [("aux/pages", 1, 1, "bad-file-name")]


def test_a_path_that_is_too_long_is_an_error(tmp_path: Path) -> None:
    """FI-22"""
    root = write(tmp_path, {"pages/b.md": TITLE})
    folder = os.open(root / "pages", os.O_RDONLY)
    for _ in range(20):
        os.mkdir("x" * 250, dir_fd=folder)  # a Path cannot name what is so deep
        inner = os.open("x" * 250, os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    content = load_content(root)
    (problem,) = content.problems
    assert problem.code in ("bad-file-name", "unreadable")  # by what comes first: our limit, or the system's
    assert ("rename" in problem.hint or "shorten" in problem.hint, keys(root)) == (True, ["b"])


def test_two_unicode_forms_of_one_file_name_are_an_error(read: Load) -> None:
    """FI-20"""
    names = [unicodedata.normalize(form, "café") for form in ("NFC", "NFD")]
    content = read({f"pages/{name}.md": TITLE for name in names} | {f"listings/{name}.csv": "" for name in names})
    assert [spot for spot in spots(content) if spot[3] == "bad-file-name"] == [
        ("listings/café.csv", 1, 1, "bad-file-name"),
        ("pages/café.md", 1, 1, "bad-file-name"),
    ]


def test_a_decomposed_file_name_is_opened_unchanged_and_reported_composed(tmp_path: Path) -> None:
    """FI-20"""
    folder, name = unicodedata.normalize("NFD", "été"), unicodedata.normalize("NFD", "café.md")
    root = write(tmp_path, {f"pages/{folder}/{name}": TITLE})
    (file,) = found(root).files
    assert file.path == unicodedata.normalize("NFC", f"pages/{folder}/{name}")
    assert file.location == f"pages/{folder}/{name}"
    (entry,) = load_content(root).entries
    assert (entry.key, entry.source and entry.source.path) == ("cafe", file.path)


def test_file_names_with_special_characters_are_read(read: Load) -> None:
    """FI-23"""
    names = ["$(x) 'y' -z\n%0a.md", '-rf "<a>|b?*:c.md', "::error::d.md", "\x1b[31me.md"]
    content = read({f"pages/{name}": TITLE for name in names})
    assert (content.files, content.problems) == (4, ())
    assert sorted(entry.key for entry in content.entries) == ["31me", "error-d", "rf-a-b-c", "x-y-z-0a"]


def test_a_missing_configured_folder_is_an_error(read: Load) -> None:
    """FI-26"""
    content = read({"contentsync.toml": CONFIG + '[content.articles]\npath = "posts"\n'})
    assert spots(content) == [("posts", 1, 1, "no-folder")]


def test_a_collection_inside_another_is_read_once(read: Load) -> None:
    config = CONFIG + '[content.pages]\npath = "content"\n[content.articles]\npath = "content/posts"\n'
    content = read({"contentsync.toml": config, "content/a.md": TITLE, "content/posts/b.md": TITLE})
    assert [(entry.kind.value, entry.key) for entry in content.entries] == [("page", "a"), ("article", "b")]


def test_a_list_file_inside_another_collection_is_read_once(read: Load) -> None:
    config = CONFIG + '[content.listings]\npath = "data"\n[content.tags]\npath = "data/tags.yaml"\n'
    content = read({"contentsync.toml": config, "data/a.csv": "name\nA\n", "data/tags.yaml": "- title: T\n"})
    assert [(entry.kind.value, entry.key) for entry in content.entries] == [("tag", "t"), ("listing", "a")]


@pytest.mark.parametrize("files", [{"notes.txt": "x"}, {"pages.md/a.md": TITLE}])
def test_a_configured_path_of_the_wrong_type_is_an_error(read: Load, files: dict[str, str]) -> None:
    (name,) = files
    path = name.partition("/")[0]
    content = read({"contentsync.toml": CONFIG + f'[content.pages]\npath = "{path}"\n', **files})
    assert [(spot[0], spot[3]) for spot in spots(content)] == [(path, "not-a-file" if "/" in name else "not-a-folder")]


def test_a_scan_reports_the_visited_folders_and_links(tmp_path: Path) -> None:
    config = CONFIG + '[content.tags]\npath = "data/tags.yaml"\n'
    files = {"contentsync.toml": config, "pages/x/a.md": TITLE, "pages/.git/b.md": TITLE, "data/tags.yaml": ""}
    root = write(tmp_path, files)
    assert (found(root).folders, found(root).has_links) == (["data", "pages", "pages/x"], False)
    (root / "categories.yaml").write_text("")
    (root / "pages/x/b.md").symlink_to("a.md")
    assert (found(root).folders, found(root).has_links) == (["", "data", "pages", "pages/x"], True)
    assert [(file.path, file.location, file.suffix) for file in found(root).files if file.path.startswith("p")] == [
        ("pages/x/a.md", "pages/x/a.md", ".md"),
        ("pages/x/b.md", "pages/x/a.md", ".md"),
    ]


def test_the_list_files_can_have_the_suffix_yml(read: Load) -> None:
    content = read({"tags.yml": "- title: A\n", "categories.yml": "- title: B\n"})
    assert [entry.key for entry in content.entries] == ["b", "a"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("c.md", "a b deep"),
        ("*.md", ""),
        ("sub", "a b"),
        ("sub/*", "a b"),
        ("sub/c.md", "a b deep"),
        ("*/deep.md", "a b c"),
        ("b", "a b c deep"),
        ("B.md", "a b c deep"),
        ("/a.md", "b c deep"),
        ("/c.md", "a b c deep"),
        ("/sub", "a b"),
    ],
)
def test_excluded_files_and_folders_are_not_content(read: Load, pattern: str, left: str) -> None:
    """FI-28"""
    config = f'[content.pages]\npath = "content"\nexclude = ["{pattern}"]\n'
    files = {f"content/{name}.md": TITLE for name in ("a", "b", "sub/c", "sub/x/deep")}
    content = read({"contentsync.toml": config, **files, "articles/c.md": TITLE})
    assert [entry.key for entry in content.entries] == [*left.split(), "c"]


def test_an_excluded_file_can_have_any_type(read: Load) -> None:
    config = '[content.pages]\nexclude = ["*.jpg", "bad*"]\n'
    content = read(
        {
            "contentsync.toml": config,
            "pages/a.md": TITLE,
            "pages/x/photo.jpg": b"\xff",
            "pages/bad.md/x": b"\xff",
            "pages/x/bad.txt": b"",
        }
    )
    assert (content.files, content.problems) == (1, ())


TOP = f'{CONFIG}[content.pages]\npath = "."\ninclude = ["*.md", "legal"]\nexclude = ["README.md"]\n'
SEVERAL = f'{CONFIG}[content.pages]\npath = ["pages", "legal"]\n'


def test_only_what_include_names_is_read_at_the_top(read: Load) -> None:
    """Nothing else of a repository is mentioned: neither scripts, nor hidden files, nor strange names."""
    files = {"about.md": TITLE, "legal/deep/terms.md": TITLE, "README.md": "x", "legal/README.md": "x"}
    files |= {".hidden.md": TITLE, "themes/a.md": TITLE, "node_modules/b.md": TITLE, "con.py": "x", "run.sh": "x"}
    files |= {".contentsync/c.md": TITLE, "tags.yaml": "- title: A\n", "articles/d.md": TITLE}
    content = read({"contentsync.toml": TOP, **files})
    assert content.problems == ()
    assert {entry.key for entry in content.entries if entry.kind is Kind.PAGE} == {"about", "terms"}
    assert content.files == 4


def test_a_folder_that_include_names_is_read_like_any_other(read: Load) -> None:
    content = read({"contentsync.toml": TOP, "a.md": TITLE, "README.md": "x", "legal/x.txt": "x", "legal/.b.md": TITLE})
    assert [(it.where.path, it.code) for it in content.problems] == [
        ("legal/.b.md", "misplaced"),
        ("legal/x.txt", "ignored-file"),
    ]


def test_the_config_is_never_content(read: Load) -> None:
    config = f'{CONFIG}[content.tags]\npath = "."\ninclude = ["*"]\nexclude = ["articles", "pages"]\n'
    content = read({"contentsync.toml": config, "names.yaml": "- title: A\n", "categories.yml": "- title: B\n"})
    assert sorted((entry.kind.value, entry.key) for entry in content.entries) == [("category", "b"), ("tag", "a")]
    assert {problem.code for problem in content.problems} == {"unused-pattern"}


def test_a_pattern_of_include_that_matches_nothing_is_a_warning(read: Load) -> None:
    content = read({"contentsync.toml": TOP.replace("legal", "imprint"), "a.md": TITLE, "README.md": "x"})
    (problem,) = content.problems
    assert problem.message == "the include pattern 'imprint' of pages matches nothing in ."
    assert (problem.where.line, problem.is_error) == (6, False)


def test_include_applies_directly_in_each_path(read: Load) -> None:
    config = f'{CONFIG}[content.pages]\npath = ["a", "b"]\ninclude = ["x*"]\n'
    files = {"a/x1.md": TITLE, "a/y.md": TITLE, "b/x2/y.md": TITLE, "b/z/x3.md": TITLE, "b/z.txt": "x"}
    content = read({"contentsync.toml": config, **files})
    assert ([entry.key for entry in content.entries], content.problems) == (["x1", "y"], ())


@pytest.mark.parametrize("missing", ["pages", "legal"])
def test_each_of_several_paths_must_exist(read: Load, missing: str) -> None:
    """Also the default one: one of two folders that vanished, or a wrong name, must not look like deleted entries."""
    (folder,) = {"pages", "legal"} - {missing}
    content = read({"contentsync.toml": SEVERAL, f"{folder}/a.md": TITLE})
    assert spots(content) == [(missing, 1, 1, "no-folder")]
    assert Kind.PAGE in found(content.folder).incomplete_kinds


def test_paths_may_be_files(read: Load) -> None:
    config = f'{CONFIG}[content.listings]\npath = ["data/a.csv", "data/b.yaml"]\n'
    config += '[[content.listings.tables]]\npath = "data/a.csv"\ndelimiter = ";"\n'
    files = {"data/a.csv": "name;url\nSaw;https://saw.example\n", "data/b.yaml": "- name: Vice\n  slug: vice\n"}
    content = read({"contentsync.toml": config, **files, "data/c.csv": "x"})
    assert ([entry.fields["name"] for entry in content.entries], content.problems) == (["Saw", "Vice"], ())


def test_a_collection_in_a_path_of_another_kind_is_read_once(read: Load) -> None:
    config = f'{CONFIG}[content.pages]\npath = "."\ninclude = ["*"]\n[content.articles]\npath = ["blog", "old/news"]\n'
    files = {"a.md": TITLE, "blog/b.md": TITLE, "old/news/c.md": TITLE, "old/d.md": TITLE}
    content = read({"contentsync.toml": config, **files})
    assert {(entry.kind.value, entry.key) for entry in content.entries} == {
        ("page", "a"),
        ("article", "b"),
        ("article", "c"),
        ("page", "d"),
    }


def test_a_proposed_file_is_read_as_include_says(tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": TOP, "a.md": TITLE})
    config, _problems = read_config(tmp_path)
    proposed = ("b.md", "README.md", "themes/c.md", "legal/d.md", "articles/e.md", "contentsync.toml")
    files = scan(tmp_path, config, {**dict.fromkeys(proposed, b""), "a.md": None}).files
    assert [file.path for file in files] == ["articles/e.md", "b.md", "legal/d.md"]


def test_a_changed_file_at_the_top_is_read_again(tmp_path: Path) -> None:
    """The results of a cached run are used only for the files that have not changed."""
    folder = write(tmp_path / "site", {"contentsync.toml": TOP, "a.md": TITLE, "README.md": "x", "legal/b.md": TITLE})
    for file in folder.rglob("*"):
        os.utime(file, (1, 1))
    cache = InMemoryCache()
    assert load_content(folder, cache).problems == ()
    (folder / "a.md").write_text("---\ntitel: A\n---\nText\n")
    assert "unknown-key" in [problem.code for problem in load_content(folder, cache).problems]
    (folder / "a.md").unlink()
    assert [entry.key for entry in load_content(folder, cache).entries] == ["b"]


def random_settings(draw: random.Random, kind: str, spare: str) -> str:
    """Return the table of a kind, with one path or several."""
    paths = draw.choice((["."], ["x"], ["y"], ["x/y"], ["x", "y"], ["x/y", "y/x"], [spare]))
    include = draw.choice((["*.md"], ["*.md", "x"], ["[xy]"], ["*"]))
    exclude = draw.choice(([], ["b.md"], ["x/y"], ["/a.md"]))
    return f"[content.{kind}]\n" + "".join(
        f"{name} = {json.dumps(value)}\n"
        for name, value in (("path", paths), ("include", include), ("exclude", exclude))
    )


def test_a_scan_finds_what_a_path_alone_says(tmp_path: Path) -> None:
    """In random folders: `mv`, git and a watcher ask the config about a path, and must get the same answer."""
    draw, compared = random.Random(7), 0
    kinds = (Kind.PAGE, Kind.ARTICLE)
    names = ("a.md", "b.md", "c.txt", "x", "y", ".z")
    for number in range(200):
        text = random_settings(draw, "pages", "p") + random_settings(draw, "articles", "q")
        files = {"/".join(draw.choices(names, k=draw.randint(1, 3))) for _ in range(12)}
        files = {
            path for path in files if path.endswith((".md", ".txt")) and ".md/" not in path and ".txt/" not in path
        }
        files |= {"x/y/a.md", "y/x/b.md", "p/a.md", "q/a.md"}
        folder = write(tmp_path / str(number), {**dict.fromkeys(files, ""), "contentsync.toml": text})
        config, problems = read_config(folder)
        if problems:  # both kinds have the same path
            continue
        actual = {(file.kind, file.path) for file in found(folder).files}
        expected = set()
        for path in files:
            roots = {kind: config.layout(kind).split(path)[0] for kind in kinds}
            kind = max(
                (kind for kind in kinds if roots[kind] is not None),
                key=lambda kind: len(roots[kind] or ""),
                default=None,
            )
            if kind is None or not path.endswith(".md") or ".z/" in path or kind not in config.kinds_at(path):
                continue
            parents = [path, *(parent.as_posix() for parent in PurePosixPath(path).parents[:-1])]
            if not any(config.excludes(kind, parent) for parent in parents if is_below(parent, roots[kind] or "")):
                expected.add((kind, path))
        assert actual == expected, (text, sorted(files))
        compared += len(expected)
    assert compared > 200
