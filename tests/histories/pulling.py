"""Pulls of each form, and what must be true after them.

A pull leaves a valid folder with the comments and the line ends of its authors. Another pull has nothing to write. The
next sync writes only what a merging pull has left alone. A discarded pull leaves the plan as it was before.
"""

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from contentsync.content.folder.load import load_content
from contentsync.sync.comparing.base import Base
from contentsync.sync.planning.plan import DELETED_REASON, Policy, Selection
from contentsync.sync.planning.plan_builder import make_plan
from contentsync.sync.planning.pull_notes import settle_pulls
from contentsync.sync.state.state_dir import StateDir
from contentsync.sync.state.state_file import read_state

from ..end_to_end.conftest import Ran
from ..exit_codes import REFUSED
from ..properties.folders import CONFIG
from .engine import History
from .server import TARGET
from .steps import replace_files

SETTINGS = "max_deletes = { percent = 100, count = 1000 }\n"
UNSYNCABLE = {"slug-taken", "unknown-reference"}  # both sides together are not valid
_PRUNING = ("--prune", "--on-drift", "overwrite")
_ALLOWED = re.compile(r"--allow-deletes \d+")


def pull_into_empty_folder(history: History) -> str:
    """Pull into a folder without entries, which then has what the server has."""
    empty = history.folder.with_name("empty")
    replace_files(history, {"contentsync.toml": CONFIG}, SETTINGS, empty)
    for words in (("pull",), ("plan", "--adopt"), ("pull",)):
        ran = history.run(*words, str(empty), "--format", "json")
        document = {} if ran.code else ran.document
        if document.get("changes") or document.get("summary", {}).get("unmanaged"):
            history.wrong.append(f"another content after a pull: {document['changes']}, {document['summary']}")
    if document.get("written"):
        history.wrong.append(f"pulled again: {document['written']}")
    shutil.rmtree(empty)
    return "pull into an empty folder"


def discarded_pull(history: History) -> str:
    """Pull, and restore the files: the plan is as it was before."""
    before = plan_document(history, *_PRUNING)
    if before is None:
        return ""
    history.commit("before a pull")
    pull = history.dice.choice([merge, replace, pull_deletes])
    done = pull(history)
    if not done:
        return ""
    tree = history.route.tree
    tree.git("reset", "--quiet", "--hard")
    tree.git("clean", "--quiet", "-d", "--force")
    after = plan_document(history, *_PRUNING)
    if after is None:
        history.wrong.append("a discarded pull leaves a folder that cannot be planned")
    elif found := (_changes(after) ^ _changes(before)) | (_codes(after) ^ _codes(before)):
        history.wrong.append(f"a discarded pull leaves another plan: {found}")
    return f"{done}; discard it"


def replace_without_base(history: History) -> str:
    """Pull everything into a folder that was never synced."""
    shutil.rmtree(history.folder / ".contentsync", ignore_errors=True)
    return replace(history)


def replace(history: History) -> str:
    """Take over all values of the server; only entries that the server lacks differ then."""
    pulled = _pull(history, "--yes")
    if pulled is None or not (plan := plan_document(history, "--adopt")):
        return ""
    there = {(str(entry.kind), entry.key) for entry in history.server.entries()}
    only_here = {(change["kind"], change["key"]) for change in plan["changes"]}
    if (both := only_here & there) or plan["summary"]["unmanaged"]:
        history.wrong.append(f"not pulled: {both}, {plan['summary']['unmanaged']} unmanaged")
    return "pull --yes"


def merge(history: History) -> str:
    """Take over the changes of the server; the next plan only writes those of the folder."""
    pulled = _pull(history)
    if pulled is None or not (plan := plan_document(history)):
        return ""
    taken, left_alone = history.notes["taken"], {(each["kind"], each["key"]): each for each in pulled["left_alone"]}
    if "renames" not in taken:  # a pull has named the entries as before it
        for change in plan["changes"]:
            left = left_alone.get((change["kind"], change["key"]), {"fields": (), "conflicts": ()})
            if change["action"] != "update":
                continue
            if not change["fields"].keys() <= {*left["fields"]} or not {*change["drift"]} <= {*left["conflicts"]}:
                history.wrong.append(f"a merged entry differs: {change}, left alone: {left}")
    if "ours" not in taken and not taken >= {"renames", "theirs"} and (left_alone or pulled["not_written"]):
        history.wrong.append(f"without changes of the folder, left alone: {left_alone}, {pulled['not_written']}")
    created = [change for change in plan["changes"] if change["action"] == "create"]
    if history.notes["only_renames"] and (created or pulled["not_written"]):
        history.wrong.append(f"a renamed entry is new, or not written: {created}, {pulled['not_written']}")
    if history.notes["only_renames"] and "ours" not in taken:
        plan = plan_document(history, *_PRUNING)
        if plan and (plan["changes"] or plan["kept"] or plan["summary"]["unmanaged"]):
            history.wrong.append(f"renames of the server are not pulled: {plan}")
    return "pull"


