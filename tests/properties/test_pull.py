"""What a pull promises: a valid folder, an empty plan, and all that authors wrote beside the values."""

import asyncio
import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from contentsync.authoring.edit.file_edits import FileEdit, RemoteChanges
from contentsync.authoring.edit.pull_edits import apply_edits, plan_edits
from contentsync.authoring.rename.rename_plan import apply_rename, plan_rename
from contentsync.content.files.file_names import suffix_of
from contentsync.content.folder.load import Content, load_content
from contentsync.content.formats.table_rows import TABLE_DELIMITERS
from contentsync.errors import ContentError, Refused, Rejected, UsageError
from contentsync.exchange.entry_writer import in_pulled_keys, write_entries
from contentsync.model import RECORDS, EntryKey, Kind
from contentsync.remote import ids_by_key
from contentsync.sync import UNKNOWN_BASE, Action, Base, Plan, PlanFacts, Policy, Selection, make_plan
from contentsync.sync.applying.writer import request_body
from contentsync.sync.comparing.entry_fields import KEYED_KINDS
from contentsync.sync.planning.pull import plan_pull
from contentsync.sync.planning.pull_notes import note_pull, settle_pulls
from contentsync.sync.planning.pulled_deletes import with_deletes
from contentsync.sync.planning.server_checks import slug_conflicts

from .folders import CONFIG, Files, folders, slugs, titles, write
from .test_convergence import quickly
from .workplace import LOCALES, Workplace

PRUNING = Policy(prune=True, on_drift="overwrite")
OURS = Policy(on_conflict="ours")
few = settings(quickly, max_examples=int(os.environ.get("PULL_ROUNDS", "3")))  # each syncs and pulls twice


def sync(content: Content, place: Workplace) -> None:
    """Write what a plan says, one after the other: how a sync does it is tested elsewhere."""
    carry_out(plan_of(content, place), place)


def carry_out(plan: Plan, place: Workplace) -> None:
    """Write the changes of a plan, without deletes."""

    async def carried_out() -> None:
        ids = {kind: dict(keys) for kind, keys in ids_by_key(plan.actual).items()}
        async with place.remote() as remote:
            for change in plan.changes:
                body = request_body(change, ids, "card")
                if change.actual and change.actual.id:
                    await remote.update(change.kind, change.actual.id, body)
                    ids[change.kind][change.key] = change.actual.id
                else:
                    ids[change.kind][change.key] = (await remote.create(change.kind, body))[0].id or 0

    asyncio.run(carried_out())


def plan_of(content: Content, place: Workplace) -> Plan:
    return make_plan(content.entries, place.entries(), policy=Policy(adopt=True))


def pulled(content: Content, place: Workplace) -> tuple[FileEdit, ...]:
    found = plan_pull(content.entries, place.entries(), UNKNOWN_BASE, Selection(), LOCALES)
    edits = plan_edits(content, in_pulled_keys(found.incoming))
    apply_edits(content.folder, edits)
    return edits


def comments(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith(("# of ", "# end of "))]


def commented(files: Files) -> Files:
    """The files with a comment in each front matter, and before and after each list in YAML and TOML."""
    found = {}
    for path, text in files.items():
        if path.endswith(".md"):
            text = f"{text[:4]}# of {path}\n{text[4:]}"
        elif path.endswith((".yaml", ".toml")):
            text = f"# of {path}\n{text}# end of {path}\n"
        found[path] = text
    return found


@few
@given(folders())
def test_a_pull_into_an_empty_folder_restores_the_synced_content(files: Files) -> None:
    with Workplace() as place:
        content = place.load(files)
        sync(content, place)
        other = content.folder / "other"
        pulled(load_content(write({"contentsync.toml": CONFIG}, other)), place)
        found = load_content(other)
        assert not found.errors
        plan = plan_of(found, place)
        assert not plan
        assert plan.unmanaged == ()
        assert pulled(found, place) == ()


@few
@given(folders(), folders(), st.booleans())
def test_a_pull_replaces_the_folder_with_edits_of_another_user(before: Files, after: Files, windows: bool) -> None:
    with Workplace() as place:
        content = place.load(after)
        sync(content, place)
        content = place.load(commented(before))
        if slug_conflicts(make_plan(content.entries, place.entries())):
            return
        if windows:
            for file in _files(content.folder):
                file.write_bytes(file.read_bytes().replace(b"\n", b"\r\n"))
            content = load_content(content.folder)
        texts = {file: file.read_bytes() for file in _files(content.folder)}
        pulled(content, place)
        found = load_content(content.folder)
        assert not found.errors
        plan = plan_of(found, place)
        only_here = {(change.kind, change.key) for change in plan.changes}
        there = {(entry.kind, entry.key) for entry in plan.actual}
        assert not only_here & there
        assert plan.unmanaged == ()
        for file, data in texts.items():
            assert comments(file.read_text(encoding="utf-8")) == comments(data.decode()), file
            if windows:
                assert b"\n" not in file.read_bytes().replace(b"\r\n", b"")
        assert pulled(found, place) == ()


