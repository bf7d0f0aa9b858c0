"""What the system says of a folder: the only door to watchdog.

On Linux watchdog 7.1 keeps two things to itself, so its connection to the kernel is extended here: that the queue of
events overflowed (it watches on, and tells nobody), and that a folder could not be watched because the limit is
reached.
"""

import errno
import os
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
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

from ..content.content_folder import CONFIG
from ..content.file_names import is_hidden
from ..content.scan import SUFFIXES
from .notice import Notice

# Reads are not among them: whoever reads a folder on each event would wake himself up.
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
_SUFFIXES = tuple({suffix for suffixes in SUFFIXES.values() for suffix in suffixes})
LIMITS = (errno.ENOSPC, errno.EMFILE)  # of folders, and of programs that watch some

Heard = Callable[[Notice], None]


class Watched(Protocol):
    """A folder that is being watched."""

    @property
    def partly(self) -> bool:
        """Whether parts of it are not: the system watches no more folders."""


class Observe(Protocol):
    """How a folder is watched: until the context ends, `heard` is called for each change, in any thread.

    Raises OSError where that cannot be done.
    """

    def __call__(self, folder: Path, heard: Heard) -> AbstractContextManager[Watched]: ...


@contextmanager
def observe(folder: Path, heard: Heard) -> Iterator[Watched]:
    """Watches a folder by the means of the system; the folder has to be a real path."""
    with _means(folder, lambda: heard(Notice(None))) as (observer, watched):
        observer.schedule(_Handler(folder, heard), str(folder), recursive=True, event_filter=_EVENTS)
        with observer:
            yield watched


class _Handler(FileSystemEventHandler):
    def __init__(self, folder: Path, heard: Heard) -> None:
        self._folder = folder
        self._heard = heard

    def on_any_event(self, event: FileSystemEvent) -> None:
        self._tell(event.src_path, writing=isinstance(event, FileModifiedEvent))
        if event.dest_path:
            self._tell(event.dest_path, writing=False)

    def _tell(self, name: str | bytes, *, writing: bool) -> None:
        path = _inside(self._folder, os.fsdecode(name))
        if not is_left_out(path):
            self._heard(Notice(path, writing and is_read(path)))


def is_left_out(path: str) -> bool:
    """Whether nobody takes a path inside the folder for content: it is hidden, an editor's, or in a package folder."""
    return any(map(is_hidden, path.split("/")))


def is_read(path: str) -> bool:
    """Whether the name is one of a file that content is read from: others may be open for writing for ever."""
    return path.rpartition("/")[2] == CONFIG or path.lower().endswith(_SUFFIXES)


def _inside(folder: Path, name: str) -> str:
    path = name.removeprefix(str(folder)).replace(os.sep, "/").strip("/")
    return unicodedata.normalize("NFC", path)


if sys.platform == "linux":
    from watchdog.observers.inotify import InotifyEmitter
    from watchdog.observers.inotify_c import CallbackId, InotifyEvent, InotifyFD, Mask, WatchCallback, WatchDescriptor

    class _Connection(InotifyFD):
        def __init__(self, folder: Path, overflowed: Callable[[], None]) -> None:
            super().__init__()
            self.partly = False
            self._folder = folder
            self._overflowed = overflowed

        def add_callback(self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId) -> WatchDescriptor:
            inner = _inside(self._folder, os.fsdecode(path))
            if inner and is_left_out(inner):  # .git alone can have hundreds of folders
                raise PermissionError(errno.EACCES, "not to be watched", inner)
            try:
                return super().add_callback(path, mask, callback, id_)
            except OSError as error:  # which watchdog keeps to itself, unless it is about the whole folder
                self.partly |= error.errno in LIMITS
                raise

        def _add_callback(self, path: bytes, mask: Mask, callback: WatchCallback, id_: CallbackId) -> WatchDescriptor:
            # As it is there, without a warning for a folder that was moved out, still watched, and came back.
            watch = self._get_or_create_watch(path, mask)
            watch.callbacks[id_] = callback
            return watch.wd

        def handle_event(self, event: InotifyEvent) -> None:
            super().handle_event(event)
            if event.is_queue_overflow:
                self._overflowed()

    @contextmanager
    def _means(folder: Path, overflowed: Callable[[], None]) -> Iterator[tuple[BaseObserver, Watched]]:
        connection = _Connection(folder, overflowed)
        connection.start()
        try:
            yield BaseObserver(InotifyEmitter, inotify_fd=connection), connection
        finally:
            connection.stop()
            connection.join()
else:
    from watchdog.observers import Observer

    class _Whole:
        partly = False

    @contextmanager
    def _means(folder: Path, overflowed: Callable[[], None]) -> Iterator[tuple[BaseObserver, Watched]]:
        yield Observer(), _Whole()
