"""What several commands read: their options and words, completion in a shell, and messages for wrong values."""

import os
import re
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, tzinfo
from enum import StrEnum
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from ..content.files.content_folder import CONFIG, find_folder
from ..errors import UsageError

if TYPE_CHECKING:
    from ..content.folder.index_use import IndexUse

Result = TypeVar("Result")
WITHOUT_SHORTCUTS = "_CONTENTSYNC_WITHOUT_SHORTCUTS"  # a variable of tests, which compare results

# By the type of the error that typer's library reports, with values of its context.
_MESSAGES = {
    "int_parsing": "must be a whole number",
    "greater_than_equal": "must be at least {ge}",
    "less_than_equal": "must be at most {le}",
}


class Format(StrEnum):
    """The form in which the result of a command is printed."""

    TEXT = "text"
    JSON = "json"


class PlanFormat(StrEnum):
    """The form in which a plan is printed."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"


class SyncFormat(StrEnum):
    """The form in which a sync is reported."""

    TEXT = "text"
    JSON = "json"
    JSONL = "jsonl"  # each event as it happens


class RedirectFormat(StrEnum):
    """The format of exported redirects."""

    NETLIFY = "netlify"
    NGINX = "nginx"
    CADDY = "caddy"
    CSV = "csv"


class ListFormat(StrEnum):
    """The form of a list of entries."""

    TEXT = "text"
    CSV = "csv"
    JSON = "json"


class ProblemsFormat(StrEnum):
    """The form in which the problems of a folder are printed."""

    TEXT = "text"
    JSON = "json"
    GITHUB = "github"
    SARIF = "sarif"


class OnDrift(StrEnum):
    """What a sync does with fields that were changed, and entries that were deleted, on the server."""

    OVERWRITE = "overwrite"
    KEEP = "keep"
    FAIL = "fail"


class OnConflict(StrEnum):
    """What a sync does with fields that were changed here and on the server, and entries that one side deleted."""

    FAIL = "fail"
    OURS = "ours"
    THEIRS = "theirs"


class OnError(StrEnum):
    """What a failed entry stops: nothing, or everything after it."""

    CONTINUE = "continue"
    STOP = "stop"


def content_folder(path: Path | None) -> Path:
    """Return the named folder; for None, the nearest content folder upwards. Raise UsageError if there is none."""
    if path is None:
        return find_folder(current_folder())
    if path.is_file():
        hint = f"name the content folder; contentsync validate {quote(str(path))} checks one file"
        raise UsageError(f"{path} is a file, not a folder", hint)
    if not os.path.lexists(path):
        raise UsageError(f"there is no folder {path}", _folder_hint(str(path)))
    return path


def _folder_hint(text: str) -> str:
    """Return the hint for a text that is not a folder, but may be the name of an entry."""
    # Imported here, because `--help` does not need the rules of all kinds.
    from ..model.entry import parse_entry_name

    try:
        parse_entry_name(text)
    except UsageError:
        return "name the content folder, or leave it out inside of it; contentsync init creates a new one"
    return f"name the content folder; --only {quote(text)} selects one entry"


def require_files(paths: Sequence[Path]) -> Sequence[Path]:
    """Return the paths. Raise UsageError unless all of them are files."""
    if path := next((path for path in paths if not path.is_file()), None):
        message = f"{path} is a folder" if path.is_dir() else f"there is no file {path}"
        raise UsageError(message, "name one content folder, or only files of one")
    return paths


def absolute_folder(path: Path | None) -> Path:
    """Return the content folder as an absolute path, which stays valid if the working directory is replaced."""
    folder = content_folder(path)
    return folder if folder.is_absolute() else current_folder() / folder


def current_folder() -> Path:
    """Return the working directory. Raise UsageError if it was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UsageError("the current folder was deleted") from error


