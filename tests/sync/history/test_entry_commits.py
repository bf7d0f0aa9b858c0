"""The commits that changed one entry, with a real git."""

import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.load import load_content
from contentsync.model import Entry, Kind
from contentsync.sync.history.entry_commits import CommitChange, EntryCommits, read_commits, read_entry_commits

from ...growth import count_work
from ...hooks.repositories import Tree, looking_like_a_repository
from ...sampling import sampled

PAGE = "---\ntitle: {}\n---\nText of the page, long enough that git finds it again in another file.\n"
HEADER = "name,url,description\n"


class Site(Tree):
    """A content folder inside a repository; each commit has a subject."""

    @property
    def folder(self) -> Path:
        return self.path / "site"

    def commit_files(self, subject: str, **files: str) -> str:
        """Write files (`pages__about` is pages/about.md, and `listings__all_csv` a table), and commit them."""
        for name, text in files.items():
            path = name.replace("__", "/")
            path = f"{path[:-4]}.csv" if path.endswith("_csv") else f"{path}.md"
            self.write(f"site/{path}", text)
        return self.commit_all(subject)

    def commit_all(self, subject: str) -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", f"--message={subject}")
        return self.git("rev-parse", "HEAD")

    def log(self, kind: Kind, key: str, limit: int = 50) -> EntryCommits:
        content = load_content(self.folder)
        entry = next((it for it in content.entries if (it.kind, it.key) == (kind, key)), None)
        return read_entry_commits(self.folder, content.config, kind, key, entry, limit)


@pytest.fixture
def site(tmp_path: Path) -> Site:
    site = Site(Tree.new(tmp_path / "repository").path)
    site.write("site/contentsync.toml", '[site]\nlocales = ["en", "fr"]\n')
    site.commit_files("Begin", pages__about=PAGE.format("About"), pages__other=PAGE.format("Other"))
    return site


def subjects(found: EntryCommits) -> list[str]:
    return [change.commit.subject for change in found.changes]


def values(change: CommitChange, field: str) -> tuple[Any, Any]:
    before, after = ((entry.fields.get(field) if entry else None) for entry in (change.before, change.after))
    return before, after


def test_a_page_has_the_commits_of_its_file_with_old_and_new_values(site: Site) -> None:
    site.commit_files("Say us", pages__about=PAGE.format("About us"))
    site.commit_files("Another page", pages__other=PAGE.format("Else"))
    found = site.log(Kind.PAGE, "about")
    assert subjects(found) == ["Say us", "Begin"]
    assert [values(change, "title") for change in found.changes] == [("About", "About us"), (None, "About")]
    assert (found.has_more, found.unreadable, found.uncommitted) == (False, 0, ())


def test_a_row_has_only_the_commits_that_changed_it(site: Site) -> None:
    """There are more rows than the limit for one commit."""
    rows = [f"Name {number},https://e{number}.example.org/,Text {number}\n" for number in range(250)]
    site.commit_files("Rows", listings__all_csv=HEADER + "".join(rows))
    rows[3] = rows[3].replace("Text 3", "Other")
    site.commit_files("Change one", listings__all_csv=HEADER + "".join(rows))
    rows[4] = rows[4].replace("Text 4", "Other")
    site.commit_files("Change the next one", listings__all_csv=HEADER + "".join(rows))
    site.commit_files("Sort them", listings__all_csv=HEADER + "".join(reversed(rows)))
    found = site.log(Kind.LISTING, "https://e3.example.org")
    assert subjects(found) == ["Change one", "Rows"]
    assert values(found.changes[0], "description") == ("Text 3", "Other")
    content = load_content(site.folder)
    entries = [entry for entry in content.entries if entry.fields.get("name") in ("Name 3", "Name 4")]
    together = read_commits(site.folder, content.config, entries, 50)
    assert [[values(change, "description") for change in changes] for changes in together] == [
        [("Text 3", "Other"), (None, "Text 3")],
        [("Text 4", "Other"), (None, "Text 4")],
    ]


def test_a_row_is_followed_from_another_table(site: Site) -> None:
    row = "One,https://one.example.org/,{}\n"
    site.commit_files("Add", listings__a_csv=HEADER + row.format("First"))
    site.commit_files("Move", listings__a_csv=HEADER, listings__b_csv=HEADER + row.format("First"))
    site.commit_files("Change", listings__b_csv=HEADER + row.format("Second"))
    found = site.log(Kind.LISTING, "https://one.example.org")
    assert subjects(found) == ["Change", "Move", "Add"]
    moved = found.changes[1]
    assert moved.before is not None and moved.before.source is not None
    assert moved.before.source.path == "listings/a.csv"


