"""Names of other entries in listings and categories, turned into their keys (docs/content.md 3)."""

from collections.abc import Container, Iterable, Iterator, Mapping

from ..model import RECORDS, Kind, did_you_mean
from .draft import Draft

MAX_COMPARED = 100  # names a hint: looking for what was meant takes longer than reading
SHOWN = 5  # categories of a circle


class Names:
    """The entries of a kind in the folder, by key and by title; `path` is where they stand."""

    def __init__(self, kind: Kind, entries: Iterable[tuple[str, str | None]], path: str) -> None:
        self.kind = kind
        self._path = path
        self._keys: set[str] = set()
        self._titles: dict[str, set[str]] = {}
        self._hints: dict[str, str] = {}
        self._alike: dict[str, list[str]] = {}  # keys and titles by how they begin and end
        for key, title in entries:
            if key:
                self._keys.add(key)
                if title is not None:
                    self._titles.setdefault(title, set()).add(key)

    def __bool__(self) -> bool:
        return bool(self._keys)

    def __iter__(self) -> Iterator[str]:
        """Keys and titles, each behind what it means, in one order: equal names, equal meanings."""
        yield from sorted(self._keys)
        for title in sorted(self._titles):
            yield from (title, *sorted(self._titles[title]), "")

    def find(self, name: str) -> list[str]:
        """The keys that the name may mean: a key itself means just that entry."""
        return [name] if name in self._keys else sorted(self._titles.get(name, ()))

    def hint(self, name: str) -> str:
        """What to do about a name that means nothing here: the same in every process and every run."""
        if name not in self._hints:
            meant = did_you_mean(name, self._candidates(name))
            self._hints[name] = meant or f"correct the name, or add the {self.kind.value} to {self._path}"
        return self._hints[name]

    def _candidates(self, name: str) -> list[str]:
        """The keys and titles that may have been meant; of very many those that begin or end alike."""
        if len(self._keys) + len(self._titles) <= MAX_COMPARED:
            return [*sorted(self._keys), *sorted(self._titles)]
        if not self._alike:
            for word in (*sorted(self._keys), *sorted(self._titles)):
                for end in _ends(word):
                    self._alike.setdefault(end, []).append(word)
        return [word for end in _ends(name) for word in self._alike.get(end, ())[: MAX_COMPARED // 2]]


def _ends(word: str) -> tuple[str, str]:
    folded = word.casefold()
    return f"{folded[:3]}-", f"-{folded[-3:]}"


def title_of(draft: Draft) -> str | None:
    """The title or name that other entries may call this one by."""
    title = draft.values.get(RECORDS[draft.kind].title_field)
    return title if isinstance(title, str) else None


def resolve_references(draft: Draft, names: Mapping[Kind, Names], incomplete: Container[Kind]) -> None:
    """Put keys in the place of names; of the kinds in `incomplete` not all entries are known."""
    for field, kind in RECORDS[draft.kind].references.items():
        value = draft.values.get(field)
        if isinstance(value, list):
            _resolve_list(draft, field, names[kind], incomplete)
        elif isinstance(value, str) and value.strip():
            draft.values[field] = _key(draft, field, str(value), names[kind], incomplete)
    if draft.kind is Kind.LISTING and "category_id" in draft.values:
        _merge_category(draft)


def find_parent_cycles(categories: Iterable[Draft]) -> None:
    """Tell one category of each circle of parents."""
    children = {draft.key: draft for draft in categories if isinstance(draft.values.get("parent_id"), str)}
    done: set[str] = set()
    for key in children:
        way: dict[str, int] = {}  # in its order
        while key in children and key not in done and key not in way:
            way[key] = len(way)
            key = children[key].values["parent_id"]
        if key in way:
            circle = list(way)[way[key] :]
            more = [f"{len(circle) - SHOWN} more"] if len(circle) > SHOWN else []
            draft = children[key]
            message = f"the category is its own parent: {' > '.join([*circle[:SHOWN], *more, key])}"
            draft.error("parent-cycle", message, draft.where("parent_id"), "remove one parent_id")
        done.update(way)


def _resolve_list(draft: Draft, field: str, names: Names, incomplete: Container[Kind]) -> None:
    given = draft.values[field]
    keys = [
        _key(draft, f"{field}.{index}", str(name), names, incomplete)
        for index, name in enumerate(given)
        if isinstance(name, str) and name.strip()  # an empty one is reported already
    ]
    if draft.is_sound:
        _set_list(draft, field, [(key, f"{field}.{index}") for index, key in enumerate(keys)])


def _merge_category(draft: Draft) -> None:
    """`category_id` is another way to write a first category (docs/contract.md 14)."""
    if not draft.is_sound:
        return
    key = draft.values.pop("category_id")
    others = [(other, f"categories.{index}") for index, other in enumerate(draft.values.get("categories", []))]
    if key is not None:
        others.insert(0, (key, "category_id"))
    _set_list(draft, "categories", others)


def _set_list(draft: Draft, field: str, found: list[tuple[str, str]]) -> None:
    """Each key once, at the place of the first name that means it."""
    places: dict[str, str] = {}
    for key, at in found:
        places.setdefault(key, at)
    draft.values[field] = list(places)
    if list(places.values()) == [f"{field}.{index}" for index in range(len(places))]:
        return  # as it is written
    marks = [draft.marks.get(at) for at in places.values()]
    for name in [name for name in draft.marks if name.startswith(f"{field}.") or name == "category_id"]:
        del draft.marks[name]
    for index, mark in enumerate(marks):
        if mark:
            draft.marks.setdefault(field, mark)
            draft.marks[f"{field}.{index}"] = mark


def _key(draft: Draft, at: str, name: str, names: Names, incomplete: Container[Kind]) -> str:
    """The key that a name means; the name itself, and a problem, where it means none or several."""
    field = at.partition(".")[0]
    kind = names.kind.value
    keys = names.find(name)
    if len(keys) == 1:
        return keys[0]
    if keys:
        message = f"{field}: '{name}' is the title of {len(keys)} {names.kind.plural}"
        draft.error("ambiguous-reference", message, draft.where(at), f"use the slug: {' or '.join(keys)}")
    elif names.kind in incomplete:
        pass  # it may be in what could not be read, which is told there
    elif names:
        message = f"{field}: the folder has no {kind} '{name}'"
        draft.error("unknown-reference", message, draft.where(at), names.hint(name))
    else:
        message = f"{field}: the {kind} '{name}' cannot be checked, because the folder has no {names.kind.plural}"
        draft.warn("unchecked-reference", message, draft.where(at), "the server checks the name during the sync")
    return name
