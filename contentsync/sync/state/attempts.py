"""TODO."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from ...model import RECORDS, Entry, Kind
from ...model.url import url_key
from ..applying.outcome import ADDED_TO
from ..comparing.base import Applied, Base, applied_of
from ..comparing.diff import compare, has_default, was_set
from ..comparing.entry_fields import BODIES, Identity, is_given
from ..comparing.fingerprint import fingerprint
from ..comparing.matching import Matching
from ..order import temporary

Paths = Mapping[str, str]  # new path: old path


class Attempt(NamedTuple):
    """A commit that a run has begun to apply."""

    entries: Sequence[Entry]  # with their references resolved
    moved: Sequence[Paths]  # files: since the base, and since the attempt before this one
    moved_after: Paths  # files, from here to the working tree


def with_attempts(entries: Iterable[Entry], attempts: Iterable[Attempt], actual: Iterable[Entry]) -> Base:
    """Return the base that a commit's `entries` are, changed by what the server has of `attempts`, the oldest first.

    `actual` is what the server has. Entries that are marked `sync.skip` were never written.
    """
    known = {(entry.kind, entry.key): _Known(applied_of(entry), entry) for entry in entries if not entry.notes.skip}
    there = {(entry.kind, entry.key): entry for entry in actual}
    for attempt in attempts:
        known = _Comparison(known, attempt, there).result()
    return Base({identity: one.located for identity, one in known.items()})


@dataclass(frozen=True, slots=True)
class _Known:
    """A line of the base, and the entry that it was made from."""

    line: Applied
    entry: Entry
    attempt: Attempt | None = None  # in which the line's path is one; None for the base commit

    @property
    def located(self) -> Applied:
        """The line, with the path that its file has now. Of the base commit's files, the plan itself is given those."""
        if self.attempt is None:
            return self.line
        now = {old: new for new, old in self.attempt.moved_after.items()}
        return replace(self.line, path=now.get(self.line.path, self.line.path))


