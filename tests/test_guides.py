"""The tutorial and the guides are typed from the beginning to the end, with the output that they show."""

import os
import re
import shutil
from pathlib import Path

import pytest

from contentsync.git import git

from .content.pictures.picture_bytes import png
from .in_process import run_command
from .page_commands import Reader, commands, section
from .serving import Serving, make_tenant, make_token, serving

DOCS = Path(__file__).parent.parent / "docs"
ADOPT = DOCS / "adopt.md"
needs_curl = pytest.mark.skipif(shutil.which("curl") is None, reason="there is no curl: apt-get install curl")


@pytest.fixture
def ada(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Reader:
    """Return a reader in an empty folder, with a name and an address for git."""
    reader = Reader(tmp_path, capsys, monkeypatch)
    reader.set("GIT_CONFIG_NOSYSTEM", "1")
    reader.set("GIT_CONFIG_GLOBAL", os.devnull)
    for role in ("AUTHOR", "COMMITTER"):
        reader.set(f"GIT_{role}_NAME", "Ada")
        reader.set(f"GIT_{role}_EMAIL", "ada@example.com")
    return reader


@pytest.fixture
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return f"sqlite:///{tmp_path_factory.mktemp('server') / 'server.db'}"


def assert_page_works_as_written(reader: Reader, page: str) -> None:
    text = (DOCS / page).read_text(encoding="utf-8")
    assert reader.type(text) == [command.line for command in commands(text)]


def fill(folder: Path, server: Serving, number: int, token: str) -> None:
    """Write the content of a new folder, as another user."""
    target = {"CONTENTSYNC_URL": server.address, "CONTENTSYNC_DIRECTORY": str(number), "CONTENTSYNC_TOKEN": token}
    for arguments in (["init"], ["sync", "--yes"]):
        code, _, errors = run_command(arguments, {**os.environ, **target}, folder)
        assert code == 0, errors


def adopt(folder: Path, generator: str, config: str | None = None) -> None:
    """Write the site of another generator into an empty folder."""
    shutil.copytree(Path(__file__).parent / "end_to_end/adopt" / generator, folder, dirs_exist_ok=True)
    if config is not None:
        (folder / "contentsync.toml").write_text(config, encoding="utf-8")


@needs_curl
def test_the_tutorial_works_as_written(ada: Reader, tmp_path: Path) -> None:
    assert_page_works_as_written(ada, "tutorial.md")
    committed = git("ls-files", folder=tmp_path / "tools").stdout.decode().splitlines()
    assert "contentsync.toml" in committed
    assert not [path for path in committed if ".db" in path or path.startswith(".contentsync")]


def test_a_week_of_a_directory_owner_works_as_written(ada: Reader, tmp_path: Path) -> None:
    shutil.copytree(DOCS.parent / "content-example", tmp_path / "content-example")
    assert_page_works_as_written(ada, "week.md")


@pytest.mark.parametrize(
    "page", ["translations.md", "recover.md", "list.md", "set.md", "links.md", "rules.md", "fix.md"]
)
def test_a_guide_without_a_server_works_as_written(ada: Reader, page: str) -> None:
    assert_page_works_as_written(ada, page)


@needs_curl
def test_the_guide_to_staging_and_production_works_as_written(ada: Reader, database: str) -> None:
    _, staging = make_tenant(database, "staging")
    _, production = make_tenant(database, "production")
    with serving(database) as server:
        ada.instead = {
            "https://staging.example.com": server.address,
            "https://directory.example.com": server.address,
            "4|rehearse": staging,
            "9|perform": production,
        }
        assert_page_works_as_written(ada, "targets.md")


def test_the_guide_from_a_directory_to_files_works_as_written(
    ada: Reader, database: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    number, token = make_tenant(database)
    with serving(database) as server:
        fill(tmp_path_factory.mktemp("site"), server, number, token)
        ada.instead = {
            "https://directory.example.com": server.address,
            "directory = 42": f"directory = {number}",
            "directory 42": f"directory {number}",
            "7|read-only": make_token(database, scopes=("read",)),
            "8|read-and-write": token,
        }
        assert_page_works_as_written(ada, "adopt-live.md")


def test_the_guide_to_a_config_by_hand_names_the_keys_of_a_foreign_folder(ada: Reader, tmp_path: Path) -> None:
    adopt(tmp_path, "jekyll", '[content.articles]\npath = "_posts"\n')
    assert len(ada.type(section(ADOPT, "Write the config yourself"))) == 2


def test_the_guide_to_adopt_creates_a_config_for_a_foreign_folder(ada: Reader, tmp_path: Path) -> None:
    adopt(tmp_path, "jekyll")
    beginning, _, _ = ADOPT.read_text(encoding="utf-8").partition("\n## ")
    assert len(ada.type(beginning)) == 3


def test_the_guide_to_adopt_publishes_a_foreign_folder(ada: Reader, tmp_path: Path) -> None:
    adopt(tmp_path, "hugo", section(ADOPT, "Hugo").partition("```toml\n")[2].partition("```")[0])
    assert len(ada.type(section(ADOPT, "From start to finish"))) == 3


RECIPES = DOCS / "recipes.md"
PICTURE, COLLEAGUE = "Add a picture", "Take over a colleague's edits"


def test_the_recipes_work_as_written(ada: Reader, tmp_path: Path) -> None:
    before_picture, _, rest = RECIPES.read_text(encoding="utf-8").partition(f"## {PICTURE}\n")
    before_colleague, _, end = rest.partition(f"## {COLLEAGUE}\n")
    assert len(ada.type(before_picture)) == 6
    (tmp_path / "tools/pictures").mkdir()
    (tmp_path / "tools/pictures/shelf.png").write_bytes(png(4, 3))
    assert len(ada.type(before_colleague)) == 9
    edit_as_colleague(tmp_path / "tools", tmp_path / "colleague")
    assert len(ada.type(end)) == 6


def test_a_recipe_is_short() -> None:
    for recipe in RECIPES.read_text(encoding="utf-8").split("\n## ")[1:]:
        prose = re.sub(r"(?:^`[^`\n]+`\n\n)?^```.*?^```$", "", recipe, flags=re.DOTALL | re.MULTILINE)
        assert len([line for line in prose.splitlines()[1:] if line]) <= 4, recipe
        assert recipe.count("\n$ ") <= 6


def edit_as_colleague(folder: Path, copy: Path) -> None:
    """Change a page on the server of the folder: sync a copy of the folder, and copy back only its database."""
    shutil.copytree(folder, copy)
    page = copy / "pages/contact.md"
    page.write_text(page.read_text(encoding="utf-8").replace("Write to us.", "Ring the bell."), encoding="utf-8")
    code, _, errors = run_command(["sync", "--yes"], {**os.environ}, copy)
    assert code == 0, errors
    for file in (folder / ".contentsync").glob("site.db*"):
        file.unlink()
    for file in (copy / ".contentsync").glob("site.db*"):
        shutil.copy(file, folder / ".contentsync")
