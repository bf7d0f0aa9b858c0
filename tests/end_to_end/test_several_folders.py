"""A kind in several folders, and pages at the top of a repository: commands against a server, with a real git."""

import shutil
from pathlib import Path
from typing import Any

import pytest

from contentsync.content.folder.git_facts import find_untracked
from contentsync.content.folder.load import load_content
from contentsync.model import Kind

from ..exit_codes import CONTENT_ERRORS, REFUSED, WRONG_USAGE
from ..hooks.repositories import Tree
from ..served import Served
from .conftest import Ran, contentsync

TARGET = (
    '\n[targets.live]\nurl = "{}"\ndirectory = {}\nrequests_per_minute = 60000\nprune = true\n'
    "max_deletes = {{ percent = 100, count = 100 }}\n"
)
TOP = '[content.pages]\npath = "."\ninclude = ["*.md", "legal"]\nexclude = ["README.md"]\n'
NEWS = '[content.articles]\npath = ["_posts", "news"]\n'
PAGE = "---\ntitle: {}\n---\nText of the page {}, long enough that git finds it again in another file.\n"
ARTICLE = "---\ntitle: {}\npublished_at: 2026-03-01\n---\nSee [about](../about.md).\n"
FILES = {
    "README.md": "About this repository.\n",
    "about.md": PAGE.format("About", 1),
    "team.md": PAGE.format("Team", 2),
    "legal/terms.md": PAGE.format("Terms", 3),
    "themes/plain/index.md": "The documents of a theme.\n",
    "_posts/one.md": ARTICLE.format("One"),
    "_posts/two.md": ARTICLE.format("Two"),
    "news/three.md": ARTICLE.format("Three"),
    "news/four.md": ARTICLE.format("Four"),
}
ALL = ["article/four", "article/one", "article/three", "article/two", "page/about", "page/team", "page/terms"]


class Site(Tree):
    """A repository whose top is the content folder, and a server."""

    def configure(self, served: Served, settings: str = TOP + NEWS) -> None:
        self.write("contentsync.toml", settings + TARGET.format(served.recorder.url, served.directory))

    def save(self, subject: str = "x") -> str:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", f"--message={subject}")
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def site(tmp_path: Path, served: Served) -> Site:
    """A committed and synced repository."""
    site = Site(Tree.new(tmp_path / "site").path)
    site.configure(served)
    for path, text in {".gitignore": ".contentsync\n", **FILES}.items():
        site.write(path, text)
    site.save("Begin")
    ran = run(site, served, "sync", "--yes")
    assert ran.code == 0, ran.err
    return site


def run(site: Site, served: Served, command: str, *words: str) -> Ran:
    return contentsync(command, *words, cwd=site.path, env=served.env)


def summary(site: Site, served: Served, *words: str) -> dict[str, Any]:
    """Return what a plan would do, without the counts that are 0."""
    ran = run(site, served, "plan", "--format", "json", *words)
    assert ran.code == 0, ran.err
    counts = ran.document["summary"]
    return {name: count for name, count in counts.items() if count and name in ("create", "update", "delete")}


def on_server(served: Served) -> list[str]:
    return sorted(f"{kind}/{it['slug']}" for kind in ("article", "page") for it in served.get(f"{kind}s")["data"])


def test_the_entries_of_all_folders_are_on_the_server(site: Site, served: Served) -> None:
    assert on_server(served) == ALL
    assert "nothing to do" in run(site, served, "plan").out
    (one,) = (it for it in served.get("articles")["data"] if it["slug"] == "one")
    assert "(/pages/about" in one["markdown"]


@pytest.mark.parametrize("folder", ["_posts", "news"])
def test_a_folder_that_vanished_deletes_nothing(site: Site, served: Served, folder: str) -> None:
    """Neither as one of several paths, nor with a consent to all deletes."""
    shutil.rmtree(site.path / folder)
    for command in (["plan"], ["sync", "--yes", "--allow-deletes", "9"], ["sync", "--yes", "--only", "page"]):
        ran = run(site, served, *command)
        assert ran.code == CONTENT_ERRORS, (command, ran.out, ran.err)
    assert f"{folder}:1:1: no-folder" in run(site, served, "validate").out
    assert on_server(served) == ALL


