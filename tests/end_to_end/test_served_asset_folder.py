"""An asset folder that is served at an address of its own, with a real server: `base_url` under [assets]."""

import shutil
from pathlib import Path

import pytest

from ..content.pictures.picture_bytes import png
from ..served import Served
from .conftest import Ran, contentsync

SITE = "https://www.example.org/shed"
CONFIG = f"""
[site]
name = "Pictures"
[assets]
path = "static"
base_url = "{SITE}/"
"""
ARTICLE = "---\ntitle: {0}\nthumbnail_url: /img/{0}.png\nthumbnail_alt_text: A\n---\n![A](/img/{0}.png)\n"
LISTINGS = "name,slug,logo_url,logo_alt_text\nSaw,saw,/img/bench.png,A\nVice,vice,img/shelf.png,A\n"


class Run:
    """Runs commands on a folder with two articles and two listings, whose pictures are in the asset folder."""

    def __init__(self, folder: Path, served: Served) -> None:
        self.folder = folder
        self.served = served
        for name, size in (("bench", 3), ("shelf", 4)):
            self.write(f"articles/{name}.md", ARTICLE.format(name))
            (folder / "static/img").mkdir(parents=True, exist_ok=True)
            (folder / f"static/img/{name}.png").write_bytes(png(size, size))
        self.write("listings/tools.csv", LISTINGS)
        self.write("contentsync.toml", CONFIG)

    def write(self, path: str, text: str) -> None:
        (self.folder / path).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / path).write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    def __call__(self, *arguments: object) -> Ran:
        ran = contentsync(*arguments, cwd=self.folder, env=self.served.env)
        assert ran.code == 0, ran.out + ran.err
        return ran

    def article(self, slug: str) -> dict[str, object]:
        (found,) = (it for it in self.served.get("articles")["data"] if it["slug"] == slug)
        return dict(found)


@pytest.fixture
def run(tmp_path: Path, served: Served) -> Run:
    made = Run(tmp_path / "site", served)
    made("sync", "--yes")
    return made


def test_the_server_gets_the_addresses_of_the_asset_folder(run: Run) -> None:
    article = run.article("bench")
    assert article["thumbnail_url"] == f"{SITE}/img/bench.png"
    assert article["markdown"] == f"![A]({SITE}/img/bench.png)"
    listings = run.served.get("projects")["data"]
    assert sorted(listing["logo_url"] for listing in listings) == [f"{SITE}/img/{it}.png" for it in ("bench", "shelf")]
    run("plan", "--detailed-exitcode")
    run("drift")


def test_a_pull_of_deleted_files_writes_the_paths_of_the_pictures(run: Run) -> None:
    shutil.rmtree(run.folder / "articles")
    (run.folder / "articles").mkdir()
    run("pull", "--yes")
    pulled = run.read("articles/shelf.md")
    assert 'thumbnail_url: "/img/shelf.png"\n' in pulled
    assert "![A](../static/img/shelf.png)" in pulled
    run("plan", "--detailed-exitcode")


def test_a_pull_of_an_edit_keeps_and_writes_the_paths(run: Run) -> None:
    article = run.article("bench")
    text = f"![A]({SITE}/img/bench.png) and ![B]({SITE}/img/shelf.png)"
    edit = {"title": "bench", "slug": "bench", "thumbnail_url": f"{SITE}/img/shelf.png", "markdown": text}
    run.served.update(f"articles/{article['id']}", edit)
    assert f"{SITE}/img/shelf.png" in contentsync("drift", cwd=run.folder, env=run.served.env).out
    run("pull", "--yes")
    assert run.read("articles/bench.md") == (
        '---\ntitle: bench\nthumbnail_url: "/img/shelf.png"\nthumbnail_alt_text: A\n---\n'
        "![A](/img/bench.png) and ![B](../static/img/shelf.png)\n"
    )
    run("plan", "--detailed-exitcode")


def test_an_edited_export_of_listings_keeps_the_paths(run: Run) -> None:
    run("export", "listings", "tools-out.csv")
    exported = run.read("tools-out.csv")
    run.write("tools-out.csv", exported.replace("Vice", "Bench vice"))
    run("import", "tools-out.csv", "--yes")
    assert run.read("listings/tools.csv") == LISTINGS.replace("Vice", "Bench vice")


def test_a_renamed_entry_keeps_its_pictures(run: Run) -> None:
    run("mv", "article/bench", "workbench", "--yes")
    assert "thumbnail_url: /img/bench.png" in run.read("articles/workbench.md")
    run("sync", "--yes")
    assert run.article("workbench")["thumbnail_url"] == f"{SITE}/img/bench.png"
