"""`contentsync new`: a new entry in its place."""

import json
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from contentsync.cli import run
from contentsync.content.folder.load import load_content
from contentsync.model import Kind

from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE

Ran = tuple[int, str, str]
Command = Callable[..., Ran]
Files = dict[str, str]


@pytest.fixture
def new(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Command:
    """Return a function that runs `contentsync new` for `tmp_path` and returns its exit code, stdout and stderr."""
    (tmp_path / "contentsync.toml").touch()

    def command(kind: str, slug: str, *options: str) -> Ran:
        code = run(["new", kind, slug, str(tmp_path), *options])
        return code, *capsys.readouterr()

    return command


def write(folder: Path, files: Files) -> None:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())


def names(folder: Path) -> list[str]:
    """Return the names of the files in a folder."""
    return sorted(file.name for file in folder.iterdir())


def keys(folder: Path) -> list[str]:
    """Return the keys of the entries of the folder, which must be valid."""
    content = load_content(folder)
    assert content.problems == ()
    return [entry.key for entry in content.entries]


@pytest.mark.parametrize(
    ("kind", "path"),
    [
        ("page", "pages/my-first.md"),
        ("article", "articles/my-first.md"),
        ("organizer", "organizers/my-first.md"),
        ("listing", "listings/my-first.md"),
        ("category", "categories.yaml"),
        ("tag", "tags.yaml"),
    ],
)
def test_a_new_entry_is_written_in_the_folder_of_its_kind(new: Command, tmp_path: Path, kind: str, path: str) -> None:
    assert new(kind, "my-first") == (0, f"{tmp_path / path}\n", "")
    (entry,) = load_content(tmp_path).entries
    assert (entry.kind, entry.key) == (kind, "my-first")
    assert keys(tmp_path) == ["my-first"]
    assert new(kind, "my-second")[0] == 0
    assert keys(tmp_path) == ["my-first", "my-second"]


def test_a_custom_field_has_a_name_instead_of_a_slug(new: Command, tmp_path: Path) -> None:
    assert new("custom_field", "since_year")[0] == 0
    assert keys(tmp_path) == ["since_year"]
    code, _, err = new("custom_field", "since-month")
    assert (code, "did you mean 'since_month'?" in err) == (WRONG_USAGE, True)
    code, _, err = new("custom_field", "email")
    assert (code, "a field of the service" in err) == (WRONG_USAGE, True)


def test_the_json_of_new_names_the_entry_and_its_line(new: Command, tmp_path: Path) -> None:
    write(tmp_path, {"tags.yaml": "# Ours\n- title: A\n"})
    code, out, _ = new("tag", "b", "--format", "json")
    made = {"version": 1, "kind": "tag", "key": "b", "path": "tags.yaml", "line": 3}
    assert (code, json.loads(out)) == (0, made)


