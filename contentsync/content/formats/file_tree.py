"""All values of a file with nested lists, and the path of its entries, such as `groups[].sections[].entries[]`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ...errors import Where
from ...lazy_pattern import lazy_pattern
from ...model.field_types import fault
from .draft import Draft

EACH = 0  # a step into every item of a list; all other steps are keys
Step = str | int

_PART = lazy_pattern(r"([^.\[\]\s]*)((?:\[\])*)\Z")  # a key and what follows it: `groups[]`, `matrix[][]`, `[]`


class ItemPath(NamedTuple):
    """The steps from the root of a file to its entries; without steps, the file is one entry.

    `inherit` maps a field to a number and a path: the path of a value in an object around the entries, which inherit
    it. The number says how many first steps the path shares with that of the entries; its other steps are keys.
    """

    steps: tuple[Step, ...] = (EACH,)
    inherit: Mapping[str, tuple[int, tuple[Step, ...]]] = {}
    text: str = ""  # as in the config, for messages


def is_yaml(path: str) -> bool:
    """Return whether the file at a path is YAML, by its ending."""
    return path.lower().endswith((".yaml", ".yml"))


def parse_steps(text: str) -> tuple[Step, ...]:
    """Return the steps of a path such as `groups[].name`. Raises pydantic's error if it is not a path."""
    steps: list[Step] = []
    for part in text.split("."):
        match = _PART.match(part)
        if match is None or not match[0]:
            raise fault("bad-path", f"must be keys with a dot between them, and [] after a list, not '{text}'")
        key, brackets = match.groups()
        if key:
            steps.append(key)
        steps += [EACH] * brackets.count("[]")
    return tuple(steps)


def check_item_path(text: str) -> str:
    """Return the text of a path of entries unchanged. Raises pydantic's error if it does not end with a list."""
    if parse_steps(text)[-1] != EACH:
        raise fault("bad-path", "must end with [], because the entries are the items of a list")
    return text


def make_item_path(items: str, inherit: Mapping[str, str]) -> ItemPath:
    """Parse the path of the entries, and the path of each inherited value (`inherit`, by field).

    An inherited value must be in an object around the entries, such as `groups[].name` for the entries
    `groups[].items[]`. Raise pydantic's error if an inherited value is elsewhere.
    """
    steps = parse_steps(items)
    inherited: dict[str, tuple[int, tuple[Step, ...]]] = {}
    for field, text in inherit.items():
        path = parse_steps(text)
        shared = max((number for number, step in enumerate(path, 1) if step == EACH), default=0)  # up to the last `[]`
        is_around_entries = path[:shared] == steps[:shared] and shared < len(steps)
        has_key = shared < len(path)
        if not is_around_entries or not has_key:
            message = f"inherit takes {field} from '{text}', which is not a key of something around {items}"
            raise fault("bad-path", message)
        inherited[field] = shared, path
    return ItemPath(steps, inherited, items)


@dataclass(slots=True, eq=False)
class FileTree(Draft):
    """The value of a whole file, with the locations of all values in it by dotted name; items of lists have numbers.

    `failed_fields` contains the whole dotted names of values that could not be read.
    """

    root: Any = None

    def fail(self, name: str, code: str, message: str, where: Where, hint: str = "") -> None:
        self.failed_fields.add(name)
        self.error(code, message, where, hint)
