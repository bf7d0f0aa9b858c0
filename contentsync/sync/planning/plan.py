"""A plan: what a run would write, and why, as a value; and the policy and the selection that it is made with."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from functools import cached_property
from glob import escape
from itertools import chain
from math import ceil
from pathlib import Path
from typing import Any, Literal, NamedTuple

import orjson

from ...content.folder.entry_names import find_entries, unknown_key_hint
from ...content.pictures.published_names import PublishedFile
from ...errors import UsageError
from ...model import BULK_SIZE, PAGINATED, PER_PAGE, Entry, EntryKey, Kind
from ...model.entry import find_kind, parse_entry_name, parse_kind
from ...model.suggestion import nearest_words
from ..comparing.base import UNKNOWN_BASE, AppliedEntry, Base
from ..comparing.change import Action, Change, DanglingReference, dangling_references, second_request_fields
from ..comparing.diff import FieldChange, NewFields
from ..comparing.entry_fields import KeyNames
from .consents import NO_CONSENTS, Choice, CommitConsents, Consents, NeededConsent

DELETED_REASON = "deleted on the server since the last sync"
MAX_SUGGESTIONS = 3  # keys in an error message

OnDrift = Literal["overwrite", "keep", "fail"]
OnConflict = Literal["fail", "ours", "theirs"]


class Refusal(NamedTuple):
    """A reason not to apply a plan; `consent` is what allows it, as text if not a number alone, or empty.

    If the user has to choose how to go on, `choices` are the consents in its place.
    """

    code: str
    message: str
    consent: NeededConsent | str = ""
    choices: tuple[Choice, ...] = ()

    @property
    def flag(self) -> str:
        """The option that allows the plan, or the command that does; empty if none does."""
        return " or ".join(map(str, self.choices)) or str(self.consent)

    def with_prefix(self, prefix: str) -> "Refusal":
        """Return the refusal with `prefix` before each option; a consent that is a command of its own is left."""

        def complete(words: str) -> str:
            return f"{prefix} {words}" if words.startswith("--") else words

        choices = tuple(choice._replace(words=complete(choice.words)) for choice in self.choices)
        return self._replace(consent=complete(str(self.consent)), choices=choices)


@dataclass(frozen=True, slots=True)
class Limits:
    """The percentage and the number of a kind's managed entries above which deletes or updates need consent."""

    percent: int = 20
    count: int = 10


@dataclass(frozen=True, slots=True)
class Policy:
    """What a plan may do, from the target's settings and the options of the command."""

    prune: bool = False
    limits: Limits = field(default_factory=Limits)  # of deletes and cleared entries: each of the two numbers is a limit
    # Of replaced values: only more than both numbers need consent.
    update_limits: Limits = field(default_factory=lambda: Limits(percent=30, count=20))
    allowed: Consents = field(default_factory=Consents)
    on_drift: OnDrift = "keep"
    on_conflict: OnConflict = "fail"
    adopt: bool = False
    of_folder: bool = True  # the desired entries are a folder's: no entry at all is then an error


DEFAULT_POLICY = Policy()


@dataclass(frozen=True, slots=True)
class Selection:
    """Pairs of a kind and a glob for the key (`--only KIND[/GLOB]`); an empty selection covers every entry."""

    patterns: tuple[tuple[Kind, str], ...] = ()

    @classmethod
    def parse(cls, values: Sequence[str]) -> "Selection":
        """Parse values such as `page`, `pages/a*` or `listing/https://*`. Raise UsageError for an unknown kind."""
        patterns = []
        for value in values:
            word, _, glob = value.partition("/")
            is_key = bool(glob) and not any(character in glob for character in "*?[")
            patterns.append(parse_entry_name(value) if is_key else (parse_kind(word), glob or "*"))
        return cls(tuple(patterns))

    @classmethod
    def find(cls, values: Sequence[str], folder: Path, entries: Collection[Entry], here: Path) -> "Selection":
        """Parse values that may also be paths of files, from `here` or from the content folder.

        Raise UsageError for an unknown kind, and for a file without entries.
        """
        patterns: list[tuple[Kind, str]] = []
        for value in values:
            is_kind = find_kind(value) is not None and not (here / value).is_file()
            found = [] if is_kind else find_entries(folder, entries, value, here)
            patterns += [(entry.kind, escape(entry.key)) for entry in found] or cls.parse([value]).patterns
        return cls(tuple(patterns))

    @property
    def kinds(self) -> frozenset[Kind]:
        return frozenset(kind for kind, _ in self.patterns) or frozenset(Kind)

    def covers(self, kind: Kind, key: str) -> bool:
        return not self.patterns or any(kind is wanted and fnmatchcase(key, glob) for wanted, glob in self.patterns)

    def require_matches(self, entries: Iterable[EntryKey], of_folder: Collection[Entry] = ()) -> None:
        """Raise UsageError for a pattern that matches none of the entries, with the new key or the most similar keys.

        A pattern for a whole kind may match no entry. The entries of the folder note their former keys.
        """
        keys: dict[Kind, set[str]] = defaultdict(set)
        for kind, key in entries:
            keys[kind].add(key)
        for kind, glob in self.patterns:
            if glob != "*" and not any(fnmatchcase(key, glob) for key in keys[kind]):
                is_noted = any(
                    entry.kind is kind and glob in (*entry.notes.previous, *entry.notes.merged) for entry in of_folder
                )
                hint = unknown_key_hint(kind, glob, of_folder) if is_noted else _hint(glob, kind, keys[kind])
                raise UsageError(f"--only {kind}/{glob} matches nothing here or on the server", hint)

    def __contains__(self, entry: Entry) -> bool:
        return self.covers(entry.kind, entry.key)


