"""The files of a site: uploaded ones, from the folder of `--media`, and the pictures of a content folder.

docs/contract.md 16 and docs/content.md 13 describe them.
"""

import os
from http import HTTPStatus
from mimetypes import add_type, guess_type
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from ...model.urls import LOCAL_FILES

# Types that a browser may display. All others are downloads, which an <img> displays nevertheless.
INLINE = ("image/", "video/", "audio/")
NOT_INLINE = ("image/svg+xml",)
FOLDER_FILES = "_files"  # the path below a site; no page has it, because slugs have no underscore
# Where the files are: on the domain of a directory, and under the paths of sites without a domain.
MEDIA_PATHS = ("/storage", "/sites/{slug}/storage")
FOLDER_PATHS = (f"/{FOLDER_FILES}", f"/sites/{{slug}}/{FOLDER_FILES}")
_SHOWN_OF_FOLDER = (*INLINE, "application/pdf")  # types that a content folder serves, and not its texts and data

for _type, _suffix in (("image/avif", ".avif"), ("image/webp", ".webp")):  # which older versions of Python do not know
    add_type(_type, _suffix)


class MediaFiles(StaticFiles):
    """The files of a folder, without folder listings, hidden files and link targets outside of it; no script runs."""

    path_format = "/storage"

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return the path and the stat of a file, or "" and None if it is not readable, such as a loop of links."""
        try:
            full_path, stat = super().lookup_path(path)
        except OSError:
            return "", None
        return (full_path, stat) if os.access(full_path, os.R_OK) else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file; raise HTTPException 404 for a hidden or missing file, or another spelling of its path."""
        scope["route"] = self  # for logs and metrics, as a router does
        exact_path = f"{scope['root_path']}/{Path(path).as_posix()}"  # Starlette has removed `//` and a last `/`
        if scope["path"] != exact_path or any(part.startswith(".") for part in Path(path).parts):
            raise HTTPException(404)
        # A range in an unknown unit is ignored (RFC 9110, 14.2); FileResponse, which gets this scope, would refuse it.
        scope["headers"] = [header for header in scope["headers"] if not _is_unknown_range(*header)]
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        response.headers["Cache-Control"] = "public, max-age=300"
        media_type = response.headers.get("Content-Type", "").partition(";")[0]
        is_inline = media_type.startswith(INLINE) and media_type not in NOT_INLINE
        if not is_inline and response.status_code != HTTPStatus.NOT_MODIFIED:  # a 304 has no type
            response.headers["Content-Disposition"] = "attachment"
        return response


class FolderFiles(MediaFiles):
    """The pictures, videos, sounds and PDF files of a content folder, for addresses that begin with `LOCAL_FILES`."""

    path_format = f"/{FOLDER_FILES}"

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file; raise HTTPException 404 for a hidden or missing file, or for a file of another type."""
        media_type = guess_type(path)[0] or ""
        if not media_type.startswith(_SHOWN_OF_FOLDER):
            scope["route"] = self  # for logs and metrics
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"  # an author sees a new version of a picture at once
        return response


def _is_unknown_range(name: bytes, value: bytes) -> bool:
    return name == b"range" and value.partition(b"=")[0].strip().lower() != b"bytes"


def with_folder_file_urls(response: Response, site_address: str) -> Response:
    """Return the response; its placeholders (LOCAL_FILES) of a content folder's files become URLs of this site."""
    local = LOCAL_FILES.encode()
    if local in bytes(response.body):
        response.body = bytes(response.body).replace(local, f"{site_address}/{FOLDER_FILES}/".encode())
        response.headers["Content-Length"] = str(len(response.body))
    return response
