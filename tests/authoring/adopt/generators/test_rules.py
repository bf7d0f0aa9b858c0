"""contentsync.authoring.adopt.generators: adopt publishes the entries that the generator shows, and no others."""

import json
from pathlib import Path

import pytest

from contentsync.authoring.adopt.adoption import Adoption, propose_adoption
from contentsync.authoring.adopt.proposed_settings import DefaultAnswers
from contentsync.authoring.adopt.recognise import recognise
from contentsync.authoring.adopt.repository_tree import list_files
from contentsync.content.files.content_folder import CONFIG
from contentsync.content.folder.load import load_content
from contentsync.content.folder.scan import scan
from contentsync.errors import Refused
from contentsync.model import Kind

from ..repositories import NOW, Files, write
from .rule_folders import EXPECTED, RULES, files_of, shown


def adopted(folder: Path, files: Files) -> Adoption:
    """Return what `adopt` proposes for these files; write it."""
    adoption = propose_adoption(write(folder, files), DefaultAnswers(), NOW)
    write(folder, {CONFIG: adoption.config, **adoption.files})
    return adoption


def published(folder: Path) -> set[str]:
    """Return the paths of the entries that are published now, and without an error."""
    content = load_content(folder)
    flags = {Kind.PAGE: "is_published", Kind.ARTICLE: "active"}
    faulty = {problem.where.path for problem in content.errors}
    now = NOW.isoformat()
    return {
        entry.source.path
        for entry in content.entries
        if entry.kind in flags
        and entry.source
        and entry.source.path not in faulty
        and entry.fields.get(flags[entry.kind]) is not False
        and str(entry.fields.get("published_at") or now)[:19] <= now[:19]
    }


# Entries that have an error until the user decides: the key of each hides another file, which is left out. If the key
# were ignored, a later entry that it hides would be published.
UNDECIDED = {
    "hugo/build": ["content/posts/f.md", "content/posts/g.md", "content/posts/h.md"],
    "hugo/dates": ["content/posts/e.md"],
    "pelican/status": ["content/f.md"],
}


@pytest.fixture(scope="module", params=RULES)
def adopted_rule(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Path, Adoption]:
    """Return a rule, and the folder of its files with what `adopt` proposes for them; the tests only read it."""
    folder = tmp_path_factory.mktemp("rule")
    return request.param, folder, adopted(folder, files_of(request.param))


def test_adopt_publishes_what_the_generator_shows(adopted_rule: tuple[str, Path, Adoption]) -> None:
    rule, folder, adoption = adopted_rule
    undecided = UNDECIDED.get(rule, [])
    assert sorted([*published(folder), *undecided]) == sorted(shown(rule))
    unknown = {problem.where.path for problem in adoption.trial.report.problems if problem.code == "unknown-key"}
    assert unknown >= {*undecided}
    assert any("stays an error" in note for note in adoption.notes) or not undecided


def test_each_rule_says_where_its_result_is_from() -> None:
    assert set(RULES) == set(json.loads(EXPECTED.read_text(encoding="utf-8")))


def test_each_entry_is_read_or_named_as_not_read(adopted_rule: tuple[str, Path, Adoption]) -> None:
    rule, folder, adoption = adopted_rule
    read = {file.path for file in scan(folder, adoption.trial.config).files}
    with_front_matter = {path for path, text in files_of(rule).items() if str(text).startswith(("---", "+++"))}
    assert {file.path for file in adoption.unread} == with_front_matter - read
    assert all(file.reason for file in adoption.unread)


DOCUMENT = "---\ntitle: A\n---\nText\n"


@pytest.mark.parametrize(
    ("files", "generator"),
    [
        ({"_config.yml": "", "docs/a.md": DOCUMENT}, "Jekyll"),
        ({"hugo.toml": "", "content/a.md": DOCUMENT}, "Hugo"),
        ({"config.toml": 'baseURL = "/"', "content/a.md": DOCUMENT}, "Hugo"),
        ({"config.toml": 'base_url = "/"', "content/a.md": DOCUMENT}, "Zola"),
        ({"zola.toml": 'base_url = "/"', "content/a.md": DOCUMENT}, "Zola"),
        ({"pelicanconf.py": "", "content/a.md": DOCUMENT}, "Pelican"),
        ({"site.lektorproject": "", "content/contents.lr": ""}, "Lektor"),
        ({".obsidian/app.json": "{}", "a.md": DOCUMENT}, "Obsidian"),
        ({"config.toml": "", "src/a.md": DOCUMENT}, ""),
    ],
)
@pytest.mark.parametrize("folder", ["", "website", "docs", "site", "packages/web"])
def test_a_site_is_recognised_also_in_a_subfolder(files: Files, generator: str, folder: str, tmp_path: Path) -> None:
    write(tmp_path / folder, files)
    site = recognise(tmp_path, list_files(tmp_path))
    assert (str(site.generator), site.base) == (generator, folder if generator else "")


