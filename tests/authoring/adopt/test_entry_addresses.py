"""contentsync.authoring.adopt.entry_addresses: addresses that entries had on the other site, and patterns of slugs."""

from pathlib import Path
from typing import Any

import pytest

from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers

from .repositories import NOW, Files, write

DATED = "/:categories/:year/:month/:day"
POST = "---\ntitle: A\ndate: 2024-01-02\n---\nText\n"
HEXO = '{"dependencies": {"hexo": "8"}}'
UNDATED = "---\ntitle: A\n---\nText\n"


def proposed(folder: Path, files: Files) -> dict[str, Any]:
    """Return the settings of addresses, by table and name; a list of the items of a list."""
    adoption = propose_adoption(write(folder, files), DefaultAnswers(), NOW)
    found: dict[str, Any] = {}
    for it in adoption.settings:
        if it.name in ("permalink", "former_addresses"):
            name = f"{it.table}.{it.name}"
            found[name] = [*found.get(name, []), it.value] if it.is_item else it.value
    assert adoption.trial.report.errors == []
    return found


TALKS = "collections:\n  talks:\n    output: true\n"


@pytest.mark.parametrize(
    ("files", "permalink"),
    [
        ({"_config.yml": "permalink: /:year/:title/\n", "_posts/2024-01-02-a.md": POST}, "/:year/:title/"),
        (
            {"_config.yml": "permalink: pretty\n", "_posts/2024-01-02-a.md": POST},
            "/:categories/:year/:month/:day/:title/",
        ),
        (
            {"_config.yml": "title: A\n", "_posts/2024-01-02-a.md": POST},
            "/:categories/:year/:month/:day/:title:output_ext",
        ),
        ({"hugo.yaml": "permalinks: {posts: '/:year/:slug/'}\n", "content/posts/a.md": POST}, "/:year/:slug/"),
        ({"hugo.yaml": "permalinks: {page: {posts: '/x/:slug/'}}\n", "content/posts/a.md": POST}, "/x/:slug/"),
        ({"hugo.yaml": "permalinks: {posts: ':year/:slug/'}\n", "content/posts/a.md": POST}, "/:year/:slug/"),
        ({"hugo.yaml": "Permalinks: {posts: ':filename'}\n", "content/posts/a.md": POST}, "/:filename"),
        ({"hugo.yaml": "title: A\n", "content/posts/a.md": POST}, "/:sections/:slugorfilename/"),
        ({"docusaurus.config.js": "", "blog/a.md": POST}, "/blog/:year/:month/:day/:slug/"),
        ({"site/eleventy.config.js": "", "site/src/posts/a.md": POST}, "/src/posts/:path/"),
        ({".eleventy.js": 'input: "src"', "src/posts/a.md": POST}, "/posts/:path/"),
        ({".eleventy.js": 'input: "src"', "src/posts/a.md": POST, "src/news/b.md": POST, "src/docs/c.md": UNDATED},
         "/:collection/:path/"),
        ({"_config.yml": f"{TALKS}    permalink: /t/:path/\n", "_talks/a.md": POST}, "/t/:path/"),
        ({"_config.yml": TALKS, "_talks/a.md": POST}, "/:collection/:path:output_ext"),
        ({"_config.yml": "", "package.json": HEXO, "source/_posts/a.md": POST}, "/:year/:month/:day/:title/"),
        ({"_config.yml": "permalink: x/:title/", "package.json": HEXO, "source/_posts/a.md": POST}, "/x/:title/"),
        ({"_config.yml": "permalink: :year/:title/\n", "_posts/2024-01-02-a.md": POST}, "/:year/:title/"),
        ({"_config.yml": "permalink: /:unheard_of/\n", "_posts/2024-01-02-a.md": POST}, None),
        ({"_config.yml": "permalink: [1]\n", "posts/a.md": POST}, f"{DATED}/:title:output_ext"),
        ({"posts/a.md": POST}, None),
    ],
)  # fmt: skip
def test_the_proposed_permalink_is_the_pattern_of_the_generator(
    files: Files, permalink: str | None, tmp_path: Path
) -> None:
    assert proposed(tmp_path, files).get("content.articles.permalink") == permalink


@pytest.mark.parametrize(
    ("config", "permalink"),
    [("", "/:path:output_ext"), ("permalink: pretty\n", "/:path/"), ("permalink: /x/\n", "/:path/")],
)
def test_pages_at_the_top_of_a_jekyll_site_have_the_addresses_of_their_files(
    config: str, permalink: str, tmp_path: Path
) -> None:
    page = f"---\ntitle: A\n---\n[a]({'/about/' if config else '/about.html'})\n"
    found = proposed(tmp_path, {"_config.yml": f"title: A\n{config}", "about.md": page, "_posts/2024-01-02-a.md": POST})
    assert found["content.pages.permalink"] == permalink


def test_the_pattern_of_the_most_files_is_that_of_several_folders(tmp_path: Path) -> None:
    files: Files = {"_config.yml": "collections:\n  news:\n    permalink: /n/:title/\n    output: true\n"}
    files |= {f"_news/2024-02-0{n}-n.md": POST for n in range(1, 6)}
    found = proposed(tmp_path, {**files, "_posts/2024-01-02-a.md": POST})
    assert found["content.articles.permalink"] == "/n/:title/"


def test_keys_with_addresses_are_former_addresses_and_not_ignored(tmp_path: Path) -> None:
    page = "---\ntitle: P\npermalink: /p/\n---\nText\n"
    post = "---\ntitle: A\nredirect_from: [/old/]\npermalink: /mine/\n---\n[p](/p/)\n"
    files: Files = {"_config.yml": "include: [_pages]\n", "_posts/2024-01-02-a.md": post, "_pages/p.md": page}
    found = proposed(tmp_path, files)
    assert found["content.articles.former_addresses"] == ["permalink", "redirect_from"]
    assert found["content.pages.former_addresses"] == ["permalink"]
    adoption = propose_adoption(tmp_path, DefaultAnswers(), NOW)
    assert not [it for it in adoption.settings if it.name == "ignore"]
    assert adoption.trial.report.problems == ()  # the link leads to the page


@pytest.mark.parametrize(
    ("key", "value", "is_address"),
    [
        ("aliases", "/old/, /older/", True),
        ("aliases", "Lending, borrowing", False),
        ("aliases", "[Lending]", False),
        ("redirect_from", "https://www.example.org/old/", True),
        ("redirect_from", "https://other.example.org/old/", False),
        ("url", "/own/", True),
        ("url", "https://talks.example.org/a/", False),
    ],
)
def test_a_key_with_other_values_has_no_former_addresses(
    key: str, value: str, *, is_address: bool, tmp_path: Path
) -> None:
    files: Files = {"_config.yml": "url: https://www.example.org\n"}
    files["_posts/2024-01-02-a.md"] = f"---\ntitle: A\n{key}: {value}\n---\nText\n"
    assert (key in proposed(tmp_path, files).get("content.articles.former_addresses", ())) == is_address


def test_no_address_settings_are_proposed_if_the_config_has_a_permalink(tmp_path: Path) -> None:
    config = '[content.articles]\npath = "_posts"\npermalink = "/:slug/"\n'
    files: Files = {"_config.yml": "title: A\n", "_posts/2024-01-02-a.md": POST, "contentsync.toml": config}
    assert proposed(tmp_path, files) == {}
