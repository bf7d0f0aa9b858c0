"""Completion in a real bash, on a terminal: the result of the Tab key after the beginning of a word."""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer._click.shell_completion import CompletionItem, ShellComplete
from typer._completion_classes import BashComplete, FishComplete, ZshComplete

from contentsync.cli import completion
from contentsync.cli.command_line import command
from contentsync.content.files.completion_names import NAMES_FILE
from contentsync.content.folder.load import validate_folder

STAGING_RUN, PRODUCTION_RUN = "20260301T090000Z-000000-1", "20260302T090000Z-000000-2"
PROMPT = "ready> "
TARGETS = '[targets.staging]\nurl = "https://staging.example.com"\n[targets.production]\nurl = "https://example.com"\n'


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a home folder with the installed completion and a content folder."""
    home = tmp_path_factory.mktemp("home")
    (home / "contentsync.toml").write_text(TARGETS, encoding="utf-8")
    (home / ".bashrc").write_text(f"PS1='{PROMPT}'\n", encoding="utf-8")
    (home / "empty").mkdir()
    (home / "empty/contentsync.toml").touch()
    make_site(home / "site")
    done = subprocess.run(
        ["bash", "-c", "contentsync --install-completion; exit"], env=environment(home), capture_output=True, text=True
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "bash completion installed in" in done.stdout
    return home


def make_site(folder: Path) -> None:
    """Make a validated folder with two pages and a listing, and with the journals of two targets."""
    (folder / "pages").mkdir(parents=True)
    (folder / "contentsync.toml").write_text(f'default_target = "staging"\n{TARGETS}', encoding="utf-8")
    for slug in ("about", "terms"):
        (folder / f"pages/{slug}.md").write_text("---\ntitle: A\n---\n\nText.\n", encoding="utf-8")
    listings = "- name: A\n  url: https://example.com/a?b=1\n- name: B\n  url: https://example.com/$(id)\n"
    (folder / "listings").mkdir()
    (folder / "listings/all.yaml").write_text(listings, encoding="utf-8")
    for target, run in (("staging", STAGING_RUN), ("production", PRODUCTION_RUN)):
        (folder / ".contentsync/journal" / target).mkdir(parents=True)
        (folder / f".contentsync/journal/{target}/{run}.jsonl").touch()
    assert validate_folder(folder).problems == ()


def environment(home: Path) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("CONTENTSYNC_", "COMP_"))}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return {**clean, "HOME": str(home), "PATH": path, "TERM": "dumb"}


class Bash:
    """An interactive bash on a terminal."""

    def __init__(self, home: Path) -> None:
        process, self._terminal = pty.fork()
        if process == 0:
            os.chdir(home)
            os.execvpe("bash", ["bash", "--noprofile", "-i"], environment(home))
        self._process = process
        self._shown = ""
        self.wait_for(PROMPT)

    def press(self, keys: str) -> None:
        """Send the keys as if they were typed."""
        os.write(self._terminal, keys.encode())

    def wait_for(self, pattern: str) -> str:
        """Return the output up to the first match of the pattern, including the match."""
        deadline = time.monotonic() + 30
        while not (found := re.search(pattern, self._shown)):
            ready, _, _ = select.select([self._terminal], [], [], max(0, deadline - time.monotonic()))
            assert ready, self._shown
            self._shown += os.read(self._terminal, 65536).decode()
        before, self._shown = self._shown[: found.end()], self._shown[found.end() :]
        return before

    def close(self) -> None:
        """End the shell."""
        os.close(self._terminal)
        os.waitpid(self._process, 0)


@pytest.fixture(scope="module")
def terminal(home: Path) -> Iterator[Bash]:
    bash = Bash(home)
    yield bash
    bash.close()


@pytest.fixture
def bash(terminal: Bash) -> Bash:
    """Return a shell in the home folder, at an empty line."""
    terminal.press("\x15cd\n")
    terminal.wait_for(f"\n{PROMPT}")
    return terminal


@pytest.mark.parametrize(
    ("typed", "becomes"),
    [
        ("contentsync val", "contentsync validate "),
        ("contentsync plan --detailed", "contentsync plan --detailed-exitcode "),
        ("contentsync plan --format mark", "contentsync plan --format markdown "),
        ("contentsync sync --only list", "contentsync sync --only listing "),
        ("contentsync sync --target prod", "contentsync sync --target production "),
        ("contentsync sync empty --target l", "contentsync sync empty --target local "),
        ("contentsync validate emp", "contentsync validate empty/"),
        ("contentsync sync site --only page/ab", "contentsync sync site --only page/about "),
        ("contentsync sync site --only=page/ab", "contentsync sync site --only=page/about "),
        ("cd site\ncontentsync log page/ab", "contentsync log page/about "),
        ("cd site\ncontentsync mv --format json page te", "contentsync mv --format json page terms "),
        ("cd site\ncontentsync forget listing/https:", "contentsync forget listing/https://example.com/a?b=1 "),
        ("cd site\ncontentsync undo --run 2026", f"contentsync undo --run {STAGING_RUN} "),
        ("cd site\ncontentsync undo --target production --run 2026", f"--run {PRODUCTION_RUN} "),
        ("contentsync undo site --run=2026", f"contentsync undo site --run={STAGING_RUN} "),
        ("contentsync log emp", "contentsync log empty/"),
    ],
)
def test_tab_completes_a_word(bash: Bash, typed: str, becomes: str) -> None:
    bash.press(f"{typed}\t")
    bash.wait_for(re.escape(becomes))


def test_completion_outside_of_a_content_folder_offers_no_target_and_no_error(bash: Bash) -> None:
    bash.press("cd /; contentsync sync --target \t\t-x")
    assert bash.wait_for("-x").endswith("--target -x")


PROGRAM = [sys.executable, "-m", "contentsync"]
SHELLS: dict[str, type[ShellComplete]] = {"bash": BashComplete, "zsh": ZshComplete, "fish": FishComplete}


def asked(shell: str, text: str) -> dict[str, str]:
    """Return the variables with which the script of a shell asks for completions of a line."""
    words = text.split(" ")
    line = {"COMP_WORDS": "\n".join(words), "COMP_CWORD": str(len(words) - 1), "_TYPER_COMPLETE_ARGS": text}
    return {**line, "_TYPER_COMPLETE_FISH_ACTION": "get-args", completion.VARIABLE: f"complete_{shell}"}


def ask(home: Path, shell: str, text: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command or PROGRAM,
        cwd=home / "site",
        env={**environment(home), **asked(shell, text)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("shell", SHELLS)
def test_completions_have_the_format_of_typer(
    home: Path, shell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(home / "site")
    variables = asked(shell, "contentsync log listing/h")
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert completion.answer(variables) == 0
    typers = SHELLS[shell](command(), {}, "contentsync", completion.VARIABLE)
    item = CompletionItem("listing/https://example.com/a?b=1")
    monkeypatch.setattr(typers, "get_completions", lambda args, incomplete: [item])  # only their form is compared
    assert capsys.readouterr().out == f"{typers.complete()}\n"


def test_fish_gets_an_exit_code_for_whether_completions_exist(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(home / "site")
    question = {"_TYPER_COMPLETE_FISH_ACTION": "is-args"}
    assert completion.answer({**asked("fish", "contentsync log page/a"), **question}) == 0
    assert completion.answer({**asked("fish", "contentsync log pages/a"), **question}) is None


def test_a_name_that_a_shell_could_execute_is_not_offered(home: Path) -> None:
    assert "id" not in ask(home, "zsh", "contentsync log listing/").stdout


@pytest.mark.parametrize("text", ["log page/a", "plan --only page/", "undo --run 2", "va"])
def test_entries_runs_and_commands_need_only_the_standard_library(home: Path, text: str) -> None:
    code = (
        "import sys; before = set(sys.modules); from contentsync.__main__ import main; main(); "
        "print(*({name.partition('.')[0] for name in set(sys.modules) - before} - {*sys.stdlib_module_names}), "
        "file=sys.stderr); "
        "print(*(name for name in sys.modules if name.startswith('contentsync')), file=sys.stderr)"
    )
    done = ask(home, "bash", f"contentsync {text}", sys.executable, "-c", code)
    assert done.stdout
    libraries, completions = done.stderr.splitlines()
    assert libraries == "contentsync"
    assert len(completions.split()) <= 12


@pytest.mark.parametrize("damage", [b"", b"page/evil\n", None])
def test_typer_answers_if_no_names_are_cached(home: Path, tmp_path: Path, damage: bytes | None) -> None:
    site = tmp_path / "site"
    shutil.copytree(home / "site", site)
    if damage is None:
        (site / NAMES_FILE).unlink()
    else:
        (site / NAMES_FILE).write_bytes(damage)
    done = ask(tmp_path, "bash", "contentsync plan --only pa")
    assert (done.stdout, done.stderr) == ("page\n", "")


def test_the_options_of_the_entry_commands_are_known() -> None:
    commands = command().commands
    first_words = {name: command.params[0].metavar for name, command in commands.items() if command.params}
    entries = {name for name, metavar in first_words.items() if metavar in ("ENTRY [PATH]", "OLD NEW [PATH]")}
    assert entries == {*completion.ENTRY_COMMANDS}
    options = [option for name in entries for option in commands[name].params[1:]]
    with_value = {text for option in options if not option.is_flag for text in option.opts}
    assert with_value == {*completion.OPTIONS_WITH_VALUE}


@pytest.mark.parametrize("text", ["", "va", "s", "x"])
def test_bash_gets_the_same_commands_as_from_typer(home: Path, text: str) -> None:
    expected = [name for name in command().commands if name.startswith(text)]
    assert ask(home, "bash", f"contentsync {text}").stdout.split() == expected


def test_options_need_neither_pydantic_nor_other_commands(home: Path) -> None:
    code = (
        "import atexit, sys; from contentsync.__main__ import main; "
        "atexit.register(lambda: print(*sys.modules, file=sys.stderr)); main()"
    )
    done = ask(home, "bash", "contentsync plan --allow-del", sys.executable, "-c", code)
    assert done.stdout == "--allow-deletes\n"
    imported = {name.removeprefix("contentsync.cli.") for name in done.stderr.split()}
    assert not {"pydantic", "rich", "markdown_it", "yaml", "contentsync.model", "admin_command"} & imported
