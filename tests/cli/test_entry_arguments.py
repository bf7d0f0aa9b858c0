"""contentsync.cli.entry_arguments: an entry as one word or two, in each command that names one."""

from pathlib import Path

import pytest

from contentsync.cli import run
from contentsync.cli.entry_arguments import split_entry
from contentsync.content.folder.load import load_content
from contentsync.errors import UsageError


@pytest.mark.parametrize(
    ("words", "others", "split"),
    [
        ("page/about", 0, ("page/about", [], None)),
        ("page about", 0, ("page/about", [], None)),
        ("pages about site", 0, ("pages/about", [], Path("site"))),
        ("page/about site", 0, ("page/about", [], Path("site"))),
        ("page about info", 1, ("page/about", ["info"], None)),
        ("pages/about.md info.md site", 1, ("pages/about.md", ["info.md"], Path("site"))),
        ("page", 0, ("page", [], None)),
        ("tag site", 0, ("tag", [], Path("site"))),  # a file
    ],
)
def test_the_word_after_a_kind_is_the_key(
    words: str, others: int, split: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tag").touch()
    (tmp_path / "pages").mkdir()
    assert split_entry(words.split(), "log KIND/KEY", others=others) == split


@pytest.mark.parametrize(("words", "message"), [("page/about", "is missing"), ("page a b site x", "too many")])
def test_a_wrong_number_of_words_shows_the_usage(words: str, message: str) -> None:
    with pytest.raises(UsageError, match=message) as raised:
        split_entry(words.split(), "mv OLD NEW", others=1)
    assert raised.value.hint == "write contentsync mv OLD NEW"


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a synced folder with two pages, which is the working directory."""
    (tmp_path / "contentsync.toml").touch()
    (tmp_path / "pages").mkdir()
    for name in ("about", "team"):
        (tmp_path / f"pages/{name}.md").write_text(f"---\ntitle: {name}\n---\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run(["sync", "--yes"]) == 0
    return tmp_path


NAMES = ["page/about", "pages/about", "pages/about.md", "page about", "pages about"]


@pytest.mark.parametrize("name", NAMES)
def test_each_command_accepts_each_form_of_an_entry_name(
    name: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = name.split()
    assert run(["log", *words]) == 0
    assert run(["forget", *words]) == 3  # the folder has it
    assert "the folder has page/about" in capsys.readouterr().err
    new = "pages/info.md" if name.endswith(".md") else "info"
    assert run(["mv", *words, new, "--yes"]) == 0
    assert (site / "pages/info.md").exists()


@pytest.mark.parametrize("name", ["page/about", "pages/about", "pages/about.md", "pages", "pages/*"])
def test_the_option_only_accepts_each_form_of_an_entry_name(
    name: str, site: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for page in ("about", "team"):
        (site / f"pages/{page}.md").write_text("---\ntitle: New\n---\n", encoding="utf-8")
    capsys.readouterr()
    assert run(["plan", "--only", name]) == 0
    count = 2 if name in ("pages", "pages/*") else 1
    assert capsys.readouterr().out.startswith(f"{count} to update")


@pytest.mark.parametrize("name", ["page/new", "pages/new", "pages/new.md", "page new"])
def test_the_command_new_accepts_each_form_of_an_entry_name(name: str, site: Path) -> None:
    assert run(["new", *name.split()]) == 0
    assert "new" in [entry.key for entry in load_content(site).entries]


def test_the_command_new_refuses_a_path_that_it_would_not_write(site: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "pages/deep/new.md"]) == 64
    assert "would be pages/new.md, not pages/deep/new.md" in capsys.readouterr().err
    assert run(["new", "elsewhere/new.md"]) == 64
    assert "is not in the folder of a kind" in capsys.readouterr().err
