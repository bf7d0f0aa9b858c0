"""The asset store: a folder, or a bucket of S3, Google Cloud Storage or Azure, and a cache of which files it has.

The credentials and the address of a service come from the environment, as obstore reads it. The functions of obstore
for asyncio are not used: their threads may call Python while it ends, and abort the process.
"""

import asyncio
import hashlib
import os
import re
from collections.abc import AsyncIterator, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import IO

import obstore
from obstore.exceptions import BaseError, PermissionDeniedError, UnauthenticatedError
from obstore.store import LocalStore, ObjectStore, from_url

from ...content.config.config_tables import is_bucket
from ...content.files.content_folder import CACHE_FOLDER, make_private_folder
from ...content.files.file_names import PUBLISHED_TYPES, suffix_of
from ...content.pictures.published_names import StoredFile, is_published_name
from ...errors import Denied, RemoteError, ServerError, Unreachable
from ...file_writes import write_file
from ...lazy_pattern import lazy_pattern

MAX_HEADS = 50  # files that are looked up one by one; of more, the store is listed: 1,000 files for each request
_CONCURRENCY = 16  # requests
_RETRIES = 5
_RETRY_SECONDS = 60
_TIMEOUT_SECONDS = 300  # of one request, also over a slow connection
_CACHE_FOREVER = "public, max-age=31536000, immutable"  # a name stands for the same bytes for ever
_SECRET_NAMES = lazy_pattern(r"KEY|SECRET|TOKEN|PASSWORD|CREDENTIAL|SAS|ACCOUNT", re.IGNORECASE)
# The variables that say which server a bucket is on.
_SERVER_NAMES = lazy_pattern(r"(?:AWS|AZURE|GOOGLE)_.*(?:ENDPOINT|ACCOUNT_NAME|REGION|BASE_URL).*", re.IGNORECASE)
_MIN_SECRET = 6  # characters

KNOWN_FILES = f"{CACHE_FOLDER}/published"
MAX_KNOWN_FILES = 64 * 1024 * 1024  # bytes
_LINE = lazy_pattern(r"(\S+) (\d{1,15})")  # a file's name and size in bytes


class AssetStore:
    """The files of an asset store, by name. Each method raises RemoteError.

    `address` is the setting `store`; a relative path starts at the content folder. The folder of a store is created by
    the first `put`.
    """

    def __init__(self, address: str, folder: Path, environ: Mapping[str, str] = os.environ) -> None:
        self.address = address
        self._environ = environ
        self._path = None if is_bucket(address) else (folder / address).resolve()
        self._opened: ObjectStore | None = None

    @property
    def identity(self) -> str:
        """A text for the store and its server: the same bucket name may stand for another bucket on another server."""
        if self._path:
            return str(self._path)
        servers = sorted((name, value) for name, value in self._environ.items() if _SERVER_NAMES.fullmatch(name))
        return repr((self.address.rstrip("/"), servers))

    async def sizes(self, names: Collection[str]) -> dict[str, int]:
        """Return the size in bytes of each file that the store has, by name."""
        if not names or (self._path and not self._path.is_dir()):  # a folder that no `put` has created yet
            return {}
        if len(names) > MAX_HEADS:
            wanted = set(names)
            # A bucket lists its files by name, so it need not list those before the first and after the last name.
            return {file.name: file.size async for file in self.files(min(wanted), max(wanted)) if file.name in wanted}
        slots = asyncio.Semaphore(_CONCURRENCY)

        async def find_size(name: str) -> int | None:
            """Return the size of a stored file in bytes; None if the store has no such file."""
            async with slots:
                with self._errors(f"{name} cannot be looked up"):
                    try:
                        return (await asyncio.to_thread(obstore.head, self._store(), name))["size"]
                    except FileNotFoundError:
                        return None

        sizes = await asyncio.gather(*map(find_size, names))
        return {name: size for name, size in zip(names, sizes, strict=True) if size is not None}

    async def files(self, first: str = "", last: str = "") -> AsyncIterator[StoredFile]:
        """Yield the files of the store, without those in folders.

        With `first` and `last`, it may skip names outside of this range. A bucket yields its files sorted by name.
        """
        if self._path and not self._path.is_dir():
            return
        with self._errors("its files cannot be listed"):
            # The list starts after its offset: `first` without its last character sorts before `first`.
            batches = iter(obstore.list(self._store(), offset=first[:-1] or None))
            while (batch := await asyncio.to_thread(next, batches, None)) is not None:
                for file in batch:
                    if "/" not in file["path"]:
                        yield StoredFile(file["path"], file["size"], file["last_modified"])
                is_bucket = not self._path  # so the list is sorted
                if last and is_bucket and batch and batch[-1]["path"] > last:
                    return

    async def put(self, name: str, data: IO[bytes]) -> None:
        """Store a file; no reader ever sees a part of it."""
        attributes = {"Content-Type": PUBLISHED_TYPES[suffix_of(name)], "Cache-Control": _CACHE_FOREVER}
        stored_attributes = None if self._path else attributes  # a folder cannot store headers
        with self._errors(f"{name} cannot be written"):
            await asyncio.to_thread(obstore.put, self._store(), name, data, attributes=stored_attributes)

    async def delete(self, name: str) -> None:
        """Delete a file, if it is still there."""
        with self._errors(f"{name} cannot be deleted"):
            try:
                await asyncio.to_thread(obstore.delete, self._store(), name)
            except FileNotFoundError:
                return

    def _store(self) -> ObjectStore:
        """Return the client of the store, which the first call opens."""
        if self._opened is None:
            if self._path:
                self._opened = LocalStore(self._path, mkdir=True)
            else:
                # The library ignores this variable if it gets other options.
                allow_http = self._environ.get("AWS_ALLOW_HTTP", "").lower() in ("1", "true")
                self._opened = from_url(
                    self.address,
                    client_options={"timeout": timedelta(seconds=_TIMEOUT_SECONDS), "allow_http": allow_http},
                    retry_config={"max_retries": _RETRIES, "retry_timeout": timedelta(seconds=_RETRY_SECONDS)},
                )
        return self._opened

    @contextmanager
    def _errors(self, what: str) -> Iterator[None]:
        """Raise errors of the library as RemoteError. `what` says in the message what failed: "x cannot be deleted"."""
        try:
            yield
        except (PermissionDeniedError, UnauthenticatedError, PermissionError) as error:
            hint = "check its permissions" if self._path else "check the credentials of the store in the environment"
            raise Denied(f"the asset store {self.address} refuses: {what}", hint) from error
        except FileNotFoundError as error:
            raise ServerError(f"there is no asset store {self.address}: {what}", "create the bucket") from error
        except (BaseError, OSError, ValueError, NotImplementedError) as error:
            raise self._failure(what, error) from error

    def _failure(self, what: str, error: Exception) -> RemoteError:
        reason = without_secrets(str(error), self._environ)
        return Unreachable(f"the asset store {self.address} failed: {what}: {reason}", "run the command again")


