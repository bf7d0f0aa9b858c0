"""The config file as a file: where it is, and which of its lines are nobody else's business."""

import os
import re
from pathlib import Path

from ..errors import UsageError

CONFIG = "contentsync.toml"

_SECRET = re.compile(r"token|secret|passw|api_?key|://.*@", re.IGNORECASE)


def find_folder(start: Path) -> Path:
    """The nearest folder upwards that holds a contentsync.toml; raises UsageError when there is none."""
    for folder in (start.absolute(), *start.absolute().parents):
        config = folder / CONFIG
        if os.path.isfile(config) or os.path.islink(config):  # noqa: PTH113, PTH114  # a Path raises without permission
            return folder
    raise UsageError(
        f"no {CONFIG} in {start} or in any folder above it",
        f"name the content folder: it holds a {CONFIG}, which may be empty; contentsync init makes a new one",
    )


def may_hold_secret(text: str) -> bool:
    """Whether a line of the config, or a key, looks as if a token or a password stood there, which is never shown."""
    return _SECRET.search(text) is not None
