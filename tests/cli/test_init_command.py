"""`contentsync init`: a new content folder."""

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

from ..exit_codes import REFUSED

Ran = tuple[int, str, str]
Command = Callable[..., Ran]


@pytest.fixture
def init(capsys: pytest.CaptureFixture[str]) -> Command:
    """Return a function that runs `contentsync init` and returns its exit code, stdout and stderr."""

    def command(*arguments: object) -> Ran:
        code = run(["init", *map(str, arguments)])
        return code, *capsys.readouterr()

    return command


def files_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*")}


def test_a_new_folder_is_valid_and_contains_every_kind(init: Command, tmp_path: Path) -> None:
    site = tmp_path / "sites" / "tools"
    code, out, err = init(site)
    assert code == 0
    content = load_content(site)
    assert content.problems == ()
    assert {entry.kind for entry in content.entries} == set(Kind)
    assert (site / ".gitignore").read_text(encoding="utf-8") == ".contentsync/\n"
    assert {str(site / path) for path in files_in(site) if (site / path).is_file()} == set(out.splitlines())
    assert f"contentsync validate {site}" in err


def test_init_without_a_path_uses_the_current_folder(
    init: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, out, err = init()
    assert (code, out.splitlines()[0]) == (0, ".gitignore")
    assert "  contentsync validate\n" in err
    assert load_content(tmp_path).problems == ()


def test_init_reports_a_server_that_the_environment_sets(
    init: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "sync writes to" not in init(tmp_path / "local")[2]
    monkeypatch.setenv("CONTENTSYNC_URL", "http://127.0.0.1:8000")
    monkeypatch.setenv("CONTENTSYNC_DIRECTORY", "3")
    _code, _out, err = init(tmp_path / "site")
    assert err.endswith("sync writes to http://127.0.0.1:8000 directory 3: unset CONTENTSYNC_URL for a database here\n")


def test_the_json_of_init_names_the_files(init: Command, tmp_path: Path) -> None:
    code, out, _ = init(tmp_path / "site", "--format", "json")
    document = json.loads(out)
    assert (code, document["version"], document["folder"]) == (0, 1, str(tmp_path / "site"))
    assert "contentsync.toml" in document["files"]


def test_init_leaves_other_files_of_a_repository_unchanged(init: Command, tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "pages").mkdir()
    others = ("README.md", "LICENSE", ".gitignore", "picture.png")
    for name in others:
        (tmp_path / name).write_text(f"text of {name}", encoding="utf-8")
    code, out, _ = init(tmp_path)
    assert code == 0
    assert ".gitignore" not in out
    assert {(tmp_path / name).read_text(encoding="utf-8") for name in others} == {f"text of {name}" for name in others}
    assert load_content(tmp_path).problems == ()


@pytest.mark.parametrize("name", ["tags.yaml", "pages/about.md", "articles", "listings/tools.csv"])
@pytest.mark.parametrize("is_link", [False, True], ids=["file", "link"])
def test_a_file_that_init_would_replace_is_refused(init: Command, tmp_path: Path, name: str, is_link: bool) -> None:
    site = tmp_path / "site"
    (site / name).parent.mkdir(parents=True)
    if is_link:
        (site / name).symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    else:
        (site / name).write_text("text", encoding="utf-8")
    before = files_in(tmp_path)
    code, out, err = init(site)
    assert (code, out) == (REFUSED, "")
    assert f"{site} contains {name}, which init would replace" in err
    assert f"create a contentsync.toml in it: contentsync adopt {site} proposes one" in " ".join(err.split())
    assert files_in(tmp_path) == before


def test_init_does_not_follow_a_link_to_a_folder(init: Command, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "site").mkdir()
    (tmp_path / "site/articles").symlink_to(tmp_path / "elsewhere", target_is_directory=True)
    assert init(tmp_path / "site")[0] == 3
    assert files_in(tmp_path / "elsewhere") == set()


def test_init_refuses_a_folder_that_is_already_a_content_folder(init: Command, tmp_path: Path) -> None:
    assert init(tmp_path)[0] == 0
    before = files_in(tmp_path)
    code, out, err = init(tmp_path, "--format", "json")
    assert code == REFUSED
    assert "is already a content folder" in json.loads(out)["error"]["message"]
    assert "is already a content folder" in err
    assert files_in(tmp_path) == before


def test_init_refuses_a_file_instead_of_a_folder(init: Command, tmp_path: Path) -> None:
    file = tmp_path / "site"
    file.write_text("text", encoding="utf-8")
    assert init(file)[0] == 64
    assert file.read_text(encoding="utf-8") == "text"


def test_init_on_a_full_disk_names_the_file_and_leaves_nothing(tmp_path: Path) -> None:
    """FI-24: the limit on the size of files has the effect of a full disk."""
    site = tmp_path / "site"
    program = "import sys; from contentsync.cli import run; sys.exit(run(['init', sys.argv[1]]))"
    ran = subprocess.run(
        [sys.executable, "-c", program, str(site)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (300, 300)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1, ran.stderr
    assert ran.stderr == (
        "contentsync: articles/hello.md cannot be written: File too large\n"
        "  nothing was changed; make room or correct the permissions\n"
    )
    assert not site.exists()
    assert run(["init", str(site)]) == 0
