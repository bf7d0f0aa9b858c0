"""Replace the names of other entries in listings and categories by keys (docs/content.md 3)."""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence

from ...errors import Fix
from ...model import RECORDS, Entry, Kind
from ...model.slug import make_slug
from ...model.suggestion import did_you_mean_text, mistyped_words, nearest
from ..formats.draft import Draft

MAX_COMPARED = 100  # names compared for one hint: a search for similar names takes longer than reading a file
_LEAST = 4  # characters of a name; shorter ones may be names that the folder lacks
MAX_CYCLE_NAMES = 5  # categories of a cycle in its message


class NameIndex:
    """The keys and titles of all entries of a kind in the folder; `path` is the path of the collection."""

    def __init__(
        self,
        kind: Kind,
        entries: Iterable[tuple[str, str | None]],
        path: str,
        renamed: Iterable[tuple[str, str]] = (),
        merged: Iterable[tuple[str, str]] = (),
    ) -> None:
        """Index the key and the title of each entry, and those that were `renamed` or `merged`: old key, new key."""
        self.kind = kind
        self._path = path
        self.keys: set[str] = set()
        self._titles: dict[str, set[str]] = {}  # keys by title
        self._renamed = [*renamed]
        self._new_keys = dict(self._renamed)  # by old key
        self._merged = dict(merged)  # by the key of the entry that was deleted
        self._hints: dict[str, str] = {}  # by unknown name
        self._meant: dict[str, str] = {}  # by unknown name
        self._by_affix: dict[str, list[str]] = {}  # keys and titles by their start (`abc-`) and by their end (`-xyz`)
        for key, title in entries:
            if key:
                self.keys.add(key)
                if title is not None:
                    self._titles.setdefault(title, set()).add(key)

    @classmethod
    def of(cls, kind: Kind, entries: Iterable[Entry], path: str) -> "NameIndex":
        """Index those entries that are of the kind."""
        indexed = [entry for entry in entries if entry.kind is kind]
        titles = ((entry.key, entry.fields.get(RECORDS[kind].title_field)) for entry in indexed)
        renamed = ((old, entry.key) for entry in indexed for old in entry.notes.previous)
        merged = ((old, entry.key) for entry in indexed for old in entry.notes.merged)
        return cls(kind, titles, path, renamed, merged)

    def __bool__(self) -> bool:
        return bool(self.keys)

    def are_unique_keys(self, names: Sequence[str]) -> bool:
        """Return whether each name is a key, and occurs once."""
        unique = set(names)
        return len(unique) == len(names) and unique <= self.keys

    def find(self, name: str) -> list[str]:
        """Return the keys that a name may mean: the name itself if it is a key, else those with this title."""
        return [name] if name in self.keys else sorted(self._titles.get(name, ()))

    def answer(self, name: str) -> Sequence[str]:
        """Return the keys that a name may mean, else its hint and fix. Entries depend on nothing else of an index."""
        return self.find(name) or (("", self.hint(name), self.meant(name)) if self else ())

    def hint(self, name: str) -> str:
        """Return a hint for an unknown name. It is the same in every process and every run."""
        if name not in self._hints:
            hint = self._renamed_hint(name) or self._similar_hint(name)
            self._hints[name] = hint or f"correct the name, or add the {self.kind.value} to {self._path}"
        return self._hints[name]

    def meant(self, name: str) -> str:
        """Return the key to write for an unknown name, if there is no doubt: it was renamed, or misspelt; else ""."""
        if name not in self._meant:
            if self._renamed_hint(name):
                keys = {new for old, new in (*self._renamed, *self._merged.items()) if old == name}
            else:
                similar = mistyped_words(name, self._candidates(name), _LEAST)
                keys = {key for text in similar for key in self.find(text)}
            self._meant[name] = keys.pop() if len(keys) == 1 else ""
        return self._meant[name]

    def _renamed_hint(self, name: str) -> str:
        new = self._new_keys.get(name, "")
        if new in self.keys:
            return f"it was renamed: write '{new}'"
        survivor = self._merged.get(name, "")
        return f"it was merged: write '{survivor}'" if survivor in self.keys else ""

    def _similar_hint(self, name: str) -> str:
        """Return the hint with the key to write; with its title if the name is similar to this."""
        similar = nearest(name, self._candidates(name))
        if similar is None or similar in self.keys:
            return did_you_mean_text(similar or "")
        key, *others = self.find(similar)
        if others:
            return f"write {' or '.join([key, *others])} ({similar})"
        return did_you_mean_text(key, "" if make_slug(similar) == key else similar)

    def _candidates(self, name: str) -> list[str]:
        """Return keys and titles to compare with a name; if there are very many, only those that start or end alike."""
        if len(self.keys) + len(self._titles) <= MAX_COMPARED:
            return [*sorted(self.keys), *sorted(self._titles)]
        if not self._by_affix:
            for text in (*sorted(self.keys), *sorted(self._titles)):
                for affix in _affixes(text):
                    self._by_affix.setdefault(affix, []).append(text)
        return [text for affix in _affixes(name) for text in self._by_affix.get(affix, ())[: MAX_COMPARED // 2]]


def _affixes(name: str) -> tuple[str, str]:
    folded = name.casefold()
    return f"{folded[:3]}-", f"-{folded[-3:]}"


def title_of(draft: Draft) -> str | None:
    """Return the title or name by which other entries may refer to the draft; None if it is not a text."""
    title = draft.values.get(RECORDS[draft.kind].title_field)
    return title if isinstance(title, str) else None


def named_entries(draft: Draft) -> Iterator[tuple[Kind, str]]:
    """Yield the kind and the name of each entry that the draft refers to, before `resolve_references` replaces them."""
    for field, kind in RECORDS[draft.kind].references.items():
        value = draft.values.get(field)
        for name in value if isinstance(value, list) else [value]:
            if isinstance(name, str):
                yield kind, str(name)


def resolve_references(draft: Draft, names: Mapping[Kind, NameIndex], incomplete_kinds: Container[Kind]) -> None:
    """Replace names of other entries by keys, and report names that mean no entry or several.

    `names` has an index for each kind that the draft may refer to. Of `incomplete_kinds`, entries may be missing.
    """
    for field, kind in RECORDS[draft.kind].references.items():
        value = draft.values.get(field)
        if isinstance(value, list):
            _resolve_list(draft, field, names[kind], incomplete_kinds)
        elif isinstance(value, str) and value.strip():
            draft.values[field] = _resolve_name(draft, field, str(value), names[kind], incomplete_kinds)
    if draft.kind is Kind.LISTING and "category_id" in draft.values:
        _merge_category(draft)


def report_parent_cycles(categories: Iterable[Draft]) -> None:
    """Add an error to one category of each cycle of parents."""
    drafts = {draft.key: draft for draft in categories if isinstance(draft.values.get("parent_id"), str)}
    done: set[str] = set()  # categories whose parents have been followed
    for start in drafts:
        key = start
        followed: dict[str, int] = {}  # `start`, its parent and so on; and the position of each
        while key in drafts and key not in done and key not in followed:
            followed[key] = len(followed)
            key = drafts[key].values["parent_id"]
        if key in followed:
            cycle = list(followed)[followed[key] :]
            more = [f"{len(cycle) - MAX_CYCLE_NAMES} more"] if len(cycle) > MAX_CYCLE_NAMES else []
            draft = drafts[key]
            message = f"the category is its own parent: {' > '.join([*cycle[:MAX_CYCLE_NAMES], *more, key])}"
            draft.error("parent-cycle", message, draft.where("parent_id"), "remove one parent_id")
        done.update(followed)


def _resolve_list(draft: Draft, field: str, names: NameIndex, incomplete_kinds: Container[Kind]) -> None:
    """Replace the names in a list field by keys; with an error in the draft, only report unknown names.

    A name of one of the `incomplete_kinds` is not reported as unknown: a file that could not be read may have it.
    """
    references = draft.values[field]
    if draft.is_sound and names.are_unique_keys(references):
        return
    keys = [
        _resolve_name(draft, f"{field}.{index}", str(name), names, incomplete_kinds)
        for index, name in enumerate(references)
        if isinstance(name, str) and name.strip()  # the validation reports empty names
    ]
    if draft.is_sound:  # so the list has no empty names
        _set_list(draft, field, [(key, f"{field}.{index}") for index, key in enumerate(keys)])


def _merge_category(draft: Draft) -> None:
    """Move `category_id`, which the entry sets, into `categories` as the first one (docs/contract.md 14).

    If `categories` has it too, it is there once. With null, `categories` stays as it is. A draft with errors is not
    changed: its values may have other types, and it does not become an entry.
    """
    if not draft.is_sound:
        return
    first_key = draft.values.pop("category_id")
    references = [(key, f"categories.{index}") for index, key in enumerate(draft.values.get("categories", []))]
    if first_key is not None:
        references.insert(0, (first_key, "category_id"))
    _set_list(draft, "categories", references)
    if first_key is not None:
        draft.value_locations.pop("category_id", None)  # `_set_list` has made it the location of `categories.0`


def _set_list(draft: Draft, field: str, references: list[tuple[str, str]]) -> None:
    """Set a list field to the keys of references (key, and dotted name of its value), each once, and locate them."""
    name_by_key: dict[str, str] = {}
    for key, name in references:
        name_by_key.setdefault(key, name)
    draft.values[field] = list(name_by_key)
    if list(name_by_key.values()) == [f"{field}.{index}" for index in range(len(name_by_key))]:
        return  # the list as written
    locations = [draft.value_locations.get(name) for name in name_by_key.values()]
    for name in [name for name in draft.value_locations if name.startswith(f"{field}.")]:
        del draft.value_locations[name]
    for index, location in enumerate(locations):
        if location:
            draft.value_locations.setdefault(field, location)
            draft.value_locations[f"{field}.{index}"] = location


def _resolve_name(draft: Draft, location: str, name: str, names: NameIndex, incomplete_kinds: Container[Kind]) -> str:
    """Return the key that the name at `location` means; if it means none or several, report it and return the name."""
    field = location.partition(".")[0]
    kind = names.kind.value
    keys = names.find(name)
    if len(keys) == 1:
        return keys[0]
    if keys:
        message = f"{field}: '{name}' is the title of {len(keys)} {names.kind.plural}"
        draft.error("ambiguous-reference", message, draft.where(location), f"use the slug: {' or '.join(keys)}")
    elif names.kind in incomplete_kinds:
        pass  # it may be in a file that could not be read, which has its own problem
    elif names:
        message = f"{field}: the folder has no {kind} '{name}'"
        where, meant = draft.where(location), names.meant(name)
        draft.error("unknown-reference", message, where, names.hint(name), Fix(where, name, meant) if meant else None)
    else:
        message = f"{field}: the {kind} '{name}' cannot be checked, because the folder has no {names.kind.plural}"
        draft.warn("unchecked-reference", message, draft.where(location), "the server checks the name during the sync")
    return name
