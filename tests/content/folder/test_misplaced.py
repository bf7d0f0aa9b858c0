"""content.folder.misplaced: nothing that looks like content, or like a translation, is silently left unread."""

from pathlib import Path

import pytest

from contentsync.content.folder.load import Content, load_content, validate_folder
from contentsync.errors import Severity

from ..conftest import CONFIG, Files, Load, write

TEXT = "---\ntitle: A\n---\nText\n"
TABLE = "name\nA\n"
LIST = "- title: A\n"


def reported(root: Path, files: Files, config: str = "") -> list[tuple[str, str, str]]:
    """Path, message and hint of every warning that something is not read."""
    content = load_content(write(root, {"contentsync.toml": config, **files}))
    found = [problem for problem in content.problems if problem.code == "misplaced"]
    assert {problem.severity for problem in found} <= {Severity.WARNING}
    return [(problem.where.path, problem.message, problem.hint) for problem in found]


@pytest.mark.parametrize(
    ("file", "path", "hint"),
    [
        ("Listings/tools.csv", "Listings", "rename it to listings/"),
        ("Tags.yaml", "Tags.yaml", "rename it to tags.yaml"),
        ("tag.yml", "tag.yml", "rename it to tags.yaml"),
        ("category.yaml", "category.yaml", "rename it to categories.yaml"),
        ("custom-fields.yaml", "custom-fields.yaml", "rename it to custom_fields.yaml"),
        ("tags.csv", "tags.csv", "save it as tags.yaml"),
        ("tags/free.yaml", "tags", "write them into tags.yaml"),
        ("posts/a.md", "posts", 'path = "posts" under [content.articles]'),
        ("blog/2024/a.md", "blog", 'path = "blog" under [content.articles]'),
        ("_posts/2024-01-01-a.md", "_posts", 'path = "_posts" under [content.articles]'),
        ("_pages/a.md", "_pages", 'path = "_pages" under [content.pages]'),
        ("page/a.md", "page", "rename it to pages/"),
        ("listings.csv", "listings.csv", "move it into listings/"),
        ("listings.yaml", "listings.yaml", "move it into listings/"),
        ("listings.yml", "listings.yml", "move it into listings/"),
        ("pages.yml", "pages.yml", "save it as .md"),
        ("content/posts/a.md", "content/posts", 'path = "content/posts" under [content.articles]'),
        ("content/about.md", "content", 'path = "content" under [content.pages]'),
        ("src/content/blog/a.md", "src/content/blog", 'path = "src/content/blog" under [content.articles]'),
    ],
)
def test_a_nearly_correct_name_or_place_is_a_warning_with_the_fix(
    file: str, path: str, hint: str, tmp_path: Path
) -> None:
    ((where, message, reported_hint),) = reported(tmp_path, {file: LIST if file.endswith(("yaml", "yml")) else TEXT})
    assert where == path
    assert message.startswith("not read: ")
    assert hint in reported_hint


def test_a_file_at_the_suggested_path_is_not_reported(tmp_path: Path) -> None:
    config = '[content.articles]\npath = "_posts"\n[content.pages]\npath = "_pages"\n'
    files: Files = {"_posts/2024-01-01-a.md": TEXT, "_pages/a.md": TEXT, "_config.yml": "title: A\n"}
    assert reported(tmp_path, files, config) == []
    hugo = '[content.articles]\npath = "content/posts"\n[content.pages]\npath = "content"\n'
    assert reported(tmp_path / "hugo", {"content/posts/a.md": TEXT, "content/b.md": TEXT}, hugo) == []


def test_files_beside_the_right_folder_should_be_moved_into_it(tmp_path: Path) -> None:
    ((path, _, hint),) = reported(tmp_path, {"articles/a.md": TEXT, "posts/b.md": TEXT})
    assert (path, hint) == ("posts", "move its files into articles/")


def test_pages_in_the_root_of_a_jekyll_folder_are_reported(tmp_path: Path) -> None:
    files: Files = {"_config.yml": "title: A\n", "about.md": TEXT, "index.markdown": TEXT, "README.md": "x"}
    ((path, message, hint),) = reported(tmp_path, files)
    assert (path, hint) == ("about.md", "move it into pages/")
    assert "1 more" in message


@pytest.mark.parametrize(
    "files",
    [
        {"README.md": "x", "docs/a.md": TEXT, "articles/a.md": TEXT, "data.csv": TABLE},
        {"posts/a.png": b"", "pages/a.md": TEXT},
        {"assets/a.png": b"", "README.md": "x"},
        {"articles/a.md": TEXT, "tags.yml": LIST, "custom_fields.yaml": "- {label: A, type: text}\n"},
    ],
)
def test_files_that_do_not_look_like_content_are_ignored(files: Files, tmp_path: Path) -> None:
    assert reported(tmp_path, files) == []


