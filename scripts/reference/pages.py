"""Which pages there are."""

from collections.abc import Callable, Mapping

from .commands import commands_page
from .documents import documents_page
from .keys import keys_page
from .settings import settings_page

PAGES: Mapping[str, Callable[[], str]] = {
    "commands.md": commands_page,
    "config.md": settings_page,
    "json.md": documents_page,
    "keys.md": keys_page,
}
