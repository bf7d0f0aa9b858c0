"""`contentsync pull`."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from ..authoring.edit.file_edits import FileEdit, RemoteChanges, merge_edits
from ..authoring.edit.pull_edits import undo_edits
from ..content.files.validation_report import new_problems
from ..content.folder.confirmation import IndexDiffers, confirm_entries
from ..content.folder.load import Content
from ..errors import ContentError, Refused, join_first, pluralize
from ..exchange.entry_writer import write_entries
from ..git import has_uncommitted_files
from ..model import FIELDABLE, Entry, EntryKey, Kind
from ..printed_commands import entry_word
from ..remote.synced_records import NotSynced
from ..report.results import deletes_text, pull_document, pull_text
from ..sync.comparing.base import Base, BeforePull
from ..sync.planning.confirmed_files import confirm_plan
from ..sync.planning.plan import Plan
from ..sync.planning.plan_builder import PlanFacts, make_plan
from ..sync.planning.prepare import resolve_selected
from ..sync.planning.pull import PullPlan, plan_pull
from ..sync.planning.pull_notes import note_pull, settle_pulls
from ..sync.planning.pulled_deletes import check_deletes, uncommitted_entries, with_deletes
from ..sync.state.recovery import save_base_updates
from ..sync.state.state_dir import TargetLock
from ..value_text import printable
from . import print_json, run_coroutine
from .find_plan import PlanFinder
from .plan_command import EXIT_CHANGES, refusal_error
from .session import Session
from .terminal import print_problems, require_agreement, stdout

MAX_NAMED = 5  # entries that a refusal names
NOTHING = PullPlan(RemoteChanges({}, (), {}, ()), {}, ())


def pull(
    finder: PlanFinder, *, yes: bool, deletes: bool = False, as_json: bool, full: bool, detailed_exitcode: bool = False
) -> int:
    """Write the server's content into the folder's files; with `yes`, overwrite local changes too.

    With `deletes`, also remove the entries that were deleted on the server. With `detailed_exitcode`, return 2 if both
    sides have added an entry.
    """
    edits: Sequence[FileEdit] = ()
    if found := find_nothing(finder, yes=yes):
        session, pull_plan = found
        content = session.content
    else:
        session = Session.open(finder.folder, finder.options, finder.console, may_break_rules=True)
        pull_plan, edits, content = run_coroutine(_pull(session, yes=yes, deletes=deletes))
    warnings = [warning for edit in edits for warning in edit.warnings]
    if pull_plan.incoming.deleted:
        warnings += new_problems(session.content.problems, content.problems)
    document = pull_document(edits, pull_plan, session.destination, warnings)
    if as_json:
        print_json(document)
    else:
        stdout().print(pull_text(document, session.destination, full=full), markup=False)
        print_problems(warnings, session.content.folder)
    contested = {key: reason for key, reason in pull_plan.kept.items() if key in pull_plan.conflicts}
    for reasons, what in (
        (pull_plan.kept if deletes else {}, "deleted on the server stayed here"),
        (contested, "changed here and deleted on the server: left alone"),
        (pull_plan.unwritten, "could not be written"),
    ):
        if reasons:
            message = f"{pluralize(len(reasons), 'entry', 'entries')} {what}"
            raise Refused(message, _first_reason(reasons), is_printed_as_json=as_json)
    if conflicts := pull_plan.left_alone.keys() & pull_plan.conflicts.keys():
        message = f"{pluralize(len(conflicts), 'entry', 'entries')} changed here and on the server: left alone"
        only = "--only", entry_word([f"{kind}/{key}" for kind, key in conflicts])
        command = session.destination.command
        hint = f"{command('pull', *only)} takes the server's values, "
        hint += f"{command('sync', *only, '--on-conflict', 'ours')} sends yours"
        raise Refused(message, hint, is_printed_as_json=as_json)
    return EXIT_CHANGES if detailed_exitcode and pull_plan.left_alone.keys() & pull_plan.added_on_both else 0


def find_nothing(finder: PlanFinder, *, yes: bool) -> tuple[Session, PullPlan] | None:
    """Return the session and the plan of a pull that has nothing to write; None if it may have, and reads everything.

    Most pulls are of this kind, and the plan of what has changed shows it (docs/decisions/0018).
    """
    found = NOTHING  # a recalled plan has no local changes either

    def check(session: Session, plan: Plan) -> None:
        nonlocal found
        found = _plan_without_writes(session, plan, yes=yes)

    shortcut = finder.for_pull(check).begin_shortcut()
    if shortcut is None:
        return None
    session, planning = shortcut

    async def find() -> None:
        async with TargetLock(session.state_dir, "pull", on_wait=session.console.print), planning:
            pass

    try:
        run_coroutine(find())
    except (NotSynced, Refused):  # a pull that reads everything refuses again, but first names the folder's errors
        return None
    return session, found


def _plan_without_writes(session: Session, plan: Plan, *, yes: bool) -> PullPlan:
    """Return the plan of a pull that writes neither files nor the state. Raise NotSynced if it would write."""
    folder = resolved_entries(session, session.content, {*Kind}, plan.actual)
    pull_plan = _plan_pull(session, folder, plan.actual, plan.base)
    if not yes:
        pull_plan = pull_plan.without_local_changes()
    incoming, base = pull_plan.incoming, plan.base
    writes_state = plan.base_updates or plan.base_removals or not (base.is_known and base.is_saved)
    if incoming.changes or incoming.new or pull_plan.deleted_there or writes_state:
        raise NotSynced
    confirm_plan(session.content, plan)
    return pull_plan


def _plan_pull(session: Session, folder: Sequence[Entry], actual: Sequence[Entry], base: Base) -> PullPlan:
    """Return the plan of a pull into the folder with these resolved entries."""
    config, command = session.content.config, session.destination.command
    locales = config.site.locales[1:]  # without the default language
    is_excluded, slug_fields = session.is_excluded, config.listing_slug_fields
    return plan_pull(folder, actual, base, session.selection, locales, is_excluded, command, slug_fields)


def _first_reason(kept: Mapping[EntryKey, str]) -> str:
    (kind, key), reason = next(iter(kept.items()))
    return f"{kind} {key}: {reason}"


async def _pull(session: Session, *, yes: bool, deletes: bool) -> tuple[PullPlan, Sequence[FileEdit], Content]:
    """Read the server, edit the files, and record the equal entries in the base; return also the folder.

    Local changes are left alone, unless `yes` or `--only` asks for the server's values. Raise IndexDiffers, before
    anything is edited, if the index differs from the files.
    """
    content = session.content
    kinds = {*session.selection.kinds}
    if kinds & FIELDABLE.keys():
        kinds.add(Kind.CUSTOM_FIELD)  # entries of these kinds have values of custom fields
    lock = TargetLock(session.state_dir, "pull", on_wait=session.console.print)
    async with lock, session.read(kinds) as (actual, saved_base):
        session.require_matches(actual, saved_base)
        folder_before = resolved_entries(session, content, kinds, actual)
        selection, is_excluded = session.selection, session.is_excluded
        # Confirm each earlier pull whose values the folder has; the base forgets a discarded one.
        base = settle_pulls(saved_base, folder_before, actual, selection.covers, is_excluded=is_excluded)
        earlier_pulls = _uncommitted_pulls(content, saved_base, base)
        pull_plan = _plan_pull(session, folder_before, actual, base)
        is_merge = not yes and not selection.patterns
        if is_merge and pull_plan.local_changes and not base.is_known:
            raise _refusal_of(pull_plan.local_changes)
        if is_merge:
            pull_plan = pull_plan.without_local_changes()
        if deletes and pull_plan.deleted_there:
            pull_plan = with_deletes(pull_plan, folder_before, uncommitted_entries(content, pull_plan.deleted_there))
        deleted = pull_plan.incoming.deleted
        confirm_entries(content, deleted, {kind for kind, _key in deleted})
        is_server_empty = not actual and not selection.patterns
        _require_consent(session, pull_plan, folder_before, yes=yes, deletes=deletes, is_server_empty=is_server_empty)
        pull_plan, edits, content, folder_after = _write(session, pull_plan, kinds, actual)
        # Record the equal entries in the base, so that a later change in the folder counts as a local one. Note what
        # the pull replaced, so that a later command recognises a discarded pull.
        new_keys = pull_plan.incoming.renamed
        plan = make_plan(
            folder_after,
            actual,
            selection,
            base=base.with_keys(pull_plan.renamed_records),
            policy=session.policy,
            facts=PlanFacts(
                is_excluded=is_excluded,
                merged_by_pull={new_keys.get(key, key) for key in pull_plan.incoming.changes},
            ),
        )
        try:
            confirm_plan(content, plan)  # the base depends also on entries that the pull does not edit
        except IndexDiffers:
            undo_edits(content.folder, edits)
            raise
        base_updates = note_pull(plan.base_updates, base, folder_before, folder_after, earlier_pulls)
        # An entry that was renamed here and deleted there stays in the base: only a sync decides whether it comes back.
        recreated = {change.recreates.identity for change in plan.changes if change.recreates}
        removals = tuple(identity for identity in plan.base_removals if identity not in recreated)
        # An entry that both sides have deleted stays in the base as long as git may restore its file.
        is_final = bool(removals) and not edits and not has_uncommitted_files(content.folder)
        saved = replace(plan, base_updates=tuple(base_updates), base_removals=removals if is_final else ())
        save_base_updates(session.state_dir, session.target, saved)
    return pull_plan, edits, content


def _write(
    session: Session, pull_plan: PullPlan, kinds: Collection[Kind], actual: Sequence[Entry]
) -> tuple[PullPlan, Sequence[FileEdit], Content, list[Entry]]:
    """Edit the files; return the plan as it was written, the edits, and the folder with its resolved entries.

    An entry that cannot be written is left out. One without which the folder would not be valid stays, although it was
    deleted on the server. After any error, all files are as before. Raise ContentError if a reference of the edited
    folder is not known.
    """
    deleted = {*pull_plan.incoming.deleted}
    written = write_entries(session.content, pull_plan.incoming, allows_formulas=True)
    edits = merge_edits((), written.edits)
    staying = {
        key: f"without it, the folder has errors ({reason}): correct them, and pull again"
        for key, reason in written.reasons.items()
        if key in deleted
    }
    unwritten = {key: reason for key, reason in written.reasons.items() if key not in deleted}
    pull_plan = pull_plan.without_deletes(staying).without_unwritten(unwritten)
    try:
        return pull_plan, edits, written.content, resolved_entries(session, written.content, kinds, actual)
    except BaseException:
        undo_edits(written.content.folder, edits)
        raise


def _require_consent(
    session: Session,
    pull_plan: PullPlan,
    folder: Sequence[Entry],
    *,
    yes: bool,
    deletes: bool,
    is_server_empty: bool,
) -> None:
    """Raise Refused if a gate refuses a pull, or the user refuses its deletes; with `yes`, do not ask."""
    command = session.destination.command
    refusals = check_deletes(pull_plan, folder, session.policy, command, is_server_empty=is_server_empty)
    if refusals:
        if not deletes:  # without it, `--allow-deletes` is an error
            refusals = tuple(refusal.with_prefix("--deletes") for refusal in refusals)
        raise refusal_error(refusals, "nothing was written")
    deleted = pull_plan.incoming.deleted
    if deleted and not yes and session.policy.allowed.deletes is None:
        session.console.print(deletes_text(pull_plan, session.destination), markup=False)
        count = pluralize(len(deleted), "entry", "entries")
        hint = f"--allow-deletes {len(deleted)} removes {'it' if len(deleted) == 1 else 'them'} without asking"
        require_agreement(f"Remove {count} from the folder?", "nothing was written", hint)


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
    if content.breaks_contract or problems:
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
