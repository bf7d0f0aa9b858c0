"""Watching a content folder: settled changes, whatever editors, git and the operating system do.

file_events      what the operating system reports
folder_monitor   the same, plus polling, and a folder that is deleted and created again
debounce         collects events until a burst is over
git_activity     whether git is changing the files right now
folder_changes   the stream of settled changes that callers read
"""

from .debounce import FolderChange
from .folder_changes import FolderChanges

__all__ = ["FolderChange", "FolderChanges"]
