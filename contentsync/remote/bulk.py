"""The answer to a bulk create, paired with what was sent."""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ..model import Entry, Kind
from .wire import id_of, key_of, number_of

BULK_SIZE = 100  # docs/contract.md 8

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Created:
    """What became of one listing of a bulk create; neither entry nor error when the answer does not say."""

    entry: Entry | None = None
    error: str | None = None
    # Whether this request made it, or found it there; None where the answer does not say.
    made: bool | None = field(default=None, compare=False)

    @property
    def is_known(self) -> bool:
        """Return whether the answer accounts for the listing."""
        return self.entry is not None or self.error is not None


def pair(
    answer: Mapping[str, Any],
    bodies: Sequence[Mapping[str, Any]],
    entry_of: Callable[[Mapping[str, Any]], Entry | None],
) -> list[Created]:
    """What became of each body, in order; whatever the answer leaves open, or says twice, stays unknown.

    `entry_of` returns None for a record that cannot be believed.

    A record belongs to the body with its key. By its place it is known only in an answer without a contradiction.
    """
    made, failed = answer.get("data"), answer.get("errors")
    if not isinstance(made, list) or not isinstance(failed, list):
        return [Created() for _ in bodies]
    records = [record for record in made if isinstance(record, dict) and id_of(record) is not None]
    errors = _errors(failed, len(bodies))
    keys = [key_of(Kind.LISTING, body) for body in bodies]
    by_key: dict[str, Mapping[str, Any]] = _once((key_of(Kind.LISTING, record), record) for record in records)
    by_place: dict[int, Mapping[str, Any]] = {}
    if len(records) == len(made) and len(errors) == len(failed) and len(records) + len(errors) == len(bodies):
        places = (place for place in range(len(bodies)) if place not in errors)
        by_place = dict(zip(places, records, strict=True))
    is_made = _made(records, number_of(answer.get("total_created")))
    created: list[Created] = []
    for place, (body, key) in enumerate(zip(bodies, keys, strict=True)):
        record = by_key.get(key) if key else None
        if record is None and place in by_place:
            there = by_place[place]
            if there.get("name") == body.get("name") and key_of(Kind.LISTING, there) not in keys:
                record = there
        if record is None:
            created.append(Created(error=errors.get(place)))
        else:
            created.append(Created() if place in errors else Created(entry_of(record), made=is_made(record)))
    return created


def _made(records: Sequence[Mapping[str, Any]], count: int | None) -> Callable[[Mapping[str, Any]], bool | None]:
    """Tells of each record whether it is one of the `count` that the request made: ids rise, so those are the last."""
    ids = sorted(identity for record in records if (identity := id_of(record)) is not None)
    if count is None or not 0 <= count <= len(ids):
        return lambda record: None
    last = set(ids[len(ids) - count :])
    return lambda record: id_of(record) in last


def _errors(failed: Sequence[Any], count: int) -> dict[int, str]:
    """What is told of each place, where it is told once and of a place that there is."""
    told = (error for error in failed if isinstance(error, dict))
    by_index = _once((number_of(error.get("index")), str(error.get("error"))) for error in told)
    return {index: text for index, text in by_index.items() if index is not None and 0 <= index < count}


def _once(pairs: Iterable[tuple[Key, Value]]) -> dict[Key, Value]:
    """The pairs whose key no other has."""
    found = list(pairs)
    counts = Counter(key for key, _ in found)
    return {key: value for key, value in found if counts[key] == 1}
