"""Which content folder a command is about."""

from pathlib import Path

from ..content.config_file import find_folder
from ..errors import UsageError


def content_folder(path: Path | None) -> Path:
    """The folder that was named, or else the nearest one upwards. Raises UsageError if there is none."""
    if path is not None:
        return path
    try:
        return find_folder(Path.cwd())
    except FileNotFoundError as error:
        raise UsageError("the folder that this command was started in is gone") from error
