"""Undos: after edits of both sides, an undo restores the server as it was before the run, and another one the run."""

from ..properties.folders import CONFIG
from . import any_kind, content, oracles
from .content import FOLDERS
from .desk import Desk
from .engine import History, Profile
from .steps import run_with_consent, work

# A slug that a record keeps, a reference to an entry that stays deleted, or a former slug that two entries note.
_ERRORS = {"slug-taken", "unknown-reference", "ambiguous-previous"}
_TITLES = {
    "categories": "title",
    "tags": "title",
    "custom-fields": "label",
    "organizers": "name",
    "projects": "name",
    "pages": "title",
    "articles": "title",
}
_REQUIRED = {"articles": {"markdown": "Theirs."}, "custom-fields": {"type": "text"}}
_TEXTS = {"pages": "markdown", "articles": "markdown", "tags": "icon"}  # the others have a description


def undos(on_drift: str) -> Profile:
    """Return the profile."""
    return Profile(
        begin=lambda history: _begin(history, on_drift),
        steps={work(any_kind.ACTS, (2, 4, 6, 8)): 3, _edit_server: 3, _undo: 2},
        last=(_undo,),
        length=(8, 12),
        names=("aa", "bb", "cc", "dd"),
        seeds=250,
    )


def _begin(history: History, on_drift: str) -> str:
    limits = "max_deletes = { percent = 100, count = 1000 }"
    history.configure(CONFIG, f'prune = true\non_drift = "{on_drift}"\n{limits}\n')
    desk = Desk({folder: [] for folder in FOLDERS}, history.draw)
    any_kind.first(desk)
    content.write(desk.site, history.folder)
    history.commit("first")
    return "begin"


def _undo(history: History) -> str:
    """Sync, undo the run, and undo the undo."""
    before = history.server.records()
    ran = run_with_consent(history, "sync", "--on-conflict", "ours", "--adopt", errors=_ERRORS)
    if ran.code or not ran.document["results"]:
        return "sync"
    after = history.server.records()
    history.counts["undone"] += 1
    for what, wanted in (("undo", before), ("undo of the undo", after)):
        run_with_consent(history, "undo", "--on-drift", "fail")
        history.wrong += [f"{what}: {each}" for each in oracles.differing(history.server.records(), wanted)]
    return "sync, undo, undo of the undo"


def _edit_server(history: History) -> str:
    """Edit the server as another user does."""
    dice, ask = history.dice, history.server.ask
    collection = dice.choice([*_TITLES])
    title = _TITLES[collection]
    records = ask("GET", collection)
    what = dice.choice(("retitle", "describe", "delete", "create", "html"))
    text = f"Edited {history.draw.name()}"
    if what == "create":
        ask("POST", collection, {title: text, **_REQUIRED.get(collection, {})})
    elif not records:
        return ""
    elif what == "delete":
        ask("DELETE", f"{collection}/{dice.choice(records)['id']}")
    else:
        record = dice.choice(records)
        name = title if what == "retitle" else _TEXTS.get(collection, "description")
        key = "name" if collection == "custom-fields" else "slug"
        body = {key: record[key], name: text}
        if collection == "articles":  # its body is in every update
            is_html = what == "html" or not record["is_markdown"]
            body = {"content" if is_html else "markdown": text, title: text if what == "retitle" else record["title"]}
        ask("PUT", f"{collection}/{record['id']}", body)
    return f"the server: {what} of {collection}"
