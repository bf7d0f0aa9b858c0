"""A reader of a site with a browser."""

from dataclasses import dataclass, field
from typing import NamedTuple
from zlib import crc32

from playwright.sync_api import Browser, Page, Route

from .page_monitor import PageMonitor, origin
from .viewports import DESK, HEIGHT

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice">
<rect width="400" height="300" fill="hsl({hue} 35% 62%)"/><circle cx="{x}" cy="{y}" r="90" fill="hsl({hue} 45% 45%)"/>
<path d="M0 300 L{x} 120 L400 300Z" fill="hsl({other} 40% 35%)"/></svg>"""


class Windows:
    """A pool of browser windows: a new window costs Chromium as much as several pages."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[bool, list[Page]] = {True: [], False: []}  # with JavaScript and without

    def take(self, *, javascript: bool) -> Page:
        """Return an empty page in a context of its own."""
        if free := self._free[javascript]:
            return free.pop()
        # Without animations, which would change colours during a check.
        return self._browser.new_context(reduced_motion="reduce", java_script_enabled=javascript).new_page()

    def leave(self, page: Page, *, javascript: bool) -> None:
        """Clear a page and return it to the pool."""
        page.goto("about:blank")
        page.context.unroute_all()
        self._free[javascript].append(page)


class Opened(NamedTuple):
    """An open page and its monitor."""

    page: Page
    javascript: bool
    monitor: PageMonitor


@dataclass
class Reader:
    """Opens pages, each in its own window, without a network: only the test's server can be reached."""

    windows: Windows
    pictures: bool = False  # whether images of other hosts load
    _opened: list[Opened] = field(default_factory=list)

    @property
    def monitor(self) -> PageMonitor:
        """The monitor of the page that was opened last."""
        return self._opened[-1].monitor

    def open(self, url: str, *, width: int = DESK, javascript: bool = True, status: int = 200) -> Page:
        """Open an address and wait until it has loaded; fail if the response has another status."""
        page = self.windows.take(javascript=javascript)
        monitor = PageMonitor(origin(url))
        self._opened.append(Opened(page, javascript, monitor))
        monitor.attach(page.context)
        page.context.route(lambda asked: origin(asked) != monitor.origin, self._elsewhere)
        page.set_viewport_size({"width": width, "height": HEIGHT[width]})
        page.emulate_media(color_scheme="light")
        answer = page.goto(url)
        assert answer is not None
        assert answer.status == status, (url, answer.status)
        if status >= 400:
            monitor.errors.clear()  # the browser logs an error status
        return page

    def leave_last(self) -> None:
        """Close the page that was opened last; fail if it did something that is forbidden for pages."""
        page, javascript, monitor = self._opened.pop()
        self.windows.leave(page, javascript=javascript)
        monitor.detach(page.context)
        monitor.assert_clean()

    def leave(self) -> None:
        """Close all pages; fail if one of them did something that is forbidden for pages."""
        for page, javascript, monitor in self._opened:
            self.windows.leave(page, javascript=javascript)
            monitor.detach(page.context)
        for each in self._opened:
            each.monitor.assert_clean()

    def _elsewhere(self, route: Route) -> None:
        if self.pictures and route.request.resource_type == "image":
            route.fulfill(content_type="image/svg+xml", body=draw(route.request.url))
        else:
            route.abort()


def draw(url: str) -> str:
    """Return an image that depends only on the address."""
    number = crc32(url.encode())
    hue = number % 360
    return PICTURE.format(hue=hue, other=(hue + 150) % 360, x=80 + number % 240, y=60 + number // 7 % 140)
