"""The sizes and schemes in which pages are looked at, and the screenshots that are kept of them."""

from pathlib import Path

from playwright.sync_api import Page

DESK = 1280
PHONE = 360
NARROW = 320  # WCAG 2.1, 1.4.10: no page scrolls sideways here
HEIGHT = {DESK: 800, PHONE: 740, NARROW: 568}

SCREENSHOTS = Path("test-output/screenshots")


def look(page: Page, width: int, scheme: str = "light") -> None:
    """Shows the page in another window, without the focus on anything, from its top."""
    page.set_viewport_size({"width": width, "height": HEIGHT[width]})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")


def scrolls_sideways(page: Page) -> bool:
    """Whether something is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def keep(page: Page, name: str) -> Path:
    """The file of a screenshot of the whole page."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path
