"""Watching a content folder: settled changes, whatever editors, git and the system do."""

from .change import Change
from .changes import Changes

__all__ = ["Change", "Changes"]
