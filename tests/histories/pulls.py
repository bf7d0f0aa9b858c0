"""Changes of the folder and of the server, and pulls."""

import shutil
from collections.abc import Iterable

from hypothesis import strategies as st

from contentsync.content.files.file_names import suffix_of
from contentsync.content.folder.load import load_content
from contentsync.content.formats.table_rows import TABLE_SUFFIXES

from ..properties.folders import Files, folders
from . import another_user, pulling
from .engine import History, Profile
from .pulling import SETTINGS, UNSYNCABLE
from .steps import replace_files, run_with_consent

_ADOPT = ("--adopt", "--no-prune", "--on-drift", "overwrite", "--on-conflict", "ours")
_MOST = 3  # folders of a history


def _begin(history: History) -> str:
    """Sync a folder, which is committed."""
    drawn = history.draw.value(st.lists(folders(), min_size=_MOST, max_size=_MOST))
    history.notes |= {
        "folders": drawn,
        "ends": history.dice.choice(["\n", "\r\n"]),
        "taken": set(),
        "only_renames": False,
    }
    _write(history, drawn.pop())
    history.commit("first")
    history.run("sync", "--yes", *_ADOPT)
    return "sync a folder"


def _our_folder(history: History) -> str:
    """Replace the folder."""
    if history.notes["folders"]:
        _write(history, history.notes["folders"].pop())
        history.notes["taken"].add("ours")
    return "another folder here"


def _our_edits(history: History) -> str:
    """Add a line to some documents."""
    for file in history.folder.rglob("0.md"):
        file.write_bytes(file.read_bytes() + f"Ours.{history.notes['ends']}".encode())
        history.notes["taken"].add("ours")
    return "our edits"


def _our_rename(history: History) -> str:
    """Rename an entry with `mv`, which may refuse it; not one in a table, which notes no former key."""
    entries = [
        entry
        for entry in load_content(history.folder).entries
        if entry.source and suffix_of(entry.source.path) not in TABLE_SUFFIXES
    ]
    if not entries:
        return ""
    entry, new = history.dice.choice(entries), f"b{history.dice.randrange(1000)}"
    history.attempt("mv", f"{entry.kind}/{entry.key}", new, "--yes")
    history.notes["taken"] |= {"ours", "renames"}
    return f"mv {entry} {new}"


def _their_folder(history: History) -> str:
    """Make the server what another folder has, but delete nothing there; not after deletes, which it would revert."""
    if not history.notes["folders"] or "deletes" in history.notes["taken"]:
        return ""
    theirs = history.folder.with_name("theirs")
    replace_files(history, history.notes["folders"].pop(), SETTINGS, theirs)
    ran = history.attempt("sync", str(theirs), "--yes", *_ADOPT)
    shutil.rmtree(theirs)
    history.notes["taken"].add("theirs")
    return f"another folder there: {ran.code}"


def _their_renames(history: History) -> str:
    history.notes["taken"].add("renames")
    return "; ".join(another_user.rename_record(history) for _ in range(history.dice.randint(1, 6)))


def _their_deletes(history: History) -> str:
    history.notes["taken"].add("deletes")
    return "; ".join(another_user.delete_record(history) for _ in range(history.dice.randint(1, 8)))


def _their_edits(history: History) -> str:
    history.notes["taken"] |= {"deletes", "renames"}  # the slug of a page follows its title
    return "; ".join(another_user.edit_record(history) for _ in range(history.dice.randint(1, 6)))


def _write(history: History, files: Files) -> None:
    """Replace the files of the folder, with a comment in each front matter, and before and after each list."""
    replace_files(history, dict(_commented(files)), SETTINGS)
    for file in pulling.files_of(history.folder):
        file.write_bytes(file.read_bytes().replace(b"\n", history.notes["ends"].encode()))


def _commented(files: Files) -> Iterable[tuple[str, str]]:
    for path, text in files.items():
        if path.endswith(".md"):
            yield path, f"{text[:4]}# of {path}\n{text[4:]}"
        elif path.endswith((".yaml", ".toml")) and path != "contentsync.toml":
            yield path, f"# of {path}\n{text}# end of {path}\n"
        else:
            yield path, text


def _sync(history: History) -> str:
    """Sync the folder: nothing is left to do."""
    ran = run_with_consent(history, "sync", "--adopt", "--on-conflict", "ours", "--on-drift", "overwrite")
    codes = {problem["code"] for problem in ran.document.get("problems", ())} if ran.out else set()
    if codes & UNSYNCABLE:
        return ""
    if ran.code:
        history.wrong.append(f"sync: exit code {ran.code}: {ran.err}{ran.out[-500:]}")
    elif (plan := pulling.plan_document(history, "--on-drift", "overwrite")) and plan["changes"]:
        history.wrong.append(f"not empty: {plan['changes']}")
    return "sync"


def _any_pull(history: History) -> str:
    merge, replace, deletes = pulling.merge, pulling.replace, pulling.pull_deletes
    pulls = (merge, merge, replace, pulling.replace_without_base, deletes, pulling.pull_into_empty_folder)
    return history.dice.choice(pulls)(history)


def pulls() -> Profile:
    """Return the profile of any changes."""
    return Profile(
        begin=_begin,
        steps={
            _our_folder: 2,
            _our_edits: 2,
            _our_rename: 1,
            _their_folder: 3,
            _their_edits: 2,
            _their_renames: 1,
            _their_deletes: 2,
        },
        last=(pulling.discarded_pull, _any_pull, _sync),
        length=(1, 3),
        seeds=1_000,
    )


def pulled_renames() -> Profile:
    """Return the profile of renames on both sides, which are merged."""

    def begin(history: History) -> str:
        done = _begin(history)
        history.notes["only_renames"] = True
        return done

    return Profile(
        begin=begin, steps={_their_renames: 2, _our_rename: 1}, last=(pulling.merge, _sync), length=(1, 4), seeds=500
    )
