"""Where the links and images of a text lead that begin with one slash."""

from typing import NamedTuple
from urllib.parse import parse_qs, urlencode, urlsplit

LOCALE = "locale"  # the query parameter, as in the API


class Root(NamedTuple):
    """What such addresses are put below, and the language that a reader keeps when they follow one to a page."""

    mount: str = ""
    locale: str = ""  # "": the default one

    def image(self, url: str) -> str:
        """The address of an image, or of anything else than a page."""
        if url.startswith("/") and not url.startswith(("//", f"{self.mount}/")):
            return f"{self.mount}{url}"
        return url

    def link(self, url: str) -> str:
        """The address of a link, which keeps the language that it asks for itself."""
        found = self.image(url)
        if not self.locale or not found.startswith(f"{self.mount}/") or found.startswith("//"):
            return found
        parts = urlsplit(found)
        # Slugs have no dots, so this is a file or a feed.
        if "." in parts.path.rpartition("/")[2] or LOCALE in parse_qs(parts.query, keep_blank_values=True):
            return found
        asked = urlencode({LOCALE: self.locale})
        return parts._replace(query=f"{parts.query}&{asked}" if parts.query else asked).geturl()


TOP = Root()  # of a host, in the default language
