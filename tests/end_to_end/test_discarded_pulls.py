"""A pull that git discards: other users' changes must be as they were before it, on a real server with real git."""

import subprocess
from pathlib import Path
from typing import Any

import pytest

from ..exit_codes import REFUSED
from ..served import Served
from .conftest import Ran, contentsync

TABLE = "name,url,description\nOne,https://one.example.org/,First\nTwo,https://two.example.org/,Second\n"
ABOUT = "---\ntitle: About\norder: 3\n---\n\nText.\n"
BOBS = "https://bobs.example.org"


class Site:
    """A synced folder in a repository, with a target that prunes and refuses drift."""

    def __init__(self, folder: Path, served: Served) -> None:
        self.folder = folder
        self.served = served
        for name in ("pages", "listings"):
            (folder / name).mkdir(parents=True)
        self.write("listings/all.csv", TABLE)
        self.write("pages/about.md", ABOUT)
        self.write("tags.yaml", "- {title: Red, slug: red}\n")
        self.write(
            "contentsync.toml",
            f'[targets.live]\nurl = "{served.recorder.url}"\ndirectory = {served.directory}\n'
            'requests_per_minute = 60000\nprune = true\non_drift = "fail"\n',
        )
        self.git("init", "-q")
        self.commit()
        assert self.run("sync", "--yes").code == 0

    def write(self, path: str, text: str) -> None:
        (self.folder / path).write_text(text, encoding="utf-8")

    def read(self, path: str) -> str:
        return (self.folder / path).read_text(encoding="utf-8")

    def git(self, *words: str) -> None:
        subprocess.run(["git", *words], cwd=self.folder, check=True, capture_output=True)

    def commit(self) -> None:
        self.git("add", ".")
        self.git("commit", "-qm", "content")

    def discard(self) -> None:
        self.git("checkout", "-q", ".")
        self.git("clean", "-fdq")

    def run(self, command: str, *words: str) -> Ran:
        return contentsync(command, self.folder, *words, env=self.served.env)

    def pull(self, *words: str) -> None:
        ran = self.run("pull", *words)
        assert ran.code == 0, ran.err

    def plan(self, *words: str) -> Any:
        return self.run("plan", "--format", "json", *words).document

    def record(self, path: str, **values: str) -> Any:
        return next(
            each for each in self.served.get(path)["data"] if all(each[name] == value for name, value in values.items())
        )

    def update(self, path: str, key: dict[str, str], **fields: Any) -> None:
        """Change a record as another user does."""
        self.served.update(f"{path}/{self.record(path, **key)['id']}", fields)


@pytest.fixture
def site(tmp_path: Path, served: Served) -> Site:
    return Site(tmp_path / "site", served)


def bob_works(site: Site) -> None:
    """Another user changes one listing and creates another one."""
    site.update("projects", {"name": "One"}, name="One of Bob")
    site.served.create("projects", {"name": "Made by Bob", "url": BOBS})


def names(site: Site) -> set[str]:
    return {each["name"] for each in site.served.get("projects")["data"]}


def refusals(document: Any) -> list[str]:
    return [each["code"] for each in document["refused"]]


ALL = {"One of Bob", "Two", "Made by Bob"}


def test_a_discarded_pull_neither_deletes_nor_overwrites(site: Site) -> None:
    bob_works(site)
    before = site.plan()
    site.pull()
    site.discard()
    after = site.plan()
    assert (after["changes"], after["refused"]) == (before["changes"], before["refused"])
    assert refusals(after) == ["drift"]
    ran = site.run("sync", "--yes")
    assert (ran.code, names(site)) == (REFUSED, ALL)
    assert "changed on the server: listing https://one.example.org (name)" in ran.out


def test_a_record_whose_new_file_was_discarded_is_named_and_stays(site: Site) -> None:
    site.served.create("projects", {"name": "Made by Bob", "url": BOBS})
    site.pull()
    site.discard()
    note = f"1 entry that a pull wrote is not in the folder, and left alone: listing {BOBS}\n  to delete"
    assert note in site.run("plan").out
    assert note in site.run("status").out
    for _ in range(2):  # the second one has forgotten the pull
        assert site.run("sync", "--yes").code == 0
        assert names(site) == {"One", "Two", "Made by Bob"}
    assert "a pull wrote" not in site.run("plan").out


def test_drift_and_status_report_what_was_discarded(site: Site) -> None:
    bob_works(site)
    site.pull()
    site.discard()
    assert "1 changed, 1 new" in site.run("drift").out
    drift = site.run("status", "--format", "json").document["drift"]
    assert drift == [{"kind": "listing", "key": "https://one.example.org", "fields": ["name"]}]


