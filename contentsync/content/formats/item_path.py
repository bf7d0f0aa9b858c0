"""The path of the entries in a file with nested lists, such as `groups[].sections[].entries[]`."""

import re
from collections.abc import Mapping
from typing import NamedTuple

from ...model.field_types import fault

EACH = 0  # a step into every item of a list; all other steps are keys
Step = str | int

_PART = re.compile(r"([^.\[\]\s]*)((?:\[\])*)\Z")


class ItemPath(NamedTuple):
    """The steps from the root of a file to its entries, and the paths of the values that entries inherit, by field.

    An inherited path begins with `shared` steps of the entries' own path. Keys follow.
    """

    steps: tuple[Step, ...] = (EACH,)
    inherit: Mapping[str, tuple[int, tuple[Step, ...]]] = {}
    text: str = ""  # as in the config, for messages


def parse_steps(text: str) -> tuple[Step, ...]:
    """Return the steps of a path such as `groups[].name`. Raises pydantic's error if it is not a path."""
    steps: list[Step] = []
    for part in text.split("."):
        match = _PART.match(part)
        if match is None or not match[0]:
            raise fault("bad-path", f"must be keys with a dot between them, and [] after a list, not '{text}'")
        steps += [match[1]] * bool(match[1]) + [EACH] * (len(match[2]) // 2)
    return tuple(steps)


def check_item_path(text: str) -> str:
    """Return the path of the entries as it is. Raises pydantic's error if it does not end with a list."""
    if parse_steps(text)[-1] != EACH:
        raise fault("bad-path", "must end with [], because the entries are the items of a list")
    return text


def make_item_path(items: str, inherit: Mapping[str, str]) -> ItemPath:
    """Return the path of the entries, with the path of each inherited value, by field.

    An inherited value must be in an object around the entries, such as `groups[].name` for the entries
    `groups[].items[]`. Raise pydantic's error if it is not.
    """
    steps = parse_steps(items)
    inherited: dict[str, tuple[int, tuple[Step, ...]]] = {}  # by field: how many steps are shared, and all steps
    for field, text in inherit.items():
        path = parse_steps(text)
        shared = len(path) - path[::-1].index(EACH) if EACH in path else 0  # the steps up to the last `[]`
        if path[:shared] != steps[:shared] or shared >= len(steps) or shared == len(path):
            message = f"inherit takes {field} from '{text}', which is not a key of something around {items}"
            raise fault("bad-path", message)
        inherited[field] = shared, path
    return ItemPath(steps, inherited, items)
