"""Commits and failures: each sync may be killed, refused or cut off, and others may edit the server meanwhile.

With one writer, no run refuses because of a conflict. With a second writer and `on_drift = "fail"`, no run changes what
that writer has edited. In the end the server has exactly the content of the last commit, after at most two more runs
that nothing disturbs, and a third run has nothing to write.
"""

from collections.abc import Iterator

from ..properties.folders import CONFIG
from . import any_kind, content, oracles, troubles
from .content import FOLDERS
from .desk import Desk
from .engine import History, Profile
from .others import SecondWriter
from .routes import ByHand
from .steps import merge, revert, work

MORE_RUNS = 2


def failures(*, second_writer: bool = False) -> Profile:
    """Return the profile, with one writer or two."""
    commits = {work(any_kind.ACTS, (1, 1, 2, 3, 5)): 10, revert: 2, merge: 1}
    others = {_edit_server: 3} if second_writer else {_undo: 1}
    return Profile(
        begin=lambda history: begin(history, second_writer=second_writer),
        steps={**commits, sync: 2, _troubled_sync: 4, **others},
        oracles=(_no_edit_is_overwritten if second_writer else _nothing_is_refused,),
        last=(sync, _heal),
        ending=(_converged,),
        length=(9, 20),
        routes=("hook", "action", "folder"),
    )


def begin(history: History, *, second_writer: bool = False) -> str:
    """Commit a small site."""
    drift = "fail" if second_writer else "keep"
    limits = "max_deletes = { percent = 100, count = 1000 }"
    history.configure(CONFIG, f'prune = true\non_drift = "{drift}"\n{limits}\n')
    desk = Desk({folder: [] for folder in FOLDERS}, history.draw)
    any_kind.first(desk)
    content.write(desk.site, history.folder)
    history.commit("first")
    history.route.first()
    if second_writer:
        history.notes["writer"] = SecondWriter(history.server, history.dice)
    return "begin"


def sync(history: History, trouble: troubles.Trouble | None = None) -> str:
    """Sync, perhaps with a trouble."""
    if trouble:
        trouble.begin(history.server)
    said = history.sync()
    troubles.end(history.server)
    return f"sync, {trouble or 'no trouble'}: {said.end}"


def _troubled_sync(history: History) -> str:
    return sync(history, troubles.drawn(history.dice))


def _edit_server(history: History) -> str:
    return str(history.notes["writer"].act())


def _undo(history: History) -> str:
    """Sync a commit, undo the run, and sync again."""
    if not isinstance(history.route, ByHand):
        return ""
    story = [sync(history), work(any_kind.ACTS)(history), sync(history)]
    if history.server.records() == history.before:  # an undo would undo an earlier run
        return "; ".join(story)
    history.said = history.route.undo()
    story.append(f"undo: {history.said.end}")
    history.wrong += [f"undo: {each}" for each in oracles.differing(history.server.records(), history.before)]
    return "; ".join([*story, sync(history)])


def _heal(history: History) -> str:
    """Sync again without trouble, after the second writer has undone the edits."""
    if writer := history.notes.get("writer"):
        writer.take_back()
    said = []
    for _ in range(MORE_RUNS):
        history.said = history.route.again()
        said.append(history.said.end)
        if not writer:
            history.wrong += _nothing_is_refused(history)
    return f"sync again: {'; '.join(said)}"


def _nothing_is_refused(history: History) -> Iterator[str]:
    if history.said and history.said.refused:
        yield f"refused: with one writer, a run refused: {history.said.end}"


def _no_edit_is_overwritten(history: History) -> Iterator[str]:
    yield from history.notes["writer"].overwritten()


def _converged(history: History) -> Iterator[str]:
    """The server has the content of the last commit, and one more run writes nothing."""
    writer = history.notes.get("writer")
    yield from oracles.differing(history.server.records(), history.server.expected(history.folder), writer)
    requests = history.server.stage.proxy.requests
    requests.clear()
    history.commit("empty")
    history.route.deliver()
    writes = [f"{method} {path}" for method, path in requests if method != "GET"]
    if writes or not requests:
        yield f"not empty: {MORE_RUNS} more runs leave something to write: {writes or 'nothing was even read'}"
