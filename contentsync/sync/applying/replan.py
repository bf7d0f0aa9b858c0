"""Apply a plan, and a second one where the server contradicts the lists that the first one was made from.

A create whose key turns out to exist, or an update of what turns out to be gone, changes nothing: the list was wrong,
or has changed since. It is read again without conditions, and what is left to do is planned under the same policy.
"""

from collections.abc import Awaitable, Callable

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

    What the first plan has not done is reported only where no second plan is applied: that one has it again.
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
        if stopped is None and any(result.contradicts for result in held_back):
            second = await again()
    except ContentsyncError as error:
        stopped = error
    finally:
        if second is None:
            for result in held_back:
                told(result)
    if second is None:
        return stopped
    journal.go_on(second)
    return await apply(second, remote, told, journal=journal, ours=ours, concurrency=concurrency, on_error=on_error)