def test_entries_read_together_have_the_same_commits_as_alone(site: Site) -> None:
    """Two pages, and three listings: one gets another URL, one moves between tables, and one is new in a later table.

    At some commits, a table and a page cannot be read. The table is renamed later.
    """
    row = "{0},https://{0}.example.org/,{1}\n"
    site.commit_files("Add", listings__a_csv=HEADER + row.format("one", "First") + row.format("two", "First"))
    site.commit_files("Break", listings__a_csv=HEADER + "one\n", pages__about="---\ntitle: [\n---\n")
    site.commit_files("Fix", listings__a_csv=HEADER + row.format("one", "Second"), pages__about=PAGE.format("About us"))
    site.commit_files("Add again", listings__b_csv=HEADER + row.format("two", "First"))
    site.commit_files("Move", listings__a_csv=HEADER + row.format("one", "Second") + row.format("two", "First"))
    site.commit_files("Key", listings__a_csv=HEADER + row.format("uno", "Second") + row.format("two", "Second"))
    site.git("mv", "site/listings/a.csv", "site/listings/c.csv")
    site.commit_all("Rename")
    (site.folder / "listings/b.csv").unlink()
    site.commit_files("New", listings__d_csv=HEADER + row.format("three", "First"))
    content = load_content(site.folder)
    together = read_commits(site.folder, content.config, content.entries, 50)
    assert len(together) == 5
    assert together == [site.log(entry.kind, entry.key).changes for entry in content.entries]


def test_the_number_of_git_processes_does_not_depend_on_the_number_of_rows(site: Site) -> None:
    rows = (f"Name {number},https://e{number}.example.org/,Text\n" for number in range(9))
    site.commit_files("Rows", listings__a_csv=HEADER + "".join(rows))
    content = load_content(site.folder)
    listings = [entry for entry in content.entries if entry.kind is Kind.LISTING]

    def runs(entries: list[Entry]) -> int:
        counts = count_work(lambda: read_commits(site.folder, content.config, entries, 50))
        return sum(count for place, count in counts.items() if place.endswith("subprocess.py:run"))

    assert runs(listings) == runs(listings[:1]) > 0


def test_a_renamed_file_is_followed_to_its_former_slug_and_path(site: Site) -> None:
    site.commit_files("Say us", pages__about=PAGE.format("About us"))
    site.git("mv", "site/pages/about.md", "site/pages/we.md")
    site.commit_all("Rename")
    site.commit_files("Say we", pages__we=PAGE.format("We"))
    found = site.log(Kind.PAGE, "we")
    assert subjects(found) == ["Say we", "Rename", "Say us", "Begin"]
    assert found.all_keys == ("we", "about")
    assert [change.before.key if change.before else None for change in found.changes] == ["we", "about", "about", None]


def test_a_rewritten_file_is_followed_by_its_noted_former_slug(site: Site) -> None:
    (site.folder / "pages/about.md").unlink()
    site.commit_files(
        "Write it again", pages__us="---\ntitle: We\nsync: {previous: [about]}\n---\nEntirely different.\n"
    )
    assert subjects(site.log(Kind.PAGE, "us")) == ["Write it again", "Begin"]


def test_a_listing_with_a_new_url_is_followed_by_its_name(site: Site) -> None:
    site.commit_files("Add", listings__all_csv=HEADER + "One,https://one.example.org/,First\n")
    site.commit_files("New address", listings__all_csv=HEADER + "One,https://uno.example.org/,First\n")
    found = site.log(Kind.LISTING, "https://uno.example.org")
    assert subjects(found) == ["New address", "Add"]
    assert found.all_keys == ("https://uno.example.org", "https://one.example.org")


def test_a_new_listing_is_not_followed_to_one_in_a_renamed_table(site: Site) -> None:
    site.commit_files("Add", listings__a_csv=HEADER + "One,https://one.example.org/,First\n")
    site.git("mv", "site/listings/a.csv", "site/listings/b.csv")
    site.commit_files("Add another", listings__c_csv="url,name\nhttps://uno.example.org/,One\n")
    assert subjects(site.log(Kind.LISTING, "https://uno.example.org")) == ["Add another"]
    assert subjects(site.log(Kind.LISTING, "https://one.example.org")) == ["Add another", "Add"]


