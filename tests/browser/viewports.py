"""The window sizes and colour schemes of the tests, and screenshots."""

from pathlib import Path

from playwright.sync_api import Page

WIDE = 1920
DESK = 1280
PHONE = 360
NARROW = 320  # WCAG 2.1, 1.4.10: no page scrolls sideways here
HEIGHT = {WIDE: 1080, DESK: 800, PHONE: 740, NARROW: 568}

SCREENSHOTS = Path("test-output/screenshots")


def show_at(page: Page, width: int, scheme: str = "light") -> None:
    """Show the top of the page in another window size, without a focused element."""
    page.set_viewport_size({"width": width, "height": HEIGHT[width]})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.evaluate("document.activeElement.blur(), scrollTo(0, 0)")


def scrolls_sideways(page: Page) -> bool:
    """Return whether something is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth > innerWidth"))


def save_screenshot(page: Page, name: str) -> Path:
    """Save a screenshot of the whole page and return its file."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    path = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    return path