def end_of_duration(duration: str, now: datetime) -> datetime:
    """Return the time at which a duration such as `90d` from now ends. Raise UsageError for other texts."""
    match = re.fullmatch(r"(?P<number>[1-9][0-9]{0,5})(?P<unit>[hdw])", duration)
    if match is None:
        raise UsageError(f"'{duration}' is not a duration", "write it as 90d, 12h or 4w")
    hours = int(match["number"]) * {"h": 1, "d": 24, "w": 7 * 24}[match["unit"]]
    try:
        return now + timedelta(hours=hours)
    except OverflowError as error:
        raise UsageError(f"'{duration}' ends after the year 9999", "write it as 90d, 12h or 4w") from error


def future_time(text: str, zone: tzinfo, now: datetime) -> datetime:
    """Return the time that a text means in a zone (docs/content.md 3). Raise UsageError for a bad or past time."""
    # Imported here, because `--help` does not need the rules of all kinds.
    from ..model.scalar import ACCEPTED_DATES, parse_instant

    try:
        moment = parse_instant(text, zone)
    except ValueError as error:
        raise UsageError(f"'{text}' is not a time", f"write it as {ACCEPTED_DATES}") from error
    if moment <= now:
        raise UsageError(f"'{text}' is not in the future", "write a later time")
    return moment


def index_use(*, no_index: bool, is_read_only: bool = False) -> "IndexUse | None":
    """Return the use of the index in reading the folder of the user: None with `--no-index`, and in some tests."""
    # Imported here, because `--help` reads no folder.
    from ..content.folder.index_use import PRESENT_INDEX, WHOLE_INDEX

    use = PRESENT_INDEX if is_read_only else WHOLE_INDEX
    return None if no_index or os.environ.get(WITHOUT_SHORTCUTS) else use


def from_confirmed_files(command: Callable[[bool], Result], *, no_index: bool) -> Result:
    """Run a command that writes; if it finds the index wrong, before it writes anything, run it without the index."""
    from ..content.folder.confirmation import IndexDiffers

    try:
        return command(no_index)
    except IndexDiffers:
        return command(True)


def complete_target_name(context: typer.Context, incomplete: str) -> list[str]:
    """Return the target names that begin with `incomplete`; none if the folder or its config cannot be read."""
    import tomllib  # few lines that a shell asks about have a target

    # The shell's line ends with `--target`, so typer has not parsed the arguments. The last one may be the folder.
    arguments = context.args
    try:
        config = content_folder(Path(arguments[-1]) if arguments else None) / CONFIG
        targets = tomllib.loads(config.read_text(encoding="utf-8")).get("targets")
    except (UsageError, OSError, ValueError):
        return []
    # If the config has no targets, there is only the embedded target `local`.
    return _matching(incomplete, targets if isinstance(targets, dict) and targets else ["local"])


def complete_kind(incomplete: str) -> list[str]:
    """Return the kinds of entries that begin with `incomplete`."""
    # Imported here, because `--help` does not need the rules of all kinds.
    from ..model import Kind

    return _matching(incomplete, Kind)


def complete_field(context: typer.Context, incomplete: str) -> list[str]:
    """Return the fields of the line's kind that begin with `incomplete`, or with its part after the last comma."""
    from ..content.files.completion_names import read_names
    from ..model import FIELDABLE
    from ..model.entry import find_kind
    from ..model.named_fields import FieldNames

    # The shell's line ends with the option, so typer may not have parsed the arguments.
    words = [context.params.get("kind"), *context.args]
    kind = next(filter(None, (find_kind(word) for word in words if isinstance(word, str))), None)
    if kind is None:
        return []
    names = [field.name for field in FieldNames(kind)]
    if kind in FIELDABLE:
        with suppress(UsageError, OSError):  # without a folder, there are no custom fields
            start = "custom_field/"
            names += [name.removeprefix(start) for name in read_names(content_folder(None)) if name.startswith(start)]
    before, comma, word = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in _matching(word, names)]


SCHEMA_OF_CONFIG = "config"  # in place of a kind


def complete_schema(incomplete: str) -> list[str]:
    """Return the names of schemas that begin with `incomplete`: those of kinds, and of the config."""
    return [*complete_kind(incomplete), *_matching(incomplete, [SCHEMA_OF_CONFIG])]


def complete_code(incomplete: str) -> list[str]:
    """Return the problem codes that begin with `incomplete`."""
    from ..explanations import explanations

    return _matching(incomplete, explanations())


