"""The files that `--media` shows (docs/contract.md 16)."""

import os
from pathlib import Path

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

# What a browser may show by itself. Anything else is handed out as a file, which an <img> shows all the same.
INLINE = ("image/", "video/", "audio/")
NOT_INLINE = ("image/svg+xml",)


class Media(StaticFiles):
    """The files of a folder: no listings, nothing hidden, nothing outside that a link leads to, no scripts."""

    path_format = "/storage"

    def __init__(self, folder: Path) -> None:
        super().__init__(directory=folder)

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """The file, if it can be read: a loop of links, say, is nothing."""
        try:
            found, stat = super().lookup_path(path)
        except OSError:
            return "", None
        return (found, stat) if os.access(found, os.R_OK) else ("", None)

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file; raises HTTPException 404 for what is not shown."""
        scope["route"] = self  # as a router does for its routes
        if any(part.startswith(".") for part in Path(path).parts):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["Content-Security-Policy"] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        response.headers["Cache-Control"] = "public, max-age=300"
        media_type = response.headers.get("Content-Type", "").partition(";")[0]
        if media_type in NOT_INLINE or not media_type.startswith(INLINE):
            response.headers["Content-Disposition"] = "attachment"
        return response
