"""contentsync.authoring.adopt.collection_choice: the folder of each kind, and the questions for the user."""

from pathlib import Path

import pytest

from contentsync.authoring.adopt.adopted_folder import AdoptedFolder
from contentsync.authoring.adopt.collection_choice import ChosenCollection, CollectionChoice, choose_collections
from contentsync.authoring.adopt.proposed_settings import Ask, DefaultAnswers, Question
from contentsync.authoring.adopt.repository_tree import MAX_FILES
from contentsync.authoring.adopt.site_languages import LanguageLayout
from contentsync.model import Kind

from .repositories import NOW, Files, write

POST = "---\ntitle: A\ndate: 2024-01-01\n---\nText\n"
PAGE = "---\ntitle: A\n---\nText\n"
TOOLS = "".join(f"- {{name: Tool {number}, url: https://t{number}.example.org/}}\n" for number in range(5))
MENU = "- {title: Home, url: /}\n- {title: Blog, url: /blog/}\n- {title: About, url: /about/}\n"


def choose(folder: Path, files: Files, ask: Ask | None = None) -> CollectionChoice:
    return choose_collections(AdoptedFolder(write(folder, files), ask or DefaultAnswers(), NOW, MAX_FILES))


def chosen(folder: Path, files: Files) -> dict[str, str]:
    """Return the path of each kind; several with commas between them, and the included names in brackets."""
    return {kind.value: place(collection) for kind, collection in choose(folder, files).collections.items()}


def place(collection: ChosenCollection) -> str:
    path = ", ".join(layout.path for layout in collection.layouts)
    return f"{path} [{', '.join(collection.include)}]" if collection.include else path


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        ({"_config.yml": "title: A\n", "_posts/2024-01-01-a.md": POST}, {"article": "_posts"}),
        (
            {"_config.yml": "title: A\n", "by/a/_posts/2024-01-01-a.md": POST, "by/b/_posts/2024-01-01-b.md": POST},
            {"article": "by"},
        ),
        ({"_config.yml": "collections:\n  recipes:\n", "_recipes/a.md": PAGE}, {"page": "_recipes"}),
        ({"_config.yml": "title: A\n", "docs/a.md": PAGE}, {"page": "docs"}),
        ({"_config.yml": "collections:\n  docs:\n", "_docs/a.md": PAGE, "pages/b.md": PAGE, "c.md": PAGE},
         {"page": ". [*.md, _docs, pages]"}),
        ({"_config.yml": "a: 1\n", "_data/menu.yml": MENU, "_data/tools.yml": TOOLS}, {"listing": "_data/tools.yml"}),
        ({"hugo.yaml": "title: A\n", "content/post/a.md": POST, "content/a.md": PAGE},
         {"article": "content/post", "page": "content"}),
        ({"hugo.yaml": "title: A\n", "content/post/a.md": POST}, {"article": "content/post"}),
        ({"docusaurus.config.js": "", "docs/a.md": PAGE, "blog/a.md": POST}, {"article": "blog", "page": "docs"}),
        ({"astro.config.mjs": "", "src/content/notes/a.md": PAGE, "src/content/log/a.md": POST},
         {"article": "src/content/log", "page": "src/content/notes"}),
        ({".eleventy.js": 'input: "site"', "site/w/a.md": POST, "node_modules/b/c.md": PAGE}, {"article": "site/w"}),
        ({"tools/a.yml": TOOLS, "tools/b.yml": TOOLS.replace("//t", "//u")}, {"listing": "tools"}),
        ({"export.csv": "Name,Site\nA,https://a.example.org/\n"}, {"listing": "export.csv"}),
        ({"essays/a.md": PAGE, "README.md": "# R\n"}, {"article": "essays"}),
        ({"package.json": "{}", "mkdocs.yml": "site: x\n", "docker-compose.yml": "a: b\n"}, {}),
    ],
)  # fmt: skip
def test_each_kind_has_the_folder_that_the_generator_reads(files: Files, paths: dict[str, str], tmp_path: Path) -> None:
    assert chosen(tmp_path, files) == paths


def test_a_folder_that_the_config_names_is_not_a_candidate(tmp_path: Path) -> None:
    files: Files = {"blog/a.md": POST, "docs/b.md": PAGE}
    assert chosen(tmp_path, {**files, "contentsync.toml": '[content.articles]\npath = "blog"\n'}) == {"page": "docs"}


def test_the_user_is_asked_once_about_a_folder_of_unknown_content(tmp_path: Path) -> None:
    files: Files = {f"things{folder}/{folder}{number}.md": PAGE for folder in range(9) for number in range(folder + 1)}
    asked: list[Question] = []

    def answer(question: Question) -> str:
        asked.append(question)
        return "listing" if question.text.startswith("What") else question.default

    choice = choose(tmp_path, files, ask=answer)
    assert asked[0].text == "What are the entries of things8 (9 files)?"
    assert len(asked) <= 4
    assert place(choice.collections[Kind.LISTING]) == "things7, things8"


