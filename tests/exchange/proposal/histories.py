"""One random history of edits on both sides with `propose`, merges and syncs, and what must be true at its end.

After each round, both sides are equal or the difference is named; no edit of either side is lost; and a second proposal
is empty. The server is a real one over HTTP, the repository a real one, and the command runs as a user calls it.
"""

import random
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...end_to_end.conftest import Ran, contentsync
from ...exit_codes import REFUSED
from ...hooks.repositories import Tree
from ...served import Served

EDITS, SUBMISSIONS = "contentsync/live/edits", "contentsync/live/submissions"
PAGES = ("about", "jobs", "team", "terms")
LISTINGS = ("one", "two", "three")
CATEGORIES = "- {title: Tools, slug: tools, order: 0} # all\n- {title: Saws, slug: saws, parent_id: tools, order: 0}\n"
PAGE = "---\ntitle: '{}'  # the title\nslug: {}\n# a comment\n---\n\n{}\n"

ADOPTED = re.compile(r"that this folder adopted, and did not create, would be deleted.*\n  --allow-deletes (\d+) ")


def play(served: Served, folder: Path, seed: int, rounds: int = 2) -> list[str]:
    """Return what is wrong, and after that the story of how it came to be; nothing if nothing is wrong."""
    history = History(served, Tree.new(folder), random.Random(seed))
    history.begin()
    for _ in range(rounds):
        history.round()
        if history.wrong:
            return [*history.wrong, *(f"  {line}" for line in history.story)]
    return []


