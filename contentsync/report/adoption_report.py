"""The text of what `adopt` proposes: the config, the new files, and the entries that they give."""

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import TYPE_CHECKING

from ..content.files.content_folder import CONFIG
from ..errors import pluralize
from ..model import Kind
from ..value_text import printable
from .causes import cause_lines, problem_causes
from .formatting import first_items, others_line

if TYPE_CHECKING:
    from ..authoring.adopt.adoption import Adoption  # `validate` does not need its libraries
    from ..authoring.adopt.unread_documents import UnreadDocument

_FILE_LINES = 13  # of a new file that is not the config
_CONFIG_LINES = 61  # of the config or its diff
_NOTES = 6  # with the guesses, which are all shown
_CAUSES = 12  # of problems
_UNREAD_REASONS = 5  # why files are not read
_CLOSING_LINES = 30  # below the proposal
_FIXED_CLOSING_LINES = 6  # the generator, the limit of files, two headings, the number of other notes and other causes


def adoption_text(adoption: "Adoption", guesses: Sequence[str], *, full: bool) -> Iterator[str]:
    """Yield the lines of the proposal of `adopt`, each with its line end: the files, the guesses, and the result.

    Without `full`, long files and lists are shortened, and the closing table has at most 30 lines.
    """
    yield from _files(adoption, full=full)
    yield from closing_table(adoption, guesses, full=full)


def _files(adoption: "Adoption", *, full: bool) -> Iterator[str]:
    """Yield the changes to the config as a diff, or the new config, then each new file."""
    config = adoption.config.decode()
    if adoption.before is not None and adoption.settings:
        yield f"{CONFIG} gets:\n"
        diff = [*unified_diff(adoption.before.decode().splitlines(), config.splitlines(), n=1, lineterm="")]
        yield from _shortened(diff[2:], _CONFIG_LINES, full=full)  # without the lines of the file names
    elif adoption.before is None:
        yield f"{CONFIG} (new):\n"
        yield from _shortened(config.splitlines(), _CONFIG_LINES, full=full)
    for path, data in adoption.files.items():
        yield f"{printable(path)} (new):\n"
        yield from _shortened(data.decode().splitlines(), _FILE_LINES, full=full)


def _shortened(lines: Sequence[str], limit: int, *, full: bool) -> Iterator[str]:
    """Yield the lines, indented; without `full`, at most `limit` of them and how many more there are."""
    shown = first_items(lines, limit, full=full)
    yield from (f"    {printable(line)}\n" if line else "\n" for line in shown)
    if len(shown) < len(lines):
        yield f"  {others_line(len(lines) - len(shown), 'lines')}"
    yield "\n"


def closing_table(adoption: "Adoption", guesses: Sequence[str], *, full: bool) -> Iterator[str]:
    """Yield the guesses, the notes, the entries of each kind, and the problems that are left, by cause."""
    site = adoption.site
    yield f"{site.generator}, recognised by {site.evidence}\n" if site.generator else "no site generator recognised\n"
    if adoption.limit_note:
        yield f"  {adoption.limit_note}\n"
    remarks = [*(f"guessed: {guess}" for guess in guesses), *adoption.notes]
    shown = remarks if full else remarks[: max(_NOTES, len(guesses))]  # always all guesses
    yield from (f"  {printable(remark)}\n" for remark in shown)
    if len(shown) < len(remarks):
        yield others_line(len(remarks) - len(shown), "notes")
    report = adoption.trial.report
    yield f"{'entries':<16}{'found':>9}{'valid':>9}\n"
    kinds = [kind for kind in Kind if adoption.trial.entries.get(kind, 0)]
    for kind in kinds:
        yield f"  {kind.plural:<14}{adoption.trial.entries[kind]:>9,}{report.counts[kind.value]:>9,}\n"
    unread = [*_unread_lines(adoption.unread, full=full)]
    yield from unread
    if not report.problems:
        if not unread:
            yield "no problems are left\n"
        return
    errors = len(report.errors)
    warnings = len(report.problems) - errors
    yield f"problems left: {pluralize(errors, 'error')}, {pluralize(warnings, 'warning')}\n"
    causes = problem_causes(report.problems)
    room = _CLOSING_LINES - len(shown) - len(kinds) - len(unread) - _FIXED_CLOSING_LINES
    limit = len(causes) if full else max(1, min(_CAUSES, room))
    yield from (" ".join(parts) + "\n" for parts in cause_lines(causes, limit))


def _unread_lines(files: "Sequence[UnreadDocument]", *, full: bool) -> Iterator[str]:
    """Yield the number of files with front matter that are not read, and each reason; with `full`, each file."""
    if not files:
        return
    by_reason: dict[str, list[str]] = {}
    for path, reason in files:
        by_reason.setdefault(reason, []).append(path)
    yield f"not read: {pluralize(len(files), 'file')} with front matter\n"
    reasons = sorted(by_reason, key=lambda reason: -len(by_reason[reason]))
    shown = first_items(reasons, _UNREAD_REASONS, full=full)
    for reason in shown:
        paths = by_reason[reason]
        named = paths if full else paths[:1]
        more = f" and {len(paths) - len(named):,} more" if len(paths) > len(named) else ""
        text = f"{reason}: {', '.join(named)}{more}"
        yield f"{len(paths):>8,} {printable(text)}\n"
    if len(shown) < len(reasons):
        yield others_line(sum(len(by_reason[reason]) for reason in reasons[len(shown) :]), "files")
