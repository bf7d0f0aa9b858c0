"""The options of the commands that apply a plan."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from .options import OnError

if TYPE_CHECKING:
    from ..sync.state.saved_plan import SavedPlan


@dataclass(frozen=True, slots=True)
class ApplyOptions:
    """The options for applying a plan."""

    yes: Annotated[bool, typer.Option("--yes", help="Apply without asking, as in CI.")] = False
    on_error: Annotated[OnError, typer.Option("--on-error", help="What to do with the other entries if one fails.")] = (
        OnError.CONTINUE
    )
    concurrency: Annotated[
        int, typer.Option("--concurrency", min=1, max=32, help="The number of writes at a time.")
    ] = 4
    take_lock: Annotated[bool, typer.Option("--take-lock", help="Take over the lock if another run has it.")] = False
    saved: "SavedPlan | None" = None  # the saved plan that the plan must be equal to
    before_write: Callable[[], None] = lambda: None  # called before the first write; if it raises, nothing is written