@few
@given(folders(), folders(), folders())
def test_a_plan_after_a_merging_pull_writes_only_edits_of_the_folder(before: Files, here: Files, there: Files) -> None:
    with Workplace() as place:
        base = _diverge(place, before, there)
        content = place.load(here)
        if slug_conflicts(make_plan(content.entries, place.entries(), base=base)):
            return
        found = plan_pull(content.entries, place.entries(), base, Selection(), LOCALES).without_local_changes()
        apply_edits(content.folder, plan_edits(content, in_pulled_keys(found.incoming)))
        merged = load_content(content.folder)
        assert not merged.errors
        first = make_plan(
            merged.entries, place.entries(), base=base, facts=PlanFacts(merged_by_pull=found.incoming.changes.keys())
        )
        base = base.with_updates(first.base_updates, first.base_removals)
        for change in make_plan(merged.entries, place.entries(), base=base).changes:
            identity = change.kind, change.key
            if change.action is Action.UPDATE:
                assert change.fields.keys() <= {*found.left_alone[identity]}, change
                assert {*change.drift} <= {*found.conflicts.get(identity, ())}, change


@few
@given(folders(), folders(), folders(), st.booleans())
def test_a_discarded_pull_leaves_the_plan_as_it_was_before(
    before: Files, here: Files, there: Files, replaces: bool
) -> None:
    """`replaces`: the pull also overwrites local changes."""
    with Workplace() as place:
        base = _diverge(place, before, there)
        content = place.load(here)
        actual = place.entries()
        first = make_plan(content.entries, actual, base=base, policy=PRUNING)
        if slug_conflicts(first):
            return
        found = plan_pull(content.entries, actual, base, Selection(), LOCALES)
        found = found if replaces else found.without_local_changes()
        try:
            pulled_content = apply_edits(content.folder, plan_edits(content, in_pulled_keys(found.incoming)))
        except ContentError:  # the pull is refused, as both sides together are not valid
            return
        merged = () if replaces else found.incoming.changes.keys()
        second = make_plan(pulled_content.entries, actual, base=base, facts=PlanFacts(merged_by_pull=merged))
        updates = note_pull(second.base_updates, base, content.entries, pulled_content.entries, {})
        pulled_base = base.with_updates(updates)
        covers = Selection().covers
        kept = settle_pulls(pulled_base, pulled_content.entries, actual, covers)
        assert [*kept.values()] == [applied._replace(before_pull=None) for applied in pulled_base.values()]
        settled = settle_pulls(pulled_base, place.load(here).entries, actual, covers)
        last = make_plan(content.entries, actual, base=settled, policy=PRUNING)
        assert changes_of(last) == changes_of(first)
        # A pull also adopts entries that were equal already, of which gates take a share.
        assert codes_of(last) - {"deletes"} == codes_of(first) - {"deletes"}


@few
@given(folders(), folders(), st.lists(st.integers(0, 40), min_size=1, max_size=8), st.booleans())
def test_entries_deleted_on_the_server_leave_the_folder_or_stay_with_a_reason(
    before: Files, there: Files, deleted: list[int], edits: bool
) -> None:
    """The folder is valid, the base forgets nothing, and a discarded pull leaves the plan as it was before.

    `edits`: the folder has changed the text of some entries since the sync.
    """
    here = {path: f"{text}Ours.\n" if edits and path.endswith("0.md") else text for path, text in before.items()}
    with Workplace() as place:
        base = _diverge(place, before, there)
        content = place.load(here)
        asyncio.run(delete_records(place, deleted))
        actual = place.entries()
        first = make_plan(content.entries, actual, base=base, policy=PRUNING)
        if slug_conflicts(first):
            return
        found = with_deletes(
            plan_pull(content.entries, actual, base, Selection(), LOCALES).without_local_changes(), content.entries, {}
        )
        incoming = in_pulled_keys(found.incoming)
        try:
            changed = apply_edits(content.folder, plan_edits(content, replace(incoming, deleted=())))
        except ContentError:  # the pull is refused, as both sides together are not valid
            return
        written = write_entries(changed, RemoteChanges({}, (), {}, actual, incoming.deleted))
        after = load_content(content.folder)
        assert not after.errors
        kept = found.kept.keys() | {(entry.kind, entry.key) for entry, _reason in written.left_out}
        gone = {(entry.kind, entry.key) for entry in found.deleted_there} - kept
        present = {(entry.kind, entry.key) for entry in after.entries}
        assert gone == {(entry.kind, entry.key) for entry in changed.entries} - present
        assert kept <= present
        merged = found.incoming.changes.keys()
        second = make_plan(
            after.entries,
            actual,
            base=base,
            policy=Policy(on_drift="overwrite"),
            facts=PlanFacts(merged_by_pull=merged),
        )
        created = {(change.kind, change.key) for change in second.changes if change.action is Action.CREATE}
        assert gone.isdisjoint(created)
        assert kept <= created
        updates = note_pull(second.base_updates, base, content.entries, after.entries, {})
        pulled_base = base.with_updates(updates)
        confirmed = settle_pulls(pulled_base, after.entries, actual, Selection().covers)
        third = make_plan(after.entries, actual, base=confirmed, policy=PRUNING)
        assert gone.isdisjoint({(change.kind, change.key) for change in third.changes})
        assert gone <= {*third.base_removals} | {applied.identity for applied in third.base_updates}
        settled = settle_pulls(pulled_base, place.load(here).entries, actual, Selection().covers)
        last = make_plan(content.entries, actual, base=settled, policy=PRUNING)
        assert changes_of(last) == changes_of(first)
        assert recreated(last) == recreated(first)