def test_a_new_listing_is_not_followed_to_one_that_moved_with_it(site: Site) -> None:
    """Both are in a table that git does not show as renamed."""
    site.commit_files("Add", listings__a_csv=HEADER + "One,https://one.example.org/,First\n")
    (site.folder / "listings/a.csv").unlink()
    other = "".join(f"https://e{number}.example.org/,Name {number}\n" for number in range(9))
    added = "https://uno.example.org/,One\nhttps://one.example.org/,One\n"
    site.commit_files("Move", listings__b_csv=f"url,name\n{other}{added}")
    assert subjects(site.log(Kind.LISTING, "https://uno.example.org")) == ["Move"]
    assert subjects(site.log(Kind.LISTING, "https://one.example.org")) == ["Move", "Add"]


def test_the_history_includes_a_deleted_translation(site: Site) -> None:
    site.commit_files("Article", articles__hello="---\ntitle: Hello\n---\nText.\n")
    site.write("site/articles/hello.fr.md", "---\ntitle: Bonjour\n---\nTexte.\n")
    site.commit_all("Translate")
    (site.folder / "articles/hello.fr.md").unlink()
    site.commit_all("Delete the translation")
    found = site.log(Kind.ARTICLE, "hello")
    assert subjects(found) == ["Delete the translation", "Translate", "Article"]
    assert values(found.changes[1], "translations")[1]["fr"]["title"] == "Bonjour"


def test_a_deleted_entry_has_a_history(site: Site) -> None:
    (site.folder / "pages/about.md").unlink()
    site.commit_all("Delete")
    site.commit_files("Later", pages__other=PAGE.format("Else"))
    found = site.log(Kind.PAGE, "about")
    assert subjects(found) == ["Delete", "Begin"]
    assert (found.changes[0].before is not None, found.changes[0].after) == (True, None)
    assert site.log(Kind.PAGE, "never").changes == []


def test_unreadable_commits_are_counted_and_the_next_change_spans_them(site: Site) -> None:
    site.commit_files("Break", pages__about="---\ntitle: [\n---\n")
    site.commit_files("Fix", pages__about=PAGE.format("About us"))
    found = site.log(Kind.PAGE, "about")
    assert (subjects(found), found.unreadable) == (["Fix", "Begin"], 1)
    assert values(found.changes[0], "title") == ("About", "About us")


def test_the_removal_of_an_always_broken_file_is_not_a_change(site: Site) -> None:
    site.commit_files("Add with an error", pages__new="---\ntitle: [\n---\n")
    (site.folder / "pages/new.md").unlink()
    site.commit_all("Remove")
    site.commit_files("Add", pages__new=PAGE.format("New"))
    found = site.log(Kind.PAGE, "new")
    assert (subjects(found), found.unreadable) == (["Add"], 1)


def test_the_first_readable_commit_counts_as_the_addition(site: Site) -> None:
    site.commit_files("Add with an error", pages__new="---\ntitle: [\n---\n")
    site.commit_files("Fix", pages__new=PAGE.format("New"))
    assert [values(change, "title") for change in site.log(Kind.PAGE, "new").changes] == [(None, "New")]


@pytest.mark.parametrize("limit", [1, 2])
def test_a_change_is_omitted_if_its_old_values_are_beyond_the_limit(site: Site, limit: int) -> None:
    """Without its old values, the commit would look like the one that added the entry."""
    site.commit_files("Break", pages__about="---\ntitle: [\n---\n")
    site.commit_files("Fix", pages__about=PAGE.format("About us"))
    found = site.log(Kind.PAGE, "about", limit=limit)
    assert (subjects(found), found.has_more) == ([], True)


def test_a_merge_counts_only_if_its_values_differ_from_both_sides(site: Site) -> None:
    site.git("checkout", "--quiet", "-b", "side")
    site.commit_files("On the side", pages__about=PAGE.format("Side"))
    site.git("checkout", "--quiet", "main")
    site.commit_files("Elsewhere", pages__other=PAGE.format("Else"))
    site.git("merge", "--quiet", "--no-edit", "side")
    assert subjects(site.log(Kind.PAGE, "about")) == ["On the side", "Begin"]
    site.git("checkout", "--quiet", "side")
    site.commit_files("Again on the side", pages__about=PAGE.format("Aside"))
    site.git("checkout", "--quiet", "main")
    site.commit_files("On main", pages__about=PAGE.format("Main"))
    assert site.run("merge", "side").returncode == 1
    site.commit_files("Resolve", pages__about=PAGE.format("Both"))
    assert subjects(site.log(Kind.PAGE, "about"))[:1] == ["Resolve"]


def test_the_history_is_limited_and_reports_that_there_is_more(site: Site) -> None:
    for number in range(4):
        site.commit_files(f"Change {number}", pages__about=PAGE.format(number))
    found = site.log(Kind.PAGE, "about", limit=2)
    assert (subjects(found), found.has_more) == (["Change 3", "Change 2"], True)


