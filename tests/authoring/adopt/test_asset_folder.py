"""contentsync.authoring.adopt.asset_folder: the folder at which the paths of pictures start, and its address."""

from pathlib import Path
from typing import Any

import pytest

from contentsync.authoring.adopt.adopted_folder import AdoptedFolder
from contentsync.authoring.adopt.adoption import propose_adoption
from contentsync.authoring.adopt.asset_folder import (
    AssetChoice,
    choose_asset_folder,
    propose_asset_base,
    propose_asset_folder_address,
    propose_assets,
)
from contentsync.authoring.adopt.generators.generated_site import Generator, Site
from contentsync.authoring.adopt.key_survey import survey_keys
from contentsync.authoring.adopt.proposed_settings import Ask, DefaultAnswers, Question, merged_config
from contentsync.authoring.adopt.repository_tree import MAX_FILES
from contentsync.content.config.config import read_config
from contentsync.errors import Problem, Where
from contentsync.model import Kind

from .repositories import NOW, PICTURE, Files, write

CONFIG = '[content.articles]\npath = "posts"\n'


def chosen(
    folder: Path, files: Files, generator: Generator = Generator.PLAIN, ask: Ask | None = None, config: str = CONFIG
) -> AssetChoice:
    adopted = AdoptedFolder(
        write(folder, {**files, "contentsync.toml": config}), ask or DefaultAnswers(), NOW, MAX_FILES
    )
    surveys = survey_keys(adopted.config, adopted.drafts(Kind.ARTICLE), NOW)
    return choose_asset_folder(adopted.tree, Site(generator), adopted.config, surveys, adopted.ask)


def post(image: str = "", text: str = "Text") -> str:
    """Return a post with a picture in its front matter or in its text."""
    return f"---\ntitle: A\n{f'image: {image}' if image else ''}\n---\n{text}\n"


@pytest.mark.parametrize(
    ("files", "generator", "folder"),
    [
        ({"posts/a.md": post("/img/a.png"), "static/img/a.png": PICTURE}, Generator.HUGO, "static"),
        ({"posts/a.md": post("/img/a.png"), "public/img/a.png": PICTURE}, Generator.ASTRO, "public"),
        ({"posts/a.md": post("/img/a.png"), "img/a.png": PICTURE}, Generator.JEKYLL, ""),
        ({"posts/a.md": post("img/a.png"), "posts/img/a.png": PICTURE}, Generator.PLAIN, ""),
        ({"posts/a.md": post("../img/a.png"), "img/a.png": PICTURE}, Generator.ASTRO, ""),
        ({"posts/a.md": post(text="![a](/a.png)"), "site/a.png": PICTURE}, Generator.PLAIN, "site"),
        ({"posts/a.md": post(text='<img src="/a.png">'), "static/a.png": PICTURE}, Generator.HUGO, "static"),
        ({"posts/a.md": post("/none.png"), "static/a.png": PICTURE}, Generator.HUGO, None),
        ({"posts/a.md": post("https://a.example.org/a.png"), "static/a.png": PICTURE}, Generator.HUGO, None),
    ],
)
def test_the_asset_folder_is_the_one_that_contains_the_named_pictures(
    files: Files, generator: Generator, folder: str | None, tmp_path: Path
) -> None:
    assert chosen(tmp_path, files, generator).folder == folder


def test_the_user_chooses_between_several_possible_asset_folders(tmp_path: Path) -> None:
    files: Files = {"posts/a.md": post("/a.png"), "static/a.png": PICTURE, "assets/a.png": PICTURE, "a.png": PICTURE}
    answers = DefaultAnswers()
    assert chosen(tmp_path, files, Generator.HUGO, answers).folder == "static"
    assert answers.guesses == ["At which folder do the paths of pictures such as /a.png start? static"]
    assert chosen(tmp_path, files, Generator.HUGO, lambda question: "this folder").folder == ""