@pytest.mark.parametrize(
    "settings",
    [
        TOP + '[content.articles]\npath = "news"\n',
        TOP.replace('"*.md", ', "") + NEWS,
        TOP.replace("README.md", "*.md") + NEWS,
        TOP.replace("*.md", "*.markdown") + NEWS,
        '[content.pages]\npath = "legal"\n' + NEWS,
        '[content.pages]\npath = ["legal"]\ninclude = ["terms*"]\n' + NEWS,
    ],
)
def test_entries_that_the_config_no_longer_names_are_not_deleted(site: Site, served: Served, settings: str) -> None:
    """PL-07: they become unmanaged."""
    site.configure(served, settings)
    ran = run(site, served, "plan", "--format", "json")
    assert (ran.code, ran.document["summary"]["delete"], ran.document["summary"]["create"]) == (0, 0, 0), ran.err
    assert run(site, served, "sync", "--yes").code == 0
    assert on_server(served) == ALL


def test_a_file_that_is_deleted_is_deleted_on_the_server(site: Site, served: Served) -> None:
    (site.path / "team.md").unlink()
    (site.path / "news/three.md").unlink()
    assert summary(site, served) == {"delete": 2}
    ran = run(site, served, "sync", "--yes")
    assert ran.code == 0, ran.err
    assert on_server(served) == ["article/four", "article/one", "article/two", "page/about", "page/terms"]


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("_posts/one.md", "news/one.md"),
        ("news/three.md", "_posts/2026/tertia.md"),
        ("about.md", "legal/about.md"),
        ("legal/terms.md", "conditions.md"),
        ("about.md", "us.md"),
    ],
)
def test_mv_within_and_between_the_paths_keeps_the_record(site: Site, served: Served, source: str, target: str) -> None:
    ran = run(site, served, "mv", source, target, "--yes")
    assert ran.code == 0, ran.err
    assert (site.path / target).exists() and not (site.path / source).exists()
    assert f"{source} -> {target}" in site.git("status", "--porcelain")
    assert {"create", "delete"}.isdisjoint(summary(site, served))
    assert run(site, served, "validate").code == 0
    moved = target if source == "about.md" else "about.md"
    assert f"(../{moved})" in (site.path / "_posts/two.md").read_text(encoding="utf-8")


def test_mv_renames_an_entry_at_the_top_by_its_slug(site: Site, served: Served) -> None:
    assert run(site, served, "mv", "page/about", "us", "--yes").code == 0
    assert (site.path / "us.md").exists()
    assert {"create", "delete"}.isdisjoint(summary(site, served))


def test_mv_refuses_to_move_the_last_file_of_a_path(site: Site, served: Served) -> None:
    """Git has no empty folders, so that the next command would report a missing one."""
    assert run(site, served, "mv", "news/three.md", "_posts/three.md", "--yes").code == 0
    ran = run(site, served, "mv", "news/four.md", "_posts/four.md", "--yes")
    assert (ran.code, "news/four.md is the last file in news, a path of the articles" in ran.err) == (REFUSED, True)
    site.git("mv", "news/four.md", "_posts/four.md")
    (site.path / "news").rmdir()
    ran = run(site, served, "plan")
    assert (ran.code, "correct or delete the path in contentsync.toml" in ran.err) == (CONTENT_ERRORS, True)
    site.configure(served, TOP + '[content.articles]\npath = "_posts"\n')
    assert {"create", "delete"}.isdisjoint(summary(site, served))


def test_mv_moves_a_file_into_the_content_folder_itself(site: Site, served: Served) -> None:
    assert run(site, served, "mv", "legal/terms.md", ".", "--yes").code == 0
    assert (site.path / "terms.md").exists()
    assert run(site, served, "validate").code == 0


