"""`contentsync pull`: the server's content in the folder's files."""

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from contentsync.cli import run

from ..exit_codes import CONTENT_ERRORS, REFUSED

Ran = tuple[int, str, str]
Command = Callable[..., Ran]

CONFIG = '[site]\nname = "Test"\nlocales = ["en", "fr"]\n'
ABOUT = "---\n# who we are\ntitle: About\norder: 3 # third\n---\nWe.\n"
HELP = "---\ntitle: Help\norder: 8\n---\nAsk.\n"
FILES = {
    "contentsync.toml": CONFIG,
    "pages/about.md": ABOUT,
    "pages/help.md": "---\ntitle: Help\n---\nAsk.\n",
    "custom_fields.yaml": "- {label: Level, name: level, type: text}\n",
    "categories.yaml": "- {title: Tools, slug: tools}\n",
    "listings/tools.csv": "name,slug,level,categories\nHammer,hammer,easy,tools\n",
}


@pytest.fixture
def contentsync(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """Run a command in this process, with nothing of this machine's settings."""
    for name in ("TARGET", "URL", "DIRECTORY", "TOKEN"):
        monkeypatch.delenv(f"CONTENTSYNC_{name}", raising=False)

    def command(*arguments: object) -> Ran:
        code = run([*map(str, arguments)])
        out, err = capsys.readouterr()
        return code, out, err

    return command


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    return folder


@pytest.fixture(scope="module")
def synced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Yield a folder whose content is on its embedded server."""
    folder = write(tmp_path_factory.mktemp("synced"), FILES)
    assert run(["sync", str(folder), "--yes", "--quiet"]) == 0
    yield folder


@pytest.fixture
def site(synced: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(synced, tmp_path / "site"))


@pytest.fixture
def other(site: Path, tmp_path: Path) -> Path:
    """Return another folder for the same server, in which nothing was ever applied."""
    other = write(tmp_path / "other", {"contentsync.toml": CONFIG})
    (other / ".contentsync").mkdir()
    (other / ".contentsync/site.db").symlink_to(site / ".contentsync/site.db")
    return other


def texts(folder: Path) -> dict[str, str]:
    files = (file for file in folder.rglob("*") if file.is_file() and ".contentsync" not in file.parts)
    return {file.relative_to(folder).as_posix(): file.read_bytes().decode() for file in files}


def change_there(contentsync: Command, other: Path, files: dict[str, str]) -> None:
    """Change the server with a sync of the other folder."""
    write(other, files)
    code, _, err = contentsync("sync", other, "--yes", "--adopt", "--quiet")
    assert code == 0, err


def test_a_pull_after_a_sync_writes_nothing(contentsync: Command, site: Path) -> None:
    assert contentsync("pull", site) == (0, "nothing to pull from local\n", "")
    assert texts(site) == FILES


def test_a_pull_into_an_empty_folder_leaves_an_empty_plan(contentsync: Command, other: Path) -> None:
    code, out, _ = contentsync("pull", other, "--format", "json")
    document = json.loads(out)
    assert (code, document["version"], document["summary"]) == (
        0,
        1,
        {"create": 5, "update": 0, "delete": 0, "here_only": 0},
    )
    assert texts(other) == {
        "contentsync.toml": CONFIG,
        "pages/about.md": "---\ntitle: About\norder: 3\n---\n\nWe.\n",
        "pages/help.md": "---\ntitle: Help\n---\n\nAsk.\n",
        "custom_fields.yaml": "- label: Level\n  type: text\n  name: level\n",
        "categories.yaml": "- title: Tools\n  slug: tools\n",
        "listings/pulled.yaml": "- name: Hammer\n  slug: hammer\n  categories: [tools]\n  level: easy\n",
    }
    assert contentsync("validate", other)[0] == 0
    assert contentsync("plan", other, "--detailed-exitcode")[0] == 0


def test_a_pull_writes_and_reports_the_changes_of_another_user(contentsync: Command, site: Path, other: Path) -> None:
    page = "---\ntitle: About us\norder: 3\nseo: {title: Us}\n---\nWe.\n"
    change_there(contentsync, other, {"pages/about.md": page, "pages/new.md": "---\ntitle: New\n---\n"})
    code, out, _ = contentsync("pull", site)
    assert (code, out) == (
        0,
        "  ~ page about  pages/about.md  title, seo.title\n"
        "  + page new  pages/new.md\n"
        "1 new entry and 1 changed one pulled from local into 2 files\n",
    )
    assert texts(site)["pages/about.md"] == (
        "---\n# who we are\ntitle: About us\norder: 3 # third\nseo:\n  title: Us\n---\nWe.\n"
    )
    assert contentsync("plan", site, "--detailed-exitcode")[0] == 0


def test_a_local_change_after_a_pull_is_not_a_conflict(contentsync: Command, site: Path, other: Path) -> None:
    change_there(contentsync, other, {"pages/help.md": "---\ntitle: Help me\n---\nAsk.\n"})
    assert contentsync("pull", site, "--only", "page/help")[0] == 0
    write(site, {"pages/help.md": "---\ntitle: Help us\n---\nAsk.\n"})
    code, out, _ = contentsync("plan", site, "--on-drift", "fail", "--format", "json")
    document = json.loads(out)
    assert (code, document["summary"]["drift"], document["refused"]) == (0, 0, [])
    assert document["changes"][0]["fields"]["title"] == {"from": "Help me", "to": "Help us"}


def test_a_pulled_entry_can_be_deleted_by_a_later_sync(contentsync: Command, other: Path) -> None:
    assert contentsync("pull", other)[0] == 0
    assert contentsync("sync", other, "--yes")[0] == 0
    (other / "pages/help.md").unlink()
    document = json.loads(contentsync("plan", other, "--prune", "--format", "json")[1])
    assert [(change["action"], change["key"]) for change in document["changes"]] == [("delete", "help")]


def test_a_local_change_is_overwritten_only_with_consent(contentsync: Command, site: Path, other: Path) -> None:
    change_there(contentsync, other, {"pages/help.md": "---\ntitle: Help me\n---\nAsk.\n"})
    mine = ABOUT.replace("order: 3", "order: 4")
    write(site, {"pages/about.md": mine})
    code, out, _ = contentsync("pull", site)
    assert (code, out) == (
        0,
        "  ~ page help  pages/help.md  title\n"
        "  · page about  order: changed here, left alone\n"
        "0 new entries and 1 changed one pulled from local into 1 file\n",
    )
    assert texts(site)["pages/about.md"] == mine
    assert "title: Help me" in texts(site)["pages/help.md"]
    assert contentsync("pull", site, "--yes")[0] == 0
    assert texts(site)["pages/about.md"] == ABOUT


def test_a_pull_merges_changes_to_different_fields_of_one_entry(contentsync: Command, site: Path, other: Path) -> None:
    change_there(contentsync, other, {"pages/about.md": ABOUT.replace("title: About", "title: About us")})
    write(site, {"pages/about.md": ABOUT.replace("order: 3", "order: 4")})
    assert contentsync("pull", site)[0] == 0
    assert texts(site)["pages/about.md"] == ABOUT.replace("title: About", "title: About us").replace("3", "4", 1)
    plan = json.loads(contentsync("plan", site, "--on-drift", "fail", "--format", "json")[1])
    assert [change["fields"] for change in plan["changes"]] == [{"order": {"from": 3, "to": 4}}]
    assert (plan["summary"]["drift"], plan["refused"]) == (0, [])


def test_a_local_change_of_a_merged_value_is_not_a_conflict(contentsync: Command, site: Path, other: Path) -> None:
    change_there(contentsync, other, {"pages/about.md": ABOUT.replace("title: About", "title: About us")})
    write(site, {"pages/about.md": ABOUT.replace("order: 3", "order: 4")})
    assert contentsync("pull", site)[0] == 0
    text = texts(site)["pages/about.md"]
    write(site, {"pages/about.md": text.replace("About us", "About you")})
    plan = json.loads(contentsync("plan", site, "--on-drift", "fail", "--format", "json")[1])
    assert {name: field["to"] for name, field in plan["changes"][0]["fields"].items()} == {
        "title": "About you",
        "order": 4,
    }
    assert plan["refused"] == []


def test_a_pull_reports_a_field_that_changed_on_both_sides_and_keeps_it(
    contentsync: Command, site: Path, other: Path
) -> None:
    there = ABOUT.replace("title: About", "title: Theirs").replace("order: 3", "order: 5")
    change_there(contentsync, other, {"pages/about.md": there})
    write(site, {"pages/about.md": ABOUT.replace("title: About", "title: Ours")})
    code, out, err = contentsync("pull", site)
    assert (code, texts(site)["pages/about.md"]) == (REFUSED, there.replace("Theirs", "Ours"))
    assert "  ! page about  title: changed here and there, left alone\n" in out
    assert "1 entry changed here and on the server: left alone" in err
    plan = json.loads(contentsync("plan", site, "--format", "json")[1])
    assert [refusal["code"] for refusal in plan["refused"]] == ["conflict"]


def test_a_pull_without_a_base_merges_nothing(contentsync: Command, site: Path, other: Path) -> None:
    """It is not known which side has changed."""
    change_there(contentsync, other, {"pages/help.md": "---\ntitle: Help me\n---\nAsk.\n"})
    for file in (site / ".contentsync/state").iterdir():
        file.unlink()
    before = texts(site)
    code, out, err = contentsync("pull", site)
    assert (code, out, texts(site)) == (REFUSED, "", before)
    assert "1 entry would be overwritten, which may have changed here: page help (title)" in err


def test_a_locally_deleted_entry_is_pulled_only_on_request(contentsync: Command, site: Path) -> None:
    (site / "pages/help.md").unlink()
    code, out, _ = contentsync("pull", site)
    assert (code, out) == (
        0,
        "  · page help  deleted: changed here, left alone\nnothing to pull from local\n",
    )
    assert contentsync("pull", site, "--only", "page/help")[0] == 0
    assert texts(site)["pages/help.md"] == "---\ntitle: Help\n---\n\nAsk.\n"


def test_a_pull_leaves_local_and_skipped_entries_unchanged(contentsync: Command, site: Path, other: Path) -> None:
    change_there(contentsync, other, {"pages/about.md": "---\ntitle: About us\n---\nWe.\n"})
    mine = {
        "pages/mine.md": "---\ntitle: Mine\n---\n",
        "pages/about.md": ABOUT.replace("---\nWe", "sync: {skip: yes}\n---\nWe"),
    }
    write(site, mine)
    code, out, _ = contentsync("pull", site)
    assert (code, out) == (0, "  · page mine  only here, left alone\nnothing to pull from local\n")
    assert texts(site) == FILES | mine


def test_a_pull_into_a_folder_with_errors_is_refused(contentsync: Command, other: Path) -> None:
    write(other, {"pages/about.md": "---\ntitel: About\n---\n"})
    before = texts(other)
    assert contentsync("pull", other)[0] == 1
    assert texts(other) == before


def test_a_pull_writes_what_a_house_rule_demands_and_what_breaks_it(
    contentsync: Command, site: Path, other: Path
) -> None:
    change_there(contentsync, other, {"pages/about.md": ABOUT.replace("3 # third", "9"), "pages/help.md": HELP})
    write(site, {"contentsync.toml": CONFIG + '[rules.page]\nrequire = ["order"]\nmax = { order = 8 }\n'})
    assert contentsync("sync", site, "--yes")[0] == CONTENT_ERRORS
    code, out, err = contentsync("pull", site)
    assert (code, "rule-require order is missing" in err) == (0, True)  # of the page help, before the pull
    assert "2 changed ones pulled" in out
    assert texts(site)["pages/about.md"] == ABOUT.replace("3 #", "9 #")
    assert "order: 8" in texts(site)["pages/help.md"]
    code, out, _ = contentsync("validate", site)
    assert (code, out.count("rule-"), "order is 9, more than 8" in out) == (CONTENT_ERRORS, 1, True)
    for command in ("drift", "status"):
        assert contentsync(command, site)[0] == 0


def test_a_pull_does_not_write_an_entry_that_would_be_invalid(contentsync: Command, other: Path) -> None:
    files = {"custom_fields.yaml": "- {label: Level, name: level, type: number}\n"}
    write(other, files)
    code, out, err = contentsync("pull", other, "--only", "listing", "--only", "page")
    assert (code, "1 entry could not be written" in err) == (REFUSED, True)
    assert "  ! listing hammer  not written: not-a-number: level must be a number" in out
    assert texts(other).keys() == {"contentsync.toml", "pages/about.md", "pages/help.md", *files}


def test_custom_fields_are_pulled_alone_or_with_the_listings_that_use_them(contentsync: Command, other: Path) -> None:
    assert contentsync("pull", other, "--only", "custom_field")[0] == 0
    assert texts(other).keys() == {"contentsync.toml", "custom_fields.yaml"}
    (other / "custom_fields.yaml").unlink()
    assert contentsync("pull", other, "--only", "listing/hammer")[0] == 0
    assert texts(other).keys() == {
        "contentsync.toml",
        "custom_fields.yaml",
        "categories.yaml",
        "listings/pulled.yaml",
    }
    assert contentsync("validate", other)[0] == 0


def test_a_pull_renames_an_entry_that_was_renamed_on_the_server(contentsync: Command, site: Path, other: Path) -> None:
    renamed = "---\ntitle: About\nslug: about-us\nsync: {previous: [about]}\n---\nWe.\n"
    change_there(contentsync, other, {"pages/about.md": renamed})
    code, out, err = contentsync("pull", site)
    assert (code, out) == (
        0,
        "  ~ page about  pages/about.md  slug\n0 new entries and 1 changed one pulled from local into 1 file\n",
    ), err
    assert texts(site)["pages/about.md"] == ABOUT.replace("third\n", "third\nslug: about-us\n")
    assert contentsync("plan", site, "--detailed-exitcode")[0] == 0


HAMMER = "name,slug,url,description\nHammer,hammer,https://h.example.org/,Old\n"
RED = "- {title: Red, slug: red, icon: old}\n"


@pytest.fixture
def renamed_there(contentsync: Command, tmp_path: Path) -> Path:
    """Return a synced folder in which a listing and a tag have local changes, and other keys on the server."""
    here = write(tmp_path / "here", {"contentsync.toml": CONFIG, "listings/a.csv": HAMMER, "tags.yaml": RED})
    assert contentsync("sync", here, "--yes", "--quiet")[0] == 0
    there = Path(shutil.copytree(here, tmp_path / "there"))
    (there / ".contentsync/site.db").unlink()
    (there / ".contentsync/site.db").symlink_to(here / ".contentsync/site.db")
    renamed_tag = RED.replace("slug: red", "slug: rouge, sync: {previous: [red]}")
    change_there(contentsync, there, {"listings/a.csv": HAMMER.replace("//h.", "//new."), "tags.yaml": renamed_tag})
    write(here, {"listings/a.csv": HAMMER.replace("Old", "Mine"), "tags.yaml": RED.replace("old", "mine")})
    return here


def test_a_renamed_entry_with_a_local_change_stays_managed(contentsync: Command, renamed_there: Path) -> None:
    assert contentsync("pull", renamed_there)[0] == 0
    assert texts(renamed_there)["listings/a.csv"] == HAMMER.replace("//h.", "//new.").replace("Old", "Mine")
    assert texts(renamed_there)["tags.yaml"] == "- {title: Red, slug: rouge, icon: mine}\n"
    plan = json.loads(contentsync("plan", renamed_there, "--on-drift", "fail", "--format", "json")[1])
    assert [(change["key"], [*change["fields"]]) for change in plan["changes"]] == [
        ("rouge", ["icon"]),
        ("https://new.example.org", ["description"]),
    ]
    assert (plan["refused"], plan["summary"]["drift"]) == ([], 0)
    assert contentsync("sync", renamed_there, "--yes", "--quiet")[0] == 0


def test_a_discarded_pull_of_a_rename_is_drift_again(contentsync: Command, renamed_there: Path) -> None:
    before = texts(renamed_there)
    first = json.loads(contentsync("plan", renamed_there, "--format", "json")[1])
    assert contentsync("pull", renamed_there)[0] == 0
    write(renamed_there, before)
    assert json.loads(contentsync("plan", renamed_there, "--format", "json")[1])["changes"] == first["changes"]


REFERRED = {
    "contentsync.toml": CONFIG,
    "custom_fields.yaml": "- {label: Level, name: level, type: text}\n",
    "categories.yaml": "- {title: Tools, slug: tools}\n- {title: Saws, parent_id: tools}\n- {title: Old, slug: old}\n",
    "organizers/acme.md": "---\nname: Acme\n---\n",
    "listings/a.csv": "name,level,categories,organizers\nHammer,easy,tools|Saws,acme\nSaw,,Old,\n",
}


def test_a_pull_does_not_write_a_rename_that_a_reference_cannot_follow(contentsync: Command, tmp_path: Path) -> None:
    """All other changes are written; the next plan shows the rename as drift, and a second pull reports it again."""
    inline = "listings = [{ name = 'Hammer', categories = ['tools'] }]\n"
    here = write(tmp_path / "here", {**REFERRED, "listings/a.csv": "name\nSaw\n", "listings/b.toml": inline})
    assert contentsync("sync", here, "--yes", "--quiet")[0] == 0
    there = Path(shutil.copytree(here, tmp_path / "there"))
    (there / ".contentsync/site.db").unlink()
    (there / ".contentsync/site.db").symlink_to(here / ".contentsync/site.db")
    changed = {
        "categories.yaml": "- {title: Tools, slug: kit, sync: {previous: [tools]}}\n- {title: Saws, parent_id: kit}\n"
        "- {title: Old, slug: old}\n",
        "organizers/acme.md": "---\nname: Acme Inc\n---\n",
        "listings/b.toml": inline.replace("tools", "kit"),
    }
    change_there(contentsync, there, changed)
    before = texts(here)
    for _pull in range(2):
        code, out, err = contentsync("pull", here)
        assert (code, "1 entry could not be written" in err) == (REFUSED, True), out
        assert "  ! category tools  not written: listings/b.toml is written in a way" in out
        assert texts(here) == {**before, "organizers/acme.md": "---\nname: Acme Inc\n---\n"}
    plan = json.loads(contentsync("plan", here, "--on-drift", "overwrite", "--format", "json")[1])
    assert [(change["key"], [*change["fields"]]) for change in plan["changes"]] == [("tools", ["slug"])]


def test_a_pulled_rename_changes_all_references(contentsync: Command, tmp_path: Path) -> None:
    """The retitled category has no slug in its file: without one, it would get another key."""
    here = write(tmp_path / "here", REFERRED)
    assert contentsync("sync", here, "--yes", "--quiet")[0] == 0
    there = Path(shutil.copytree(here, tmp_path / "there"))
    (there / ".contentsync/site.db").unlink()
    (there / ".contentsync/site.db").symlink_to(here / ".contentsync/site.db")
    changed = {
        "custom_fields.yaml": "- {label: Level, name: grade, type: text, sync: {previous: [level]}}\n",
        "categories.yaml": "- {title: Tools, slug: kit, sync: {previous: [tools]}}\n"
        "- {title: Fretsaws, slug: saws, parent_id: kit}\n- {title: Very old, slug: old}\n",
        "organizers/acme.md": "---\nname: Acme\nslug: acme-inc\nsync: {previous: [acme]}\n---\n",
        "listings/a.csv": "name,grade,categories,organizers\nHammer,easy,kit|saws,acme-inc\nSaw,,old,\n",
    }
    change_there(contentsync, there, changed)
    write(here, {"listings/a.csv": REFERRED["listings/a.csv"].replace("easy", "hard")})
    code, out, err = contentsync("pull", here)
    assert (code, "  ~ listing saw  listings/a.csv  categories, grade\n" in out) == (0, True), err
    after = texts(here)
    assert after["listings/a.csv"] == (
        "name,grade,categories,organizers\nHammer,hard,kit|Fretsaws,acme-inc\nSaw,,Very old,\n"
    )
    assert after["categories.yaml"] == (
        "- {title: Tools, slug: kit}\n- {title: Fretsaws, parent_id: kit, slug: saws}\n- {title: Very old, slug: old}\n"
    )
    plan = json.loads(contentsync("plan", here, "--on-drift", "fail", "--format", "json")[1])
    assert [change["fields"] for change in plan["changes"]] == [{"grade": {"from": "easy", "to": "hard"}}]
    assert plan["refused"] == []


def test_a_pulled_cell_that_is_a_formula_is_written_with_a_warning(
    contentsync: Command, site: Path, other: Path
) -> None:
    table = FILES["listings/tools.csv"].replace("Hammer,", "@cmd|calc,")
    change_there(contentsync, other, {**FILES, "listings/tools.csv": table})
    code, out, err = contentsync("pull", site)
    assert (code, texts(site)["listings/tools.csv"]) == (0, table)
    assert "~ listing hammer  listings/tools.csv  name" in out
    assert "listings/tools.csv:2:1" in err
    assert "a spreadsheet program would run the name as a formula" in err


def test_the_json_of_a_pull_contains_its_warnings(contentsync: Command, site: Path, other: Path) -> None:
    table = FILES["listings/tools.csv"].replace("Hammer,", "=1,")
    change_there(contentsync, other, {**FILES, "listings/tools.csv": table})
    code, out, err = contentsync("pull", site, "--format", "json")
    (warning,) = json.loads(out)["warnings"]
    assert (code, err, warning["code"]) == (0, "", "formula-cell")
    assert (warning["path"], warning["line"], warning["column"]) == ("listings/tools.csv", 2, 1)


TABLE = "name,url\nSaw,https://saw.example.org/\nAxe,https://axe.example.org/\n"
TO_TABLE = {"contentsync.toml": f'{CONFIG}[content.listings]\npull_to = "a.csv"\n', "listings/a.csv": TABLE}


@pytest.fixture
def with_table(contentsync: Command, tmp_path: Path) -> Path:
    """Return a folder whose listings are in a table without a column for slugs, synced to its embedded server."""
    folder = write(tmp_path / "with_table", TO_TABLE)
    assert contentsync("sync", folder, "--yes", "--quiet")[0] == 0
    return folder


def create_there(contentsync: Command, folder: Path, listing: str) -> None:
    """Create a listing on the server of a folder with a sync of another folder."""
    there = write(folder.parent / "there", {"contentsync.toml": CONFIG, "listings/new.yaml": listing})
    (there / ".contentsync").mkdir()
    (there / ".contentsync/site.db").symlink_to(folder / ".contentsync/site.db")
    code, _, err = contentsync("sync", there, "--yes", "--quiet")
    assert code == 0, err


def listings_there(contentsync: Command, folder: Path) -> str:
    """Return all listings of a folder's server as an empty folder pulls them."""
    shutil.rmtree(folder / "listings")
    write(folder, {"contentsync.toml": CONFIG})
    assert contentsync("pull", folder, "--yes", "--only", "listing")[0] == 0
    return texts(folder)["listings/pulled.yaml"]


def test_a_pulled_row_gets_no_slug_column_and_leaves_other_rows_unchanged(
    contentsync: Command, with_table: Path, tmp_path: Path
) -> None:
    create_there(contentsync, with_table, "- {name: New tool, url: https://new.example.org/}\n")
    code, out, _ = contentsync("pull", with_table)
    assert (code, "new column" in out) == (0, False)
    assert texts(with_table)["listings/a.csv"] == f"{TABLE}New tool,https://new.example.org/\n"
    assert contentsync("plan", with_table, "--detailed-exitcode")[0] == 0
    empty = write(tmp_path / "empty", texts(with_table))
    assert contentsync("sync", empty, "--yes", "--quiet")[0] == 0
    listings = listings_there(contentsync, empty)
    assert "slug: new-tool\n" in listings
    assert listings == listings_there(contentsync, with_table)


def test_a_pull_reports_new_columns_that_change_every_row(contentsync: Command, with_table: Path) -> None:
    create_there(contentsync, with_table, "- {name: New, url: https://new.example.org/, is_active: no}\n")
    code, out, _ = contentsync("pull", with_table)
    assert (code, texts(with_table)["listings/a.csv"]) == (
        0,
        "name,url,is_active\nSaw,https://saw.example.org/,true\nAxe,https://axe.example.org/,true\n"
        "New,https://new.example.org/,false\n",
    )
    assert "  ! listings/a.csv  new column is_active: all rows change\n" in out
    assert contentsync("plan", with_table, "--detailed-exitcode")[0] == 0


def test_the_json_of_a_pull_names_the_new_columns_of_each_file(contentsync: Command, with_table: Path) -> None:
    create_there(contentsync, with_table, "- {name: New, slug: x, url: https://new.example.org/, is_active: no}\n")
    document = json.loads(contentsync("pull", with_table, "--format", "json")[1])
    assert document["files"] == [
        {"path": "listings/a.csv", "action": "update", "added_columns": ["slug", "is_active"]},
    ]
