"""The steps of authors that several profiles draw from: commits, reverts and merges."""

from collections.abc import Sequence

from contentsync.content.folder.load import load_content

from ..end_to_end.conftest import Ran
from ..exit_codes import REFUSED
from . import any_kind, content
from .content import DOCUMENTS
from .desk import Acts, Desk
from .engine import History, Step

NUMBERS = (1, 1, 1, 2, 2, 3)  # of acts in a commit


def work(acts: Acts, numbers: Sequence[int] = NUMBERS, folders: Sequence[str] = ()) -> Step:
    """Return a step that commits a few acts; those on any kind change entries of these folders, by default of all."""

    def commit(history: History) -> str:
        return take_acts(history, acts, history.dice.choice(numbers), folders=folders)

    return commit


def take_acts(
    history: History, acts: Acts, number: int, touched: Sequence[str] = (), folders: Sequence[str] = ()
) -> str:
    """Commit acts, and add to the numbers of entries that were created and deleted."""
    desk = Desk(content.read(history.folder), history.draw, touched, folders)
    chosen = history.dice.choices([*acts], [*acts.values()], k=number)
    done = ", ".join(filter(None, [act(desk) for act in chosen]))
    content.write(desk.site, history.folder)
    for name in ("created", "deleted"):
        history.notes[name] = history.notes.get(name, 0) + getattr(desk, name)
    history.commit(done or "nothing")
    return done


def sync_with_consent(history: History) -> Ran:
    """Sync by hand, after a refusal with the consent that it names."""
    words = ("sync", "--yes", "--format", "json")
    history.counts["syncs"] += 1
    ran = history.attempt(*words)
    refusals = ran.document["refused"] if ran.code == REFUSED else []
    flags = {refusal["flag"] for refusal in refusals}
    if refusals and None not in flags:
        history.counts["refused"] += 1
        history.story += [f"refused: {refusal['message']}" for refusal in refusals]
        ran = history.attempt(*words, *(word for flag in sorted(flags) for word in flag.split()))
    if ran.code:
        history.wrong.append(f"sync: exit code {ran.code}: {ran.err}")
    return ran


def revert(history: History) -> str:
    """Revert one of the last commits, unless git refuses or the content would have errors."""
    tree = history.route.tree
    if tree.commits < 2:
        return ""
    back = history.dice.choice((0, 0, 0, 1, 2)) if tree.commits > 3 else 0
    start = tree.git("rev-parse", "HEAD")
    if tree.run("revert", "--no-edit", f"HEAD~{back}").returncode:
        tree.run("revert", "--abort")
        return ""
    return _unless_wrong(history, start, f"revert HEAD~{back}")


def merge(history: History) -> str:
    """Merge a branch with other documents, unless git refuses or the content would have errors."""
    tree = history.route.tree
    start = tree.git("rev-parse", "HEAD")
    tree.git("checkout", "--quiet", "-b", "side")
    side = take_acts(history, any_kind.ACTS, 2, folders=DOCUMENTS)
    tree.git("checkout", "--quiet", "main")
    here = take_acts(history, any_kind.ACTS, 2)
    done = tree.run("merge", "--quiet", "--no-ff", "--no-edit", "side")
    if done.returncode:
        tree.git("merge", "--abort")
    tree.git("branch", "--quiet", "-D", "side")
    how = ", which git refuses" if done.returncode else ""
    return _unless_wrong(history, start, f"merge ({side}) into ({here}){how}")


def _unless_wrong(history: History, start: str, done: str) -> str:
    """Return to a commit if the content has errors now; return what was done."""
    if load_content(history.folder).errors:
        history.route.tree.git("reset", "--quiet", "--hard", start)
        return ""
    return done