def test_a_pull_is_confirmed_by_a_sync_with_nothing_to_do(site: Site) -> None:
    bob_works(site)
    site.pull()
    assert site.run("sync", "--yes").code == 0
    assert '"pulled":' not in site.read(".contentsync/state/live.jsonl")
    site.discard()
    plan = site.plan()
    assert [(each["action"], each["key"], each["drift"]) for each in plan["changes"]] == [
        ("update", "https://one.example.org", []),
        ("delete", BOBS, []),
    ]


def test_a_pull_that_was_edited_further_is_a_local_change(site: Site) -> None:
    bob_works(site)
    site.pull()
    site.write("listings/all.csv", site.read("listings/all.csv").replace("One of Bob", "One of ours"))
    plan = site.plan()
    assert plan["refused"] == []
    assert [each["fields"]["name"] for each in plan["changes"]] == [{"from": "One of Bob", "to": "One of ours"}]
    assert site.run("sync", "--yes").code == 0
    assert names(site) == {"One of ours", "Two", "Made by Bob"}


def test_each_discarded_file_counts_alone(site: Site) -> None:
    bob_works(site)
    site.update("pages", {"slug": "about"}, slug="about", title="About Bob")
    site.pull()
    site.git("checkout", "-q", "pages/about.md")
    plan = site.plan()
    assert [(each["key"], each["drift"]) for each in plan["changes"]] == [("about", ["title"])]
    assert refusals(plan) == ["drift"]


def test_a_field_that_was_set_back_by_hand_is_drift(site: Site) -> None:
    site.update("pages", {"slug": "about"}, slug="about", title="About Bob", order=5)
    site.pull()
    site.write("pages/about.md", site.read("pages/about.md").replace("order: 5", "order: 3"))
    plan = site.plan()
    assert [(each["key"], each["drift"]) for each in plan["changes"]] == [("about", ["order"])]


def test_a_field_that_the_file_did_not_have_stays_on_the_server(site: Site) -> None:
    site.update("pages", {"slug": "about"}, slug="about", seo={"title": "Of Bob"})
    site.pull()
    assert "Of Bob" in site.read("pages/about.md")
    site.discard()
    assert site.run("sync", "--yes").code == 0
    assert site.record("pages", slug="about")["seo"]["title"] == "Of Bob"


def test_committed_changes_of_the_same_entry_do_not_hide_the_discard(site: Site) -> None:
    site.write("pages/about.md", ABOUT.replace("order: 3", "order: 4"))
    site.commit()
    site.write("pages/about.md", ABOUT.replace("order: 3", "order: 5"))
    site.update("pages", {"slug": "about"}, slug="about", title="About Bob")
    site.pull()
    site.discard()
    plan = site.plan()
    assert [(each["fields"].keys(), each["drift"]) for each in plan["changes"]] == [({"title", "order"}, ["title"])]


def test_local_changes_that_a_pull_replaced_conflict_again(site: Site) -> None:
    site.write("pages/about.md", ABOUT.replace("About", "About us"))
    site.commit()
    site.update("pages", {"slug": "about"}, slug="about", title="About Bob")
    site.pull("--yes")
    site.discard()
    assert refusals(site.plan()) == ["conflict"]


def test_an_entry_that_was_not_managed_needs_consent_again(site: Site) -> None:
    site.served.create("pages", {"slug": "team", "title": "Team of Bob"})
    site.write("pages/team.md", "---\ntitle: Team\n---\n")
    site.commit()
    site.pull("--only", "page/team")
    site.discard()
    assert refusals(site.plan()) == ["adoption"]


def test_two_pulls_are_discarded_together(site: Site) -> None:
    bob_works(site)
    site.pull()
    site.update("projects", {"name": "Made by Bob"}, name="Made by Bob again")
    site.update("projects", {"name": "One of Bob"}, description="Of Bob")
    site.pull()
    site.discard()
    plan = site.plan()
    assert [(each["key"], each["drift"]) for each in plan["changes"]] == [
        ("https://one.example.org", ["name", "description"])
    ]


def test_a_second_pull_is_discarded_back_to_the_commit_of_the_first(site: Site) -> None:
    """So only the change that the second pull brought is drift: a plan reports it, and does not take it for known."""
    bob_works(site)
    site.pull()
    site.commit()
    site.update("projects", {"name": "Made by Bob"}, name="Made by Bob again")
    site.pull()
    site.discard()
    plan = site.plan()
    assert [(each["key"], each["drift"]) for each in plan["changes"]] == [(BOBS, ["name"])]


def test_a_pull_after_a_discard_writes_the_same_again(site: Site) -> None:
    bob_works(site)
    site.pull()
    pulled = site.read("listings/pulled.yaml")
    site.discard()
    site.pull()
    assert site.read("listings/pulled.yaml") == pulled
    site.discard()
    assert refusals(site.plan()) == ["drift"]


