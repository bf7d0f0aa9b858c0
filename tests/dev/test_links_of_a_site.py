"""Every link of a rendered folder leads to a page, and its fragment to an id of the page, unless `validate` warns."""

import asyncio
import random
import re
import shutil
from pathlib import Path
from urllib.parse import unquote, urldefrag, urljoin, urlsplit

import httpx
import pytest

from contentsync.cli.target_connection import connect_embedded, directory_settings
from contentsync.content.folder.load import Content, load_content
from contentsync.content.folder.unit_cache import InMemoryCache
from contentsync.dev.mirror import Mirror
from contentsync.dev.preview_database import open_database, open_state_dir
from contentsync.server.site.page_paths import page_path
from contentsync.server.site.site_app import ORGANIZER, ORGANIZERS, ROUTES

from ..content.conftest import write
from ..sampling import sampled
from ..server.site.html_document import Document

EXAMPLE = Path(__file__).parents[2] / "content-example"
HOST = "http://127.0.0.1:8300"
# Headings as they are written, with fragments for them: of GitHub, of earlier releases, and of a careless author.
HEADINGS = {
    "## What's new?": "whats-new what-s-new section-what-s-new What's-new whats%2Dnew",
    "## Über uns": "über-uns %C3%BCber-uns uber-uns section-uber-uns Über-uns",
    "## Straße & Co": "straße--co strasse-co straße-co",
    "## ヘディング": "ヘディング hedeingu",
    "## A_b c": "a_b-c a-b-c A_b-c",
    "## Prices": "prices section-prices prices-1 prices-2 Prices section-prices-1",
    "## The `<br>` tag": "the-br-tag the-tag",
    "## A [link](/pages/p0/) *here*": "a-link-here",
    "## Own {#My_Id}": "My_Id my_id own section-My_Id",
    "Set in\nlines\n=======": "set-inlines set-in-lines lines",
    "- # In a list": "in-a-list",
    "> ## In a quote": "in-a-quote",
    "Term\n: Text\n\n  ## In a definition": "in-a-definition",
    "```\n# In code\n```": "in-code",
    "    # In indented code": "in-indented-code",
    "<div>\n# In HTML\n</div>": "in-html",
    '<a name="old"></a> <a id="anchor">x</a> <p id="para">y</p>': "old anchor para section-anchor",
    "<h2 id='raw'>Raw</h2>": "raw section-raw",
    "<!-- <a id='hidden'></a> -->": "hidden",
    "<select>\n\n## Swallowed\n\n</select>": "swallowed",
    "A note[^1].\n\n[^1]: # In the note": "fn:1 fnref:1 section-fn:1 fn-1 in-the-note",
    "## ???": "heading",
    "## Site: content": "site-content content section-content",
}
# Addresses of pages and of files, right and wrong, and how an author may write the address of an entry.
OTHER_PATHS = (
    *("/", "/blog/", "/blog", "/categories/", "/organizers/", "/feed.xml", "/sitemap.xml", "/?locale=fr"),
    *("/blog/?locale=fr", "/fr/", "/fr/blog/", "/en/categories/", "/fr/organizers/", "/blog//"),
    *("/pages/none/", "/blog/none", "/fr/pages/none/", "/pages/", "/fr/pages", "/listings/", "/listings"),
    *("/categories/c0/", "/categories/none/", "/fr/categories/c0", "/Categories/c0/", "/categories/c0/?locale=fr"),
)
SPELLINGS = ("/fr/{}", "/en/{}", "/{}/", "/./{}", "/x/../{}", "/{}?locale=fr")


async def crawl(folder: Path, content: Content) -> dict[str, Document]:
    """Return all pages of a folder's site that links lead to, by their addresses without a fragment."""
    state_dir = open_state_dir(folder)
    embedded = open_database(state_dir, directory_settings(content.config.site), HOST)
    async with connect_embedded(embedded) as remote:
        mirror = Mirror(folder, remote, state_dir, InMemoryCache(), lambda site: False)
        assert (await mirror.sync(mirror.read())).failure is None
        home = f"{HOST}/sites/{embedded.slug}/"
        prefix = content.config.site.organizers.prefix
        paths = [page_path(entry.kind, entry.key, prefix) for entry in content.entries]
        left = [home, *(urljoin(home, path[1:]) for path in paths if path)]
        pages: dict[str, Document] = {}
        parsed: dict[str, Document] = {}
        client = httpx.AsyncClient(transport=httpx.ASGITransport(embedded.app), follow_redirects=True)
        async with client:
            while left:
                address = urldefrag(left.pop()).url
                if address in pages or not address.startswith(home):
                    continue
                answer = await client.get(address)
                is_page = answer.status_code == 200 and "html" in answer.headers["Content-Type"]
                text = answer.text if is_page else ""
                page = parsed[text] = parsed.get(text) or Document(text)  # many addresses lead to one page
                pages[address] = pages[str(answer.url)] = page
                left += [urljoin(address, link["href"]) for link in page.all("a") if "href" in link.attributes]
    embedded.close()
    return pages


