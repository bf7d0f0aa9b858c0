"""Edits on both sides, of which `propose` makes branches; they are merged, and the merge is synced.

After each round, both sides are equal or the difference is named; no edit of either side is lost; and a second proposal
is empty.
"""

import re
from collections.abc import Iterator
from typing import Any

from ..exit_codes import REFUSED
from . import oracles
from .engine import History, Profile
from .server import TARGET

_BRANCHES = (f"contentsync/{TARGET}/edits", f"contentsync/{TARGET}/submissions")
_PAGES = ("about", "jobs", "team", "terms")
PAGE = "---\ntitle: '{}'  # the title\nslug: {}\n# a comment\n---\n\n{}\n"
_CATEGORIES = "- {title: Tools, slug: tools, order: 0} # all\n- {title: Saws, slug: saws, parent_id: tools, order: 0}\n"
_LISTINGS = ("one", "two", "three")
_SETTINGS = 'on_drift = "keep"\nprune = true\nmax_deletes = { percent = 100, count = 99 }\n'
_SYNC = ("sync", "--yes", "--on-conflict", "ours")
_ADOPTED = re.compile(r"that this folder adopted, and did not create, would be deleted.*\n  --allow-deletes (\d+) ")
_SERVER_EDITS = ("title", "markdown", "description", "description", "submit", "create", "delete", "rename", "move")

_Edit = tuple[tuple[str, str], str]  # the key and the field, and its new value


def _begin(history: History) -> str:
    """Commit a small site, and sync it."""
    history.notes |= {"number": 0, "deleted": set()}  # pages that the folder has deleted
    history.configure("", _SETTINGS)
    for slug in _PAGES:
        _write(history, f"pages/{slug}.md", PAGE.format(slug.title(), slug, f"About {slug}."))
    rows = [f'"{name.title()}",https://{name}.example.org/,About {name},tools|Saws' for name in _LISTINGS]
    _write(history, "listings/all.csv", "\n".join(["name,url,description,categories", *rows]) + "\n")
    _write(history, "categories.yaml", _CATEGORIES)
    history.commit("first")
    history.run("sync", "--yes")
    return "begin"


def _round(history: History) -> str:
    """Edit both sides, propose, merge and sync."""
    dice, notes = history.dice, history.notes
    notes["theirs"] = dict(filter(None, [_edit_server(history) for _ in range(dice.randint(1, 4))]))
    notes["ours"] = dict(filter(None, [_edit_folder(history) for _ in range(dice.randint(0, 2))]))
    history.commit("ours")
    notes["proposed"] = _propose(history)
    for branch in _BRANCHES:
        _merge(history, branch)
    ran = history.attempt(*_SYNC)
    if ran.code == REFUSED and (consent := _ADOPTED.search(ran.out)):
        # A merge has brought records of other users into the folder, which has deleted them since.
        ran = history.attempt(*_SYNC, "--allow-deletes", consent[1])
    if ran.code:
        history.wrong.append(f"sync: exit code {ran.code}: {ran.out[-500:]} {ran.err[-500:]}")
    return "sync"


def _edit_server(history: History) -> _Edit | None:
    """Edit the server as another user does; return the field and its new value, None for other changes."""
    served, dice, number = history.server.served, history.dice, _next(history)
    value, what, pages, listings = f"Theirs {number}", dice.choice(_SERVER_EDITS), _pages(history), _listings(history)
    if what in ("title", "markdown") and pages:
        page = dice.choice(pages)
        fields = {"slug": page["slug"], "title": page["title"], "markdown": page["markdown"], what: value}
        served.update(f"pages/{page['id']}", fields)
        return _noted(history, f"the server's {page['slug']} {what} = {value}", (page["slug"], what), value)
    if what == "description" and listings:
        listing = dice.choice(listings)
        served.update(f"projects/{listing['id']}", {"description": value})
        return _noted(history, f"the server's {listing['url']} {what} = {value}", (listing["url"], what), value)
    if what == "submit":
        url = f"https://sent{number}.example.org/"
        served.create("projects", {"name": value, "url": url, "is_active": False})
    elif what == "rename":
        category = dice.choice(served.get("categories")["data"])
        title = dice.choice([category["title"], value])
        value = f"{category['slug']} to their-{number}, {title}"
        served.update(f"categories/{category['id']}", {"slug": f"their-{number}", "title": title})
    elif what == "move" and listings:
        listing = dice.choice(listings)
        served.update(f"projects/{listing['id']}", {"url": f"https://moved{number}.example.org/"})
        value = listing["url"]
    elif what == "create":
        served.create("pages", {"title": value, "markdown": "Text."})
    elif what == "delete" and len(pages) > 2:
        page = dice.choice(pages)
        served.delete(f"pages/{page['id']}")
        value = page["slug"]
    history.story.append(f"the server: {what} {value}")
    return None