def test_a_pull_of_committed_files_leaves_a_later_delete_alone(site: Site) -> None:
    """In a folder that is only pulled."""
    bob_works(site)
    site.pull()
    site.commit()
    site.pull()
    (site.folder / "listings/pulled.yaml").unlink()
    site.pull()
    assert not (site.folder / "listings/pulled.yaml").exists()


def test_a_file_that_is_committed_and_deleted_without_a_sync_stays_on_the_server(site: Site) -> None:
    bob_works(site)
    site.pull()
    site.commit()
    (site.folder / "listings/pulled.yaml").unlink()
    site.commit()
    assert site.run("sync", "--yes").code == 0
    assert names(site) == ALL


def test_a_rename_that_was_pulled_is_discarded_too(site: Site) -> None:
    site.update("pages", {"slug": "about"}, slug="about-bob", title="About")
    site.update("tags", {"slug": "red"}, slug="crimson", title="Red")
    before = site.plan()
    site.pull()
    assert "slug: crimson" in site.read("tags.yaml")
    assert site.plan()["changes"] == []
    site.discard()
    assert site.plan() == before
    assert refusals(before) == ["drift"]


def test_a_pulled_entry_may_be_renamed_before_the_next_sync(site: Site) -> None:
    site.served.create("pages", {"slug": "news", "title": "News", "markdown": "Of Bob."})
    site.update("pages", {"slug": "about"}, slug="about", title="About Bob")
    site.pull()
    for old, new in (("news", "bobs-news"), ("about", "about-us")):
        ran = contentsync("mv", f"page/{old}", new, site.folder, "--yes")
        assert ran.code == 0, ran.err
    plan = site.plan()
    assert [(each["action"], each["previous_key"], each["drift"]) for each in plan["changes"]] == [
        ("update", "about", []),
        ("update", "news", []),
    ]
    assert site.run("sync", "--yes").code == 0
    assert {each["slug"] for each in site.served.get("pages")["data"]} == {"bobs-news", "about-us"}


def test_a_pulled_entry_that_was_deleted_on_the_server_is_not_just_created(site: Site) -> None:
    bob_works(site)
    site.pull()
    site.served.delete(f"projects/{site.record('projects', name='Made by Bob')['id']}")
    assert refusals(site.plan()) == ["drift"]


def test_a_pull_of_some_entries_is_discarded_alone(site: Site) -> None:
    bob_works(site)
    site.pull("--only", f"listing/{BOBS}")
    site.discard()
    assert site.run("sync", "--yes", "--only", "page/about").code == 0
    assert site.run("sync", "--yes", "--on-drift", "keep").code == 0
    assert names(site) == ALL


def test_a_sync_of_other_entries_leaves_a_pull_undecided(site: Site) -> None:
    bob_works(site)
    site.pull()
    assert site.run("sync", "--yes", "--only", "page/about").code == 0
    site.discard()
    assert refusals(site.plan()) == ["drift"]


def test_forgetting_another_entry_leaves_a_pull_undecided(site: Site) -> None:
    (site.folder / "pages/about.md").unlink()
    site.commit()
    bob_works(site)
    site.pull()
    assert contentsync("forget", "page/about", site.folder, env=site.served.env).code == 0
    site.discard()
    assert refusals(site.plan()) == ["drift"]


def test_an_undo_leaves_a_pull_undecided(site: Site) -> None:
    site.write("pages/about.md", ABOUT.replace("3", "4"))
    assert site.run("sync", "--yes").code == 0
    site.commit()
    bob_works(site)
    site.pull()
    assert site.run("undo", "--yes").code == 0
    site.discard()
    assert refusals(site.plan("--only", "listing")) == ["drift"]


def test_propose_offers_what_was_discarded(site: Site) -> None:
    bob_works(site)
    site.pull()
    site.discard()
    out = site.run("propose").out
    assert ("Take over 1 edit from live" in out, "Take over 1 new entry from live" in out) == (True, True)


def test_an_empty_plan_from_before_the_discard_is_not_recalled(site: Site) -> None:
    bob_works(site)
    site.pull()
    assert [site.plan()["changes"] for _ in range(2)] == [[], []]
    site.discard()
    assert refusals(site.plan()) == ["drift"]


def test_a_pull_that_was_killed_before_the_state_was_written_can_be_discarded(site: Site) -> None:
    bob_works(site)
    state = site.read(".contentsync/state/live.jsonl")
    site.pull()
    site.write(".contentsync/state/live.jsonl", state)
    assert site.plan()["changes"] == []
    site.discard()
    assert refusals(site.plan()) == ["drift"]
    assert site.run("sync", "--yes", "--on-drift", "keep").code == 0
    assert names(site) == ALL
