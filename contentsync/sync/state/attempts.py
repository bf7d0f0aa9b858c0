"""The base with the writes of unfinished runs, as far as the commits that they applied and the server prove them.

A commit that a run has begun to apply is an *attempt*. It proves nothing alone: the run may have stopped anywhere. So
an attempt changes the base only if the server agrees with it (docs/evidence.md 2):

| the attempt, compared with the base | the server                                | the base             |
|-------------------------------------|-------------------------------------------|----------------------|
| has a new entry                     | has it with these values and no others    | gets the entry       |
| has another value of a field        | has that value                            | gets the value       |
| has an entry under another key      | has the new key with what was changed     | gets the new key     |
|                                     | has the temporary key of a swap           | gets the temporary   |
| has an entry no more                | has it no more                            | loses the entry      |
| anything                            | anything else                             | stays as it is       |
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ...content.config.config import Config
from ...model import RECORDS, Entry, EntryKey, Kind, key_fields
from ...model.urls import url_key
from ..comparing.base import AppliedEntry, Base, applied_entry
from ..comparing.diff import compare, has_default, was_set_by_other_user
from ..comparing.entry_fields import BODIES, KeyNames, is_authored, rename_references
from ..comparing.fingerprint import as_unsent, fingerprint, sent_fingerprint
from ..comparing.matching import Matching
from ..comparing.outcome import ADDED_BY_SERVICE
from ..planning.order import temporary_value
from ..planning.plan import UnreadFile

Paths = Mapping[str, str]  # new path: old path


class Attempt(NamedTuple):
    """A commit that a run has begun to apply."""

    config: Config
    entries: Sequence[Entry]
    renamed_files: Sequence[Paths]  # since the base, and since the attempt before
    renamed_after: Paths  # from here to the working tree
    unread: Sequence[UnreadFile] = ()  # of the commit


def merge_attempts(entries: Iterable[Entry], attempts: Iterable[Attempt], actual: Iterable[Entry]) -> Base:
    """Return the base of a commit's `entries`, with the changes of `attempts` (oldest first) that the server has.

    References must be resolved. `actual` are the server's records. Entries that are marked `sync.skip` are left out:
    they were never written.
    """
    merged = {
        (entry.kind, entry.key): _MergedEntry(applied_entry(entry), entry) for entry in entries if not entry.notes.skip
    }
    records = {(record.kind, record.key): record for record in actual}
    for attempt in attempts:
        merged = _AttemptMerge(merged, attempt, records).result()
    return Base((identity, item.applied_at_present_path) for identity, item in merged.items())


@dataclass(frozen=True, slots=True)
class _MergedEntry:
    """An applied entry, and the entry of the commit that it comes from."""

    applied: AppliedEntry
    entry: Entry
    attempt: Attempt | None = None  # that the path is from; None: the base commit

    @property
    def applied_at_present_path(self) -> AppliedEntry:
        """Return the applied entry with its file's path in the working tree.

        A path of the base commit stays as it is: the plan maps it with the renames since that commit.
        """
        if self.attempt is None:
            return self.applied
        new_paths = {old: new for new, old in self.attempt.renamed_after.items()}
        return self.applied._replace(path=new_paths.get(self.applied.path, self.applied.path))

    def with_keys(self, keys: KeyNames) -> "_MergedEntry":
        """Return this entry with new keys for its references and custom fields; itself if it has none of them."""
        entry = rename_references(self.entry, keys)
        if entry is self.entry:
            return self
        kind = entry.kind
        fields = dict(self.applied.fields)
        for name in RECORDS[kind].references.keys() & fields.keys():
            is_stored_as_sent = fields[name] == sent_fingerprint(kind, name, self.entry.fields.get(name))
            if is_stored_as_sent:  # a pair `sent/stored` stays as it is
                fields[name] = sent_fingerprint(kind, name, entry.fields.get(name))
        fields = {keys.get((Kind.CUSTOM_FIELD, name), name): pair for name, pair in fields.items()}
        applied = self.applied._replace(fields=fields, digest="")  # the digest was that of the old keys
        return replace(self, entry=entry, applied=applied)


class _AttemptMerge:
    """Merges one attempt into the entries so far, as the server's records confirm it."""

    def __init__(
        self, merged: Mapping[EntryKey, _MergedEntry], attempt: Attempt, records: Mapping[EntryKey, Entry]
    ) -> None:
        """Match the entries of an attempt with the `merged` ones, those of the base and the attempts before it.

        `records` are those of the server, by key.
        """
        self._merged = merged
        self._attempt = attempt
        self._records = records
        # Match the attempt as if the server had exactly the merged entries.
        base = Base((identity, item.applied) for identity, item in merged.items())
        # A path in `base` is from the base's commit or from an earlier attempt. Use only the renames from such paths.
        merged_paths = {applied.path for applied in base.values()}
        renamed_files: dict[str, str] = {}
        for renamed_since_commit in attempt.renamed_files:
            renamed_files |= {new: old for new, old in renamed_since_commit.items() if old in merged_paths}
        self._matching = Matching(attempt.entries, [item.entry for item in merged.values()], base, renamed_files)
        # If the server does not have the new key of a renamed entry yet, the attempt's entries refer to the old key.
        old_keys = dict(self._pending_renames(attempt))
        self._on_server: dict[EntryKey, Entry] = {}  # the attempt's entries whose keys the server has
        for entry in attempt.entries:
            if (entry.kind, entry.key) in records and not entry.notes.skip:
                self._on_server[entry.kind, entry.key] = rename_references(entry, old_keys)
        # If the server has the new key of a renamed entry already, the merged entries refer to the new key.
        self._renames = dict(self._finished_renames(self._on_server))
        new_keys = {old.identity: key for (_kind, key), old in self._renames.items()}
        self._merged = {identity: item.with_keys(new_keys) for identity, item in merged.items()}

    def result(self) -> dict[EntryKey, _MergedEntry]:
        """Return the merged entries after the attempt, by kind and key."""
        deleted_by_attempt = {applied.identity for applied, _record in self._matching.orphans()}
        removed = deleted_by_attempt - self._records.keys()
        accepted: dict[EntryKey, _MergedEntry] = {}
        for identity, entry in self._on_server.items():
            old = self._applied_before(entry)
            if identity in self._renames:
                old_identity = self._renames[identity].identity
                accepted[identity] = self._with_stored_values(entry, self._merged[old_identity].applied)
            elif old is not None and old.identity == identity:
                accepted[identity] = self._with_stored_values(entry, self._merged[identity].applied)
            elif identity not in self._merged and has_exact_values(entry, self._records[identity]):
                accepted[identity] = _MergedEntry(applied_entry(entry), entry, self._attempt)
        removed |= {old.identity for old in self._renames.values()}
        for old_identity, item in self._with_temporary_keys():
            removed.add(old_identity)
            accepted[item.applied.identity] = item
        return {identity: item for identity, item in self._merged.items() if identity not in removed} | accepted

    def _applied_before(self, entry: Entry) -> AppliedEntry | None:
        """Return the applied entry so far of the attempt's entry, under the same key or a former one; None if new."""
        return self._matching.find(entry).applied

    def _finished_renames(self, written: Mapping[EntryKey, Entry]) -> Iterator[tuple[EntryKey, AppliedEntry]]:
        """Yield the new identity and the applied entry of each entry that the server has under its new key.

        No record may have the old key, or only that of another entry of the attempt, renamed or new.
        """
        renamed: dict[EntryKey, AppliedEntry] = {}
        for identity, entry in written.items():
            old = self._applied_before(entry)
            if old is not None and old.identity != identity and self._has_applied_changes(entry, old):
                renamed[identity] = old
        for identity, old in renamed.items():
            successor = written.get(old.identity)  # the entry of the attempt with the old key
            if (
                old.identity not in self._records
                or old.identity in renamed  # the successor was renamed too, as in a swap
                or (successor is not None and has_exact_values(successor, self._records[old.identity]))
            ):
                yield identity, old

    def _pending_renames(self, attempt: Attempt) -> Iterator[tuple[EntryKey, str]]:
        """Yield the new identity and the old key of each entry that the server still has under its old key."""
        for entry in attempt.entries:
            old = self._applied_before(entry)
            identity = (entry.kind, entry.key)
            if old is not None and identity not in self._records and old.identity in self._records:
                yield identity, old.key

    def _has_applied_changes(self, entry: Entry, old: AppliedEntry) -> bool:
        """Return whether the record with an entry's key has its title, its body and all its changes since `old`."""
        pairs = applied_entry(entry).fields  # by the dotted names of the fields, as in `differing`
        differing = compare(entry, self._records[entry.kind, entry.key], applied=None).changes
        identifying = pairs.keys() & {RECORDS[entry.kind].title_field, *BODIES}
        changed = {name for name, pair in pairs.items() if old.fields.get(name) != pair}
        return bool(identifying) and (identifying | changed).isdisjoint(differing)

    def _with_temporary_keys(self) -> Iterator[tuple[EntryKey, _MergedEntry]]:
        """Yield the old identity and the merged entry of each entry that a stopped swap left with a temporary key.

        A temporary key proves which entry has it, and which key the entry should get next.
        """
        candidates = [
            record
            for identity, record in self._records.items()
            if identity not in self._merged and "moving" in record.key  # as every temporary key
        ]
        if not candidates:
            return
        next_keys: list[tuple[AppliedEntry, str]] = []  # the entries that a swap may have moved
        for entry in self._attempt.entries:
            applied = self._applied_before(entry)
            if applied is not None and applied.key != entry.key:
                next_keys.append((applied, entry.key))
        # The temporary key of an entry that the attempt deletes is made from its own key.
        next_keys += [(applied, applied.key) for applied, _record in self._matching.orphans()]
        for applied, key in next_keys:
            item = self._merged[applied.identity]
            for record in candidates:
                if record.kind is applied.kind and record.key == _temporary_key(item, record.id, next_key=key):
                    fields = dict(item.applied.fields)
                    for name in fields.keys() & {*key_fields(applied.kind)}:
                        fields[name] = as_unsent(fingerprint(applied.kind, name, record.fields.get(name)))
                    temporary = item.applied._replace(key=record.key, moving=key, digest="", fields=fields)
                    yield applied.identity, replace(item, applied=temporary, entry=replace(item.entry, key=record.key))

    def _with_stored_values(self, entry: Entry, applied: AppliedEntry) -> _MergedEntry:
        """Return the merged entry with those values of the attempt's `entry` that the server has.

        `applied` is the applied entry before the attempt. If it has another key, the server has the entry's new key
        with all its changes, so the result refers to the attempt's entry.
        """
        wanted = applied_entry(entry)
        record = self._records[entry.kind, entry.key]
        differing = compare(entry, record, applied).changes
        fields: dict[str, str] = {}
        for name, pair in applied.fields.items():
            is_removed = name not in wanted.fields and not is_authored(entry, name)
            is_reset = is_removed and has_default(name) and name not in differing  # the server has the default
            if not is_reset:
                fields[name] = pair
        fields |= {name: pair for name, pair in wanted.fields.items() if name not in differing}
        slug = str(self._merged[applied.identity].entry.fields.get("slug") or "")
        temporary_slug = temporary_value(entry.kind, "slug", slug, record.id, next_key=entry.key)
        if slug and record.fields.get("slug") == temporary_slug:
            # The run stopped in a swap of the slugs of two listings.
            fields["slug"] = as_unsent(fingerprint(entry.kind, "slug", record.fields["slug"]))
        protect = applied.protect or wanted.protect
        if fields == wanted.fields:
            return _MergedEntry(wanted._replace(protect=protect), entry, self._attempt)
        merged = applied._replace(fields=fields, protect=protect, digest="")
        if applied.key == entry.key:
            # Some values are still those of the earlier entry; take only the references that the server has.
            item = self._merged[applied.identity]
            written = {name: entry.fields[name] for name in RECORDS[entry.kind].references if name in entry.fields}
            references = {name: value for name, value in written.items() if name not in differing}
            values = {**item.entry.fields, **references}
            return replace(item, applied=merged, entry=replace(item.entry, fields=values))
        return _MergedEntry(merged._replace(key=entry.key, path=wanted.path, slug=wanted.slug), entry, self._attempt)