def _edit_folder(history: History) -> _Edit | None:
    """Edit a file of the folder, or delete it; return the field and its new value, None for other changes."""
    dice, number = history.dice, _next(history)
    value = f"Ours {number}"
    files = sorted((history.folder / "pages").glob("*.md"))
    if dice.random() < 0.3:
        _edit_lists(history, number)
        return None
    file = dice.choice(files)
    if dice.random() < 0.15 and len(files) > 2:
        file.unlink()
        history.notes["deleted"].add(file.stem)
        history.story.append(f"the folder: delete {file.name}")
        return None
    text = file.read_text(encoding="utf-8")
    old = next(line for line in text.splitlines() if line.startswith("title:"))
    file.write_text(text.replace(old, f"title: '{value}'", 1), encoding="utf-8")
    return _noted(history, f"the folder: {file.stem} title = {value}", (file.stem, "title"), value)


def _edit_lists(history: History, number: int) -> None:
    """Edit a field of a category, and one of a listing that no other edit changes."""
    orders = _text(history, "categories.yaml").split("order: ")
    last = f"{number}{orders[-1].lstrip('0123456789')}"
    _write(history, "categories.yaml", "order: ".join([*orders[:-1], last]))
    _write(history, "listings/all.csv", _text(history, "listings/all.csv").replace("One", f"One {number}", 1))
    history.story.append(f"the folder: the order of a category and the name of a listing = {number}")


def _propose(history: History) -> Any:
    ran = history.run("propose", "--format", "json")
    return {"branches": [], "conflicts": [], "contested": []} if ran.code else ran.document


def _merge(history: History, branch: str) -> None:
    """Merge a branch; after a conflict of git, propose again, which makes the branch from the present commit."""
    tree = history.route.tree
    for _ in range(2):
        if tree.run("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}").returncode:
            return
        merged = tree.run("merge", "--quiet", "--no-edit", branch)
        history.story.append(f"merge {branch}: {merged.returncode}")
        if merged.returncode == 0:
            return
        tree.git("merge", "--abort")
        _propose(history)
    history.wrong.append(f"{branch} cannot be merged")


def _nothing_is_left_out(history: History) -> Iterator[str]:
    branches = history.notes.get("proposed", {"branches": []})["branches"]
    if left_out := [each for branch in branches for each in branch["left_out"]]:
        yield f"left out: {left_out}"


def _no_edit_is_lost(history: History) -> Iterator[str]:
    """Both sides have the edits of both, unless the proposal names the difference."""
    proposed, theirs, ours = (history.notes.get(name, {}) for name in ("proposed", "theirs", "ours"))
    differences = [*proposed.get("conflicts", ()), *proposed.get("contested", ())]
    named = {(each["key"], name) for each in differences for name in each["fields"]}
    for (key, name), value in theirs.items():
        if (key, name) in named:
            continue
        stored, text = _stored(history, key, name), _text_of(history, key)
        if stored not in (value, None):
            yield f"lost on the server: {key} {name} {value!r}, now {stored!r}"
        if stored is not None and text and value not in text:  # a page that one side has deleted stays deleted there
            yield f"not taken over: {key} {name} {value!r}"
    for (key, name), value in ours.items():
        if key not in history.notes["deleted"] and value not in _text_of(history, key):
            yield f"lost in the folder: {key} {name} {value!r}"


def _nothing_is_proposed_again(history: History) -> Iterator[str]:
    again = {branch["state"] for branch in _propose(history)["branches"]}
    if not again <= {"none", "withdrawn"}:
        yield f"proposed again: {again}"


def _noted(history: History, line: str, name: tuple[str, str], value: str) -> _Edit:
    history.story.append(line)
    return name, value


def _next(history: History) -> int:
    history.notes["number"] += 1
    return int(history.notes["number"])


def _pages(history: History) -> list[Any]:
    return sorted(history.server.served.get("pages?per_page=100")["data"], key=lambda page: str(page["slug"]))


def _listings(history: History) -> list[Any]:
    return sorted(history.server.served.get("projects?per_page=100")["data"], key=lambda each: str(each["url"]))


def _stored(history: History, key: str, name: str) -> Any:
    records = _listings(history) if key.startswith("https:") else _pages(history)
    return next((record[name] for record in records if key in (record.get("slug"), record.get("url"))), None)


def _text_of(history: History, key: str) -> str:
    """Return the text in which the folder has an entry; "" if it has none."""
    if key.startswith("https:"):
        return "".join(file.read_text(encoding="utf-8") for file in (history.folder / "listings").iterdir())
    return _text(history, f"pages/{key}.md")


def _text(history: History, path: str) -> str:
    file = history.folder / path
    return file.read_text(encoding="utf-8") if file.exists() else ""


def _write(history: History, path: str, text: str) -> None:
    file = history.folder / path
    file.parent.mkdir(exist_ok=True)
    file.write_text(text, encoding="utf-8")


PROPOSALS = Profile(
    begin=_begin,
    steps={_round: 1},
    oracles=(_nothing_is_left_out, oracles.plan_is_empty, _no_edit_is_lost, _nothing_is_proposed_again),
    length=(2, 2),
    seeds=1_000,
)
