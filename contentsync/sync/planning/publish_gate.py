"""The gate against entries that become public although no author published them (docs/sync.md, Gates)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from ...errors import join_first, pluralize
from ..comparing.change import Change
from ..comparing.entry_fields import is_authored
from .consents import NeededConsent
from .forecast import state_at
from .gates import check_consent
from .plan import Refusal

MAX_UNGATED = 3  # up to this number, entries become public without consent

_HIDING = frozenset({"is_published", "active", "is_active", "starts_at", "ends_at"})


class Visibility(NamedTuple):
    """Whether visitors see an entry before a change, and after it."""

    before: bool
    after: bool


BECOMES_PUBLIC = Visibility(before=False, after=True)
BECOMES_HIDDEN = Visibility(before=True, after=False)


def publishing_fields(change: Change, now: datetime) -> list[str]:
    """Return the fields whose removal or empty value makes a hidden or expired entry visible; [] if nothing does."""
    removed = [name for name in change.fields if name in _HIDING and not _is_set(change, name)]
    return removed if removed and visibility(change, now) == BECOMES_PUBLIC else []


def visibility(change: Change, now: datetime) -> Visibility:
    """Return whether visitors see the entry of an update; both values are equal if it changes no flag and no date."""
    if change.actual is None or change.fields.keys().isdisjoint(_HIDING):
        return Visibility(before=False, after=False)
    written = {name: pair.after for name, pair in change.fields.items()}
    after = replace(change.actual, fields={**change.actual.fields, **written})
    return Visibility(state_at(change.actual, now) == "current", state_at(after, now) == "current")


def publish_gate(published: Mapping[str, Sequence[str]], allowed: int | None) -> Iterator[Refusal]:
    """Yield a refusal if too many managed entries become public.

    `published` has the fields of `publishing_fields` by entry. `allowed` is the number of entries that the user
    consented to: exactly that many pass.
    """
    total = len(published)
    if not total:
        return
    number = pluralize(total, "hidden entry", "hidden entries")
    if allowed is not None:
        yield from check_consent("publish", allowed, total, f"{number} would become public")
    elif total > MAX_UNGATED:
        counts = Counter(name for names in published.values() for name in names)
        fields = ", ".join(f"{name} of {count}" for name, count in counts.most_common())
        yield Refusal(
            "publish",
            f"{number} would become public, because the folder no longer sets {fields}: {join_first([*published])}",
            NeededConsent("publish", total),
        )


def _is_set(change: Change, name: str) -> bool:
    """Return whether the author has written a value of a field; also whether another user alone has changed it."""
    if name in change.drift and name not in change.conflicts:
        return True
    entry = change.entry
    if change.fields[name].after is None or not is_authored(entry, name):
        return False
    return entry.source is None or name not in entry.source.form.emptied  # which may read the file again
