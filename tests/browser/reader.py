"""Somebody who reads a site, with a browser."""

from dataclasses import dataclass, field
from typing import NamedTuple
from zlib import crc32

from playwright.sync_api import Browser, Page, Route

from .window import DESK, HEIGHT
from .witness import Witness, origin

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice">
<rect width="400" height="300" fill="hsl({hue} 35% 62%)"/><circle cx="{x}" cy="{y}" r="90" fill="hsl({hue} 45% 45%)"/>
<path d="M0 300 L{x} 120 L400 300Z" fill="hsl({other} 40% 35%)"/></svg>"""


class Windows:
    """Windows of a browser that one reader leaves to the next: a new one costs Chromium as much as several pages."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[bool, list[Page]] = {True: [], False: []}  # with JavaScript and without

    def take(self, *, javascript: bool) -> Page:
        """An empty page, in a context of its own."""
        if free := self._free[javascript]:
            return free.pop()
        # Without motion, or colours are looked at while they change.
        return self._browser.new_context(reduced_motion="reduce", java_script_enabled=javascript).new_page()

    def leave(self, page: Page, *, javascript: bool) -> None:
        """Empties a page for the next reader."""
        page.goto("about:blank")
        page.context.unroute_all()
        self._free[javascript].append(page)


class Opened(NamedTuple):
    """A page that a reader looks at, and who looks at what it does."""

    page: Page
    javascript: bool
    witness: Witness


@dataclass
class Reader:
    """Opens pages, each in a window of its own, without a network: only what the test serves can be reached."""

    windows: Windows
    pictures: bool = False  # whether pictures from elsewhere arrive
    _opened: list[Opened] = field(default_factory=list)

    @property
    def witness(self) -> Witness:
        """Of the page that was opened last."""
        return self._opened[-1].witness

    def open(self, url: str, *, width: int = DESK, javascript: bool = True, status: int = 200) -> Page:
        """The page at an address, once it has loaded; fails when the answer has another status."""
        page = self.windows.take(javascript=javascript)
        witness = Witness(origin(url))
        self._opened.append(Opened(page, javascript, witness))
        witness.watch(page.context)
        page.context.route(lambda asked: origin(asked) != witness.origin, self._elsewhere)
        page.set_viewport_size({"width": width, "height": HEIGHT[width]})
        page.emulate_media(color_scheme="light")
        answer = page.goto(url)
        assert answer is not None
        assert answer.status == status, (url, answer.status)
        if status >= 400:
            witness.errors.clear()  # the browser says that the answer is one
        return page

    def leave(self) -> None:
        """Leaves everything; fails when a page did what none may do."""
        for page, javascript, witness in self._opened:
            self.windows.leave(page, javascript=javascript)
            witness.look_away(page.context)
        for each in self._opened:
            each.witness.hold()

    def _elsewhere(self, route: Route) -> None:
        if self.pictures and route.request.resource_type == "image":
            route.fulfill(content_type="image/svg+xml", body=draw(route.request.url))
        else:
            route.abort()


def draw(url: str) -> str:
    """A picture that is the same for the same address."""
    number = crc32(url.encode())
    hue = number % 360
    return PICTURE.format(hue=hue, other=(hue + 150) % 360, x=80 + number % 240, y=60 + number // 7 % 140)