@pytest.mark.parametrize(
    ("source", "target", "reason"),
    [
        ("about.md", "themes/about.md", "themes/about.md would not be read: the config excludes it"),
        ("about.md", "README.md", "README.md would not be read: the config excludes it"),
        ("about.md", "news/about.md", "news/about.md is outside of the pages"),
        ("_posts/one.md", "one.md", "one.md is outside of the articles"),
        ("_posts/one.md", "legal/one.md", "legal/one.md is outside of the articles"),
    ],
)
def test_mv_refuses_a_place_that_is_not_read(site: Site, served: Served, source: str, target: str, reason: str) -> None:
    ran = run(site, served, "mv", source, target, "--yes")
    assert ran.code == REFUSED
    assert reason in ran.err
    assert site.git("status", "--porcelain") == ""


def test_a_new_page_of_the_server_is_written_to_the_top(site: Site, served: Served) -> None:
    served.create("pages", {"slug": "contact", "title": "Contact", "markdown": "Call us."})
    served.create("pages", {"slug": "readme", "title": "Read me", "markdown": "Not that file."})
    served.create(
        "articles", {"slug": "five", "title": "Five", "markdown": "x", "published_at": "2026-03-01T00:00:00Z"}
    )
    ran = run(site, served, "pull", "--yes")
    assert ran.code == 0, ran.err
    assert site.git("status", "--porcelain", "--untracked-files=all").splitlines() == [
        "?? _posts/five.md",
        "?? contact.md",
        "?? page-readme.md",
    ]
    assert summary(site, served) == {}


def test_new_writes_a_page_at_the_top_and_refuses_another_folder(site: Site, served: Served) -> None:
    assert run(site, served, "new", "page/contact").code == 0
    assert (site.path / "contact.md").exists()
    assert run(site, served, "new", "imprint.md").code == 0
    ran = run(site, served, "new", "themes/plain/other.md")
    assert (ran.code, "is not in the folder of a kind" in ran.err) == (WRONG_USAGE, True)
    assert run(site, served, "new", "article/six").code == 0
    assert (site.path / "_posts/six.md").exists()


def test_the_staged_files_at_the_top_are_validated(site: Site, served: Served) -> None:
    site.write("about.md", "---\ntitel: About\n---\n")
    site.git("add", ".")
    site.write("about.md", PAGE.format("About", 1))
    ran = run(site, served, "validate", "--staged", ".")
    assert (ran.code, "about.md:2:1: unknown-key" in ran.out) == (CONTENT_ERRORS, True), ran.out
    site.git("add", ".")
    site.git("rm", "-r", "--quiet", "--cached", "news")
    ran = run(site, served, "validate", "--staged", ".")
    assert (ran.code, "news:1:1: no-folder" in ran.out) == (CONTENT_ERRORS, True), ran.out


def test_the_log_of_a_page_follows_it_to_the_top(tmp_path: Path, served: Served) -> None:
    """The config of each commit says where its pages are."""
    site = Site(Tree.new(tmp_path / "site").path)
    site.configure(served, "")
    site.write("pages/about.md", PAGE.format("Us", 1))
    site.save("Begin")
    site.write("pages/about.md", PAGE.format("About us", 1))
    site.save("Call us differently")
    site.git("mv", "pages/about.md", "about.md")
    site.configure(served, TOP)
    site.write("README.md", "x\n")
    site.write("legal/terms.md", PAGE.format("Terms", 2))
    site.save("Move")
    site.write("about.md", PAGE.format("About", 1))
    site.write("news/other.md", "x\n")
    site.save("Change")
    site.write("other.txt", "x\n")
    site.save("No page")
    found = run(site, served, "log", "page/about", "--format", "json").document
    assert [it["commit"]["subject"] for it in found["changes"]] == ["Change", "Move", "Call us differently", "Begin"]


