"""Names of other entries in listings and categories, turned into their keys (content-format.md, Values)."""

from collections.abc import Container, Iterable, Mapping

from ..model import RECORDS, Kind, did_you_mean
from .draft import Draft, Place


class Names:
    """The entries of a kind in the folder, by key and by title."""

    def __init__(self, kind: Kind, drafts: Iterable[Draft]) -> None:
        self.kind = kind
        self._keys: set[str] = set()
        self._titles: dict[str, set[str]] = {}
        for draft in drafts:
            title = draft.values.get(RECORDS[kind].title_field)
            if draft.key:
                self._keys.add(draft.key)
                if isinstance(title, str):
                    self._titles.setdefault(title, set()).add(draft.key)

    def __bool__(self) -> bool:
        return bool(self._keys)

    def find(self, name: str) -> list[str]:
        """The keys that the name may mean: a key itself means just that entry."""
        return [name] if name in self._keys else sorted(self._titles.get(name, ()))

    def hint(self, name: str) -> str:
        return did_you_mean(name, [*sorted(self._keys), *sorted(self._titles)])


def resolve_references(drafts: Iterable[Draft], names: Mapping[Kind, Names], incomplete: Container[Kind]) -> None:
    """Put keys in the place of names; of the kinds in `incomplete` not all entries are known."""
    for draft in drafts:
        for field, kind in RECORDS[draft.kind].references.items():
            value = draft.values.get(field)
            if isinstance(value, list):
                _resolve_list(draft, field, names[kind], incomplete)
            elif isinstance(value, str):
                draft.values[field] = _key(draft, field, str(value), names[kind], incomplete)
        if draft.kind is Kind.LISTING and "category_id" in draft.values:
            _merge_category(draft)


def find_parent_cycles(categories: Iterable[Draft]) -> None:
    """Tell one category of each circle of parents."""
    children = {draft.key: draft for draft in categories if isinstance(draft.values.get("parent_id"), str)}
    done: set[str] = set()
    for key in children:
        way: list[str] = []
        while key in children and key not in done and key not in way:
            way.append(key)
            key = children[key].values["parent_id"]
        if key in way:
            circle = [*way[way.index(key) :], key]
            draft = children[key]
            message = f"the category is its own parent: {' > '.join(circle)}"
            draft.error("parent-cycle", message, draft.where("parent_id"), "take one parent_id out")
        done.update(way)


def _resolve_list(draft: Draft, field: str, names: Names, incomplete: Container[Kind]) -> None:
    found: dict[str, Place | None] = {}
    for index, name in enumerate(draft.values[field]):
        if isinstance(name, str):
            key = _key(draft, f"{field}.{index}", str(name), names, incomplete)
            found.setdefault(key, draft.marks.get(f"{field}.{index}"))
    if draft.is_sound:
        _set_list(draft, field, found)


def _merge_category(draft: Draft) -> None:
    """`category_id` is another way to write a first category (resolved.md, Listings)."""
    if not draft.is_sound:
        return
    key = draft.values.pop("category_id")
    first = draft.marks.pop("category_id", None)
    found: dict[str, Place | None] = {} if key is None else {key: first}
    for index, other in enumerate(draft.values.get("categories", [])):
        found.setdefault(other, draft.marks.get(f"categories.{index}"))
    if first:
        draft.marks.setdefault("categories", first)
    _set_list(draft, "categories", found)


def _set_list(draft: Draft, field: str, found: Mapping[str, Place | None]) -> None:
    for name in [name for name in draft.marks if name.startswith(f"{field}.")]:
        del draft.marks[name]
    draft.values[field] = list(found)
    for index, place in enumerate(found.values()):
        if place:
            draft.marks[f"{field}.{index}"] = place


def _key(draft: Draft, at: str, name: str, names: Names, incomplete: Container[Kind]) -> str:
    """The key that a name means; the name itself, and a problem, where it means none or several."""
    field = at.partition(".")[0]
    kind = names.kind.value
    keys = names.find(name)
    if len(keys) == 1:
        return keys[0]
    if keys:
        message = f"{field}: '{name}' is the title of {len(keys)} {names.kind.plural}"
        draft.error("ambiguous-reference", message, draft.where(at), f"name the slug: {' or '.join(keys)}")
    elif names.kind in incomplete:
        pass  # it may be in what could not be read, which is told there
    elif names:
        message = f"{field}: the folder has no {kind} '{name}'"
        draft.error("unknown-reference", message, draft.where(at), names.hint(name))
    else:
        message = f"{field}: whether there is a {kind} '{name}' is not known, the folder holds no {names.kind.plural}"
        draft.warn("unchecked-reference", message, draft.where(at), "the server decides when the content is synced")
    return name