def test_folders_of_languages_are_read_as_translations(tmp_path: Path) -> None:
    languages = {"de": 3, "fr": 5, "it": 1}
    files: Files = {f"content/{code}/posts/{n}.md": POST for code, count in languages.items() for n in range(count)}
    answers = DefaultAnswers()
    choice = choose(tmp_path, {**files, "hugo.toml": 'defaultContentLanguage = "de"\n'}, ask=answers)
    assert {kind: place(it) for kind, it in choice.collections.items()} == {Kind.ARTICLE: "content/{locale}/posts"}
    assert choice.collections[Kind.ARTICLE].layouts[0].languages == ("de", "fr", "it")
    assert choice.notes == []
    assert answers.guesses == ["Are the files in 'fr', 'it' translations of content/{locale}/posts? yes"]


def test_language_folders_are_not_read_if_the_user_declines(tmp_path: Path) -> None:
    files: Files = {f"posts/{code}/a.md": POST for code in ("de", "fr")}
    choice = choose(tmp_path, files, ask=lambda it: "no" if "translations" in it.text else it.default)
    assert choice.collections[Kind.ARTICLE].layouts == (LanguageLayout("posts"),)


def test_the_collections_of_a_config_include_their_languages(tmp_path: Path) -> None:
    files: Files = {"_config.yml": "title: A\n"}
    files |= {f"{folder}_posts/2024-01-01-a.md": POST for folder in ("", "fr/")}
    assert chosen(tmp_path, files) == {"article": "{locale}/_posts"}
    config = '[site]\nlocales = ["en", "fr"]\n[content.articles]\npath = "{locale}/_posts"\n'
    assert choose(tmp_path, {**files, "contentsync.toml": config}).notes == []


def test_pages_in_the_top_folder_are_read_without_its_other_folders(tmp_path: Path) -> None:
    files: Files = {"_config.yml": "title: A\n", "_posts/2024-01-01-a.md": POST, "about.md": PAGE, "faq.md": PAGE}
    assert chosen(tmp_path / "a", files) == {"article": "_posts", "page": ". [*.md]"}
    files |= {"README.md": PAGE, "_pages/a.md": PAGE, "src/code/notes.md": "# Notes\n"}
    assert chosen(tmp_path / "b", files) == {"article": "_posts", "page": ". [*.md, _pages]"}


def test_folders_beside_the_pages_at_the_top_are_still_candidates(tmp_path: Path) -> None:
    config = '[content.pages]\npath = "."\ninclude = ["*.md"]\n'
    files: Files = {"contentsync.toml": config, "about.md": PAGE, "blog/a.md": POST, "docs/b.md": PAGE}
    choice = choose(tmp_path, files)
    assert {kind: place(it) for kind, it in choice.collections.items()} == {Kind.ARTICLE: "blog"}
    assert choice.notes == ["docs (1 file) is not read: pages are read from ."]


def test_pages_beside_the_collection_folders_are_read(tmp_path: Path) -> None:
    files: Files = {".eleventy.js": "", "src/posts/a.md": POST, "src/_data/site.json": "{}", "src/about.md": PAGE}
    assert chosen(tmp_path, files) == {"article": "src/posts", "page": "src [*.md]"}


def test_several_folders_make_one_kind(tmp_path: Path) -> None:
    files: Files = {f"{folder}/{folder}-{n}.md": POST for folder in ("posts", "thoughts") for n in range(3)}
    assert chosen(tmp_path / "a", files) == {"article": "posts, thoughts"}
    equal: Files = {"posts/x.md": POST, "thoughts/x.md": POST}
    assert chosen(tmp_path / "b", {**files, **equal}) == {"article": ". [posts, thoughts]"}
    with_page: Files = {**files, **equal, "about.md": PAGE}
    assert chosen(tmp_path / "c", with_page) == {"article": "posts, thoughts", "page": ". [*.md]"}


def test_a_folder_with_only_folders_of_one_kind_is_its_path(tmp_path: Path) -> None:
    files: Files = {f"texts/{folder}/{number}.md": POST for folder in ("old", "new") for number in range(3)}
    assert chosen(tmp_path, {**files, "texts/img/a.png": ""}) == {"article": "texts"}


def test_folders_without_front_matter_are_not_read_beside_one_with_it(tmp_path: Path) -> None:
    files: Files = {f"docs/{number}.md": PAGE for number in range(3)}
    files |= {f"examples/{number}.md": "# Example\n" for number in range(3)}
    choice = choose(tmp_path, files)
    assert place(choice.collections[Kind.PAGE]) == "docs"
    assert choice.notes == ["examples (3 files) is not read: pages are read from docs"]