@dataclass
class History:
    """A repository and a directory of the server, which both sides edit."""

    served: Served
    tree: Tree
    chance: random.Random
    story: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    _number: int = 0
    _deleted: set[str] = field(default_factory=set)  # pages that the folder has deleted

    def begin(self) -> None:
        """Make the first commit, and sync it."""
        url = self.served.recorder.url
        self.tree.write(
            "contentsync.toml",
            f'[targets.live]\nurl = "{url}"\ndirectory = {self.served.directory}\n'
            'requests_per_minute = 60000\non_drift = "keep"\nprune = true\n'
            "max_deletes = { percent = 100, count = 99 }\n",
        )
        for slug in PAGES:
            self.tree.write(f"pages/{slug}.md", PAGE.format(slug.title(), slug, f"About {slug}."))
        rows = [f'"{name.title()}",https://{name}.example.org/,About {name},tools|Saws' for name in LISTINGS]
        self.tree.write("listings/all.csv", "\n".join(["name,url,description,categories", *rows]) + "\n")
        self.tree.write("categories.yaml", CATEGORIES)
        self._commit("first")
        self._expect(0, self._run("sync", "--yes"))

    def round(self) -> None:
        """Edit both sides, propose, merge, sync, and add what is wrong then."""
        theirs = dict(filter(None, (self._edit_server() for _ in range(self.chance.randint(1, 4)))))
        ours = dict(filter(None, (self._edit_folder() for _ in range(self.chance.randint(0, 2)))))
        self._commit("ours")
        proposed = self._propose()
        named = {
            (each["key"], name)
            for section in ("conflicts", "contested")
            for each in proposed[section]
            for name in each["fields"]
        }
        if left_out := [each for branch in proposed["branches"] for each in branch["left_out"]]:
            self.wrong.append(f"left out: {left_out}")
        self._merge(EDITS)
        self._merge(SUBMISSIONS)
        self._sync()
        plan = self._run("plan", "--format", "json")
        self._expect(0, plan)
        if changes := plan.document["changes"]:
            self.wrong.append(f"the plan is not empty: {changes}")
        for (key, name), value in theirs.items():
            if (key, name) not in named and self._stored(key, name) not in (value, None):
                self.wrong.append(f"lost on the server: {key} {name} {value!r}, now {self._stored(key, name)!r}")
        for (key, name), value in ours.items():
            if key not in self._deleted and value not in self._text_of(key):
                self.wrong.append(f"lost in the folder: {key} {name} {value!r}")
        for (key, name), value in theirs.items():
            # A page that one side has deleted stays deleted there.
            is_there = self._stored(key, name) is not None and self._text_of(key)
            if (key, name) not in named and is_there and value not in self._text_of(key):
                self.wrong.append(f"not taken over: {key} {name} {value!r}")
        again = [branch["state"] for branch in self._propose()["branches"]]
        if not {*again} <= {"none", "withdrawn"}:
            self.wrong.append(f"proposed again: {again}")

    def _edit_server(self) -> tuple[tuple[str, str], str] | None:
        """Edit the server as another user does; return the field and its new value, None for other changes."""
        self._number += 1
        value = f"Theirs {self._number}"
        what = self.chance.choice(
            ["title", "markdown", "description", "description", "submit", "create", "delete", "rename", "move"]
        )
        pages, listings = self._pages(), self._listings()
        if what in ("title", "markdown") and pages:
            page = self.chance.choice(pages)
            fields = {"slug": page["slug"], "title": page["title"], "markdown": page["markdown"], what: value}
            self.served.update(f"pages/{page['id']}", fields)
            return self._noted(f"the server's {page['slug']} {what} = {value}", (page["slug"], what), value)
        if what == "description" and listings:
            listing = self.chance.choice(listings)
            self.served.update(f"projects/{listing['id']}", {"description": value})
            return self._noted(f"the server's {listing['url']} {what} = {value}", (listing["url"], what), value)
        if what == "submit":
            url = f"https://sent{self._number}.example.org/"
            self.served.create("projects", {"name": value, "url": url, "is_active": False})
        elif what == "rename":
            category = self.chance.choice(self.served.get("categories")["data"])
            title = self.chance.choice([category["title"], value])
            value = f"{category['slug']} to their-{self._number}, {title}"
            self.served.update(f"categories/{category['id']}", {"slug": f"their-{self._number}", "title": title})
        elif what == "move" and listings:
            listing = self.chance.choice(listings)
            self.served.update(f"projects/{listing['id']}", {"url": f"https://moved{self._number}.example.org/"})
            value = listing["url"]
        elif what == "create":
            self.served.create("pages", {"title": value, "markdown": "Text."})
        elif what == "delete" and len(pages) > 2:
            page = self.chance.choice(pages)
            self.served.delete(f"pages/{page['id']}")
            value = page["slug"]
        self.story.append(f"the server: {what} {value}")
        return None

    def _noted(self, line: str, name: tuple[str, str], value: str) -> tuple[tuple[str, str], str]:
        self.story.append(line)
        return name, value

    def _edit_folder(self) -> tuple[tuple[str, str], str] | None:
        """Edit a file of the folder, or delete it; return the field and its new value, None for other changes."""
        self._number += 1
        value = f"Ours {self._number}"
        files = sorted((self.tree.path / "pages").glob("*.md"))
        if self.chance.random() < 0.3:
            self._edit_lists()
            return None
        file = self.chance.choice(files)
        if self.chance.random() < 0.15 and len(files) > 2:
            file.unlink()
            self._deleted.add(file.stem)
            self.story.append(f"the folder: delete {file.name}")
            return None
        text = file.read_text(encoding="utf-8")
        old = next(line for line in text.splitlines() if line.startswith("title:"))
        file.write_text(text.replace(old, f"title: '{value}'", 1), encoding="utf-8")
        return self._noted(f"the folder: {file.stem} title = {value}", (file.stem, "title"), value)

    def _edit_lists(self) -> None:
        """Edit a field of a category, and one of a listing that no other edit changes."""
        file = self.tree.path / "categories.yaml"
        orders = file.read_text(encoding="utf-8").split("order: ")
        file.write_text("order: ".join([*orders[:-1], f"{self._number}{orders[-1].lstrip('0123456789')}"]))
        table = self.tree.path / "listings/all.csv"
        table.write_text(table.read_text(encoding="utf-8").replace("One", f"One {self._number}", 1), encoding="utf-8")
        self.story.append(f"the folder: the order of a category and the name of a listing = {self._number}")

    def _sync(self) -> None:
        """Sync, and consent to deletes of records of other users, which a merge has brought into the folder."""
        words = ("sync", "--yes", "--on-conflict", "ours")
        ran = self._run(*words)
        if ran.code == REFUSED and (consent := ADOPTED.search(ran.out)):
            ran = self._run(*words, "--allow-deletes", consent[1])
        self._expect(0, ran)

    def _propose(self) -> Any:
        ran = self._run("propose", "--format", "json")
        self._expect(0, ran)
        return ran.document

    def _merge(self, branch: str) -> None:
        """Merge a branch; after a conflict of git, propose again, which makes the branch from the present commit."""
        for _ in range(2):
            if self.tree.run("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}").returncode:
                return
            merged = self.tree.run("merge", "--quiet", "--no-edit", branch)
            self.story.append(f"merge {branch}: {merged.returncode}")
            if merged.returncode == 0:
                return
            self.tree.git("merge", "--abort")
            self._propose()
        self.wrong.append(f"{branch} cannot be merged")

    def _run(self, *words: str) -> Ran:
        return contentsync(words[0], self.tree.path, *words[1:], env=self.served.env)

    def _expect(self, code: int, ran: Ran) -> None:
        if ran.code != code:
            self.wrong.append(f"exit code {ran.code}: {ran.out[-500:]} {ran.err[-500:]}")

    def _commit(self, message: str) -> None:
        self.tree.git("add", "--all", ".")
        self.tree.git("commit", "--quiet", "--allow-empty", f"--message={message}")

    def _pages(self) -> list[Any]:
        return sorted(self.served.get("pages?per_page=100")["data"], key=lambda page: str(page["slug"]))

    def _listings(self) -> list[Any]:
        return sorted(self.served.get("projects?per_page=100")["data"], key=lambda listing: str(listing["url"]))

    def _stored(self, key: str, name: str) -> Any:
        records = self._listings() if key.startswith("https:") else self._pages()
        return next((record[name] for record in records if key in (record.get("slug"), record.get("url"))), None)

    def _text_of(self, key: str) -> str:
        """Return the text in which the folder has an entry; "" if it has none."""
        if key.startswith("https:"):
            return "".join(file.read_text(encoding="utf-8") for file in (self.tree.path / "listings").iterdir())
        file = self.tree.path / f"pages/{key}.md"
        return file.read_text(encoding="utf-8") if file.exists() else ""