def test_the_log_finds_a_deleted_page_of_the_top(site: Site, served: Served) -> None:
    site.git("rm", "--quiet", "team.md")
    site.save("Delete")
    site.write("themes/plain/other.md", "x\n")
    site.save("Theme")
    found = run(site, served, "log", "page/team", "--format", "json").document
    subjects = [it["commit"]["subject"] for it in found["changes"] if it["commit"]]
    assert subjects == ["Delete", "Begin"]


def test_a_move_to_another_path_in_git_is_a_rename_and_not_a_delete(site: Site, served: Served) -> None:
    """With the base of a commit in which the config had other paths."""
    base = site.save()
    site.git("mv", "about.md", "legal/imprint.md")
    site.git("mv", "_posts", "blog")
    site.configure(served, TOP + '[content.articles]\npath = ["blog", "news"]\n')
    site.save("Move")
    ran = run(site, served, "plan", "--base", f"git:{base}", "--format", "json")
    assert ran.code == 0, ran.err
    assert (ran.document["summary"]["create"], ran.document["summary"]["delete"]) == (0, 0)
    assert ran.document["moves"] == [{"kind": "page", "from": "about", "to": "imprint"}]


def test_a_base_at_the_top_deletes_what_its_commit_had(site: Site, served: Served) -> None:
    base = site.save()
    site.git("rm", "--quiet", "team.md", "news/three.md")
    site.save("Delete")
    assert summary(site, served, "--base", f"git:{base}") == {"delete": 2}


def test_a_file_that_a_commit_could_not_write_concerns_only_its_kind(site: Site, served: Served) -> None:
    """A theme with a broken link is no page, so that no page counts as unread because of it."""
    (site.path / "themes/broken.md").symlink_to("nowhere.md")
    base = site.save()
    site.git("rm", "--quiet", "team.md")
    site.save("Delete")
    assert summary(site, served, "--base", f"git:{base}") == {"delete": 1}


COMMIT = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"


def test_a_submodule_concerns_the_pages_only_if_include_names_it(site: Site, served: Served) -> None:
    for path in ("themes/shared", "legal/shared"):
        (site.path / path).mkdir(parents=True)
        site.git("update-index", "--add", "--cacheinfo", f"160000,{COMMIT},{path}")
        site.git("commit", "--quiet", "--message=Add")
        ran = run(site, served, "validate")
        is_content = path.startswith("legal")
        assert (f"{path}:1:1: missing-submodule" in ran.out) == is_content
        if not is_content:
            ran = run(site, served, "plan", "--base", "git:HEAD")
            assert (ran.code, "is a submodule" in ran.err) == (0, False)


def test_git_knows_the_files_at_the_top(site: Site) -> None:
    """Their dates, and those that it ignores or does not track."""
    site.write("contact.md", PAGE.format("Contact", 5))
    site.write("themes/new.md", "x\n")
    site.write(".git/info/exclude", "imprint.md\n")
    site.write("imprint.md", PAGE.format("Imprint", 6))
    content = load_content(site.path)
    found = find_untracked(site.path, content.config, [Kind.PAGE], ())
    assert (found.untracked, found.ignored) == (("contact.md",), ("imprint.md",))


@pytest.mark.parametrize("inner", ["", "site/"])
def test_articles_at_the_top_have_the_dates_of_their_commits(tmp_path: Path, inner: str) -> None:
    tree = Tree.new(tmp_path / "site")
    settings = 'path = "."\ninclude = ["*.md"]\ndates = "git"\n'
    tree.write(f"{inner}contentsync.toml", f"[content.articles]\n{settings}")
    tree.write(f"{inner}one.md", "---\ntitle: One\n---\nText\n")
    tree.write("other/two.md", "x\n")
    tree.git("add", ".")
    tree.git("commit", "--quiet", "--message=x", env={"GIT_AUTHOR_DATE": "2020-01-02T00:00:00Z"})
    content = load_content(tree.path / inner)
    assert content.problems == ()
    assert [entry.fields["published_at"] for entry in content.entries] == ["2020-01-02T00:00:00.000000Z"]