def pull_deletes(history: History) -> str:
    """Remove the entries that were deleted on the server; each of them leaves the folder, or stays with a reason."""
    before = {(str(entry.kind), entry.key) for entry in load_content(history.folder).entries}
    pulled = _pull(history, "--deletes")
    if pulled is None:
        return ""
    content = load_content(history.folder)
    after = {(str(entry.kind), entry.key) for entry in content.entries}
    gone = {(each["kind"], each["key"]) for each in pulled["written"] if each["action"] == "delete"}
    kept = {(each["kind"], each["key"]) for each in pulled["deleted_there"]}
    if "renames" not in history.notes["taken"] and before - after != gone:
        history.wrong.append(f"removed {before - after}, not {gone}")
    if not kept <= after:
        history.wrong.append(f"not kept: {kept - after}")
    if plan := plan_document(history, "--on-drift", "overwrite", "--on-conflict", "ours"):
        created = {(change["kind"], change["key"]) for change in plan["changes"] if change["action"] == "create"}
        if back := gone & created:
            history.wrong.append(f"a removed entry would be created: {back}")
        if missing := kept - created:
            history.wrong.append(f"a kept entry would not be created again: {missing}")
    _check_base(history, gone)
    return f"pull --deletes: {len(gone)} removed, {len(kept)} kept"


def _check_base(history: History, gone: set[tuple[str, str]]) -> None:
    """The base forgets a removed entry only if neither side has it."""
    content, actual = load_content(history.folder), history.server.entries()
    confirmed = settle_pulls(_base(history), content.entries, actual, Selection().covers)
    policy = Policy(prune=True, on_drift="overwrite")
    plan = make_plan(content.entries, actual, base=confirmed, policy=policy)
    planned = {(str(change.kind), change.key) for change in plan.changes}
    if back := gone & planned:
        history.wrong.append(f"planned after a pull has removed it: {back}")
    known = {*plan.base_removals} | {applied.identity for applied in plan.base_updates} | confirmed.keys()
    if forgotten := gone - {(str(kind), key) for kind, key in known}:
        history.wrong.append(f"the base has forgotten: {forgotten}")


def _pull(history: History, *options: str) -> Any:
    """Pull, and check what is true after every pull; return its document, None if both sides together are not valid."""
    texts = {file: file.read_bytes() for file in files_of(history.folder)}
    ran = _pull_with_consent(history, *options)
    document = ran.document if ran.out else {}
    if "written" not in document:
        codes = {problem["code"] for problem in document.get("problems", ())}
        if ran.code != REFUSED and not codes & UNSYNCABLE:
            history.wrong.append(f"pull: exit code {ran.code}: {ran.err}{ran.out[-500:]}")
        history.counts["pulls refused"] += 1
        return None
    history.counts[f"pulls {' '.join(options)}"] += 1
    content = load_content(history.folder)
    if content.errors:
        history.wrong.append(f"a pull leaves errors: {content.errors}")
        return None
    history.wrong += _texts_are_kept(texts, history.notes["ends"])
    if "renames" not in history.notes["taken"]:  # a new entry with a former key may look like a discarded rename
        base = _base(history)
        settled = settle_pulls(base, content.entries, history.server.entries(), Selection().covers)
        confirmed = {key: applied._replace(before_pull=None) for key, applied in base.items()}
        if dict(settled) != confirmed:
            history.wrong.append("a pull that was not discarded is not confirmed")
    if "--deletes" not in options:  # an entry that stays because another one refers to it may go with the next pull
        again = _pull_with_consent(history, *options)
        if again.out and again.document.get("written"):
            history.wrong.append(f"pulled again: {again.document['written']}")
    return document


def _pull_with_consent(history: History, *options: str) -> Ran:
    """Pull; with `--deletes`, after a refusal with the consent that it names."""
    words = ("pull", "--format", "json", *options)
    ran = history.attempt(*words)
    if ran.code == REFUSED and "--deletes" in options and (consent := _ALLOWED.search(ran.err)):
        ran = history.attempt(*words, *consent[0].split())
    return ran


def _texts_are_kept(texts: Mapping[Path, bytes], ends: str) -> Iterator[str]:
    """A pull keeps all comments and line ends."""
    for file, data in texts.items():
        if not file.exists():
            continue
        found = file.read_bytes()
        if _comments(found) != _comments(data):
            yield f"lost comments: {file.name}: {_comments(found)}, not {_comments(data)}"
        if ends == "\r\n" and b"\n" in found.replace(b"\r\n", b""):
            yield f"another line end: {file.name}"


def _comments(data: bytes) -> list[str]:
    return [line for line in data.decode().splitlines() if line.startswith(("# of ", "# end of "))]


def plan_document(history: History, *options: str) -> Any:
    """Return the document of a plan; None if both sides together are not valid."""
    ran = history.attempt("plan", "--format", "json", *options)
    if ran.out and "changes" in ran.document:
        return ran.document
    codes = {problem["code"] for problem in ran.document.get("problems", ())} if ran.out else set()
    if not codes or not codes <= UNSYNCABLE:
        history.wrong.append(f"plan: exit code {ran.code}: {ran.err}{ran.out[-500:]}")
    return None


def _changes(plan: Any) -> set[Any]:
    """Each change with its fields, those that another user has changed, and whether it creates an entry again."""
    return {
        (
            *(change[name] for name in ("action", "kind", "key")),
            *(frozenset(change[name]) for name in ("fields", "drift")),
            change["reason"] == DELETED_REASON,
        )
        for change in plan["changes"]
    }


def _codes(plan: Any) -> set[str]:
    """The gates that refuse, without that of deletes: it takes a share, and a pull adopts entries that were equal."""
    return {refusal["code"] for refusal in plan["refused"]} - {"deletes"}


def _base(history: History) -> Base:
    target = load_content(history.folder).config.targets[TARGET]
    return read_state(StateDir.for_target(history.folder, TARGET).state, target)


def files_of(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*.*") if file.is_file() and ".contentsync" not in file.parts]
