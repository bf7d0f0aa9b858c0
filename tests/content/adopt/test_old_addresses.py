"""contentsync.content.adopt.old_addresses: the addresses that entries had on the other site."""

from pathlib import Path
from typing import Any

import pytest

from contentsync.content.adopt.adoption import propose_adoption
from contentsync.content.adopt.questions import DefaultAnswers

from .repositories import Files, write

DATED = "/:categories/:year/:month/:day"
POST = "---\ntitle: A\ndate: 2024-01-02\n---\nText\n"


def proposed(folder: Path, files: Files) -> dict[str, Any]:
    """The settings of addresses, by table and name; a list of the items of a list."""
    adoption = propose_adoption(write(folder, files), DefaultAnswers())
    found: dict[str, Any] = {}
    for it in adoption.settings:
        if it.name in ("permalink", "former_addresses"):
            name = f"{it.table}.{it.name}"
            found[name] = [*found.get(name, []), it.value] if it.is_item else it.value
    assert adoption.trial.report.errors == []
    return found


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
        ({"hugo.yaml": "title: A\n", "content/posts/a.md": POST}, "/:sections/:slugorfilename/"),
        ({"docusaurus.config.js": "", "blog/a.md": POST}, "/blog/:year/:month/:day/:slug/"),
        ({"_config.yml": "permalink: /:unheard_of/\n", "_posts/2024-01-02-a.md": POST}, None),
        ({"_config.yml": "permalink: [1]\n", "posts/a.md": POST}, f"{DATED}/:title:output_ext"),
        ({"posts/a.md": POST}, None),
    ],
)
def test_the_pattern_is_that_of_the_generator(files: Files, permalink: str | None, tmp_path: Path) -> None:
    assert proposed(tmp_path, files).get("content.articles.permalink") == permalink


def test_keys_with_addresses_are_former_addresses_and_not_ignored(tmp_path: Path) -> None:
    page = "---\ntitle: P\npermalink: /p/\n---\nText\n"
    post = "---\ntitle: A\nredirect_from: [/old/]\npermalink: /mine/\n---\n[p](/p/)\n"
    files: Files = {"_config.yml": "title: A\n", "_posts/2024-01-02-a.md": post, "_pages/p.md": page}
    found = proposed(tmp_path, files)
    assert found["content.articles.former_addresses"] == ["permalink", "redirect_from"]
    assert found["content.pages.former_addresses"] == ["permalink"]
    adoption = propose_adoption(tmp_path, DefaultAnswers())
    assert not [it for it in adoption.settings if it.name == "ignore"]
    assert adoption.trial.report.problems == ()  # the link leads to the page


def test_a_config_that_says_its_addresses_gets_no_others(tmp_path: Path) -> None:
    config = '[content.articles]\npath = "_posts"\npermalink = "/:slug/"\n'
    files: Files = {"_config.yml": "title: A\n", "_posts/2024-01-02-a.md": POST, "contentsync.toml": config}
    assert proposed(tmp_path, files) == {}