def without_secrets(text: str, environ: Mapping[str, str]) -> str:
    """Return the first line of an error message without anything that may be a credential."""
    # Queries may be signed (https://host/file?signature), and tags are an answer's XML.
    line = re.sub(r"\?\S*|<.*", "", text.partition("\n")[0])[:300]
    for name, value in environ.items():
        if _SECRET_NAMES.search(name) and len(value) >= _MIN_SECRET:
            line = line.replace(value, "…")
    return line.strip()


class KnownFiles:
    """A cache on disk: the sizes of the files that a store is known to have, by name. Ignore errors of the disk.

    `identity` is that of the store. The cache may be deleted at any time: before an entry is written, the store itself
    is asked for the files that the entry names. Each file is one line, its name and size, so that a run that is killed
    loses only its last line.
    """

    def __init__(self, folder: Path, identity: str) -> None:
        self._folder = folder
        self._name = f"{hashlib.sha256(identity.encode(errors='surrogateescape')).hexdigest()[:16]}.txt"
        self.sizes = self._read()

    def add(self, sizes: Mapping[str, int]) -> None:
        """Remember files that the store has."""
        new = {name: size for name, size in sizes.items() if self.sizes.get(name) != size}
        if not new:
            return
        self.sizes |= new
        with suppress(OSError):
            file = make_private_folder(self._folder, KNOWN_FILES) / self._name
            no_link = getattr(os, "O_NOFOLLOW", 0)  # a commit may contain a link; Windows has no such flag
            descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | no_link, 0o666)
            try:
                os.write(descriptor, _lines(new))
            finally:
                os.close(descriptor)

    def remove(self, names: Iterable[str]) -> None:
        """Forget the files with these names, which the store does not have, or not completely.

        If the disk has an error, a later run still reads the names, and asks the store again.
        """
        forgotten = self.sizes.keys() & set(names)
        if not forgotten:
            return
        for name in forgotten:
            del self.sizes[name]
        with suppress(OSError):
            write_file(make_private_folder(self._folder, KNOWN_FILES) / self._name, _lines(self.sizes))

    @property
    def digest(self) -> str:
        """A digest of the names and sizes."""
        return hashlib.sha256(repr(sorted(self.sizes.items())).encode()).hexdigest()

    def _read(self) -> dict[str, int]:
        """Return the stored sizes; nothing if the file cannot be read. Skip lines that a killed run has cut off."""
        file = self._folder / KNOWN_FILES / self._name
        with suppress(OSError):
            if not file.is_symlink() and file.stat().st_size <= MAX_KNOWN_FILES:
                lines = file.read_text(encoding="ascii", errors="replace").splitlines()
                pairs = [match.groups() for match in map(_LINE.fullmatch, lines) if match]
                return {name: int(size) for name, size in pairs if is_published_name(name)}
        return {}


def _lines(sizes: Mapping[str, int]) -> bytes:
    """Return a line for each file, after a line end that completes the last line of a killed run."""
    return "".join(["\n", *(f"{name} {size}\n" for name, size in sizes.items())]).encode()
