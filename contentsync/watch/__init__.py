"""Watch a content folder, and report its changes after editors and git have finished writing.

file_events      the events that the operating system reports
folder_monitor   these events, plus polling, also for a folder that is deleted and created again
debounce         collects events until a burst is over
git_activity     whether a git operation is unfinished
folder_changes   the stream of settled changes that callers read
"""

from .debounce import FolderChange
from .folder_changes import FolderChanges

__all__ = ["FolderChange", "FolderChanges"]
