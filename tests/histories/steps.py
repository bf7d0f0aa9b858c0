"""The steps of authors that several profiles draw from: commits, reverts and merges."""

import shutil
from collections.abc import Sequence
from pathlib import Path

from contentsync.content.folder.load import load_content

from ..end_to_end.conftest import Ran
from ..exit_codes import REFUSED
from ..properties.folders import Files, write
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
    """Sync by hand, after a refusal with the consent that it names; any exit code but 0 is wrong."""
    ran = run_with_consent(history, "sync")
    if ran.code:
        history.wrong.append(f"sync: exit code {ran.code}: {ran.err}{ran.out[-500:]}")
    return ran


def run_with_consent(history: History, command: str, *options: str, consents: tuple[str, ...] = ("--allow-",)) -> Ran:
    """Run a command by hand, after a refusal with the consents that it names, if they begin with `consents`."""
    words = (command, "--yes", "--format", "json", *options)
    history.counts[f"{command}s"] += 1
    ran = history.attempt(*words)
    refusals = ran.document.get("refused", []) if ran.code == REFUSED else []
    flags = {refusal["flag"] or "" for refusal in refusals}
    if refusals and all(flag.startswith(consents) for flag in flags):
        history.counts["refused"] += 1
        history.story += [f"refused: {refusal['message']}" for refusal in refusals]
        ran = history.attempt(*words, *(word for flag in sorted(flags) for word in flag.split()))
    return ran


def replace_files(history: History, files: Files, settings: str, folder: Path | None = None) -> None:
    """Replace all files of a folder, by default ours, but not what earlier runs have saved there."""
    folder = folder or history.folder
    for path in folder.iterdir() if folder.exists() else ():
        if path.is_dir() and path.name != ".contentsync":
            shutil.rmtree(path)
        elif path.is_file():
            path.unlink()
    config = files["contentsync.toml"] + history.server.target(settings)
    write({**files, "contentsync.toml": config}, folder)


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