def recreated(plan: Plan) -> set[EntryKey]:
    return {(change.kind, change.key) for change in plan.changes if change.recreates}


async def delete_records(place: Workplace, numbers: list[int]) -> None:
    """Delete records, as another user does; the server removes references to them."""
    async with place.remote() as remote:
        for number in numbers:
            records = [each for each in await remote.fetch({*Kind}) if each.id is not None]
            if records:
                record = records[number % len(records)]
                await remote.delete(record.kind, record.id or 0)


renames = st.lists(st.tuples(st.integers(0, 40), slugs.map("a{}".format), titles), min_size=1, max_size=6)


@few
@given(folders(), renames)
def test_keys_and_titles_of_the_server_are_pulled_with_all_references(
    files: Files, wanted: list[tuple[int, str, str]]
) -> None:
    with Workplace() as place:
        content, base = _synced(place, files)
        asyncio.run(rename_records(place, wanted))
        actual = place.entries()
        found = plan_pull(content.entries, actual, base, Selection(), LOCALES)
        assert not found.local_changes
        written = write_entries(content, found.incoming, allows_formulas=True)
        assert written.left_out == ()
        plan = make_plan(
            load_content(content.folder).entries, actual, base=base.with_keys(found.renamed_records), policy=PRUNING
        )
        assert (plan.changes, plan.unmanaged, plan.drift) == ((), (), ())


@few
@given(folders(), renames, st.lists(st.tuples(st.integers(0, 40), slugs.map("b{}".format)), min_size=1, max_size=4))
def test_renames_of_both_sides_are_merged_and_a_sync_applies_them(
    files: Files, theirs: list[tuple[int, str, str]], ours: list[tuple[int, str]]
) -> None:
    with Workplace() as place:
        content, base = _synced(place, files)
        asyncio.run(rename_records(place, theirs))
        rename_entries(content.folder, ours)
        content = load_content(content.folder)
        found = plan_pull(content.entries, place.entries(), base, Selection(), LOCALES).without_local_changes()
        written = write_entries(content, found.incoming, allows_formulas=True)
        assert written.left_out == ()
        after = load_content(content.folder)
        first = make_plan(
            after.entries,
            place.entries(),
            base=base.with_keys(found.renamed_records),
            policy=OURS,
            facts=PlanFacts(merged_by_pull={found.incoming.renamed.get(key, key) for key in found.incoming.changes}),
        )
        assert [str(change) for change in first.changes if change.action is Action.CREATE] == []
        carry_out(first, place)
        assert not plan_of(after, place)


def _synced(place: Workplace, files: Files) -> tuple[Content, Base]:
    content = place.load(files)
    sync(content, place)
    return content, Base.from_entries(plan_of(content, place).base_updates)


def rename_entries(folder: Path, wanted: list[tuple[int, str]]) -> None:
    """Rename entries of the folder with `mv`, which may refuse it; not those in tables, which note no former key."""
    for number, slug in wanted:
        entries = [
            it for it in load_content(folder).entries if it.source and suffix_of(it.source.path) not in TABLE_DELIMITERS
        ]
        if entries:
            entry = entries[number % len(entries)]
            with suppress(Refused, UsageError):
                apply_rename(plan_rename(folder, f"{entry.kind}/{entry.key}", slug, folder))


async def rename_records(place: Workplace, wanted: list[tuple[int, str, str]]) -> None:
    """Give records new keys and titles, as another user does; the server refuses a key that another record has."""
    async with place.remote() as remote:
        for number, key, title in wanted:
            records = [each for each in await remote.fetch(KEYED_KINDS | {Kind.LISTING}) if each.id is not None]
            record = records[number % len(records)]
            model = RECORDS[record.kind]
            with suppress(Rejected):
                await remote.update(record.kind, record.id or 0, {model.key_field: key, model.title_field: title})


def codes_of(plan: Plan) -> set[str]:
    return {refusal.code for refusal in plan.refusals}


def changes_of(plan: Plan) -> set[tuple[str, EntryKey, frozenset[str], frozenset[str]]]:
    """Each change, with its fields, and with those that another user has changed."""
    return {
        (change.action.value, (change.kind, change.key), frozenset(change.fields), frozenset(change.drift))
        for change in plan.changes
    }


def _files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*.*") if file.is_file() and ".contentsync" not in file.parts]


def _diverge(place: Workplace, before: Files, there: Files) -> Base:
    """Sync `before`, and then what other users have made of it; return the base of the first sync."""
    content = place.load(before)
    sync(content, place)
    base = Base.from_entries(plan_of(content, place).base_updates)
    sync(place.load(there), place)
    return base