def test_a_program_that_is_a_config_is_not_run(tmp_path: Path) -> None:
    config = "SITENAME = 'Shed'\nopen('ran', 'w').close()\nPATH = join('a', 'b')\n"
    write(tmp_path, {"pelicanconf.py": config, "content/a.md": DOCUMENT})
    site = recognise(tmp_path, list_files(tmp_path))
    assert (site.title, site.settings) == ("Shed", {"SITENAME": "Shed"})
    assert not (tmp_path / "ran").exists()


def test_a_site_of_lektor_is_refused_by_the_name_of_a_file(tmp_path: Path) -> None:
    files: Files = {"shed.lektorproject": "", "content/contents.lr": "title: A\n---\nbody: B\n", "docs/a.md": DOCUMENT}
    with pytest.raises(Refused, match=r"site of Lektor, .*: content/contents\.lr is in Lektor's own format"):
        adopted(tmp_path, files)


@pytest.mark.parametrize(
    ("files", "note"),
    [
        (
            {"pelicanconf.py": "", "content/a.md": "Title: A\nDate: 2024-01-02\n\nText\n", "content/b.md": DOCUMENT},
            "content/a.md has metadata lines without fences",
        ),
        ({"_config.yml": "collections: [team]", "_team/a.md": DOCUMENT}, "_team has no pages on the site"),
        ({"hugo.toml": "[[module.mounts]]\nsource = 'x'\n", "content/a.md": DOCUMENT}, "hugo.toml mounts folders"),
        ({".obsidian/app.json": "{}", "notes/a.md": DOCUMENT}, "which notes Obsidian Publish shows"),
    ],
)
def test_a_note_names_what_adopt_cannot_know(files: Files, note: str, tmp_path: Path) -> None:
    assert [text for text in adopted(tmp_path, files).notes if text.startswith(note)]


def test_metadata_lines_without_fences_hide_a_draft(tmp_path: Path) -> None:
    files: Files = {"pelicanconf.py": "", "content/a.md": "Title: A\nDate: 2024-01-02\nStatus: draft\n\nText\n"}
    files["content/b.md"] = "---\ntitle: B\ndate: 2024-01-02\n---\nText\n"
    adopted(tmp_path, files)
    assert published(tmp_path) == {"content/b.md"}


def test_a_folder_is_excluded_by_its_path(tmp_path: Path) -> None:
    files: Files = {f"content/{name}.md": DOCUMENT for name in ("wip/a", "wip/b", "other/wip/c", "d")}
    files |= {"config.toml": 'base_url = "/"', "content/wip/_index.md": "+++\ndraft = true\n+++\n"}
    settings = adopted(tmp_path, files).settings
    assert [setting.value for setting in settings if setting.name == "exclude"] == ["/wip"]
    assert published(tmp_path) == {"content/other/wip/c.md", "content/d.md"}


def test_files_that_the_generator_hides_are_excluded_without_a_limit(tmp_path: Path) -> None:
    files: Files = {f"content/{number}.md": "---\ntitle: A\nbuild: {render: never}\n---\n" for number in range(60)}
    adoption = adopted(tmp_path, {**files, "hugo.toml": "", "content/shown.md": DOCUMENT})
    assert published(tmp_path) == {"content/shown.md"}
    assert adoption.notes[0].startswith("60 files that Hugo does not publish are excluded by path: run adopt again")


def test_a_regular_expression_that_could_take_very_long_matches_nothing(tmp_path: Path) -> None:
    config = "ignoreFiles = ['(a+)+$', '.*.*.*.*.*x', '(', '\\.old']\n"
    adopted(tmp_path, {"hugo.toml": config, f"content/{'a' * 60}.md": DOCUMENT, "content/b.old.md": DOCUMENT})
    assert published(tmp_path) == {f"content/{'a' * 60}.md"}


def test_an_excluded_name_may_have_signs_of_patterns(tmp_path: Path) -> None:
    files: Files = {"hugo.toml": "", "content/[a]*.md": DOCUMENT.replace("A", "B\nbuild: {list: never}")}
    adopted(tmp_path, {**files, "content/a.md": DOCUMENT, "content/ax.md": DOCUMENT})
    assert published(tmp_path) == {"content/a.md", "content/ax.md"}


@pytest.mark.parametrize("config", ["exclude: 1", "defaults: x", "defaults: [{scope: 1, values: 2}]", "collections: 3"])
def test_a_setting_of_another_type_is_ignored(config: str, tmp_path: Path) -> None:
    adopted(tmp_path, {"_config.yml": config, "_posts/2024-01-02-a.md": DOCUMENT})
    assert published(tmp_path) == {"_posts/2024-01-02-a.md"}
