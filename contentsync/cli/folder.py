"""Which content folder a command is about."""

from pathlib import Path

from ..content.content_folder import find_folder
from ..errors import UsageError


def content_folder(path: Path | None) -> Path:
    """The folder that was named, or else the nearest one upwards. Raises UsageError if there is none."""
    return path if path is not None else find_folder(_here())


def lasting_folder(path: Path | None) -> Path:
    """The same for a command that runs on: by a name that also leads to whatever comes there later."""
    folder = content_folder(path)
    return folder if folder.is_absolute() else _here() / folder


def _here() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError as error:
        raise UsageError("the folder that this command was started in is gone") from error