def dead_links(pages: dict[str, Document]) -> set[tuple[str, str]]:
    """Return the text and the page of each link to a part that a page does not have, or to no page."""
    elements = {address: page.all() for address, page in pages.items()}
    ids = {address: {each["id"] for each in found if "id" in each.attributes} for address, found in elements.items()}
    dead = set()
    for address, found in elements.items():
        for link in (each for each in found if each.name == "a"):
            target, fragment = urldefrag(urljoin(address, link.attributes.get("href") or ""))
            is_page = target in pages and "." not in urlsplit(target).path.rpartition("/")[2]
            if is_page and (not ids[target] or not {fragment, unquote(fragment)} & {"", *ids[target]}):
                dead.add((link.text, address))
    return dead


def test_the_example_has_no_broken_link(tmp_path: Path) -> None:
    folder = tmp_path / "example"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns(".contentsync"))
    content = load_content(folder)
    pages = asyncio.run(crawl(folder, content))
    assert len(pages) > 20
    assert dead_links(pages) == set()


def generated(seed: int) -> dict[str, str]:
    """Return a folder whose texts have some of the headings, and one link to a fragment in each of their last lines."""
    choose = random.Random(seed)
    files = {"contentsync.toml": '[site]\nname = "T"\nlocales = ["en", "fr"]\norganizers = { enabled = true }\n'}
    if seed % 3 == 0:
        files["contentsync.toml"] += '[content.pages]\ntitle = "heading"\n'
    files["categories.yaml"] = "- title: c0\n"
    paths = ["pages/p0.md", "pages/p1.md", "articles/a0.md", "articles/a0.fr.md", "articles/a1.html"]
    paths.append("organizers/o0.md")
    addresses = {"pages": "/pages/{}/", "articles": "/blog/{}/", "organizers": "/organizers/{}/"}
    fragments = [fragment for some in HEADINGS.values() for fragment in some.split()]
    for path in paths:
        kind, name = path.removesuffix(".md").removesuffix(".html").split("/")
        title = "name" if kind == "organizers" else "title"
        front = f"{title}: {name}\n# Prices\n" if not (kind == "pages" and seed % 3 == 0) else "# Prices\n"
        body = ["# Prices"] if seed % 2 else ["# The title"]
        body += choose.choices([*HEADINGS], k=8)
        for number in range(12):
            label, fragment = f"L{number} of {name}", choose.choice([*fragments, "missing"])
            other = choose.choice([one for one in paths if ".fr." not in one])
            folder, file = other.split("/")
            address = addresses[folder].format(file.partition(".")[0])
            target = choose.choice(["", "", address, f"../{other}", f"/{other}"])
            if choose.random() < 0.2:  # without a fragment
                doubled = f"/{address[1:].replace('/', '//', 1)}"
                spellings = [address, doubled, *(each.format(address[1:]) for each in SPELLINGS)]
                target = choose.choice([*spellings, *OTHER_PATHS])
                html = f'<p><a href="{target}">{label}</a></p>'
                body.append(html if path.endswith(".html") else f"[{label}]({target})")
                continue
            if path.endswith(".html"):
                body.append(f'<p><a href="{target or address}#{fragment}">{label}</a></p>')
            elif choose.random() < 0.1 and folder != "organizers":
                body.append(f"[[{file.partition('.')[0]}#{choose.choice(['Über uns', 'Prices', 'No part'])}|{label}]]")
            else:
                body.append(f"[{label}]({target}#{fragment})")
        files[path] = f"---\n{front}---\n" + "\n\n".join(body) + "\n"
    return files


@pytest.mark.parametrize("seed", sampled(range(12), every=5))  # a title of each kind is in the sample
def test_a_link_is_broken_exactly_if_validate_warns_of_it(tmp_path: Path, seed: int) -> None:
    files = generated(seed)
    content = load_content(write(tmp_path, files))
    assert not [problem for problem in content.problems if problem.is_error]
    warned = set()
    for problem in content.problems:
        if problem.code in ("broken-fragment", "broken-link"):
            line = files[problem.where.path].splitlines()[problem.where.line - 1]
            warned |= {*re.findall(r"L\d+ of [\w.]+", line)}
    pages = asyncio.run(crawl(tmp_path, content))
    dead = {label for label, _page in dead_links(pages)}
    assert {label for label in dead if label.startswith("L")} == warned
    assert len(warned) > 5


@pytest.mark.parametrize("route", [route.path_format for route in (*ROUTES, ORGANIZERS, ORGANIZER)])
def test_a_misspelled_link_to_any_page_type_is_a_problem(tmp_path: Path, route: str) -> None:
    if "." in route:
        pytest.skip("a file, not a page")
    path = route.format(organizers="organizers", slug="p0")
    files = generated(1)
    files["pages/from.md"] = f"---\ntitle: A\n---\n[x]({path}) [y](/fr{path})\n"
    problems = [each for each in load_content(write(tmp_path, files)).problems if each.where.path == "pages/from.md"]
    assert f"the link to '/fr{path}' is broken" in " ".join(problem.message for problem in problems)
