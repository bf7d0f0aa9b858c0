"""`contentsync links`: its options, and what it does. The imports that take long are made when it runs."""

from typing import TYPE_CHECKING, Annotated

import typer

from . import print_json, print_lines
from .options import Folder, Full, NoIndex, PlanFormat, content_folder, from_confirmed_files, index_use

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ..linkcheck.address_changes import UnwrittenAddress
    from ..linkcheck.external_addresses import AddressUse
    from ..linkcheck.link_history import LinkHistory

_DEAD = 1  # the exit code if an address is dead


def links(
    path: Folder = None,
    no_check: Annotated[bool, typer.Option("--no-check", help="Request nothing: only what is remembered.")] = False,
    fix: Annotated[bool, typer.Option("--fix", help="Write the addresses that others have moved to.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Write them without asking, as in CI.")] = False,
    include_private: Annotated[
        bool, typer.Option("--include-private", help="Also request private addresses, as of an intranet.")
    ] = False,
    format_: Annotated[PlanFormat, typer.Option("--format", help="The form of the report.")] = PlanFormat.TEXT,
    no_index: NoIndex = False,
    full: Full = False,
) -> int:
    """Check external addresses with lychee, and remember which fail.

    The exit code is 1 if an address is dead: it failed on three days, at least a week apart.
    """
    from datetime import UTC, datetime

    from ..content.folder.load import load_valid_content
    from ..linkcheck.external_addresses import find_addresses
    from ..linkcheck.link_check import LinkChecker
    from ..linkcheck.link_history import NO_HISTORY
    from ..linkcheck.link_memory import LinkMemory
    from ..linkcheck.lychee_run import LycheeOptions
    from ..report.link_report import LinkReport, link_document, link_lines, link_markdown

    folder = content_folder(path)
    content = load_valid_content(folder, index_use(no_index=no_index), may_break_rules=True)
    settings = content.config.links
    memory = LinkMemory(folder, settings.memory)
    places = find_addresses(content)
    histories = {address: memory.histories[address] for address in places if address in memory.histories}
    results = None
    if not no_check:
        checker = LinkChecker(LycheeOptions(settings.timeout, include_private), seconds=settings.minutes * 60)
        day = datetime.now(UTC).date()
        results = checker.check(places, histories, day)
        histories = {
            address: histories.get(address, NO_HISTORY).after(result, day) for address, result in results.items()
        }
        memory.write(histories)
    left_out = _fix(folder, histories, yes=yes, no_index=no_index) if fix else None
    report = LinkReport(places, histories, results, left_out)
    document = link_document(report)
    if format_ is PlanFormat.JSON:
        print_json(document)
    elif format_ is PlanFormat.MARKDOWN:
        print_lines(link_markdown(document).splitlines())
    else:
        print_lines(link_lines(document, full=full))
    return _DEAD if report.dead else 0


def _fix(
    folder: "Path", histories: "Mapping[str, LinkHistory]", *, yes: bool, no_index: bool
) -> "Sequence[UnwrittenAddress]":
    """Show the proposed addresses, ask, and write them. Return the entries that could not be changed."""
    from ..content.folder.load import load_valid_content
    from ..errors import pluralize
    from ..linkcheck.address_changes import write_addresses
    from ..linkcheck.external_addresses import find_addresses
    from ..value_text import printable
    from .mv_command import may_be_synced_in
    from .terminal import require_agreement, stderr

    moved = {address: new for address, history in sorted(histories.items()) if (new := history.proposal)}
    if not moved:
        return ()
    if not yes:
        for address, new in moved.items():
            stderr().print(printable(f"{address} → {new}"), markup=False)
        question = f"Write {pluralize(len(moved), 'new address', 'new addresses')}?"
        require_agreement(question, "no address was written", "--yes writes them without asking")

    def write(no_index: bool) -> "Sequence[UnwrittenAddress]":
        # The check may have taken minutes, and the user too.
        content = load_valid_content(folder, index_use(no_index=no_index), may_break_rules=True)
        places = find_addresses(content)
        places_by_new: dict[str, list[AddressUse]] = {}
        for address, new in moved.items():
            places_by_new.setdefault(new, []).extend(places.get(address, ()))
        return write_addresses(content, places_by_new, may_be_synced_in(folder))

    return from_confirmed_files(write, no_index=no_index)
