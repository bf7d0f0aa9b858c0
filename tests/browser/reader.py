"""Somebody who reads a site, with a browser."""

from dataclasses import dataclass, field
from zlib import crc32

from playwright.sync_api import Browser, BrowserContext, Page, Route

from .window import DESK, HEIGHT
from .witness import Witness, origin

PICTURE = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 300" preserveAspectRatio="xMidYMid slice">
<rect width="400" height="300" fill="hsl({hue} 35% 62%)"/><circle cx="{x}" cy="{y}" r="90" fill="hsl({hue} 45% 45%)"/>
<path d="M0 300 L{x} 120 L400 300Z" fill="hsl({other} 40% 35%)"/></svg>"""


@dataclass
class Reader:
    """Opens pages, each in a context of its own, without a network: only what the test serves can be reached."""

    browser: Browser
    pictures: bool = False  # whether pictures from elsewhere arrive
    witnesses: list[Witness] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)

    def open(
        self, url: str, *, width: int = DESK, dark: bool = False, javascript: bool = True, status: int = 200
    ) -> Page:
        """The page at an address, once it has loaded; fails when the answer has another status."""
        context = self.browser.new_context(
            viewport={"width": width, "height": HEIGHT[width]},
            color_scheme="dark" if dark else "light",
            reduced_motion="reduce",  # or colours are looked at while they change
            java_script_enabled=javascript,
        )
        context.set_default_timeout(10_000)
        self._contexts.append(context)
        witness = Witness(origin(url))
        self.witnesses.append(witness)
        witness.watch(context)
        context.route(lambda asked: origin(asked) != witness.origin, self._elsewhere)
        page = context.new_page()
        answer = page.goto(url)
        assert answer is not None
        assert answer.status == status, (url, answer.status)
        if status >= 400:
            witness.errors.clear()  # the browser says that the answer is one
        return page

    def leave(self) -> None:
        """Closes everything; fails when a page did what none may do."""
        for context in self._contexts:
            context.close()
        for witness in self.witnesses:
            witness.hold()

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
