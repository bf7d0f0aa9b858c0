"""The file events of a folder: the only module that imports watchdog.

On Linux watchdog 7.1 hides two conditions, so `_EventDescriptor` extends its connection to the kernel to see them: an
overflow of the event queue (watchdog continues without an error), and a folder that could not be watched because the
system's limit is reached. tests/watch/test_file_events.py fails if the version changes.
"""

import errno
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers.api import BaseObserver

from ..content.files.content_folder import CONFIG
from ..content.files.file_names import is_hidden
from ..content.folder.scan import SUFFIXES

# Without reads: a caller that reads the folder on each event would trigger itself.
_EVENTS: list[type[FileSystemEvent]] = [
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileAttribEvent,
    FileClosedEvent,
    FileCreatedEvent,
    FileDeletedEvent,
    FileModifiedEvent,
    FileMovedEvent,
]
_CONTENT_SUFFIXES = tuple({suffix for suffixes in SUFFIXES.values() for suffix in suffixes})
LIMIT_MESSAGES = {  # by error: the limit that is reached
    errno.ENOSPC: "the system watches no more folders (fs.inotify.max_user_watches)",
    errno.EMFILE: "too many programs watch files, or too many are open (fs.inotify.max_user_instances, ulimit -n)",
}


@dataclass(frozen=True, slots=True)
class FileEvent:
    """A change of a file or folder; a path of None means that any file may have changed."""

    path: str | None  # relative to the folder, with forward slashes, NFC; "": the folder itself was deleted
    is_writing: bool = False  # the file is still open for writing


EventCallback = Callable[[FileEvent], None]


class FolderObserver(Protocol):
    """A folder that is being watched."""

    @property
    def is_partial(self) -> bool:
        """Whether some folders inside it are not watched because the system's limit is reached."""


_Observers = tuple[BaseObserver, FolderObserver]


class ObserveFolder(Protocol):
    """Watch a folder: until the context ends, call `on_event` for each change, in any thread.

    Raise OSError where that is not possible.
    """

    def __call__(self, folder: Path, on_event: EventCallback) -> AbstractContextManager[FolderObserver]: ...


@contextmanager
def observe_folder(folder: Path, on_event: EventCallback) -> Iterator[FolderObserver]:
    """Watch a folder with the events of the operating system; the folder must be a resolved path."""
    with _system_observer(folder, lambda: on_event(FileEvent(None))) as (system, observer):
        system.schedule(_Handler(folder, on_event), str(folder), recursive=True, event_filter=_EVENTS)
        with system:
            yield observer


class _Handler(FileSystemEventHandler):
    def __init__(self, folder: Path, on_event: EventCallback) -> None:
        self._folder = folder
        self._on_event = on_event

    def on_any_event(self, event: FileSystemEvent) -> None:
        self._pass_on(event.src_path, writing=isinstance(event, FileModifiedEvent))
        if event.dest_path:
            self._pass_on(event.dest_path, writing=False)

    def _pass_on(self, name: str | bytes, *, writing: bool) -> None:
        """Report a change of a file, unless the file is excluded."""
        path = _relative_path(self._folder, os.fsdecode(name))
        if not is_excluded(path):
            # Other files may stay open, such as logs.
            self._on_event(FileEvent(path, is_writing=writing and is_content_file(path)))


def is_excluded(path: str) -> bool:
    """Return whether to ignore changes of a path: it is hidden, an editor's file, or in a package folder."""
    return any(map(is_hidden, path.split("/")))


def is_content_file(path: str) -> bool:
    """Return whether content is read from a file with this name."""
    return path.rpartition("/")[2] == CONFIG or path.lower().endswith(_CONTENT_SUFFIXES)


def _relative_path(folder: Path, name: str) -> str:
    path = name.removeprefix(str(folder)).replace(os.sep, "/").strip("/")
    return unicodedata.normalize("NFC", path)


if sys.platform == "linux":
    from watchdog.observers.inotify import InotifyEmitter
    from watchdog.observers.inotify_c import CallbackId, InotifyEvent, InotifyFD, Mask, WatchCallback, WatchDescriptor

    class _EventDescriptor(InotifyFD):
        def __init__(self, folder: Path, on_overflow: Callable[[], None]) -> None:
            super().__init__()
            self.is_partial = False
            self._folder = folder
            self._on_overflow = on_overflow

        def add_callback(self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId) -> WatchDescriptor:
            """Watch a folder, unless it is excluded; remember whether the system's limit was reached."""
            inner = _relative_path(self._folder, os.fsdecode(path))
            if is_excluded(inner):  # .git alone can have hundreds of folders
                raise PermissionError(errno.EACCES, "excluded", inner)  # watchdog ignores it
            try:
                return super().add_callback(path, mask, callback, id_)
            except OSError as error:  # watchdog reports it only for the top folder
                self.is_partial |= error.errno in LIMIT_MESSAGES
                raise

        def _add_callback(self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId) -> WatchDescriptor:
            # As in watchdog, but without its warning for a folder that was moved out and back.
            watch = self._get_or_create_watch(path, mask)
            watch.callbacks[id_] = callback
            return watch.wd

        def handle_event(self, event: InotifyEvent) -> None:
            """Handle an event; report an overflow, after which events are missing."""
            super().handle_event(event)
            if event.is_queue_overflow:
                self._on_overflow()

    @contextmanager
    def _system_observer(folder: Path, on_overflow: Callable[[], None]) -> Iterator[_Observers]:
        """Yield watchdog's observer, to be started by the caller, and its connection to the kernel."""
        connection = _EventDescriptor(folder, on_overflow)
        connection.start()
        try:
            yield BaseObserver(InotifyEmitter, inotify_fd=connection), connection
        finally:
            connection.stop()
            connection.join()
else:
    from watchdog.observers import Observer

    class _FullObserver:
        is_partial = False

    @contextmanager
    def _system_observer(folder: Path, on_overflow: Callable[[], None]) -> Iterator[_Observers]:
        yield Observer(), _FullObserver()
