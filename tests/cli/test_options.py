"""contentsync.cli.options: folders, times and entries in commands, and the messages about unreadable values."""

from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from contentsync.cli import run
from contentsync.cli.options import absolute_folder, content_folder, end_of_duration, future_time, split_entry
from contentsync.content.folder.load import load_content
from contentsync.errors import UsageError


@pytest.mark.parametrize("command", ["plan", "sync", "pull", "status", "undo", "redirects"])
@pytest.mark.parametrize(
    ("path", "message", "hint"),
    [
        ("site/pages/a.md", "is a file, not a folder", "contentsync validate site/pages/a.md checks one file"),
        ("nowhere", "there is no folder nowhere", "contentsync init creates a new one"),
        ("page/about", "there is no folder page/about", "--only page/about selects one entry"),
    ],
)
def test_a_path_that_is_not_a_folder_is_a_usage_error(
    command: str,
    path: str,
    message: str,
    hint: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "site/pages").mkdir(parents=True)
    (tmp_path / "site/contentsync.toml").touch()
    (tmp_path / "site/pages/a.md").write_text("---\ntitle: A\n---\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert run([command, path]) == 64
    err = capsys.readouterr().err
    assert message in err
    assert hint in err


def test_a_folder_name_becomes_an_absolute_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "site").mkdir()
    assert content_folder(Path()) == Path()
    assert [absolute_folder(path) for path in (Path(), Path("site"), tmp_path)] == [
        tmp_path,
        tmp_path / "site",
        tmp_path,
    ]


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(("text", "day"), [("30d", "2026-03-31"), ("12h", "2026-03-02"), ("4w", "2026-03-29")])
def test_a_duration_is_counted_from_now(text: str, day: str) -> None:
    assert end_of_duration(text, NOW).date().isoformat() == day


@pytest.mark.parametrize("text", ["30", "0d", "-1d", "1 d", "1m", "1234567d", ""])
def test_a_text_in_another_form_is_not_a_duration(text: str) -> None:
    with pytest.raises(UsageError, match="is not a duration"):
        end_of_duration(text, NOW)


def test_a_time_without_a_zone_is_in_the_zone_of_the_site() -> None:
    assert future_time("2026-06-01", ZoneInfo("Europe/Paris"), NOW) == datetime(2026, 5, 31, 22, tzinfo=UTC)
    assert future_time("2026-06-01T00:00:00Z", ZoneInfo("Europe/Paris"), NOW) == datetime(2026, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "message"),
    [("tomorrow", "is not a time"), ("2026-02-30", "is not a time"), ("2026-03-01", "is not in the future")],
)
def test_a_past_or_unreadable_time_is_refused(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        future_time(text, UTC, NOW)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("plan --on-drift nope", "--on-drift: 'nope' is not one of 'overwrite', 'keep', 'fail'"),
        ("plan --allow-deletes few", "--allow-deletes must be a whole number, not 'few'"),
        ("sync --concurrency 0", "--concurrency must be at least 1, not '0'"),
        ("serve --port 70000", "--port must be at most 65535, not '70000'"),
        ("validate a\0b", "PATH: embedded null byte"),
        ("new", "Missing argument 'KIND SLUG [PATH]'."),
        ("plan --xyz", "contentsync plan has no option --xyz"),
    ],
)
def test_a_usage_error_says_which_value_was_expected(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words.split(" ")) == 64
    assert capsys.readouterr().err.startswith(f"contentsync: {message}")


@pytest.mark.parametrize(
    ("words", "command"),
    [("plan --xyz", "contentsync plan"), ("admin user create", "contentsync admin user create"), ("x", "contentsync")],
)
def test_a_usage_error_names_the_help_of_the_command(
    words: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(words.split(" ")) == 64
    assert capsys.readouterr().err.endswith(f"\n  see {command} --help\n")


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
