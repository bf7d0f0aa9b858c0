"""The commands that messages print for pasting."""

from contextlib import chdir
from pathlib import Path

from contentsync.printed_commands import PrintedCommands, entry_word

OPTIONS = (("--prune",), ("--target", "staging"), ("--only", "page"), ("--only", "tag"), ("--base", "git:HEAD"))
COMMANDS = PrintedCommands("my site", OPTIONS)


def test_a_printed_plan_or_sync_repeats_every_option_of_the_run() -> None:
    options = "--prune --target staging --only page --only tag --base git:HEAD"
    assert COMMANDS("plan", "--full") == f"contentsync plan 'my site' {options} --full"
    assert COMMANDS("sync") == f"contentsync sync 'my site' {options}"


def test_an_added_option_replaces_the_same_option_of_the_run() -> None:
    command = COMMANDS("sync", "--only", "page/about")
    assert command == "contentsync sync 'my site' --prune --target staging --base git:HEAD --only page/about"


def test_a_printed_pull_repeats_the_target_but_not_the_only_option() -> None:
    """With `--only`, a pull overwrites local changes."""
    assert COMMANDS("pull", "--deletes") == "contentsync pull 'my site' --target staging --deletes"


def test_a_command_without_a_target_contains_the_folder() -> None:
    assert COMMANDS("validate") == "contentsync validate 'my site'"


def test_a_folder_that_the_command_finds_itself_is_left_out(tmp_path: Path) -> None:
    inner = tmp_path / "site/pages"
    inner.mkdir(parents=True)
    (tmp_path / "site/contentsync.toml").touch()
    with chdir(inner):
        assert PrintedCommands.for_folder(tmp_path / "site") == PrintedCommands()
        assert PrintedCommands.for_folder(Path("..")) == PrintedCommands("..")
    with chdir(tmp_path / "site"):
        assert PrintedCommands.for_folder(Path()) == PrintedCommands()
    with chdir(tmp_path):
        assert PrintedCommands.for_folder(Path("site")) == PrintedCommands("site")


def test_each_word_is_quoted_for_the_shell() -> None:
    assert PrintedCommands("a; b")("sync", "--only", "tag/$c") == "contentsync sync 'a; b' --only 'tag/$c'"
    assert PrintedCommands()("sync", "--only", "tag/\x1b[2J") == "contentsync sync --only 'tag/\\x1b[2J'"


def test_one_entry_is_named_and_several_become_a_placeholder() -> None:
    assert entry_word(["page/about"]) == "page/about"
    assert entry_word(["page/about", "page/team"]) == "KIND/KEY"