def test_a_key_names_pictures_if_most_of_its_values_are_files(tmp_path: Path) -> None:
    files: Files = {f"posts/{n}.md": f"---\nimage: /{n % 3}.png\nicon: /{n}.png\n---\nText\n" for n in range(9)}
    choice = chosen(tmp_path, files | {"0.png": PICTURE, "1.png": PICTURE})
    assert choice.keys[Kind.ARTICLE] == {"image"}
    assert choice.pictures == 6 + 2


def test_an_assets_table_of_the_config_stays_unchanged(tmp_path: Path) -> None:
    files: Files = {"posts/a.md": post("/a.png"), "static/a.png": PICTURE, "media/a.png": PICTURE}
    config = f'{CONFIG}[assets]\npath = "media"\n'
    choice = chosen(tmp_path, files, config=config)
    assert choice.folder == "media"
    assert choice.keys[Kind.ARTICLE] == {"image"}
    assert [*propose_assets(choice, read_config(tmp_path, config.encode())[0])] == []


def test_the_repository_root_as_asset_folder_is_a_table_without_a_path(tmp_path: Path) -> None:
    config, _ = read_config(tmp_path, b"")
    text, added = merged_config(b"", propose_assets(AssetChoice("", {}), config))
    assert (text, len(added)) == (b"[assets]\n", 1)
    assert merged_config(text, propose_assets(AssetChoice("", {}), config)) == (text, [])


@pytest.mark.parametrize(
    ("settings", "generator", "answer", "proposed"),
    [
        ({"url": "https://a.example.org", "baseurl": "/x"}, Generator.JEKYLL, "yes", ["https://a.example.org/x/"]),
        ({"url": "https://a.example.org"}, Generator.JEKYLL, "no", []),
        ({"url": "localhost"}, Generator.JEKYLL, "yes", []),
        ({"baseURL": "https://a.example.org"}, Generator.HUGO, "yes", []),  # it serves them at other paths
    ],
)
def test_an_asset_address_is_proposed_if_texts_link_to_files(
    settings: dict[str, Any], generator: Generator, answer: str, proposed: list[str]
) -> None:
    found = Site(generator, settings=settings)
    problems = [Problem("relative-link", "the link", Where("a.md"))]
    assets = AssetChoice(folder=None, keys={})
    assert [it.value for it in propose_asset_base(found, problems, assets, lambda question: answer)] == proposed
    assert [*propose_asset_base(found, [], assets, lambda question: answer)] == []


# A site of each generator: the folder of its posts, and its config.
HUGO = ("content/blog", "hugo.toml", 'baseURL = "https://a.example.org/x/"\n{}')
ZOLA = ("content/blog", "config.toml", 'base_url = "https://a.example.org/x"\n{}')
DOCUSAURUS = ("website/blog", "website/docusaurus.config.js", "export default {{url: 'https://a.example.org', {}}}\n")
ASTRO = ("src/pages", "astro.config.mjs", "export default defineConfig({{{}}})\n")
STARLIGHT = (*ASTRO[:2], f"import starlight from '@astrojs/starlight';\n{ASTRO[2]}")
VITEPRESS = ("src", ".vitepress/config.mts", "export default {{srcDir: 'src', base: '/x/', {}}}\n")
HEXO = ("source/_posts", "_config.yml", "url: https://a.example.org/x\nroot: /x/\n{}")
HOST, ADDRESS = "https://a.example.org/", "https://a.example.org/x/"


