"""The lines about the edits that a plan keeps."""

from contentsync.model import Kind
from contentsync.printed_commands import WITHOUT_FOLDER
from contentsync.report.document_parts import Destination, revert_command
from contentsync.report.plan_document import kept_notes
from contentsync.sync.comparing.base import Base, applied_entry
from contentsync.sync.planning.plan import Plan
from contentsync.sync.planning.plan_builder import make_plan

from ..sync.entries import actual, desired


def plan_with_drift(edited: int, deleted: int) -> Plan:
    """Return a plan for pages of which other users have edited some and deleted others."""
    folder = [desired(Kind.PAGE, f"p{number}", title="Ours") for number in range(edited + deleted)]
    records = [actual(Kind.PAGE, entry.key, number, title="Ours") for number, entry in enumerate(folder, 1)]
    base = Base.from_entries(map(applied_entry, folder, records))
    there = [actual(Kind.PAGE, record.key, record.id or 0, title="Theirs") for record in records[:edited]]
    return make_plan(folder, there, base=base)


def test_several_edits_share_one_line_with_both_commands() -> None:
    assert kept_notes(plan_with_drift(edited=3, deleted=0), WITHOUT_FOLDER) == [
        "3 edits on the server are kept: contentsync pull takes them over, "
        "contentsync sync --only KIND/KEY --on-drift overwrite reverts them"
    ]


def test_a_line_about_one_deleted_entry_names_it() -> None:
    assert kept_notes(plan_with_drift(edited=0, deleted=1), WITHOUT_FOLDER, "`{}`".format) == [
        "1 entry deleted on the server: `contentsync pull --deletes` removes it here, "
        "`contentsync sync --only page/p0 --on-drift overwrite` creates it again"
    ]


def test_a_key_with_spaces_is_quoted_in_the_command() -> None:
    spaced = [desired(Kind.CATEGORY, "a b")]
    command = "contentsync sync --only 'category/a b' --on-drift overwrite"
    assert revert_command(WITHOUT_FOLDER, spaced) == command


def test_a_key_with_the_token_is_hidden_in_the_command() -> None:
    """PL-20, AU-12"""
    destination = Destination("local", "embedded:site.db", None, secret="1|token")
    command = revert_command(destination.command, [desired(Kind.LISTING, "https://a.example/?key=1|token")])
    assert command == "contentsync sync --only 'listing/https://a.example/?key=(hidden)' --on-drift overwrite"


def test_a_plan_without_drift_has_no_line() -> None:
    assert kept_notes(plan_with_drift(edited=0, deleted=0), WITHOUT_FOLDER) == []
