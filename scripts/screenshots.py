"""Takes the pictures of the browser (`make picture`): the site of content-example, and a mistake over a page of it."""

import base64
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from tests.browser.chromium import MISSING, find

ROOT = Path(__file__).parent.parent
LARGEST = 150_000  # bytes
WIDE, NARROW = (1120, 760), (390, 760)


def save(page: Page, name: str) -> None:
    """What the page shows now, as WebP, which Playwright itself does not write."""
    session = page.context.new_cdp_session(page)
    shot = session.send("Page.captureScreenshot", {"format": "webp", "quality": 82})
    data = base64.b64decode(shot["data"])
    if len(data) > LARGEST:
        raise RuntimeError(f"{name} has {len(data)} bytes")
    (ROOT / f"docs/{name}.webp").write_bytes(data)


@contextmanager
def shown(folder: Path) -> Iterator[str]:
    """`contentsync dev` on a folder; its address."""
    command = [sys.executable, "-m", "contentsync", "dev", str(folder), "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603  # our own command
        try:
            address = re.search(r"http://\S+", process.stderr.readline() if process.stderr else "")
            if address is None:
                raise RuntimeError("contentsync dev shows nothing")
            yield address[0]
        finally:
            process.kill()


def main() -> None:
    """Writes docs/site.webp, docs/phone.webp and docs/overlay.webp."""
    with TemporaryDirectory() as parent, sync_playwright() as playwright:
        folder = Path(parent, "site")
        shutil.copytree(ROOT / "content-example", folder, ignore=shutil.ignore_patterns(".contentsync"))
        path = find(playwright)
        if path is None:
            sys.exit(MISSING)
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        with playwright.chromium.launch(executable_path=path, args=options) as browser, shown(folder) as address:
            page = browser.new_page(viewport={"width": WIDE[0], "height": WIDE[1]})
            page.goto(address)
            page.locator(".card").first.wait_for()
            save(page, "site")
            phone = browser.new_page(
                viewport={"width": NARROW[0], "height": NARROW[1]}, device_scale_factor=2, color_scheme="dark"
            )
            phone.goto(address)
            phone.locator(".card").first.wait_for()
            save(phone, "phone")
            page.goto(f"{page.url}pages/about/")
            about = folder / "pages/about.md"
            about.write_text(about.read_text(encoding="utf-8").replace("title:", "titel:", 1), encoding="utf-8")
            page.get_by_text("did you mean").first.wait_for()
            save(page, "overlay")


main()
