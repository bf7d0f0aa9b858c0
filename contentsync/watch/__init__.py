"""Watch a content folder, and report its changes after editors and git have finished writing.

file_events      the events that the operating system reports
folder_monitor   these events, plus polling, also for a folder that is deleted and created again
folder_changes   the stream of changes that callers read, after a burst of events and git operations are over
"""

from .folder_changes import FolderChange, FolderChanges

__all__ = ["FolderChange", "FolderChanges"]