class _Comparison:
    """One attempt, compared with what is known and with what is there."""

    def __init__(self, known: Mapping[Identity, _Known], attempt: Attempt, there: Mapping[Identity, Entry]) -> None:
        self._known = known
        self._attempt = attempt
        self._there = there
        # What each entry of the attempt was until then, as if the server had exactly what is known.
        base = Base({identity: one.line for identity, one in known.items()})
        paths = {line.path for line in base.values()}
        moved = {new: old for since in attempt.moved for new, old in since.items() if old in paths}
        self._matching = Matching(attempt.entries, [one.entry for one in known.values()], base, moved)
        self._written = {
            identity: entry
            for entry in attempt.entries
            if (identity := (entry.kind, entry.key)) in there and not entry.notes.skip
        }

    def result(self) -> dict[Identity, _Known]:
        """What is known afterwards."""
        left = {line.identity for line, _ in self._matching.orphans() if line.identity not in self._there}
        taken: dict[Identity, _Known] = {}
        renamed = dict(self._renamed())
        for identity, entry in self._written.items():
            was = self._matching.of(entry).applied
            if identity in renamed or (was is not None and was.identity == identity):
                taken[identity] = self._merged(entry, renamed.get(identity) or self._known[identity].line)
            elif identity not in self._known and is_exactly(entry, self._there[identity]):
                taken[identity] = _Known(applied_of(entry), entry, self._attempt)
        left |= {line.identity for line in renamed.values()}
        for before, one in self._on_detours():
            left.add(before)
            taken[one.line.identity] = one
        return {identity: one for identity, one in self._known.items() if identity not in left} | taken

    def _renamed(self) -> Iterator[tuple[Identity, Applied]]:
        """Give the entries whose new key the server has, with the lines that they were known by.

        The old key has to be free, or to be that of another entry by now, as after a swap.
        """
        moving = {
            identity: was
            for identity, entry in self._written.items()
            if (was := self._matching.of(entry).applied) is not None
            and was.identity != identity
            and self._is_written_over(entry, was)
        }
        for identity, was in moving.items():
            other = self._written.get(was.identity)
            is_left = was.identity not in self._there or was.identity in moving
            if is_left or (other is not None and is_exactly(other, self._there[was.identity])):
                yield identity, was

    def _is_written_over(self, entry: Entry, was: Applied) -> bool:
        """Whether the record of an entry's key has all that the attempt changed, its title, and its body."""
        wanted = applied_of(entry).fields
        differing = compare(entry, self._there[entry.kind, entry.key], None).changes
        telling = wanted.keys() & {RECORDS[entry.kind].title_field, *BODIES}
        changed = {name for name, mark in wanted.items() if was.fields.get(name) != mark}
        return bool(telling) and (telling | changed).isdisjoint(differing)

    def _on_detours(self) -> Iterator[tuple[Identity, _Known]]:
        """Give the entries that have a temporary name, of a swap that was cut off, with the name that they had.

        The temporary name says for sure which entry it is, and which name it was about to get.
        """
        odd = [record for identity, record in self._there.items() if identity not in self._known and _is_odd(record)]
        if not odd:
            return
        matches = ((entry, self._matching.of(entry).applied) for entry in self._attempt.entries)
        moving = [(line, entry.key) for entry, line in matches if line is not None and line.key != entry.key]
        moving += [(line, line.key) for line, _ in self._matching.orphans()]  # of what is deleted, its own
        for line, key in moving:
            one = self._known[line.identity]
            for record in odd:
                if record.kind is line.kind and record.key == _temporary_key(one, key, record.id):
                    names = [RECORDS[line.kind].key_field, "url"]
                    marks = {name: fingerprint(line.kind, name, record.fields.get(name)) for name in names}
                    fields = {name: f"/{marks[name]}" if name in marks else mark for name, mark in line.fields.items()}
                    moved = replace(line, key=record.key, moving=key, digest="", fields=fields)
                    yield line.identity, replace(one, line=moved, entry=replace(one.entry, key=record.key))

    def _merged(self, entry: Entry, line: Applied) -> _Known:
        """Return a line with each value of the attempt that the server has."""
        wanted, record = applied_of(entry), self._there[entry.kind, entry.key]
        differing = compare(entry, record, line).changes
        fields = {
            name: mark
            for name, mark in line.fields.items()
            if name in wanted.fields or name in differing or is_given(entry, name) or not has_default(name)
        }
        fields |= {name: mark for name, mark in wanted.fields.items() if name not in differing}
        slug = self._known[line.identity].entry.fields.get("slug")
        if slug and record.fields.get("slug") == temporary(entry.kind, "slug", str(slug), entry.key, record.id):
            fields["slug"] = f"/{fingerprint(entry.kind, 'slug', record.fields['slug'])}"  # a listing's, in a swap
        protect = line.protect or wanted.protect
        if fields == wanted.fields:
            return _Known(replace(wanted, protect=protect), entry, self._attempt)
        merged = replace(line, fields=fields, protect=protect, digest="")
        if line.key == entry.key:
            return replace(self._known[line.identity], line=merged)
        return _Known(replace(merged, key=entry.key, path=wanted.path, slug=wanted.slug), entry, self._attempt)


def is_exactly(entry: Entry, record: Entry) -> bool:
    """Return whether a record is as creating an entry leaves it: with all its values, and no others.

    A service may add an organizer to a new listing by itself.
    """
    for name, (there, here) in compare(entry, record, None).changes.items():
        if name not in ADDED_TO or not set(here or ()) <= set(there or ()):
            return False
    return not any(
        not is_given(entry, name) and name not in ADDED_TO and was_set(entry.kind, name, value)
        for name, value in _values(record)
    )


def _is_odd(record: Entry) -> bool:
    """Whether a record may have a temporary name."""
    return "moving" in record.key


def _temporary_key(known: _Known, key: str, id_: int | None) -> str:
    """The key of an entry, known as it was, while it is on the way to another one."""
    kind, url = known.line.kind, known.entry.fields.get("url")
    if kind is Kind.LISTING and url:
        return url_key(temporary(kind, "url", str(url), key, id_))
    return temporary(kind, RECORDS[kind].key_field, known.line.key, key, id_)


def _values(record: Entry) -> Iterator[tuple[str, Any]]:
    """Give a record's values by dotted names, without translations that are the default's texts."""
    for name, value in record.fields.items():
        if name not in ("seo", "translations") or not isinstance(value, Mapping):
            yield name, value
        else:
            yield from _inner(name, value, record.fields)


def _inner(prefix: str, values: Mapping[str, Any], shown: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        default = shown.get(name)
        if isinstance(value, Mapping):
            yield from _inner(f"{prefix}.{name}", value, default if isinstance(default, Mapping) else shown)
        elif prefix == "seo" or value != default:
            yield f"{prefix}.{name}", value
