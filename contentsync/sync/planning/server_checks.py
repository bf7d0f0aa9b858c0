"""What a plan must not send to this server.

Files outside of git, languages that it lacks, taken slugs, references to deleted entries, and the token.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import orjson

from ...content.config.config_tables import Target
from ...content.folder.git_facts import UntrackedFiles
from ...errors import Problem, Where, join_first, pluralize
from ...model import Entry, Kind, key_field_of
from ..comparing.change import Action, Change, named_references
from .plan import Plan, Refusal


def tracking_refusals(plan: Plan, files: UntrackedFiles, target: Target) -> Iterator[Refusal]:
    """Yield the reasons to refuse a plan that sends files which git ignores, or deletes what it has not checked out."""
    if files.ignored and not target.include_ignored:
        number = pluralize(len(files.ignored), "file that git ignores", "files that git ignores")
        consent = f"include_ignored = true in [targets.{target.name}]"
        yield Refusal("ignored-files", f"{number} would be sent: {join_first(files.ignored)}", consent)
    if files.left_out and plan.count(Action.DELETE):
        number = pluralize(len(files.left_out), "content file", "content files")
        yield Refusal(
            "sparse-checkout",
            f"the sparse checkout leaves out {number}, so entries would be deleted: {join_first(files.left_out)}; "
            "git sparse-checkout add checks them out",
        )


def language_refusals(
    plan: Plan, folder_locales: Sequence[str], server_locales: Sequence[str] | None
) -> Iterator[Refusal]:
    """Yield the reasons to refuse a plan whose texts are in languages that the server's directory does not have.

    Each list begins with the default language; `server_locales` is None if the server does not return it. The server
    stores the texts of an entry in its own default language, whatever the folder's is.
    """
    if server_locales is not None and server_locales[0] != folder_locales[0]:
        yield Refusal(
            "default-language",
            f"the default language of the server's directory is '{server_locales[0]}', "
            f"and that of the folder is '{folder_locales[0]}': "
            "name the same language first in site.locales and in the directory",
        )
        return
    written = {locale for change in plan.changes for locale in _languages(change)}
    unknown_fields = {name for names in {entry.unknown for entry in plan.actual} for name in names}
    missing = {name.partition(".")[2] for name in unknown_fields if name.startswith("translations.")}
    if server_locales is not None:
        missing |= written - {*server_locales[1:]}
    added = sorted(written & missing)
    own = ""
    if server_locales is not None:  # the built-in server returns them
        locales = ",".join(dict.fromkeys([*server_locales, *added]))
        own = f" (on a server of your own: contentsync admin directory set SLUG --locales {locales})"
    if not added:
        return
    number = sum(bool(_languages(change) & missing) for change in plan.changes)
    entries = pluralize(number, "entry changes texts", "entries change texts")
    names = ", ".join(f"'{locale}'" for locale in added)
    noun, pronoun = ("language", "it") if len(added) == 1 else ("languages", "them")
    yield Refusal(
        "language",
        f"the server's directory does not have the {noun} {names}, in which {entries}: "
        f"add {pronoun} to the directory{own}, or remove these texts and the {noun} from the folder",
    )


def _languages(change: Change) -> set[str]:
    """Return the languages besides the default in which a change sends texts."""
    if change.action is Action.DELETE:
        return set()
    if change.action is Action.CREATE:
        return set(change.entry.fields.get("translations") or ())
    return {name.split(".")[1] for name in change.fields if name.startswith("translations.")}


def slug_conflicts(plan: Plan) -> list[Problem]:
    """Return a problem for each entry whose new key or slug is that of another record on the server.

    The folder alone does not show this: the server may have a record that the plan does not delete, and it generates
    slugs for listings without one.
    """
    return [*_taken_keys(plan), *_taken_slugs(plan)]


def _taken_keys(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each entry that is created or renamed with the key of a record that keeps it."""
    writes = [change for change in plan.changes if change.action is not Action.DELETE]
    renamed = [change for change in writes if change.previous_key is not None]
    taking = {(change.kind, change.key): change for change in writes if change.action is Action.CREATE}
    taking |= {(change.kind, change.key): change for change in renamed}
    if not taking:
        return
    deletes = [change for change in plan.changes if change.action is Action.DELETE]
    freed = {(change.kind, change.id) for change in (*renamed, *deletes)}
    for owner in plan.actual:
        change = taking.get((owner.kind, owner.key))
        if change is not None and (owner.kind, owner.id) not in freed:
            yield _taken_problem(change, key_field_of(change.entry), owner)


