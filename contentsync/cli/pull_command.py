"""`contentsync pull`."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..authoring.edit.file_edits import FileEdit
from ..authoring.edit.pull_edits import apply_edits
from ..authoring.edit.pull_edits import plan_edits as plan_edits
from ..content.folder.load import Content
from ..errors import ContentError, Refused, join_first, pluralize
from ..git import has_uncommitted_files
from ..model import FIELDABLE, Entry, EntryKey, Kind
from ..report.formatting import printable
from ..report.results import pull_document, pull_text
from ..sync import TargetLock, make_plan, resolve_selected
from ..sync.comparing.base import Base, BeforePull
from ..sync.planning.pull import PullPlan, note_pull, plan_pull, settle_pulls
from ..sync.planning.pulled_keys import in_pulled_keys
from ..sync.state.recovery import save_base_updates
from . import print_json
from .session import Session
from .terminal import print_problems, stdout

MAX_NAMED = 5  # entries that a refusal names


def pull(session: Session, *, yes: bool, as_json: bool, full: bool) -> int:
    """Write the server's content into the folder's files; with `yes`, overwrite local changes too."""
    pull_plan, edits = asyncio.run(_pull(session, yes=yes))
    if as_json:
        print_json(pull_document(edits, pull_plan, session.destination))
    else:
        stdout().print(pull_text(edits, pull_plan, session.destination, full=full), markup=False)
        print_problems([warning for edit in edits for warning in edit.warnings], session.content.folder)
    if conflicts := pull_plan.left_alone.keys() & pull_plan.conflicts.keys():
        message = f"{pluralize(len(conflicts), 'entry', 'entries')} changed here and on the server: left alone"
        hint = "pull --only KIND/KEY takes the server's values, sync --on-conflict ours sends yours"
        raise Refused(message, hint, is_printed_as_json=as_json)
    return 0


async def _pull(session: Session, *, yes: bool) -> tuple[PullPlan, Sequence[FileEdit]]:
    """Read the server, edit the files, and record the equal entries in the base; return the plan and the edits.

    Local changes are left alone, unless `yes` or `--only` asks for the server's values.
    """
    content = session.content
    kinds = {*session.selection.kinds}
    if kinds & FIELDABLE.keys():
        kinds.add(Kind.CUSTOM_FIELD)  # entries of these kinds have values of custom fields
    lock = TargetLock(session.state_dir, "pull", on_wait=session.console.print)
    async with lock, session.read(kinds) as (actual, saved_base):
        session.require_matches(actual, saved_base)
        folder_before = resolved_entries(session, content, kinds, actual)
        selection, policy, is_excluded = session.selection, session.policy, session.is_excluded
        # Confirm each earlier pull whose values the folder has; the base forgets a discarded one.
        base = settle_pulls(saved_base, folder_before, actual, selection.covers, is_excluded=is_excluded)
        earlier_pulls = _uncommitted_pulls(content, saved_base, base)
        locales = content.config.site.locales[1:]  # without the default language
        pull_plan = plan_pull(folder_before, actual, base, selection, locales, is_excluded)
        is_merge = not yes and not selection.patterns
        if is_merge and pull_plan.local_changes and not base.is_known:
            raise _refusal_of(pull_plan.local_changes)
        if is_merge:
            pull_plan = pull_plan.without_local_changes()
        edits = plan_edits(content, in_pulled_keys(pull_plan.incoming))
        if edits:
            content = apply_edits(content.folder, edits)
        # Record the equal entries in the base, so that a later change in the folder counts as a local one. Note what
        # the pull replaced, so that a later command recognises a discarded pull.
        folder_after = resolved_entries(session, content, kinds, actual)
        new_keys = pull_plan.incoming.renamed
        plan = make_plan(
            folder_after,
            actual,
            selection,
            base=base.with_keys(pull_plan.renamed_records),
            policy=policy,
            is_excluded=is_excluded,
            merged_by_pull={new_keys.get(key, key) for key in pull_plan.incoming.changes},
        )
        base_updates = note_pull(plan.base_updates, base, folder_before, folder_after, earlier_pulls)
        save_base_updates(session.state_dir, session.target, replace(plan, base_updates=tuple(base_updates)))
    return pull_plan, edits


def _uncommitted_pulls(content: Content, saved_base: Base, settled_base: Base) -> Mapping[EntryKey, BeforePull]:
    """Return, by key, the notes of earlier pulls that git may still discard; none if all files are committed.

    A pull whose values the folder has was only confirmed: `settled_base` has the same entry without the note.
    """
    pulls = {
        key: applied.before_pull
        for key, applied in saved_base.items()
        if applied.before_pull is not None and settled_base.get(key) == applied._replace(before_pull=None)
    }
    return pulls if pulls and has_uncommitted_files(content.folder) else {}


def resolved_entries(
    session: Session, content: Content, kinds: Collection[Kind], actual: Sequence[Entry]
) -> list[Entry]:
    """Return all entries of the folder; resolve the references of the entries of `kinds`. Raise ContentError."""
    selected = [entry for entry in content.entries if entry.kind in kinds and not entry.notes.skip]
    resolved, problems = resolve_selected(selected, content.entries, actual, session.target.user_ids)
    if content.errors or problems:
        raise ContentError((*content.problems, *problems), content.folder)
    return [*resolved, *(entry for entry in content.entries if entry.kind not in kinds or entry.notes.skip)]


def _refusal_of(local_changes: Mapping[EntryKey, Sequence[str]]) -> Refused:
    """Return the error for a pull without a base, which would overwrite these fields of entries."""
    entries = [f"{kind} {key} ({', '.join(fields)})" for (kind, key), fields in local_changes.items()]
    message = f"{pluralize(len(local_changes), 'entry', 'entries')} would be overwritten, which may have changed here"
    return Refused(
        f"{message}: {printable(join_first(entries, MAX_NAMED, '; '))}",
        "--yes overwrites them all, --only KIND/KEY one of them; to keep the local changes, sync first",
    )
