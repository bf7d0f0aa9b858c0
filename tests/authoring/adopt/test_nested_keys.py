"""contentsync.authoring.adopt.nested_keys: titles and orders inside of objects."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import Adoption, propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers

from .repositories import NOW, Files, write

ELEVENTY: Files = {"eleventy.config.js": "module.exports = {}\n"}
STARLIGHT: Files = {"astro.config.mjs": 'import starlight from "@astrojs/starlight"\n'}
HUGO: Files = {"hugo.toml": 'title = "A"\n'}


def adopt(folder: Path, files: Files) -> Adoption:
    return propose_adoption(write(folder, files), DefaultAnswers(), NOW)


def nested(adoption: Adoption) -> dict[str, str]:
    return {it.key: str(it.value) for it in adoption.settings if it.name == "rename" and "." in it.key}


@pytest.mark.parametrize(
    ("site", "folder", "front_matter", "renamed"),
    [
        (
            ELEVENTY,
            "docs",
            "eleventyNavigation:\n  key: Page {n}\n  order: {n}\n  parent: Home",
            {"eleventyNavigation.key": "title", "eleventyNavigation.order": "order"},
        ),
        (ELEVENTY, "docs", "title: A\neleventyNavigation:\n  key: Page {n}", {}),
        (
            STARLIGHT,
            "src/content/docs",
            "title: A\nsidebar:\n  label: Page {n}\n  order: {n}",
            {"sidebar.order": "order"},
        ),
        (HUGO, "content/docs", "params:\n  title: Page {n}", {"params.title": "title"}),
    ],
)
def test_a_nested_key_is_renamed_if_no_entry_has_the_field(
    site: Files, folder: str, front_matter: str, renamed: dict[str, str], tmp_path: Path
) -> None:
    texts = (front_matter.replace("{n}", str(n)) for n in range(1, 4))
    files: Files = {f"{folder}/p{n}.md": f"---\n{text}\n---\nText\n" for n, text in enumerate(texts)}
    adoption = adopt(tmp_path, {**site, **files})
    assert nested(adoption) == renamed
    assert adoption.trial.report.errors == []


def test_a_single_nested_key_is_not_renamed(tmp_path: Path) -> None:
    files: Files = {
        "docs/a.md": "---\ntitle: A\neleventyNavigation:\n  order: 1\n---\nText\n",
        "docs/b.md": "---\ntitle: B\n---\nText\n",
    }
    assert nested(adopt(tmp_path, {**ELEVENTY, **files})) == {}
