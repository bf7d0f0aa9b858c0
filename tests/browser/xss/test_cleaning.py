"""The output of the cleaning, read by the independent parser of Chromium; and the audit of foreign markup."""

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from contentsync.model.markup import clean_html, markdown_html

from ...model.markup.html_reader import ALLOWED, CLASS, WITHOUT
from ...model.markup.test_html_cleaning import OTHERS, TAGS
from .payloads import PAYLOADS
from .test_payloads import AUDIT

EVERY = [payload for payloads in PAYLOADS.values() for payload in payloads]
FUZZED = 1_500

FOREIGN = [
    "<script>1</script>",
    "<p onclick=x>",
    "<svg></svg>",
    "<p style=color:red>",
    "<a href=javascript:x>x</a>",
    "<img src=data:,x>",
    "<iframe src=https://youtube.com.beacon.example/embed/></iframe>",
    "<form action=https://beacon.example/></form>",
    "<img name=getElementById>",
    "<div class=prose><p class=button></div>",
    "<div class=prose><p class=anchor id=site:main></div>",
    "<div class=prose><a class=anchor name=cookie></div>",
    "<a target=_blank href=/ rel=opener>x</a>",
    '<script type="application/ld+json">{"a": </script>',
    "<plaintext>",
]

OURS = "<!doctype html><meta charset=utf-8><main>A{}</main><footer class=site-footer>B</footer>"

# What is in the HTML and not allowed; and whatever reads differently once it was written out and read again.
READ = """([texts, allowed, without, classes]) => texts.flatMap((text, at) => {
  const body = new DOMParser().parseFromString("<body>" + text, "text/html").body;
  const found = [];
  for (const element of body.querySelectorAll("*")) {
    const name = element.localName;
    if (!(name in allowed) && !without.includes(name)) found.push(`${at} ${name}`);
    for (const attribute of element.attributes) {
      const known = [...(allowed[name] || []), ...allowed[""]];
      if (!known.includes(attribute.name)) found.push(`${at} ${name}[${attribute.name}]`);
    }
    if (element.hasAttribute("class") && !new RegExp(`^(?:${classes})$`).test(element.className)) {
      found.push(`${at} class ${element.className}`);
    }
    if (element.id.startsWith("site:")) found.push(`${at} id ${element.id}`);
    for (const name of ["href", "src", "cite"]) {
      const url = URL.parse(element.getAttribute(name) || "", "https://site.example/");
      if (url && !["http:", "https:", "mailto:", "tel:"].includes(url.protocol)) found.push(`${at} ${url}`);
    }
  }
  const again = new DOMParser().parseFromString("<body>" + body.innerHTML, "text/html").body;
  if (again.innerHTML !== body.innerHTML) found.push(`${at} is read in two ways`);
  return found;
})"""


def fuzzed() -> list[str]:
    """Return tags, attributes and other markup in a random order, from a fixed seed."""
    source = random.Random(20_261_121)
    pieces = [*"<>\"'=/ &;!-", *OTHERS.split(), *TAGS]
    return ["".join(source.choices(pieces, k=source.randint(3, 40))) for _ in range(FUZZED)]


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    with browser.new_page() as page:
        yield page


def test_a_browser_finds_nothing_forbidden_in_clean_html(page: Page) -> None:
    """XS-01 to XS-08"""
    texts = [*EVERY, *fuzzed()]
    cleaned = [*map(clean_html, texts), *map(markdown_html, texts)]
    allowed = {name: sorted(attributes) for name, attributes in ALLOWED.items()}
    assert page.evaluate(READ, [cleaned, allowed, WITHOUT.split(), CLASS.pattern]) == []
    seen = page.evaluate(READ, [FOREIGN, allowed, WITHOUT.split(), CLASS.pattern])
    assert {each.split()[0] for each in seen} == {str(at) for at in range(len(FOREIGN))}


@pytest.fixture(scope="module")
def audited_page(page: Page) -> Page:
    """Return a page of the site at an address of its own."""
    page.route("https://site.example/", lambda route: route.fulfill(content_type="text/html; charset=utf-8"))
    page.goto("https://site.example/")
    page.set_content(OURS.format(""))
    assert page.evaluate(AUDIT, "A") == []
    assert page.evaluate(AUDIT, "C") == ["hides its body"]
    return page


@pytest.mark.parametrize("html", FOREIGN)
def test_the_audit_detects_foreign_markup(audited_page: Page, html: str) -> None:
    audited_page.set_content(OURS.format(html), wait_until="domcontentloaded")
    assert audited_page.evaluate(AUDIT, "A") != []