def test_tables_and_text_folders_are_reported_if_no_content_is_read(tmp_path: Path) -> None:
    found = reported(tmp_path, {"tools.csv": TABLE, "docs/a.md": TEXT})
    assert [(path, hint) for path, _, hint in found] == [
        ("docs", 'set path = "docs" under [content.pages] or [content.articles] in contentsync.toml'),
        ("tools.csv", "move it into listings/"),
    ]


def test_a_content_file_whose_name_starts_with_a_dot_is_reported(tmp_path: Path) -> None:
    files: Files = {
        "listings/.net.yml": "name: .NET\n",
        "listings/a.csv": TABLE,
        "pages/.about.md.swp": b"",
        "pages/._a.md": b"",
    }
    assert reported(tmp_path, files) == [
        ("listings/.net.yml", "not read: a file whose name starts with a dot is hidden", "rename it to net.yml")
    ]
    assert reported(tmp_path, files, '[content.listings]\nexclude = [".net.yml"]\n') == []


def test_an_exclude_pattern_that_matches_no_file_is_a_warning(read: Load) -> None:
    config = '[content.articles]\nexclude = ["drafts/*", "REAMDE.md", "*.jpg", ".DS_Store"]\n'
    files: Files = {
        "articles/drafts/a.md": TEXT,
        "articles/a.jpg": b"",
        "articles/README.md": TEXT,
        "articles/.DS_Store": b"",
    }
    content = read({"contentsync.toml": config, **files})
    (problem,) = content.problems
    assert (problem.code, problem.severity, problem.where.line) == ("unused-pattern", Severity.WARNING, 2)
    assert "'REAMDE.md' of articles matches nothing in articles" in problem.message


def test_a_warning_about_a_deleted_folder_is_not_cached(tmp_path: Path) -> None:
    root = write(tmp_path, {f"articles/a{number}.md": TEXT for number in range(20)} | {"posts/b.md": TEXT})
    assert [problem.code for problem in validate_folder(root).problems] == ["misplaced"]
    (root / "posts/b.md").unlink()
    assert validate_folder(root).problems == ()


def test_the_warning_about_misplaced_files_can_be_ignored(tmp_path: Path) -> None:
    assert reported(tmp_path, {"posts/a.md": TEXT}, '[warnings]\nignore = ["misplaced"]\n') == []


BELOW = '[content.articles]\nlocales = "folder"\n'
ABOVE = '[content.articles]\npath = "site/{locale}/posts"\n'


def warned(content: Content) -> dict[str, str]:
    return {it.where.path: it.message for it in content.problems if it.code == "unknown-locale-folder"}


@pytest.mark.parametrize(
    ("settings", "file", "folder", "result"),
    [
        (BELOW, "articles/de/a.md", "articles/de", "the files in this folder are separate entries"),
        (BELOW, "articles/pt-BR/a.md", "articles/pt-BR", "the files in this folder are separate entries"),
        (ABOVE, "site/de/posts/a.md", "site/de/posts", "this folder is not read"),
    ],
)
def test_a_folder_named_like_a_language_is_a_warning(
    read: Load, settings: str, file: str, folder: str, result: str
) -> None:
    content = read({"contentsync.toml": CONFIG + settings, file: TEXT, "site/posts/b.md": TEXT})
    language = folder.split("/")[1]
    assert warned(content) == {folder: f"'{language}' is not a language of the site: {result}"}
    assert content.problems[0].hint == f"add '{language}' to site.locales in contentsync.toml"
    assert not content.errors


def test_the_hint_suggests_a_similar_language(read: Load) -> None:
    content = read({"contentsync.toml": CONFIG + BELOW, "articles/rf/a.md": TEXT})
    assert [problem.hint for problem in content.problems] == ["did you mean 'fr'?"]


@pytest.mark.parametrize("file", ["articles/js/a.md", "articles/2026/a.md", "articles/x/de/a.md", "articles/de/a.txt"])
def test_folders_with_other_names_are_not_taken_for_languages(read: Load, file: str) -> None:
    assert warned(read({"contentsync.toml": f'{CONFIG}{BELOW}exclude = ["*.txt"]\n', file: TEXT})) == {}


def test_a_folder_is_not_taken_for_a_language_without_the_setting(read: Load) -> None:
    assert warned(read({"articles/de/a.md": TEXT})) == {}


def test_a_file_that_include_leaves_out_is_not_misplaced(read: Load) -> None:
    """The config says what is read at the top: a page that it leaves out is no mistake."""
    config = f'{CONFIG}[content.pages]\npath = "."\ninclude = ["about.md"]\n'
    files = {"contentsync.toml": config, "about.md": TEXT, "draft.md": TEXT, "_config.yml": "a: 1\n"}
    content = read({**files, "content/pages/old.md": TEXT, "content/a.md": TEXT, "posts/news.md": TEXT})
    assert [(it.where.path, it.code) for it in content.problems] == [("posts", "misplaced")]