def _taken_slugs(plan: Plan) -> Iterator[Problem]:
    """Yield a problem for each listing that gets the slug of a listing with another key, which keeps the slug."""
    listings = [change for change in plan.changes if change.kind is Kind.LISTING]
    freed = {change.id for change in listings if change.action is Action.DELETE or "slug" in change.fields}
    owners = {
        entry.fields.get("slug"): entry for entry in plan.actual if entry.kind is Kind.LISTING and entry.id not in freed
    }
    for change in listings:
        if change.action is Action.DELETE or "slug" not in change.fields:
            continue
        slug = change.entry.fields.get("slug")
        owner = owners.get(slug)
        if slug and owner and owner.key != change.key:
            yield _taken_problem(change, "slug", owner)


def _taken_problem(change: Change, name: str, owner: Entry) -> Problem:
    """Return the problem that the record `owner` has the value of the field `name` of a change."""
    source = change.entry.source
    return Problem(
        "slug-taken",
        f"the {name} '{change.entry.fields.get(name, change.key)}' is that of {owner} on the server",
        source.where(name) if source else Where(""),
        "give one of the two another slug",
        kind=change.kind,
        key=change.key,
    )


def references_to_deleted(plan: Plan, command: Callable[..., str]) -> Iterator[Problem]:
    """Yield a problem for each reference in a write to an entry that was deleted on the server and stays deleted.

    A refused plan has no such problems, because another plan may create the entries. `command` writes the commands in
    hints.
    """
    if not plan.left_deleted or plan.refusals:
        return
    left, drifted = {*plan.left_deleted}, {(drift.entry.kind, drift.entry.key) for drift in plan.drift}
    for change in plan.changes:
        written = () if change.action is Action.DELETE else named_references(change.entry)
        for name, target in written:
            if target in left and name.partition(".")[0] in change.fields:
                kind, key = target
                decision = ("--on-drift", "overwrite") if target in drifted else ("--on-conflict", "ours")
                create = command("sync", "--only", f"{kind}/{key}", *decision)
                yield Problem(
                    "unknown-reference",
                    f"the {kind.replace('_', ' ')} '{key}' was deleted on the server, and a sync leaves it deleted",
                    change.entry.source.where(name) if change.entry.source else Where(""),
                    f"remove it here, or create it again with {create}",
                    kind=change.kind,
                    key=change.key,
                )


def token_leaks(plan: Plan, desired: Sequence[Entry], token: str) -> list[Problem]:
    """Return a problem for each field that contains the target's token, in entries that a plan writes or adopts."""
    if not token:
        return []
    escaped = orjson.dumps(token)[1:-1]  # as the JSON of a text with the token has it
    # For speed: usually no entry has the token anywhere in its JSON.
    suspects = [entry for entry in desired if escaped in orjson.dumps(entry.fields, default=str)]
    if not suspects:
        return []
    written = {(change.kind, change.key) for change in plan.changes if change.action is not Action.DELETE}
    written |= {applied.identity for applied in plan.base_updates}
    return [
        _token_leak(entry, name)
        for entry in suspects
        if (entry.kind, entry.key) in written
        for name in _fields_with_token(entry.fields, token)
    ]


def _token_leak(entry: Entry, field: str) -> Problem:
    """Return the problem of a text that contains the token of the target, and would publish it."""
    return Problem(
        "holds-token",
        "this text holds the token of the target",
        entry.source.where(field) if entry.source else Where(""),
        "remove it, and create another token for the target if other people could read the file",
        kind=entry.kind,
        key=entry.key,
    )


def _fields_with_token(value: Any, token: str, name: str = "") -> Iterator[str]:
    """Yield the dotted name of each text that contains the token; for a list item or a key, the name of its container.

    `name` is that of the value; "" for all fields of an entry. A name may be yielded several times.
    """
    if isinstance(value, Mapping):
        for key, inner in value.items():
            if token in str(key):
                yield name
            else:
                yield from _fields_with_token(inner, token, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _fields_with_token(inner, token, name)
    elif isinstance(value, str) and token in value:
        yield name
