"""The progress of a long command, and the warnings of the folder."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from ..content.files.content_folder import hide_from_git
from ..content.files.file_writes import write_file
from ..content.folder.load import Content
from ..errors import Problem, pluralize
from ..model import Kind
from ..remote import ProgressCallback
from ..report.problems import problems_text
from ..sync import Plan, Result, StateDir, Status


@contextmanager
def read_progress(console: Console) -> Iterator[ProgressCallback]:
    """Show on a terminal how much was read from the server; yield the function that updates it."""
    with console.status("reading the server …") as status:

        def update(kind: Kind, count: int) -> None:
            status.update(f"reading the server … {count} {kind.plural}")

        yield update


class ApplyProgress:
    """Collects the results of a run and shows its progress: a bar on a terminal, else a line for each kind."""

    def __init__(self, plan: Plan, console: Console, *, quiet: bool) -> None:
        self.results: list[Result] = []
        self._remaining = Counter(change.kind for change in plan.changes)
        self._console = console
        self._prints_lines = not quiet and not console.is_terminal
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

    def __enter__(self) -> "ApplyProgress":
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    @contextmanager
    def pause(self) -> Iterator[None]:
        """Hide the bar while something else is shown."""
        self._bar.stop()
        yield
        self._bar.start()

    def extend(self, plan: Plan) -> None:
        """Add the changes of a second plan to the expected results."""
        self._remaining = Counter(change.kind for change in plan.changes)
        self._bar.update(self._task, total=len(self.results) + len(plan.changes))

    def add_result(self, result: Result) -> None:
        """Add the result of one change."""
        self.results.append(result._replace(applied=None))  # the applied entry is in the run's state, in less memory
        kind = result.change.kind
        self._remaining[kind] -= 1
        if not self._bar.disable:  # for speed: a hidden bar would be updated too
            self._bar.update(self._task, advance=1, description=f"applying {kind.plural}")
        if self._prints_lines and not self._remaining[kind]:
            results = [result for result in self.results if result.change.kind is kind]
            done = sum(result.status is Status.DONE for result in results)
            self._console.print(f"  {kind.plural}: {done} of {len(results)}")


def show_warnings(console: Console, content: Content, state_dir: StateDir) -> None:
    """Show the warnings of a folder, or only their number if the last command showed the same warnings.

    Line numbers are not compared: a warning is the same if only its line has moved.
    """
    if not content.problems:
        return
    if _was_shown(state_dir, _fingerprint(content.problems)):
        warnings = pluralize(len(content.problems), "warning")
        console.print(f"{warnings} as before: contentsync validate shows them", style="dim", markup=False)
    else:
        console.print(problems_text(content.problems, content.folder, console.width), end="")


def _was_shown(state_dir: StateDir, fingerprint: bytes) -> bool:
    """Return whether the last command showed these warnings; if not, store their fingerprint."""
    file = state_dir.root / "cache" / "warnings"
    with suppress(OSError):
        if file.read_bytes() == fingerprint:
            return True
    with suppress(OSError):  # if the file cannot be written, warnings are shown each time
        hide_from_git(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, fingerprint)
    return False


def _fingerprint(problems: Sequence[Problem]) -> bytes:
    texts = sorted(f"{problem.code}\n{problem.where.path}\n{problem.message}" for problem in problems)
    return hashlib.sha256("\n\n".join(texts).encode(errors="surrogateescape")).hexdigest().encode()
