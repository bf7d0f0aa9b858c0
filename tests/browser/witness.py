"""What a page of ours never does, whatever is in it: written down as it happens, and held at the end."""

from dataclasses import dataclass, field, fields
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, WebError

POLICY = "Content Security Policy"  # part of every message that Chromium writes about a violation


def origin(url: str) -> str:
    """Scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


@dataclass
class Witness:
    """What was seen in a context whose pages are of one origin. Pictures may come from anywhere."""

    origin: str
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # of the console, uncaught ones too
    violations: list[str] = field(default_factory=list)  # of the Content-Security-Policy
    foreign: list[str] = field(default_factory=list)  # requests to other origins
    pictures: list[str] = field(default_factory=list)  # those that ask for a picture

    def watch(self, context: BrowserContext) -> None:
        """From now on."""
        context.on("dialog", self._dialog)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def look_away(self, context: BrowserContext) -> None:
        """From now on, until it watches again."""
        context.remove_listener("dialog", self._dialog)
        context.remove_listener("console", self._console)
        context.remove_listener("weberror", self._error)
        context.remove_listener("request", self._request)

    def hold(self) -> None:
        """Fails unless nothing was seen."""
        seen = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("origin", "pictures")}
        assert not any(seen.values()), seen

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def _console(self, message: ConsoleMessage) -> None:
        if POLICY in message.text:
            self.violations.append(message.text)
        elif message.type == "error" and message.location["url"] not in self.pictures:
            self.errors.append(message.text)

    def _error(self, error: WebError) -> None:
        self.errors.append(str(error.error))

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).scheme in ("http", "https", "ws", "wss") and origin(request.url) != self.origin:
            (self.pictures if request.resource_type == "image" else self.foreign).append(request.url)
