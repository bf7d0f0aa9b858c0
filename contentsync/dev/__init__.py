"""The site in the browser while its folder is being written."""

from ..extra import require_server

require_server()
