"""How far a long piece of work is: on a terminal as it goes, elsewhere a line at a time."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..model import Kind
from ..remote import ProgressCallback
from ..sync import Plan, Result, Status


@contextmanager
def reading(console: Console) -> Iterator[ProgressCallback]:
    """Shows what has been read from the server so far, on a terminal."""
    with console.status("reading the server …") as status:

        def on_progress(kind: Kind, count: int) -> None:
            status.update(f"reading the server … {count} {kind.plural}")

        yield on_progress


class Applying:
    """Collects the results of a run, and shows how far it is: a bar on a terminal, else a line a kind."""

    def __init__(self, plan: Plan, console: Console, *, quiet: bool) -> None:
        self.results: list[Result] = []
        self._left = {kind: sum(change.kind is kind for change in plan.changes) for kind in Kind}
        self._console = console
        self._lines = not quiet and not console.is_terminal
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            disable=quiet or not console.is_terminal,
            transient=True,
        )
        self._task = self._bar.add_task("applying", total=len(plan.changes))

    def __enter__(self) -> "Applying":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Hide the bar while something else is shown."""
        self._bar.stop()
        yield
        self._bar.start()

    def go_on(self, plan: Plan) -> None:
        """Expect the results of a second plan."""
        self._left = {kind: sum(change.kind is kind for change in plan.changes) for kind in Kind}
        self._bar.update(self._task, total=len(self.results) + len(plan.changes))

    def told(self, result: Result) -> None:
        """Takes the outcome of one change."""
        self.results.append(result)
        kind = result.change.kind
        self._left[kind] -= 1
        self._bar.update(self._task, advance=1, description=f"applying {kind.plural}")
        if self._lines and not self._left[kind]:
            results = [result for result in self.results if result.change.kind is kind]
            done = sum(result.status is Status.DONE for result in results)
            self._console.print(f"  {kind.plural}: {done} of {len(results)}")