def _hint(glob: str, kind: Kind, keys: Collection[str]) -> str:
    """Return the hint for a glob that matches none of the keys of a kind."""
    if nearest := nearest_words(glob, sorted(keys), MAX_SUGGESTIONS):
        return f"the nearest: {', '.join(f'{kind}/{key}' for key in nearest)}"
    return f"such as {kind}/{min(keys)}; * stands for anything" if keys else f"there are no {kind.plural}"


EVERYTHING = Selection()


class RetainedEntry(NamedTuple):
    """A managed entry that the folder no longer has, and why the plan does not delete it."""

    entry: Entry
    reason: str


class Drift(NamedTuple):
    """Fields that another user changed on the server, and that the plan does not write."""

    entry: Entry
    fields: Mapping[str, FieldChange]  # before: on the server; after: in the folder
    deleted: bool = False  # the whole entry was deleted on the server, and the plan does not create it again


class UnreadFile(NamedTuple):
    """A file of the commit that is the base, with entries that could not be read there: their base is unknown."""

    path: str
    present_path: str  # in the folder, after a rename since the commit
    reason: str
    kinds: frozenset[Kind]  # of its entries


@dataclass(frozen=True)
class Plan:
    """The changes that a run would make.

    `stages` are in an order in which they can be applied; the changes of one stage do not depend on each other.
    """

    stages: tuple[tuple[Change, ...], ...]
    actual: tuple[Entry, ...]  # the server's entries when the plan was made
    unchanged: Mapping[Kind, int]
    unmanaged: tuple[Entry, ...]  # on the server only, and not to be deleted
    adopted: tuple[Entry, ...] = ()  # records that this folder did not create, and that are managed from now on
    published: tuple[Entry, ...] = ()  # entries that visitors do not see now, and will see
    hidden: tuple[Entry, ...] = ()  # entries that visitors see now, and will not see
    retained: tuple[RetainedEntry, ...] = ()  # managed entries, also in `unmanaged`, that the folder lacks
    discarded: tuple[Entry, ...] = ()  # records, also in `unmanaged`, whose new files were discarded after a pull
    drift: tuple[Drift, ...] = ()
    # Equal entries that are in neither `actual` nor `base`, because the plan was made without them.
    left_out: Collection[EntryKey] = frozenset()
    left_deleted: tuple[EntryKey, ...] = ()  # of the folder: deleted on the server, and not created again
    refusals: tuple[Refusal, ...] = ()
    base: Base = field(default_factory=lambda: UNKNOWN_BASE)  # the base from which the plan was made
    base_updates: Sequence[AppliedEntry] = ()  # to record without a request: equal entries are adopted
    base_removals: tuple[EntryKey, ...] = ()  # of entries that neither the folder nor the server has
    folder_keys: KeyNames = field(default_factory=dict)  # of records that have another key on the server
    dangling: tuple[DanglingReference, ...] = ()  # the references that other entries lose by the deletes
    conditional: bool = True  # the server itself refuses to overwrite what has changed, or was created, since
    undone_run: str = ""  # the name of the run that it undoes
    # Entries that `--on-conflict theirs` leaves unchanged on the server, with the reason.
    left_as_on_server: tuple[str, ...] = ()
    uploads: tuple[PublishedFile, ...] = ()  # files that entries of the folder name and the asset store lacks
    unread: tuple[UnreadFile, ...] = ()  # of the commit that is the base
    commit_consents: CommitConsents = NO_CONSENTS  # of the commits since the base

    def __bool__(self) -> bool:
        return bool(self.changes or self.uploads)

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """Return all changes in the order of the stages."""
        return tuple(change for stage in self.stages for change in stage)

    @cached_property
    def adopted_unchanged(self) -> tuple[Entry, ...]:
        """Return the adopted records that are equal to their entries, so that no change shows them."""
        written = {(change.kind, change.id) for change in self.changes}
        return tuple(record for record in self.adopted if (record.kind, record.id) not in written)

    def select(self, is_selected: Callable[[Change], bool]) -> "Plan":
        """Return the plan with only the changes for which `is_selected` returns True."""
        stages = tuple(filter(None, (tuple(filter(is_selected, stage)) for stage in self.stages)))
        changes = [change for stage in stages for change in stage]
        return replace(self, stages=stages, dangling=tuple(dangling_references(changes, self.actual)))

    def count(self, action: Action, kind: Kind | None = None) -> int:
        """Return the number of changes with this action, of one kind or of all kinds."""
        return sum(self._counts[action, each] for each in (Kind if kind is None else (kind,)))

    @cached_property
    def _counts(self) -> Counter[tuple[Action, Kind]]:
        return Counter((change.action, change.kind) for change in self.changes)

    def has_unknown_base(self, entry: Entry) -> bool:
        """Return whether an entry may have been in a file of the base that could not be read.

        A record that only the server has may have been in any file of its kind.
        """
        if (entry.kind, entry.key) in self.base:
            return False
        present_path = entry.source.path if entry.source else None
        return any(entry.kind in file.kinds and present_path in (None, file.present_path) for file in self.unread)

    @property
    def drift_count(self) -> int:
        """Return the number of entries that another user changed on the server since the last run."""
        changed = {(change.kind, change.key) for change in self.changes if change.drift or change.recreates}
        return len(changed | {(drift.entry.kind, drift.entry.key) for drift in self.drift})

    @property
    def write_count(self) -> int:
        """Return the number of writing requests.

        One for each change, but one for 100 new listings; one more for temporary values and for each second write.
        """
        new_listings = self.count(Action.CREATE, Kind.LISTING)
        bulk_creates = ceil(new_listings / BULK_SIZE)
        temporary = sum(bool(change.temporary_values) for change in self.changes)
        second_writes = sum(bool(second_request_fields(change)) for change in self.changes)
        return len(self.changes) - new_listings + bulk_creates + temporary + second_writes

    @property
    def check_count(self) -> int:
        """Return the number of requests that read the server again, before deletes and before creates."""
        kinds = {change.kind for change in self.changes if change.action is Action.DELETE}
        return sum(self._pages(kind) for kind in kinds) + sum(self._lookups(kind) for kind in Kind)

    @property
    def request_count(self) -> int:
        """Return the number of requests to apply the plan."""
        return self.write_count + self.check_count

    def _pages(self, kind: Kind) -> int:
        """Return the number of requests that read the list of a kind again."""
        if self.conditional or kind not in PAGINATED:
            return 1
        return max(1, ceil(sum(entry.kind is kind for entry in self.actual) / PER_PAGE))

    def _lookups(self, kind: Kind) -> int:
        """Return the number of requests to find out whether the keys of new entries are still free."""
        creates = self.count(Action.CREATE, kind)
        if not creates or self.conditional or kind is Kind.LISTING:
            return 0
        return min(creates, self._pages(kind)) if kind is Kind.ARTICLE else self._pages(kind)

    @cached_property
    def lost_references(self) -> dict[EntryKey, list[list[object]]]:
        """Return [kind, id, field] of each dangling reference, by the deleted entry."""
        lost: dict[EntryKey, list[list[object]]] = defaultdict(list)
        for reference in self.dangling:
            lost[reference.target].append([reference.entry.kind.value, reference.entry.id, reference.field])
        return {target: sorted(lost[target], key=str) for target in sorted(lost)}

    @property
    def digest(self) -> str:
        """Return a digest of the changes, and of the references that they leave dangling.

        Equal plans have equal digests.
        """
        written = (
            [change.action, change.kind, change.key, change.id, change.previous_key, _field_values(change)]
            for change in self.changes
        )
        sha = hashlib.sha256()  # item by item, as the JSON of all would need much memory
        for item in chain(written, [sorted(self.lost_references.items())]):
            sha.update(orjson.dumps(item, default=list, option=orjson.OPT_SORT_KEYS))
        return sha.hexdigest()


def _field_values(change: Change) -> dict[str, Any]:
    """Return the fields of a change; of a new entry only the values after it, as there are none before it."""
    return {**(change.fields.values_after if isinstance(change.fields, NewFields) else change.fields)}
