"""Rules that are code: adopt does not run them, and says that it cannot know what they hide."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.generators.generated_site import Generator
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.authoring.adopt.recognise import recognise
from contentsync.authoring.adopt.repository_tree import list_files

from ..repositories import NOW, Files, write

PAGE = "---\ntitle: A\ndate: 2024-01-01\n---\nText\n"
COLLECTIONS = "export const collections = {{ blog: defineCollection({{ loader: {} }}) }};\n"
EXCLUDE = "export default {{ srcExclude: {} }}\n"


def notes(folder: Path, files: Files) -> list[str]:
    adoption = propose_adoption(write(folder, files), DefaultAnswers(), NOW)
    return [note for note in adoption.notes if "cannot know" in note]


@pytest.mark.parametrize(
    ("files", "note"),
    [
        ({"eleventy.config.js": "", "posts/posts.11tydata.js": ""}, "posts/posts.11tydata.js is a program"),
        ({"eleventy.config.js": "", "posts/a.11tydata.cjs": "", "posts/b.11tydata.mjs": ""}, "and 1 more are programs"),
        ({"eleventy.config.js": "c.addPreprocessor('drafts', 'md', f)"}, "eleventy.config.js is a program"),
        ({"eleventy.config.js": "c.ignores.add(f())"}, "eleventy.config.js is a program"),
        (
            {"astro.config.mjs": "", "src/content.config.ts": COLLECTIONS.format("myLoader()")},
            "src/content.config.ts names a folder or loader in code",
        ),
        (
            {"astro.config.mjs": "", "src/content.config.ts": COLLECTIONS.format("glob({ base: FOLDER })")},
            "src/content.config.ts names a folder or loader in code",
        ),
        (
            {".vitepress/config.js": EXCLUDE.format("[...drafts, 'a.md']")},
            "srcExclude in .vitepress/config.js is partly",
        ),
    ],
)
def test_adopt_says_that_it_cannot_know_what_a_program_hides(files: Files, note: str, tmp_path: Path) -> None:
    (found,) = notes(tmp_path, {**files, "posts/a.md": PAGE})
    assert note in found


@pytest.mark.parametrize(
    "files",
    [
        {"eleventy.config.js": "c.ignores.add('posts/b.md'); // c.addPreprocessor()"},
        {"astro.config.mjs": "", "src/content.config.ts": COLLECTIONS.format("glob({ base: './posts' })")},
        {"astro.config.mjs": "", "src/content.config.ts": "export const collections = {};\n"},
        {
            "astro.config.mjs": "@astrojs/starlight",
            "src/content.config.ts": COLLECTIONS.format("docsLoader()") + COLLECTIONS.format("i18nLoader()"),
            "src/content/docs/b.md": PAGE,
        },
        {".vitepress/config.js": EXCLUDE.format("['a/**', \"b.md\"]")},
    ],
)
def test_adopt_knows_what_plain_texts_hide(files: Files, tmp_path: Path) -> None:
    assert notes(tmp_path, {**files, "posts/a.md": PAGE}) == []


@pytest.mark.parametrize(
    ("files", "generator"),
    [
        ({"astro.config.ts": "import starlight from '@astrojs/starlight'\n"}, Generator.STARLIGHT),
        ({"astro.config.ts": "// import starlight from '@astrojs/starlight'\n"}, Generator.ASTRO),
        ({"_config.yml": "", "package.json": '{"dependencies": {"hexo": "8"}}', "source/a.md": PAGE}, Generator.HEXO),
        ({"_config.yml": "", "package.json": '{"dependencies": {"hexo": "8"}}', "_posts/a.md": PAGE}, Generator.JEKYLL),
        ({"_config.yml": "", "package.json": "[", "source/a.md": PAGE}, Generator.JEKYLL),
        ({"_config.yml": "", "source/a.md": PAGE}, Generator.JEKYLL),
        ({".vitepress/config/index.ts": "", "a.md": PAGE}, Generator.VITEPRESS),
        ({"docusaurus.config.ts": "", "docs/a.md": PAGE}, Generator.DOCUSAURUS),
        ({"package.json": '{"devDependencies": {"@11ty/eleventy": "3"}}', "a.md": PAGE}, Generator.ELEVENTY),
        ({"package.json": '{"devDependencies": {"eleventy": "3"}}', "a.md": PAGE}, Generator.PLAIN),
    ],
)
@pytest.mark.parametrize("folder", ["", "website", "docs", "site", "packages/web"])
def test_a_generator_is_recognised_by_its_config_and_packages(
    files: Files, generator: Generator, folder: str, tmp_path: Path
) -> None:
    write(tmp_path / folder, files)
    assert recognise(tmp_path, list_files(tmp_path)).generator is generator


@pytest.mark.parametrize("expression", ["(a+)+/", "[", "x" * 201])
@pytest.mark.parametrize("generator", ["hugo", "obsidian"])
def test_an_expression_that_is_not_read_is_named(generator: str, expression: str, tmp_path: Path) -> None:
    """It may take very long, or be none of Python: the files that it hides would be published."""
    files: dict[str, Files] = {
        "hugo": {"hugo.toml": f"ignoreFiles = ['{expression}', 'draft']\n", "content/posts/a.md": PAGE},
        "obsidian": {".obsidian/app.json": f'{{"userIgnoreFilters": ["/{expression}/", "in/"]}}', "notes/a.md": PAGE},
    }
    adoption = propose_adoption(write(tmp_path, files[generator]), DefaultAnswers(), NOW)
    named = [note for note in adoption.notes if "expression that is not read" in note]
    assert len(named) == 1
    assert expression[:60] in named[0]