def has_exact_values(entry: Entry, record: Entry) -> bool:
    """Return whether a record has all values of an entry and no others, as after a create.

    An organizer that the service adds to a new listing is allowed.
    """
    for name, (stored, desired) in compare(entry, record, applied=None).changes.items():
        if name not in ADDED_BY_SERVICE or not set(desired or ()) <= set(stored or ()):
            return False
    for name, value in _values(record):
        may_be_added = is_authored(entry, name) or name in ADDED_BY_SERVICE
        if not may_be_added and was_set_by_other_user(entry.kind, name, value):
            return False
    return True


def _temporary_key(item: _MergedEntry, id_: int | None, *, next_key: str) -> str:
    """Return the temporary key that a run gave to the record `id_`, so that its entry could get `next_key` later.

    A listing with a URL got a temporary URL, from which its key follows.
    """
    kind = item.applied.kind
    url = item.entry.fields.get("url")
    if kind is Kind.LISTING and url:
        return url_key(temporary_value(kind, "url", str(url), id_, next_key=next_key))
    return temporary_value(kind, RECORDS[kind].key_field, item.applied.key, id_, next_key=next_key)


def _values(record: Entry) -> Iterator[tuple[str, Any]]:
    """Yield each dotted name and value of a record, except translations that are equal to the default text."""
    for name, value in record.fields.items():
        if name not in ("seo", "translations") or not isinstance(value, Mapping):
            yield name, value
        else:
            yield from _nested_values(name, value, record.fields)


def _nested_values(prefix: str, values: Mapping[str, Any], defaults: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the values of an object; of a translation only texts that differ from those in `defaults`.

    `defaults` are the texts in the default language: for `translations.de` the record's fields, for
    `translations.de.seo` its `seo`.
    """
    for name, value in values.items():
        default = defaults.get(name)
        if isinstance(value, Mapping):
            is_language = prefix == "translations"
            inner_defaults = default if isinstance(default, Mapping) else {}
            yield from _nested_values(f"{prefix}.{name}", value, defaults if is_language else inner_defaults)
        elif prefix == "seo" or value != default:
            yield f"{prefix}.{name}", value
