"""A record of the events that are forbidden on every page: dialogs, errors, policy violations and foreign requests."""

from dataclasses import dataclass, field, fields
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Request, WebError

POLICY = "Content Security Policy"  # part of every message that Chromium writes about a violation


def origin(url: str) -> str:
    """Return scheme, host and port."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


@dataclass
class PageMonitor:
    """The forbidden events in a context whose pages have one origin. Images are allowed from every origin."""

    origin: str
    dialogs: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)  # in the console, and uncaught
    violations: list[str] = field(default_factory=list)  # of the Content-Security-Policy
    foreign: list[str] = field(default_factory=list)  # requests to other origins
    images: list[str] = field(default_factory=list)  # foreign requests for images

    def attach(self, context: BrowserContext) -> None:
        """Start recording."""
        context.on("dialog", self._dialog)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("request", self._request)

    def detach(self, context: BrowserContext) -> None:
        """Stop recording."""
        context.remove_listener("dialog", self._dialog)
        context.remove_listener("console", self._console)
        context.remove_listener("weberror", self._error)
        context.remove_listener("request", self._request)

    def assert_clean(self) -> None:
        """Fail if anything was recorded."""
        seen = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in ("origin", "images")}
        assert not any(seen.values()), seen

    def _dialog(self, dialog: Dialog) -> None:
        self.dialogs.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    def _console(self, message: ConsoleMessage) -> None:
        if POLICY in message.text:
            self.violations.append(message.text)
        elif message.type == "error" and message.location["url"] not in self.images:
            self.errors.append(message.text)

    def _error(self, error: WebError) -> None:
        self.errors.append(str(error.error))

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).scheme in ("http", "https", "ws", "wss") and origin(request.url) != self.origin:
            (self.images if request.resource_type == "image" else self.foreign).append(request.url)