def _matching(incomplete: str, names: Iterable[str]) -> list[str]:
    return [str(name) for name in names if name.startswith(incomplete)]


Folder = Annotated[
    Path | None,
    typer.Argument(
        metavar="PATH",
        help="The content folder; default: the nearest one, from this folder upwards.",
        show_default=False,
    ),
]
FolderOrFiles = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="PATH",
        help="The content folder, or files in it; default: the nearest folder, from this one upwards.",
        show_default=False,
    ),
]
EntryWords = Annotated[
    list[str],
    typer.Argument(
        metavar="ENTRY [PATH]",
        help="ENTRY: its file, or its kind and key (page/about, page about). PATH: the content folder; default: the "
        "nearest one, from this folder upwards.",
        show_default=False,
    ),
]
KindWord = Annotated[
    str,
    typer.Argument(
        metavar="KIND", help="The kind, such as listing or page.", show_default=False, autocompletion=complete_kind
    ),
]
Where = Annotated[
    list[str] | None,
    typer.Option(
        "--where",
        metavar="'FIELD OP VALUE'",
        help="All must hold. OP: = != < > or ~ (contains).",
        autocompletion=complete_field,
    ),
]
Missing = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="FIELD",
        help="Only entries without a value; may be repeated.",
        autocompletion=complete_field,
    ),
]
FormatOption = Annotated[Format, typer.Option("--format", help="The form of the result.")]
TargetOption = Annotated[
    str | None,
    typer.Option(
        "--target",
        metavar="NAME",
        help="The target, by its name in contentsync.toml.",
        autocompletion=complete_target_name,
    ),
]
StateDir = Annotated[
    Path | None,
    typer.Option("--state-dir", metavar="DIR", help="The folder for the state of the target."),
]
NoIndex = Annotated[bool, typer.Option("--no-index", help="Read every file, also those that have not changed.")]
Full = Annotated[bool, typer.Option("--full", help="Do not shorten the output.")]


def option_message(error: typer.TyperException) -> str:
    """Return the message of a usage error: for a wrong value, what was expected, else the text of typer."""
    details = _first_pydantic_error(error)
    if not isinstance(error, typer.BadParameter) or error.param is None or details is None:
        return error.format_message()
    name = error.param.get_error_hint().replace("'", "")  # such as '--limit', in quotes
    context: dict[str, Any] = details.get("ctx") or {}
    if message := _MESSAGES.get(details["type"]):
        return f"{name} {message.format(**context)}, not '{details['input']}'"
    return f"{name}: {context.get('error') or details['msg']}".rstrip(".")


def _first_pydantic_error(error: typer.TyperException) -> dict[str, Any] | None:
    """Return the first error that pydantic's validation of a value reported; None for errors of another cause."""
    errors = getattr(error.__cause__, "errors", None)
    return next(iter(errors()), None) if errors else None


def help_hint(error: typer.TyperException) -> str:
    """Return the hint that names the help of the command whose line was wrong."""
    context: typer.Context | None = getattr(error, "ctx", None)
    return f"see {context.command_path if context else 'contentsync'} --help"


def split_entry(words: Sequence[str], usage: str, *, others: int = 0) -> tuple[str, list[str], Path | None]:
    """Return the name of an entry, exactly `others` words, and the content folder if it is named.

    After a kind, such as `page`, the next word is the key; the name is then `page/about`. A file with the name of a
    kind is a file. Raise UsageError, with the right usage, for too few or too many words.
    """
    # Imported here, because `--help` does not need the rules of all kinds.
    from ..model.entry import find_kind, parse_kind

    first, *rest = words
    if rest and find_kind(first) and not Path(first).is_file():
        first, rest = f"{first}/{rest[0]}", rest[1:]
    if len(rest) > others + 1 and not any(mark in first for mark in "/."):
        parse_kind(first)
    if not others <= len(rest) <= others + 1:
        problem = "there are too many words" if len(rest) > others else "a word is missing"
        raise UsageError(problem, f"write contentsync {usage}")
    return first, rest[:others], Path(rest[others]) if rest[others:] else None