COLORS = "".join(f"- {{name: Color {number}, hex: '#00000{number}'}}\n" for number in range(9))
MEETINGS = "".join(f"- {{title: M{number}, url: https://m{number}.example.org/, place: X}}\n" for number in range(6))


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ({"_data/colors.yml": COLORS, "_data/meetings.yml": MEETINGS}, "_data/meetings.yml"),
        ({"data/2023.yml": MEETINGS, "data/2024.yml": MEETINGS}, "data"),
        ({"data/2023.yml": MEETINGS, "data/2024.yml": MEETINGS, "data/colors.yml": COLORS},
         "data/2023.yml, data/2024.yml"),
        ({**{f"data/{year}.yml": MEETINGS for year in range(2010, 2020)}, "data/colors.yml": COLORS}, "data"),
        ({"tools/a.md": PAGE, "events.yml": MEETINGS}, "events.yml"),
        ({"a.yml": MEETINGS, "api.yml": f"openapi: 3.0.0\ntags:\n{COLORS}"}, "a.yml"),
        ({"a.yml": MEETINGS, "lock.yaml": f"lockfileVersion: 9\nlist:\n{COLORS}"}, "a.yml"),
    ],
)  # fmt: skip
def test_the_lists_with_common_keys_and_the_most_entries_are_the_listings(
    files: Files, path: str, tmp_path: Path
) -> None:
    assert chosen(tmp_path, files)["listing"] == path


def test_a_declared_collection_of_listings_wins_over_a_list(tmp_path: Path) -> None:
    config = "import { glob } from 'astro/loaders';\nexport const collections = { tools: defineCollection("
    config += "{ loader: glob({ pattern: '**/*.md', base: './src/tools' }) }) };\n"
    files: Files = {"astro.config.mjs": "", "src/content.config.ts": config, "data/events.yml": MEETINGS}
    tool = "---\ntitle: A\nurl: https://a.example.org/\n---\n"
    files |= {f"src/tools/{number}.md": tool for number in range(2)}
    assert chosen(tmp_path, files)["listing"] == "src/tools"


LOG = "timestamp,path,status\n" + "".join(f"2024-05-01T10:{n:02}:00Z,/p{n}/,200\n" for n in range(40))
PARTNERS = "partner,street,city\nAnn,Hauptplatz 1,Wien\nBen,Ring 2,Graz\n"


def test_a_table_without_names_contains_no_listings(tmp_path: Path) -> None:
    assert chosen(tmp_path / "a", {"visits.csv": LOG, "partners.csv": PARTNERS}) == {"listing": "partners.csv"}
    assert chosen(tmp_path / "b", {"visits.csv": LOG}) == {}


def test_folders_of_texts_without_front_matter_are_read_together(tmp_path: Path) -> None:
    notes: Files = {f"{folder}/{folder}-{n}.md": "# Note\n" for folder in ("garden", "kitchen") for n in range(3)}
    programs: Files = {"src/a.py": "", "src/b.py": "", "src/notes.md": "# Notes\n", "lib/README.md": "# Library\n"}
    assert chosen(tmp_path / "a", {**notes, **programs}) == {"page": "garden, kitchen"}
    equal: Files = {"garden/tips.md": "# Tips\n", "kitchen/tips.md": "# Tips\n"}
    assert chosen(tmp_path / "b", {**notes, **programs, **equal}) == {"page": ". [garden, kitchen]"}


def test_a_folder_with_folders_of_known_kinds_is_no_collection_itself(tmp_path: Path) -> None:
    files: Files = {f"output/{folder}/{n}.md": POST for folder in ("posts", "pages") for n in range(3)}
    assert chosen(tmp_path, files) == {"article": "output/posts", "page": "output/pages"}


def test_pages_that_a_program_fills_are_no_documents(tmp_path: Path) -> None:
    assert chosen(tmp_path, {"app/templates/a.html": "<p>{{ x }}</p>\n", "posts/a.md": POST}) == {"article": "posts"}


def test_lists_that_the_config_reads_are_not_named_as_left_out(tmp_path: Path) -> None:
    files: Files = {f"src/team/{n}.json": f'{{"name": "Person {n}", "role": "guide"}}' for n in range(4)}
    config = '[content.listings]\npath = "src/team"\n'
    assert choose(tmp_path, {**files, "posts/a.md": POST, "contentsync.toml": config}).notes == []


def test_lists_that_are_data_of_the_site_are_named(tmp_path: Path) -> None:
    files: Files = {f"src/team/{n}.json": f'{{"name": "Person {n}", "role": "guide"}}' for n in range(4)}
    choice = choose(tmp_path, {**files, "posts/a.md": POST})
    assert choice.notes == [
        "src/team/0.json, src/team/1.json and 2 more (4 entries) are not read: lists without addresses beside documents"
    ]