@pytest.mark.parametrize(
    ("site", "settings", "folder", "address"),
    [
        (HUGO, "", "static", ADDRESS),
        (HUGO, 'staticDir = ["files", "static"]', "files", ADDRESS),
        (HUGO, '[[module.mounts]]\nsource = "x"\ntarget = "static"', "static", ""),
        (HUGO, "", "assets", ""),  # its files are served only after a page has changed them
        ((*HUGO[:2], 'baseURL = "/"\n{}'), "", "static", ""),
        (ZOLA, "", "static", ADDRESS),
        (DOCUSAURUS, "baseUrl: '/x/'", "website/static", ADDRESS),
        (DOCUSAURUS, "baseUrl: '/', staticDirectories: ['files', 'static']", "website/files", HOST),
        (DOCUSAURUS, "baseUrl: base", "website/static", ""),
        (ASTRO, "site: 'https://a.example.org', base: '/x'", "public", ADDRESS),
        (ASTRO, "site: 'https://a.example.org', publicDir: './files'", "files", HOST),
        (ASTRO, "site: 'https://a.example.org', publicDir: folder", "public", ""),
        (ASTRO, "site: 'https://a.example.org/x'", "public", ""),  # a part of the address, or of the pages only
        (STARLIGHT, "site: 'https://a.example.org'", "public", HOST),
        (STARLIGHT, "site: 'https://a.example.org', base: process.env.BASE", "public", ""),
        (VITEPRESS, "sitemap: {hostname: 'https://a.example.org/x/'}", "src/public", ADDRESS),
        (VITEPRESS, "sitemap: {hostname: 'https://a.example.org'}", "src/public", ""),  # without `base`
        (VITEPRESS, "", "src/public", ""),
        (HEXO, "", "source", ADDRESS),
        (HEXO, "post_asset_folder: true", "source", ""),
        ((*HEXO[:2], "url: https://a.example.org\nroot: /x/\n{}"), "", "source", ""),
    ],
)
def test_the_address_of_the_asset_folder_is_the_one_of_the_generator(
    site: tuple[str, str, str], settings: str, folder: str, address: str, tmp_path: Path
) -> None:
    """Hugo 0.168, Astro 5.18, VitePress 1.6 and Hexo 8.1 put `img/a.png` there; documentation says the rest."""
    posts, path, config = site
    files: Files = {path: config.format(settings), f"{folder}/img/a.png": PICTURE}
    files |= {"package.json": '{"dependencies": {"hexo": "1"}}'} if site[1] == HEXO[1] else {}
    files |= {f"{posts}/2026-03-0{n}-{n}.md": post(image="/img/a.png", text="![a](/img/a.png)") for n in range(1, 6)}
    adoption = propose_adoption(write(tmp_path, files), DefaultAnswers(), NOW)
    proposed, _ = read_config(tmp_path, adoption.config)
    assert proposed.assets
    assert (proposed.assets.path, proposed.assets.base_url or "") == (folder, address)
    if address:
        assert proposed.file_addresses.address(f"{folder}/img/a.png") == f"{address}img/a.png"


@pytest.mark.parametrize(
    ("config", "proposed"),
    [
        ('[assets]\npath = "static"\n', ["https://a.example.org/"]),
        ('[assets]\npath = "static"\nbase_url = "https://b.example.org/"\n', []),
        ('[assets]\npath = "static"\nstore = "../p"\nstore_url = "https://b.example.org/"\n', []),
        ('[site]\nasset_base_url = "https://b.example.org/"\n[assets]\npath = "static"\n', []),
    ],
)
def test_a_config_that_has_an_address_gets_no_other_one(config: str, proposed: list[str], tmp_path: Path) -> None:
    site = Site(Generator.HUGO, settings={"baseURL": "https://a.example.org"})
    settings, _ = read_config(tmp_path, config.encode())
    questions: list[str] = []

    def ask(question: Question) -> str:
        questions.append(question.text)
        return "yes"

    choice = AssetChoice("static", keys={}, pictures=2)
    assert [it.value for it in propose_asset_folder_address(site, settings, choice, ask)] == proposed
    text = "Texts and keys name 2 pictures. Are the files of static served below https://a.example.org/?"
    assert questions == [text] * len(proposed)
    assert [*propose_asset_folder_address(site, settings, choice, lambda question: "no")] == []
    assert [*propose_asset_folder_address(site, settings, choice._replace(pictures=0), ask)] == []
