"""`contentsync pull --deletes`: entries that were deleted on a real server leave the files of a real repository."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from contentsync.sync.planning.gates import MISSING_COUNT

from ..exit_codes import REFUSED, WRONG_USAGE
from ..hooks.repositories import Tree
from ..served import Served
from .conftest import Ran, contentsync
from .test_terminal import at_a_terminal

ARTICLE = "---\ntitle: {}\nslug: {}\n---\n\nText.\n"
FILES = {
    "pages/about.md": "---\ntitle: About\n---\n\nWe.\n",
    "pages/help.md": "---\ntitle: Help\n---\n\nAsk.\n",
    "articles/new.md": ARTICLE.format("New", "new"),
    "articles/new.fr.md": "---\ntitle: Neuf\n---\n\nTexte.\n",
    "articles/old.md": ARTICLE.format("Old", "old"),
    "categories.yaml": "# all\n- title: Tools # of steel\n\n- title: Wood\n  order: 2\n# end\n",
    "tags.json": '[\n  {"title": "Fast"},\n  {"title": "Slow"}\n]\n',
    "organizers/guild.md": "---\nname: Guild\n---\n",
    "listings/all.csv": "name,url,categories\nOne,https://one.org/,wood\nTwo,https://two.org/,tools|wood\n",
    "listings/more.toml": '[[listings]]\nname = "Three"\nurl = "https://three.org/"\n\n# the fourth\n'
    '[[listings]]\nname = "Four"\nurl = "https://four.org/"\n',
}
PATHS = {
    "page": "pages",
    "article": "articles",
    "category": "categories",
    "tag": "tags",
    "listing": "projects",
    "organizer": "organizers",
    "custom_field": "custom-fields",
}


class Site:
    """A synced repository, and a server on which another user deletes."""

    def __init__(self, tree: Tree, served: Served) -> None:
        self.tree, self.served = tree, served

    def run(self, *words: object) -> Ran:
        return contentsync(words[0], self.tree.path, *words[1:], env=self.served.env)

    def delete(self, kind: str, name: str) -> None:
        collection = PATHS[kind]
        records = self.served.get(collection)["data"]
        (found,) = (
            record["id"] for record in records if name in (record.get("title"), record.get("label"), record.get("name"))
        )
        self.served.delete(f"{collection}/{found}")

    @property
    def texts(self) -> dict[str, str]:
        files = (file for file in self.tree.path.rglob("*.*") if file.is_file())
        inner = ((file.relative_to(self.tree.path).as_posix(), file) for file in files)
        return {path: file.read_text() for path, file in inner if path in FILES}

    def require_settled(self) -> None:
        """After a sync, both sides are equal, and the state has forgotten nothing that they have."""
        assert self.run("plan", "--prune", "--detailed-exitcode").code == 0
        assert self.run("sync", "--yes", "--prune").code == 0
        assert self.run("plan", "--prune", "--detailed-exitcode").code == 0
        assert self.run("drift", "--detailed-exitcode").code == 0


@pytest.fixture
def site(tmp_path: Path, served: Served) -> Site:
    """Return a clone whose content was synced to the served directory."""
    tree = Tree.new(tmp_path / "site")
    for path, text in FILES.items():
        tree.write(path, text)
    tree.write(
        "contentsync.toml",
        f'[site]\nlocales = ["en", "fr"]\n[content.tags]\npath = "tags.json"\n'
        f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n'
        "requests_per_minute = 60000\n",
    )
    tree.git("add", ".")
    assert tree.commit().returncode == 0
    synced = contentsync("sync", tree.path, "--yes", env=served.env)
    assert synced.code == 0, synced.out + synced.err
    return Site(tree, served)


def changed(site: Site) -> Mapping[str, str | None]:
    """The files that differ from those of the commit, None for a deleted one."""
    present = site.texts
    return {path: present.get(path) for path, text in FILES.items() if present.get(path) != text}


def test_deleted_entries_leave_files_of_every_format(site: Site) -> None:
    for kind, name in [("page", "Help"), ("article", "New"), ("category", "Tools"), ("tag", "Fast")]:
        site.delete(kind, name)
    for name in ("One", "Three"):
        site.delete("listing", name)
    ran = site.run("pull", "--deletes", "--allow-deletes", 6)
    assert (ran.code, ran.out) == (
        0,
        "  - page help  pages/help.md\n"
        "  - article new  articles/new.md\n"
        "  - category tools  categories.yaml\n"
        "  ~ listing https://two.org  listings/all.csv  categories\n"
        "  - listing https://one.org  listings/all.csv\n"
        "  - listing https://three.org  listings/more.toml\n"
        "  - tag fast  tags.json\n"
        "0 new entries and 1 changed one pulled from live into 4 files, and 6 entries removed\n",
    ), ran.err
    assert changed(site) == {
        "pages/help.md": None,
        "articles/new.md": None,
        "articles/new.fr.md": None,
        "categories.yaml": "# all\n\n- title: Wood\n  order: 2\n# end\n",
        "tags.json": '[\n  {"title": "Slow"}\n]\n',
        "listings/all.csv": "name,url,categories\nTwo,https://two.org/,wood\n",
        "listings/more.toml": '# the fourth\n[[listings]]\nname = "Four"\nurl = "https://four.org/"\n',
    }
    site.require_settled()


def test_a_pull_without_the_deletes_option_removes_nothing(site: Site) -> None:
    site.delete("page", "Help")
    ran = site.run("pull")
    assert (ran.code, ran.out, changed(site)) == (
        0,
        f"  · page help  deleted there, left alone: contentsync pull {site.tree.path} --deletes removes it here\n"
        "nothing to pull from live\n",
        {},
    )
    assert site.run("pull", "--allow-deletes", 1).code == WRONG_USAGE


def test_a_discarded_delete_is_drift_again_and_nothing_is_lost(site: Site) -> None:
    """PL-22: the base keeps the entry until a sync, so it is neither new nor created a second time."""
    for kind, name in [("page", "Help"), ("listing", "One"), ("tag", "Fast")]:
        site.delete(kind, name)
    before = site.run("plan", "--on-drift", "fail", "--format", "json").document
    assert site.run("pull", "--deletes", "--yes").code == 0
    site.tree.git("checkout", "--quiet", ".")
    assert changed(site) == {}
    after = site.run("plan", "--on-drift", "fail", "--format", "json").document
    assert [each["code"] for each in after["refused"]] == ["drift"]
    assert (after["changes"], after["refused"]) == (before["changes"], before["refused"])
    assert site.run("pull", "--deletes", "--yes").code == 0
    assert len(changed(site)) == 3
    site.require_settled()


def test_a_discarded_delete_is_created_again_once(site: Site) -> None:
    site.delete("page", "Help")
    assert site.run("pull", "--deletes", "--yes").code == 0
    site.tree.git("checkout", "--quiet", ".")
    assert site.run("sync", "--yes", "--on-drift", "overwrite").code == 0
    assert [page["slug"] for page in site.served.get("pages")["data"]] == ["about", "help"]
    site.require_settled()


def test_a_committed_delete_is_forgotten_by_the_next_pull(site: Site) -> None:
    """A folder that is never synced would otherwise ask the server for it in every pull."""
    site.delete("page", "Help")
    assert site.run("pull", "--deletes", "--yes").code == 0
    assert site.run("pull").code == 0
    (state,) = (site.tree.path / ".contentsync/state").glob("live.jsonl")
    assert '"key":"help"' in state.read_text()
    site.tree.git("commit", "--quiet", "--all", "--message=x")
    assert site.run("pull").out == "nothing to pull from live\n"
    assert '"key":"help"' not in state.read_text()


def test_a_pull_keeps_the_conflict_of_an_entry_renamed_here_and_deleted_there(site: Site) -> None:
    """Else the next sync would create what another user has deleted, and ask for nothing."""
    assert contentsync("mv", "page/help", "faq", site.tree.path, "--yes").code == 0
    site.tree.git("add", ".")
    site.tree.commit()
    site.delete("page", "Help")
    before = site.run("plan", "--format", "json").document
    assert [each["code"] for each in before["refused"]] == ["conflict"]
    assert site.run("pull", "--yes").code == REFUSED
    after = site.run("plan", "--format", "json").document
    assert (after["changes"], after["refused"]) == (before["changes"], before["refused"])
    assert site.run("sync", "--yes", "--only", "page/faq", "--on-conflict", "ours").code == 0
    site.require_settled()


def test_an_entry_that_changed_here_and_was_deleted_there_stays(site: Site) -> None:
    """Also with --yes and --only."""
    for name in ("Help", "About"):
        site.delete("page", name)
    site.tree.write("pages/about.md", FILES["pages/about.md"].replace("We.", "We are."))
    site.tree.write("pages/team.md", "---\ntitle: Team\n---\n")
    assert site.run("sync", "--only", "page/team", "--yes").code == 0
    site.tree.git("add", ".")
    site.tree.commit()
    for words in (["--yes"], ["--only", "page/about", "--allow-deletes", 0]):
        ran = site.run("pull", "--deletes", *words)
        assert (ran.code, "about.md" in str(changed(site)) and (site.tree.path / "pages/about.md").exists()) == (
            3,
            True,
        )
        assert "1 entry deleted on the server stayed here" in ran.err
        command = f"contentsync sync {site.tree.path} --only page/about --on-conflict ours"
        reason = f"markdown changed here: {command} creates it again, or delete it here by hand"
        assert f"  · page about  deleted there, left alone: {reason}\n" in ran.out
    assert not (site.tree.path / "pages/help.md").exists()


@pytest.mark.parametrize("case", ["changed", "staged", "untracked", "hidden", "no repository"])
def test_an_entry_that_git_could_not_restore_stays(site: Site, case: str) -> None:
    site.delete("listing", "One")
    site.delete("page", "Help")
    table = FILES["listings/all.csv"] + "Five,https://five.org/,\n"
    if case in ("changed", "staged", "hidden"):
        if case == "hidden":
            site.tree.git("update-index", "--assume-unchanged", "listings/all.csv")
        site.tree.write("listings/all.csv", table)
    if case == "staged":
        site.tree.git("add", ".")
    if case == "untracked":
        site.tree.git("rm", "--quiet", "--cached", "listings/all.csv")
        site.tree.commit()
    if case == "no repository":
        (site.tree.path / ".git").rename(site.tree.path / "git")
    before = (site.tree.path / "listings/all.csv").read_text()
    ran = site.run("pull", "--deletes", "--yes", "--format", "json")
    assert ran.code == REFUSED
    assert {"kind": "listing", "key": "https://one.org"}.items() <= ran.document["deleted_there"][0].items()
    assert "git could not restore listings/all.csv: commit it" in ran.document["deleted_there"][0]["reason"]
    assert (site.tree.path / "listings/all.csv").read_text() == before
    assert (site.tree.path / "pages/help.md").exists() == (case == "no repository")


def test_an_entry_that_other_entries_still_name_stays(site: Site) -> None:
    """Here, a listing got the category in the folder, so the pull leaves its field alone."""
    table = FILES["listings/all.csv"].replace("one.org/,wood", "one.org/,wood|tools")
    site.tree.write("listings/all.csv", table)
    site.tree.git("add", ".")
    site.tree.commit()
    site.delete("category", "Tools")
    ran = site.run("pull", "--deletes")
    assert ran.code == REFUSED
    reason = "listing https://one.org still names it: remove the name there, and pull again"
    assert f"  · category tools  deleted there, left alone: {reason}\n" in ran.out
    assert (site.tree.path / "categories.yaml").read_text() == FILES["categories.yaml"]
    assert site.run("validate").code == 0


def test_an_entry_without_which_the_folder_has_errors_stays(site: Site) -> None:
    """The pull empties the cells of a deleted custom field, and the column would then have no meaning."""
    fields = "- {label: Level, name: level, type: text}\n- {label: Size, name: size, type: text}\n"
    site.tree.write("custom_fields.yaml", fields)
    table = FILES["listings/all.csv"].replace("categories\n", "categories,level,size\n")
    site.tree.write("listings/all.csv", table.replace("wood\n", "wood,easy,small\n"))
    synced = site.run("sync", "--yes")
    assert synced.code == 0, synced.out + synced.err
    site.tree.git("add", ".")
    site.tree.commit()
    site.delete("custom_field", "Level")
    site.delete("tag", "Fast")
    ran = site.run("pull", "--deletes", "--yes")
    assert (ran.code, "level  deleted there, left alone: without it, the folder has errors (unknown-" in ran.out) == (
        3,
        True,
    ), ran.out
    assert (site.tree.path / "custom_fields.yaml").read_text() == fields
    assert "wood,,small\n" in site.texts["listings/all.csv"]
    assert changed(site)["tags.json"] == '[\n  {"title": "Slow"}\n]\n'
    assert site.run("validate").code == 0


def test_a_link_that_a_delete_breaks_is_a_warning(site: Site) -> None:
    site.tree.write("pages/about.md", FILES["pages/about.md"] + "[Help](help.md)\n")
    assert site.run("sync", "--yes").code == 0
    site.tree.git("commit", "--quiet", "--all", "--message=x")
    site.delete("page", "Help")
    ran = site.run("pull", "--deletes", "--yes", "--format", "json")
    assert (ran.code, [warning["code"] for warning in ran.document["warnings"]]) == (0, ["relative-link"])
    assert not (site.tree.path / "pages/help.md").exists()


def test_a_protected_entry_stays(site: Site) -> None:
    site.tree.write("pages/help.md", "---\ntitle: Help\nsync: {protect: true}\n---\n\nAsk.\n")
    assert site.run("sync", "--yes").code == 0
    site.tree.git("commit", "--quiet", "--all", "--message=x")
    site.delete("page", "Help")
    ran = site.run("pull", "--deletes", "--yes")
    assert (ran.code, "sync.protect is set" in ran.out) == (REFUSED, True)
    assert (site.tree.path / "pages/help.md").exists()


def test_a_server_that_lost_a_kind_removes_nothing_without_consent(site: Site) -> None:
    for name in ("About", "Help"):
        site.delete("page", name)
    site.tree.write("pages/own.md", "---\ntitle: Only here\n---\n")
    for words in ([], ["--yes"], ["--allow-deletes", 1]):
        ran = site.run("pull", "--deletes", *words)
        assert (ran.code, ran.out, changed(site)) == (REFUSED, "", {})
        assert "--allow-deletes 2" in ran.err
    assert "nothing was written: no managed pages would be left: about, help" in site.run("pull", "--deletes").err
    assert site.run("pull", "--deletes", "--allow-deletes", 2).code == 0
    assert changed(site) == {"pages/about.md": None, "pages/help.md": None}


def test_a_pull_that_removes_nothing_names_both_options(site: Site) -> None:
    names = [f"Page {number}" for number in range(MISSING_COUNT + 1)]  # so many that the server may have lost them
    for name in names:
        site.tree.write(f"pages/{name.replace(' ', '-').lower()}.md", f"---\ntitle: {name}\n---\n")
    site.tree.git("add", ".")
    site.tree.commit()
    assert site.run("sync", "--yes").code == 0
    for name in names:
        site.delete("page", name)
    ran = site.run("pull")  # without --deletes
    options = ("--deletes", "--allow-deletes", str(len(names)))
    assert (ran.code, f"if that is right: {' '.join(options)}\n" in ran.err) == (REFUSED, True)
    assert site.run("pull", *options).code == 0


def test_a_server_without_entries_removes_nothing_with_any_option(site: Site) -> None:
    for kind, name in [
        *[
            ("page", "About"),
            ("page", "Help"),
            ("article", "New"),
            ("article", "Old"),
            ("tag", "Fast"),
            ("tag", "Slow"),
        ],
        *[("listing", name) for name in ("One", "Two", "Three", "Four")],
        *[("category", "Tools"), ("category", "Wood"), ("organizer", "Guild")],
    ]:
        site.delete(kind, name)
    ran = site.run("pull", "--deletes", "--allow-deletes", 13)
    assert (ran.code, changed(site)) == (REFUSED, {})
    assert (
        "the server has no entries, and 13 managed entries are missing: is it the right server, and is it complete?"
        in ran.err
    )


def test_the_question_shows_the_entries_and_no_writes_nothing(
    site: Site, program: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in site.served.env.items():
        monkeypatch.setenv(name, value)
    site.delete("page", "Help")
    site.served.create("pages", {"title": "Theirs", "markdown": "Text."})
    code, shown = at_a_terminal(site.tree.path, b"n\n", "pull", options=["--deletes"], program=program)
    assert (code, changed(site), (site.tree.path / "pages/theirs.md").exists()) == (REFUSED, {}, False)
    assert "  - page help  pages/help.md\r\n" in shown
    assert "Remove 1 entry from the folder? [y/N]" in shown
    assert "nothing was written" in shown
    assert "nothing was written: there is no terminal to ask on" in site.run("pull", "--deletes").err
    code, shown = at_a_terminal(site.tree.path, b"y\n", "pull", options=["--deletes"], program=program)
    assert (code, changed(site)) == (0, {"pages/help.md": None})


def test_an_entry_that_was_created_again_there_is_pulled_as_new(site: Site) -> None:
    site.delete("page", "Help")
    assert site.run("pull", "--deletes", "--yes").code == 0
    site.served.create("pages", {"title": "Help", "slug": "help", "markdown": "Again."})
    ran = site.run("pull")
    assert (ran.code, "+ page help" in ran.out) == (0, True)
    site.require_settled()


def test_an_entry_added_on_both_sides_has_an_exit_code_of_its_own(site: Site) -> None:
    site.tree.write("pages/team.md", "---\ntitle: Team\n---\n\nOurs.\n")
    site.served.create("pages", {"title": "Team", "slug": "team", "markdown": "Theirs."})
    assert site.run("pull").code == 0
    ran = site.run("pull", "--detailed-exitcode")
    assert (ran.code, ran.out) == (
        2,
        "  ! page team  markdown: added here and there, left alone\nnothing to pull from live\n",
    )
    site.tree.write("pages/about.md", FILES["pages/about.md"].replace("We.", "Ours."))
    (about,) = (page for page in site.served.get("pages")["data"] if page["slug"] == "about")
    site.served.update(f"pages/{about['id']}", {"title": "About", "markdown": "Theirs."})
    assert site.run("pull", "--detailed-exitcode").code == REFUSED
    assert site.run("pull", "--detailed-exitcode", "--yes").code == 0


def test_a_date_of_publication_that_changed_there_is_pulled(site: Site) -> None:
    (old,) = (article for article in site.served.get("articles")["data"] if article["title"] == "Old")
    site.served.update(f"articles/{old['id']}", {**old, "published_at": "2026-03-01T09:00:00Z"})
    assert site.run("pull").code == 0
    assert "published_at: " in (changed(site)["articles/old.md"] or "")
    site.require_settled()