def test_the_oldest_commit_of_a_shallow_clone_is_not_an_addition(site: Site, tmp_path: Path) -> None:
    site.commit_files("Say us", pages__about=PAGE.format("About us"))
    site.commit_files("Say we", pages__about=PAGE.format("We"))
    site.git("clone", "--quiet", "--depth=2", site.path.as_uri(), str(tmp_path / "shallow"))
    found = Site(tmp_path / "shallow").log(Kind.PAGE, "about")
    assert (subjects(found), found.is_shallow) == (["Say we"], True)


def test_uncommitted_changes_are_reported(site: Site) -> None:
    site.write("site/pages/about.md", PAGE.format("New"))
    assert site.log(Kind.PAGE, "about").uncommitted == ("pages/about.md",)


def test_a_file_name_is_not_read_as_a_git_pattern(site: Site) -> None:
    site.write("site/pages/[a]*.md", "---\ntitle: Odd\nslug: odd\n---\n")
    site.commit_all("Odd")
    site.commit_files("Say us", pages__about=PAGE.format("About us"))
    assert subjects(site.log(Kind.PAGE, "odd")) == ["Odd"]


def test_files_that_imitate_a_repository_start_no_program(site: Site, tmp_path: Path) -> None:
    looking_like_a_repository(site.folder, f"touch {tmp_path / 'ran'}")
    site.commit_all("A trap")
    site.commit_files("Say us", pages__about=PAGE.format("About us"))
    assert subjects(site.log(Kind.PAGE, "about")) == ["Say us", "Begin"]
    assert not (tmp_path / "ran").exists()


def test_an_entry_without_a_repository_or_a_commit_has_no_changes(tmp_path: Path) -> None:
    bare = Site(tmp_path)
    bare.write("site/contentsync.toml", "")
    bare.write("site/pages/about.md", PAGE.format("About"))
    assert bare.log(Kind.PAGE, "about").is_in_git is False
    fresh = Site(Tree.new(tmp_path / "fresh").path)
    fresh.write("site/contentsync.toml", "")
    fresh.write("site/pages/about.md", PAGE.format("About"))
    assert (fresh.log(Kind.PAGE, "about").changes, fresh.log(Kind.PAGE, "about").is_in_git) == ([], True)


Row = dict[str, str]


class Tables:
    """Two tables of listings that change at random; the history of the listing `One` is known."""

    def __init__(self, random: random.Random) -> None:
        self._random = random
        self.columns = ["name", "url", "description"]
        rows = [{"name": f"N{n}", "url": f"https://n{n}.example.org/", "description": "Text"} for n in range(6)]
        self.tables = {"a": [{"name": "One", "url": "https://one.example.org/", "description": "Text"}], "b": rows}

    @property
    def state(self) -> tuple[str, ...]:
        """The table and the values of the listing."""
        return next((name, *row.values()) for name, rows in self.tables.items() for row in rows if row["name"] == "One")

    def change(self, number: int) -> None:
        """Change something: a value, a key, the order of rows or columns, the table of a row, or another row."""
        name, row = self._random.choice([(name, row) for name, rows in self.tables.items() for row in rows])
        match self._random.randrange(6):
            case 0:
                row["description"] = f"Text {number}"
            case 1:
                row["url"] = f"https://moved-{number}.example.org/"
            case 2:
                self._random.shuffle(self.columns)
            case 3:
                self.tables[name].remove(row)
                self.tables["a" if name == "b" else "b"].append(row)
            case 4:
                self._random.shuffle(self.tables[name])
            case _:
                added = {"name": f"New {number}", "url": f"https://new{number}.example.org/", "description": "Text"}
                self.tables[name].insert(0, added)

    def text(self, name: str) -> str:
        lines = [self.columns, *([row[column] for column in self.columns] for row in self.tables[name])]
        return "".join(f"{','.join(line)}\n" for line in lines)


@pytest.mark.parametrize("seed", sampled(range(30), every=30))
def test_a_random_history_yields_exactly_the_commits_that_changed_the_listing(site: Site, seed: int) -> None:
    """Each change begins with the last values of the previous one."""
    tables = Tables(random.Random(seed))
    expected: list[str] = []
    state: tuple[str, ...] = ()
    for number in range(25):
        site.commit_files(f"Commit {number}", listings__a_csv=tables.text("a"), listings__b_csv=tables.text("b"))
        if tables.state != state:
            expected.append(f"Commit {number}")
        state = tables.state
        tables.change(number)
        if site.path.joinpath("site/listings/a.csv").read_text() == tables.text("a") and tables.state == state:
            site.write("site/pages/other.md", PAGE.format(number))  # or git would have nothing to commit
    key = f"https://{state[2].split('/')[2]}"
    found = site.log(Kind.LISTING, key)
    assert subjects(found) == expected[::-1], seed
    for newer, older in pairwise(found.changes):
        assert newer.before is not None
        assert older.after is not None
        assert (newer.before.key, newer.before.fields) == (older.after.key, older.after.fields)


