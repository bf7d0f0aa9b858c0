"""`contentsync mv` against a server: the record gets a new address, and nothing is deleted (docs/rename.md)."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from contentsync.git import environ_without_hook, git_read

from ..serving import make_tenant, serving
from .conftest import contentsync

FILES = {
    "categories.yaml": "# Ours\r\n- title: 'Hand tools'\r\n  slug: tools # short\r\n",
    "listings/a.csv": 'name,slug,categories\r\nSaw,saw,"tools"\r\nVice,vice,Hand tools\r\n',
    "listings/b.yaml": "- name: Plane # wooden\n  slug: plane\n  categories: [ 'tools' ]\n",
    "articles/about.md": "---\ntitle: 'About' # us\npublished_at: 2026-03-01\n---\nSee [help](../pages/help.md).\n",
    "articles/about.fr.md": "---\ntitle: À propos\n---\nVoir [aide](../pages/help.md).\n",
    "pages/help.md": "---\ntitle: Help\n---\n[a](/blog/about/), [b][us], [[about]]\r\n\n[us]: ../articles/about.md\n",
    "pages/more.md": '---\ntitle: More\n---\n<a href="/fr/blog/about/">a</a> [c](/categories/tools/)\n',
}


def git(folder: Path, *words: str) -> str:
    """Run git in a folder, and return its output."""
    return git_read(*words, folder=folder, environ=environ_without_hook()).decode()


def write(folder: Path, address: str, directory: int) -> None:
    config = f'[site]\nname = "Tools"\nlocales = ["en", "fr"]\n[targets.production]\nurl = "{address}"\n'
    config += f'directory = {directory}\ntoken_env = "TOKEN"\nrequests_per_minute = 60000\n'
    for path, text in {"contentsync.toml": config, ".gitignore": ".contentsync/\n", **FILES}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text.encode())
    git(folder, "init", "--quiet")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "--message=Site")


def test_a_renamed_article_and_category_move_to_new_addresses(tmp_path: Path) -> None:
    folder = tmp_path / "site"
    database = f"sqlite:///{tmp_path / 'server.db'}"
    directory, token = make_tenant(database, "tools", locales=("en", "fr"))
    with serving(database) as server:
        write(folder, server.address, directory)

        def command(*arguments: str) -> str:
            ran = contentsync(*arguments, cwd=folder, env={"TOKEN": token})
            assert ran.code == 0, (arguments, ran.out, ran.err)
            return ran.out

        command("sync", "--yes", "--quiet")
        command("mv", "articles/about.md", "articles/team.md", "--yes")
        document = json.loads(command("mv", "category/tools", "kit", "--yes", "--format", "json"))
        assert (document["from"], document["to"]) == ("tools", "kit")
        assert [it["path"] for it in document["changed"]] == ["listings/a.csv", "listings/b.yaml", "pages/more.md"]

        assert git(folder, "status", "--porcelain", "--", "articles").splitlines() == [
            "R  articles/about.fr.md -> articles/team.fr.md",
            "RM articles/about.md -> articles/team.md",
        ]
        git(folder, "add", ".")
        changes = git(folder, "diff", "--cached", "--numstat", "--find-renames=30%").splitlines()
        assert sorted(change.split("\t")[:2] for change in changes) == sorted(
            [["2", "0"], ["0", "0"], ["3", "1"], ["1", "1"], ["1", "1"], ["2", "2"], ["1", "1"]]
        )

        plan = json.loads(command("plan", "--format", "json"))
        assert (plan["summary"]["create"], plan["summary"]["delete"]) == (0, 0)
        assert plan["moves"] == [
            {"kind": "category", "from": "tools", "to": "kit"},
            {"kind": "article", "from": "about", "to": "team"},
        ]
        command("sync", "--yes", "--quiet")
        assert "nothing to do" in command("plan", "--detailed-exitcode")
        former, present = ("blog/about", "categories/tools"), ("blog/team", "categories/kit")
        statuses = [server.ask("HEAD", f"/sites/tools/{path}/")[0] for path in (*former, *present)]
        assert statuses == [301, 301, 200, 200]
    after = {path: (folder / path.replace("about", "team")).read_bytes().decode() for path in FILES}
    help_page = FILES["pages/help.md"].replace("about", "team").replace("[[team]]", "[[team|about]]")
    assert after["pages/help.md"] == help_page
    assert after["pages/more.md"] == FILES["pages/more.md"].replace("about", "team").replace("tools", "kit")
    assert after["listings/a.csv"] == FILES["listings/a.csv"].replace('"tools"', '"kit"')
    assert after["listings/b.yaml"] == FILES["listings/b.yaml"].replace("'tools'", "'kit'")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("page/help", "more", "--yes"), 3, "there is a page more already, in pages/more.md"),
        (("pages/help.md", "articles/help.md", "--yes"), 3, "articles/help.md is outside of the pages"),
        (("page/halp", "aid", "--yes"), 64, "did you mean 'help'?"),
        (("page/help", "aid"), 3, "nothing was written: there is no terminal to ask on"),
        (("page/help", "more", "--keep", "first", "--yes"), 64, "add --merge"),
        (("page/help", "more", "--merge", "--yes"), 3, "mv --merge is for tags, categories and organizers"),
    ],
)
def test_a_refused_rename_writes_nothing(tmp_path: Path, words: tuple[str, ...], code: int, message: str) -> None:
    write(tmp_path, "http://127.0.0.1:9", 1)
    ran = contentsync("mv", *words, cwd=tmp_path)
    assert (ran.code, message in ran.err) == (code, True), ran.err
    assert git(tmp_path, "status", "--porcelain") == ""


def test_a_new_page_with_the_name_of_a_renamed_one_can_be_renamed_too(folder: Path) -> None:
    def command(*arguments: str) -> str:
        ran = contentsync(*arguments, cwd=folder)
        assert ran.code == 0, (arguments, ran.out, ran.err)
        return ran.out

    def write_about(title: str) -> None:
        (folder / "pages/about.md").write_text(f"---\ntitle: {title}\n---\n", encoding="utf-8")

    command("sync", "--yes", "--quiet")
    command("mv", "page/about", "team", "--yes")
    write_about("New")
    command("mv", "page/about", "office", "--yes")
    assert "previous" not in (folder / "pages/office.md").read_text(encoding="utf-8")
    plan = json.loads(command("plan", "--format", "json"))
    assert plan["moves"] == [{"kind": "page", "from": "about", "to": "team"}]
    assert (plan["summary"]["create"], plan["summary"]["delete"]) == (1, 0)

    write_about("Newer")
    command("sync", "--yes", "--quiet")
    command("mv", "page/about", "contact", "--yes")
    assert "about" in (folder / "pages/contact.md").read_text(encoding="utf-8")
    plan = json.loads(command("plan", "--format", "json"))
    assert plan["moves"] == [{"kind": "page", "from": "about", "to": "contact"}]
    assert (plan["summary"]["create"], plan["summary"]["delete"]) == (0, 0)


TREES = {
    "categories.yaml": "- {title: Tools, slug: tools}\n- {title: Kit, slug: kit}\n- {title: Saws, parent_id: tools}\n",
    "tags.yaml": "- {title: Bike, slug: bike}\n- {title: Bicycle, slug: bicycle}\n",
    "listings/all.csv": "name,slug,tags,categories\n" + "".join(f"L{n},l{n},bike,Tools\n" for n in range(40)),
    "pages/help.md": "---\ntitle: Help\n---\n[x](/categories/tools/)\n",
}


def write_trees(folder: Path, prune: str = "") -> None:
    config = f'[site]\nname = "T"\n[targets.local]\nurl = "embedded:.contentsync/site.db"\n{prune}'
    for path, text in {"contentsync.toml": config, **TREES}.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("prune", ["", "prune = false\n"])
def test_a_merged_entry_is_deleted_by_a_sync_with_prune_only(tmp_path: Path, prune: str) -> None:
    write_trees(tmp_path, prune)

    def command(*arguments: str) -> str:
        ran = contentsync(*arguments, cwd=tmp_path)
        assert ran.code == 0, (arguments, ran.out, ran.err)
        return ran.out

    command("sync", "--yes", "--quiet")
    said = command("mv", "tag/bike", "tag/bicycle", "--merge", "--yes").splitlines()[-1]
    assert said.startswith(f"the next sync {'leaves' if prune else 'deletes'} tag bike on the server")
    document = json.loads(command("mv", "category/tools", "kit", "--merge", "--yes", "--format", "json"))
    assert [it["path"] for it in document["changed"]] == ["categories.yaml", "listings/all.csv", "pages/help.md"]
    assert command("redirects") == "from,to\n/categories/tools/,/categories/kit/\n"

    plan = json.loads(command("plan", "--format", "json"))
    assert (plan["summary"]["create"], plan["summary"]["delete"]) == (0, 0 if prune else 2)
    command("sync", "--yes", "--quiet")
    if prune:
        plan = json.loads(command("plan", "--prune", "--format", "json"))
        assert plan["summary"] | {"unchanged": 0} == {**dict.fromkeys(plan["summary"], 0), "delete": 2}
        command("sync", "--prune", "--yes", "--quiet")
    with closing(sqlite3.connect(tmp_path / ".contentsync/site.db")) as database:
        redirects = database.execute("SELECT kind, slug, moved_to FROM moved_addresses").fetchall()
    assert redirects == [("category", "tools", "kit")]
    assert "nothing to do" in command("plan", "--prune", "--detailed-exitcode")
