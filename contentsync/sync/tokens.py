"""The target's token in the content: it would be published, and kept in the state and the journals."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..errors import Problem, Where
from ..model import Entry
from .change import Action
from .plan import Plan


def token_leaks(plan: Plan, desired: Sequence[Entry], token: str) -> list[Problem]:
    """A problem for each field that holds the token, of the entries that a plan writes or takes for its own."""
    if not token:
        return []
    new = {(change.kind, change.key) for change in plan.changes if change.action is not Action.DELETE}
    new |= {line.identity for line in plan.learned}
    return [
        Problem(
            "holds-token",
            "this text holds the token of the target",
            entry.source.where(name) if entry.source else Where(""),
            "take it out, and give the target another token if anybody may have read the file",
            kind=entry.kind,
            key=entry.key,
        )
        for entry in desired
        if (entry.kind, entry.key) in new
        for name in _holding(entry.fields, token)
    ]


def _holding(value: Any, token: str, name: str = "") -> Iterator[str]:
    """The dotted names of the texts that hold the token."""
    if isinstance(value, str):
        if token in value:
            yield name
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _holding(inner, token, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for inner in value:
            yield from _holding(inner, token, name)
