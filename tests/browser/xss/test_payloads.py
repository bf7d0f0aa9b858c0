"""A text that a user writes into any field stays text: checked in Chromium, with the policy and without."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import cycle
from pathlib import Path
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, Page, ProxySettings, ViewportSize

from ...model.markup.html_reader import offences
from ...serving import Serving
from ..page_monitor import PageMonitor
from ..sites import Site, make_site
from .payloads import BEACON, PAYLOADS
from .tenants import LOCALES, Tenant, fill, poisoned

AUDIT = (Path(__file__).parent / "audit.js").read_text(encoding="utf-8")
BODIES = ("categories/c/", "listings/l/", "blog/markdown/", "blog/html/", "pages/navbar/", "organizers/o/")
PAGES = ("", *BODIES, "blog/", "blog/html/?locale=fr", "organizers/", "organizers/o/?locale=fr", "categories/")
ECHOES = ("?q={}", "blog/?category={}", "blog/?locale={}", "nowhere/{}")  # of a payload in an address
DOCUMENTS = ("feed.xml", "atom.xml", "sitemap.xml", "robots.txt", "colours.css")
CSS = re.compile(r"(\.tag-\d+\{[a-z:;#0-9a-fA-F]+\}\n)*")

# The addresses of a search for the name of the first card, and of this search with the last choice of each filter; the
# number of these filters, and whether the name has a word. A choice that is too long for an address, or has a line
# break, is left out.
SEARCHES = """() => {
  const form = document.querySelector("form.filters");
  const address = () => `${form.action}?${new URLSearchParams(new FormData(form))}`;
  form.elements.q.value = document.querySelector(".card h2").textContent.replace(/\\s+/g, " ").slice(0, 100);
  const search = address();
  const menus = [...form.querySelectorAll(".menus select:not([name=sort])")];
  const last = menu => [...menu.options].at(-1).value;
  for (const menu of menus) if (/^.{1,255}$/.test(last(menu))) menu.value = last(menu);
  return [search, address(), menus.filter(menu => menu.value).length, /[\\p{L}\\p{N}]/u.test(form.elements.q.value)];
}"""

HIGH = ViewportSize(width=1280, height=4000)  # so that pictures are looked at, and load
NOWHERE = ProxySettings(server="http://127.0.0.1:1", bypass="127.0.0.1")  # for whatever is not on this machine

Record = Callable[[str, object], None]


@pytest.fixture(scope="module")
def template(server: Serving, database: str) -> Site:
    """Return a directory with every possible text."""
    site = make_site(server, database, "Template", locales=LOCALES)
    fill(site)
    return site


WITHOUT = pytest.param(True, id="without policy", marks=pytest.mark.whole)


@pytest.fixture(scope="module", params=[pytest.param(False, id="with policy"), WITHOUT])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    """Yield a page of a browser that applies the policy, or of one that relies on cleaning and escaping alone."""
    with browser.new_context(viewport=HIGH, proxy=NOWHERE, bypass_csp=request.param) as context:
        yield context.new_page()


def mixtures() -> Iterator[object]:
    """Yield each class in some of the fields, in turn; and each payload alone, one of each class before the others."""
    first = [payloads[0] for payloads in PAYLOADS.values()]
    yield pytest.param([first], id="every class by turns")
    yield pytest.param([first[10:] + first[:10]], id="every class in other fields", marks=pytest.mark.whole)
    for fault, payloads in PAYLOADS.items():
        alone = [[payload] for payload in payloads]
        yield pytest.param(alone[:1], id=fault, marks=pytest.mark.whole)
        if alone[1:]:
            yield pytest.param(alone[1:], id=f"{fault} others", marks=pytest.mark.whole)


@pytest.mark.parametrize("mixtures", [*mixtures()])
def test_no_payload_in_any_field_runs_code(
    page: Page,
    server: Serving,
    database: str,
    template: Site,
    mixtures: Sequence[Sequence[str]],
    record_property: Record,
) -> None:
    """XS-01 to XS-10, XS-12 to XS-18, XS-20: no code runs, no policy is violated, every text is readable."""
    monitor = PageMonitor(server.address)
    monitor.attach(page.context)
    pairs, complaints = 0, []
    for tenant in poisoned(database, template, mixtures):
        complaints += [f"{tenant.payloads[0][:80]!r} {each}" for each in visit(page, server, tenant)]
        pairs += tenant.fields + len(ECHOES)
    monitor.detach(page.context)
    foreign = [*monitor.foreign, *(url for url in monitor.images if url.startswith(BEACON))]
    record_property("pairs", pairs)
    record_property("executions", len(monitor.dialogs))
    record_property("foreign requests", len(foreign))
    record_property("policy reports", len(monitor.violations))
    assert complaints == []
    assert (monitor.dialogs, foreign, monitor.violations) == ([], [], [])
    assert pairs > 200 * len(mixtures)


def visit(page: Page, server: Serving, tenant: Tenant) -> Iterator[str]:
    """Return the faults of every page of a directory."""
    home = f"{server.address}/sites/{tenant.slug}/"
    for path in PAGES:
        yield from page_faults(page, home + path, 200, "Readable before." if path in BODIES else "")
    yield from search_faults(page, home)
    for path, payload in zip(ECHOES, cycle(tenant.payloads), strict=False):
        yield from page_faults(page, home + path.format(quote(payload[:500], safe="")))
    for path in DOCUMENTS:
        yield from document_faults(page, home + path)


def search_faults(page: Page, home: str) -> Iterator[str]:
    """Return the faults of a search whose words are highlighted, and of a list with a chip for each filter."""
    page.goto(home)
    search, filtered, filters, has_words = page.evaluate(SEARCHES)
    yield from page_faults(page, search, 200)
    if has_words and not page.locator("h2 mark").count():
        yield f"{search} highlights nothing"
    yield from page_faults(page, filtered, 200)
    if page.locator(".chip").count() != filters + has_words:
        yield f"{filtered} has no chip for each filter"


def page_faults(page: Page, url: str, status: int | None = None, readable: str = "") -> Iterator[str]:
    """Return the faults of a page, which must have the status, if any, and show readable text."""
    answer = page.goto(url)
    assert answer is not None
    if answer.status != status if status else answer.status not in (200, 404):
        yield f"{url} answers {answer.status}"
    else:
        yield from (f"{url} {each}" for each in page.evaluate(AUDIT, readable))


def document_faults(page: Page, url: str) -> Iterator[str]:
    """Return the faults of a response that is not a page."""
    answer = page.request.get(url)
    if answer.status != 200 or "charset=utf-8" not in answer.headers["content-type"]:
        yield f"{url} answers {answer.status} {answer.headers['content-type']}"
    elif url.endswith(".css") and not CSS.fullmatch(answer.text()):
        yield answer.text()
    elif url.endswith(".xml"):
        try:
            root = ElementTree.fromstring(answer.body())
        except ElementTree.ParseError as error:
            yield f"{url} is no XML: {error}"
        else:
            for content in root.iter("{http://www.w3.org/2005/Atom}content"):
                yield from (f"{url} {each}" for each in offences(content.text or ""))
