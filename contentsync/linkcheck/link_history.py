"""What is remembered about an address, and when it is dead (docs/links.md). Nothing here reads a file or a clock."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from .link_results import LinkResult, Outcome

DEAD_AFTER = 3  # failures, each on another day
DEAD_SPAN = timedelta(days=7)  # from the first of these days to the last
MOVED_AFTER = 2  # days with the same permanent redirect


@dataclass(frozen=True, slots=True)
class LinkHistory:
    """The days since the last success on which an address failed: the first two, and the last.

    `moved` are the first two days on which a permanent redirect led to `moved_to`.
    """

    failed: tuple[date, ...] = ()
    reason: str = ""  # of the last failure
    moved: tuple[date, ...] = ()
    moved_to: str = ""

    @property
    def is_dead(self) -> bool:
        """Whether the address failed on three days, at least a week apart from first to last."""
        return len(self.failed) >= DEAD_AFTER and self.failed[-1] - self.failed[0] >= DEAD_SPAN

    @property
    def proposal(self) -> str:
        """The address to write in place of this one; "" without one, and while the old one fails."""
        return self.moved_to if len(self.moved) >= MOVED_AFTER and not self.failed else ""

    def after(self, result: LinkResult, day: date) -> "LinkHistory":
        """Return the history with the result of a day. A success forgets all failures; an unknown result is no event.

        That of a dead address stays as it is while it fails, so that its line in the file does not change. Days more
        than a week after this one are forgotten: a clock was wrong.
        """
        latest = day + DEAD_SPAN
        if max((*self.failed, *self.moved), default=day) > latest:
            failed, moved = (tuple(each for each in days if each <= latest) for days in (self.failed, self.moved))
            known = LinkHistory(failed, self.reason if failed else "", moved, self.moved_to if moved else "")
            return known.after(result, day)
        if result.outcome is Outcome.FAILED:
            return self if self.is_dead else replace(self, failed=_days((*self.failed, day)), reason=result.reason)
        if result.outcome is not Outcome.WORKS:
            return self
        if not result.moved_to:
            return NO_HISTORY
        days = (*self.moved, day) if self.moved_to == result.moved_to else (day,)
        return LinkHistory(moved=tuple(sorted({*days}))[:MOVED_AFTER], moved_to=result.moved_to)

    def merged(self, other: "LinkHistory") -> "LinkHistory":
        """Return one history of two, which two branches have of the same address."""
        newer = max(self, other, key=lambda each: each.failed[-1:])
        moved = max(self, other, key=lambda each: each.moved[-1:])
        days = {*self.moved, *other.moved} if self.moved_to == other.moved_to else {*moved.moved}
        failed = _days((*self.failed, *other.failed))
        return LinkHistory(failed, newer.reason, tuple(sorted(days))[:MOVED_AFTER], moved.moved_to)


def _days(days: Iterable[date]) -> tuple[date, ...]:
    """Return the days that decide whether an address is dead: the first two, and the last."""
    ordered = sorted({*days})
    return (*ordered[: DEAD_AFTER - 1], *ordered[DEAD_AFTER - 1 :][-1:])


NO_HISTORY = LinkHistory()