def test_a_page_behind_a_link_has_the_commits_of_the_target_file(site: Site) -> None:
    (site.folder / "pages/linked.md").symlink_to("../shared/real.md")
    for title in ("Real", "Better"):
        site.commit_files(title, shared__real=PAGE.format(title))
    found = site.log(Kind.PAGE, "linked")
    assert (subjects(found), found.unreadable) == (["Better", "Real"], 0)
    assert [values(change, "title") for change in found.changes] == [("Real", "Better"), (None, "Real")]


def test_a_config_behind_a_link_is_read(site: Site) -> None:
    site.git("mv", "site/contentsync.toml", "site/real.toml")
    (site.folder / "contentsync.toml").symlink_to("real.toml")
    site.commit_files("Link", pages__about=PAGE.format("About us"))
    found = site.log(Kind.PAGE, "about")
    assert (subjects(found), found.unreadable, found.without_config) == (["Link", "Begin"], 0, 0)


RENAME = '[content.listings.rename]\nPreis = "amount"\n'
FIELDS = "- name: amount\n  label: Amount\n  type: text\n"


def test_a_column_renamed_to_a_custom_field_does_not_hide_a_removal(site: Site) -> None:
    """The custom field is in a file that is not read for a page."""
    site.write("site/contentsync.toml", RENAME)
    site.write("site/custom_fields.yaml", FIELDS)
    site.commit_files("Rename", pages__about=PAGE.format("About us"))
    (site.folder / "pages/about.md").unlink()
    site.commit_all("Remove")
    found = site.log(Kind.PAGE, "about")
    assert (subjects(found), found.unreadable, found.without_config) == (["Remove", "Rename", "Begin"], 0, 0)


def test_an_error_in_another_file_is_not_counted(site: Site) -> None:
    site.write("site/custom_fields.yaml", FIELDS)
    site.commit_files("Rows", listings__all_csv=HEADER + "One,https://one.example.org/,First\n")
    site.write("site/custom_fields.yaml", "- name: [\n")
    site.commit_files("Break fields", listings__all_csv=HEADER)
    site.write("site/custom_fields.yaml", FIELDS)
    site.commit_files("Fix fields", pages__other=PAGE.format("Else"))
    found = site.log(Kind.LISTING, "https://one.example.org")
    assert (subjects(found), found.unreadable, found.without_config) == (["Break fields", "Rows"], 0, 0)


def test_an_error_in_another_row_does_not_hide_a_removal(site: Site) -> None:
    rows = "One,https://one.example.org/,First\n", "Two,https://two.example.org/,{}\n"
    site.commit_files("Rows", listings__all_csv=HEADER + rows[0] + rows[1].format("Text"))
    site.commit_files("Remove", listings__all_csv=f"{HEADER[:-1]},is_active\n{rows[1].format('Text')[:-1]},maybe\n")
    found = site.log(Kind.LISTING, "https://one.example.org")
    assert (subjects(found), found.unreadable) == (["Remove", "Rows"], 0)


def test_commits_with_config_errors_are_counted_separately(site: Site) -> None:
    site.write("site/contentsync.toml", "[content.pages]\npath = 1\n")
    site.commit_files("Break the config", pages__about=PAGE.format("About us"))
    site.write("site/contentsync.toml", "")
    site.commit_files("Fix the config", pages__about=PAGE.format("We"))
    found = site.log(Kind.PAGE, "about")
    assert (subjects(found), found.unreadable, found.without_config) == (["Fix the config", "Begin"], 0, 1)


def test_a_missing_picture_in_an_old_commit_is_not_an_error(site: Site) -> None:
    site.write("site/contentsync.toml", '[site]\nasset_base_url = "https://cdn.example/"\n[assets]\n')
    site.write("site/assets/a.png", "")
    article = "---\ntitle: A\nthumbnail_url: /assets/a.png\nthumbnail_alt_text: A\npublished_at: 2026-01-01\n---\n{}\n"
    site.commit_files("Add", articles__a=article.format("Text"))
    site.commit_files("Change", articles__a=article.format("Other"))
    found = site.log(Kind.ARTICLE, "a")
    assert (subjects(found), found.unreadable) == (["Change", "Add"], 0)
    assert values(found.changes[0], "markdown") == ("Text", "Other")
