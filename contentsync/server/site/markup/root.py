"""Where the links and images of a text lead that begin with one slash."""

from typing import NamedTuple

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
        # Taken apart by hand: urlsplit raises for some addresses, and leaves characters out of others.
        address, mark, fragment = found.partition("#")
        path, _, query = address.partition("?")
        # Slugs have no dots, so the first is a file or a feed.
        if "." in path.rpartition("/")[2] or any(part.partition("=")[0] == LOCALE for part in query.split("&")):
            return found
        asked = f"{query}&{LOCALE}={self.locale}" if query else f"{LOCALE}={self.locale}"
        return f"{path}?{asked}{mark}{fragment}"


TOP = Root()  # of a host, in the default language
