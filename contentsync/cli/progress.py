"""The progress of reading the server, the waits for it, and the warnings of the folder."""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console

from ..content.config.config_tables import Target
from ..content.files.content_folder import make_private_root_of
from ..content.folder.load import Content
from ..errors import Problem, pluralize
from ..file_writes import write_file
from ..model import Kind
from ..printed_commands import PrintedCommands
from ..remote.pacing import Pacer
from ..remote.remote import ProgressCallback
from ..remote.retry import MAX_SILENCE, WaitReports
from ..report.problems import problems_text
from ..sync.state.state_dir import StateDir


@contextmanager
def read_progress(console: Console) -> Iterator[ProgressCallback]:
    """Show on a terminal how much was read from the server; yield the function that updates it."""
    if not console.is_terminal:  # rich would start a thread that shows nothing
        yield lambda _kind, _count: None
        return
    with console.status("reading the server …") as status:

        def update(kind: Kind, count: int) -> None:
            status.update(f"reading the server … {count} {kind.plural}")

        yield update


def show_warnings(console: Console, content: Content, state_dir: StateDir, commands: PrintedCommands) -> None:
    """Show the warnings of a folder, or only their number if the last command showed the same warnings.

    Line numbers are not compared: a warning is the same if only its line has moved.
    """
    if not content.problems:
        return
    if _was_shown(state_dir, _fingerprint(content.problems)):
        warnings = pluralize(len(content.problems), "warning")
        console.print(f"{warnings} as before: {commands('validate')} shows them", style="dim", markup=False)
    else:
        console.print(problems_text(content.problems, content.folder, console.width), end="")


def _was_shown(state_dir: StateDir, fingerprint: bytes) -> bool:
    """Return whether the last command showed these warnings; if not, store their fingerprint."""
    file = state_dir.root / "cache" / "warnings"
    with suppress(OSError):
        if file.read_bytes() == fingerprint:
            return True
    with suppress(OSError):  # if the file cannot be written, warnings are shown each time
        make_private_root_of(file)
        file.parent.mkdir(parents=True, exist_ok=True)
        write_file(file, fingerprint)
    return False


def _fingerprint(problems: Sequence[Problem]) -> bytes:
    texts = sorted(f"{problem.code}\n{problem.where.path}\n{problem.message}" for problem in problems)
    return hashlib.sha256("\n\n".join(texts).encode(errors="surrogateescape")).hexdigest().encode()


def wait_messages(target: Target, pacer: Pacer | None, console: Console) -> WaitReports:
    """Return callbacks that print the waits for a target; `pacer` is None if it has no rate limit."""

    def report_wait(seconds: float) -> None:
        if seconds >= 1:  # shorter waits are not noticeable
            console.print(f"waiting {seconds:.0f} s: the server accepts no more requests until then", style="dim")

    def report_pace() -> None:
        """Print how many requests a minute are sent, and whether the config, the server or the default limits them."""
        if pacer is None:
            return
        if target.requests_per_minute == pacer.limit:
            source = "requests_per_minute of the target"
        elif pacer.is_reported:
            source = "the limit that the server reports"
        else:
            reason = "as the server reports no limit" if pacer.has_answer else "until the server reports its limit"
            source = f"the default, {reason}; requests_per_minute of the target changes it"
        console.print(f"sending at most {pacer.limit} requests a minute ({source})", style="dim", markup=False)

    def report_silence(seconds: float) -> None:
        limit = f"the run stops after {MAX_SILENCE:.0f} s without one"
        console.print(f"waiting for an answer from {target.url}, {seconds:.0f} s so far: {limit}", style="dim")

    return WaitReports(report_wait, report_pace, report_silence)
