"""The uploaded files of a site, from the folder of `--media` (docs/contract.md 16)."""

import os
from http import HTTPStatus
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

# Types that a browser may display. All others are downloads, which an <img> displays nevertheless.
INLINE = ("image/", "video/", "audio/")
NOT_INLINE = ("image/svg+xml",)
# Where the files are: on the domain of a directory, and under the paths of sites without a domain.
MEDIA_PATHS = ("/storage", "/sites/{slug}/storage")


class MediaFiles(StaticFiles):
    """The files of a folder, without folder listings, hidden files and link targets outside of it; no script runs."""

    path_format = "/storage"

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Return the path and the stat of a file, or "" and None if it is not readable, such as a loop of links."""
        try:
            found, stat = super().lookup_path(path)
        except OSError:
            return "", None
        return (found, stat) if os.access(found, os.R_OK) else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file; raise HTTPException 404 for a hidden or missing file."""
        scope["route"] = self  # for logs and metrics, as a router does
        if any(part.startswith(".") for part in Path(path).parts):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        response.headers["Cache-Control"] = "public, max-age=300"
        media_type = response.headers.get("Content-Type", "").partition(";")[0]
        if response.status_code != HTTPStatus.NOT_MODIFIED and (
            media_type in NOT_INLINE or not media_type.startswith(INLINE)
        ):
            response.headers["Content-Disposition"] = "attachment"
        return response
