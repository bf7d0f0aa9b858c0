"""Apply a plan, and a second one where the server contradicts the lists that the first one was made from.

A create whose key turns out to exist, or an update of what turns out to be gone, changes nothing: the list was wrong,
or has changed since. It is read again without conditions, and what is left to do is planned under the same policy.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace

from ...errors import ContentsyncError
from ...remote import Remote
from ..memory.journal import Journal
from ..plan import Plan
from .apply import OnError, Told, apply
from .result import Result, Status

PlanAgain = Callable[[], Awaitable[Plan | None]]  # None: the second plan may not be applied


async def apply_and_replan(
    plan: Plan,
    remote: Remote,
    told: Told,
    *,
    again: PlanAgain,
    journal: Journal,
    ours: Callable[[], None],
    concurrency: int = 4,
    on_error: OnError = "continue",
) -> ContentsyncError | None:
    """Apply a plan as `apply` does; ask `again` at most once for the plan to go on with.

    The second plan does not have what the first one refused or failed for another reason than the wrong list: an entry
    that was edited during the run is neither deleted nor written over. With `on_error` "stop" there is none.
    """
    held_back: list[Result] = []

    def hold_back(result: Result) -> None:
        if result.status is Status.DONE:
            told(result)
        else:
            held_back.append(result)

    second, stopped = None, None
    try:
        stopped = await apply(
            plan, remote, hold_back, journal=journal, ours=ours, concurrency=concurrency, on_error=on_error
        )
        failed = any(result.contradicts and result.status is Status.FAILED for result in held_back)
        if stopped is None and on_error == "continue" and failed:
            second = await again()
    except ContentsyncError as error:
        stopped = error
    finally:
        for result in held_back:
            if second is None or not _may_be_planned_again(result):
                told(result)
    if second is None:
        return stopped
    settled = {
        (result.change.kind, result.change.entry.key) for result in held_back if not _may_be_planned_again(result)
    }
    left = tuple(change for change in second.changes if (change.kind, change.entry.key) not in settled)
    second = replace(second, changes=left)
    journal.go_on(second)
    return await apply(second, remote, told, journal=journal, ours=ours, concurrency=concurrency, on_error=on_error)


def _may_be_planned_again(result: Result) -> bool:
    """Return whether a change was not done because of a wrong list, or of another change that was not done."""
    return result.contradicts or result.refused
