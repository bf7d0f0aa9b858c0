"""Undo straight after a run: the server is as it was before the run, and an undo of the undo brings the run back."""

from ..properties.folders import CONFIG
from . import alike, another_user, content
from .engine import History, Profile
from .oracles import differing
from .steps import run_with_consent

_SETTINGS = "prune = true\nmax_deletes = { percent = 100, count = 1000 }\n"
_CONSENTS = ("--allow-deletes", "--allow-clears")  # that a run may need
# A slug that a record keeps, a reference to an entry that stays deleted, or a random note of a former name that
# another entry contradicts.
_UNSYNCABLE = {"slug-taken", "unknown-reference", "ambiguous-previous"}


def _begin(history: History) -> str:
    history.configure(CONFIG, _SETTINGS)
    return _sync(history)


def _take_back(history: History) -> str:
    """Edit the server, sync another folder, undo that sync, and undo the undo."""
    story = [another_user.edit_record(history) for _ in range(history.dice.randint(0, 6))]
    story.append(_sync(history))
    if not history.notes["results"]:
        return "; ".join(filter(None, story))
    before, after = history.before, history.server.records()
    for expected in (before, after):
        ran = run_with_consent(history, "undo", consents=_CONSENTS)
        if ran.code:
            history.wrong.append(f"undo: exit code {ran.code}: {ran.err}{ran.out[-500:]}")
            break
        history.wrong += [f"undo: {each}" for each in differing(history.server.records(), expected)]
    return "; ".join(filter(None, [*story, "undo, and undo the undo"]))


def _sync(history: History) -> str:
    """Sync another folder; some cannot be synced, and their content is reported before anything is written."""
    content.write(alike.folder(history.draw), history.folder)
    history.before, history.notes["results"] = history.server.records(), []
    on_drift = history.dice.choice(["overwrite", "keep"])
    options = ("--adopt", "--on-conflict", "ours", "--on-drift", on_drift)
    ran = run_with_consent(history, "sync", *options, consents=_CONSENTS)
    if ran.code == 0:
        history.notes["results"] = ran.document["results"]
        return f"sync another folder, on_drift {on_drift}"
    codes = {problem["code"] for problem in ran.document.get("problems", [])} if ran.out else set()
    if not codes or not codes <= _UNSYNCABLE:
        history.wrong.append(f"sync: exit code {ran.code}: {ran.err}{ran.out[-500:]}")
    return f"a folder that cannot be synced: {codes}"


UNDOS = Profile(begin=_begin, steps={_take_back: 1}, length=(1, 3), names=alike.NAMES, seeds=500)
