"""The commands that messages print for pasting."""

from contextlib import chdir
from pathlib import Path

from contentsync.printed_commands import PrintedCommands, entry_word

OPTIONS = (("--prune",), ("--target", "staging"), ("--only", "page"), ("--only", "tag"), ("--base", "git:HEAD"))
COMMANDS = PrintedCommands("my site", OPTIONS)


def test_a_plan_or_a_sync_repeats_every_option_of_the_run() -> None:
    options = "--prune --target staging --only page --only tag --base git:HEAD"
    assert COMMANDS("plan", "--full") == f"contentsync plan 'my site' {options} --full"
    assert COMMANDS("sync") == f"contentsync sync 'my site' {options}"


def test_words_replace_the_same_option_of_the_run() -> None:
    command = COMMANDS("sync", "--only", "page/about")
    assert command == "contentsync sync 'my site' --prune --target staging --base git:HEAD --only page/about"


def test_a_pull_repeats_the_target_but_never_its_only() -> None:
    """With `--only`, a pull overwrites local changes."""
    assert COMMANDS("pull", "--deletes") == "contentsync pull 'my site' --target staging --deletes"


def test_a_command_without_a_target_names_the_folder() -> None:
    assert COMMANDS("validate") == "contentsync validate 'my site'"


def test_the_folder_that_a_command_finds_is_not_named(tmp_path: Path) -> None:
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


def test_a_shell_reads_each_word_as_it_was_given() -> None:
    assert PrintedCommands("a; b")("sync", "--only", "tag/$c") == "contentsync sync 'a; b' --only 'tag/$c'"
    assert PrintedCommands()("sync", "--only", "tag/\x1b[2J") == "contentsync sync --only 'tag/\\x1b[2J'"


def test_one_of_several_entries_is_for_the_user_to_name() -> None:
    assert entry_word(["page/about"]) == "page/about"
    assert entry_word(["page/about", "page/team"]) == "KIND/KEY"
