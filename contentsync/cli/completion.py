"""What a shell offers behind an option: the targets of the folder, the kinds of entries.

A shell shows nothing but the offers, so where there is nothing to read there are none, and no error.
"""

import tomllib
from collections.abc import Iterable
from pathlib import Path

import typer

from ..content.content_folder import CONFIG
from ..errors import UsageError
from .folder import content_folder


def target_names(context: typer.Context, incomplete: str) -> list[str]:
    """The targets of the folder that was named before, or else of the nearest one upwards."""
    words = context.args  # not yet told apart, as the option has no value
    try:
        config = content_folder(Path(words[-1]) if words else None) / CONFIG
        targets = tomllib.loads(config.read_text(encoding="utf-8")).get("targets")
    except (UsageError, OSError, ValueError):
        return []
    # Without any, the embedded one is called so.
    return _beginning(incomplete, targets if isinstance(targets, dict) and targets else ["local"])


def kinds(incomplete: str) -> list[str]:
    """The kinds of entries."""
    # Imported here, as `--help` knows of this without the rules of all kinds.
    from ..model import Kind

    return _beginning(incomplete, Kind)


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [str(name) for name in names if name.startswith(incomplete)]