def test_the_folder_is_found_from_a_subfolder(
    new: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    new("page", "about")
    monkeypatch.chdir(tmp_path / "pages")
    assert run(["new", "page", "more"]) == 0
    assert capsys.readouterr().out == "more.md\n"  # from where it was typed


@pytest.mark.parametrize("slug", ["index", "2026-03-01-hello", "a--b"])
def test_a_slug_that_differs_from_the_file_name_is_written_into_the_file(
    new: Command, tmp_path: Path, slug: str
) -> None:
    for kind in ("article", "page"):
        assert new(kind, slug)[0] == 0
    assert keys(tmp_path) == [slug, slug]


@pytest.mark.parametrize(
    ("slug", "expected"),
    [
        ("hello.fr", "did you mean 'hello-fr'?"),
        ("Hello World", "did you mean 'hello-world'?"),
        ("../secret", "did you mean 'secret'?"),
        ("_", "slug must consist"),
        ("a" * 256, "slug must consist"),
        ("con", "Windows"),
        ("a" * 254, "255"),
    ],
)
def test_a_slug_that_is_no_valid_slug_or_file_name_is_refused(
    new: Command, tmp_path: Path, slug: str, expected: str
) -> None:
    """FI-22, SL-07"""
    code, out, err = new("article", slug)
    assert (code, out) == (WRONG_USAGE, "")
    assert expected in err
    assert names(tmp_path) == ["contentsync.toml"]


def test_an_unknown_kind_is_refused_with_the_nearest_name(new: Command) -> None:
    code, out, err = new("artcle", "a")
    assert (code, out, err) == (WRONG_USAGE, "", "contentsync: there is no kind 'artcle'\n  did you mean 'article'?\n")
    assert "the kinds are category, tag" in new("xyz", "a")[2]


@pytest.mark.parametrize(
    ("kind", "slug", "files", "where"),
    [
        ("article", "hello", {"articles/2026-03-01-hello.md": "---\ntitle: A\n---\nText\n"}, "-hello.md, line 1"),
        ("article", "hello", {"articles/a.md": "---\ntitle: A\nslug: hello\n---\nText\n"}, "articles/a.md, line 1"),
        ("page", "hello", {"pages/hello.md": "---\ntitel: A\n---\n"}, "pages/hello.md"),
        ("page", "hello", {"pages/hello.md": "---\ntitle: [\n---\n"}, "pages/hello.md"),
        ("listing", "a-b", {"listings/t.csv": "name,url\nC,\nA b,\n"}, "listings/t.csv, line 3"),
        ("listing", "a", {"listings/t.csv": "name,url,slug\nC,https://c.example,a\n"}, "listings/t.csv, line 2"),
        ("tag", "b", {"tags.yaml": "- title: A\n- title: B\n"}, "tags.yaml, line 2"),
        ("custom_field", "b", {"custom_fields.yaml": "- {label: B, type: text}\n"}, "custom_fields.yaml, line 1"),
    ],
)  # fmt: skip
def test_an_existing_entry_is_refused_with_its_location(
    new: Command, tmp_path: Path, kind: str, slug: str, files: Files, where: str
) -> None:
    write(tmp_path, files)
    code, out, err = new(kind, slug)
    assert (code, out) == (REFUSED, "")
    assert where in err
    assert all((tmp_path / path).read_text(encoding="utf-8") == text for path, text in files.items())


@pytest.mark.parametrize(
    "before",
    [
        "- title: A\n",
        "- title: A",
        "# Ours\r\n- title: A\r\n  description: é\r\n",
        "\ufeff- title: A\n",
        "  - title: A\n    description: |\n      - x\n\n  # the end\n",
        "-   title: A\n",
        "# none yet\n",
        "",
        "- title: A\n  description: >\n    long",
    ],
)
def test_a_new_entry_is_appended_to_a_list_without_changing_other_bytes(
    new: Command, tmp_path: Path, before: str
) -> None:
    write(tmp_path, {"categories.yaml": before})
    (tmp_path / "categories.yaml").chmod(0o640)
    assert new("category", "b")[0] == 0
    after = (tmp_path / "categories.yaml").read_bytes()
    assert after.startswith(before.encode())
    assert (b"\r\n" in after[len(before.encode()) :]) == ("\r\n" in before)
    assert (tmp_path / "categories.yaml").stat().st_mode & 0o777 == 0o640
    assert [key for key in keys(tmp_path) if key != "a"] == ["b"]
    assert names(tmp_path) == ["categories.yaml", "contentsync.toml"]


@pytest.mark.parametrize(
    "before", ["[{title: A}]\n", "[]\n", "title: A\n", "- title: A\n...\n", "---\n- title: A\n---\n"]
)
def test_a_list_in_another_yaml_style_is_not_edited(new: Command, tmp_path: Path, before: str) -> None:
    write(tmp_path, {"tags.yaml": before})
    code, _, err = new("tag", "b")
    assert code in (CONTENT_ERRORS, REFUSED)
    assert "tags.yaml" in err
    assert (tmp_path / "tags.yaml").read_text(encoding="utf-8") == before


def test_a_list_with_errors_is_not_edited(new: Command, tmp_path: Path) -> None:
    write(tmp_path, {"tags.yaml": "- title: A\n  colour: red\n"})
    code, _, err = new("tag", "b")
    assert code == CONTENT_ERRORS
    assert "tags.yaml:2:3: unknown-key" in err


def test_errors_in_other_files_are_reported_because_they_may_hide_the_entry(new: Command, tmp_path: Path) -> None:
    write(tmp_path, {"articles/broken.md": "---\ntitle: [\n---\n"})
    code, out, err = new("article", "b")
    assert (code, out) == (0, f"{tmp_path / 'articles/b.md'}\n")
    assert "may hide another 'b'" in err


def test_the_paths_and_keys_of_the_config_are_used(new: Command, tmp_path: Path) -> None:
    config = '[content.articles]\npath = "_posts"\nrename = { date = "published_at", published = "active" }\n'
    config += '[content.tags]\npath = "tags"\n[content.listings]\npath = "all.yml"\n'
    write(tmp_path, {"contentsync.toml": config, "tags/a.yaml": "title: A\n"})
    assert new("article", "hello")[1] == f"{tmp_path / '_posts/hello.md'}\n"
    assert "published: false\n" in (tmp_path / "_posts/hello.md").read_text(encoding="utf-8")
    assert new("tag", "b")[1] == f"{tmp_path / 'tags/b.yaml'}\n"
    assert new("listing", "c")[1] == f"{tmp_path / 'all.yml'}\n"
    assert keys(tmp_path) == ["a", "b", "c", "hello"]


def test_a_new_entry_is_appended_to_a_list_with_the_suffix_yml(new: Command, tmp_path: Path) -> None:
    write(tmp_path, {"categories.yml": "- title: A\n"})
    assert new("category", "b")[1] == f"{tmp_path / 'categories.yml'}\n"
    assert keys(tmp_path) == ["a", "b"]


def test_a_table_is_not_edited(new: Command, tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": '[content.listings]\npath = "all.csv"\n', "all.csv": "name\nA\n"})
    code, _, err = new("listing", "b")
    assert (code, "all.csv" in err) == (REFUSED, True)
    assert (tmp_path / "all.csv").read_text(encoding="utf-8") == "name\nA\n"


def test_a_missing_or_broken_config_is_an_error_and_nothing_is_written(new: Command, tmp_path: Path) -> None:
    write(tmp_path, {"contentsync.toml": "[content.articles]\npath = '../out'\n"})
    assert new("article", "b")[0] == 1
    (tmp_path / "contentsync.toml").unlink()
    assert new("article", "b")[0] == 1
    assert names(tmp_path) == []
    assert run(["new", "page", "a", str(tmp_path / "nowhere")]) == 64


def test_nothing_is_written_through_a_link_out_of_the_folder(new: Command, tmp_path: Path) -> None:
    """FI-14"""
    outside = tmp_path.with_name(f"{tmp_path.name}-outside")
    outside.mkdir()
    (tmp_path / "pages").symlink_to(outside)
    assert new("page", "a")[0] == 1
    assert names(outside) == []


def test_required_custom_fields_get_a_value(new: Command, tmp_path: Path) -> None:
    write(tmp_path, {"custom_fields.yaml": "- {label: Since, type: number, is_required: true}\n"})
    assert new("listing", "a")[0] == 0
    assert keys(tmp_path) == ["since", "a"]


@pytest.mark.parametrize("kind", [Kind.TAG, Kind.PAGE])
def test_a_full_disk_is_reported_with_the_file_and_changes_nothing(new: Command, tmp_path: Path, kind: str) -> None:
    """FI-24: the limit on the size of files has the effect of a full disk."""
    write(tmp_path, {"tags.yaml": "- title: A\n" + "# so long\n" * 50})
    before = (tmp_path / "tags.yaml").read_bytes()
    program = "import sys; from contentsync.cli import run; sys.exit(run(['new', *sys.argv[1:]]))"
    ran = subprocess.run(
        [sys.executable, "-c", program, kind, "b", str(tmp_path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (150, 150)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    assert ran.stderr.count("\n") == 2
    assert "cannot be written: File too large" in ran.stderr
    assert names(tmp_path) == ["contentsync.toml", "tags.yaml"]
    assert (tmp_path / "tags.yaml").read_bytes() == before
