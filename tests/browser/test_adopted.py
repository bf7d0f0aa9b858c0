"""Repositories of other programs: adopted, synced to a server over HTTP, and read in the browser."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest
from playwright.sync_api import Page

from ..authoring.adopt.repositories import REPOSITORIES, TRUE_ERRORS, repair, write
from ..serving import Serving
from .page_monitor import origin
from .reader import Reader, Windows
from .sites import make_site, run_command
from .viewports import PHONE, save_screenshot, scrolls_sideways, show_at

SMALL = 24
SIZES = {"awesome": 2000, "spreadsheet": 2000}  # of the whole test; of the others 200
SAMPLE = "jekyll"  # the only one of `make test`
PAGES = 4  # that are opened of a small repository
MANY_PAGES = 60  # of a whole one, from all parts of the site

# What a reader must not see outside of code: tags, and the syntax of Markdown, templates and front matter.
MARKUP = re.compile(r"</?[a-z][a-z0-9]*[ />]|\]\(|\*\*|\{\{|\{%|\{:|^#{1,6} |^---$|^import ", re.MULTILINE)
WITHOUT_CODE = """() => {
    const copy = document.body.cloneNode(true)
    copy.querySelectorAll('code, pre').forEach(element => element.remove())
    document.body.append(copy)  // only shown elements have lines
    const text = copy.innerText
    copy.remove()
    return text
}"""
FILES = "https://files.example.org/"  # where the repository's files are served, says the config


@pytest.fixture
def reader(windows: Windows) -> Iterator[Reader]:
    """Yield a reader that loads the pictures of other hosts."""
    reader = Reader(windows, pictures=True)
    yield reader
    reader.leave()


def cases() -> Iterator[object]:
    for name in REPOSITORIES:
        yield pytest.param(name, SMALL, marks=() if name == SAMPLE else pytest.mark.whole)
        yield pytest.param(name, SIZES.get(name, 200), marks=pytest.mark.whole)


@pytest.mark.parametrize(("name", "size"), [*cases()])
def test_an_adopted_repository_becomes_a_site_without_visible_markup(
    name: str,
    size: int,
    reader: Reader,
    server: Serving,
    database: str,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    folder = write(tmp_path, REPOSITORIES[name](size))
    assert run_command("adopt", folder, "--yes", "--write").code == 0
    problems = run_command("validate", folder, "--format", "json").document["problems"]
    errors = {problem["path"]: problem["code"] for problem in problems if problem["severity"] == "error"}
    assert errors.keys() == TRUE_ERRORS[name].keys()
    repair(folder, TRUE_ERRORS[name])
    serve_files(folder)
    config = (folder / "contentsync.toml").read_text(encoding="utf-8")
    site = make_site(server, database, name, locales=("en", "fr") if "locales = [" in config else ("en",))
    site.sync(folder)
    again = run_command("plan", folder, "--detailed-exitcode", env=site.environ)
    assert again.code == 0, again.out

    addresses = addresses_of(reader, site.address)
    opened = spread(addresses, PAGES if size == SMALL else MANY_PAGES)
    links: set[str] = set()
    for number, address in enumerate(opened):
        page = reader.open(address)
        found = MARKUP.search(page.evaluate(WITHOUT_CODE))
        assert found is None, (address, found)
        links |= links_of(page)
        if size != SMALL and number % 20 == 0:
            save_screenshot(page, f"adopted-{name}-{number}")
            show_at(page, PHONE)
            assert not scrolls_sideways(page), address
            save_screenshot(page, f"adopted-{name}-{number}-phone")
        for image in reader.monitor.images:
            if image.startswith(FILES):
                assert (folder / image.removeprefix(FILES)).is_file(), (address, image)
        reader.leave_last()
    page = reader.open(site.address)
    for link in sorted(links):
        assert page.request.get(link).status == 200, link
    record_property("addresses", len(addresses))
    record_property("pages", len(opened))
    record_property("links", len(links))
    record_property("warnings", len(problems) - len(errors))


def serve_files(folder: Path) -> None:
    """Set the address at which the files of the repository are served, which a target on another host needs."""
    config = folder / "contentsync.toml"
    text = re.sub(r"^(asset_)?base_url = .*\n", "", config.read_text(encoding="utf-8"), flags=re.MULTILINE)
    config.write_text(text.replace("[site]\n", f'[site]\nasset_base_url = "{FILES}"\n', 1), encoding="utf-8")


def addresses_of(reader: Reader, home: str) -> list[str]:
    """Return the addresses in the sitemap, with its own."""
    page = reader.open(home)
    found = re.findall(r"<loc>([^<]+)</loc>", page.request.get(urljoin(home, "sitemap.xml")).text())
    own = [urljoin(home, urlsplit(address).path) for address in found]
    inner = [
        urljoin(home, urlsplit(address).path)
        for part in own
        if part.endswith(".xml")
        for address in re.findall(r"<loc>([^<]+)</loc>", page.request.get(part).text())
    ]
    return [home, *(address for address in (*own, *inner) if not address.endswith(".xml") and address != home)]


def spread(addresses: list[str], count: int) -> list[str]:
    """Return some addresses from all parts of the list."""
    return addresses[:: max(1, len(addresses) // count)][:count]


def links_of(page: Page) -> set[str]:
    """Return the links of the page's text to other pages of the site, without fragments."""
    links = page.eval_on_selector_all("main a[href]", "links => links.map(link => link.href)")
    return {link.partition("#")[0] for link in links if origin(link) == origin(page.url)}
