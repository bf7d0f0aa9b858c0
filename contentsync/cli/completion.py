"""Completion of entries, runs and commands in a shell, without the imports of the command line.

The scripts that `--install-completion` installs call the program with these environment variables. Everything else
that they ask for (options, other values, the help of commands that zsh and fish show) is answered by typer, whose form
of an answer this module follows.
"""

import shlex
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from ..content.files.completion_names import read_names
from ..content.files.content_folder import CONFIG, PRIVATE_FOLDER, find_folder
from ..errors import UsageError
from ..lazy_pattern import lazy_pattern
from .commands import COMMANDS

VARIABLE = "_CONTENTSYNC_COMPLETE"
ENTRY_COMMANDS = ("forget", "log", "mv")  # their first word is an entry
OPTIONS_WITH_VALUE = ("--format", "--keep", "--limit", "--state-dir", "--target")  # of these commands

# Names with other characters are not offered: a shell might run what a stranger has written into a file.
_SAFE = lazy_pattern(r"[\w./:%?=+,~@#-]+")
_BREAKS = lazy_pattern(r"[:=]+")  # bash makes words of their own of these characters


class _Line(NamedTuple):
    """The words of a command line before the word at the cursor, and this word up to the cursor."""

    words: Sequence[str]  # without the program
    current: str
    typed: str = ""  # the part of the current word that bash does not replace


def answer(environ: Mapping[str, str]) -> int | None:
    """Print the completions of an entry, a run or a command, and return the exit code. Return None for all else."""
    shell = environ[VARIABLE]
    line = _read_line(shell, environ)
    values = [*_values(line, environ)] if line else []
    if line and not (line.words or values) and shell == "complete_bash":
        # Typer answers the other shells, which also show the help of each command.
        values = [*_matching("", line.current, COMMANDS)]
    if line is None or not values:
        return None
    if shell == "complete_fish":
        if environ.get("_TYPER_COMPLETE_FISH_ACTION") == "is-args":
            return 0  # there are completions
        text = "\n".join(values)
    elif shell == "complete_zsh":
        quoted = "\n".join('"{}"'.format(value.replace(":", r"\\:")) for value in values)
        text = f"_arguments '*: :(({quoted}))'"
    else:
        text = "\n".join(value[len(line.typed) :] for value in values)
    with suppress(OSError):  # the shell does not wait any more
        print(text)
        sys.stdout.flush()
    return 0


def completed_command(environ: Mapping[str, str]) -> str | None:
    """Return the first word of the line that a shell asks about; None if the cursor is in it, or if none asks."""
    line = _read_line(environ.get(VARIABLE, ""), environ)
    return line.words[0] if line and line.words else None


def _read_line(shell: str, environ: Mapping[str, str]) -> _Line | None:
    """Return the line that a shell asks about; None for an unknown shell, and inside of quotes."""
    try:
        if shell == "complete_bash":
            words, count = shlex.split(environ["COMP_WORDS"]), int(environ["COMP_CWORD"])
            return _join_parts(words[1:count], words[count] if count < len(words) else "")
        if shell in ("complete_zsh", "complete_fish"):
            text = environ["_TYPER_COMPLETE_ARGS"]
            words = shlex.split(text)[1:]
            return _Line(words, "") if text.endswith(" ") else _Line(words[:-1], words[-1])
    except (KeyError, ValueError, IndexError):
        pass
    return None


def _join_parts(parts: Sequence[str], current: str) -> _Line:
    """Return the words of bash with those joined that it has split at `:` and `=`."""
    words: list[str] = []
    is_open = False  # the last word goes on
    for part in (*parts, current):
        is_break = _BREAKS.fullmatch(part) is not None
        if words and (is_open or is_break):
            words[-1] += part
        else:
            words.append(part)
        is_open = is_break
    *others, last = words
    replaced = "" if _BREAKS.fullmatch(current) else current  # bash inserts after a break
    return _Line(others, last, last.removesuffix(replaced) if replaced else last)


def _values(line: _Line, environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the safe completions of the word at the cursor; none where it is neither an entry nor a run."""
    command, *words = line.words or [""]
    option, equals, text = line.current.partition("=")
    if not line.current.startswith("--"):
        option, equals, text = (words[-1] if words else ""), "", line.current
    prefix = option + equals if equals else ""
    if option == "--only":
        yield from _matching(prefix, text, _with_kinds(_names(words)))
    elif option == "--run" and command == "undo":
        yield from _matching(prefix, text, _runs(words, environ))
    elif command in ENTRY_COMMANDS and not line.current.startswith("-") and option not in OPTIONS_WITH_VALUE:
        before = _without_options(words)
        if not before:
            yield from _matching("", text, _names(words))
        elif len(before) == 1:  # a kind as a word of its own, and then the key
            start = f"{before[0]}/"
            keys = (name.removeprefix(start) for name in _names(words) if name.startswith(start))
            yield from _matching("", text, keys)


def _matching(prefix: str, text: str, names: Iterable[str]) -> Iterator[str]:
    return (prefix + name for name in names if name.startswith(text) and _SAFE.fullmatch(name))


def _with_kinds(names: Sequence[str]) -> Iterator[str]:
    yield from dict.fromkeys(name.partition("/")[0] for name in names)
    yield from names


def _without_options(words: Sequence[str]) -> list[str]:
    """Return the words that are neither an option nor the value of one."""
    return [
        word for before, word in pairwise(("", *words)) if not word.startswith("-") and before not in OPTIONS_WITH_VALUE
    ]


def _names(words: Sequence[str]) -> Sequence[str]:
    folder = _folder(words)
    return read_names(folder) if folder else ()


def _runs(words: Sequence[str], environ: Mapping[str, str]) -> Iterator[str]:
    """Yield the names of the target's runs; of all targets if the line and the config name no target."""
    folder = _folder(words)
    if folder is None or "--state-dir" in words:
        return
    named = [word for before, word in pairwise(words) if before == "--target"]
    named += [environ.get("CONTENTSYNC_TARGET", ""), _default_target(folder)]
    target = next(filter(None, named), "*")
    for journal in (folder / PRIVATE_FOLDER / "journal").glob("*/*.jsonl"):
        if target in ("*", journal.parent.name):
            yield journal.stem


def _default_target(folder: Path) -> str:
    """Return the `default_target` of a folder's config; "" if the config has none or cannot be read."""
    import tomllib  # most completions need no config

    try:
        config = tomllib.loads((folder / CONFIG).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return ""
    name = config.get("default_target")
    return name if isinstance(name, str) else ""


def _folder(words: Sequence[str]) -> Path | None:
    """Return the content folder that a word of the line names, else the nearest one upwards; None without one."""
    for word in words:
        if (Path(word) / CONFIG).is_file():
            return Path(word)
    try:
        return find_folder(Path())
    except (UsageError, OSError):
        return None
